"""German: its nouns are capitals too, so words behind a stop tell less, and ordinals are numbers with a stop."""

from typing import Final

from firstword.text.rules.lexicon import Kind, Language, words

__all__ = ["GERMAN"]

_NEVER: Final = """
    z.z z.hd i.a.r evang kath Fa Fam Gebr
    z.b d.h u.a i.d.r m.e u.u s.o s.u z.t z.zt i.a i.v i.b b.w dr.med dr.rer dr.jur dr.phil bzw ggf evtl eventl inkl
    exkl zzgl abzgl vgl bzgl Hr
    Hrn dipl sog hrsg insb insbes einschl geb
"""
_NEVER_OWN: Final = """
    Fr Mag St allg bes betr entspr gem jew lt max min mind mtl tägl stellv urspr versch wg zw ca Dir Ing Pfr Str
    str b.d med phil rer nat jur dent h.c
"""
_NUMBERED: Final = "Abs Ziff nr nrn abb aufl bd bde kap rdnr"
_NUMBERED_OWN: Final = "S Rn Art Tel Anm Bsp Pos Zi Bl Bf"
_ENDS: Final = "usw u.s.w usf u.v.m u.v.a o.ä u.ä u.dgl"
_MAYBE: Final = "mio mrd tsd v.chr n.chr chr e.v jh jhd jhdt std sek"
_MAYBE_OWN: Final = "Jan Feb Mär Apr Jun Jul Aug Sept Okt Nov Dez sen jun Co Mo Di Mi Do Sa So Min"

_STARTERS: Final = """
    der die das den dem des ein eine einer einem einen eines er sie es wir ihr ich du man wer was wo wie wann warum
    wieso weshalb welche welcher welches dies dieser diese dieses diesen diesem jener jede jeder jedes alle alles
    viele manche einige wenige mehr mehrere beide nichts niemand jemand etwas und aber oder denn doch sondern wenn
    weil da dann danach davor dort hier heute morgen gestern jetzt nun so auch nur noch schon sehr zu zum zur im in am
    an auf aus bei beim mit nach seit von vom vor für gegen ohne um durch über unter zwischen trotz während wegen als
    ob obwohl damit dass bevor nachdem bis solange sobald ist sind war waren hat haben hatte wird werden wurde wurden
    kann können soll sollte sollten muss müssen darf dürfen bitte danke ja nein vielleicht leider natürlich außerdem
    deshalb deswegen daher dennoch trotzdem allerdings jedoch inzwischen später zuerst zuletzt endlich schließlich
    dabei dazu darum davon dafür kein keine keiner mein meine dein deine sein seine unser unsere euer eure ihre ihren
    ihrem komm kommen kommt geh gehen geht nimm nehmen bring bringen ruf rufen melde melden schau schauen sieh sehen
    lies lesen mach machen macht frag fragen sag sagen gib geben hol holen warte warten setz probier versuch denk
    vergiss beginnen beachten prüfen öffnen schließen klicken wählen drücken schreiben schicken treffen viel gut
"""
_LABELLED: Final = """
    option plan vitamin typ klasse gruppe teil abschnitt anhang halle saal raum ebene punkt weltkrieg stufe variante
    kategorie zimmer haus block gate tor linie reihe buchstabe note hepatitis punkt aufgabe lösung antwort
"""
_TELLTALE: Final = """
    der die das den dem des und ist sind ein eine einen nicht mit auf für von zu zum zur im am bei wir ich sie er es
    vom bis ab seit nur schon ihr auch wird werden haben hat kann wie noch nach aus oder aber war wurde über unter
    bitte um als dass wenn
"""
_BEFORE_ORDINAL: Final = """
    am der die das dem den des vom zum zur im beim ab bis seit jeder jede jedes jeden jedem ein eine einen einem einer
    mein meine meinen meinem meiner dein deine deinen sein seine seinen seinem seiner ihr ihre ihren ihrem ihrer unser
    unsere unseren unserem unserer euer eure dieser diese dieses diesen diesem und oder montag dienstag mittwoch
    donnerstag freitag samstag sonnabend sonntag montag, dienstag, mittwoch, donnerstag, freitag, samstag, sonntag,
"""
_ORDINAL_NOUNS: Final = """
    aufl jh jhd jhdt jg og ug
    jahrhundert jahrhunderts jahrtausend mal platz stock stockwerk klasse weltkrieg weltkriegs tag geburtstag etage
    kapitel auflage stelle liga bundesliga runde quartal halbjahr semester lebensjahr geburtstags jahrestag
"""
_MONTHS: Final = """
    januar jänner februar feber märz april mai juni juli august september oktober november dezember jan feb mär apr
    jun jul aug sept sep okt nov dez
"""

GERMAN: Final = Language(
    code="de",
    shared={
        Kind.NEVER: _NEVER,
        Kind.NUMBERED: _NUMBERED,
        Kind.ENDS: _ENDS,
        Kind.MAYBE: _MAYBE,
        Kind.UNIT: "std stdn sek",
    },
    own={Kind.NEVER: _NEVER_OWN, Kind.NUMBERED: _NUMBERED_OWN, Kind.MAYBE: _MAYBE_OWN},
    starters=words(_STARTERS),
    labelled=words(_LABELLED),
    telltale=words(_TELLTALE),
    conjunctions=words("und aber oder weil wenn während damit obwohl sobald bevor nachdem denn sondern dass"),
    joining=words("und oder"),
    tags=words("oder nicht gell ja bitte danke"),
    months=words(_MONTHS),
    before_ordinal=words(_BEFORE_ORDINAL),
    ordinal_nouns=words(_ORDINAL_NOUNS),
)
