"""Products of the source, of every type; their variations: variations.py beside this.

The record is written as content is, the rest as a save of the shop writes it, from the same rules: prices in force,
ranges, jobs of sales, terms. What the shop has counted, as sales, is as it was there.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.access.users.text_rules import sanitize_url
from vetrina.content.records import model as record_model
from vetrina.content.text import sanitizing
from vetrina.content.translations.modes import build_element_name
from vetrina.shop.products import (
    costs as product_costs,
    member_rules as product_input,
    model as product_model,
    prices as product_prices,
    product_types,
    stock as product_stock,
)
from vetrina.shop.products.model import CROSS_SELL, EXTERNAL, GROUPED, SIMPLE, UPSELL, VARIABLE, VARIATION, Product
from vetrina.shop.products.rules import PRODUCT_TYPES
from vetrina.shop.variations import rules as variations
from vetrina.transfer.target.addresses import rewrite_addresses
from vetrina.transfer.target.incoming_record import IncomingRecord, RecordSkipped
from vetrina.transfer.target.journal import RECORD
from vetrina.transfer.target.member_values import choose_value, list_objects, read_flag, read_number
from vetrina.transfer.target.outcome import Written

from .content_form import TRASH_FIELDS, clean_text, get_type, write_as_content
from .extra_data import write_extra_data
from .languages import open_language
from .product_attributes import read_defaults, write_attributes
from .product_row import build_row_members

_VISIBILITIES: Final = ("visible", "catalog", "search", "hidden")
_TERMS: Final = {
    "categories": product_types.CATEGORY, "tags": product_types.TAG, "brands": product_types.BRAND,
}  # fmt: skip
_LINKS: Final = (("upsell_ids", UPSELL), ("cross_sell_ids", CROSS_SELL), ("grouped_products", GROUPED))


def write_product(one: IncomingRecord) -> Written:
    """Write a product. Raises RecordSkipped, InvalidParam."""
    work = one.work
    if one.values.get("type") == VARIATION:
        raise RecordSkipped("it is a variation; those come with their products")
    kind = choose_value(one, "type", PRODUCT_TYPES, SIMPLE)
    type = get_type(work, product_types.PRODUCT)
    open_language(one, build_element_name(type))
    if (twin := _find_twin(one)) is not None:
        return Written(twin.id, adopted=True)
    images = _resolve_images(one)
    id = write_as_content(one, type, _build_content(one, next(iter(images), 0)))
    record = record_model.find_record(work.tx, id)
    assert record is not None, "it was just written"
    old = product_model.find_product(work, id)
    base = msgspec.structs.replace(old or Product(record), kind=kind)
    if old is not None and old.kind == VARIABLE != kind:
        variations.delete_variations(work, id)
    members = _build_members(one, base, list(images.values())[1:])
    new = product_input.apply_written_price(work, msgspec.structs.replace(base, **members))
    if old is None:
        product_model.insert_product(work, new)
    else:
        product_model.update_product_row(work, old, new)
    for member, link in _LINKS:
        linked = [one.resolve(RECORD, other, "linked product") for other in one.list_ids(member)]
        if linked or old is not None:
            product_model.save_product_links(work, id, link, linked)
    product_costs.store_product_cost(work, new, one.values.get(product_costs.MEMBER))
    write_extra_data(one, "product", id, TRASH_FIELDS)
    _derive(one, old, new)
    return Written(id)


def _find_twin(one: IncomingRecord) -> Product | None:
    """Return the product that a site with a catalogue has under the article number, in the same language."""
    if one.target or one.keep_ids:
        return None
    found = product_model.find_product_by_sku(one.work, sanitizing.sanitize_plain_text(one.get_text("sku")))
    if found is None or found.is_variation:
        return None
    # Translations share the number of their original, which may have come before.
    return found if one.record.language in ("", found.record.language) else None


def _resolve_images(one: IncomingRecord) -> dict[Any, int]:
    """Return the images of a product that have come, by their ids there: their ids here."""
    ids = [image.get("id") for image in list_objects(one.values.get("images"))]
    found = {id: one.resolve(RECORD, id, "image") for id in ids if isinstance(id, int | str)}
    return {id: here for id, here in found.items() if here}


def _build_content(one: IncomingRecord, image: Any) -> dict[str, Any]:
    """Return what the record of a product is written from, in the names of content. image: id of its main one there."""
    values = one.values
    out: dict[str, Any] = {
        "title": clean_text(one, "name").strip(), "content": clean_text(one, "description"),
        "excerpt": clean_text(one, "short_description"), "parent": values.get("parent_id"), "featured_media": image,
        "comment_status": "open" if read_flag(values.get("reviews_allowed", True)) else "closed",
        product_types.SHIPPING_CLASS.base: [values.get("shipping_class_id")],
    }  # fmt: skip
    for member, taxonomy in _TERMS.items():
        out[taxonomy.base] = [term.get("id") for term in list_objects(values.get(member))]
    return out


def _build_members(one: IncomingRecord, base: Product, gallery: list[int]) -> dict[str, Any]:
    """Return the members of a product beside its record. base: what they are written upon. gallery: ids here."""
    members = build_row_members(one, base)
    outside = base.kind == EXTERNAL
    link = rewrite_addresses(one, one.get_text("external_url"))
    own = write_attributes(one, base.id, base.attributes)
    return {
        **members,
        "visibility": choose_value(one, "catalog_visibility", _VISIBILITIES, _VISIBILITIES[0]),
        "purchase_note": rewrite_addresses(one, clean_text(one, "purchase_note")),
        "external_url": sanitize_url(link) if outside else "",
        "button_text": sanitizing.sanitize_plain_text(one.get_text("button_text")) if outside else "",
        "gallery": gallery,
        "attributes": own,
        "default_attributes": read_defaults(one, own, base.id),
        "total_sales": read_number(one.values.get("total_sales")),
    }


def _derive(one: IncomingRecord, old: Product | None, new: Product) -> None:
    """Bring what follows from a product, and from the things it is made of, up to date."""
    work = one.work
    if old is not None and new.kind == VARIABLE:
        variations.update_variation_titles(work, old, new)
        if product_model.list_variation_ids(work, (new.id,))[new.id]:
            product_stock.update_variable_stock_status(work, product_prices.update_price_range(work, new))
    elif new.kind == GROUPED:
        product_prices.update_price_range(work, new)
    product_prices.enqueue_sale_jobs(work, new)
    product_prices.update_parent_price_ranges(work, new)
