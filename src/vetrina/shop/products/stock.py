"""Stock: what a count means for a product's status, and taking from and giving back to it.

A variation that does not count itself is counted by its product. `take` and `give` change the count in the database
itself, within the write transaction: writers of a site come one after another, so nothing is sold twice.
Not here: what an order's status does to its lines (shop/orders/transitions.py). Rules: facts, "Stock".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import product as table
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product
from vetrina.shop.settings import rules as settings

__all__ = [
    "BACKORDERS", "ON_BACKORDER", "OUT_OF_STOCK", "STATUSES", "CannotManageStock", "Moved", "NotEnough", "counter",
    "give", "is_kept", "low_mark", "none_left", "status_after", "sync_parent", "take", "written",
]  # fmt: skip

IN_STOCK: Final = "instock"
OUT_OF_STOCK: Final = "outofstock"
ON_BACKORDER: Final = "onbackorder"
STATUSES: Final = (IN_STOCK, OUT_OF_STOCK, ON_BACKORDER)
BACKORDERS: Final = ("no", "notify", "yes")

_MOVE = Statement(
    update(table)
    .where(table.c.record == bindparam("of"))
    .values(stock_quantity=table.c.stock_quantity + bindparam("by"))
    .returning(table.c.stock_quantity)
)


class CannotManageStock(ApiError):
    """Nobody counts what is sold elsewhere."""

    code = "product_external_invalid_manage_stock"
    message = "An external product has no stock to manage; leave `manage_stock` out."


class NotEnough(ApiError):
    """Fewer pieces are left than somebody wants to have."""

    code = "shop_rest_product_partially_out_of_stock"
    message = "Only {left} pieces of {name!r} are left."


class Moved(msgspec.Struct, frozen=True):
    """A count that changed: of which product or variation, from how many to how many."""

    counted: Product
    before: int
    after: int


def status_after(work: Work, quantity: int, backorders: str) -> str:
    """Return the status of what is counted."""
    if quantity > none_left(work):
        return IN_STOCK
    return OUT_OF_STOCK if backorders == "no" else ON_BACKORDER


def none_left(work: Work) -> int:
    """Return the count from which on nothing is left."""
    return _mark(work, "shop_notify_no_stock_amount")


def low_mark(work: Work, counted: Product) -> int:
    """Return the count from which on little is left of a product: its own mark, that above it, or the shop's."""
    if counted.low_stock_amount is not None:
        return counted.low_stock_amount
    above = product_model.known(work, (counted.parent,)).get(counted.parent) if counted.is_variation else None
    if above is not None and above.low_stock_amount is not None:
        return above.low_stock_amount
    return _mark(work, "shop_notify_low_stock_amount")


def _mark(work: Work, setting: str) -> int:
    try:
        return int(settings.shop_option(work, setting) or 0)
    except ValueError:
        return 0


def written(work: Work, old: Product, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of its stock after a write. Raises CannotManageStock.

    old: with its new kind. given: the written members, typed.
    """
    if old.kind == EXTERNAL:
        if given.get("manage_stock"):
            raise CannotManageStock
        return {"manage_stock": False, "stock_quantity": None, "backorders": "no", "low_stock_amount": None,
                "stock_status": IN_STOCK}  # fmt: skip
    manages = given.get("manage_stock", old.manage_stock)
    if old.kind == GROUPED or not manages:
        status = given.get("stock_status") or old.stock_status
        return {"manage_stock": False, "stock_quantity": None, "backorders": "no", "low_stock_amount": None,
                "stock_status": status}  # fmt: skip
    quantity = old.stock_quantity or 0
    if given.get("stock_quantity") is not None:
        quantity = given["stock_quantity"]
    elif given.get("inventory_delta") is not None:
        quantity += given["inventory_delta"]
    backorders = given.get("backorders") or old.backorders
    low = given.get("low_stock_amount", old.low_stock_amount) if "low_stock_amount" in given else old.low_stock_amount
    return {
        "manage_stock": True,
        "stock_quantity": quantity,
        "backorders": backorders,
        "low_stock_amount": low,
        "stock_status": status_after(work, quantity, backorders),
    }


def is_kept(work: Work) -> bool:
    """Say whether the shop keeps count of what is in stock at all."""
    return settings.is_on(work, "shop_manage_stock")


def counter(work: Work, one: Product) -> Product | None:
    """Return what counts a product: itself, for a variation perhaps its product; None where nobody counts, or no more.

    A shop that keeps no count at all says so by its setting; the counts of its products then stand still.
    """
    if not is_kept(work):
        return None
    if one.manage_stock:
        return one
    above = product_model.known(work, (one.parent,)).get(one.parent) if one.is_variation else None
    return above if above is not None and above.manage_stock else None


def take(work: Work, id: int, quantity: int, *, strictly: bool = False) -> Moved | None:
    """Take pieces of a product or variation; None where nobody counts it or it is gone.

    strictly: raise NotEnough instead of going below nothing, unless backorders are taken.
    """
    found = product_model.known(work, (id,)).get(id)
    counted = counter(work, found) if found is not None else None
    if counted is None:
        return None
    left = counted.stock_quantity or 0
    if strictly and counted.backorders == "no" and left < quantity:
        raise NotEnough(left=max(left, 0), name=counted.name)
    return _moved(work, counted, -quantity)


def give(work: Work, id: int, quantity: int) -> Moved | None:
    """Give pieces back; None where nobody counts the product any more or it is gone."""
    found = product_model.known(work, (id,)).get(id)
    counted = counter(work, found) if found is not None else None
    return _moved(work, counted, quantity) if counted is not None else None


def _moved(work: Work, counted: Product, by: int) -> Moved:
    after = int(work.tx.value(_MOVE, of=counted.id, by=by))
    new = msgspec.structs.replace(counted, stock_quantity=after)
    product_model.keep(work, new)
    status = status_after(work, after, counted.backorders)
    if status == counted.stock_status or not product_model.store(
        work, new, msgspec.structs.replace(new, stock_status=status)
    ):
        work.note(counted.record.type, counted.id, "changed")
    if status != counted.stock_status:
        _tell_others(work, msgspec.structs.replace(new, stock_status=status))
    above = product_model.known(work, (counted.parent,)).get(counted.parent) if counted.is_variation else None
    product_model.touch(
        work, product_model.known(work, (counted.id,))[counted.id], *((above,) if above is not None else ())
    )
    return Moved(new, after - by, after)


def _tell_others(work: Work, one: Product) -> None:
    """Let the status of a product follow to its variations, or from a variation to its product."""
    if one.is_variation:
        above = product_model.by_id(work, one.parent)
        if above is not None:
            sync_parent(work, above)
    elif one.kind == VARIABLE:
        sync_parent(work, one)


def sync_parent(work: Work, one: Product) -> Product:
    """Store the stock status of a variable product and of the variations that it counts, and return it."""
    parts = product_model.variations_of(work, one.id)
    if one.manage_stock:
        for part in parts:
            if not part.manage_stock:
                product_model.store(work, part, msgspec.structs.replace(part, stock_status=one.stock_status))
        return one
    # A product whose choices nobody made yet has nothing that could be bought.
    statuses = {part.stock_status for part in parts if part.record.status in ("publish", "private")}
    status = next((word for word in (IN_STOCK, ON_BACKORDER) if word in statuses), OUT_OF_STOCK)
    new = msgspec.structs.replace(one, stock_status=status)
    product_model.store(work, one, new)
    return new
