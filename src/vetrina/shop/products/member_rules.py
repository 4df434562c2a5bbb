"""The members of products and variations beyond their record, after a write: prices, sales, files, stock.

Not here: SKUs and global numbers (shop/products/product_codes.py), records and related rows (shop/products/rules.py,
shop/variations/rules.py). Rules: docs/rules/products.md, 3 and 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.content.text import sanitizing
from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.keys import generate_uuid
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import prices as product_prices, product_types, stock as product_stock
from vetrina.shop.products.model import GROUPED, VARIABLE, Product
from vetrina.shop.products.product_codes import build_code_members

_PLAIN_MEMBERS: Final = (
    "tax_status", "sold_individually", "virtual", "downloadable", "download_limit", "download_expiry", "featured",
)  # fmt: skip


def build_product_row_members(work: UnitOfWork, old: Product, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members that products and variations share, after a write; old: with its new kind and record.

    Raises InvalidSku, InvalidGlobalId, CannotManageStock.
    """
    members: dict[str, Any] = {name: given[name] for name in _PLAIN_MEMBERS if given.get(name) is not None}
    members |= build_code_members(work, old.id, given)
    for name in ("regular_price", "sale_price"):
        if given.get(name) is not None:
            members[name] = product_prices.normalize_price(given[name])
    _set_sale_dates(work, given, members)
    if given.get("tax_class") is not None:
        slug = sanitize_short_text(work.user, given["tax_class"])
        members["tax_class"] = "" if slug == "standard" else slug
    if given.get("virtual"):
        # A virtual product has neither weight nor dimensions; values sent for them are ignored.
        members |= dict.fromkeys(("weight", "length", "width", "height"), "")
    elif given.get("weight") is not None:
        members["weight"] = product_prices.normalize_price(given["weight"])
    if not given.get("virtual") and isinstance(given.get("dimensions"), Mapping):
        sides = given["dimensions"]
        members |= {
            name: product_prices.normalize_price(sides[name]) for name in ("length", "width", "height") if name in sides
        }
    if given.get("downloads") is not None:
        members["downloads"] = _parse_downloads(given["downloads"])
    return members | product_stock.build_stock_members(work, old, given)


def _set_sale_dates(work: UnitOfWork, given: Mapping[str, Any], members: dict[str, Any]) -> None:
    """Set the start and end of a sale; null leaves a date unchanged, an empty text clears it."""
    settles: tuple[tuple[str, Callable[[times.ParsedDateTime], tuple[int, int]]], ...] = (
        ("", work.zone.resolve_local),
        ("_gmt", work.zone.resolve_gmt),
    )
    for name, member in (("date_on_sale_from", "sale_from"), ("date_on_sale_to", "sale_to")):
        for ending, settle in settles:
            value = given.get(name + ending)
            if not isinstance(value, str):
                continue
            if not value:
                members[member] = None
                continue
            try:
                members[member] = settle(
                    times.parse_date_time(value if "T" in value or " " in value else f"{value}T00:00:00")
                )[1]
            except ValueError:
                continue


def _parse_downloads(given: Sequence[Any]) -> list[dict[str, str]]:
    """Return the files of a downloadable product; entries without a URL are dropped."""
    out = []
    for one in given:
        if isinstance(one, Mapping) and one.get("file"):
            address = str(one["file"])
            name = str(one.get("name") or "") or address.rpartition("/")[2]
            out.append(
                {
                    "id": str(one.get("id") or generate_uuid()),
                    "name": sanitizing.sanitize_plain_text(name),
                    "file": address,
                }
            )
    return out


def apply_written_price(work: UnitOfWork, new: Product) -> Product:
    """Return a product with the price that follows from the written one."""
    if new.kind in (VARIABLE, GROUPED):
        new = msgspec.structs.replace(new, regular_price="", sale_price="")
        return product_prices.apply_price_range(new, ()) if new.price_from is None else new
    sale, regular = product_prices.parse_price(new.sale_price), product_prices.parse_price(new.regular_price)
    if sale is not None and (regular is None or sale >= regular):
        new = msgspec.structs.replace(new, sale_price="")
    return product_prices.apply_active_price(work, new)


def parse_moment(given: Mapping[str, Any], name: str) -> int | None:
    """Return the instant in `name` or its `_gmt` variant, both read as GMT; None where neither is readable."""
    for key in (f"{name}_gmt", name):
        value = given.get(key)
        if isinstance(value, str) and value:
            try:
                written = times.parse_date_time(value)
            except ValueError:
                continue
            return written.local_seconds - (written.offset or 0)
    return None


def find_shipping_class_ids(work: UnitOfWork, slug: str) -> list[int]:
    """Return the id of the shipping class with a slug, in a list; an empty one for none."""
    name = product_types.SHIPPING_CLASS.name
    found = attributes.load_terms_by_slug(work, ((name, slug),)).get((name, slug)) if slug else None
    return [found.id] if found else []
