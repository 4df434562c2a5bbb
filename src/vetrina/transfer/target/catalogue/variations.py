"""Variations of the source's products; what their product shows of them follows from them here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from vetrina.content.records import model as record_model
from vetrina.shop.products import (
    costs as product_costs,
    member_rules as product_input,
    model as product_model,
    prices as product_prices,
    product_types,
    stock as product_stock,
)
from vetrina.shop.products.model import VARIATION, Product
from vetrina.shop.variations import rules as variations
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.journal import RECORD
from vetrina.transfer.target.outcome import Written

from .content_form import TRASH_FIELDS, clean_text, get_type, write_as_content
from .extra_data import write_extra_data
from .product_attributes import read_choices
from .product_row import build_row_members

_INHERITED: Final = "parent"


def write_variation(one: IncomingRecord) -> Written:
    """Write a variation. Raises ReferenceMissing, RecordSkipped, InvalidParam."""
    work = one.work
    parent = one.record.parent or one.values.get("parent_id")
    above = product_model.find_product(work, one.require(RECORD, parent, "product"))
    if above is None or above.is_variation:
        raise RecordSkipped("its product is not here any more")
    choices = read_choices(one, above)
    if (twin := _find_twin(one, above, choices)) is not None:
        return Written(twin.id, adopted=True)
    title, summary = variations.build_variation_texts(work, above, choices)
    image = one.values.get("image")
    id = write_as_content(
        one, get_type(work, product_types.VARIATION), {
            "title": title, "content": clean_text(one, "description"), "excerpt": summary, "parent": parent,
            "featured_media": image.get("id") if isinstance(image, Mapping) else 0,
            product_types.SHIPPING_CLASS.base: [one.values.get("shipping_class_id")],
        }, above.record.language,
    )  # fmt: skip
    record = record_model.find_record(work.tx, id)
    assert record is not None, "it was just written"
    old = product_model.find_product(work, id)
    base = old or Product(record, VARIATION, tax_class=_INHERITED)
    members = build_row_members(one, base)
    new = product_input.apply_written_price(work, msgspec.structs.replace(base, **members, choices=choices))
    if old is None:
        product_model.insert_product(work, new)
    else:
        product_model.update_product_row(work, old, new)
    product_costs.store_product_cost(work, new, one.values.get(product_costs.MEMBER))
    write_extra_data(one, "product", id, TRASH_FIELDS)
    product_prices.enqueue_sale_jobs(work, new)
    product_stock.update_variable_stock_status(work, product_prices.update_price_range(work, above))
    return Written(id)


def _find_twin(one: IncomingRecord, above: Product, choices: Mapping[str, str]) -> Product | None:
    """Return the variation that the product had before: of the same article number or, without one, choices."""
    if one.target or one.keep_ids:
        return None
    number = one.get_text("sku").lower()
    held = product_model.list_product_variations(one.work, above.id)
    return next((had for had in held if (had.sku.lower() == number if number else had.choices == choices)), None)
