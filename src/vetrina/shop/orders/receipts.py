"""Receipts of orders: pages that whoever has their address may read until they end.

Kept as files would be: the text is written when the receipt is made, so that it shows the order of that day.
Rules: facts, "Lists and actions": one day unless another is asked for, and the same one again until it ends.
"""

from __future__ import annotations

import html
from contextlib import suppress
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, insert, select

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.backends.database import Row, Statement
from vetrina.backends.tables.orders import order_receipt as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money, times
from vetrina.kernel.keys import random_key
from vetrina.kernel.tags import without_tags
from vetrina.shop.orders import model as order
from vetrina.shop.orders.model import LINE, Order
from vetrina.shop.settings import currencies

__all__ = ["Receipt", "by_key", "make", "of_order", "render_page"]

_DAY: Final = 86_400
DIRECTORY: Final = "shop/receipt"


class Receipt(msgspec.Struct, frozen=True):
    """A receipt. expires: seconds since 1970. page: HTML."""

    order: int
    key: str
    expires: int
    page: str
    url: str = ""


_COLUMNS = tuple(table.c)
_OF = Statement(select(*_COLUMNS).where(table.c.order == bindparam("order"), table.c.expires > bindparam("now")))
_BY_KEY = Statement(select(*_COLUMNS).where(table.c.key == bindparam("key")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_REMOVE = Statement(delete(table).where(table.c.order == bindparam("order")))


def of_order(work: Work, id: int) -> Receipt | None:
    """Return the receipt of an order that has not ended."""
    work.passes()
    row = work.tx.first(_OF, order=id, now=work.now)
    return _receipt(work, *row) if row else None


def by_key(work: Work, key: str) -> Receipt | None:
    """Return the receipt whose address ends so, None where none does or it has ended. Raises TooManyGuesses."""
    work.passes()
    rows: list[Row] = []

    def is_known() -> bool:
        rows.extend(work.tx.all(_BY_KEY, key=key))
        return bool(rows)

    if not guess_limiter.is_right(work, Secret.RECEIPT, None, key, is_known):
        return None
    found = _receipt(work, *rows[0])
    return found if found.expires > work.now else None


def make(work: Work, of: Order, until: str, days: int, *, new: bool) -> Receipt:
    """Return the receipt of an order, made when there is none.

    until: the day on which it ends, as YYYY-MM-DD; empty: after so many days. new: replace an earlier one.
    """
    held = of_order(work, of.id)
    if held is not None and not new:
        return held
    work.tx.run(_REMOVE, order=of.id)
    expires = work.now + max(days, 0) * _DAY
    if until:
        with suppress(ValueError):
            expires = work.zone.settle(times.parse(f"{until}T23:59:59"))[1]
    made = _receipt(work, of.id, random_key(), expires, render_page(work, of))
    work.tx.run(_INSERT, order=made.order, key=made.key, expires=made.expires, page=made.page)
    work.note("order", of.id, "changed")
    return made


def _receipt(work: Work, order: int, key: str, expires: int, page: str) -> Receipt:
    return Receipt(order, key, expires, page, f"{work.origin}/{DIRECTORY}/{key}")


def render_page(work: Work, of: Order) -> str:
    """Return what an order sold and cost, as HTML; whose it is does not stand in it."""
    sign, site = currencies.symbol(of.currency), html.escape(html.unescape(str(work.option("title"))))
    rows = "".join(
        f"<tr><td>{html.escape(without_tags(item.name))} × {item.quantity}</td>"
        f"<td>{sign}{money.text(item.total, 2)}</td></tr>"
        for item in order.items_of(work, (of.id,))[of.id]
        if item.kind == LINE
    )
    day = times.iso(work.zone.to_local(of.created))[:10]
    return (
        f'<!doctype html><html lang="{work.language}"><meta charset="utf-8"><title>{site}</title>'
        f"<h1>{site}</h1><p>{of.id} · {day}</p><table>{rows}</table>"
        f"<p><strong>{sign}{money.text(of.total, 2)}</strong></p></html>"
    )
