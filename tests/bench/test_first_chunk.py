"""When the first audio counts from: the last token of what was spoken first, not the end of the text."""

from firstword.bench.first_chunk import after_chunk_ms
from firstword.bench.recording import Chunk, Recording, SpokenSentence


def _recording(*, first: str, audio_ms: float) -> Recording:
    recording = Recording(mode="bidi")
    recording.text_marks = [(0.0, "Well, "), (33.0, "let me "), (66.0, "see, "), (99.0, "said she.")]
    recording.sentences = [SpokenSentence(t_ms=audio_ms, text=first, sent_ms=None)]
    recording.chunks = [Chunk(t_ms=audio_ms, pcm=b"\0\0", sentence=0)]
    return recording


def test_the_first_audio_counts_from_the_token_that_ends_the_first_chunk() -> None:
    assert after_chunk_ms(_recording(first="Well, let me see,", audio_ms=300.0)) == 300.0 - 66.0
    assert after_chunk_ms(_recording(first="Well, let me see, said she.", audio_ms=300.0)) == 300.0 - 99.0


def test_without_audio_there_is_nothing_to_count() -> None:
    recording = _recording(first="Well,", audio_ms=300.0)
    recording.chunks = []
    assert after_chunk_ms(recording) is None
