"""Abbreviations of languages beyond the eleven, where no word of those looks like them; shape tells the rest."""

from typing import Final

from firstword.text.rules.lexicon import Kind, Language

__all__ = ["ELSEWHERE"]

ELSEWHERE: Final = Language(
    code="xx",
    shared={
        Kind.NEVER: """
            гг вул м журн чл див стор вид год хв т.зв пгт Δρ κ κα κος π.χ δηλ βλ napr resp ഡോ മി പ്രൊ ശ്രീ
            г ул им т.е т.к проф акад доц обл пер просп пл тов гр напр см рис ок
            bijv bv dhr mevr mw d.w.z o.a a.u.b m.b.t
            tzw ul inż mgr m.in
            t.ex bl.a dvs kl f.eks fx esim ดร ent d.v.s bkz Doç örn dna č
        """,
        Kind.NUMBERED: "godz стр кв д blz str",
        Kind.COUNTED: "jan feb mrt apr jun jul aug sep okt nov dec dez janv févr juil ene abr ago dic",
        Kind.MAYBE: "тыс млн млрд",
        Kind.UNIT: "kr zł kč грн руб коп",
        Kind.ENDS: "т.д т.п др пр enz itd itp osv m.m vb",
    },
)
