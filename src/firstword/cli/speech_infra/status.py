"""`speech-infra list` and `status`."""

from firstword.cli.infra_options import Common, Model, print_json, print_table, spread
from firstword.infra.deployment import model_kind
from firstword.infra.speech.viewing import VoiceStatus, all_voices, voice_status

__all__ = ["list_voices", "status"]


@spread
def list_voices(common: Common) -> None:
    """Every voice of the catalogue and whether it stands here."""
    found = all_voices(common.site)
    if common.as_json:
        print_json({"voices": found})
        return
    rows = [(voice.model, voice.state, voice.endpoint, _fleet(voice)) for voice in found]
    print_table(f"Voices in {common.site.place.region}", ("model", "state", "endpoint", "fleet"), rows)


@spread
def status(model: Model, common: Common) -> int:
    """One voice as it stands. Exit 0 in service or paused, 1 otherwise."""
    model_kind(model)
    found = voice_status(common.site, model)
    if common.as_json:
        print_json(found)
    else:
        print_table(f"{model} in {common.site.place.region}", ("what", "is"), _rows(found))
    return 0 if found.healthy else 1


def _fleet(voice: VoiceStatus) -> str:
    return ", ".join(f"{v['current']}/{v['desired']} {' > '.join(v['instance_types'])}" for v in voice.variants)


def _rows(voice: VoiceStatus) -> list[tuple[str, str]]:
    cost = "unknown" if voice.usd_per_hour is None else f"${voice.usd_per_hour:.3f} an hour ({voice.price_source})"
    rows = [
        ("state", voice.state),
        ("endpoint", f"{voice.endpoint} {voice.endpoint_status}".strip()),
        ("failure", voice.failure),
        ("stack", f"{voice.stack} {voice.stack_status}".strip()),
        ("fleet", _fleet(voice)),
        ("cost", cost if voice.variants else ""),
        ("alarms", ", ".join(f"{name} {state}" for name, state in voice.alarms.items())),
        ("scaling", "\n".join(voice.scaling)),
        ("image", voice.image),
        ("weights", voice.weights),
    ]
    return [row for row in rows if row[1]]
