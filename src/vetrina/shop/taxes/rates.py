"""Tax rates as they are kept, listed and changed.

Not here: which ones hold at a place and what they make of an amount (shop/taxes/rules.py), classes
(shop/taxes/classes.py). Rules: facts, "Taxes, settings, shipping, gateways, data": codes and cities in capitals, four
decimals, a rate that is no number is nothing, an empty list of places on a change is not a change, `*` alone is
everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

import orjson
from sqlalchemy import ColumnElement, bindparam, delete, func, insert, select, update

from vetrina.backends.database import Row, Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.statement_cache import Among, Shapes, listed
from vetrina.backends.tables.taxes_shipping import tax_rate as table
from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.taxes.rules import Place, Rate

__all__ = [
    "ORDERS", "RateToRemoveUnknown", "TaxRate", "UnknownRate", "at", "by_ids", "change", "create", "get", "ids", "page",
    "remove",
]  # fmt: skip

ORDERS: Final = ("id", "order", "priority")
_EVERYWHERE: Final = "*"  # what clients write for every country, state, postcode or city


class UnknownRate(ApiError):
    status = 404
    code = "shop_rest_invalid_id"
    message = "There is no tax rate with this number."


class RateToRemoveUnknown(ApiError):
    code = "shop_rest_invalid_id"
    message = "There is no tax rate with this number that could be removed."


@dataclass(frozen=True, slots=True)
class TaxRate:
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
        """Return the rate as a number; nothing where none was given."""
        return Decimal(self.rate or 0)

    def counted(self) -> Rate:
        """Return what counting needs of it."""
        return Rate(
            self.id, self.percent, self.name, self.country, self.state, self.postcodes, self.cities, self.priority,
            self.compound, self.shipping, self.position, self.tax_class,
        )  # fmt: skip


_COLUMNS = tuple(table.c)
_NAMES = tuple(column.name for column in _COLUMNS)
_ONE = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id")))
_SOME = Statement(select(*_COLUMNS).where(Among(table.c.id, "ids")))
_AT = Statement(select(*_COLUMNS).where(Among(table.c.country, "countries")))
_IDS = Statement(select(table.c.id).order_by(table.c.id))
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _NAMES}))
_UPDATE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in _NAMES if name != "id"})
)
_REMOVE = Statement(delete(table).where(table.c.id == bindparam("id")))
_COUNT = Statement(select(func.count()).select_from(table))
_COUNT_OF_CLASS = Statement(select(func.count()).where(table.c.tax_class == bindparam("tax_class")))
_PAGES = Shapes()


def get(work: Work, id: int) -> TaxRate:
    """Return a rate. Raises UnknownRate."""
    work.uses("tax_rate")
    row = work.tx.first(_ONE, id=id)
    if row is None:
        raise UnknownRate
    return _of_row(row)


def ids(work: Work) -> list[int]:
    """Return the numbers of all rates."""
    work.uses("tax_rate")
    return [row[0] for row in work.tx.all(_IDS)]


def by_ids(work: Work, ids: Iterable[int]) -> dict[int, TaxRate]:
    """Return the rates with some numbers, by number; unknown ones are left out."""
    work.uses("tax_rate")
    return {row[0]: _of_row(row) for row in work.tx.all(_SOME, ids=listed(ids))}


def at(work: Work, place: Place) -> Sequence[Rate]:
    """Return the rates that may hold at a place: those of its country and those of all countries."""
    work.uses("tax_rate")
    kept: dict[str, list[Rate]] = work.memo.setdefault("tax_rates", {})
    country = place.country.upper()
    if country not in kept:
        kept[country] = [_counted(row) for row in work.tx.all(_AT, countries=listed(["", country]))]
    return kept[country]


def page(
    work: Work, *, orderby: str, order: str, tax_class: str | None, per_page: int, start: int
) -> tuple[list[TaxRate], int]:
    """Return a page of rates with the number of all.

    orderby: id, order or priority. tax_class: those of one class, the empty slug for the standard one; None for all.
    """
    work.uses("tax_rate")
    values: dict[str, Any] = {"limit": per_page, "start": start}
    if tax_class is not None:
        values["tax_class"] = tax_class
    statement = _PAGES.get((orderby, order, tax_class is None), lambda: _selection(orderby, order, tax_class is None))
    rates = [_of_row(row) for row in work.tx.all(statement, **values)]
    total = work.tx.value(_COUNT) if tax_class is None else work.tx.value(_COUNT_OF_CLASS, tax_class=tax_class)
    return rates, int(total or 0)


def create(work: Work, given: Mapping[str, Any]) -> TaxRate:
    """Make a rate; given: members by the names of TaxRate."""
    made = replace(_with(work, TaxRate(), given), id=next_number(work.tx, "tax_rate"))
    work.tx.run(_INSERT, **_row(made))
    _noted(work, made.id, "created")
    return made


def change(work: Work, id: int, given: Mapping[str, Any]) -> TaxRate:
    """Change members of a rate. Raises UnknownRate."""
    new = _with(work, get(work, id), given)
    row = _row(new)
    del row["id"]
    work.tx.run(_UPDATE, of=id, **row)
    _noted(work, id, "changed")
    return new


def remove(work: Work, id: int) -> TaxRate:
    """Remove a rate and return it. Raises RateToRemoveUnknown."""
    try:
        gone = get(work, id)
    except UnknownRate:
        raise RateToRemoveUnknown from None
    work.tx.run(_REMOVE, id=id)
    _noted(work, id, "removed")
    return gone


def _noted(work: Work, id: int, action: str) -> None:
    work.memo.pop("tax_rates", None)
    work.note("tax_rate", id, action)


def _with(work: Work, old: TaxRate, given: Mapping[str, Any]) -> TaxRate:
    members = dict(given)
    if "name" in members:
        members["name"] = allowed_text(work.user, members["name"])
    for name in ("country", "state"):
        if name in members:
            code = members[name].strip().upper()
            members[name] = "" if code == _EVERYWHERE else code
    for name in ("postcodes", "cities"):
        places = tuple(clean for one in members.pop(name, ()) if (clean := one.strip().upper()))
        if places:
            members[name] = tuple(one for one in places if one != _EVERYWHERE)
    if "rate" in members:
        members["rate"] = _rate(members["rate"])
    return replace(old, **members)


def _rate(written: str) -> str:
    if not written.strip():
        return ""
    return money.text(money.parsed(written) or money.ZERO, 4)


def _selection(orderby: str, order: str, of_all: bool) -> Any:
    columns: dict[str, list[ColumnElement[Any]]] = {
        "id": [table.c.id],
        "order": [table.c.position, table.c.id],
        "priority": [table.c.priority, table.c.id],
    }
    ordered = [column.desc() if order == "desc" else column.asc() for column in columns[orderby]]
    out = select(*_COLUMNS).order_by(*ordered).limit(bindparam("limit")).offset(bindparam("start"))
    return out if of_all else out.where(table.c.tax_class == bindparam("tax_class"))


@lru_cache(maxsize=1024)
def _counted(row: Row) -> Rate:
    """Return what counting needs of a row; every cart asks for the same few rows."""
    return _of_row(row).counted()


def _of_row(row: Row) -> TaxRate:
    members = dict(zip(_NAMES, row, strict=True))
    for name in ("postcodes", "cities"):
        members[name] = tuple(orjson.loads(members[name]))
    for name in ("compound", "shipping"):
        members[name] = bool(members[name])
    return TaxRate(**members)


def _row(rate: TaxRate) -> dict[str, Any]:
    row = asdict(rate)
    for name in ("postcodes", "cities"):
        row[name] = orjson.dumps(row[name]).decode()
    return row
