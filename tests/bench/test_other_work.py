"""What others took of the processor: counted by Linux, less what was our own."""

import time
from pathlib import Path

import pytest

from firstword.bench.other_work import OtherWork


def _write(path: Path, *ticks: int) -> Path:
    path.write_text(f"cpu  {' '.join(map(str, ticks))} 5 5\ncpu0 1 2 3\n")
    return path


@pytest.fixture
def idle_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "process_time", lambda: 1.0)


@pytest.mark.usefixtures("idle_itself")
def test_what_is_neither_idle_nor_a_wait_for_a_disk_was_others(tmp_path: Path) -> None:
    stat = _write(tmp_path / "stat", 100, 0, 50, 1000, 10, 0, 0, 0)
    others = OtherWork(stat)
    _write(stat, 130, 10, 60, 1130, 20, 2, 3, 5)
    assert others.share() == pytest.approx(60 / 200)


def test_what_this_process_used_was_not_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    used = iter((3.0, 3.5))
    monkeypatch.setattr(time, "process_time", lambda: next(used))
    stat = _write(tmp_path / "stat", 0, 0, 0, 0, 0, 0, 0, 0)
    others = OtherWork(stat)
    _write(stat, 80, 0, 0, 120, 0, 0, 0, 0)
    assert others.share() == pytest.approx(0.15)


@pytest.mark.parametrize("text", ["", "cpu", "cpu one two three four five", "intr 1 2"])
def test_where_linux_does_not_tell_nothing_is_known(tmp_path: Path, text: str) -> None:
    (tmp_path / "stat").write_text(text)
    assert OtherWork(tmp_path / "stat").share() is None
    assert OtherWork(tmp_path / "nowhere").share() is None


@pytest.mark.usefixtures("idle_itself")
def test_no_time_at_all_tells_nothing(tmp_path: Path) -> None:
    assert OtherWork(_write(tmp_path / "stat", 1, 0, 0, 1, 0, 0, 0, 0)).share() is None


def test_of_this_machine_it_is_a_part() -> None:
    others = OtherWork()
    end_s = time.perf_counter() + 0.3
    while time.perf_counter() < end_s:
        pass
    share = others.share()
    assert share is None or 0.0 <= share <= 1.0
