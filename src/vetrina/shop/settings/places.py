"""Countries, their states, and continents, for the shop's settings, addresses, taxes and shipping.

Names and states come from libraries (babel for countries, pycountry for ISO 3166-2). Of the second only the data file
is read: its objects cost ten times as much. `preload_countries` reads both when a site with a shop starts, so that no
visitor waits for it. Declared here are the differences of this interface: other names, the format of state codes, and
which countries form a continent. Not here: currencies (shop/settings/currencies.py), shipping zones
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
from vetrina.backends.tables.records import record
from vetrina.core.phrases import ENGLISH
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text


def _split_codes(text: str) -> tuple[str, ...]:
    return tuple(text.split())


CONTINENTS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "AF": (
        "Africa",
        _split_codes(
            "AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU "
            "MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW"
        ),
    ),
    "AN": (
        "Antarctica",
        _split_codes("AQ BV GS HM TF"),
    ),
    "AS": (
        "Asia",
        _split_codes(
            "AE AF AM AZ BD BH BN BT CC CN CX CY GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN "
            "MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TW UZ VN YE"
        ),
    ),
    "EU": (
        "Europe",
        _split_codes(
            "AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC "
            "MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM TR UA VA XK"
        ),
    ),
    "NA": (
        "North America",
        _split_codes(
            "AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR "
            "SV SX TC TT US VC VG VI"
        ),
    ),
    "OC": (
        "Oceania",
        _split_codes("AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS"),
    ),
    "SA": (
        "South America",
        _split_codes("AR BO BR CL CO EC FK GF GY PE PY SR UY VE"),
    ),
}

# Names of countries that differ from the library's; with the entities that clients expect.
_COUNTRY_NAMES: Final[Mapping[str, str]] = {
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

# The code of a state is ISO's part after the country, or that with the country prefixed in one of three ways.
_BARE_CODE_COUNTRIES: Final = frozenset(
    _split_codes("AO AR AU BJ BR CA CH CN ES GH GR HU ID IE IN IR IT LA LR MD MX MY NA NG NP NZ PE PH PK RO UM US ZA")
)
_DASHED_CODE_COUNTRIES: Final = frozenset(
    _split_codes("AL BD BG BO CL CO CR DE DO DZ EC GT HN HR JM NI PA PY SV TH UY VE ZM")
)
_JOINED_CODE_COUNTRIES: Final = frozenset(_split_codes("EG JP KE KN MZ RS SN TR TZ UA UG"))
_LOWERCASE_CODE_COUNTRIES: Final = frozenset({"MA"})

# Territories that are countries of their own here, and the military postal regions, which ISO does not have.
_EXCLUDED_SUBDIVISIONS: Final = frozenset({"IT-23", "US-AS", "US-GU", "US-MP", "US-PR", "US-UM", "US-VI"})
_EXTRA_STATES: Final[Mapping[str, Mapping[str, str]]] = {
    "HK": {"HONG KONG": "Hong Kong Island", "KOWLOON": "Kowloon", "NEW TERRITORIES": "New Territories"},
    "IT": {"AO": "Aosta"},
    "US": {"AA": "Armed Forces (AA)", "AE": "Armed Forces (AE)", "AP": "Armed Forces (AP)"},
}

_SUBDIVISION_FILE_PATH: Final = "databases/iso3166-2.json"  # in pycountry's folder

_PUBLISHED_PAGES = Statement(
    select(record.c.id, record.c.title)
    .where(record.c.type == "page", record.c.status == "publish")
    .order_by(record.c.id)
)


@cache
def list_countries(language: str = ENGLISH) -> Mapping[str, str]:
    """Return the names of all countries by code, sorted by name."""
    from babel import Locale

    names = Locale(language).territories
    own = _COUNTRY_NAMES if language == ENGLISH else {}
    codes = {code for _, codes in CONTINENTS.values() for code in codes}
    labels = {code: own.get(code) or names[code] for code in codes}
    return dict(sorted(labels.items(), key=lambda item: fold_text(item[1])))


@cache
def list_states(country: str) -> Mapping[str, str]:
    """Return the names of a country's states by code, sorted by name; empty where addresses have none."""
    labels = {**_list_iso_states(country), **_EXTRA_STATES.get(country, {})}
    return dict(sorted(labels.items(), key=lambda item: fold_text(item[1])))


@cache
def list_regions(language: str = ENGLISH) -> Mapping[str, str]:
    """Return every location of a shop: `SM`, or `US:CA` with the state where the country has states.

    language: of the names of countries; those of states are not translated.
    """
    return dict(_iterate_regions(language))


def preload_countries() -> None:
    """Load countries and states, once per process."""
    list_countries()
    _load_subdivisions()


def list_published_pages(work: UnitOfWork) -> list[tuple[int, str]]:
    """Return the published pages of a site: id and title."""
    work.uses("page")
    return [(row[0], row[1]) for row in work.tx.all(_PUBLISHED_PAGES)]


def _list_iso_states(country: str) -> Mapping[str, str]:
    """Return the subdivisions of a country that have none below them, by the codes of this interface."""
    spelt = _find_state_code_format(country)
    if spelt is None:
        return {}
    known = [one for one in _load_subdivisions().get(country, ()) if one.code not in _EXCLUDED_SUBDIVISIONS]
    above = {one.parent_code for one in known}
    return {spelt(one.code.partition("-")[2]): one.name for one in known if one.code not in above}


class _Subdivision(msgspec.Struct, frozen=True):
    """A subdivision in ISO 3166-2. parent: the code of the one it is in, with or without the country prefix."""

    code: str
    name: str
    parent: str = ""

    @property
    def country(self) -> str:
        return self.code.partition("-")[0]

    @property
    def parent_code(self) -> str:
        """Return the full code of the parent, empty for none."""
        whole = not self.parent or self.parent.startswith(f"{self.country}-")
        return self.parent if whole else f"{self.country}-{self.parent}"


class _SubdivisionFile(msgspec.Struct, frozen=True):
    """The file of pycountry."""

    subdivisions: list[_Subdivision] = msgspec.field(name="3166-2")


@cache
def _load_subdivisions() -> Mapping[str, list[_Subdivision]]:
    """Return the subdivisions of all countries, by country code."""
    found = find_spec("pycountry")
    if found is None or found.origin is None:
        raise ModuleNotFoundError("pycountry")
    out: dict[str, list[_Subdivision]] = {}
    for one in msgspec.json.decode(
        (Path(found.origin).parent / _SUBDIVISION_FILE_PATH).read_bytes(), type=_SubdivisionFile
    ).subdivisions:
        out.setdefault(one.country, []).append(one)
    return out


def _iterate_regions(language: str) -> Iterable[tuple[str, str]]:
    for code, name in list_countries(language).items():
        own = list_states(code)
        if not own:
            yield code, name
        for state, title in own.items():
            yield f"{code}:{state}", f"{name} — {title}"


def _find_state_code_format(country: str) -> Callable[[str], str] | None:
    """Return the function that formats a country's state codes; None where addresses have no states."""
    if country in _BARE_CODE_COUNTRIES:
        return str
    if country in _DASHED_CODE_COUNTRIES:
        return f"{country}-{{}}".format
    if country in _JOINED_CODE_COUNTRIES:
        return f"{country}{{}}".format
    return (lambda code: f"{country}{code}".lower()) if country in _LOWERCASE_CODE_COUNTRIES else None
