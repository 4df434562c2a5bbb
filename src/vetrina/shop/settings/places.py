"""Countries, their states, and continents, as the shop's settings, addresses, taxes and shipping name them.

Names and states come from libraries (babel for countries, pycountry for ISO 3166-2). Of the second only the data are
read: its objects cost ten times as much. `learn` reads both when a site with a shop starts, so that no visitor waits
for it. What is written here is where this interface differs: names it gives otherwise, how it spells the codes of
states, and which countries make a continent. Not here: currencies (shop/settings/currencies.py), zones
(shop/shipping/zones.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.folding import fold

__all__ = ["CONTINENTS", "countries", "learn", "pages", "regions", "states"]


def _codes(written: str) -> tuple[str, ...]:
    return tuple(written.split())


CONTINENTS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "AF": (
        "Africa",
        _codes(
            "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU "
            "MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW"
        ),
    ),
    "AN": (
        "Antarctica",
        _codes("AQ BV GS HM TF"),
    ),
    "AS": (
        "Asia",
        _codes(
            "AE AF AM AZ BD BH BN BT CC CN CX CY GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN "
            "MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TW UZ VN YE"
        ),
    ),
    "EU": (
        "Europe",
        _codes(
            "AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC "
            "MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM TR UA VA XK"
        ),
    ),
    "NA": (
        "North America",
        _codes(
            "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR "
            "SV SX TC TT US VC VG VI"
        ),
    ),
    "OC": (
        "Oceania",
        _codes("AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS"),
    ),
    "SA": (
        "South America",
        _codes("AR BO BR CL CO EC FK GF GY PE PY SR UY VE"),
    ),
}

# Where the interface calls a country otherwise than the library does; entities are as clients are used to them.
_NAMES: Final[Mapping[str, str]] = {
    "AG": "Antigua and Barbuda",
    "BA": "Bosnia and Herzegovina",
    "BL": "Saint Barth&eacute;lemy",
    "BQ": "Bonaire, Saint Eustatius and Saba",
    "CD": "Congo (Kinshasa)",
    "CG": "Congo (Brazzaville)",
    "CI": "Ivory Coast",
    "CW": "Cura&ccedil;ao",
    "CZ": "Czech Republic",
    "GB": "United Kingdom (UK)",
    "GS": "South Georgia/Sandwich Islands",
    "HK": "Hong Kong",
    "HM": "Heard Island and McDonald Islands",
    "KN": "Saint Kitts and Nevis",
    "LC": "Saint Lucia",
    "MF": "Saint Martin (French part)",
    "MM": "Myanmar",
    "MO": "Macao",
    "PM": "Saint Pierre and Miquelon",
    "PN": "Pitcairn",
    "PS": "Palestinian Territory",
    "PW": "Belau",
    "RE": "Reunion",
    "SH": "Saint Helena",
    "SJ": "Svalbard and Jan Mayen",
    "ST": "S&atilde;o Tom&eacute; and Pr&iacute;ncipe",
    "SX": "Saint Martin (Dutch part)",
    "TC": "Turks and Caicos Islands",
    "TT": "Trinidad and Tobago",
    "UM": "United States (US) Minor Outlying Islands",
    "US": "United States (US)",
    "VA": "Vatican",
    "VC": "Saint Vincent and the Grenadines",
    "VG": "Virgin Islands (British)",
    "VI": "Virgin Islands (US)",
    "WF": "Wallis and Futuna",
}

# The code of a state is ISO's part after the country, or that with the country in front of it in one of three ways.
_BARE: Final = frozenset(
    _codes("AO AR AU BJ BR CA CH CN ES GH GR HU ID IE IN IR IT LA LR MD MX MY NA NG NP NZ PE PH PK RO UM US ZA")
)
_DASHED: Final = frozenset(_codes("AL BD BG BO CL CO CR DE DO DZ EC GT HN HR JM NI PA PY SV TH UY VE ZM"))
_JOINED: Final = frozenset(_codes("EG JP KE KN MZ RS SN TR TZ UA UG"))
_JOINED_SMALL: Final = frozenset({"MA"})

# Territories that are countries of their own here, and the posts of the armed forces, which ISO does not know.
_NOT_STATES: Final = frozenset({"IT-23", "US-AS", "US-GU", "US-MP", "US-PR", "US-UM", "US-VI"})
_MORE_STATES: Final[Mapping[str, Mapping[str, str]]] = {
    "HK": {"HONG KONG": "Hong Kong Island", "KOWLOON": "Kowloon", "NEW TERRITORIES": "New Territories"},
    "IT": {"AO": "Aosta"},
    "US": {"AA": "Armed Forces (AA)", "AE": "Armed Forces (AE)", "AP": "Armed Forces (AP)"},
}

_FILE: Final = "databases/iso3166-2.json"  # in the folder of pycountry

_PAGES = Statement(
    select(record.c.id, record.c.title)
    .where(record.c.type == "page", record.c.status == "publish")
    .order_by(record.c.id)
)


@cache
def countries() -> Mapping[str, str]:
    """Return the names of all countries by their codes, in the order of the names."""
    from babel import Locale

    names = Locale("en").territories
    codes = {code for _, codes in CONTINENTS.values() for code in codes}
    named = {code: _NAMES.get(code) or names[code] for code in codes}
    return dict(sorted(named.items(), key=lambda item: fold(item[1])))


@cache
def states(country: str) -> Mapping[str, str]:
    """Return the names of a country's states by their codes, in the order of the names; none where none are asked."""
    named = {**_of_iso(country), **_MORE_STATES.get(country, {})}
    return dict(sorted(named.items(), key=lambda item: fold(item[1])))


@cache
def regions() -> Mapping[str, str]:
    """Return every place that a shop may be in: `SM`, or with the state `US:CA`, where the country has states."""
    return dict(_regions())


def learn() -> None:
    """Read countries and their parts, once a process."""
    countries()
    _subdivisions()


def pages(work: Work) -> list[tuple[int, str]]:
    """Return the published pages of a site, by number with their titles."""
    work.uses("page")
    return [(row[0], row[1]) for row in work.tx.all(_PAGES)]


def _of_iso(country: str) -> Mapping[str, str]:
    """Return the parts of a country that have none beneath them, by the codes of this interface."""
    spelt = _spelling(country)
    if spelt is None:
        return {}
    known = [one for one in _subdivisions().get(country, ()) if one.code not in _NOT_STATES]
    above = {one.above for one in known}
    return {spelt(one.code.partition("-")[2]): one.name for one in known if one.code not in above}


class _Part(msgspec.Struct, frozen=True):
    """A part of a country as ISO 3166-2 has it. parent: the part that it is in, with its country in front or not."""

    code: str
    name: str
    parent: str = ""

    @property
    def country(self) -> str:
        return self.code.partition("-")[0]

    @property
    def above(self) -> str:
        """Return the whole code of the part that it is in, empty for none."""
        whole = not self.parent or self.parent.startswith(f"{self.country}-")
        return self.parent if whole else f"{self.country}-{self.parent}"


class _Parts(msgspec.Struct, frozen=True):
    """The file of the library."""

    every: list[_Part] = msgspec.field(name="3166-2")


@cache
def _subdivisions() -> Mapping[str, list[_Part]]:
    """Return the parts of all countries, by the code of the country."""
    found = find_spec("pycountry")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("pycountry")
    out: dict[str, list[_Part]] = {}
    for one in msgspec.json.decode((Path(found.origin).parent / _FILE).read_bytes(), type=_Parts).every:
        out.setdefault(one.country, []).append(one)
    return out


def _regions() -> Iterable[tuple[str, str]]:
    for code, name in countries().items():
        own = states(code)
        if not own:
            yield code, name
        for state, title in own.items():
            yield f"{code}:{state}", f"{name} — {title}"


def _spelling(country: str) -> Callable[[str], str] | None:
    """Return how a country's states are coded; None where nobody asks for them."""
    if country in _BARE:
        return str
    if country in _DASHED:
        return f"{country}-{{}}".format
    if country in _JOINED:
        return f"{country}{{}}".format
    return (lambda code: f"{country}{code}".lower()) if country in _JOINED_SMALL else None
