"""The sample format: sizes, conversion at its edges, headers."""

import numpy as np
import pytest

from firstword import audio


def test_loud_samples_are_clipped_and_never_change_sign() -> None:
    pcm = np.frombuffer(audio.float_to_pcm(np.array([0.0, 1.0, 1.4, 40.0, -1.0, -1.4, -40.0])), dtype="<i2")
    assert pcm.tolist() == [0, 32767, 32767, 32767, -32767, -32768, -32768]


def test_samples_that_are_no_number_become_silence_or_the_nearest_end() -> None:
    pcm = np.frombuffer(audio.float_to_pcm(np.array([np.nan, np.inf, -np.inf])), dtype="<i2")
    assert pcm.tolist() == [0, 32767, -32767]


def test_pcm_survives_the_way_to_float_and_back() -> None:
    pcm = np.arange(-32767, 32768, dtype="<i2").tobytes()
    assert audio.float_to_pcm(audio.pcm_to_float(pcm)) == pcm


def test_an_odd_number_of_bytes_is_refused() -> None:
    with pytest.raises(ValueError):
        audio.pcm_to_float(b"abc")


def test_a_second_of_audio_is_48000_bytes() -> None:
    assert audio.duration_s(48_000) == 1.0
    assert len(audio.silence(1.0)) == 48_000


def test_first_audible_is_the_first_loud_ten_milliseconds() -> None:
    tone = audio.float_to_pcm(0.5 * np.ones(2400))
    assert audio.first_audible_s(audio.silence(0.3) + tone) == pytest.approx(0.3)
    assert audio.first_audible_s(audio.silence(1.0)) is None
    assert audio.first_audible_s(b"") is None


def test_a_wav_holds_exactly_the_pcm_it_was_given() -> None:
    pcm = audio.float_to_pcm(np.linspace(-1, 1, 1000))
    assert audio.wav_pcm(audio.wav_header(len(pcm)) + pcm) == (pcm, 24_000)
    assert audio.wav_pcm(audio.wav_header(None) + pcm) == (pcm, 24_000)


def test_a_wav_header_of_a_stream_carries_unknown_sizes() -> None:
    header = audio.wav_header(None)
    assert header[4:8] == header[40:44] == b"\xff\xff\xff\xff"
    assert len(header) == 44


@pytest.mark.parametrize("data", [b"", b"RIFF", b"RIFF0000WAVE", b"ID3" + bytes(60)])
def test_what_is_no_wav_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError):
        audio.wav_pcm(data)
