"""The packaged model behind llama.cpp's own OpenAI-compatible server, inside this process.

llama.cpp streams, batches, and stops generating when its reader hangs up, so nothing of ours stands between. What a
request leaves out is set here so that the same messages give the same answer: temperature 0.2, repeat penalty 1.1,
seed 1, at most 220 tokens. Knows nothing of agents or speech. Above it: `python -m firstword.llm`.
"""

from pathlib import Path
from typing import Final

import xllamacpp

from firstword.config import LlmSettings
from firstword.errors import AgentError
from firstword.llm.model import PACKAGED_MODEL

__all__ = ["LlmServer"]

_TOP_LOG_LEVEL_SILENT: Final = 0


class LlmServer:
    """Serves one model file on loopback from construction until the process ends; `url` is where.

    Raises AgentError when the file does not load or the port is taken.
    """

    def __init__(self, model: Path, settings: LlmSettings) -> None:
        try:
            self._server = xllamacpp.Server(_parameters(model, settings))
        except RuntimeError as error:
            raise AgentError(
                f"The language model {model.name} did not start.",
                code="model_unavailable",
                hint="Check that the file is whole and the port is free.",
            ) from error
        self.url: str = self._server.listening_address


def _parameters(model: Path, settings: LlmSettings) -> xllamacpp.CommonParams:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model)
    parameters.model_alias = {PACKAGED_MODEL}
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = settings.port
    parameters.n_parallel = settings.slots
    parameters.n_ctx = settings.context_tokens * settings.slots
    parameters.cpuparams.n_threads = settings.threads
    parameters.cpuparams_batch.n_threads = settings.prompt_threads
    parameters.n_threads_http = settings.slots + 2
    parameters.n_predict = settings.max_tokens
    parameters.sampling.temp = settings.temperature
    parameters.sampling.penalty_repeat = settings.repeat_penalty
    parameters.sampling.seed = settings.seed
    parameters.use_jinja = True
    parameters.ui = False
    parameters.verbosity = _TOP_LOG_LEVEL_SILENT
    return parameters
