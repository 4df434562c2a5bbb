"""Products: create, change, trash, restore, delete.

One call is one save: the record, its product row, prices, stock, terms, links and meta data are derived from each other
here and nowhere else. Not here: variations (shop/variations/rules.py), copies (shop/products/copies.py), permissions
(shop/permissions.py). Rules: docs/rules/products.md, 1, 3 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.access.users.text_rules import sanitize_url
from vetrina.content.records import deletion, model as record_model, rules as records
from vetrina.content.records.trash import RecordAlreadyTrashed as RecordTrashed
from vetrina.content.terms import store as term_store
from vetrina.content.text import sanitizing
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop import meta_data
from vetrina.shop.products import (
    attributes as product_attributes,
    costs as product_costs,
    images as product_images,
    member_rules as product_input,
    model as product_model,
    prices as product_prices,
    product_codes,
    product_types,
    stock as product_stock,
)
from vetrina.shop.products.model import CROSS_SELL, EXTERNAL, GROUPED, SIMPLE, UPSELL, VARIABLE, Product
from vetrina.shop.variations import rules as variations

PRODUCT_TYPES: Final = (SIMPLE, GROUPED, EXTERNAL, VARIABLE)

_DEFAULT_NAME = "Product"  # the name of a product that was given none


class ProductAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "shop_rest_already_trashed"
    message = "This product is in the trash already; send force=true to remove it for good."


# The taxonomy of each list of terms in a write.
_TAXONOMY_BY_MEMBER: Final[Mapping[str, Taxonomy]] = {
    "categories": product_types.CATEGORY,
    "tags": product_types.TAG,
    "brands": product_types.BRAND,
}


def create_product(work: UnitOfWork, given: Mapping[str, Any]) -> Product:
    """Store a new product and return it. Raises the errors of the rules involved."""
    kind = given.get("type") or SIMPLE
    product_codes.require_sku_not_trashed(work, given.get("sku") or "")
    members = _build_record_members(work, None, given)
    new = records.create_record(work, product_types.PRODUCT, members)
    blank = Product(new, kind)
    product_model.insert_product(work, blank)
    return _save_product_row(work, blank, blank, given)


def update_product(work: UnitOfWork, old: Product, given: Mapping[str, Any]) -> Product:
    """Store the given members of a product and return its new state. Raises the errors of the rules involved."""
    kind = given.get("type") or old.kind
    if old.kind == VARIABLE and kind != VARIABLE:
        variations.delete_variations(work, old.id)
    if given.get("status") == "trash" and old.record.status != "trash":
        given = {name: value for name, value in given.items() if name != "status"}
        changed = _update_record_and_row(work, old, kind, given)
        return msgspec.structs.replace(changed, record=_trash_product_record(work, changed))
    new = _update_record_and_row(work, old, kind, given)
    if old.record.status == "trash" != new.record.status:
        variations.restore_variations(work, new.id)
        return product_model.find_product(work, new.id) or new
    return new


def create_product_record(work: UnitOfWork, members: Mapping[str, Any]) -> Product:
    """Store a new product from the members of its record only, with the content interface's names."""
    new = records.create_record(work, product_types.PRODUCT, _resolve_record_terms(work, members))
    blank = Product(new)
    product_model.insert_product(work, blank)
    return _save_product_row(work, blank, blank, {})


def update_product_record(work: UnitOfWork, old: Product, members: Mapping[str, Any]) -> Product:
    """Store members of a product's record, with the content interface's names, and return its new state."""
    new = records.update_record(work, product_types.PRODUCT, old.record, _resolve_record_terms(work, members))
    changed = _save_product_row(work, old, msgspec.structs.replace(old, record=new), {})
    if old.record.status == "trash" != new.status:
        variations.restore_variations(work, old.id)
    return changed


def _resolve_record_terms(work: UnitOfWork, members: Mapping[str, Any]) -> dict[str, Any]:
    """Return members of a record with existing terms; with the taxonomy's default where none exists."""
    terms = {
        one.base: _resolve_term_ids(work, one, [{"id": id} for id in members[one.base]])
        for one in _TAXONOMY_BY_MEMBER.values()
        if members.get(one.base) is not None
    }
    return {**members, **terms}


def _update_record_and_row(work: UnitOfWork, old: Product, kind: str, given: Mapping[str, Any]) -> Product:
    new = records.update_record(work, product_types.PRODUCT, old.record, _build_record_members(work, old, given))
    return _save_product_row(work, old, msgspec.structs.replace(old, record=new, kind=kind), given)


def trash_product(work: UnitOfWork, old: Product) -> record_model.Record:
    """Move a product to the trash, with its variations, and return its record. Raises ProductAlreadyTrashed."""
    if old.record.status == "trash":
        raise ProductAlreadyTrashed
    return _trash_product_record(work, old)


def _trash_product_record(work: UnitOfWork, old: Product) -> record_model.Record:
    variations.trash_variations(work, old.id)
    try:
        return records.trash_record(work, product_types.PRODUCT, old.record)
    except RecordTrashed:
        raise ProductAlreadyTrashed from None


def delete_product(work: UnitOfWork, old: Product) -> None:
    """Delete a product for good, with its variations, reviews and meta data."""
    variations.delete_variations(work, old.id)
    groups = product_model.list_group_ids(work, old.id)
    meta_data.delete_meta_of_owners(work, "product", old.id)
    deletion.delete_record(work, product_types.PRODUCT, old.record)
    for found in product_model.load_products_by_id(work, groups).values():
        product_prices.update_price_range(work, found)


# -- one save


def _build_record_members(work: UnitOfWork, old: Product | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of the record after a write."""
    out: dict[str, Any] = {}
    if given.get("name") is not None or old is None:
        name = sanitizing.sanitize_content(given.get("name") or "").strip()
        out["title"] = name or _DEFAULT_NAME
    for name, own in (("description", "content"), ("short_description", "excerpt")):
        if given.get(name) is not None:
            out[own] = sanitizing.sanitize_content(given[name])
    for name, own in (("slug", "slug"), ("status", "status"), ("menu_order", "menu_order"),
                      ("post_password", "password")):  # fmt: skip
        if given.get(name) is not None:
            out[own] = given[name]
    if old is None:
        out.setdefault("status", "publish")
    if given.get("reviews_allowed") is not None:
        out["comment_status"] = "open" if given["reviews_allowed"] else "closed"
    if given.get("parent_id") is not None:
        above = given["parent_id"]
        out["parent"] = above if above > 0 and product_model.find_product(work, above) is not None else 0
    date = product_input.parse_moment(given, "date_created")
    if date is not None or old is None:
        out["date_gmt"] = times.format_iso(date if date is not None else work.now)
    if given.get("images") is not None:
        chosen = product_images.save_product_images(work, given["images"])
        out["featured_media"] = chosen[0] if chosen else 0
    for name, taxonomy in _TAXONOMY_BY_MEMBER.items():
        if given.get(name) is not None:
            out[taxonomy.base] = _resolve_term_ids(work, taxonomy, given[name])
    if given.get("shipping_class") is not None:
        out[product_types.SHIPPING_CLASS.base] = product_input.find_shipping_class_ids(work, given["shipping_class"])
    return out


def _resolve_term_ids(work: UnitOfWork, taxonomy: Taxonomy, given: Sequence[Any]) -> list[int]:
    """Return the ids of the terms in a write; the taxonomy's default where none exists."""
    ids = [one["id"] for one in given if isinstance(one, Mapping) and isinstance(one.get("id"), int)]
    found = term_store.find_terms(work.tx, ids)
    known = [id for id in ids if id in found and found[id].taxonomy == taxonomy.name]
    if not known and taxonomy.default_option:
        return [work.option(taxonomy.default_option)]
    return known


def _save_product_row(work: UnitOfWork, old: Product, new: Product, given: Mapping[str, Any]) -> Product:
    """Write the product row and everything that depends on it."""
    members = product_input.build_product_row_members(work, new, given)
    if given.get("catalog_visibility"):
        members["visibility"] = given["catalog_visibility"]
    if given.get("purchase_note") is not None:
        members["purchase_note"] = sanitizing.sanitize_content(given["purchase_note"])
    if new.kind == EXTERNAL:
        # Visitors get both unchanged, as a link and its text.
        if given.get("external_url") is not None:
            members["external_url"] = sanitize_url(given["external_url"])
        if given.get("button_text") is not None:
            members["button_text"] = sanitizing.sanitize_plain_text(given["button_text"])
    else:
        members |= {"external_url": "", "button_text": ""}
    if given.get("images") is not None:
        members["gallery"] = product_images.save_product_images(work, given["images"])[1:]
    if given.get("attributes") is not None:
        written = product_attributes.parse_product_attributes(work, given["attributes"])
        members["attributes"] = product_attributes.assign_options(work, old, new.id, written)
    if given.get("default_attributes") is not None:
        own = members.get("attributes", new.attributes)
        members["default_attributes"] = product_attributes.parse_default_choices(work, own, given["default_attributes"])
    for name, kind in (("upsell_ids", UPSELL), ("cross_sell_ids", CROSS_SELL), ("grouped_products", GROUPED)):
        if given.get(name) is not None:
            product_model.save_product_links(work, new.id, kind, (id for id in given[name] if isinstance(id, int)))
    saved = product_input.apply_written_price(work, msgspec.structs.replace(new, **members))
    product_model.update_product_row(work, old, saved)
    product_costs.save_product_cost(work, saved, given.get(product_costs.MEMBER))
    meta_data.update_meta(work, "product", new.id, given.get("meta_data"))
    if saved.kind == VARIABLE:
        variations.update_variation_titles(work, old, saved)
        saved = product_stock.update_variable_stock_status(work, product_prices.update_price_range(work, saved))
    elif saved.kind == GROUPED:
        saved = product_prices.update_price_range(work, saved)
    product_prices.enqueue_sale_jobs(work, saved)
    product_prices.update_parent_price_ranges(work, saved)
    return saved
