"""Storage of tax rates: rows, lists and changes.

Not here: choice of rates and arithmetic (shop/taxes/rules.py), classes (shop/taxes/classes.py). Rules:
docs/rules/taxes.md, 1: codes and cities in capitals, four decimals, a rate that is not a number is 0, an empty list of
places in an update changes nothing, `*` alone means everywhere.
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
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.statement_cache import InList, StatementCache, encode_list
from vetrina.backends.tables.taxes_shipping import tax_rate as table
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop.taxes.rules import EffectiveTaxRate, TaxLocation

__all__ = [
    "TAX_RATE_ORDERS",
    "TaxRate",
    "TaxRateNotFound",
    "TaxRateToDeleteNotFound",
    "create_tax_rate",
    "delete_tax_rate",
    "get_tax_rate",
    "list_tax_rate_ids",
    "list_tax_rates",
    "list_tax_rates_at",
    "load_tax_rates_by_id",
    "update_tax_rate",
]  # fmt: skip

TAX_RATE_ORDERS: Final = ("id", "order", "priority")
_EVERYWHERE_WORD: Final = "*"  # what clients write for every country, state, postcode or city


class TaxRateNotFound(ApiError):
    failure = Failure.NOT_FOUND
    code = "shop_rest_invalid_id"
    message = "There is no tax rate with this number."


class TaxRateToDeleteNotFound(ApiError):
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
        """Return the rate as a number; 0 where none was given."""
        return Decimal(self.rate or 0)

    def to_effective_rate(self) -> EffectiveTaxRate:
        """Return the part of it that computing needs."""
        return EffectiveTaxRate(
            self.id, self.percent, self.name, self.country, self.state, self.postcodes, self.cities, self.priority,
            self.compound, self.shipping, self.position, self.tax_class,
        )  # fmt: skip


_COLUMNS = tuple(table.c)
_COLUMN_NAMES = tuple(column.name for column in _COLUMNS)
_RATE_BY_ID = Statement(select(*_COLUMNS).where(table.c.id == bindparam("id")))
_RATES_BY_ID = Statement(select(*_COLUMNS).where(InList(table.c.id, "ids")))
_RATES_BY_COUNTRY = Statement(select(*_COLUMNS).where(InList(table.c.country, "countries")))
_RATE_IDS = Statement(select(table.c.id).order_by(table.c.id))
_INSERT = Statement(insert(table).values({name: bindparam(name) for name in _COLUMN_NAMES}))
_UPDATE = Statement(
    update(table)
    .where(table.c.id == bindparam("of"))
    .values({name: bindparam(name) for name in _COLUMN_NAMES if name != "id"})
)
_DELETE_RATE = Statement(delete(table).where(table.c.id == bindparam("id")))
_COUNT = Statement(select(func.count()).select_from(table))
_COUNT_OF_CLASS = Statement(select(func.count()).where(table.c.tax_class == bindparam("tax_class")))
_PAGE_STATEMENTS = StatementCache()


def get_tax_rate(work: UnitOfWork, id: int) -> TaxRate:
    """Return a rate. Raises TaxRateNotFound."""
    work.uses("tax_rate")
    row = work.tx.first(_RATE_BY_ID, id=id)
    if row is None:
        raise TaxRateNotFound
    return _row_to_tax_rate(row)


def list_tax_rate_ids(work: UnitOfWork) -> list[int]:
    """Return the ids of all rates."""
    work.uses("tax_rate")
    return [row[0] for row in work.tx.all(_RATE_IDS)]


def load_tax_rates_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, TaxRate]:
    """Return the rates with some ids, by id; unknown ones are left out."""
    work.uses("tax_rate")
    return {row[0]: _row_to_tax_rate(row) for row in work.tx.all(_RATES_BY_ID, ids=encode_list(ids))}


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


def list_tax_rates(
    work: UnitOfWork, *, orderby: str, order: str, tax_class: str | None, per_page: int, start: int
) -> tuple[list[TaxRate], int]:
    """Return a page of rates, and how many there are.

    orderby: id, order or priority. tax_class: those of one class, the empty slug for the standard one; None for all.
    """
    work.uses("tax_rate")
    values: dict[str, Any] = {"limit": per_page, "start": start}
    if tax_class is not None:
        values["tax_class"] = tax_class
    statement = _PAGE_STATEMENTS.get(
        (orderby, order, tax_class is None), lambda: _build_page_statement(orderby, order, tax_class is None)
    )
    rates = [_row_to_tax_rate(row) for row in work.tx.all(statement, **values)]
    total = work.tx.value(_COUNT) if tax_class is None else work.tx.value(_COUNT_OF_CLASS, tax_class=tax_class)
    return rates, int(total or 0)


def create_tax_rate(work: UnitOfWork, given: Mapping[str, Any]) -> TaxRate:
    """Create a rate; given: values by fields of TaxRate."""
    made = replace(_apply_rate_changes(work, TaxRate(), given), id=allocate_id(work.tx, "tax_rate"))
    work.tx.run(_INSERT, **_tax_rate_to_row(made))
    _note_rate_change(work, made.id, "created")
    return made


def update_tax_rate(work: UnitOfWork, id: int, given: Mapping[str, Any]) -> TaxRate:
    """Change fields of a rate. Raises TaxRateNotFound."""
    new = _apply_rate_changes(work, get_tax_rate(work, id), given)
    row = _tax_rate_to_row(new)
    del row["id"]
    work.tx.run(_UPDATE, of=id, **row)
    _note_rate_change(work, id, "changed")
    return new


def delete_tax_rate(work: UnitOfWork, id: int) -> TaxRate:
    """Delete a rate and return it. Raises TaxRateToDeleteNotFound."""
    try:
        gone = get_tax_rate(work, id)
    except TaxRateNotFound:
        raise TaxRateToDeleteNotFound from None
    work.tx.run(_DELETE_RATE, id=id)
    _note_rate_change(work, id, "removed")
    return gone


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
            members[name] = "" if code == _EVERYWHERE_WORD else code
    for name in ("postcodes", "cities"):
        places = tuple(clean for one in members.pop(name, ()) if (clean := one.strip().upper()))
        if places:
            members[name] = tuple(one for one in places if one != _EVERYWHERE_WORD)
    if "rate" in members:
        members["rate"] = _normalize_percent(members["rate"])
    return replace(old, **members)


def _normalize_percent(written: str) -> str:
    if not written.strip():
        return ""
    return money.format_amount(money.parse_amount(written) or money.ZERO, 4)


def _build_page_statement(orderby: str, order: str, of_all: bool) -> Any:
    columns: dict[str, list[ColumnElement[Any]]] = {
        "id": [table.c.id],
        "order": [table.c.position, table.c.id],
        "priority": [table.c.priority, table.c.id],
    }
    ordered = [column.desc() if order == "desc" else column.asc() for column in columns[orderby]]
    out = select(*_COLUMNS).order_by(*ordered).limit(bindparam("limit")).offset(bindparam("start"))
    return out if of_all else out.where(table.c.tax_class == bindparam("tax_class"))


@lru_cache(maxsize=1024)
def _row_to_effective_rate(row: Row) -> EffectiveTaxRate:
    """Return the effective rate of a row; cached, since every cart reads the same few rows."""
    return _row_to_tax_rate(row).to_effective_rate()


def _row_to_tax_rate(row: Row) -> TaxRate:
    members = dict(zip(_COLUMN_NAMES, row, strict=True))
    for name in ("postcodes", "cities"):
        members[name] = tuple(orjson.loads(members[name]))
    for name in ("compound", "shipping"):
        members[name] = bool(members[name])
    return TaxRate(**members)


def _tax_rate_to_row(rate: TaxRate) -> dict[str, Any]:
    row = asdict(rate)
    for name in ("postcodes", "cities"):
        row[name] = orjson.dumps(row[name]).decode()
    return row
