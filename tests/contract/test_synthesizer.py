"""What every voice engine owes whoever schedules it: one suite over the test voice and Kokoro."""

import pytest

from firstword.audio import duration_s, pcm_to_float
from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import RequestRefused
from firstword.kokoro.loader import load_synthesizer
from firstword.kokoro.synthesizer import Cancelled, CancelToken, Decoding, Piece, Synthesizer, VoiceOptions

TEXT = "Nobody had told the captain. So she waited, and the ship stayed where it was."


_KOKORO = pytest.mark.model
_ENGINES = [
    pytest.param(VoiceSettings(engine="tone"), id="tone"),
    pytest.param(VoiceSettings(decode="full"), id="kokoro-full", marks=_KOKORO),
    pytest.param(VoiceSettings(decode="streamed"), id="kokoro-streamed", marks=_KOKORO),
]


@pytest.fixture(scope="module", params=_ENGINES)
def voice(request: pytest.FixtureRequest) -> Synthesizer:
    engine = load_synthesizer(request.param, AssetSettings.load())
    engine.warm()
    return engine


def pieces_of(voice: Synthesizer, text: str, options: VoiceOptions | None = None) -> list[Piece]:
    return list(voice.plan(text, options or VoiceOptions()))


def pcm_of(decoding: Decoding) -> bytes:
    return b"".join(iter(decoding.step, None))


def test_a_piece_gives_its_words_first_and_then_audio_as_long_as_it_said(voice: Synthesizer) -> None:
    (piece,) = pieces_of(voice, TEXT)
    decoding = voice.begin(piece, CancelToken())
    assert [word.text for word in decoding.words][:3] == ["Nobody", "had", "told"]
    said = decoding.duration_s
    pcm = pcm_of(decoding)
    assert len(pcm) % 2 == 0
    assert abs(duration_s(len(pcm)) - said) <= 0.025
    assert decoding.step() is None


def test_word_timings_rise_and_point_into_the_text_given(voice: Synthesizer) -> None:
    text = "  " + TEXT
    (piece,) = pieces_of(voice, text)
    decoding = voice.begin(piece, CancelToken())
    end_s = 0.0
    for word in decoding.words:
        assert text[word.char_start : word.char_end] == word.text
        assert end_s <= word.start_s <= word.end_s <= decoding.duration_s
        end_s = word.end_s
    assert len(decoding.words) == len(TEXT.split())


def test_the_same_piece_is_the_same_audio_every_time(voice: Synthesizer) -> None:
    (piece,) = pieces_of(voice, "The same again.")
    first = pcm_of(voice.begin(piece, CancelToken()))
    pcm_of(voice.begin(pieces_of(voice, "Something else in between.")[0], CancelToken()))
    assert pcm_of(voice.begin(piece, CancelToken())) == first


def test_a_text_of_any_length_is_cut_at_words_and_all_of_it_is_there(voice: Synthesizer) -> None:
    words = [f"{first}ing {second}" for first in ("runn", "sitt", "hopp", "cutt") for second in ("dogs", "cats")] * 40
    text = " ".join(words)
    pieces = pieces_of(voice, text)
    assert len(pieces) > 3
    assert all(0 < len(piece.tokens) <= 300 for piece in pieces)
    assert " ".join(piece.text for piece in pieces).split() == text.split()
    spans = [span for piece in pieces for span in piece.words]
    assert [text[start:end] for start, end, *_ in spans] == text.split()
    assert all(text[piece.char_start : piece.char_end] == piece.text for piece in pieces)


def test_a_pause_follows_punctuation_and_none_follows_a_word_or_untrimmed_audio(voice: Synthesizer) -> None:
    def pause(text: str, trim: bool = True) -> float:
        return pieces_of(voice, text, VoiceOptions(trim=trim))[-1].pause_after_s

    assert pause("It is done.") > pause("It is done,") > pause("It is done") == 0.0
    assert pause("It is done.", trim=False) == 0.0


def test_silence_is_at_the_ends_only_where_it_is_asked_for(voice: Synthesizer) -> None:
    def silent_s(options: VoiceOptions) -> tuple[float, float]:
        samples = pcm_to_float(pcm_of(voice.begin(pieces_of(voice, "Come over here now.", options)[0], CancelToken())))
        loud = [index for index, sample in enumerate(samples) if abs(sample) > 0.005]
        return loud[0] / 24_000, (len(samples) - loud[-1]) / 24_000

    assert all(0.2 < end < 0.8 for end in silent_s(VoiceOptions(trim=False)))
    assert all(end < 0.15 for end in silent_s(VoiceOptions()))


def test_twice_the_speed_is_about_half_the_time(voice: Synthesizer) -> None:
    def length_s(speed: float) -> float:
        return voice.begin(pieces_of(voice, TEXT, VoiceOptions(speed=speed))[0], CancelToken()).duration_s

    assert 0.4 < length_s(2.0) / length_s(1.0) < 0.65
    assert 1.6 < length_s(0.5) / length_s(1.0) < 2.2


@pytest.mark.parametrize("text", ["", "   ", "…", "?!", "😀🎉", "\n\n", "\ud800", "\x00\x07"])
def test_a_text_with_nothing_to_say_has_no_pieces(voice: Synthesizer, text: str) -> None:
    assert pieces_of(voice, text) == []


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (VoiceOptions(voice="nobody"), "unknown_voice"),
        (VoiceOptions(voice="af_heart*0"), "unknown_voice"),
        (VoiceOptions(speed=0.0), "bad_speed"),
        (VoiceOptions(speed=float("nan")), "bad_speed"),
        (VoiceOptions(language="tlh"), "bad_language"),
    ],
)
def test_options_that_cannot_be_are_refused_by_their_code(voice: Synthesizer, options: VoiceOptions, code: str) -> None:
    for refuse in (lambda: voice.check(options), lambda: voice.plan("Hello.", options)):
        with pytest.raises(RequestRefused) as caught:
            refuse()
        assert caught.value.code == code


def test_every_voice_it_names_is_accepted_and_so_is_a_blend(voice: Synthesizer) -> None:
    assert "af_heart" in voice.voices()
    for name in voice.voices():
        voice.check(VoiceOptions(voice=name, language="en-us"))
    blend = pieces_of(voice, "A blend.", VoiceOptions(voice="af_heart*0.7+af_bella*0.3"))
    assert pcm_of(voice.begin(blend[0], CancelToken()))


def test_what_is_cancelled_takes_no_further_step(voice: Synthesizer) -> None:
    (piece,) = pieces_of(voice, TEXT)
    cancel = CancelToken()
    decoding = voice.begin(piece, cancel)
    cancel.cancel()
    with pytest.raises(Cancelled):
        decoding.step()
    with pytest.raises(Cancelled):
        voice.begin(piece, cancel)
    assert pcm_of(voice.begin(piece, CancelToken()))
