"""Between two requests a listener hears the pause that the voice makes inside one."""

import pytest

from firstword.audio import silence
from firstword.client.pauses import pause_after
from firstword.kokoro.planning import pause_s


@pytest.mark.parametrize("ending", [".", "!", "?", "…", ",", ";", ":", "—", '."', ".)", "", " "])
def test_the_pause_is_the_one_of_the_voice(ending: str) -> None:
    assert pause_after(f"word{ending}") == silence(pause_s(f"wɜːd{ending}"))


def test_a_faster_voice_pauses_shorter() -> None:
    assert len(pause_after("word.", speed=2.0)) == len(pause_after("word.")) // 2


def test_a_cjk_sentence_ends_like_any_other() -> None:
    assert pause_after("好的。") == pause_after("word.")
