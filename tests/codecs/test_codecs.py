"""Every format: what goes in comes out, bit by bit as it comes, whole at the end."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.alignment import likeness
from firstword import audio
from firstword.codecs.containers import CONTAINERS, Container
from firstword.codecs.decoder import decode_whole, make_decoder
from firstword.codecs.encoder import check_library, encode_whole, make_encoder
from firstword.codecs.formats import FORMATS, audio_format, format_of_file
from firstword.codecs.resample import Resampler
from firstword.codecs.telephony import linear_to_ulaw, ulaw_to_linear
from firstword.errors import CodecError

LOSSLESS = ("wav", "pcm", "flac")
CODED = ("mp3", "aac", "mp4", "opus", "webm")
CONTAINED = ("mp3", "aac", "mp4", "opus", "webm", "flac")
EVERY = [(entry.name, rate_hz) for entry in FORMATS.values() for rate_hz in entry.rates_hz]
FIRST_BYTES_MS = {"opus": 60, "webm": 130, "mp3": 60, "aac": 100, "mp4": 130, "flac": 30}


def _speech_like(seconds: float = 2.0) -> bytes:
    t = np.arange(int(24_000 * seconds)) / 24_000
    wave = sum(np.sin(2 * np.pi * 140 * k * t + np.sin(2 * np.pi * 3 * t)) / k for k in range(1, 12))
    return audio.float_to_pcm(0.2 * wave * (0.6 + 0.4 * np.sin(2 * np.pi * 2 * t)))


PCM = _speech_like()


def _encode_in_pieces(name: str, pcm: bytes, piece: int) -> bytes:
    encoder = make_encoder(name)
    parts = [encoder.encode(pcm[start : start + piece]) for start in range(0, len(pcm), piece)]
    return b"".join(parts) + encoder.flush()


@pytest.mark.parametrize(("name", "rate_hz"), EVERY)
def test_every_format_at_every_rate_gives_back_what_was_said(name: str, rate_hz: int) -> None:
    encoder, decoder = make_encoder(name, rate_hz), make_decoder(name, rate_hz)
    heard = b"".join(decoder.decode(encoder.encode(PCM[at : at + 4_800])) for at in range(0, len(PCM), 4_800))
    heard += decoder.decode(encoder.flush()) + decoder.flush()
    back = Resampler(24_000, decoder.sample_rate_hz or 0)
    heard = back.feed(heard) + back.flush()
    added_s = audio.duration_s(len(heard)) - audio.duration_s(len(PCM))
    assert -0.01 <= added_s <= 0.02 + 3 * 1_152 / rate_hz  # frames an encoder puts before and behind
    assert likeness(PCM, heard) > 0.95


@pytest.mark.parametrize("name", FORMATS)
def test_no_encoder_and_no_decoder_holds_half_a_second_however_long_it_goes_on(name: str) -> None:
    rate_hz = FORMATS[name].default_rate_hz
    encoder, decoder, heard, pieces = make_encoder(name), make_decoder(name), 0, 24_000 * 2 // 4_800
    for second in range(1, 11):
        for piece in range(pieces):
            heard += len(decoder.decode(encoder.encode(PCM[piece * 4_800 : (piece + 1) * 4_800])))
        assert second - audio.duration_s(heard, decoder.sample_rate_hz or rate_hz) < 0.5


def test_opus_in_ogg_is_as_long_as_what_went_in() -> None:
    for samples in (1, 959, 960, 961, 24_000, 31_337):
        pcm, rate_hz = decode_whole(encode_whole(PCM[: 2 * samples], "opus"), "opus")
        assert (len(pcm) // 2, rate_hz) == (2 * samples, 48_000)


@pytest.mark.parametrize("name", LOSSLESS)
def test_lossless_formats_give_back_the_same_samples(name: str) -> None:
    assert decode_whole(encode_whole(PCM, name), name) == (PCM, 24_000)


@pytest.mark.parametrize("name", CODED)
def test_coded_speech_comes_back_in_full_length_and_shape(name: str) -> None:
    pcm, rate_hz = decode_whole(encode_whole(PCM, name), name)
    assert rate_hz in (24_000, 48_000)
    source, heard = audio.pcm_to_float(PCM), audio.pcm_to_float(pcm)[:: rate_hz // 24_000]
    assert len(source) <= len(heard) <= len(source) + 2600
    lags = range(2600)
    fits = [float(np.corrcoef(source[:20_000], heard[lag : lag + 20_000])[0, 1]) for lag in lags]
    assert max(fits) > 0.9


@pytest.mark.parametrize("name", FORMATS)
@given(piece=st.integers(1, 3000))
@settings(max_examples=12, deadline=None)
def test_how_the_pcm_is_cut_does_not_change_the_audio(name: str, piece: int) -> None:
    cut, whole = _encode_in_pieces(name, PCM[:48_000], 2 * piece), encode_whole(PCM[:48_000], name)
    rate_hz = 8_000 if name == "ulaw" else None
    decoders = make_decoder(name, rate_hz), make_decoder(name, rate_hz)
    heard = [decoder.decode(data) + decoder.flush() for decoder, data in zip(decoders, (cut, whole), strict=True)]
    assert heard[0] == heard[1]


@pytest.mark.parametrize(("name", "limit_ms"), FIRST_BYTES_MS.items())
def test_audio_leaves_as_early_as_the_codec_permits(name: str, limit_ms: int) -> None:
    """Counts audio fed until bytes beyond the header come, in steps of 2 ms: no clock is involved."""
    encoder = make_encoder(name)
    fed_ms = 0
    awaited = 2 if name == "webm" else 1  # WebM's header comes alone
    while awaited:
        awaited -= bool(encoder.encode(PCM[fed_ms * 48 : (fed_ms + 2) * 48]))
        fed_ms += 2
    assert fed_ms <= limit_ms


@pytest.mark.parametrize("name", CONTAINED)
def test_all_that_has_come_can_be_heard_wherever_the_stream_breaks_off(name: str) -> None:
    encoder, data, longest = make_encoder(name), b"", 0.0
    for at in range(0, 48_000, 1_920):
        data += encoder.encode(PCM[at : at + 1_920])
        given_s = (at + 1_920) / 48_000
        if given_s < 0.2:
            continue
        pcm, rate_hz = decode_whole(data, name)
        length_s = audio.duration_s(len(pcm), rate_hz)
        assert max(longest, given_s - 0.35) <= length_s <= given_s + 0.1
        longest = length_s


@pytest.mark.parametrize("name", ["mp3", "aac", "mp4", "opus", "webm", "flac", "wav"])
def test_a_prefix_of_a_stream_can_be_heard(name: str) -> None:
    data = encode_whole(PCM, name)
    decoder = make_decoder(name)
    heard = decoder.decode(data[: len(data) // 2])
    assert audio.duration_s(len(heard), decoder.sample_rate_hz or 1) > 0.5
    rest = decoder.decode(data[len(data) // 2 :]) + decoder.flush()
    assert audio.duration_s(len(heard) + len(rest), decoder.sample_rate_hz or 1) >= 2.0


@pytest.mark.parametrize("name", ["mp3", "aac", "mp4", "opus", "webm", "flac", "wav"])
@given(cuts=st.lists(st.integers(1, 700), min_size=1, max_size=20))
@settings(max_examples=10, deadline=None)
def test_how_the_stream_is_cut_does_not_change_what_is_heard(name: str, cuts: list[int]) -> None:
    data = encode_whole(PCM[:24_000], name)
    decoder, heard, position = make_decoder(name), b"", 0
    while position < len(data):
        size = cuts[position % len(cuts)]
        heard += decoder.decode(data[position : position + size])
        position += size
    assert heard + decoder.flush() == decode_whole(data, name)[0]


@pytest.mark.parametrize("rate_hz", [8_000, 16_000, 22_050, 44_100, 48_000])
def test_resampled_pcm_keeps_its_length_and_its_tone(rate_hz: int) -> None:
    tone = audio.float_to_pcm(0.5 * np.sin(2 * np.pi * 440 * np.arange(24_000) / 24_000))
    encoder = make_encoder("pcm", rate_hz)
    out = b"".join(encoder.encode(tone[i : i + 480]) for i in range(0, len(tone), 480)) + encoder.flush()
    samples = audio.pcm_to_float(out)
    assert abs(len(samples) - rate_hz) <= rate_hz // 500
    spectrum = np.abs(np.fft.rfft(samples))
    assert np.argmax(spectrum) * rate_hz / len(samples) == pytest.approx(440, abs=2)


def test_ulaw_follows_the_table_of_g711() -> None:
    codes = linear_to_ulaw(np.array([0, -1, 8, 4, 33000 - 1000, -32768, 100, -100], dtype="<i2").tobytes())
    assert codes[0] == 0xFF
    assert codes[5] == 0x00
    every = bytes(range(256))
    again = linear_to_ulaw(ulaw_to_linear(every))
    assert {a for a, b in zip(every, again, strict=True) if a != b} <= {0x7F}  # minus zero is zero


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_in_is_no_sound_out(name: str) -> None:
    data = encode_whole(b"", name)
    decoder = make_decoder(name)
    try:
        assert decoder.decode(data) + decoder.flush() == b""
    except CodecError as error:
        assert error.code == "undecodable"


def test_half_a_sample_is_refused() -> None:
    with pytest.raises(CodecError) as caught:
        make_encoder("mp3").encode(b"abc")
    assert caught.value.code == "odd_pcm"


def test_a_flushed_encoder_takes_nothing_more_and_flushes_once() -> None:
    encoder = make_encoder("aac")
    encoder.encode(PCM[:9600])
    assert encoder.flush()
    assert encoder.flush() == b""
    with pytest.raises(CodecError):
        encoder.encode(PCM[:96])


@pytest.mark.parametrize(("name", "rate_hz"), [("ogg2", None), ("", None), ("opus", 44_100), ("pcm", 11_000)])
def test_what_does_not_exist_is_refused_with_what_does(name: str, rate_hz: int | None) -> None:
    with pytest.raises(CodecError) as caught:
        make_encoder(name, rate_hz)
    assert "mp3" in caught.value.message or "24000" in caught.value.message


@pytest.mark.parametrize("name", ["mp3", "aac", "mp4", "opus", "webm", "flac", "wav"])
def test_noise_is_not_taken_for_a_file(name: str) -> None:
    noise = np.random.default_rng(1).integers(0, 256, 5000, dtype=np.uint8).tobytes()
    with pytest.raises(CodecError):
        decode_whole(noise, name)


def test_a_whole_wav_carries_its_exact_sizes() -> None:
    wav = encode_whole(PCM, "wav")
    assert int.from_bytes(wav[40:44], "little") == len(PCM)
    assert int.from_bytes(wav[4:8], "little") == len(wav) - 8


def test_suffixes_name_formats() -> None:
    assert format_of_file(Path("answer.M4A")) is audio_format("mp4")
    with pytest.raises(CodecError):
        format_of_file(Path("answer.doc"))


def test_the_installed_library_has_every_encoder() -> None:
    check_library()


def test_what_the_library_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(CONTAINERS, "next", Container(codec="libnext", muxer="mp3"))
    monkeypatch.setitem(CONTAINERS, "boxed", Container(codec="aac", muxer="nextbox"))
    with pytest.raises(CodecError) as caught:
        check_library()
    assert caught.value.code == "codec_missing"
    assert "no encoder libnext, no container nextbox" in caught.value.message
