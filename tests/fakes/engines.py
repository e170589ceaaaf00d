"""Image engines that build nothing and write down what they were asked: docker, finch, podman, buildah on a PATH."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pytest

__all__ = ["DIGEST", "Engines", "fake_engines"]

DIGEST = f"sha256:{'ab' * 32}"
# Asked for `info` it works; `interrupt-at` names the verb at
# which it sends the signal in `interrupt-by` to whoever started it, and goes on as if nothing had happened; `fail-at`
# the verb that fails.
_ENGINE = """\
#!/bin/sh
home='{home}'
verb=$1
{{ printf '%s\\0' "$(basename "$0")" "$@"; printf '\\n'; }} >> "$home/asked"
[ "$verb" = login ] && cat > "$home/password"
if [ "$verb" = "$(cat "$home/fail-at" 2>/dev/null)" ]; then
  echo "STEP 4/9: RUN something"; echo "Error: no space left on device" >&2; exit 125
fi
if [ "$verb" = "$(cat "$home/interrupt-at" 2>/dev/null)" ]; then
  echo $$ > "$home/pid"; kill -"$(cat "$home/interrupt-by")" "$PPID"; exec sleep 60
fi
[ "$verb" = build ] && echo "STEP 1/9: FROM base"
[ "$verb" = build ] && echo "#7 [build 2/5] COPY requirements.txt ."
[ "$verb" = push ] && printf '%s' "$BUILDX_NO_DEFAULT_ATTESTATIONS" > "$home/pushed"
exit 0
"""


@dataclass(frozen=True)
class Engines:
    """Where they lie and what they wrote down."""

    home: Path

    @property
    def asked(self) -> list[list[str]]:
        """Every command line, the engine's name first; `info` is left out."""
        path = self.home / "asked"
        lines = path.read_text().splitlines() if path.exists() else []
        return [words for line in lines if (words := line.split("\0")[:-1])[1] != "info"]

    @property
    def pushed(self) -> bool:
        """Whether something was pushed, by an engine that was told to attest nothing."""
        path = self.home / "pushed"
        return path.exists() and path.read_text() == "1"

    @property
    def password(self) -> str:
        return (self.home / "password").read_text()

    @property
    def interrupted(self) -> int:
        """The process that interrupted its parent."""
        return int((self.home / "pid").read_text())

    def interrupt_at(self, verb: str, by: Literal["INT", "TERM"] = "INT") -> None:
        (self.home / "interrupt-at").write_text(verb)
        (self.home / "interrupt-by").write_text(by)

    def fail_at(self, verb: str) -> None:
        (self.home / "fail-at").write_text(verb)


def fake_engines(home: Path, monkeypatch: pytest.MonkeyPatch, *names: str) -> Engines:
    """Put engines of these names, and no others, on this process's PATH."""
    tools = home / "tools"
    tools.mkdir(parents=True)
    for name in names:
        script = tools / name
        script.write_text(_ENGINE.format(home=home))
        script.chmod(0o755)
    for name in ("sh", "cat", "printf", "basename", "sleep", "uv"):
        if found := next(
            (p / name for p in map(Path, os.environ["PATH"].split(os.pathsep)) if (p / name).exists()), None
        ):
            (tools / name).symlink_to(found.resolve())
    monkeypatch.setenv("PATH", str(tools))
    return Engines(home)
