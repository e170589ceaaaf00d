"""The language model gives way: its process and its threads, and no other process."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from firstword.errors import ConfigError
from firstword.llm.priority import give_way

PROGRAM = """
import os, threading
from firstword.llm.priority import give_way
give_way(7)
tell = lambda: print(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
tell(); thread = threading.Thread(target=tell); thread.start(); thread.join()
try: print(open("/proc/self/autogroup").read().split()[-1])
except OSError: print(7)
"""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux only")
def test_a_process_that_leads_its_session_gives_way_with_all_its_threads_and_its_group() -> None:
    before = os.getpriority(os.PRIO_PROCESS, 0)
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM], start_new_session=True, capture_output=True, text=True, timeout=60, check=True
    )
    assert said.stdout.split() == [str(max(7, before))] * 2 + ["7"]
    assert os.getpriority(os.PRIO_PROCESS, 0) == before


@pytest.mark.parametrize("nice", [-1, 20])
def test_a_priority_that_does_not_exist_is_refused(nice: int) -> None:
    with pytest.raises(ConfigError, match="FIRSTWORD_LLM_NICE"):
        give_way(nice)
