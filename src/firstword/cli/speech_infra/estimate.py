"""`speech-infra estimate`."""

from typing import Annotated

import typer

from firstword.cli.infra_options import Common, Model, print_json, print_table, spread
from firstword.cli.speech_infra.fleet import Fleet
from firstword.errors import InfraError
from firstword.infra.configuration import speech_deployment
from firstword.infra.speech.estimating import estimate as estimated
from firstword.infra.toolkit.cloud import Cloud

__all__ = ["estimate"]


@spread
def estimate(
    model: Model,
    fleet: Fleet,
    common: Common,
    offline: Annotated[bool, typer.Option("--offline", help="Use the built-in table, ask nobody.")] = False,
) -> None:
    """What a voice costs a month at its smallest and its largest, without traffic and logs."""
    wanted = speech_deployment(model, common.file, fleet.flags())
    where = common.settings.region or ("us-east-1" if offline else common.cloud.region)
    lines = estimated(wanted, where, None if offline else _signed_in(common))
    if common.as_json:
        print_json({"region": where, "lines": lines})
        return
    rows = [(line.what, _usd(line.least_usd), _usd(line.most_usd), line.source) for line in lines]
    print_table(f"{model} in {where}, US dollars a month", ("what", "least", "most", "source"), rows)


def _signed_in(common: Common) -> Cloud | None:
    """The account if there are credentials; prices are worth telling without any."""
    try:
        return common.cloud if common.cloud.account else None
    except InfraError as error:
        common_line = f"prices come from the built-in table: {error.message}"
        typer.echo(common_line, err=True)
        return None


def _usd(value: float) -> str:
    return f"{value:,.2f}"
