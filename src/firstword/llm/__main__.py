"""`python -m firstword.llm`: serve the packaged model until told to stop.

`--port N` (0 picks one); prints `listening on http://HOST:PORT` once requests are answered. Other settings come from
the environment (FIRSTWORD_LLM_…).
"""

import argparse
import signal
import sys

from firstword.config import LlmSettings
from firstword.errors import FirstwordError
from firstword.llm.model import packaged_model
from firstword.llm.priority import give_way
from firstword.llm.server import LlmServer


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m firstword.llm", description="Serve the packaged language model.")
    parser.add_argument("--port", type=int, default=None, help="port to listen on; 0 picks one")
    arguments = parser.parse_args()
    asked_to_stop = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, asked_to_stop)
    try:
        settings = LlmSettings.load(port=arguments.port)
        give_way(settings.nice)
        server = LlmServer(packaged_model(), settings)
    except FirstwordError as error:
        print(f"{parser.prog}: {error.one_line()}", file=sys.stderr)
        return error.exit_code
    print(f"listening on {server.url}", flush=True)
    signal.sigwait(asked_to_stop)
    return 0


if __name__ == "__main__":
    sys.exit(main())
