"""A clause or a sentence as the first thing spoken: first audio, underruns and sound of both policies in one run.

25 openers, streamed by a scripted model through the real agent, client, server and voice. First audio counts from the
arrival of the last token of the first chunk: what came before it is the model's time. The sound is judged afterwards.
Above it: `cli`.
"""

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Final

import msgspec

from firstword import audio
from firstword.bench import corpus
from firstword.bench.agent import NO_PACING
from firstword.bench.demo import ask
from firstword.bench.hearing import opinion, transcribe, word_errors, words
from firstword.bench.joins import find_faults
from firstword.bench.playback import listen
from firstword.bench.recording import Recording
from firstword.bench.statistics import Summary, summarize
from firstword.llm.scripted.script import Reply, Say, Script
from firstword.stack.launcher import Agent, ScriptedLlm, Speech, Stack

__all__ = ["POLICIES", "FirstChunk", "after_chunk_ms", "run"]

POLICIES: Final = ("clause", "sentence")


@dataclass(frozen=True, kw_only=True)
class FirstChunk:
    """Figures of one policy over all openers. Milliseconds.

    `after_chunk_ms`: from the first chunk's last token to the first audio. `first_audio_ms`: from `agent_start`.
    `audio_s` and `faults` (clicks, gaps, repeats at joins): means an opener; `underrun_ms` and `underruns`: in all.
    """

    policy: str
    after_chunk_ms: Summary
    first_audio_ms: Summary
    chunk_words: float
    underrun_ms: float
    underruns: int
    dnsmos: float
    dnsmos_p808: float
    word_error_rate: float
    faults: float
    audio_s: float


async def run(tokens_per_s: int, progress: Callable[[str], None]) -> list[FirstChunk]:
    """Ask for each opener under both policies, in turn."""
    recordings = await _record(corpus.openers(), tokens_per_s, progress)
    progress("judging the sound")
    return [_figures(policy, recordings[policy]) for policy in POLICIES]


async def _record(
    texts: Sequence[str], tokens_per_s: int, progress: Callable[[str], None]
) -> dict[str, list[Recording]]:
    agents = {policy: Agent(title=policy, environ={"FIRSTWORD_AGENT_FIRST_CHUNK": policy}) for policy in POLICIES}
    replies = tuple(Reply(turns=((Say(text=text),),), when=_question(number)) for number, text in enumerate(texts))
    recordings: dict[str, list[Recording]] = {policy: [] for policy in POLICIES}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "script.json"
        script.write_bytes(msgspec.json.encode(Script(replies=replies, tokens_per_s=float(tokens_per_s))))
        async with Stack(Speech(environ=NO_PACING), ScriptedLlm(script=script), *agents.values()) as stack:
            for policy in POLICIES:
                await ask(stack.ready(policy).url, _question(0), "bidi", lambda *_: None)
            for number in range(len(texts)):
                for policy in POLICIES if number % 2 else POLICIES[::-1]:
                    progress(f"opener {number + 1}, {policy}")
                    recordings[policy].append(
                        await ask(stack.ready(policy).url, _question(number), "bidi", lambda *_: None)
                    )
    return recordings


def _question(number: int) -> str:
    return f"Please begin answer {number:02}."


def after_chunk_ms(recording: Recording) -> float | None:
    """From the arrival of the last token of what was spoken first to its first audio; None without either."""
    if not recording.sentences or not recording.chunks:
        return None
    end = recording.text.find(recording.sentences[0].text) + len(recording.sentences[0].text)
    came = 0
    for t_ms, text in recording.text_marks:
        came += len(text)
        if came >= end:
            return recording.chunks[0].t_ms - t_ms
    return None


def _figures(policy: str, recordings: Sequence[Recording]) -> FirstChunk:
    after = [value for recording in recordings if (value := after_chunk_ms(recording)) is not None]
    stalls = [stall for each in recordings for stall in listen(each.arrivals(), each.sample_rate_hz).stalls]
    sound = [opinion(recording.pcm, recording.sample_rate_hz) for recording in recordings]
    errors = sum(word_errors(each.text, transcribe(each.pcm, each.sample_rate_hz)) for each in recordings)
    return FirstChunk(
        policy=policy,
        after_chunk_ms=summarize([round(value, 1) for value in after]),
        first_audio_ms=summarize([round(recording.chunks[0].t_ms, 1) for recording in recordings]),
        chunk_words=round(fmean(len(recording.sentences[0].text.split()) for recording in recordings), 2),
        underrun_ms=round(sum(stall.length_ms for stall in stalls), 1),
        underruns=len(stalls),
        dnsmos=round(fmean(each.overall for each in sound), 3),
        dnsmos_p808=round(fmean(each.p808 for each in sound), 3),
        word_error_rate=round(errors / sum(len(words(recording.text)) for recording in recordings), 4),
        faults=round(fmean(len(find_faults(each.pcm, _joins_s(each), each.sample_rate_hz)) for each in recordings), 3),
        audio_s=round(fmean(audio.duration_s(len(each.pcm), each.sample_rate_hz) for each in recordings), 3),
    )


def _joins_s(recording: Recording) -> list[float]:
    """Where the audio of one chunk ends and the next one's begins."""
    joins, passed = [], 0
    for before, after in pairwise(recording.chunks):
        passed += len(before.pcm)
        if after.sentence != before.sentence:
            joins.append(audio.duration_s(passed, recording.sample_rate_hz))
    return joins
