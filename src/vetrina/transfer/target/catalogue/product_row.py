"""What products and variations have beside their record: codes, prices, sales, stock, measures, files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.kernel.money import parse_amount
from vetrina.shop.products import member_rules as product_input, prices as product_prices, stock as product_stock
from vetrina.shop.products.model import EXTERNAL, Product
from vetrina.shop.products.product_codes import InvalidGlobalId, InvalidSku
from vetrina.shop.products.stock import IN_STOCK
from vetrina.transfer.target.addresses import rewrite_addresses
from vetrina.transfer.target.incoming_record import IncomingRecord
from vetrina.transfer.target.member_values import (
    choose_value,
    list_objects,
    read_flag,
    read_number,
    read_optional_number,
    read_text,
)

_TAX_STATUSES: Final = ("taxable", "shipping", "none")
_BACKORDERS: Final = ("no", "notify", "yes")
_UNLIMITED: Final = -1
_SALE_DATES: Final = ("date_on_sale_from", "date_on_sale_to")


def build_row_members(one: IncomingRecord, base: Product) -> dict[str, Any]:
    """Return the members that products and variations share. base: what they are written upon, with its kind."""
    given = _build_given(one, base)
    while True:
        try:
            members = product_input.build_product_row_members(one.work, base, given)
            break
        except (InvalidSku, InvalidGlobalId) as taken:
            # Of a shop that let two things have one number, both are to come.
            member = "sku" if isinstance(taken, InvalidSku) else "global_unique_id"
            one.notes[f"its {member} is that of another product: it comes without one"] += 1
            given[member] = ""
    values = one.values
    sides = values.get("dimensions")
    sides = sides if isinstance(sides, Mapping) else {}
    # Those of virtual things, too, which a save would leave out.
    members["weight"] = _normalize(values.get("weight"))
    members |= {name: _normalize(sides.get(name)) for name in ("length", "width", "height")}
    if members["stock_status"] != given["stock_status"] and one.values.get("stock_status"):
        one.notes["its state of stock is another one than there: it follows from the quantity"] += 1
    return members


def _build_given(one: IncomingRecord, base: Product) -> dict[str, Any]:
    values = one.values
    out: dict[str, Any] = {
        name: read_flag(values.get(name)) for name in ("sold_individually", "virtual", "downloadable", "featured")
    }
    for name in ("sku", "global_unique_id", "tax_class"):
        out[name] = read_text(values.get(name))
    for name in ("regular_price", "sale_price"):
        out[name] = _normalize(values.get(name))
    for name in ("download_limit", "download_expiry"):
        out[name] = read_number(values.get(name), _UNLIMITED)
    for name in _SALE_DATES:
        # An empty text takes off a date of an earlier run.
        out[name] = read_text(values.get(name))
        if exact := read_text(values.get(f"{name}_gmt")):
            out[f"{name}_gmt"] = exact
    files = list_objects(values.get("downloads"))
    return {
        **out,
        "tax_status": choose_value(one, "tax_status", _TAX_STATUSES, _TAX_STATUSES[0]),
        "downloads": [{**file, "file": rewrite_addresses(one, read_text(file.get("file")))} for file in files],
        # A variation whose stock is that of its product says `parent`.
        "manage_stock": base.kind != EXTERNAL and read_flag(values.get("manage_stock")),
        "stock_quantity": read_number(values.get("stock_quantity")),
        "backorders": choose_value(one, "backorders", _BACKORDERS, _BACKORDERS[0]),
        "low_stock_amount": read_optional_number(values.get("low_stock_amount")),
        "stock_status": choose_value(one, "stock_status", product_stock.STATUSES, IN_STOCK),
    }


def _normalize(value: Any) -> str:
    """Return an amount as it is stored; numbers as they are written."""
    text = read_text(value).strip()
    # With an exponent, as programs write very small ones.
    amount = parse_amount(text) if "e" in text.lower() else None
    return product_prices.normalize_price(f"{amount:f}" if amount is not None else text)
