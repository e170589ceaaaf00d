"""Hindi, Arabic, Korean, Japanese and Chinese: scripts without capitals, so lists and marks carry all."""

from typing import Final

from firstword.text.rules.lexicon import Kind, Language, words

__all__ = ["ARABIC", "CHINESE", "HINDI", "JAPANESE", "KOREAN"]

HINDI: Final = Language(
    code="hi",
    shared={
        Kind.NEVER: """
            डॉ डा सुश्री सर्वश्री श्रीमान प्रो पं श्री कु सु स्व मि मिस श्रीमती इं ले कर्नल मेजर ज कि कि.मी मी रु सं
            पृ ई.पू ई कं लि प्रा प्र दि मो उ क्र नं उदा ए बी
            सी डी एफ एच जे के एल एम एन ओ पी क्यू आर एस टी यू वी डब्ल्यू एक्स वाई ज़ेड एम.ए बी.ए पीएच एम.बी.बी.एस
        """,
        Kind.ENDS: "आदि इत्यादि",
    },
    saying=words("कहा पूछा बोला बोली बोले चिल्लाया चिल्लाई चिल्लाए पुकारा फुसफुसाया फुसफुसाई कहती कहता कहते"),
)

ARABIC: Final = Language(
    code="ar",
    labelled=words("""
        قاعة القاعة غرفة الغرفة مجموعة المجموعة فئة الفئة خيار الخيار فيتامين النوع قسم القسم البند الفقرة الصف الخطة
        النقطة بوابة البوابة المبنى مبنى الطابق
    """),
    shared={
        Kind.NEVER: "د أ أ.د م أ.م ص ج ع ش ت س ب ر ف ق ط ك ل ن و ي هـ ه ود وأ وم",
        Kind.ENDS: "إلخ الخ ق.م ب.م",
    },
    followers=words("في من إلى على عن مع عند بعد قبل حتى"),
    saying=words(
        "قال قالت قالوا سأل سألت سألني سألته أجاب أجابت صاح صاحت صرخ صرخت هتف هتفت رد ردت همس همست أضاف أضافت"
    ),
)

KOREAN: Final = Language(
    code="ko",
    saying=words("""
        말했다 말했습니다 말했어요 물었다 물었습니다 물었어요 대답했다 대답했습니다
        생각했다 생각했습니다 생각했어요 하고 라고 이라고 라며 하며 하는 라는
        대답했어요 외쳤다 외쳤습니다 소리쳤다 속삭였다 중얼거렸다 덧붙였다 했다 말한다 묻는다
    """),
)

JAPANESE: Final = Language(code="ja")
CHINESE: Final = Language(code="zh")
