"""Voices: which there are, how a blend is written, what is refused and by which code."""

import pytest

from firstword.errors import RequestRefused
from firstword.kokoro.synthesizer import VoiceOptions
from firstword.kokoro.voices import VOICES, check_options, language_of, parse_voice

_ENGLISH = ("en-us", "en-gb")


def test_there_are_54_voices_in_nine_languages() -> None:
    assert len(VOICES) == 54
    assert len({voice.language for voice in VOICES.values()}) == 9
    assert VOICES["bf_emma"].language == "en-gb"
    assert VOICES["am_adam"].gender == "male"


def test_the_weights_of_a_blend_are_normalised() -> None:
    assert parse_voice("af_heart") == (("af_heart", 1.0),)
    assert parse_voice("af_heart * 3 + af_bella*1") == (("af_heart", 0.75), ("af_bella", 0.25))
    assert parse_voice("af_heart+af_bella") == (("af_heart", 0.5), ("af_bella", 0.5))


@pytest.mark.parametrize(
    "voice",
    [
        "",
        "af_nobody",
        "af_heart*",
        "af_heart*x",
        "af_heart*0",
        "af_heart*-1",
        "af_heart*nan",
        "af_heart*inf",
        "af_heart+",
        "af_heart**2",
        "../af_heart",
        "+".join(["af_heart"] * 9),
        "\ud800",
    ],
)
def test_a_voice_that_is_none_is_refused_as_unknown(voice: str) -> None:
    with pytest.raises(RequestRefused) as caught:
        parse_voice(voice)
    assert caught.value.code == "unknown_voice"
    caught.value.one_line().encode()


@pytest.mark.parametrize("speed", [0.0, 0.49, 2.01, -1.0, float("nan"), float("inf")])
def test_a_speed_out_of_range_is_refused(speed: float) -> None:
    with pytest.raises(RequestRefused) as caught:
        check_options(VoiceOptions(speed=speed), _ENGLISH)
    assert caught.value.code == "bad_speed"


@pytest.mark.parametrize("options", [VoiceOptions(language="tlh"), VoiceOptions(voice="jf_alpha")])
def test_a_language_that_is_not_spoken_is_refused_with_those_that_are(options: VoiceOptions) -> None:
    with pytest.raises(RequestRefused) as caught:
        check_options(options, _ENGLISH)
    assert caught.value.code == "bad_language"
    assert "en-us, en-gb" in caught.value.hint


def test_the_language_follows_the_voice_unless_it_is_said() -> None:
    assert check_options(VoiceOptions(voice="bm_george"), _ENGLISH)[1] == "en-gb"
    assert check_options(VoiceOptions(voice="bm_george", language="en_US"), _ENGLISH)[1] == "en-us"
    assert check_options(VoiceOptions(voice="jf_alpha", language="en"), _ENGLISH)[1] == "en-us"


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("pt", "pt-br"),
        ("pt_BR", "pt-br"),
        ("es-MX", "es"),
        ("zh-CN", "zh"),
        ("cmn", "zh"),
        ("JA", "ja"),
        ("tlh", "tlh"),
    ],
)
def test_a_language_may_be_named_as_others_name_it(asked: str, language: str) -> None:
    assert language_of(VoiceOptions(language=asked)) == language
