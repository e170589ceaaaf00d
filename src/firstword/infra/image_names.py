"""Pure: the name of an image in a private ECR repository, taken apart."""

import re
from dataclasses import dataclass

from firstword.errors import UsageError

__all__ = ["ImageName", "image_name"]

_NAME = re.compile(
    r"(?P<account>\d{12})\.dkr\.ecr\.(?P<region>[a-z0-9-]+)\.amazonaws\.com/(?P<repository>[a-z0-9._/-]+)"
    r"(?::(?P<tag>[\w][\w.-]{0,127}))?(?:@(?P<digest>sha256:[0-9a-f]{64}))?"
)


@dataclass(frozen=True, kw_only=True)
class ImageName:
    """A private ECR image's URI, taken apart; by digest where it has one, else by tag."""

    account: str
    region: str
    repository: str
    tag: str = ""
    digest: str = ""

    @property
    def repository_arn(self) -> str:
        return f"arn:aws:ecr:{self.region}:{self.account}:repository/{self.repository}"

    @property
    def id(self) -> dict[str, str]:
        return {"imageDigest": self.digest} if self.digest else {"imageTag": self.tag}


def image_name(uri: str, taker: str) -> ImageName:
    """Raises UsageError for an image that is in no private ECR repository: neither service takes another."""
    match = _NAME.fullmatch(uri)
    if match is None:
        raise UsageError(
            f"{uri!r} is no image of a private ECR repository.",
            code="bad_image_uri",
            hint=f"{taker} takes ACCOUNT.dkr.ecr.REGION.amazonaws.com/NAME:TAG.",
        )
    found = {key: value or "" for key, value in match.groupdict().items()}
    return ImageName(**found if found["tag"] or found["digest"] else found | {"tag": "latest"})
