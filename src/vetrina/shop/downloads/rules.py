"""Download permissions of customers: granted, revoked, listed.

Rules: docs/rules/order_statuses.md, 7 and docs/rules/customers.md, 5: granted when an order is processed or completed,
revoked when it no longer counts as paid.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final
from urllib.parse import unquote, urlencode, urlsplit

import msgspec
from sqlalchemy import bindparam, delete, select, update

from vetrina.access.sign_in import guess_limiter
from vetrina.access.sign_in.guess_limiter import SecretKind
from vetrina.backends.database import Statement
from vetrina.backends.file_store import FILE_URL_PREFIX
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.store import Store
from vetrina.backends.tables.orders import order_download as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import PermissionDenied
from vetrina.kernel.integers import clamp_integer
from vetrina.kernel.keys import is_equal_secret
from vetrina.kernel.site_paths import remove_base_path
from vetrina.shop.downloads import file_fetches
from vetrina.shop.orders import model as order
from vetrina.shop.orders.model import LINE, Order, OrderItem
from vetrina.shop.products import model as product
from vetrina.shop.settings import rules as settings

_DAY: Final = 86_400
_END: Final = times.LAST_SECOND - _DAY  # within the calendar of every time zone


class DownloadNotYours(PermissionDenied):
    """A file bought by an account is only for that account, where the shop requires buyers to sign in."""

    code = "shop_rest_download_not_yours"
    message = "This file is for the account that bought it; sign in as that."


class DownloadPermission(msgspec.Struct, frozen=True):
    """Permission to download a file. left: remaining downloads, -1 for no limit. expires: None for never."""

    id: int
    order: int
    product: int
    download: str
    customer: int
    email_key: str
    left: int
    expires: int | None
    granted: int


_STORE: Final = Store(table, DownloadPermission)
_OF_ORDER = Statement(select(*_STORE.columns).where(table.c.order == bindparam("order")).order_by(table.c.id))
_OF_CUSTOMER = Statement(select(*_STORE.columns).where(table.c.customer == bindparam("customer")).order_by(table.c.id))
_REMOVE = Statement(delete(table).where(table.c.order == bindparam("order")))
_FETCHED = Statement(update(table).where(table.c.id == bindparam("of"), table.c.left > 0).values(left=table.c.left - 1))


def list_order_downloads(work: UnitOfWork, order: int) -> list[DownloadPermission]:
    """Return the download permissions of an order."""
    work.uses("order")
    return _STORE.of_rows(work.tx.all(_OF_ORDER, order=order))


def list_customer_downloads(work: UnitOfWork, customer: int) -> list[DownloadPermission]:
    """Return the download permissions of a customer."""
    work.uses("order")
    return _STORE.of_rows(work.tx.all(_OF_CUSTOMER, customer=customer))


def build_download_url(work: UnitOfWork, permission: DownloadPermission, order_key: str) -> str:
    """Return the URL of a download, which works without signing in."""
    query = {
        "download_file": permission.product, "order": order_key, "uid": _hash_email(permission.email_key),
        "key": permission.download,
    }  # fmt: skip
    return f"{work.origin}/?{urlencode(query)}"


def find_download_file(
    work: UnitOfWork, goods: int, order_key: str, uid: str, download: str, *,
    count: bool, ip: str = "", account: int = 0,
) -> dict[str, str] | None:  # fmt: skip
    """Return the file of a download URL, with `name` and `file`; None where the URL is not valid, or not any more.

    count: whether this uses up one of the remaining downloads and is recorded. ip: of the client; account: its account
    id, 0 for a guest. Raises TooManyGuesses, DownloadNotYours.
    """
    found: list[DownloadPermission] = []

    def is_right() -> bool:
        of = order.find_order_by_key(work, order_key) if order_key else None
        found.extend(
            one
            for one in (list_order_downloads(work, of.id) if of else ())
            if is_equal_secret(_hash_email(one.email_key), uid)
        )
        return bool(found)

    guess_limiter.is_right_guess(work, SecretKind.DOWNLOAD, None, f"{order_key}\n{uid}", is_right)
    sold = product.find_product(work, goods)
    if sold is None:
        return None
    for one in found:
        if (one.product, one.download) != (goods, download):
            continue
        if one.left == 0 or (one.expires is not None and one.expires < work.now):
            return None
        if one.customer and one.customer != account and settings.is_setting_on(work, "shop_downloads_require_login"):
            raise DownloadNotYours(bool(account))
        file = next((file for file in sold.downloads if file["id"] == download), None)
        if file is not None and count and one.left > 0:
            work.tx.run(_FETCHED, of=one.id)
            work.note("order", one.order, "changed")
        if file is not None and count:
            file_fetches.record_file_fetch(work, one.order, one.product, download, one.customer, ip)
        return file
    return None


def _hash_email(email_key: str) -> str:
    return hashlib.sha256(email_key.encode()).hexdigest()


def sync_order_downloads(
    work: UnitOfWork, one: Order, items: Sequence[OrderItem], *, granted: bool, at: int | None = None
) -> None:
    """Grant or revoke the download permissions of an order. at: when they were granted, None for now."""
    moment = work.now if at is None else at
    held = list_order_downloads(work, one.id)
    if not granted:
        if held:
            work.tx.run(_REMOVE, order=one.id)
        return
    known = {(permission.product, permission.download) for permission in held}
    lines = [item for item in items if item.kind == LINE and item.sellable_id]
    sold = product.load_cached_products(work, (item.sellable_id for item in lines))
    for item in lines:
        goods = sold.get(item.sellable_id)
        if goods is None or not goods.downloadable:
            continue
        for file in goods.downloads:
            if (goods.id, file["id"]) in known:
                continue
            limit, expiry = goods.download_limit, goods.download_expiry
            times_left = clamp_integer(limit * item.quantity) if limit > 0 else -1
            ends = min(moment + expiry * _DAY, _END) if expiry > 0 else None
            permission = DownloadPermission(
                allocate_id(work.tx, "order_download"), one.id, goods.id, file["id"], one.customer, one.email_key,
                times_left, ends, moment,
            )  # fmt: skip
            _STORE.insert(work.tx, permission)


def find_site_file_name(work: UnitOfWork, address: str) -> str | None:
    """Return the name of a file of the site itself by its URL; None for a file elsewhere."""
    parts = urlsplit(address)
    path = remove_base_path(work.base_path, parts.path)
    if not path.startswith(FILE_URL_PREFIX) or (parts.netloc and parts.netloc != urlsplit(work.origin).netloc):
        return None
    return unquote(path.removeprefix(FILE_URL_PREFIX))
