"""The forms that numbers, dates, times and money take in each language other than English. Data alone."""

from typing import Final, NamedTuple

from firstword.text.wordlist import listed, table

__all__ = ["LANGUAGES", "NumberForms"]


class NumberForms(NamedTuple):
    """What the library does not say: names, and the forms percentages, dates and times take."""

    code: str
    decimal: str
    comma: str
    minus: str
    percent: str
    date: str
    time: str
    hour: str
    months: tuple[str, ...]
    one: str
    currencies: dict[str, str]


LANGUAGES: Final = {
    "es": NumberForms(
        code="es",
        decimal=",",
        comma="coma",
        minus="menos",
        percent="{n} por ciento",
        date="{d} de {m} de {y}",
        time="{h} y {n}",
        hour="{h} en punto",
        months=listed("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
        one="un",
        currencies=table("""
    €: euro/euros/con/céntimo/céntimos
    $ US$: dólar/dólares/con/centavo/centavos
    £: libra/libras/con/penique/peniques
    """),
    ),
    "fr": NumberForms(
        code="fr",
        decimal=",",
        comma="virgule",
        minus="moins",
        percent="{n} pour cent",
        date="{d} {m} {y}",
        time="{h} heures {n}",
        hour="{h} heures",
        months=listed("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        one="un",
        currencies=table("""
    €: euro/euros/et/centime/centimes
    $: dollar/dollars/et/cent/cents
    £: livre/livres/et/penny/pence
    """),
    ),
    "de": NumberForms(
        code="de",
        decimal=",",
        comma="Komma",
        minus="minus",
        percent="{n} Prozent",
        date="{o} {m} {y}",
        time="{h} Uhr {n}",
        hour="{h} Uhr",
        months=listed("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
        one="ein",
        currencies=table("""
    €: Euro/Euro/und/Cent/Cent
    $: Dollar/Dollar/und/Cent/Cent
    £: Pfund/Pfund/und/Penny/Pence
    """),
    ),
    "it": NumberForms(
        code="it",
        decimal=",",
        comma="virgola",
        minus="meno",
        percent="{n} per cento",
        date="{d} {m} {y}",
        time="{h} e {n}",
        hour="{h} in punto",
        months=listed("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
        one="un",
        currencies=table("""
    €: euro/euro/e/centesimo/centesimi
    $: dollaro/dollari/e/centesimo/centesimi
    £: sterlina/sterline/e/penny/pence
    """),
    ),
    "pt": NumberForms(
        code="pt_BR",
        decimal=",",
        comma="vírgula",
        minus="menos",
        percent="{n} por cento",
        date="{d} de {m} de {y}",
        time="{h} e {n}",
        hour="{h} horas",
        months=listed("janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"),
        one="um",
        currencies=table("""
    R$: real/reais/e/centavo/centavos
    US$: dólar/dólares/e/centavo/centavos
    €: euro/euros/e/cêntimo/cêntimos
    $: dólar/dólares/e/centavo/centavos
    £: libra/libras/e/pêni/pence
    """),
    ),
    "ja": NumberForms(
        code="ja",
        decimal=".",
        comma="点",
        minus="マイナス",
        percent="{n}パーセント",
        date="{y}年{m}月{d}日",
        time="{h}時{n}分",
        hour="{h}時",
        months=listed("一 二 三 四 五 六 七 八 九 十 十一 十二"),
        one="一",
        currencies=table("""
    ¥ 円: 円/円
    $: ドル/ドル//セント/セント
    €: ユーロ/ユーロ//セント/セント
    £: ポンド/ポンド
    """),
    ),
    "zh": NumberForms(
        code="zh",
        decimal=".",
        comma="点",
        minus="负",
        percent="百分之{n}",
        date="{y}年{m}月{d}日",
        time="{h}点{n}分",
        hour="{h}点",
        months=listed("一 二 三 四 五 六 七 八 九 十 十一 十二"),
        one="一",
        currencies=table("""
    ¥ ￥ 元: 元/元
    $: 美元/美元
    €: 欧元/欧元
    £: 英镑/英镑
    """),
    ),
    "hi": NumberForms(
        code="hi",
        decimal=".",
        comma="दशमलव",
        minus="माइनस",
        percent="{n} प्रतिशत",
        date="{d} {m} {y}",
        time="{h} बजकर {n} मिनट",
        hour="{h} बजे",
        months=listed("जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर"),
        one="एक",
        currencies=table("""
    ₹: रुपया/रुपये/और/पैसा/पैसे
    $: डॉलर/डॉलर/और/सेंट/सेंट
    €: यूरो/यूरो/और/सेंट/सेंट
    £: पाउंड/पाउंड/और/पेंस/पेंस
    """),
    ),
    "ko": NumberForms(
        code="ko",
        decimal=".",
        comma="점",
        minus="마이너스",
        percent="{n} 퍼센트",
        date="{y}년 {m}월 {d}일",
        time="{h}시 {n}분",
        hour="{h}시",
        months=listed("일 이 삼 사 오 유 칠 팔 구 시 십일 십이"),
        one="일",
        currencies=table("""
    ₩: 원/원
    $: 달러/달러//센트/센트
    €: 유로/유로//센트/센트
    """),
    ),
}
