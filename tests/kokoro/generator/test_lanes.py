"""A window in two lanes: the subgraphs are the whole graph, every number is the same, and nothing runs on by itself."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import onnx
import pytest
from numpy.typing import NDArray

from fakes.running import CancelsInside, Diary, Watched, one_window
from firstword.config import AssetSettings, VoiceSettings
from firstword.errors import EngineFailed
from firstword.kokoro.assets import open_store
from firstword.kokoro.assets.manifest import MODEL
from firstword.kokoro.backends import open_backend
from firstword.kokoro.generator.fit.collect import Prepared, prepare
from firstword.kokoro.generator.fit.corpus import Utterance, to_judge
from firstword.kokoro.generator.lanes import LANED, LanedWindow
from firstword.kokoro.generator.names import CROP, EARLY, HIDDEN, LATE, SAMPLES, SCALE, SHIFT
from firstword.kokoro.generator.past import PAST, following
from firstword.kokoro.generator.weights import Weights
from firstword.kokoro.generator.window_graph import write_laned_window, write_window_graph
from firstword.kokoro.inference import Inference
from firstword.kokoro.synthesis import KokoroVoice
from firstword.kokoro.synthesizer import Cancelled, CancelToken, VoiceOptions

_GIVEN = {HIDDEN, EARLY, LATE, SCALE, SHIFT, CROP, *PAST}


def test_the_subgraphs_hear_all_that_a_window_is_given_and_say_all_that_it_says() -> None:
    heard = {name for subgraph in LANED for name in subgraph.hears}
    said = [name for subgraph in LANED for name in subgraph.says]
    assert len(set(said)) == len(said)
    assert heard - set(said) == _GIVEN
    assert {SAMPLES, *map(following, PAST)} <= set(said)
    assert set(said) - heard == {SAMPLES, *map(following, PAST)}


class Fake:
    """A graph that says a number, once what it hears is there; may wait for something, and may fail."""

    def __init__(self, name: str, log: list[str]) -> None:
        self.name, self.log = name, log
        self.begins: threading.Event | None = None
        self.waits: threading.Event | None = None
        self.error: Exception | None = None

    def run(
        self, outputs: Sequence[str], feeds: Mapping[str, NDArray[Any]], cancel: CancelToken
    ) -> list[NDArray[np.float32]]:
        if self.begins is not None:
            self.begins.set()
        if self.waits is not None:
            assert self.waits.wait(10)
        self.log.append(self.name)
        if self.error is not None:
            raise self.error
        return [np.zeros(1, np.float32) for _ in outputs]


@pytest.fixture
def fakes() -> dict[str, Fake]:
    log: list[str] = []
    return {subgraph.name: Fake(subgraph.name, log) for subgraph in LANED}


def run(fakes: dict[str, Fake]) -> list[str]:
    given = {name: np.zeros(1, np.float32) for name in _GIVEN}
    outputs = (SAMPLES, *map(following, PAST))
    assert len(LanedWindow(fakes).run(outputs, given, CancelToken())) == len(outputs)
    return fakes["end"].log


def test_every_subgraph_is_run_once_and_after_what_it_hears_was_said(fakes: dict[str, Fake]) -> None:
    subgraphs = {subgraph.name: subgraph for subgraph in LANED}
    known = set(_GIVEN)
    order = run(fakes)
    assert sorted(order) == sorted(subgraphs)
    for name in order:
        assert set(subgraphs[name].hears) <= known
        known |= set(subgraphs[name].says)


@pytest.mark.parametrize(("slow", "beside"), [("noise", "entry"), ("second-beside", "second-lane")])
def test_two_subgraphs_are_run_at_once(fakes: dict[str, Fake], slow: str, beside: str) -> None:
    began = threading.Event()
    fakes[slow].waits = began
    fakes[beside].begins = began
    assert {slow, beside} <= set(run(fakes))


@pytest.mark.parametrize("failing", [subgraph.name for subgraph in LANED])
def test_what_a_subgraph_raises_is_raised_once_nothing_is_running_any_more(
    fakes: dict[str, Fake], failing: str
) -> None:
    fakes[failing].error = EngineFailed("Inference failed.")
    threads = threading.active_count()
    with pytest.raises(EngineFailed):
        run(fakes)
    log = fakes[failing].log
    assert failing in log
    assert "end" not in log or failing == "end"
    assert threading.active_count() <= threads + 1  # the lane itself, at rest
    before = list(log)
    threading.Event().wait(0.05)
    assert log == before


@pytest.mark.parametrize(("threads", "laned"), [(1, False), (2, True), (4, True)])
def test_there_are_two_lanes_where_there_are_two_threads(threads: int, laned: bool) -> None:
    assert (open_backend("onnxruntime", threads).lane is not None) is laned


@pytest.fixture(scope="module")
def voice() -> KokoroVoice:
    return KokoroVoice(VoiceSettings(decode="streamed", backend="onnxruntime", threads=2), AssetSettings.load())


@pytest.fixture(scope="module")
def spoken(voice: KokoroVoice) -> Prepared:
    return prepare(voice, next(to_judge(1)))


@pytest.mark.model
def test_what_is_heard_is_the_same_as_from_one_graph(
    spoken: Prepared, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = tmp_path_factory.mktemp("window")
    write_window_graph(Weights(open_store(AssetSettings.load()).ensure() / MODEL), home / "window.onnx")
    of, cancel = spoken, CancelToken()
    one = of.generator.by(Inference(home / "window.onnx", threads=1))
    assert isinstance(of.generator._window, LanedWindow)
    wanted, got = (list(each.stretches(of.source, of.style, of.kept, cancel)) for each in (one, of.generator))
    assert [len(part) for part in wanted] == [len(part) for part in got]
    noise = np.sum((np.concatenate(wanted) - np.concatenate(got)) ** 2)
    assert noise <= 1e-12 * np.sum(np.concatenate(wanted) ** 2)  # none at all where this was written


@pytest.mark.model
def test_the_graph_of_a_subgraph_is_no_more_than_it_needs(tmp_path_factory: pytest.TempPathFactory) -> None:
    home = tmp_path_factory.mktemp("subgraphs")
    write_laned_window(Weights(open_store(AssetSettings.load()).ensure() / MODEL), home)
    for subgraph in LANED:
        graph = onnx.load(str(home / f"{subgraph.name}.onnx")).graph
        used = {name for node in graph.node for name in node.input}
        assert [value.name for value in graph.input] == list(subgraph.hears)
        assert set(subgraph.hears) <= used
        assert {value.name for value in graph.initializer} <= used


@pytest.mark.model
@pytest.mark.parametrize(
    ("nth", "before", "running"),
    [
        (2, set(), {"noise", "entry"}),
        (7, {"noise", "entry", "first-lane", "first-beside", "between"}, {"second-lane", "second-beside"}),
    ],
)
def test_a_cancel_ends_what_runs_in_both_lanes_and_the_next_window_is_whole(
    voice: KokoroVoice,
    spoken: Prepared,
    monkeypatch: pytest.MonkeyPatch,
    nth: int,
    before: set[str],
    running: set[str],
) -> None:
    diary = Diary()
    window = spoken.generator._window
    assert isinstance(window, LanedWindow)
    generator = spoken.generator.by(
        LanedWindow({name: Watched(name, graph, diary) for name, graph in window._graphs.items()})
    )
    wanted = _speak(replace(spoken, generator=generator), CancelToken())
    diary.ended.clear()
    text = "A long train of barges went down the river in the rain, and nobody on the bridge looked up to see it."
    long = prepare(voice, Utterance(text=text, options=VoiceOptions()))
    with monkeypatch.context() as patched:
        patched.setattr("firstword.kokoro.generator.windowed.windows", one_window)
        with pytest.raises(Cancelled):
            _speak(replace(long, generator=generator), CancelsInside(nth))
    assert {name for name, end in diary.ended if end == "whole"} == before
    assert {name for name, end in diary.ended if end == "cut"} == running
    assert len(diary.ended) == len(before) + len(running)
    assert np.array_equal(_speak(replace(spoken, generator=generator), CancelToken()), wanted)


def _speak(of: Prepared, cancel: CancelToken) -> NDArray[np.float32]:
    return np.concatenate(list(of.generator.stretches(of.source, of.style, of.kept, cancel)))
