"""Imported products and variations whose article number, or global number, another one has already."""

from __future__ import annotations

from typing import Any

from vetrina.shop.products import member_rules as product_input
from vetrina.shop.products.model import Product
from vetrina.shop.products.product_codes import InvalidGlobalId, InvalidSku
from vetrina.transfer.target.incoming_record import IncomingRecord


def build_members_with_free_codes(one: IncomingRecord, base: Product, given: dict[str, Any]) -> dict[str, Any]:
    """Return the members of a product as a save makes them of what is given, without a number that another one has."""
    while True:
        try:
            return product_input.build_product_row_members(one.work, base, given)
        except (InvalidSku, InvalidGlobalId) as taken:
            # Of a shop that let two things have one number, both are to come.
            member = "sku" if isinstance(taken, InvalidSku) else "global_unique_id"
            one.notes[f"its {member} is that of another product: it comes without one"] += 1
            given[member] = ""
