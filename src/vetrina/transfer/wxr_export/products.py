"""Products and their variations as items: what the shop shows of them, in the extra fields where the original keeps it.

What follows from orders and stock, as prices to sort by, is made by whoever reads the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from vetrina.kernel import slugs
from vetrina.transfer.records import Record
from vetrina.transfer.sources.wxr.product_terms import PRODUCT, VARIATION

from .extra_fields import select_language
from .items import Item
from .terms import ExportedTerm, TermList

_TAXONOMIES: Final = {"categories": "product_cat", "tags": "product_tag", "brands": "product_brand"}  # by member
_TEXTS: Final = (
    "sku", "global_unique_id", "regular_price", "sale_price", "price", "tax_status", "tax_class", "backorders",
    "stock_status", "weight", "purchase_note", "button_text", "download_limit", "download_expiry", "low_stock_amount",
)  # fmt: skip
_SWITCHES: Final = ("manage_stock", "sold_individually", "virtual", "downloadable")
_OTHERS: Final = {
    "_stock": "stock_quantity", "_product_url": "external_url", "_upsell_ids": "upsell_ids",
    "_crosssell_ids": "cross_sell_ids", "_children": "grouped_products", "total_sales": "total_sales",
}  # fmt: skip
_HIDDEN: Final[Mapping[str, tuple[str, ...]]] = {
    "catalog": ("exclude-from-search",), "search": ("exclude-from-catalog",),
    "hidden": ("exclude-from-search", "exclude-from-catalog"),
}  # fmt: skip


def describe_product(record: Record, terms: TermList, several: bool) -> Item:
    """Return the item of a product. several: whether the site has more than one language."""
    values = record.values
    images = [one["id"] for one in values.get("images") or () if one.get("id")]
    fields = [
        *_select_shared(values), ("_thumbnail_id", images[0] if images else None),
        ("_product_image_gallery", ",".join(map(str, images[1:]))),
        ("_product_attributes", _build_attributes(values, terms)),
        ("_default_attributes", _build_defaults(values, terms)),
        *select_language(record, several),
    ]  # fmt: skip
    return Item(
        record.id, PRODUCT, str(values.get("slug") or ""), str(values.get("name") or ""),
        str(values.get("description") or ""), str(values.get("short_description") or ""),
        values.get("parent_id"),
        tuple(_list_terms(values, terms)), tuple(fields),
    )  # fmt: skip


def describe_variation(record: Record, terms: TermList, several: bool) -> Item:
    """Return the item of a variation."""
    values = record.values
    image = values.get("image")
    chosen = [
        (f"attribute_{_name_attribute(terms, one)}", _find_option(terms, one, one.get("option")))
        for one in values.get("attributes") or ()
    ]
    fields = [
        *_select_shared(values), ("_tax_class", values.get("tax_class") or "standard"),
        ("_thumbnail_id", image.get("id") if isinstance(image, Mapping) else None),
        ("_variation_description", values.get("description")), *chosen, *select_language(record, several),
    ]  # fmt: skip
    shipping = terms.find("product_shipping_class", values.get("shipping_class_id"))
    return Item(
        record.id, VARIATION, f"product-{record.parent}-variation-{record.id}", str(values.get("name") or ""), "", "",
        record.parent, (shipping,) if shipping else (), tuple(fields),
    )  # fmt: skip


def build_record_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a product that every record has, under the names of records."""
    return {
        "date": values.get("date_created"), "date_gmt": values.get("date_created_gmt"),
        "modified": values.get("date_modified"), "modified_gmt": values.get("date_modified_gmt"),
        "link": values.get("permalink"), "status": values.get("status"), "menu_order": values.get("menu_order"),
        "password": values.get("post_password"),
        "comment_status": "open" if values.get("reviews_allowed") else "closed",
    }  # fmt: skip


def build_review_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return a review under the names of comments."""
    return {
        "id": values.get("id"), "author_name": values.get("reviewer"), "author_email": values.get("reviewer_email"),
        "date": values.get("date_created"), "date_gmt": values.get("date_created_gmt"),
        "content": values.get("review"), "status": values.get("status"), "type": "review",
        "meta": {"rating": values.get("rating"), "verified": 1 if values.get("verified") else 0},
    }  # fmt: skip


def _select_shared(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Give the extra fields that products and variations have."""
    for name in _TEXTS:
        yield f"_{name}", values.get(name)
    for name in _SWITCHES:
        yield f"_{name}", "yes" if values.get(name) is True else "no"  # one whose product has the stock says `parent`
    yield from _select_cost(values.get("cost_of_goods_sold"))
    for name, member in _OTHERS.items():
        yield name, values.get(member)
    for name, value in (values.get("dimensions") or {}).items():
        yield f"_{name}", value
    for end in ("from", "to"):
        yield f"_sale_price_dates_{end}", _read_seconds(values.get(f"date_on_sale_{end}_gmt"))
    yield "_downloadable_files", {str(one.get("id")): one for one in values.get("downloads") or ()}
    for one in values.get("meta_data") or ():
        yield str(one.get("key")), one.get("value")


def _select_cost(cost: Any) -> Iterator[tuple[str, Any]]:
    told = cost if isinstance(cost, Mapping) else {}
    values = [one.get("defined_value") for one in told.get("values") or () if isinstance(one, Mapping)]
    yield "_cogs_total_value", next((value for value in values if value is not None), None)
    yield "_cogs_value_is_additive", "yes" if told.get("defined_value_is_additive") else None


def _list_terms(values: Mapping[str, Any], terms: TermList) -> Iterator[ExportedTerm]:
    kind = str(values.get("type") or "simple")
    yield ExportedTerm("product_type", kind, kind)
    hidden = [*_HIDDEN.get(str(values.get("catalog_visibility")), ())]
    hidden += ["featured"] if values.get("featured") else []
    hidden += ["outofstock"] if values.get("stock_status") == "outofstock" else []
    yield from (ExportedTerm("product_visibility", name, name) for name in hidden)
    for member, taxonomy in _TAXONOMIES.items():
        found = (terms.find(taxonomy, one.get("id")) for one in values.get(member) or ())
        yield from (one for one in found if one is not None)
    if (shipping := terms.find("product_shipping_class", values.get("shipping_class_id"))) is not None:
        yield shipping
    for one in values.get("attributes") or ():
        if one.get("id"):
            named = (
                terms.find_by_name(_name_attribute(terms, one), str(option)) for option in one.get("options") or ()
            )
            yield from (term for term in named if term is not None)


def _build_attributes(values: Mapping[str, Any], terms: TermList) -> dict[str, Any]:
    return {
        _name_attribute(terms, one): {
            "name": _name_attribute(terms, one) if one.get("id") else one.get("name"),
            "value": "" if one.get("id") else " | ".join(map(str, one.get("options") or ())),
            "position": one.get("position") or 0, "is_visible": int(bool(one.get("visible"))),
            "is_variation": int(bool(one.get("variation"))), "is_taxonomy": int(bool(one.get("id"))),
        }
        for one in values.get("attributes") or ()
    }  # fmt: skip


def _build_defaults(values: Mapping[str, Any], terms: TermList) -> dict[str, Any]:
    return {
        _name_attribute(terms, one): _find_option(terms, one, one.get("option"))
        for one in values.get("default_attributes") or ()
    }


def _name_attribute(terms: TermList, one: Mapping[str, Any]) -> str:
    """Return the key of an attribute: its taxonomy, or for one of the product alone its name as a slug."""
    if one.get("id"):
        # Choices are not shown with the slug everywhere.
        return str(one.get("slug") or terms.get_attribute(one["id"]))
    return slugs.slugify(str(one.get("name") or ""))


def _find_option(terms: TermList, attribute: Mapping[str, Any], option: Any) -> str:
    """Return an option as variations name it: the slug of its term, or its text."""
    found = terms.find_by_name(_name_attribute(terms, attribute), str(option)) if attribute.get("id") else None
    return found.slug if found else str(option or "")


def _read_seconds(value: Any) -> int | None:
    if not isinstance(value, str) or not value:
        return None
    return int(datetime.fromisoformat(f"{value[:19]}+00:00").timestamp())
