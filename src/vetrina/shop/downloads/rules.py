"""What customers may download because of what they ordered: granted, taken away, listed.

Rules: facts, "Status and what it does" and "Customers": granted when an order is processed or completed, gone when it
is paid no more.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlencode, urlsplit

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import Secret
from vetrina.backends.database import Statement
from vetrina.backends.file_store import ADDRESS
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.orders import order_download as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import Refused
from vetrina.kernel.integers import bounded
from vetrina.kernel.keys import same
from vetrina.shop.downloads import file_fetches
from vetrina.shop.orders import model as order
from vetrina.shop.orders.model import LINE, Item, Order
from vetrina.shop.products import model as product
from vetrina.shop.settings import rules as settings

__all__ = [
    "NotForCaller", "Permission", "address", "fetch", "of_customer", "of_order", "own_name", "settle",
]  # fmt: skip

_DAY: Final = 86_400
_END: Final = times.LAST - _DAY  # lies in the calendar of every zone


class NotForCaller(Refused):
    """A file that was bought by an account is only for that account, where the shop wants buyers to sign in."""

    code = "shop_rest_download_not_yours"
    message = "This file is for the account that bought it; sign in as that."


class Permission(msgspec.Struct, frozen=True):
    """A file that may be fetched. left: how often, -1 for as often as wanted. expires: None for never."""

    id: int
    order: int
    product: int
    download: str
    customer: int
    email_key: str
    left: int
    expires: int | None
    granted: int


_COLUMNS = tuple(table.c)
_OF_ORDER = Statement(select(*_COLUMNS).where(table.c.order == bindparam("order")).order_by(table.c.id))
_OF_CUSTOMER = Statement(select(*_COLUMNS).where(table.c.customer == bindparam("customer")).order_by(table.c.id))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_REMOVE = Statement(delete(table).where(table.c.order == bindparam("order")))
_FETCHED = Statement(update(table).where(table.c.id == bindparam("of"), table.c.left > 0).values(left=table.c.left - 1))


def of_order(work: Work, order: int) -> list[Permission]:
    """Return what an order lets its customer download."""
    work.uses("order")
    return [Permission(*row) for row in work.tx.all(_OF_ORDER, order=order)]


def of_customer(work: Work, customer: int) -> list[Permission]:
    """Return what a customer may download."""
    work.uses("order")
    return [Permission(*row) for row in work.tx.all(_OF_CUSTOMER, customer=customer)]


def address(work: Work, one: Permission, order_key: str) -> str:
    """Return the address under which a file may be fetched by whoever has it."""
    told = {"download_file": one.product, "order": order_key, "uid": _uid(one.email_key), "key": one.download}
    return f"{work.origin}/?{urlencode(told)}"


def fetch(
    work: Work, goods: int, order_key: str, uid: str, download: str, *, count: bool, ip: str = "", account: int = 0
) -> dict[str, str] | None:
    """Return the file that an address gives, with `name` and `file`; None where it gives none, or none any more.

    count: whether this uses up one of the times that it may be fetched, and is written down. ip: of who fetches;
    account: the number of theirs, 0 for nobody. Raises TooManyGuesses, NotForCaller.
    """
    found: list[Permission] = []

    def is_right() -> bool:
        of = order.by_key(work, order_key) if order_key else None
        found.extend(one for one in (of_order(work, of.id) if of else ()) if same(_uid(one.email_key), uid))
        return bool(found)

    guess_limiter.is_right(work, Secret.DOWNLOAD, None, f"{order_key}\n{uid}", is_right)
    sold = product.by_id(work, goods)
    if sold is None:
        return None
    for one in found:
        if (one.product, one.download) != (goods, download):
            continue
        if one.left == 0 or (one.expires is not None and one.expires < work.now):
            return None
        if one.customer and one.customer != account and settings.is_on(work, "shop_downloads_require_login"):
            raise NotForCaller(bool(account))
        file = next((file for file in sold.downloads if file["id"] == download), None)
        if file is not None and count and one.left > 0:
            work.tx.run(_FETCHED, of=one.id)
            work.note("order", one.order, "changed")
        if file is not None and count:
            file_fetches.note(work, one.order, one.product, download, one.customer, ip)
        return file
    return None


def _uid(email_key: str) -> str:
    return hashlib.sha256(email_key.encode()).hexdigest()


def settle(work: Work, one: Order, items: Sequence[Item], *, granted: bool) -> None:
    """Let the customer of an order download its files, or not any more."""
    held = of_order(work, one.id)
    if not granted:
        if held:
            work.tx.run(_REMOVE, order=one.id)
        return
    known = {(permission.product, permission.download) for permission in held}
    lines = [item for item in items if item.kind == LINE and item.goods]
    sold = product.known(work, (item.goods for item in lines))
    for item in lines:
        goods = sold.get(item.goods)
        if goods is None or not goods.downloadable:
            continue
        for file in goods.downloads:
            if (goods.id, file["id"]) in known:
                continue
            limit, expiry = goods.download_limit, goods.download_expiry
            times_left = bounded(limit * item.quantity) if limit > 0 else -1
            ends = min(work.now + expiry * _DAY, _END) if expiry > 0 else None
            permission = Permission(
                next_number(work.tx, "order_download"), one.id, goods.id, file["id"], one.customer, one.email_key,
                times_left, ends, work.now,
            )  # fmt: skip
            work.tx.run(_INSERT, **msgspec.structs.asdict(permission))


def own_name(work: Work, address: str) -> str | None:
    """Return the name of a file of the site itself by its address; None for a file that lies elsewhere."""
    parts = urlsplit(address)
    if not parts.path.startswith(ADDRESS) or (parts.netloc and parts.netloc != urlsplit(work.origin).netloc):
        return None
    return unquote(parts.path.removeprefix(ADDRESS))
