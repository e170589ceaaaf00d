"""The names of units: as they are written, as they are said, one and many, American and British."""

import re
from typing import Final

from firstword.text.normalize.english.words import Words
from firstword.text.wordlist import table

__all__ = ["UNITS", "WRITTEN_UNIT", "per_unit", "plural_of", "spelled", "unit_name"]

UNITS: Final = table("""
    km: kilometer
    m: meter
    cm: centimeter
    mm: millimeter
    nm: nanometer
    µm μm: micrometer
    mi: mile
    nmi: nautical mile
    ly: light year
    kn kt kts: knot
    ft: foot
    yd yds: yard
    kg kgs: kilogram
    g: gram
    mg: milligram
    µg μg mcg: microgram
    ng: nanogram
    lb lbs: pound
    oz: ounce
    fl_oz: fluid ounce
    t: ton
    L l: liter
    ml mL: milliliter
    cl cL: centiliter
    dl dL: deciliter
    hl hL: hectoliter
    µl µL μl μL: microliter
    gal: gallon
    qt: quart
    tbsp tbsps Tbsp Tbs: tablespoon
    tsp tsps Tsp: teaspoon
    ns: nanosecond
    µs μs: microsecond
    ms: millisecond
    s sec secs: second
    min mins: minute
    h hr hrs: hour
    wk wks: week
    mos: month
    yr yrs: year
    Hz: hertz
    kHz: kilohertz
    MHz: megahertz
    GHz: gigahertz
    V: volt
    mV: millivolt
    kV: kilovolt
    mA: milliamp
    µA μA: microamp
    pF: picofarad
    nF: nanofarad
    µF μF uF: microfarad
    mH: millihenry
    eV: electron volt
    keV: kiloelectron volt
    MeV: megaelectron volt
    mAh mA·h: milliamp hour
    Ah: amp hour
    W: watt
    mW: milliwatt
    kW: kilowatt
    MW: megawatt
    GW: gigawatt
    TW: terawatt
    hp: horsepower
    Wh: watt hour
    kWh kW·h: kilowatt hour
    MWh: megawatt hour
    GWh: gigawatt hour
    TWh: terawatt hour
    Ω: ohm
    kΩ: kilohm
    MΩ: megohm
    BTU: BTU
    J: joule
    kJ: kilojoule
    cal: calorie
    kcal: kilocalorie
    N: newton
    Nm N·m N⋅m: newton meter
    kN: kilonewton
    Pa: pascal
    kPa: kilopascal
    hPa: hectopascal
    MPa: megapascal
    psi: PSI
    lb/in²: pounds per square inch
    ft-lb ft-lbs ft·lb lb-ft lbf·ft: foot pound
    mbar: millibar
    atm: atmosphere
    dB: decibel
    dBm: decibel milliwatt
    dBA: decibel
    lx: lux
    KB kB: kilobyte
    MB: megabyte
    GB: gigabyte
    TB: terabyte
    PB: petabyte
    EB: exabyte
    Kb kb kbit: kilobit
    Mb Mbit: megabit
    Gb Gbit: gigabit
    KiB: kibibyte
    bps: basis point
    MiB: mebibyte
    GiB: gibibyte
    TiB: tebibyte
    kbps Kbps: kilobits per second
    Mbps: megabits per second
    Gbps: gigabits per second
    mph: miles per hour
    kph kmh: kilometers per hour
    mpg: miles per gallon
    rpm RPM: RPM
    fps FPS: frames per second
    bpm BPM: beats per minute
    wpm WPM: words per minute
    ppm: parts per million
    ppb: parts per billion
    dpi DPI: DPI
    px: pixel
    MP: megapixel
    cc: cubic centimeter
    ha: hectare
    mmHg: millimeters of mercury
    mm_Hg: millimeters of mercury
    mol: mole
    mmol: millimole
    mSv: millisievert
    IU: international unit
    lm: lumen
    sqft sq.ft. ft2: square foot
    sqm m2: square meter
    km2: square kilometer
    m3: cubic meter
    cm3: cubic centimeter
""")
_PLURALS: Final = {"foot": "feet", "PSI": "PSI", "RPM": "RPM", "DPI": "DPI", "horsepower": "horsepower", "lux": "lux"}
WRITTEN_UNIT: Final = "|".join(re.escape(name).replace("_", r"\s") for name in sorted(UNITS, key=len, reverse=True))
"""Any of them, the longest first."""
_BRITISH: Final = re.compile(r"(?<=met|lit)er\b|(?<=met|lit)er(?=s\b)")
_EXPONENTS: Final = {"²": "square ", "^2": "square ", "³": "cubic ", "^3": "cubic "}


def plural_of(unit: str) -> str:
    if " per " in unit or " of " in unit:
        return unit
    head, _, last = unit.rpartition(" ")
    many = last if last.endswith("hertz") else _PLURALS.get(last, last + "s")
    return f"{head} {many}".strip()


def unit_name(unit: str, exponent: str | None, words: Words, *, plural: bool) -> str:
    name = _EXPONENTS.get(exponent or "", "") + UNITS[unit.replace(" ", "_")]
    name = plural_of(name) if plural else name
    return spelled(name, words)


def per_unit(unit: str, exponent: str | None, words: Words) -> str:
    """m/s²: per second squared; kg/m³: per cubic meter."""
    if exponent and UNITS[unit.replace(" ", "_")] in ("second", "minute", "hour"):
        return f"{unit_name(unit, None, words, plural=False)} {'squared' if exponent[-1] in '²2' else 'cubed'}"
    return unit_name(unit, exponent, words, plural=False)


def spelled(name: str, words: Words) -> str:
    """Metre and litre where they are British."""
    return _BRITISH.sub("re", name) if words.british else name
