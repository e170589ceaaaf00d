"""How a word is pronounced is the writer's and the deployer's to say, down to the phoneme and the pause."""

import pytest

from firstword.errors import RequestRefused
from firstword.text.pronunciation import Pronunciations, check_phonemes
from firstword.text.speakable import (
    Pause,
    Phonemes,
    Said,
    SpeakableOptions,
    SpeakableStream,
    speakable,
    spoken_phonemes,
)

_SYMBOLS = frozenset("təmˈɑːoʊ ")


def test_phonemes_in_the_text_make_a_segment_and_the_word_stays_a_word() -> None:
    text = "Say [tomato](/təmˈɑːtoʊ/) twice."
    spoken = speakable(text, options=SpeakableOptions(symbols=_SYMBOLS))
    assert spoken.text == "Say tomato twice."
    assert spoken.segments == (Said(start=0, end=4), Phonemes(start=4, end=10, ipa="təmˈɑːtoʊ"), Said(start=10, end=17))
    assert text[slice(*spoken.to_source(4, 10))] == "[tomato](/təmˈɑːtoʊ/)"
    assert spoken.pronounced(2) == ((2, 8, "təmˈɑːtoʊ"),)
    assert spoken.pronounced(0, 3) == ()


def test_a_pause_stands_between_words() -> None:
    spoken = speakable('Wait [pause:0.5s] now <break time="250ms"/> go.')
    assert spoken.text == "Wait now go."
    assert [segment for segment in spoken.segments if isinstance(segment, Pause)] == [
        Pause(start=5, end=5, seconds=0.5),
        Pause(start=9, end=9, seconds=0.25),
    ]


def test_a_pause_may_be_all_there_is_and_has_a_longest() -> None:
    assert speakable("[pause:2s]").segments == (Pause(start=0, end=0, seconds=2.0),)
    assert speakable("[pause:999s]").segments == (Pause(start=0, end=0, seconds=10.0),)


def test_a_phoneme_the_voice_lacks_is_refused_by_name() -> None:
    for text in ("[x](/ʘm/)", '<phoneme ph="ʘm">x</phoneme>'):
        with pytest.raises(RequestRefused, match="ʘ U\\+0298") as refused:
            speakable(text, options=SpeakableOptions(symbols=_SYMBOLS))
        assert refused.value.code == "bad_pronunciation"
    with pytest.raises(RequestRefused, match="U\\+0007"):
        check_phonemes("t\a", _SYMBOLS)


def test_a_request_may_be_phonemes_altogether() -> None:
    spoken = spoken_phonemes("/təmˈɑːtoʊ/", SpeakableOptions(symbols=_SYMBOLS))
    assert spoken.segments == (Phonemes(start=0, end=9, ipa="təmˈɑːtoʊ"),)
    assert spoken.spans[0] == (0, 9, 1, 10)
    with pytest.raises(RequestRefused):
        spoken_phonemes("xyz", SpeakableOptions(symbols=_SYMBOLS))


def test_a_dictionary_respells_whole_words_the_longest_first() -> None:
    words = Pronunciations(
        {"nginx": "engine x", "Acme": "ack me", "acme cloud": "ack me cloud", "C++": "see plus plus"}
    )
    options = SpeakableOptions(pronunciations=words)
    assert speakable("NGINX by Acme, nginxes by ACME Cloud.", options=options).text == (
        "engine x by ack me, nginxes by ack me cloud."
    )
    assert speakable("ACME writes C++.", options=options).text == "ACME writes see plus plus."


def test_a_request_overrules_the_deployment_and_phonemes_come_through_a_stream() -> None:
    words = Pronunciations({"data": "day ta"}).merged({"data": "/dˈɑːtə/"})
    words.check(None)
    stream = SpeakableStream(options=SpeakableOptions(pronunciations=words))
    stream.feed("Two. The da")
    stream.feed("ta is 5.")
    stream.say("Two.")
    spoken = stream.say("The data is 5.")
    assert spoken.text == "The data is five."
    assert spoken.pronounced() == ((4, 8, "dˈɑːtə"),)
    assert spoken.to_source(4, 8) == (9, 13)


@pytest.mark.parametrize("entries", [{"": "x"}, {"--": "x"}, {"word": ""}, {"word": "//"}, {"word": "/ʘ/"}])
def test_a_dictionary_that_cannot_be_is_refused(entries: dict[str, str]) -> None:
    with pytest.raises(RequestRefused) as refused:
        Pronunciations(entries).check(_SYMBOLS)
    assert refused.value.code == "bad_pronunciation"


def test_a_setting_says_what_becomes_of_code_emoji_and_stage_directions() -> None:
    text = "Hi 🎉 *sighs*\n```\nx\n```"
    assert speakable(text).text == "Hi\ncode example."
    options = SpeakableOptions(code="skip", emoji="name", stage_directions="keep")
    assert speakable(text, options=options).text == "Hi party popper sighs"


def test_an_open_fence_crosses_sentences_and_is_announced_once() -> None:
    stream = SpeakableStream()
    sentences = ["Run this:", "```bash\nrm -rf build", "make all", "```", "Then retry."]
    stream.feed("\n".join(sentences))
    assert [stream.say(sentence).text for sentence in sentences] == [
        "Run this:",
        "code example.",
        "",
        "",
        "Then retry.",
    ]
