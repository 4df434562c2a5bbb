"""Variations of a product: create, change, remove, make every combination, follow the product.

Not here: what products and variations have in common (shop/products/input.py), how one is shown (namespaces).
Rules: facts, "Attributes, variations".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product as combinations
from typing import Any, Final

import msgspec

from vetrina.content.records import rules as records
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
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
from vetrina.shop.products.model import VARIATION, Product

__all__ = [
    "AlreadyTrashed", "VariationUnknown", "change", "create", "existing", "follow", "generate", "named_terms", "remove",
    "remove_all", "restore_all", "shown_name", "trash", "trash_all",
]  # fmt: skip

_MOST: Final = 50_000  # combinations that are made at once
_MOST_IN_TITLE: Final = 2  # choices that a variation's title names


class VariationUnknown(ApiError):
    """No variation of this product has the number."""

    status, code = 404, "shop_rest_product_variation_invalid_id"
    message = "There is no variation with the number {id}."


class AlreadyTrashed(ApiError):
    status, code = 410, "shop_rest_already_trashed"
    message = "This variation is in the trash already; send force=true to remove it for good."


def existing(work: Work, parent: Any, id: Any) -> Product:
    """Return the variation of a product with a number. Raises VariationUnknown."""
    found = product_model.by_id(work, id) if isinstance(id, int) else None
    if found is None or not found.is_variation or found.parent != parent:
        raise VariationUnknown(id=id)
    return found


def create(work: Work, above: Product, given: Mapping[str, Any], *, alone: bool = True) -> Product:
    """Store a new variation of a product and return it; alone: whether its product follows at once."""
    members = {"status": "publish", "date_gmt": times.iso(work.now), **_record_members(work, given)}
    new = records.create(work, product_types.VARIATION, {**members, "parent": above.id}, language=above.record.language)
    blank = Product(new, VARIATION, tax_class="parent")
    product_model.insert_new(work, blank)
    saved = _saved(work, above, blank, blank, given)
    if alone:
        refresh(work, above.id)
    return saved


def change(work: Work, above: Product, old: Product, given: Mapping[str, Any]) -> Product:
    """Store the given members of a variation and return its new state."""
    new = records.change(work, product_types.VARIATION, old.record, _record_members(work, given))
    saved = _saved(work, above, old, msgspec.structs.replace(old, record=new), given)
    refresh(work, above.id)
    return saved


def _record_members(work: Work, given: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if given.get("description") is not None:
        out["content"] = sanitizing.content(given["description"])
    for name in ("status", "menu_order"):
        if given.get(name) is not None:
            out[name] = given[name]
    if isinstance(given.get("image"), Mapping):
        chosen = product_images.written(work, (given["image"],))
        out["featured_media"] = chosen[0] if chosen else 0
    if given.get("shipping_class") is not None:
        out[product_types.SHIPPING_CLASS.base] = product_input.shipping_class(work, given["shipping_class"])
    return out


def _saved(work: Work, above: Product, old: Product, new: Product, given: Mapping[str, Any]) -> Product:
    if given.get("manage_stock") == "parent":
        given = {**given, "manage_stock": False}
    members = product_input.change_row(work, new, given)
    if given.get("tax_class") is not None:
        members["tax_class"] = given["tax_class"]
    if given.get("attributes") is not None:
        members["choices"] = product_attributes.choices(work, above, given["attributes"])
    saved = product_input.settle(work, msgspec.structs.replace(new, **members))
    product_model.store(work, old, saved)
    product_costs.write(work, saved, given.get(product_costs.MEMBER))
    saved = titled(work, above, saved)
    meta_data.change(work, "product", new.id, given.get("meta_data"))
    product_prices.await_dates(work, saved)
    return saved


def refresh(work: Work, above: int) -> None:
    """Let a product follow its variations: prices and stock."""
    found = product_model.by_id(work, above)
    if found is not None:
        product_model.touch(work, product_stock.sync_parent(work, product_prices.sync(work, found)))


def remove(work: Work, old: Product) -> None:
    """Remove a variation for good."""
    meta_data.remove_of(work, "product", old.id)
    records.remove(work, product_types.VARIATION, old.record)
    refresh(work, old.parent)


def trash(work: Work, old: Product) -> None:
    """Move a variation to the trash. Raises AlreadyTrashed."""
    if old.record.status == "trash":
        raise AlreadyTrashed
    records.trash(work, product_types.VARIATION, old.record)
    refresh(work, old.parent)


# -- with their product


def remove_all(work: Work, parent: int) -> None:
    """Remove the variations of a product."""
    for one in product_model.variations_of(work, parent):
        meta_data.remove_of(work, "product", one.id)
        records.remove(work, product_types.VARIATION, one.record)


def trash_all(work: Work, parent: int) -> None:
    """Move the variations of a product to the trash with it."""
    for one in product_model.variations_of(work, parent):
        if one.record.status != "trash":
            records.trash(work, product_types.VARIATION, one.record)


def restore_all(work: Work, parent: int) -> None:
    """Bring the variations of a product back from the trash with it."""
    for one in product_model.variations_of(work, parent):
        if one.record.status == "trash":
            status = one.record.trashed_status or "publish"
            records.change(work, product_types.VARIATION, one.record, {"status": status})


def follow(work: Work, old: Product, new: Product) -> None:
    """Let the titles of variations follow the name of their product."""
    if old.name != new.name:
        for one in product_model.variations_of(work, new.id):
            titled(work, new, one)


# -- names


def named_terms(work: Work, found: Sequence[Product]) -> dict[tuple[str, str], Term]:
    """Return the terms that the choices of variations and the defaults of products name; asks once."""
    wanted = {
        (key, value) for one in found for key, value in one.choices.items() if key.startswith(attributes.PREFIX)
    } | {(kept["key"], kept["value"]) for one in found for kept in one.default_attributes if kept["id"]}
    return attributes.terms_by_slug(work, wanted)


def shown_name(one: Product, named: Mapping[tuple[str, str], Term]) -> str:
    """Return the name of a variation: its choices."""
    values = (named[key, value].name if (key, value) in named else value for key, value in one.choices.items())
    return ", ".join(value for value in values if value)


def titled(work: Work, above: Product, one: Product) -> Product:
    """Return a variation whose title names its product and its choices, where these are few and simple.

    Its excerpt, which nobody is shown, has all of them with their names for searches.
    """
    title = above.name
    several = len(one.choices) > 1
    if one.choices and len(one.choices) <= _MOST_IN_TITLE and not (several and any("-" in key for key in one.choices)):
        title = f"{title} - {shown_name(one, named_terms(work, (one,)))}"
    summary = _summary(work, above, one)
    if title == one.name and summary == one.record.excerpt:
        return one
    written = {"title": title, "excerpt": summary}
    if one.record.slug == str(one.id):
        written["slug"] = title  # it was made without a title; from then on its slug stays
    return msgspec.structs.replace(one, record=records.change(work, product_types.VARIATION, one.record, written))


def _summary(work: Work, above: Product, one: Product) -> str:
    """Return the choices of a variation with what they are called, by which searches find it: "Size: Long"."""
    named, shared = named_terms(work, (one,)), {own.taxonomy: own.name for own in attributes.known(work).values()}
    labels = {own["key"]: shared.get(own["key"]) or own["name"] for own in above.attributes}
    chosen = {key: named[key, value].name if (key, value) in named else value for key, value in one.choices.items()}
    return ", ".join(f"{labels.get(key, key)}: {value}" for key, value in chosen.items() if value)


# -- every combination


def generate(
    work: Work, above: Product, *, without_others: bool = False, first: Mapping[str, Any] | None = None
) -> tuple[int, int]:
    """Make the combinations of a product's options that are missing; return how many were made, how many removed.

    without_others: remove variations that are no combination of the options. first: members of those that are made.
    """
    known = attributes.known(work)
    held = term_store.of_records(work.tx, (above.id,)).get(above.id, [])
    wanted: dict[str, list[str]] = {}
    for kept in above.attributes:
        if kept["variation"]:
            own = [one for one in held if one.taxonomy == kept["key"]]
            shared = known.get(kept["id"])
            order = attributes.order_of(shared.order_by if shared else "menu_order")
            options = [one.slug for one in sorted(own, key=order)] if kept["id"] else list(kept["options"])
            if options:
                wanted[kept["key"]] = options
    every = [dict(zip(wanted, values, strict=True)) for values in combinations(*wanted.values())] if wanted else []
    there = product_model.variations_of(work, above.id)
    held_choices = [one.choices for one in there]
    removed = 0
    if without_others:
        for one in there:
            if one.choices not in every:
                meta_data.remove_of(work, "product", one.id)
                records.remove(work, product_types.VARIATION, one.record)
                removed += 1
    missing = [choice for choice in every[:_MOST] if choice not in held_choices]
    ids = {kept["key"]: kept for kept in above.attributes}
    for choice in missing:
        chosen = [{"id": ids[key]["id"], "name": ids[key]["name"], "option": value} for key, value in choice.items()]
        create(work, above, {**(first or {}), "attributes": chosen}, alone=False)
    if removed or missing:
        refresh(work, above.id)
    return len(missing), removed
