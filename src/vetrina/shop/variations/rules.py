"""Variations of a product: create, change, delete, generate every combination, follow the product.

Not here: what products and variations share (shop/products/member_rules.py), serialization (shop/products/views.py).
Rules: docs/rules/variations.md, 3, 4 and 6.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product as combinations
from typing import Any, Final

import msgspec

from vetrina.content.records import deletion, rules as records
from vetrina.content.terms import store as term_store
from vetrina.content.terms.store import Term
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.shop import meta_data
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.products import (
    attributes as product_attributes,
    costs as product_costs,
    images as product_images,
    member_rules as product_input,
    model as product_model,
    prices as product_prices,
    product_types,
    stock as product_stock,
)
from vetrina.shop.products.model import VARIATION, Product

_MAX_COMBINATIONS: Final = 50_000  # combinations per run
_MAX_TITLE_CHOICES: Final = 2  # choices in the title of a variation


class VariationNotFound(ApiError):
    """The product has no variation with the id."""

    failure, code = Failure.NOT_FOUND, "shop_rest_product_variation_invalid_id"
    message = "There is no variation with the number {id}."


class VariationAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "shop_rest_already_trashed"
    message = "This variation is in the trash already; send force=true to remove it for good."


def get_variation(work: UnitOfWork, parent: Any, id: Any) -> Product:
    """Return the variation of a product with an id. Raises VariationNotFound."""
    found = product_model.find_product(work, id) if isinstance(id, int) else None
    if found is None or not found.is_variation or found.parent != parent:
        raise VariationNotFound(id=id)
    return found


def create_variation(work: UnitOfWork, above: Product, given: Mapping[str, Any], *, alone: bool = True) -> Product:
    """Store a new variation of a product and return it; alone: whether its product is updated at once."""
    members = {"status": "publish", "date_gmt": times.format_iso(work.now), **_build_record_members(work, given)}
    new = records.create_record(
        work, product_types.VARIATION, {**members, "parent": above.id}, language=above.record.language
    )
    blank = Product(new, VARIATION, tax_class="parent")
    product_model.insert_product(work, blank)
    saved = _save_variation_row(work, above, blank, blank, given)
    if alone:
        update_parent_product(work, above.id)
    return saved


def update_variation(work: UnitOfWork, above: Product, old: Product, given: Mapping[str, Any]) -> Product:
    """Store the given members of a variation and return its new state."""
    new = records.update_record(work, product_types.VARIATION, old.record, _build_record_members(work, given))
    saved = _save_variation_row(work, above, old, msgspec.structs.replace(old, record=new), given)
    update_parent_product(work, above.id)
    return saved


def _build_record_members(work: UnitOfWork, given: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    if given.get("description") is not None:
        out["content"] = sanitizing.sanitize_content(given["description"])
    for name in ("status", "menu_order"):
        if given.get(name) is not None:
            out[name] = given[name]
    if isinstance(given.get("image"), Mapping):
        chosen = product_images.save_product_images(work, (given["image"],))
        out["featured_media"] = chosen[0] if chosen else 0
    if given.get("shipping_class") is not None:
        out[product_types.SHIPPING_CLASS.base] = product_input.find_shipping_class_ids(work, given["shipping_class"])
    return out


def _save_variation_row(
    work: UnitOfWork, above: Product, old: Product, new: Product, given: Mapping[str, Any]
) -> Product:
    if given.get("manage_stock") == "parent":
        given = {**given, "manage_stock": False}
    members = product_input.build_product_row_members(work, new, given)
    if given.get("tax_class") is not None:
        members["tax_class"] = given["tax_class"]
    if given.get("attributes") is not None:
        members["choices"] = product_attributes.parse_variation_choices(work, above, given["attributes"])
    saved = product_input.apply_written_price(work, msgspec.structs.replace(new, **members))
    product_model.update_product_row(work, old, saved)
    product_costs.save_product_cost(work, saved, given.get(product_costs.MEMBER))
    saved = update_variation_title(work, above, saved)
    meta_data.update_meta(work, "product", new.id, given.get("meta_data"))
    product_prices.enqueue_sale_jobs(work, saved)
    return saved


def update_parent_product(work: UnitOfWork, above: int) -> None:
    """Update the prices and stock of a product from its variations."""
    found = product_model.find_product(work, above)
    if found is not None:
        product_model.touch_products(
            work, product_stock.update_variable_stock_status(work, product_prices.update_price_range(work, found))
        )


def delete_variation(work: UnitOfWork, old: Product) -> None:
    """Delete a variation for good."""
    meta_data.delete_meta_of_owners(work, "product", old.id)
    deletion.delete_record(work, product_types.VARIATION, old.record)
    update_parent_product(work, old.parent)


def trash_variation(work: UnitOfWork, old: Product) -> None:
    """Move a variation to the trash. Raises VariationAlreadyTrashed."""
    if old.record.status == "trash":
        raise VariationAlreadyTrashed
    records.trash_record(work, product_types.VARIATION, old.record)
    update_parent_product(work, old.parent)


# -- with their product


def delete_variations(work: UnitOfWork, parent: int) -> None:
    """Delete the variations of a product."""
    for one in product_model.list_product_variations(work, parent):
        meta_data.delete_meta_of_owners(work, "product", one.id)
        deletion.delete_record(work, product_types.VARIATION, one.record)


def trash_variations(work: UnitOfWork, parent: int) -> None:
    """Move the variations of a product to the trash with it."""
    for one in product_model.list_product_variations(work, parent):
        if one.record.status != "trash":
            records.trash_record(work, product_types.VARIATION, one.record)


def restore_variations(work: UnitOfWork, parent: int) -> None:
    """Restore the variations of a product from the trash with it; its price and stock are theirs again."""
    for one in product_model.list_product_variations(work, parent):
        if one.record.status == "trash":
            status = one.record.trashed_status or "publish"
            records.update_record(work, product_types.VARIATION, one.record, {"status": status})
    update_parent_product(work, parent)


def update_variation_titles(work: UnitOfWork, old: Product, new: Product) -> None:
    """Update the titles of variations after a change of their product's name."""
    if old.name != new.name:
        for one in product_model.list_product_variations(work, new.id):
            update_variation_title(work, new, one)


# -- names


def find_choice_terms(work: UnitOfWork, products: Sequence[Product]) -> dict[tuple[str, str], Term]:
    """Return the terms of the choices of variations and of the defaults of products, in one query."""
    wanted = {
        (key, value)
        for one in products
        for key, value in one.choices.items()
        if key.startswith(attributes.TAXONOMY_PREFIX)
    } | {(kept["key"], kept["value"]) for one in products for kept in one.default_attributes if kept["id"]}
    return attributes.load_terms_by_slug(work, wanted)


def format_variation_name(one: Product, terms: Mapping[tuple[str, str], Term]) -> str:
    """Return the name of a variation: its choices."""
    return ", ".join(value for value in _name_choices(one.choices, terms).values() if value)


def _name_choices(choices: Mapping[str, str], terms: Mapping[tuple[str, str], Term]) -> dict[str, str]:
    """Return the names of choices by the keys of their attributes; terms: by taxonomy and slug."""
    return {key: terms[key, value].name if (key, value) in terms else value for key, value in choices.items()}


def update_variation_title(work: UnitOfWork, above: Product, one: Product) -> Product:
    """Return a variation with the title and the excerpt that its product and its choices give it."""
    title, summary = build_variation_texts(work, above, one.choices)
    if title == one.name and summary == one.record.excerpt:
        return one
    written = {"title": title, "excerpt": summary}
    if one.record.slug == str(one.id):
        written["slug"] = title  # created without a title; from then on its slug stays
    return msgspec.structs.replace(
        one, record=records.update_record(work, product_types.VARIATION, one.record, written)
    )


def build_variation_texts(work: UnitOfWork, above: Product, choices: Mapping[str, str]) -> tuple[str, str]:
    """Return title and excerpt of a variation: its choices are in the title where these are few and simple.

    The excerpt, which is never displayed, contains all of them with their names, by which searches find it:
    "Size: Long".
    """
    terms = attributes.load_terms_by_slug(
        work, [(key, value) for key, value in choices.items() if key.startswith(attributes.TAXONOMY_PREFIX)]
    )
    named = _name_choices(choices, terms)
    title = above.name
    if choices and len(choices) <= _MAX_TITLE_CHOICES and not (len(choices) > 1 and any("-" in key for key in choices)):
        title = f"{title} - {', '.join(value for value in named.values() if value)}"
    shared = {own.taxonomy: own.name for own in attributes.load_attributes(work).values()}
    labels = {own["key"]: shared.get(own["key"]) or own["name"] for own in above.attributes}
    return title, ", ".join(f"{labels.get(key, key)}: {value}" for key, value in named.items() if value)


# -- every combination


def generate_variations(
    work: UnitOfWork, above: Product, *, without_others: bool = False, first: Mapping[str, Any] | None = None
) -> tuple[int, int]:
    """Generate the missing combinations of a product's options; return how many were created, and how many deleted.

    without_others: delete variations that are not a combination of the options. first: members of the new ones.
    """
    known = attributes.load_attributes(work)
    terms = term_store.list_terms_by_record(work.tx, (above.id,)).get(above.id, [])
    wanted: dict[str, list[str]] = {}
    for kept in above.attributes:
        if kept["variation"]:
            own = [one for one in terms if one.taxonomy == kept["key"]]
            shared = known.get(kept["id"])
            order = attributes.build_term_sort_key(shared.order_by if shared else "menu_order")
            options = [one.slug for one in sorted(own, key=order)] if kept["id"] else list(kept["options"])
            if options:
                wanted[kept["key"]] = options
    every = [dict(zip(wanted, values, strict=True)) for values in combinations(*wanted.values())] if wanted else []
    there = product_model.list_product_variations(work, above.id)
    held_choices = [one.choices for one in there]
    removed = 0
    if without_others:
        for one in there:
            if one.choices not in every:
                meta_data.delete_meta_of_owners(work, "product", one.id)
                deletion.delete_record(work, product_types.VARIATION, one.record)
                removed += 1
    missing = [choice for choice in every[:_MAX_COMBINATIONS] if choice not in held_choices]
    ids = {kept["key"]: kept for kept in above.attributes}
    for choice in missing:
        chosen = [{"id": ids[key]["id"], "name": ids[key]["name"], "option": value} for key, value in choice.items()]
        create_variation(work, above, {**(first or {}), "attributes": chosen}, alone=False)
    if removed or missing:
        update_parent_product(work, above.id)
    return len(missing), removed
