"""The seven languages beside English: in the model's symbols, words where they stand, no text that breaks them."""

import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from misaki.espeak import EspeakG2P

from firstword.errors import RequestRefused
from firstword.kokoro.phonemes import LANGUAGES, Pronouncer, missing_extra
from firstword.kokoro.vocabulary import VOCABULARY
from firstword.kokoro.voices import VOICES

OTHERS = sorted(set(LANGUAGES) - {"en-us", "en-gb"})
SENTENCES = {
    "es": "¿Cómo está usted? El niño come pan; la lluvia, ya ve, es fría.",
    "fr": "Les enfants aujourd'hui vont à l'école, peut-être; un bon vin blanc n'est-ce pas?",
    "hi": "नमस्ते, आप कैसे हैं? मेरा घर भारत में है, धन्यवाद!",
    "it": "Buongiorno, gli amici della famiglia mangiano la pizza. Perché no?",
    "pt-br": "Olá, tudo bem? O pão de manhã não é muito bom; as crianças estão no coração da cidade.",
}


@pytest.fixture(scope="module")
def pronouncer() -> Pronouncer:
    return Pronouncer()


def words_of(pronouncer: Pronouncer, text: str, language: str) -> list[tuple[str, str]]:
    said = pronouncer.pronounce(text, language)
    return [(text[word.char_start : word.char_end], said.phonemes[word.first : word.last]) for word in said.words]


def test_every_voice_has_a_language_that_is_spoken() -> None:
    assert {voice.language for voice in VOICES.values()} == set(LANGUAGES)


@pytest.mark.parametrize(("language", "text"), SENTENCES.items())
def test_espeak_languages_are_said_in_the_reference_s_symbols(pronouncer: Pronouncer, language: str, text: str) -> None:
    reference, _ = EspeakG2P("fr-fr" if language == "fr" else language)(text)
    assert pronouncer.pronounce(text, language).phonemes == "".join(s for s in reference if s in VOCABULARY)


@pytest.mark.parametrize(("language", "text"), SENTENCES.items())
def test_every_written_word_is_found_again(pronouncer: Pronouncer, language: str, text: str) -> None:
    written = [word.strip(".,;?!¿") for word in text.split()]
    assert [word for word, _ in words_of(pronouncer, text, language)] == written


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("こんにちは、私はTシャツを買った。", "koɲɲiʨiβa, βataɕi βa tʲiːɕaʦɨ o kaʔta."),
        ("「コーヒー」（三百円）を飲みましょう！", "“koːçiː” (sambʲakɯ eɴ) o nomʲi maɕoː!"),
        ("12月24日に届きます", "ʥɨːɲiɡaʦɨ ɲiʥɨːjoʔka ɲi todokʲimasɨ"),
        ("ｶﾞﾗｽとチェロ", "ɡaɾasɨ to ʨeɾo"),
    ],
)
def test_japanese_is_read_and_spaced_as_the_model_learnt_it(pronouncer: Pronouncer, text: str, phonemes: str) -> None:
    assert pronouncer.pronounce(text, "ja").phonemes == phonemes


def test_japanese_words_stand_where_they_stood_even_if_digits_became_words(pronouncer: Pronouncer) -> None:
    words = [word for word, _ in words_of(pronouncer, "商品は、12月24日に 1,234人へ。", "ja")]
    assert words == ["商品", "は", "12月", "24日", "に", "1,234", "人", "へ"]


@pytest.mark.parametrize(
    ("text", "phonemes"),
    [
        ("你好，我是一个语音助手。", "ni↓xau↓, wo↓ ʂɨ↘ i↗kɤ↘ y↓i→n ꭧu↘ʂou↓."),
        ("银行行长长大了，重庆很重要！", "i↗nxa↗ŋxa↗ŋꭧa↓ŋ ꭧa↓ŋta↘ lɤ, ꭧʰʊ↗ŋʨʰi↘ŋ xə↓n ꭧʊ↘ŋjau↘!"),
        ("他说：“明天见。”", "tʰa→ ʂwo→: “mi↗ŋtʰjɛ→n ʨjɛ↘n.”"),
    ],
)
def test_chinese_is_said_as_the_model_learnt_it(pronouncer: Pronouncer, text: str, phonemes: str) -> None:
    assert pronouncer.pronounce(text, "zh").phonemes == phonemes


def test_chinese_words_are_those_of_a_dictionary(pronouncer: Pronouncer) -> None:
    words = [word for word, _ in words_of(pronouncer, "我们今天去《公园》散步，3米。", "zh")]
    assert words == ["我们", "今天", "去", "公园", "散步", "3", "米"]


@pytest.mark.parametrize(
    ("language", "text"), [("ja", "firstwordの声"), ("zh", "firstword很好"), ("hi", "firstword है")]
)
def test_a_latin_word_is_said_as_english_and_not_spelled(pronouncer: Pronouncer, language: str, text: str) -> None:
    (word, phonemes), *rest = words_of(pronouncer, text, language)
    assert word == "firstword"
    assert len(phonemes) <= 12
    assert rest


def test_vowel_signs_of_hindi_are_said_and_joiners_do_not_part_a_word(pronouncer: Pronouncer) -> None:
    assert words_of(pronouncer, "में", "hi") == [("में", "mˈe\u0303ː")]
    assert len(words_of(pronouncer, "क्\u200dया", "hi")) == 1
    assert pronouncer.pronounce("मेरा घर है।", "hi").phonemes.endswith(".")


def test_a_number_of_several_words_is_one_place_and_does_not_move_the_others(pronouncer: Pronouncer) -> None:
    words = dict(words_of(pronouncer, "El 25480 de la lista 7 es muy alto", "es"))
    assert len(words["25480"].split()) >= 3
    assert words["lista"] == "lˈista"
    assert words["alto"] == "ˈalto"


@pytest.mark.parametrize(("language", "module", "extra"), [("ja", "pyopenjtalk", "ja"), ("zh", "rjieba", "zh")])
def test_a_language_whose_extra_is_missing_gives_the_line_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, language: str, module: str, extra: str
) -> None:
    assert missing_extra(language) is None
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(RequestRefused) as caught:
        Pronouncer().pronounce("一", language)
    assert caught.value.code == "bad_language"
    assert caught.value.hint == f"pip install 'firstword[{extra}]'"


_MESSY = {
    "hi": "कखग़ािीं्ः।॥ ०१2.,₹\u200c\u200dab'\"()-",
    "ja": "あいゃっんーアィヴッ々〇日本語人一十Ａa1９・、。「」！～゛ﾞｶ 　-'\"",
    "zh": "你好一不行了〇𠀀嗯呣，。！《》“”aB1９·…—- '",
}
_LATIN = "aeñçãéœ’'-–«»¿¡?!.,;:()\"123% €\n"


@pytest.mark.parametrize("language", OTHERS)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_no_text_breaks_it_and_every_word_is_somewhere(
    pronouncer: Pronouncer, language: str, data: st.DataObject
) -> None:
    messy = st.text(alphabet=_MESSY.get(language, _LATIN), max_size=30)
    text = data.draw(st.one_of(messy, st.text(max_size=30)))
    try:
        said = pronouncer.pronounce(text, language)
    except RequestRefused:
        return
    assert set(said.phonemes) <= set(VOCABULARY)
    end = last = 0
    for word in said.words:
        assert end <= word.char_start < word.char_end <= len(text)
        assert last <= word.first < word.last <= len(said.phonemes)
        end, last = word.char_end, word.last


@pytest.mark.parametrize("text", ["aﾞ1", "bﾞ2c", "か゚ーﾟ3", "aﾞﾞ"])
def test_a_mark_that_a_phonemizer_takes_for_a_word_takes_no_place_twice(pronouncer: Pronouncer, text: str) -> None:
    places = [(word.char_start, word.char_end) for word in pronouncer.pronounce(text, "ja").words]
    assert all(before[1] <= after[0] for before, after in pairwise(places))
    assert all(start < end <= len(text) for start, end in places)


@pytest.mark.parametrize(
    ("language", "sentence"), [("ja", "今日は雨です。"), ("zh", "今天下雨了。"), ("es", "Hoy llueve. ")]
)
def test_a_long_text_is_said_whole(pronouncer: Pronouncer, language: str, sentence: str) -> None:
    once = pronouncer.pronounce(sentence, language)
    assert len(pronouncer.pronounce(sentence * 300, language).words) == 300 * len(once.words)
