"""Cases for `firstword bench chunker` from the test suites of other splitters, for a look at texts that are not ours.

    uv run python scripts/public_suites.py OUT --pysbd CHECKOUT --pragmatic CHECKOUT --sentencex CHECKOUT
    uv run firstword bench chunker --cases OUT

Each CHECKOUT is a folder with that project's repository, fetched by you; nothing of it is kept here. Texts whose
sentences are not slices of them (cleaned or rewritten ones) are left out. Their conventions differ from ours in places.
"""

import argparse
import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

_OURS = {"en", "es", "fr", "de", "it", "pt", "hi", "ja", "zh", "ko", "ar"}
_PYSBD = {
    "english": "en", "english_clean": "en", "issues": "en", "arabic": "ar", "chinese": "zh", "deutsch": "de",
    "french": "fr", "hindi": "hi", "italian": "it", "japanese": "ja", "spanish": "es",
}  # fmt: skip
_RUBY_STRING = r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\''
_RUBY_CASE = re.compile(
    rf"Segmenter\.new\(text:\s*({_RUBY_STRING})(.*?)\)\s*\n\s*expect\(ps\.segment\)\.to eq\(\[(.*?)\]\)\s*\n", re.DOTALL
)
_RUBY_ESCAPE = re.compile(r"\\(?:u\{?([0-9A-Fa-f]{4})\}?|(.))", re.DOTALL)

type Found = tuple[str, str, list[str]]  # language, text, sentences


def _pysbd(checkout: Path) -> Iterator[Found]:
    for file in [*sorted((checkout / "tests/lang").glob("test_*.py")), checkout / "tests/regression/test_issues.py"]:
        language = _PYSBD.get(file.stem.removeprefix("test_"), "xx")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            pair = node.elts if isinstance(node, ast.Tuple) else node.args if isinstance(node, ast.Call) else []
            if len(pair) != 2 or not isinstance(pair[1], ast.List):
                continue
            try:
                text, sentences = ast.literal_eval(pair[0]), ast.literal_eval(pair[1])
            except ValueError:
                continue
            if isinstance(text, str) and sentences and all(isinstance(sentence, str) for sentence in sentences):
                yield language, text, sentences


def _pragmatic(checkout: Path) -> Iterator[Found]:
    for file in sorted((checkout / "spec").rglob("*_spec.rb")):
        for text, options, sentences in _RUBY_CASE.findall(file.read_text(encoding="utf-8")):
            if "doc_type" not in options:
                code = re.search(r"language:\s*[\"'](\w+)", options)
                said = [_ruby(part) for part in re.findall(_RUBY_STRING, sentences, re.DOTALL)]
                yield code.group(1) if code else "en", _ruby(text), said


def _ruby(literal: str) -> str:
    if literal.startswith("'"):
        return literal[1:-1].replace("\\'", "'").replace("\\\\", "\\")
    controls = {"n": "\n", "r": "\r", "t": "\t"}
    return _RUBY_ESCAPE.sub(
        lambda match: chr(int(match.group(1), 16)) if match.group(1) else controls.get(match.group(2), match.group(2)),
        literal[1:-1],
    )


def _sentencex(checkout: Path) -> Iterator[Found]:
    for file in sorted((checkout / "tests").glob("*.txt")):
        lines = [line for line in file.read_text(encoding="utf-8").split("\n") if not line.startswith("#")]
        for block in re.split(r"^===\s*$", "\n".join(lines), flags=re.MULTILINE):
            text, divided, sentences = block.partition("\n---\n")
            if divided:
                yield "en" if file.stem == "lists" else file.stem, text.strip("\n"), sentences.split("\n")


def _bare(text: str) -> str:
    return "".join(text.split())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    suites = {"pysbd": _pysbd, "pragmatic": _pragmatic, "sentencex": _sentencex}
    for name in suites:
        parser.add_argument(f"--{name}", type=Path)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, read in suites.items():
        checkout = getattr(arguments, name)
        if checkout is None:
            continue
        rows: dict[str, str] = {}
        for code, text, sentences in read(checkout):
            wanted = [sentence.strip() for sentence in sentences if sentence.strip()]
            if not wanted or _bare(text) != _bare("".join(wanted)):
                continue
            language = code if code in _OURS else "xx"
            row = {"id": f"{name}-{len(rows)}", "lang": language, "category": name, "text": text, "sentences": wanted}
            rows.setdefault(text, json.dumps(row | {"optional": []}, ensure_ascii=False))
        (arguments.out / f"{name}.jsonl").write_text("".join(f"{row}\n" for row in rows.values()), encoding="utf-8")
        print(f"{name}: {len(rows)} texts")


if __name__ == "__main__":
    main()
