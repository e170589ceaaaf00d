"""English: abbreviations by what a stop after them says, and the words sentences begin with."""

from typing import Final

from firstword.text.rules.lexicon import Kind, Language, words

__all__ = ["BANG_NAMES", "CHAT", "DEGREES", "ENGLISH"]

# Names that are written with an exclamation mark.
BANG_NAMES: Final = words("yahoo jeopardy yum wham oliver oklahoma airplane mia panic joomla")

# Words of chat without a vowel, which are no abbreviations to a full stop.
CHAT: Final = words("""
    tbh brb idk lmk ngl thx thnx pls plz plss smh btw rn jk gtg nvm hbu wbu tmrw np gg ty tysm yw srs rly ppl bf gf bff
    sry kk omw ttyl wtf ffs fml gn gm hmu dm dms fyi ftw gr8 l8r msg txt wknd xmas xoxo yrs bbl bbs nm cya nbd ofc
    tgif vlw flw vc pq bjs mdr ptdr tkt slt
""")
DEGREES: Final = words("ph.d m.d b.a m.a b.s m.s b.sc m.sc d.d.s ll.b ll.m m.b.a j.d r.n d.o m.f.a m.ed b.ed m.phil")

_NEVER: Final = """
    mr mrs ms mx messrs mmes mme mlle dr drs prof revd pres gov congr supt lt ltcol cpl pvt sgt capt cmdr cdr comdr
    adm msgt ssgt pfc cpt Sen Sens Brig Fr Rev Hon Rep Reps Amb Gen Col Maj Ens Det Insp Const Adj Br e.g i.e p.s
    p.p.s n.b viz cf vs v ca asst atty emer esp incl excl resp INT EXT a.k.a attn i.q q.v eg ie Mt Mts Ft Pt
    Pte mt
"""

_NUMBERED: Final = """
    nos p pp pg pgs ch secs figs eq eqs eqn eqns arts rm bldg cl sch thm lem cor pl
"""

_COUNTED: Final = """
    Exod Lev Num Deut Josh Judg Ps Prov Eccl Isa Jer Ezek Hos Matt Rom Cor Gal Eph Phil Thess Heb Jas Pet
    no fig art tab app max min ex ref refs rev fax tel temp lab prop op reg def bk sub line vol vols chap chaps sec sect
    lat par pars para paras flt rte blk wk yr sem sess ser disc Term apt col ver vers ste ext
"""

_ENDS: Final = """
    etc kg km cm mm mg kwh mph kph fri tues thur thurs Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon
    Tue Tues Wed Thu Thur Thurs Fri Sat Sun misc abbr depts
    orig
"""

_LIKELY: Final = """
    a.m p.m m.p.h k.p.h m.p.g r.p.m p.s.i inc corp co ltd llc plc
    blvd ave rd hwy pkwy pky tpke expy fwy b.c a.d b.c.e c.e bldg Ln Ct Sq Ter
"""

_MAYBE: Final = """
    pty Fed Civ Crim Evid App Supp Stat Jud Leg Admin Anal Appl Biol Bull Chem Clin Comput Econ Educ Environ Genet
    Geol Hist Lett Linguist Math Mech Neurosci Nucl Philos Phys Proc Psychol Publ Sci Surg Symp Technol Theor exec
    approx assn assoc bros mfg mfr intl natl govt dist univ acad grp mgmt est inst jr sr esq ph.d m.d b.a m.a
    b.s m.s b.sc m.sc d.d.s ll.b ll.m m.b.a r.n d.o st dept div std avg al ibid op.cit loc.cit cir appt appts ed eds
    trans Ala Ariz Ark Calif Cal Colo Conn Del Fla Ga Ill Ind Kan Kans Ky La Mass Md Mich Minn Miss Mo Mont Neb Nev
    Okla Ore Pa Penn Tenn Tex Va Vt Wash Wis Wisc Wyo Ont Que Alta Sask u.s u.k u.n e.u u.s.a d.c n.y l.a n.j u.s.s.r
"""

_UNIT: Final = """
    in ft yd yds mi lb lbs oz fl gal gals qt qts pt pts tbsp tbs tsp km cm mm kg mg ml cl dl hr hrs min mins sec secs
    yr yrs mo mos wk wks msec sq cu mph kph rpm hz khz mhz ghz kb mb gb tb kw kwh amp amps deg bbl m g l h s w doz dz
    pc pcs pkg ct wt vol am pm
"""

_STARTERS: Final = """
    made sold built located yours mine ours theirs hers don isn aren wasn doesn didn haven hasn couldn wouldn shouldn
    i he she it we you they this that these those there here what who whom whose which when where why how the a an my
    your his her its our their some any all both each every either neither no not none many much most more few several
    another other others such nobody everybody somebody anybody nothing everything something anything everyone someone
    anyone one's and but or nor so yet because although though while whereas unless until since if as once whether
    however therefore moreover furthermore meanwhile instead otherwise besides anyway finally then next first second
    third last lastly later soon now today tomorrow yesterday tonight recently currently usually often sometimes
    always never maybe perhaps probably possibly clearly obviously unfortunately fortunately luckily sadly actually
    basically generally eventually initially similarly likewise consequently thus hence still also too even only just
    almost nearly again already afterwards afterward in on at by for from with without within about above across after
    against along among around before behind below beneath beside between beyond despite down during except inside
    into like near of off onto out outside over past through throughout to toward towards under underneath up upon via
    given according is are was were am be been being do does did done have has had having can could should would might
    must shall isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't can't couldn't shouldn't
    wouldn't won't let's let yes yeah yep okay ok oh ah well sorry thanks thank please sure hello hi hey welcome
    congratulations add apply arrive ask avoid be begin book bring build buy call carry change check choose choose
    clean click close collect come compare complete consider contact continue cook copy count cover create cut decide
    delete describe dial do don't download drink drive dry eat email enjoy enter explain fill find finish fix follow
    forget get give go grab have hang help hold hurry imagine include install join keep know learn leave let listen
    look make measure meet mix move note notice open order pack paint pay pick place plan play pour practice prepare
    press print pull push put read remember remove repeat replace reply report reserve rest restart return rinse run
    save say see select send set share show sign sit sleep slice speak spend stand start stay stir stop store study
    suppose swim take talk taste tell test think throw touch track train travel try turn type use visit wait walk wash
    watch wear weigh work worry write people children kids students teachers workers users customers visitors guests
    tickets prices rents costs taxes sales profits shares wages scientists researchers experts doctors officials
    critics investors analysts voters parents friends neighbors things days years books doors parking admission entry
    breakfast lunch dinner shipping delivery boarding registration everything details results water food rain snow
    traffic two three four five six seven eight nine ten half dozens hundreds thousands millions business production
    work life nature growth demand inflation unemployment
"""

_LABELLED: Final = """
    option plan vitamin vitamins type class grade section part war appendix exhibit group team gate hall room level
    point figure hepatitis category schedule schedules block building platform lane row seat zone area terminal unit
    choice answer question item version model series chapter volume step stage phase line column table theorem lemma
    track side drive bus route exit door house wing tier variant set box size letter key minor major channel studio
    press hit grade stand ward tower dock bay pier sector division league form formula case scenario note blood an a
"""

_TELLTALE: Final = """
    the and of to is are was were with for on at this that it you your we they have has will would can not from by an
    be what how where when who i my
"""

_INSTITUTIONS: Final = """
    senate house congress army navy air marine marines coast treasury department dept government govt president
    constitution supreme court capitol secretary state states federal district attorney customs embassy postal open
    bank bureau census food drug geological national olympic soccer women men steel dollar citizen citizens military
    commission council security general assembly parliament home office foreign prime minister ambassador
    representative senator rep sen virgin islands patent copyright labor commerce energy education agriculture justice
    defense health environmental fish forest park secret space naval metro police
"""

_TAGS: Final = """
    right ok okay eh huh yes no please thanks thank you isn't aren't wasn't weren't don't doesn't didn't won't
    wouldn't can't couldn't shouldn't haven't hasn't hadn't
"""

_FOLLOWERS: Final = """
    est edt cst cdt mst mdt pst pdt et pt ct gmt utc bst cet cest ist jst aest eastern pacific central mountain monday
    tuesday wednesday thursday friday saturday sunday january february march april june july august september october
    november december sharp local n s e w ne nw se sw apt suite ste unit north south
    chief ceo cfo coo cto president chairman chairwoman
    chair vice executive spokesman spokeswoman spokesperson founder inc ltd llc corp co group holdings class kg
"""

ENGLISH: Final = Language(
    code="en",
    shared={
        Kind.NEVER: _NEVER,
        Kind.NUMBERED: _NUMBERED,
        Kind.COUNTED: _COUNTED,
        Kind.ENDS: _ENDS,
        Kind.LIKELY: _LIKELY,
        Kind.MAYBE: _MAYBE,
        Kind.UNIT: _UNIT,
    },
    starters=words(_STARTERS),
    labelled=words(_LABELLED),
    saying=words("""
        said says asked asks shouted cried replied whispered yelled called answered exclaimed muttered screamed
        wondered sighed snapped insisted demanded murmured laughed added begged groaned
    """),
    needy=words("the a an of to and or with from at by for my your his her our their its"),
    institutions=words(_INSTITUTIONS),
    telltale=words(_TELLTALE),
    followers=words(_FOLLOWERS),
    conjunctions=words("and but or so because while when if which although since whereas unless before after until"),
    joining=words("and or so before after until"),
    tied=words("even only just right long shortly not as and or but if"),
    tags=words(_TAGS),
)
