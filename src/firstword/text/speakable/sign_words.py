"""What the signs of an address or a path are called, and code that is left out, per language. Data alone."""

from functools import lru_cache
from typing import Final

from firstword.text.wordlist import table

__all__ = ["code_announced", "signs_in"]

_ENGLISH: Final = {
    ".": "dot", "/": "slash", "\\": "backslash", "-": "dash", "_": "underscore", "?": "question mark", "=": "equals",
    "&": "and", "#": "hash", "~": "tilde", ":": "colon", "@": "at", "+": "plus", "%": "percent", ",": "comma",
    "!": "exclamation mark",
}  # fmt: skip
_OTHERS: Final = {
    language: table(rows)
    for language, rows in {
        "es": """
    .: punto
    /: barra
    -: guion
    _: guion bajo
    ?: interrogación
    =: igual
    &: y
    #: almohadilla
    :: dos puntos
    @: arroba
    +: más
    """,
        "fr": """
    .: point
    -: tiret
    _: tiret bas
    ?: point d'interrogation
    =: égal
    &: et
    #: dièse
    :: deux points
    @: arobase
    """,
        "de": """
    .: Punkt
    /: Schrägstrich
    -: Bindestrich
    _: Unterstrich
    ?: Fragezeichen
    =: gleich
    &: und
    #: Raute
    :: Doppelpunkt
    @: ät
    """,
        "it": """
    .: punto
    /: barra
    -: trattino
    _: trattino basso
    ?: punto interrogativo
    =: uguale
    &: e
    #: cancelletto
    :: due punti
    @: chiocciola
    +: più
    """,
        "pt": """
    .: ponto
    /: barra
    -: hífen
    _: sublinhado
    ?: interrogação
    =: igual
    &: e
    #: cerquilha
    :: dois pontos
    @: arroba
    +: mais
    """,
        "ja": """
    .: ドット
    /: スラッシュ
    -: ハイフン
    _: アンダースコア
    @: アット
    """,
        "ko": """
    .: 점
    /: 슬래시
    -: 하이픈
    _: 밑줄
    @: 골뱅이
    """,
        "zh": """
    .: 点
    /: 斜杠
    -: 横杠
    _: 下划线
    @: 艾特
    """,
        "hi": """
    .: डॉट
    /: स्लैश
    @: ऐट
    """,
    }.items()
}
_CODE: Final = table("""
    en: code example.
    es: ejemplo de código.
    fr: exemple de code.
    de: Codebeispiel.
    it: esempio di codice.
    pt: exemplo de código.
    ja: コード例。
    zh: 代码示例。
    ko: 코드 예시.
    hi: कोड उदाहरण।
""")


@lru_cache(maxsize=16)
def signs_in(language: str) -> dict[str, str]:
    """Sign -> its name in `language`; English names where it has none of its own or is not known."""
    return _ENGLISH | _OTHERS.get(language.partition("-")[0], {})


def code_announced(language: str) -> str:
    """What stands for a block of code."""
    return _CODE.get(language.partition("-")[0], _CODE["en"])
