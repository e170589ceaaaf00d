"""Kokoro with its real weights in every language but English: audio of a plausible length and loudness, words in it."""

import numpy as np
import pytest

from firstword.audio import SAMPLE_RATE_HZ, pcm_to_float
from firstword.config import AssetSettings, VoiceSettings
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import CancelToken, VoiceOptions

pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def voice() -> KokoroVoice:
    return KokoroVoice(VoiceSettings(), AssetSettings.load())


@pytest.mark.parametrize(
    ("name", "text", "syllables"),
    [
        ("ef_dora", "Hasta mañana, amigo.", 8),
        ("ff_siwis", "À demain, mes amis.", 6),
        ("hf_alpha", "नमस्ते, आप कैसे हैं?", 7),
        ("if_sara", "A domani, amici.", 7),
        ("jf_alpha", "また明日、友達。", 9),
        ("pf_dora", "Até amanhã, amigo.", 8),
        ("zm_yunxi", "明天见，朋友们。", 6),
    ],
)
def test_each_language_is_heard_from_a_voice_of_its_own(
    voice: KokoroVoice, name: str, text: str, syllables: int
) -> None:
    (piece,) = voice.plan(text, VoiceOptions(voice=name))
    decoding = voice.begin(piece, CancelToken())
    samples = pcm_to_float(b"".join(iter(decoding.step, None)))
    seconds = len(samples) / SAMPLE_RATE_HZ
    assert 0.1 < seconds / syllables < 0.45
    assert -35 < 20 * np.log10(np.sqrt(np.mean(samples**2))) < -6
    assert "".join(word.text for word in decoding.words) == "".join(
        symbol for symbol in text if symbol not in " ,.?。、，"
    )
    starts = [word.start_s for word in decoding.words]
    assert starts == sorted(starts)
    assert decoding.words[-1].end_s <= seconds + 0.05
