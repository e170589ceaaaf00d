"""Spanish, French, Italian and Portuguese."""

from typing import Final

from firstword.text.rules.lexicon import Kind, Language, words

__all__ = ["FRENCH", "ITALIAN", "PORTUGUESE", "SPANISH"]

SPANISH: Final = Language(
    code="es",
    shared={
        Kind.NEVER: """
            sr sra srta sres sras srtas dra dres dña ing lic licda arq profa mtro mtra gral cnel tte sgto pbro sto sta
            Av excmo excma ilmo ilma rvdo p.ej p.e avda ctra pza pzta prov dpto vda hno hnos
        """,
        Kind.NUMBERED: "núm núms pág págs",
        Kind.COUNTED: "cap caps",
        Kind.ENDS: "ud uds vd vds",
        Kind.MAYBE: "aprox ee.uu s.a s.l s.a.s s.r.l j.c a.de.c r.d rr.hh ff.aa cía mín máx tfno",
        Kind.UNIT: "seg segs hs",
    },
    own={
        Kind.NEVER: "D Dn Da Mons Cap Pl Fr Fco Mª ej",
        Kind.NUMBERED: "ene feb abr may jun jul ago sep sept oct nov dic art tel tel vol fig apdo km n c",
        Kind.COUNTED: "mar lun mié miér jue juev vie vier sáb dom",
        Kind.LIKELY: "a.m p.m a.c d.c",
    },
    starters=words("""
        el la los las un una unos unas lo al del yo tú él ella ellos ellas nosotros nosotras ustedes usted vosotros
        eso esto ese esa esos esas este esta estos estas aquel aquella aquí allí ahí ahora hoy ayer mañana luego
        después antes entonces pero y o ni aunque porque pues si cuando donde mientras como que qué quién cómo cuándo
        dónde cuál cuánto por para con sin sobre en de desde hasta entre tras según a ante bajo contra durante
        mediante no sí también tampoco ya todavía aún siempre nunca jamás quizá quizás tal muy más menos mucho mucha
        muchos muchas poco pocos todo toda todos todas algo alguien algunos algunas nada nadie ningún ninguna cada
        otro otra otros otras mi mis tu tus su sus nuestro nuestra nuestros nuestras es son era eran fue fueron está
        están estaba hay había ha han he tiene tienen tenía puede pueden podría debe deben quiere quieren vamos van va
        voy gracias hola adiós bueno bien claro perdón disculpe lamentablemente además finalmente primero segundo así
        llame llama llámeme venga ven vuelva vuelve espere espera mire mira abra abre cierre escriba escribe tome toma
        pregunte pregunta lleve lleva traiga trae ponga pon haga haz diga dime dígame recuerde recuerda visite use usa
        pase pasa compre salga llegue llegó llegaron pidió dijo dice nació murió vive vivía trabaja trabajó
    """),
    labelled=words(
        "opción plan vitamina tipo clase grupo sección parte anexo puerta sala nivel punto mundial bloque letra"
    ),
    telltale=words("""
        el los las una unos y es está por para con que qué del al su sus muy pero como más mi tu usted yo hay fue son
        ya también cuando donde hola gracias señor en de la se lo un no
    """),
    conjunctions=words("y pero o porque cuando mientras aunque si donde como pues"),
    joining=words("y o como"),
    tags=words("verdad no sí vale eh gracias por"),
)

FRENCH: Final = Language(
    code="fr",
    shared={
        Kind.NEVER: "MM mgr mme mmes mlle mlles p.ex c.-à-d c.à.d env av.j.-c apr.j.-c apr boul bd av Me Pr Ste",
        Kind.NUMBERED: "tél réf",
        Kind.MAYBE: "j.-c s.a.r.l s.n.c.f cie sté éd éds",
    },
    own={
        Kind.NEVER: "M Dr Pr St Ste Me Mr av bd pl max min",
        Kind.NUMBERED: "t tél vol fig n janv févr fév avr juil oct nov déc",
        Kind.COUNTED: "sept lun mar mer jeu ven sam dim",
    },
    starters=words("""
        le la les un une des du de il elle ils elles on nous vous je tu ce cela ça cet cette ces c j l d qu n s m t
        celui celle ceux celles mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs qui que quoi où quand
        comment pourquoi combien quel quelle quels quelles et mais ou or donc car ni puis alors ensuite enfin après
        avant pendant depuis dès lorsque comme si bien quoique parce puisque tandis ainsi aussi encore déjà toujours
        jamais souvent parfois peut-être hier demain aujourd'hui maintenant ici là tout toute tous toutes plusieurs
        certains certaines chaque aucun aucune personne rien beaucoup peu plus moins très trop assez dans en à au aux
        avec sans sous sur par pour vers chez entre contre malgré selon oui non merci bonjour bonsoir pardon voici
        voilà est sont était étaient a ont avait avaient sera seront peut peuvent doit doivent faut appelez rappelez
        venez revenez allez prenez regardez attendez écoutez ouvrez fermez essayez demandez cliquez faites dites
        mettez envoyez téléphonez pensez notez vérifiez passez entrez sortez tournez suivez choisissez
    """),
    labelled=words(
        "option plan vitamine type classe groupe section partie annexe porte salle niveau point guerre bloc hall"
    ),
    telltale=words("""
        le les une des du et est sont il elle ils nous vous je dans pour avec sur pas que qui au aux ce cette mais ou
        où très plus votre notre mon son sa ses leur bonjour merci à la un en
    """),
    conjunctions=words("et mais ou car parce quand lorsque pendant si puisque tandis alors donc qui où"),
    joining=words("et ou si"),
    tags=words("non oui n'est-ce hein merci s'il d'accord"),
)

ITALIAN: Final = Language(
    code="it",
    shared={
        Kind.NEVER: """
            Sig sigg d.lgs d.p.r sig.ra sig.na sig.re dott dott.ssa avv geom cfr spett egr ill.mo p.es prof.ssa v.le
            c.so p.zza pag.ra gen.le
        """,
        Kind.NUMBERED: "pag pagg artt capp voll",
        Kind.ENDS: "ecc",
        Kind.MAYBE: "s.p.a s.r.l s.a.s s.n.c",
    },
    own={
        Kind.NEVER: "on sen rag arch Ing Mons Gent Dr Prof Don Ill es S SS Ss",
        Kind.NUMBERED: "n nn int All sett art cap fig vol tel gen feb apr mag giu lug ago ott nov dic p",
        Kind.COUNTED: "mar set lun mer gio ven sab dom",
        Kind.LIKELY: "a.c d.c",
        Kind.UNIT: "min sec",
    },
    starters=words("""
        il lo la i gli le un uno una io tu lui lei noi voi loro egli ella esso essi questo questa questi queste quello
        quella quelli quelle ciò chi che cosa come quando dove perché quanto quale quali e ed ma o oppure però anche
        ancora già sempre mai forse poi dopo prima quindi allora infatti inoltre invece mentre se sebbene benché
        poiché siccome oggi ieri domani ora adesso qui qua là lì non sì no grazie ciao buongiorno prego scusi nel
        nella nei nelle negli nell del della dei delle degli dell al alla ai alle agli all dal dalla dai dalle dall
        sul sulla sui sulle sugli sull in a da di con su per tra fra senza sotto sopra verso contro durante secondo
        ogni tutto tutta tutti tutte molto molti molte poco pochi alcuni alcune nessuno nessuna niente nulla qualcuno
        qualcosa mio mia miei mie tuo tua suo sua suoi sue nostro nostra vostro vostra l un d c dell è sono era erano
        fu ha hanno aveva può possono deve devono vuole vogliamo bisogna chiami richiami venga vieni torni torna
        aspetti aspetta guardi guarda prenda prendi apra apri chiuda chiudi scriva scrivi provi prova metta metti
        faccia fai dica ascolti porti entri esca passi giri vada vai ricordi
    """),
    labelled=words(
        "opzione piano vitamina tipo classe gruppo sezione parte allegato porta sala livello punto guerra uscita"
    ),
    telltale=words("""
        il lo gli di del della dei delle che è sono per con non una uno nel nella al alla ma come più questo questa e
        si anche mi ti ci vi suo sua molto grazie ciao dal dalla ha la un
    """),
    conjunctions=words("e ma o perché quando mentre se poiché dove che quindi però"),
    joining=words("e o se che"),
    tags=words("vero no giusto sì grazie per"),
)

PORTUGUESE: Final = Language(
    code="pt",
    shared={
        Kind.NEVER: """
            sr sra srta srs sras dra drs eng profa exmo exma ilmo ilma sto sta profª srª drª séc p.ex v.ex v.exa pça
        """,
        Kind.NUMBERED: "pág págs",
        Kind.MAYBE: "ltda s.a cia e.u.a máx mín",
        Kind.ENDS: "v.sa",
    },
    own={
        Kind.NEVER: "D Ver R Rod Cel Al Pe Eng Gen Cap Sgt Dep Sen Min Pres Gov ex",
        Kind.NUMBERED: "n nº tel art vol fig cap obs jan fev abr mai jun jul ago nov p",
        Kind.COUNTED: "apto inc bl mar set out dez seg ter qua qui sex sáb dom",
        Kind.LIKELY: "a.c d.c",
    },
    starters=words("""
        o a os as um uma uns umas eu tu ele ela eles elas nós você vocês isso isto aquilo esse essa esses essas este
        esta estes estas aquele aquela aqui ali lá agora hoje ontem amanhã depois antes então mas e ou nem embora
        porque pois se quando onde enquanto como que quem qual quais quanto por para com sem sobre em de desde até
        entre após segundo no na nos nas do da dos das ao à aos às num numa pelo pela pelos pelas não sim também já
        ainda sempre nunca talvez muito muita muitos muitas pouco poucos mais menos todo toda todos todas tudo algo
        alguém alguns algumas nada ninguém nenhum nenhuma cada outro outra outros outras meu minha meus minhas seu sua
        seus suas nosso nossa nossos é são era eram foi foram está estão estava há havia tem têm tinha pode podem
        poderia deve devem quer vamos vai obrigado obrigada olá oi bom boa claro desculpe infelizmente além finalmente
        primeiro assim ligue liga venha vem volte volta espere espera olhe olha abra abre feche escreva tome pergunte
        leve traga ponha faça diga lembre visite use passe compre saia chegou chegaram disse diz nasceu morreu mora
        trabalha clique veja
    """),
    labelled=words(
        "opção plano vitamina tipo classe grupo seção parte anexo porta sala nível ponto guerra bloco portão"
    ),
    telltale=words("""
        o os as um uma e é são está por para com que do da dos das no na nos nas ao seu sua muito mas como mais meu
        você não já também quando onde obrigado senhor em de se eu ele ela foi
    """),
    conjunctions=words("e mas ou porque quando enquanto embora se onde pois como"),
    joining=words("e ou se como"),
    tags=words("né certo não sim ok obrigado obrigada por"),
)
