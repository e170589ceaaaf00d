"""`speech-infra list` and `status`."""

from firstword.cli.infra_options import (
    AsJson,
    Common,
    Config,
    Model,
    Prefix,
    Profile,
    Region,
    print_json,
    print_table,
)
from firstword.infra.deployment import model_kind
from firstword.infra.speech.viewing import VoiceStatus, all_voices, voice_status

__all__ = ["list_voices", "status"]


def list_voices(
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Every voice of the catalogue and whether it stands here."""
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config)
    found = all_voices(common.site)
    if as_json:
        print_json({"voices": found})
        return
    rows = [(voice.model, voice.state, voice.endpoint, _fleet(voice)) for voice in found]
    print_table(f"Voices in {common.site.place.region}", ("model", "state", "endpoint", "fleet"), rows)


def status(
    model: Model,
    region: Region = None,
    profile: Profile = None,
    name_prefix: Prefix = None,
    config: Config = None,
    as_json: AsJson = False,
) -> int:
    """One voice as it stands. Exit 0 in service or paused, 1 otherwise."""
    model_kind(model)
    common = Common(region=region, profile=profile, name_prefix=name_prefix, config=config)
    found = voice_status(common.site, model)
    if as_json:
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
