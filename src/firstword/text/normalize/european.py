"""The words beside a number in Spanish, French, German, Italian and Portuguese. Data alone."""

from typing import Final

from firstword.text.normalize.vocabulary import Vocabulary
from firstword.text.wordlist import listed, table

__all__ = ["EUROPEAN"]

EUROPEAN: Final = {
    "es": Vocabulary(
        units=table("""
    km: kilómetro/kilómetros
    m: metro/metros
    cm: centímetro/centímetros
    mm: milímetro/milímetros
    kg: kilogramo/kilogramos
    g: gramo/gramos
    mg: miligramo/miligramos
    l L: litro/litros
    ml: mililitro/mililitros
    h: hora/horas
    min: minuto/minutos
    s: segundo/segundos
    GB: gigabyte/gigabytes
    MB: megabyte/megabytes
    W: vatio/vatios
    kW: kilovatio/kilovatios
    V: voltio/voltios
    """),
        per="por",
        square="{n} {u} cuadrados",
        degrees="grados",
        signs=table("""
    +: más
    -: menos
    ×: por
    ÷: entre
    =: es igual a
    """),
        fractions=table("""
    1/2 ½: medio
    1/3: un tercio
    2/3: dos tercios
    1/4 ¼: un cuarto
    3/4 ¾: tres cuartos
    """),
        to="a",
        shorts=table("""
    art. Art.: artículo
    fig. Fig.: figura
    cap.: capítulo
    Dr.: Doctor
    Dra.: Doctora
    Sr.: Señor
    Sra.: Señora
    Srta.: Señorita
    Ud.: usted
    Uds.: ustedes
    etc.: etcétera
    p._ej.: por ejemplo
    EE._UU.: Estados Unidos
    EE.UU.: Estados Unidos
    tel. Tel.: teléfono
    nº n.º: número
    pág.: página
    Av.: Avenida
    """),
        rulers=listed(
            "Luis Carlos Felipe Alfonso Fernando Enrique Pablo Benedicto Isabel Napoleón Pedro León Pío Juan"
        ),
        centuries=listed("siglo siglos"),
        chapters=listed("capítulo Capítulo tomo Tomo parte Parte acto Acto Mundial"),
    ),
    "fr": Vocabulary(
        units=table("""
    km: kilomètre/kilomètres
    m: mètre/mètres
    cm: centimètre/centimètres
    mm: millimètre/millimètres
    kg: kilogramme/kilogrammes
    g: gramme/grammes
    mg: milligramme/milligrammes
    l L: litre/litres
    ml: millilitre/millilitres
    h: heure/heures
    min: minute/minutes
    s: seconde/secondes
    Go GB: gigaoctet/gigaoctets
    Mo MB: mégaoctet/mégaoctets
    W: watt/watts
    kW: kilowatt/kilowatts
    V: volt/volts
    """),
        per="par",
        square="{n} {u} carrés",
        degrees="degrés",
        signs=table("""
    +: plus
    -: moins
    ×: fois
    ÷: divisé par
    =: égale
    """),
        fractions=table("""
    1/2 ½: un demi
    1/3: un tiers
    2/3: deux tiers
    1/4 ¼: un quart
    3/4 ¾: trois quarts
    """),
        to="à",
        shorts=table("""
    art. Art.: article
    fig. Fig.: figure
    chap.: chapitre
    M.: Monsieur
    MM.: Messieurs
    Mme: Madame
    Mlle: Mademoiselle
    Dr Dr.: Docteur
    etc.: et cetera
    p._ex.: par exemple
    n° nº: numéro
    av.: avenue
    bd bd.: boulevard
    tél. Tél.: téléphone
    """),
        rulers=listed("Louis Henri Charles François Napoléon Philippe Paul Benoît Élisabeth Elisabeth Pie Léon Jean"),
        centuries=listed("siècle siècles"),
        chapters=listed("chapitre Chapitre tome Tome partie Partie acte Acte"),
    ),
    "de": Vocabulary(
        units=table("""
    km: Kilometer/Kilometer
    m: Meter/Meter
    cm: Zentimeter/Zentimeter
    mm: Millimeter/Millimeter
    kg: Kilogramm/Kilogramm
    g: Gramm/Gramm
    mg: Milligramm/Milligramm
    l L: Liter/Liter
    ml: Milliliter/Milliliter
    h Std.: Stunde/Stunden
    min Min.: Minute/Minuten
    s Sek.: Sekunde/Sekunden
    GB: Gigabyte/Gigabyte
    MB: Megabyte/Megabyte
    W: Watt/Watt
    kW: Kilowatt/Kilowatt
    EL: Esslöffel/Esslöffel
    TL: Teelöffel/Teelöffel
    V: Volt/Volt
    """),
        per="pro",
        square="{n} Quadrat{l}",
        degrees="Grad",
        signs=table("""
    +: plus
    -: minus
    ×: mal
    ÷: geteilt durch
    =: gleich
    """),
        fractions=table("""
    1/2 ½: eine halbe
    1/3: ein Drittel
    2/3: zwei Drittel
    1/4 ¼: ein Viertel
    3/4 ¾: drei Viertel
    """),
        to="bis",
        shorts=table("""
    §: Paragraf
    §§: Paragrafen
    Abs.: Absatz
    Art.: Artikel
    Abb.: Abbildung
    Kap.: Kapitel
    S.: Seite
    Dr.: Doktor
    Prof.: Professor
    Hr.: Herr
    Fr.: Frau
    z._B.: zum Beispiel
    z.B.: zum Beispiel
    d._h.: das heißt
    d.h.: das heißt
    u._a.: unter anderem
    u.a.: unter anderem
    usw.: und so weiter
    bzw.: beziehungsweise
    ca.: circa
    Nr.: Nummer
    evtl.: eventuell
    inkl.: inklusive
    Mio.: Millionen
    Mrd.: Milliarden
    Str.: Straße
    Tel.: Telefon
    """),
        rulers=listed("Ludwig Karl Friedrich Wilhelm Heinrich Otto Elisabeth Napoleon Benedikt Paul Franz Leo Philipp"),
        chapters=listed("Kapitel Teil Band Akt Weltkrieg"),
    ),
    "it": Vocabulary(
        units=table("""
    km: chilometro/chilometri
    m: metro/metri
    cm: centimetro/centimetri
    mm: millimetro/millimetri
    kg: chilogrammo/chilogrammi
    g: grammo/grammi
    mg: milligrammo/milligrammi
    l L: litro/litri
    ml: millilitro/millilitri
    h: ora/ore
    min: minuto/minuti
    s: secondo/secondi
    GB: gigabyte/gigabyte
    MB: megabyte/megabyte
    W: watt/watt
    kW: chilowatt/chilowatt
    V: volt/volt
    """),
        per="per",
        square="{n} {u} quadrati",
        degrees="gradi",
        signs=table("""
    +: più
    -: meno
    ×: per
    ÷: diviso
    =: uguale
    """),
        fractions=table("""
    1/2 ½: mezzo
    1/3: un terzo
    2/3: due terzi
    1/4 ¼: un quarto
    3/4 ¾: tre quarti
    """),
        to="a",
        shorts=table("""
    art. Art.: articolo
    n.: numero
    fig. Fig.: figura
    cap.: capitolo
    Dott. Dr.: Dottor
    Dott.ssa: Dottoressa
    Sig.: Signor
    Sig.ra: Signora
    Prof.: Professor
    ecc.: eccetera
    n._º nº: numero
    tel. Tel.: telefono
    pag.: pagina
    """),
        rulers=listed(
            "Luigi Carlo Filippo Emanuele Umberto Enrico Paolo Benedetto Elisabetta Napoleone Pio Leone Giovanni"
        ),
        centuries=listed("secolo secoli"),
        chapters=listed("capitolo Capitolo tomo Tomo parte Parte atto Atto"),
    ),
    "pt": Vocabulary(
        units=table("""
    km: quilômetro/quilômetros
    m: metro/metros
    cm: centímetro/centímetros
    mm: milímetro/milímetros
    kg: quilograma/quilogramas
    g: grama/gramas
    mg: miligrama/miligramas
    l L: litro/litros
    ml: mililitro/mililitros
    h: hora/horas
    min: minuto/minutos
    s: segundo/segundos
    GB: gigabyte/gigabytes
    MB: megabyte/megabytes
    W: watt/watts
    kW: quilowatt/quilowatts
    V: volt/volts
    """),
        per="por",
        square="{n} {u} quadrados",
        degrees="graus",
        signs=table("""
    +: mais
    -: menos
    ×: vezes
    ÷: dividido por
    =: é igual a
    """),
        fractions=table("""
    1/2 ½: meio
    1/3: um terço
    2/3: dois terços
    1/4 ¼: um quarto
    3/4 ¾: três quartos
    """),
        to="a",
        shorts=table("""
    art. Art.: artigo
    fig. Fig.: figura
    cap.: capítulo
    Dr.: Doutor
    Dra.: Doutora
    Sr.: Senhor
    Sra.: Senhora
    Prof.: Professor
    etc.: et cetera
    p._ex.: por exemplo
    nº n.º: número
    pág.: página
    tel. Tel.: telefone
    Av.: Avenida
    """),
        rulers=listed("Luís Carlos Filipe João Pedro Henrique Afonso Manuel Isabel Napoleão Bento Pio Leão Paulo"),
        centuries=listed("século séculos"),
        chapters=listed("capítulo Capítulo tomo Tomo parte Parte ato Ato Mundial"),
    ),
}
