"""Katakana as it is pronounced -> the phonemes Kokoro v1.0 was trained on for Japanese. Pure.

The symbols are those of misaki's Cutlet: palatal consonants marked, u after a sibilant or a palatal one is ɨ, a moraic
n takes the place of what follows, a doubled consonant is a stop before it. Pitch is not written.
"""

import re
from typing import Final

__all__ = ["say_kana"]

_TABLE: Final = """
ア a  イ i  ウ ɯ  エ e  オ o  ァ a  ィ i  ゥ ɯ  ェ e  ォ o  ヰ i  ヱ e  ヲ o
カ ka  キ kʲi  ク kɯ  ケ ke  コ ko  ガ ɡa  ギ ɡʲi  グ ɡɯ  ゲ ɡe  ゴ ɡo  ヵ ka  ヶ ke
サ sa  シ ɕi  ス sɨ  セ se  ソ so  ザ ʣa  ジ ʥi  ズ zɨ  ゼ ʣe  ゾ ʣo
タ ta  チ ʨi  ツ ʦɨ  テ te  ト to  ダ da  ヂ ʥi  ヅ zɨ  デ de  ド do
ナ na  ニ ɲi  ヌ nɯ  ネ ne  ノ no  ハ ha  ヒ çi  フ ɸɯ  ヘ he  ホ ho
バ ba  ビ bʲi  ブ bɯ  ベ be  ボ bo  パ pa  ピ pʲi  プ pɯ  ペ pe  ポ po
マ ma  ミ mʲi  ム mɯ  メ me  モ mo  ヤ ja  ユ jɯ  ヨ jo  ャ ja  ュ jɯ  ョ jo
ラ ɾa  リ ɾʲi  ル ɾɯ  レ ɾe  ロ ɾo  ワ βa  ヮ βa  ヴ vɯ  ヷ va  ヸ vʲi  ヹ ve  ヺ vo
イェ je  ウィ βi  ウェ βe  ウォ βo  キェ kʲe  キャ kʲa  キュ kʲɨ  キョ kʲo  ギャ ɡʲa  ギュ ɡʲɨ  ギョ ɡʲo
クァ kᵝa  クィ kᵝi  クェ kᵝe  クォ kᵝo  グァ ɡᵝa  グィ ɡᵝi  グェ ɡᵝe  グォ ɡᵝo
シェ ɕe  シャ ɕa  シュ ɕɨ  ショ ɕo  ジェ ʥe  ジャ ʥa  ジュ ʥɨ  ジョ ʥo  チェ ʨe  チャ ʨa  チュ ʨɨ  チョ ʨo
ヂャ ʥa  ヂュ ʥɨ  ヂョ ʥo  ツァ ʦa  ツィ ʦʲi  ツェ ʦe  ツォ ʦo  ティ tʲi  テュ tʲɨ  ディ dʲi  デュ dʲɨ
トゥ tɯ  ドゥ dɯ  ニェ ɲe  ニャ ɲa  ニュ ɲɨ  ニョ ɲo  ヒェ çe  ヒャ ça  ヒュ çɨ  ヒョ ço
ビャ bʲa  ビュ bʲɨ  ビョ bʲo  ピャ pʲa  ピュ pʲɨ  ピョ pʲo  ファ ɸa  フィ ɸʲi  フェ ɸe  フォ ɸo  フュ ɸʲɨ  フョ ɸʲo
ミャ mʲa  ミュ mʲɨ  ミョ mʲo  リャ ɾʲa  リュ ɾʲɨ  リョ ɾʲo
ヴァ va  ヴィ vʲi  ヴェ ve  ヴォ vo  ヴュ bʲɨ  ヴョ bʲo
"""
_MORAE: Final[dict[str, str]] = dict(re.findall(r"(\S+) (\S+)", _TABLE))
_SMALL: Final = frozenset("ァィゥェォャュョ")
_LONG: Final = "ː"
_STOP: Final = "ʔ"
# What a moraic n sounds like before a mora that begins so; ɴ before anything else and at the end.
_NASALS: Final = {"m": "m", "p": "m", "b": "m", "k": "ŋ", "ɡ": "ŋ", "ɲ": "ɲ", "ʨ": "ɲ", "ʥ": "ɲ"} | dict.fromkeys(
    "ntdɾz", "n"
)


def say_kana(kana: str) -> str:
    """Phonemes of a pronunciation in katakana; what is no katakana is left out."""
    phonemes: list[str] = []
    at = 0
    while at < len(kana):
        size = 2 if kana[at + 1 : at + 2] and kana[at + 1] in _SMALL and kana[at] in _MORAE else 1
        phonemes.append(_mora(kana[at : at + size], kana[at + size : at + size + 2]))
        at += size
    return "".join(phonemes)


def _mora(kana: str, following: str) -> str:
    match kana:
        case "ー":
            return _LONG
        case "ッ":
            return _STOP
        case "ン":
            after = _MORAE.get(following) or _MORAE.get(following[:1]) or " "
            return _NASALS.get(after[0], "ɴ")
    if kana in _MORAE:
        return _MORAE[kana]
    return _MORAE[kana[0]][:-1] + _MORAE[kana[1]] if len(kana) == 2 else ""
