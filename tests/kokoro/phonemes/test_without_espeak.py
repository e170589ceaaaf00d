"""An installation without espeak-ng, as an image built with ESPEAK=no is: English is said, its new words spelled."""

import json
import subprocess
import sys

_PROGRAM = """
import json, sys
for module in ("phonemizer", "espeakng_loader"):
    sys.modules[module] = None
from firstword.errors import RequestRefused
from firstword.kokoro.phonemes import Pronouncer
pronouncer, said = Pronouncer(), {}
for language, text in (("en-us", "A xylofonk."), ("ja", "firstwordの声"), ("zh", "firstword很好"), ("es", "Hola.")):
    try:
        said[language] = pronouncer.pronounce(text, language).phonemes
    except RequestRefused as error:
        said[language] = f"{error.code}: {error.hint}"
print(json.dumps(said))
"""


def test_without_espeak_new_words_are_spelled_and_languages_that_need_it_are_refused() -> None:
    ran = subprocess.run([sys.executable, "-c", _PROGRAM], capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    said = json.loads(ran.stdout.splitlines()[-1])
    assert said["en-us"] == "ɐ ˌɛkswˌIˌɛlˌOˌɛfˌOˌɛnkˈA."
    assert said["ja"].endswith(" no koe")
    assert said["ja"].startswith("eɸ")
    assert said["zh"] == "xə↓n xau↓"
    assert said["es"] == "bad_language: pip install 'firstword[voice]'"
