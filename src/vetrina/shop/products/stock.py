"""Stock: the stock status that follows from a quantity, and reducing and increasing stock.

The stock of a variation that does not manage its own is managed by its product. `reduce_stock` and `increase_stock`
change the quantity in the database itself, within the write transaction: writers of a site are serialized, so nothing
is sold twice. Not here: what orders take from stock and put back (shop/orders/stock.py). Rules:
docs/rules/products.md, 6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, update

from vetrina.backends.database import Statement
from vetrina.backends.tables.catalogue import product as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop.products import model as product_model
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product
from vetrina.shop.settings import rules as settings

IN_STOCK: Final = "instock"
OUT_OF_STOCK: Final = "outofstock"
ON_BACKORDER: Final = "onbackorder"
STATUSES: Final = (IN_STOCK, OUT_OF_STOCK, ON_BACKORDER)
_CHANGE_QUANTITY = Statement(
    update(table)
    .where(table.c.record == bindparam("of"))
    .values(stock_quantity=table.c.stock_quantity + bindparam("by"))
    .returning(table.c.stock_quantity)
)


class CannotManageStock(ApiError):
    """The stock of external products cannot be managed."""

    code = "product_external_invalid_manage_stock"
    message = "An external product has no stock to manage; leave `manage_stock` out."


class InsufficientStock(ApiError):
    """Fewer pieces are left than requested."""

    code = "shop_rest_product_partially_out_of_stock"
    message = "Only {left} pieces of {name!r} are left."


class StockChange(msgspec.Struct, frozen=True):
    """A changed stock quantity: of which product or variation, from how many to how many."""

    product: Product
    before: int
    after: int


def compute_stock_status(work: UnitOfWork, quantity: int, backorders: str) -> str:
    """Return the stock status of a managed quantity."""
    if quantity > get_no_stock_threshold(work):
        return IN_STOCK
    return OUT_OF_STOCK if backorders == "no" else ON_BACKORDER


def get_no_stock_threshold(work: UnitOfWork) -> int:
    """Return the quantity at which a product counts as out of stock."""
    return _get_threshold_setting(work, "shop_notify_no_stock_amount")


def get_low_stock_threshold(work: UnitOfWork, counted: Product) -> int:
    """Return the quantity at which a product counts as low in stock: its own threshold, its parent's, or the shop's."""
    if counted.low_stock_amount is not None:
        return counted.low_stock_amount
    above = (
        product_model.load_cached_products(work, (counted.parent,)).get(counted.parent)
        if counted.is_variation
        else None
    )
    if above is not None and above.low_stock_amount is not None:
        return above.low_stock_amount
    return _get_threshold_setting(work, "shop_notify_low_stock_amount")


def _get_threshold_setting(work: UnitOfWork, setting: str) -> int:
    try:
        return int(settings.get_shop_option(work, setting) or 0)
    except ValueError:
        return 0


def build_stock_members(work: UnitOfWork, old: Product, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the stock members of a product after a write. Raises CannotManageStock.

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
        "stock_status": compute_stock_status(work, quantity, backorders),
    }


def is_stock_managed(work: UnitOfWork) -> bool:
    """Return whether the shop manages stock at all."""
    return settings.is_setting_on(work, "shop_manage_stock")


def find_stock_holder(work: UnitOfWork, one: Product) -> Product | None:
    """Return the product that manages the stock of one: itself, or its parent for a variation; None where none does.

    A shop can disable stock management by its setting; the quantities of its products then stay unchanged.
    """
    if not is_stock_managed(work):
        return None
    if one.manage_stock:
        return one
    above = product_model.load_cached_products(work, (one.parent,)).get(one.parent) if one.is_variation else None
    return above if above is not None and above.manage_stock else None


def reduce_stock(work: UnitOfWork, id: int, quantity: int) -> StockChange | None:
    """Reduce the stock of a product or variation; None where it is not managed or the product is gone."""
    found = product_model.load_cached_products(work, (id,)).get(id)
    counted = find_stock_holder(work, found) if found is not None else None
    return _change_stock(work, counted, -quantity) if counted is not None else None


def increase_stock(work: UnitOfWork, id: int, quantity: int) -> StockChange | None:
    """Increase the stock of a product; None where it is not managed any more or the product is gone."""
    found = product_model.load_cached_products(work, (id,)).get(id)
    counted = find_stock_holder(work, found) if found is not None else None
    return _change_stock(work, counted, quantity) if counted is not None else None


def _change_stock(work: UnitOfWork, counted: Product, by: int) -> StockChange:
    after = int(work.tx.value(_CHANGE_QUANTITY, of=counted.id, by=by))
    new = msgspec.structs.replace(counted, stock_quantity=after)
    product_model.refresh_cached_product(work, new)
    status = compute_stock_status(work, after, counted.backorders)
    if status == counted.stock_status or not product_model.update_product_row(
        work, new, msgspec.structs.replace(new, stock_status=status)
    ):
        work.note(counted.record.type, counted.id, "changed")
    if status != counted.stock_status:
        _update_related_stock_status(work, msgspec.structs.replace(new, stock_status=status))
    above = (
        product_model.load_cached_products(work, (counted.parent,)).get(counted.parent)
        if counted.is_variation
        else None
    )
    product_model.touch_products(
        work,
        product_model.load_cached_products(work, (counted.id,))[counted.id],
        *((above,) if above is not None else ()),
    )
    return StockChange(new, after - by, after)


def _update_related_stock_status(work: UnitOfWork, one: Product) -> None:
    """Apply the stock status of a product to its variations, or of a variation to its product."""
    if one.is_variation:
        above = product_model.find_product(work, one.parent)
        if above is not None:
            update_variable_stock_status(work, above)
    elif one.kind == VARIABLE:
        update_variable_stock_status(work, one)


def update_variable_stock_status(work: UnitOfWork, one: Product) -> Product:
    """Store the stock status of a variable product and of the variations whose stock it manages, and return it."""
    parts = product_model.list_product_variations(work, one.id)
    if one.manage_stock:
        for part in parts:
            if not part.manage_stock:
                product_model.update_product_row(
                    work, part, msgspec.structs.replace(part, stock_status=one.stock_status)
                )
        return one
    # A variable product without variations has nothing that could be bought.
    statuses = {part.stock_status for part in parts if part.record.status in ("publish", "private")}
    status = next((word for word in (IN_STOCK, ON_BACKORDER) if word in statuses), OUT_OF_STOCK)
    new = msgspec.structs.replace(one, stock_status=status)
    product_model.update_product_row(work, one, new)
    return new
