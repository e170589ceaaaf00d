"""Which letters, and marks on letters, belong to the scripts of a language. Pure."""

__all__ = ["is_chinese", "is_hindi", "is_japanese", "is_latin"]


def is_latin(letter: str) -> bool:
    """A to Z with whatever accents have a code point of their own."""
    return ord(letter) <= 0x024F or 0x1E00 <= ord(letter) <= 0x1EFF


def is_hindi(letter: str) -> bool:
    """Letters and vowel signs of Devanagari, and Latin."""
    return is_latin(letter) or 0x0900 <= ord(letter) <= 0x097F


def is_japanese(letter: str) -> bool:
    """Kana of either width, characters, and Latin."""
    code = ord(letter)
    kana = 0x3031 <= code <= 0x3035 or 0x303B <= code <= 0x30FF or 0x31F0 <= code <= 0x31FF or 0xFF66 <= code <= 0xFF9F
    return is_chinese(letter) or kana or code in (0x3005, 0x3006)


def is_chinese(letter: str) -> bool:
    """Characters, and Latin."""
    code = ord(letter)
    common = 0x3400 <= code <= 0x4DBF or 0x4E00 <= code <= 0x9FFF or 0xF900 <= code <= 0xFAFF or code == 0x3007
    return is_latin(letter) or common or 0x20000 <= code <= 0x2FA1F
