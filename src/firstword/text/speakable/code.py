"""Code inside a sentence: spans, names of variables and files, paths, options of commands. Said plainly."""

import re
from typing import Final

from firstword.text.edits import Claims, Edit
from firstword.text.speakable.sign_words import signs_in
from firstword.text.wordlist import listed

__all__ = ["names", "spans"]

_ESCAPE: Final = re.compile(r"(?<!¯)\\(?=[*_~#$&%+.|>`\"'-])|\\$", re.MULTILINE)
_TICKS: Final = re.compile(r"`+")
_HUMPS: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_CAMEL: Final = re.compile(
    r"(?<![\w.@#/-])[a-z]{2,30}+(?:[A-Z][a-z0-9]{1,30}+|[A-Z]{2,10}(?=[A-Z][a-z]|(?!\w))){1,10}(?!\w)"
)
_METHOD: Final = re.compile(r"(?<=[a-z_0-9])(?<!\d)\.(?=[a-z_]\w{0,40}\((?!s\)))")
"""df.head()."""
_INDEX: Final = re.compile(r"[\[\]]")
_TAG: Final = re.compile(r"</?([a-zA-Z][\w-]{0,30})\s?/?>")
"""In code a bracket is neither a link nor a citation."""
_CALL: Final = re.compile(r"(?<=\w)\(\)")
_OPTION: Final = re.compile(r"(?<![^\s(\[{\"'`=+*/|,;:<>×])(--?)(?![a-z][/²³^*+])(?=[a-zA-Z][\w-]{0,60}+)")
_OPERATORS: Final = frozenset("=+*/<>(≤≥≠×÷")
_EXTENSIONS: Final = {
    **{
        word: word
        for word in listed("""
    go lock log env zip exe doc dot conf toml yaml yml bin bat app dat java swift
""")
    },
    **{
        letters: letters.upper()
        for letters in listed("""
    py js ts jsx tsx md txt csv tsv pdf png jpg jpeg gif svg html htm css scss xml sh rb rs cpp hpp cfg ini sql
    ipynb docx xlsx xls pptx ppt odt mp3 mp4 wav ogg flac avi mov tar gz bz2 db php kt cs vue tf json jsonl pyc dll
    iso deb rpm apk whl onnx wasm psd ttf woff webp webm mkv epub
""")
    },
}
_FILE: Final = re.compile(
    rf"(?<![\w@/\\.-])(?:\.?[\w-]{{1,60}}+)(?:\.[\w-]{{1,30}}+){{0,5}}?"
    rf"\.(?:{'|'.join([*_EXTENSIONS, *map(str.upper, _EXTENSIONS)])})(?![\w/@-]|\.\w)"
)
_PATH: Final = re.compile(
    r"(?<![\w@/.:~\\-])(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w.@+-]{1,60}+){2,20}/?(?![\w/])"
    r"|(?<![\w@/.:~\\-])(?:~|\.{1,2}|[A-Za-z]:(?=\\))(?:[/\\][\w.@+-]{1,60}+)/?(?![\w/])"
    r"|(?<![\w@€$£%°/.:~\\-])/[a-z][\w.-]{1,60}+/?(?![\w/])"
    r"|(?<![^\s\"'(`,])\.(?=[a-z])[a-z_-]{2,30}(?![\w/.(]\w)(?!\w)"
    r"|(?<![\w@/.:~\\-])[a-z_]\w{2,40}+\.[chr](?![\w/(-])"
    r"|(?<![\w@/.:~\\-])[A-Za-z_][\w.-]{0,60}+(?:/[\w.@+-]{1,60}+){0,20}/[\w-]{1,60}+\.[a-z]{1,5}\d?(?![\w/])"
)
_PARTS: Final = re.compile(r"[/\\._~:@+-]|[^/\\._~:@+-]+")


def spans(text: str) -> list[Edit]:
    """Escapes go, and backticks, in pairs of equal length or alone; inside one capitals and brackets divide words."""
    waiting: dict[int, re.Match[str]] = {}
    edits: list[Edit] = []
    inside: list[tuple[int, int]] = []
    for match in _TICKS.finditer(text):
        edits.append(Edit(*match.span(), ""))
        length = len(match[0])
        opened = waiting.pop(length, None)
        if opened is None:
            waiting[length] = match
        else:
            inside.append((opened.end(), match.start()))
            waiting.clear()
    for start, end in inside:
        code = text[start:end]
        edits += [Edit(start + hump.start(), start + hump.start(), " ") for hump in _HUMPS.finditer(code)]
        edits += [Edit(start + mark.start(), start + mark.end(), " ") for mark in _INDEX.finditer(code)]
        for tag in _TAG.finditer(code):
            edits += [
                Edit(start + tag.start(), start + tag.start(1), " "),
                Edit(start + tag.end(1), start + tag.end(), " "),
            ]
    if "\\" in text:
        edits += [Edit(*match.span(), "") for match in _ESCAPE.finditer(text)]
    return sorted(edits)


def names(claims: Claims, language: str) -> None:
    """File names, paths, variables and options outside links."""
    signs = signs_in(language)
    claims.rule(_PATH, lambda match: _path(match, signs))
    claims.rule(_FILE, lambda match: _path(match, signs))
    claims.rule(_METHOD, f" {signs['.']} ")
    claims.rule(_CAMEL, _divided)
    claims.rule(_CALL, "")
    claims.rule(_OPTION, _option)


def _option(match: re.Match[str]) -> str:
    """--verbose, -v; after a sign of mathematics -x is a negative."""
    text, end = match.string, match.end()
    if not text[end + 1 : end + 2].isalnum() and text[: match.start()].rstrip()[-1:] in _OPERATORS:
        return "minus "
    return "dash " * len(match[1])


def _path(match: re.Match[str], signs: dict[str, str]) -> list[Edit]:
    path = match[0].rstrip(".")
    return [Edit(match.start(), match.start() + len(path), path_words(path, signs))]


def path_words(path: str, signs: dict[str, str]) -> str:
    """A path or file name as said: "src/app.py" -> "src slash app dot PY"."""
    head, dot, extension = path.rpartition(".")
    known = _EXTENSIONS.get(extension.lower()) if dot else None
    words = signs | {"_": ""}
    parts = _PARTS.findall(head if known else path.rstrip("/\\"))
    said = "".join(f" {words[part]} " if part in words else part for part in parts)
    return " ".join((said + (f" {signs['.']} {known}" if known else "")).split())


def _divided(match: re.Match[str]) -> list[Edit]:
    start = match.start()
    return [Edit(start + hump.start(), start + hump.start(), " ") for hump in _HUMPS.finditer(match[0])]
