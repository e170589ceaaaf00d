"""OpenAI's voice names and which of ours answers to each: the namesake where there is one, else one like it."""

from typing import Final

__all__ = ["OPENAI_VOICES"]

OPENAI_VOICES: Final = {
    "alloy": "af_alloy",
    "ash": "am_michael",
    "ballad": "bm_george",
    "cedar": "am_fenrir",
    "coral": "af_bella",
    "echo": "am_echo",
    "fable": "bm_fable",
    "marin": "af_heart",
    "nova": "af_nova",
    "onyx": "am_onyx",
    "sage": "af_sarah",
    "shimmer": "af_sky",
    "verse": "am_puck",
}
