"""`speech-infra models sync`."""

from typing import Annotated

import typer

from firstword.cli.infra_options import Common, Model, print_json, spread
from firstword.errors import InfraError, Interrupted
from firstword.infra.deployment import model_kind
from firstword.infra.toolkit.stacks import find_stack
from firstword.infra.toolkit.weights import asset_store, sync_weights, weights_uri

__all__ = ["app"]

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Weights in S3.")


@app.callback()
def _models() -> None:
    """Weights in S3."""


@app.command()
@spread
def sync(
    model: Model,
    common: Common,
    weights: Annotated[str | None, typer.Option(help="packages | hub | dir:PATH | s3://BUCKET/PREFIX")] = None,
) -> None:
    """Bring a model's weights to the bucket: every file proven by its hash, what is there already not sent again."""
    kind = model_kind(model)
    site = common.site
    if find_stack(site.cloud, site.place.cache_stack) is None:
        raise InfraError(
            "There is no weights bucket yet.", code="no_bucket", hint=f"speech-infra deploy {model} makes it."
        )
    store = asset_store(kind, weights)
    bucket = site.place.weights_bucket
    try:
        done = sync_weights(site.cloud, store, bucket=bucket, model=model, progress=site.report.progress)
    except KeyboardInterrupt as error:
        raise Interrupted(
            f"Interrupted; {weights_uri(bucket, model, store.manifest())} is not whole, and nothing reads it yet.",
            hint="Run the same again: what is there is not sent again.",
        ) from error
    if common.as_json:
        print_json(done)
    else:
        print(f"{done.uri}: {done.sent_files} files sent ({done.sent_bytes:,} bytes), {done.kept_files} were there.")
