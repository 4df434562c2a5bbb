"""Products: create, change, trash, bring back, remove.

One call is one save: the record, its row beside it, prices, stock, terms, links and extra fields follow from each other
here and nowhere else. Not here: variations (shop/variations/rules.py), copies (shop/products/copies.py), who may
(namespaces). Rules: facts, "Products".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from vetrina.access.users.text_rules import web_address
from vetrina.content.records import model as record_model
from vetrina.content.records import rules as records
from vetrina.content.records.lifecycle import AlreadyTrashed as RecordTrashed
from vetrina.content.terms import store as term_store
from vetrina.content.text import sanitizing
from vetrina.content.types.model import Taxonomy
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.products import (
    attributes as product_attributes,
)
from vetrina.shop.products import (
    costs as product_costs,
)
from vetrina.shop.products import (
    images as product_images,
)
from vetrina.shop.products import (
    input as product_input,
)
from vetrina.shop.products import (
    model as product_model,
)
from vetrina.shop.products import (
    prices as product_prices,
)
from vetrina.shop.products import (
    product_types,
)
from vetrina.shop.products import (
    stock as product_stock,
)
from vetrina.shop.products.model import CROSS_SELL, EXTERNAL, GROUPED, SIMPLE, UPSELL, VARIABLE, Product
from vetrina.shop.variations import rules as variations

__all__ = ["KINDS", "AlreadyTrashed", "change", "change_record", "create", "create_record", "remove", "trash"]

KINDS: Final = (SIMPLE, GROUPED, EXTERNAL, VARIABLE)

_UNNAMED = "Product"  # the name of a product that was given none


class AlreadyTrashed(ApiError):
    status, code = 410, "shop_rest_already_trashed"
    message = "This product is in the trash already; send force=true to remove it for good."


# The taxonomy of each list of groups that a client writes.
_GROUPINGS: Final[Mapping[str, Taxonomy]] = {
    "categories": product_types.CATEGORY,
    "tags": product_types.TAG,
    "brands": product_types.BRAND,
}


def create(work: Work, given: Mapping[str, Any]) -> Product:
    """Store a new product and return it. Raises what its rules raise."""
    kind = given.get("type") or SIMPLE
    product_input.refuse_trashed_sku(work, given.get("sku") or "")
    members = _record_members(work, None, given)
    new = records.create(work, product_types.PRODUCT, members)
    blank = Product(new, kind)
    product_model.insert_new(work, blank)
    return _saved(work, blank, blank, given)


def change(work: Work, old: Product, given: Mapping[str, Any]) -> Product:
    """Store the given members of a product and return its new state. Raises what its rules raise."""
    kind = given.get("type") or old.kind
    if old.kind == VARIABLE and kind != VARIABLE:
        variations.remove_all(work, old.id)
    if given.get("status") == "trash" and old.record.status != "trash":
        given = {name: value for name, value in given.items() if name != "status"}
        changed = _changed(work, old, kind, given)
        return msgspec.structs.replace(changed, record=_trashed(work, changed))
    new = _changed(work, old, kind, given)
    if old.record.status == "trash" != new.record.status:
        variations.restore_all(work, new.id)
    return new


def create_record(work: Work, members: Mapping[str, Any]) -> Product:
    """Store a new product of which only the members of its record are written, in the words of content."""
    new = records.create(work, product_types.PRODUCT, _with_default(work, members))
    blank = Product(new)
    product_model.insert_new(work, blank)
    return _saved(work, blank, blank, {})


def change_record(work: Work, old: Product, members: Mapping[str, Any]) -> Product:
    """Store members of a product's record, in the words of content, and return its new state."""
    new = records.change(work, product_types.PRODUCT, old.record, _with_default(work, members))
    changed = _saved(work, old, msgspec.structs.replace(old, record=new), {})
    if old.record.status == "trash" != new.status:
        variations.restore_all(work, old.id)
    return changed


def _with_default(work: Work, members: Mapping[str, Any]) -> dict[str, Any]:
    """Return members of a record with terms that are there; where none is known, with the taxonomy's default."""
    named = {
        one.base: _groups(work, one, [{"id": id} for id in members[one.base]])
        for one in _GROUPINGS.values()
        if members.get(one.base) is not None
    }
    return {**members, **named}


def _changed(work: Work, old: Product, kind: str, given: Mapping[str, Any]) -> Product:
    new = records.change(work, product_types.PRODUCT, old.record, _record_members(work, old, given))
    return _saved(work, old, msgspec.structs.replace(old, record=new, kind=kind), given)


def trash(work: Work, old: Product) -> record_model.Record:
    """Move a product to the trash, with its variations, and return its record. Raises AlreadyTrashed."""
    if old.record.status == "trash":
        raise AlreadyTrashed
    return _trashed(work, old)


def _trashed(work: Work, old: Product) -> record_model.Record:
    variations.trash_all(work, old.id)
    try:
        return records.trash(work, product_types.PRODUCT, old.record)
    except RecordTrashed:
        raise AlreadyTrashed from None


def remove(work: Work, old: Product) -> None:
    """Remove a product for good, with its variations, reviews and extra fields."""
    variations.remove_all(work, old.id)
    groups = product_model.groups_of(work, old.id)
    meta_data.remove_of(work, "product", old.id)
    records.remove(work, product_types.PRODUCT, old.record)
    for found in product_model.by_ids(work, groups).values():
        product_prices.sync(work, found)


# -- one save


def _record_members(work: Work, old: Product | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the record is given."""
    out: dict[str, Any] = {}
    if given.get("name") is not None or old is None:
        name = sanitizing.content(given.get("name") or "").strip()
        out["title"] = name or _UNNAMED
    for name, own in (("description", "content"), ("short_description", "excerpt")):
        if given.get(name) is not None:
            out[own] = sanitizing.content(given[name])
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
        out["parent"] = above if above > 0 and product_model.by_id(work, above) is not None else 0
    date = product_input.moments(given, "date_created")
    if date is not None or old is None:
        out["date_gmt"] = times.iso(date if date is not None else work.now)
    if given.get("images") is not None:
        chosen = product_images.written(work, given["images"])
        out["featured_media"] = chosen[0] if chosen else 0
    for name, taxonomy in _GROUPINGS.items():
        if given.get(name) is not None:
            out[taxonomy.base] = _groups(work, taxonomy, given[name])
    if given.get("shipping_class") is not None:
        out[product_types.SHIPPING_CLASS.base] = product_input.shipping_class(work, given["shipping_class"])
    return out


def _groups(work: Work, taxonomy: Taxonomy, given: Sequence[Any]) -> list[int]:
    """Return the numbers of the terms that a client named; where none is known, the taxonomy's default."""
    ids = [one["id"] for one in given if isinstance(one, Mapping) and isinstance(one.get("id"), int)]
    found = term_store.by_ids(work.tx, ids)
    known = [id for id in ids if id in found and found[id].taxonomy == taxonomy.name]
    if not known and taxonomy.default_option:
        return [work.option(taxonomy.default_option)]
    return known


def _saved(work: Work, old: Product, new: Product, given: Mapping[str, Any]) -> Product:
    """Write the row beside the record, and what hangs on it."""
    members = product_input.change_row(work, new, given)
    if given.get("catalog_visibility"):
        members["visibility"] = given["catalog_visibility"]
    if given.get("purchase_note") is not None:
        members["purchase_note"] = sanitizing.content(given["purchase_note"])
    if new.kind == EXTERNAL:
        # Visitors get both as they are, as a link and its words.
        if given.get("external_url") is not None:
            members["external_url"] = web_address(given["external_url"])
        if given.get("button_text") is not None:
            members["button_text"] = sanitizing.plain(given["button_text"])
    else:
        members |= {"external_url": "", "button_text": ""}
    if given.get("images") is not None:
        members["gallery"] = product_images.written(work, given["images"])[1:]
    if given.get("attributes") is not None:
        written = product_attributes.written(work, given["attributes"])
        members["attributes"] = product_attributes.assign_options(work, old, new.id, written)
    if given.get("default_attributes") is not None:
        own = members.get("attributes", new.attributes)
        members["default_attributes"] = product_attributes.defaults(work, own, given["default_attributes"])
    for name, kind in (("upsell_ids", UPSELL), ("cross_sell_ids", CROSS_SELL), ("grouped_products", GROUPED)):
        if given.get(name) is not None:
            product_model.put_links(work, new.id, kind, (id for id in given[name] if isinstance(id, int)))
    saved = product_input.settle(work, msgspec.structs.replace(new, **members))
    product_model.store(work, old, saved)
    product_costs.write(work, saved, given.get(product_costs.MEMBER))
    meta_data.change(work, "product", new.id, given.get("meta_data"))
    if saved.kind == VARIABLE:
        variations.follow(work, old, saved)
        saved = product_stock.sync_parent(work, product_prices.sync(work, saved))
    elif saved.kind == GROUPED:
        saved = product_prices.sync(work, saved)
    product_prices.await_dates(work, saved)
    product_prices.sync_above(work, saved)
    return saved
