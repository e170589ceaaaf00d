"""`python -m firstword.llm.scripted SCRIPT`: serve a scripted model until told to stop; `--port N`, 0 picks one."""

import argparse
import sys
from pathlib import Path

from firstword.errors import FirstwordError
from firstword.listen import serve
from firstword.llm.scripted.script import load_script
from firstword.llm.scripted.server import ScriptedModel


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m firstword.llm.scripted", description="Serve a scripted model.")
    parser.add_argument("script", type=Path, help="JSON file; docs/reference/scripted-model.md tells its form")
    parser.add_argument("--port", type=int, default=0, help="port to listen on; 0 picks one")
    arguments = parser.parse_args()
    try:
        serve(ScriptedModel(load_script(arguments.script)).app, host="127.0.0.1", port=arguments.port)
    except FirstwordError as error:
        print(f"{parser.prog}: {error.one_line()}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
