"""The words beside a number in Hindi, Japanese, Chinese and Korean. Data alone."""

from typing import Final

from firstword.text.normalize.vocabulary import Vocabulary
from firstword.text.wordlist import table

__all__ = ["ASIAN"]

ASIAN: Final = {
    "hi": Vocabulary(
        units=table("""
    km: किलोमीटर/किलोमीटर
    m: मीटर/मीटर
    cm: सेंटीमीटर/सेंटीमीटर
    mm: मिलीमीटर/मिलीमीटर
    kg: किलोग्राम/किलोग्राम
    g: ग्राम/ग्राम
    l L: लीटर/लीटर
    ml: मिलीलीटर/मिलीलीटर
    GB: गीगाबाइट/गीगाबाइट
    MB: मेगाबाइट/मेगाबाइट
    """),
        per="प्रति",
        square="{n} वर्ग {u}",
        degrees="डिग्री",
        signs=table("""
    +: प्लस
    -: माइनस
    ×: गुणा
    ÷: भाग
    =: बराबर
    """),
        fractions=table("""
    1/2 ½: आधा
    1/4 ¼: चौथाई
    3/4 ¾: तीन चौथाई
    """),
        to="से",
        shorts=table("""
    डॉ.: डॉक्टर
    """),
        scales={"C": "सेल्सियस", "F": "फ़ारेनहाइट"},
    ),
    "ja": Vocabulary(
        units=table("""
    km: キロメートル/キロメートル
    m: メートル/メートル
    cm: センチメートル/センチメートル
    mm: ミリメートル/ミリメートル
    kg: キログラム/キログラム
    g: グラム/グラム
    mg: ミリグラム/ミリグラム
    l L: リットル/リットル
    ml: ミリリットル/ミリリットル
    GB: ギガバイト/ギガバイト
    MB: メガバイト/メガバイト
    W: ワット/ワット
    V: ボルト/ボルト
    """),
        per="毎",
        square="{n}平方{u}",
        degrees="度",
        signs=table("""
    +: プラス
    -: マイナス
    ×: かける
    ÷: わる
    =: イコール
    """),
        fractions=table("""
    ½: 二分の一
    ¼: 四分の一
    ¾: 四分の三
    """),
        to="から",
        shorts={},
        scales={},
    ),
    "zh": Vocabulary(
        units=table("""
    km: 公里/公里
    m: 米/米
    cm: 厘米/厘米
    mm: 毫米/毫米
    kg: 公斤/公斤
    g: 克/克
    mg: 毫克/毫克
    l L: 升/升
    ml: 毫升/毫升
    W: 瓦/瓦
    V: 伏/伏
    """),
        per="每",
        square="{n}平方{u}",
        degrees="度",
        signs=table("""
    +: 加
    -: 减
    ×: 乘
    ÷: 除以
    =: 等于
    """),
        fractions=table("""
    ½: 二分之一
    ¼: 四分之一
    ¾: 四分之三
    """),
        to="到",
        shorts={},
        scales={},
    ),
    "ko": Vocabulary(
        units=table("""
    km: 킬로미터/킬로미터
    m: 미터/미터
    cm: 센티미터/센티미터
    mm: 밀리미터/밀리미터
    kg: 킬로그램/킬로그램
    g: 그램/그램
    mg: 밀리그램/밀리그램
    l L: 리터/리터
    ml mL: 밀리리터/밀리리터
    GB: 기가바이트/기가바이트
    MB: 메가바이트/메가바이트
    W: 와트/와트
    V: 볼트/볼트
    """),
        per="퍼",
        square="제곱{u} {n}",
        degrees="도",
        signs=table("""
    +: 더하기
    -: 빼기
    ×: 곱하기
    ÷: 나누기
    =: 는
    """),
        fractions={},
        to="에서",
        shorts={},
        scales={},
    ),
}
