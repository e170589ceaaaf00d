"""The 54 voices of Kokoro v1.0, blends of them, and what a request may ask of a voice.

A voice is named `af_heart`: language, gender, name. A blend is written `af_heart*0.7+af_bella*0.3`; weights are
normalised to sum to one. This module knows names and rules only: the style vectors themselves come from `assets`.
"""

import math
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from firstword.errors import RequestRefused
from firstword.kokoro.synthesizer import VoiceOptions

__all__ = [
    "MAX_BLEND",
    "MAX_SPEED",
    "MIN_SPEED",
    "VOICES",
    "Blend",
    "VoiceInfo",
    "check_options",
    "language_of",
    "parse_voice",
]

MIN_SPEED: Final = 0.5
MAX_SPEED: Final = 2.0
MAX_BLEND: Final = 8
"""Most voices in one blend."""

type Blend = tuple[tuple[str, float], ...]
"""Voice names with weights that sum to one, in the order they were written."""

_LANGUAGES = {
    "a": "en-us",
    "b": "en-gb",
    "e": "es",
    "f": "fr",
    "h": "hi",
    "i": "it",
    "j": "ja",
    "p": "pt-br",
    "z": "zh",
}
_NAMES = frozenset(_LANGUAGES.values())
_SHORT = {"en": "en-us", "en-uk": "en-gb", "pt": "pt-br", "cmn": "zh"}
_GENDERS = {"f": "female", "m": "male"}

# Grades as the model's authors publish them in VOICES.md; "-" where they give none.
_GRADES = """
af_heart A      af_alloy C     af_aoede C+   af_bella A-   af_jessica D  af_kore C+   af_nicole B-  af_nova C
af_river D      af_sarah C+    af_sky C-     am_adam F+    am_echo D     am_eric D    am_fenrir C+  am_liam D
am_michael C+   am_onyx D      am_puck C+    am_santa D-   bf_alice D    bf_emma B-   bf_isabella C bf_lily D
bm_daniel D     bm_fable C     bm_george C   bm_lewis D+   ef_dora -     em_alex -    em_santa -    ff_siwis B-
hf_alpha C      hf_beta C      hm_omega C    hm_psi C      if_sara C     im_nicola C  jf_alpha C+   jf_gongitsune C
jf_nezumi C-    jf_tebukuro C  jm_kumo C-    pf_dora -     pm_alex -     pm_santa -   zf_xiaobei D  zf_xiaoni D
zf_xiaoxiao D   zf_xiaoyi D    zm_yunjian D  zm_yunxi D    zm_yunxia D   zm_yunyang D
"""


@dataclass(frozen=True, kw_only=True)
class VoiceInfo:
    """What is publicly known of a voice. `grade` (A best, F worst) is the authors' own; None where they give none."""

    name: str
    language: str
    gender: str
    grade: str | None


VOICES: Final = {
    name: VoiceInfo(
        name=name,
        language=_LANGUAGES[name[0]],
        gender=_GENDERS[name[1]],
        grade=None if grade == "-" else grade,
    )
    for name, grade in zip(_GRADES.split()[::2], _GRADES.split()[1::2], strict=True)
}


def parse_voice(text: str) -> Blend:
    """A voice name or a blend as weights that sum to one. Raises RequestRefused, code unknown_voice."""
    parts = text.split("+")
    if len(parts) > MAX_BLEND:
        raise _refused(f"A blend holds at most {MAX_BLEND} voices.")
    weights: dict[str, float] = {}
    for part in parts:
        name, star, number = part.strip().partition("*")
        name = name.strip()
        if name not in VOICES:
            raise _refused(f"There is no voice {name[:40]!a}.")
        weights[name] = weights.get(name, 0.0) + (_weight(number) if star else 1.0)
    total = sum(weights.values())
    return tuple((name, weight / total) for name, weight in weights.items())


def check_options(options: VoiceOptions, languages: Collection[str]) -> tuple[Blend, str]:
    """The blend and the language that options ask for; without a language, that of the first voice named.

    Any voice may speak any of `languages` (with its own accent). Raises RequestRefused with code unknown_voice,
    bad_speed or bad_language.
    """
    blend = parse_voice(options.voice)
    if not MIN_SPEED <= options.speed <= MAX_SPEED:  # NaN compares false, so it is refused too
        raise RequestRefused(
            f"The speed is {options.speed:g}.", code="bad_speed", hint=f"It may be {MIN_SPEED} to {MAX_SPEED}."
        )
    language = language_of(options)
    if language not in languages:
        named = f"language {options.language[:20]!a}" if options.language else f"{language}, the language of its voice"
        raise RequestRefused(
            f"This server cannot speak {named}.", code="bad_language", hint=f"It speaks {', '.join(languages)}."
        )
    return blend, language


def language_of(options: VoiceOptions) -> str:
    """The language asked for by its name here (pt is pt-br, es-MX is es), else that of the first voice named.

    A language there is none of comes back as it was asked for. Raises RequestRefused, code unknown_voice.
    """
    if options.language is None or not options.language.strip():
        return VOICES[parse_voice(options.voice)[0][0]].language
    asked = options.language.strip().lower().replace("_", "-")
    base = asked.partition("-")[0]
    return next((name for name in (asked, _SHORT.get(asked), base) if name in _NAMES), asked)


def _weight(text: str) -> float:
    try:
        weight = float(text)
    except ValueError:
        weight = math.nan
    if not 0.0 < weight <= 1000.0:
        raise _refused(f"{text.strip()[:20]!a} is not the weight of a voice.")
    return weight


def _refused(message: str) -> RequestRefused:
    return RequestRefused(
        message,
        code="unknown_voice",
        hint="Name one of the voices (firstword voices lists them), or a blend such as af_heart*0.7+af_bella*0.3.",
    )
