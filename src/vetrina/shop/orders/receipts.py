"""Receipts of orders: pages that anyone with their URL may read until they expire.

The page is rendered and stored when the receipt is created, so that it shows the order of that day.
Rules: docs/rules/orders.md, 8: valid for a day unless another end is given, and reused until then.
"""

from __future__ import annotations

import html
from contextlib import suppress
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.backends.database import Row, Statement
from vetrina.backends.tables.orders import order_receipt as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money, times
from vetrina.kernel.keys import generate_key
from vetrina.kernel.tags import strip_tags
from vetrina.shop.orders import model as order
from vetrina.shop.orders.model import LINE, Order
from vetrina.shop.settings import currencies

_DAY_SECONDS: Final = 86_400
RECEIPT_DIRECTORY: Final = "shop/receipt"


class Receipt(msgspec.Struct, frozen=True):
    """A receipt. expires: seconds since 1970. page: HTML."""

    order: int
    key: str
    expires: int
    page: str
    url: str = ""


_COLUMNS = tuple(table.c)
_RECEIPT_BY_ORDER = Statement(
    select(*_COLUMNS).where(table.c.order == bindparam("order"), table.c.expires > bindparam("now"))
)
_RECEIPT_BY_KEY = Statement(select(*_COLUMNS).where(table.c.key == bindparam("key")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_DELETE_RECEIPT = Statement(delete(table).where(table.c.order == bindparam("order")))


def find_order_receipt(work: UnitOfWork, id: int) -> Receipt | None:
    """Return the receipt of an order, None where there is none or it has expired."""
    work.mark_time_dependent()
    row = work.tx.first(_RECEIPT_BY_ORDER, order=id, now=work.now)
    return _build_receipt(work, *row) if row else None


def find_receipt_by_key(work: UnitOfWork, key: str) -> Receipt | None:
    """Return the receipt whose URL ends with the key, None where none does or it has expired. Raises TooManyGuesses."""
    work.mark_time_dependent()
    rows: list[Row] = []

    def is_known() -> bool:
        rows.extend(work.tx.all(_RECEIPT_BY_KEY, key=key))
        return bool(rows)

    if not guess_limiter.is_right_guess(work, SecretKind.RECEIPT, None, key, is_known):
        return None
    found = _build_receipt(work, *rows[0])
    return found if found.expires > work.now else None


def create_receipt(work: UnitOfWork, of: Order, until: str, days: int, *, new: bool) -> Receipt:
    """Return the receipt of an order, created when there is none.

    until: the day on which it expires, as YYYY-MM-DD; empty: after `days` days. new: replace an earlier one.
    """
    held = find_order_receipt(work, of.id)
    if held is not None and not new:
        return held
    work.tx.run(_DELETE_RECEIPT, order=of.id)
    expires = work.now + max(days, 0) * _DAY_SECONDS
    if until:
        with suppress(ValueError):
            expires = work.zone.resolve_local(times.parse_date_time(f"{until}T23:59:59"))[1]
    made = _build_receipt(work, of.id, generate_key(), expires, render_receipt_page(work, of))
    work.tx.run(_INSERT, order=made.order, key=made.key, expires=made.expires, page=made.page)
    work.note("order", of.id, "changed")
    return made


def _build_receipt(work: UnitOfWork, order: int, key: str, expires: int, page: str) -> Receipt:
    return Receipt(order, key, expires, page, f"{work.origin}/{RECEIPT_DIRECTORY}/{key}")


def render_receipt_page(work: UnitOfWork, of: Order) -> str:
    """Return the lines and totals of an order as HTML; the customer is not named."""
    sign, site = currencies.get_currency_symbol(of.currency), html.escape(html.unescape(str(work.option("title"))))
    rows = "".join(
        f"<tr><td>{html.escape(strip_tags(item.name))} × {item.quantity}</td>"
        f"<td>{sign}{money.format_amount(item.total, 2)}</td></tr>"
        for item in order.load_items_by_owner(work, (of.id,))[of.id]
        if item.kind == LINE
    )
    day = times.format_iso(work.zone.to_local(of.created))[:10]
    return (
        f'<!doctype html><html lang="{work.language}"><meta charset="utf-8"><title>{site}</title>'
        f"<h1>{site}</h1><p>{of.id} · {day}</p><table>{rows}</table>"
        f"<p><strong>{sign}{money.format_amount(of.total, 2)}</strong></p></html>"
    )
