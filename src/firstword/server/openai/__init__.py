"""OpenAI's speech interface over the same voice: `/v1/audio/speech`, `/v1/audio/voices`, `/v1/models`.

    dialect   how a request is read, and events and errors are written (`server.posts` does the rest)
    catalog   what there is to choose from
    voices    OpenAI's voice names and ours

What is said to whom is decided elsewhere. Checked against the official SDK (`tests/server/test_openai.py`).
"""

from firstword.server.openai.catalog import list_models, list_voices, retrieve_model
from firstword.server.openai.dialect import OpenAiDialect

__all__ = ["OpenAiDialect", "list_models", "list_voices", "retrieve_model"]
