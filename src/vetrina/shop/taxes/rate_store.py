"""Storage of tax rates: rows, lists and changes.

Not here: choice of rates and arithmetic (shop/taxes/rules.py), classes (shop/taxes/classes.py). Rules:
docs/rules/taxes.md, 1: codes and cities in capitals, four decimals, a rate that is not a number is 0, an empty list of
places in an update changes nothing, `*` alone means everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import claim_id
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.store import FLAG, JSON_TUPLE, Store
from vetrina.backends.tables.taxes_shipping import tax_rate as table
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.listing import ListFilters, Listing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.taxes.rules import EffectiveTaxRate, TaxLocation

EVERYWHERE: Final = "*"  # what clients write for every country, state, postcode or city


class TaxRateNotFound(ApiError):
    failure = Failure.NOT_FOUND
    code = "shop_rest_invalid_id"
    message = "There is no tax rate with this number."


class TaxRateToDeleteNotFound(ApiError):
    code = "shop_rest_invalid_id"
    message = "There is no tax rate with this number that could be removed."


class TaxRate(msgspec.Struct, frozen=True):
    """A tax rate. rate: text with four decimals, empty for none. tax_class: a slug, empty for the standard one."""

    id: int = 0
    country: str = ""
    state: str = ""
    postcodes: tuple[str, ...] = ()
    cities: tuple[str, ...] = ()
    rate: str = ""
    name: str = ""
    priority: int = 1
    compound: bool = False
    shipping: bool = True
    position: int = 0
    tax_class: str = ""

    @property
    def percent(self) -> Decimal:
        """Return the rate as a number; 0 where none was given."""
        return Decimal(self.rate or 0)

    def to_effective_rate(self) -> EffectiveTaxRate:
        """Return the part of it that computing needs."""
        return EffectiveTaxRate(
            self.id, self.percent, self.name, self.country, self.state, self.postcodes, self.cities, self.priority,
            self.compound, self.shipping, self.position, self.tax_class,
        )  # fmt: skip


class TaxRateQuery(msgspec.Struct, frozen=True, kw_only=True):
    """Query of a list of rates. orderby: of TAX_RATE_ORDERS. tax_class: a slug as in TaxRate; None for all classes."""

    tax_class: str | None = None
    include: tuple[int, ...] = ()
    orderby: str = "id"
    descending: bool = False
    limit: int = 10
    offset: int = 0


_ORDERS: Final = {"id": table.c.id, "order": table.c.position, "priority": table.c.priority}
TAX_RATE_ORDERS: Final = tuple(_ORDERS)
_STORE: Final = Store(
    table, TaxRate,
    {**dict.fromkeys(("postcodes", "cities"), JSON_TUPLE), **dict.fromkeys(("compound", "shipping"), FLAG)},
)  # fmt: skip
_LISTING: Final = Listing(_STORE, _ORDERS)
_RATES_BY_COUNTRY = Statement(select(*_STORE.columns).where(InList(table.c.country, "countries")))
_NAMESAKES = Statement(
    select(*_STORE.columns)
    .where(*(table.c[name] == bindparam(name) for name in ("name", "country", "rate")))
    .order_by(table.c.id)
)
_RATE_IDS = Statement(select(table.c.id).order_by(table.c.id))


def get_tax_rate(work: UnitOfWork, id: int) -> TaxRate:
    """Return a rate. Raises TaxRateNotFound."""
    work.uses("tax_rate")
    found = _STORE.find(work.tx, id)
    if found is None:
        raise TaxRateNotFound
    return found


def get_tax_rate_to_delete(work: UnitOfWork, id: int) -> TaxRate:
    """Return a rate that is to be deleted. Raises TaxRateToDeleteNotFound."""
    try:
        return get_tax_rate(work, id)
    except TaxRateNotFound:
        raise TaxRateToDeleteNotFound from None


def list_tax_rate_ids(work: UnitOfWork) -> list[int]:
    """Return the ids of all rates."""
    work.uses("tax_rate")
    return [row[0] for row in work.tx.all(_RATE_IDS)]


def load_tax_rates_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, TaxRate]:
    """Return the rates with some ids, by id; unknown ones are left out."""
    work.uses("tax_rate")
    return _STORE.load_by_ids(work.tx, ids)


def list_tax_rates_at(work: UnitOfWork, place: TaxLocation) -> Sequence[EffectiveTaxRate]:
    """Return the rates that may apply at a location: those of its country and those of all countries."""
    work.uses("tax_rate")
    cache: dict[str, list[EffectiveTaxRate]] = work.lookups.setdefault("tax_rates", {})
    country = place.country.upper()
    if country not in cache:
        cache[country] = [
            _row_to_effective_rate(row) for row in work.tx.all(_RATES_BY_COUNTRY, countries=encode_list(["", country]))
        ]
    return cache[country]


def list_tax_rates(work: UnitOfWork, query: TaxRateQuery) -> tuple[list[TaxRate], int]:
    """Return a page of rates, and how many there are."""
    work.uses("tax_rate")
    filters: ListFilters = {}
    if query.tax_class is not None:
        filters["class"] = (lambda: table.c.tax_class == bindparam("tax_class")), {"tax_class": query.tax_class}
    return _LISTING.list_page(work, filters, query)


def create_tax_rate(work: UnitOfWork, given: Mapping[str, Any], *, id: int = 0) -> TaxRate:
    """Create a rate; given: values by fields of TaxRate. id: a free one that it takes, 0 for the next one."""
    made = msgspec.structs.replace(_apply_rate_changes(work, TaxRate(), given), id=claim_id(work.tx, id, "tax_rate"))
    _STORE.insert(work.tx, made)
    _note_rate_change(work, made.id, "created")
    return made


def find_equal_rate(work: UnitOfWork, given: Mapping[str, Any]) -> TaxRate | None:
    """Return the oldest rate that has all of the given values, by fields of TaxRate."""
    wanted = _apply_rate_changes(work, TaxRate(), given)
    held = _STORE.of_rows(work.tx.all(_NAMESAKES, name=wanted.name, country=wanted.country, rate=wanted.rate))
    return next((one for one in held if msgspec.structs.replace(one, id=0) == wanted), None)


def update_tax_rate(work: UnitOfWork, old: TaxRate, given: Mapping[str, Any]) -> TaxRate:
    """Change fields of a rate."""
    new = _apply_rate_changes(work, old, given)
    _STORE.update(work.tx, old, new)
    _note_rate_change(work, new.id, "changed")
    return new


def delete_tax_rate(work: UnitOfWork, rate: TaxRate) -> None:
    """Delete a rate."""
    _STORE.delete(work.tx, rate.id)
    _note_rate_change(work, rate.id, "removed")


def _note_rate_change(work: UnitOfWork, id: int, action: str) -> None:
    work.lookups.pop("tax_rates", None)
    work.note("tax_rate", id, action)


def _apply_rate_changes(work: UnitOfWork, old: TaxRate, given: Mapping[str, Any]) -> TaxRate:
    members = dict(given)
    if "name" in members:
        members["name"] = sanitize_short_text(work.user, members["name"])
    for name in ("country", "state"):
        if name in members:
            code = members[name].strip().upper()
            members[name] = "" if code == EVERYWHERE else code
    for name in ("postcodes", "cities"):
        places = tuple(clean for one in members.pop(name, ()) if (clean := one.strip().upper()))
        if places:
            members[name] = tuple(one for one in places if one != EVERYWHERE)
    if "rate" in members:
        members["rate"] = _normalize_percent(members["rate"])
    return msgspec.structs.replace(old, **members)


def _normalize_percent(written: str) -> str:
    if not written.strip():
        return ""
    return money.format_amount(money.parse_amount(written) or money.ZERO, 4)


@lru_cache(maxsize=1024)
def _row_to_effective_rate(row: Row) -> EffectiveTaxRate:
    """Return the effective rate of a row; cached, since every cart reads the same few rows."""
    return _STORE.of_row(row).to_effective_rate()
