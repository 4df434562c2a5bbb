"""Items that are products and variations, as records of a shop: extra fields and terms become members."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from vetrina.kernel.money import parse_amount
from vetrina.transfer.records import Record

from .elements import ExportElement
from .extension_fields import OWN_MEMBERS
from .product_terms import (
    KIND,
    PRODUCTS,
    SHIPPING_CLASS,
    VARIATIONS,
    VISIBILITY,
    is_attribute,
    is_product_taxonomy,
    parse_reference,
)
from .records import RecordBuilder, parse_id, read_dates
from .scanning import read_item_term

_TEXTS: Final = (
    "sku", "global_unique_id", "regular_price", "sale_price", "tax_status", "backorders", "weight", "purchase_note",
    "button_text", "download_limit", "download_expiry", "low_stock_amount",
)  # fmt: skip
_SWITCHES: Final = ("manage_stock", "sold_individually", "virtual", "downloadable")
_SIDES: Final = ("length", "width", "height")
_LINKS: Final = {"upsell_ids": "_upsell_ids", "cross_sell_ids": "_crosssell_ids", "grouped_products": "_children"}
_SALE_DATES: Final = ("from", "to")
_TERMS: Final = {"product_cat": "categories", "product_tag": "tags", "product_brand": "brands"}  # member by taxonomy
_VISIBILITIES: Final[Mapping[frozenset[str], str]] = {
    frozenset(): "visible", frozenset({"exclude-from-search"}): "catalog",
    frozenset({"exclude-from-catalog"}): "search",
    frozenset({"exclude-from-search", "exclude-from-catalog"}): "hidden",
}  # fmt: skip
_COST: Final = "cost_of_goods_sold"
_CHOICE: Final = "attribute_"  # prefix of what a variation chooses
# What is a member, follows from others here, or is known only to the screens of the original.
_HIDDEN: Final = frozenset({
    *(f"_{name}" for name in (*_TEXTS, *_SWITCHES, *_SIDES)), *_LINKS.values(),
    *(f"_sale_price_dates_{end}" for end in _SALE_DATES), OWN_MEMBERS,
    "_price", "_stock", "_stock_status", "_tax_class", "_product_url", "_downloadable_files", "_thumbnail_id",
    "_product_image_gallery", "_product_attributes", "_default_attributes", "_variation_description", "total_sales",
    "_visibility", "_featured", "_cogs_total_value", "_cogs_value_is_additive", "_product_version",
    "_wc_average_rating", "_wc_rating_count", "_wc_review_count", "_edit_last", "_edit_lock", "_cms_old_slug",
    "_cms_old_date", "_download_type", "_file_paths", "_min_variation_price", "_max_variation_price",
    "_min_price_variation_id", "_max_price_variation_id", "_min_variation_regular_price",
    "_max_variation_regular_price", "_min_regular_price_variation_id", "_max_regular_price_variation_id",
    "_min_variation_sale_price", "_max_variation_sale_price", "_min_sale_price_variation_id",
    "_max_sale_price_variation_id",
})  # fmt: skip

Fields = Mapping[str, Any]  # the first value of each extra field of an item
TermNamer = Callable[[str, str], str]  # taxonomy and slug of an attribute's value → its name


class ProductBuilder:
    """Makes records of the products of a file. name_term: of a value of an attribute."""

    def __init__(self, records: RecordBuilder, name_term: TermNamer) -> None:
        self._records, self._name_term = records, name_term

    def build_product(self, part: ExportElement) -> Record:
        """Return the record of a product."""
        listed = self._records.list_fields(part)
        fields = _take_first(listed)
        terms = _list_terms(part)
        kind = next((slug for taxonomy, slug in terms if taxonomy == KIND), "simple")
        visible = {slug for taxonomy, slug in terms if taxonomy == VISIBILITY}
        hidden = frozenset(name for name in visible if name.startswith("exclude-"))
        values = {
            **self._build_shared(part, fields, terms, listed), "type": kind, "name": part.get("title"),
            "slug": part.get("export:post_name").strip(), "permalink": part.get("link").strip(),
            "description": part.get("content:encoded"), "short_description": part.get("excerpt:encoded"),
            "parent_id": parse_id(part.get("export:post_parent")) or 0,
            "post_password": part.get("export:post_password"),
            "reviews_allowed": part.get("export:comment_status").strip() == "open",
            "tax_class": _read_tax_class(fields, ""),
            # Files from before the visibilities had terms say it in extra fields.
            "catalog_visibility": _VISIBILITIES.get(hidden, "") if hidden else fields.get("_visibility") or "visible",
            "featured": "featured" in visible or fields.get("_featured") == "yes",
            "external_url": _read_text(fields, "_product_url"),
            "total_sales": _read_text(fields, "total_sales"),
            "images": [{"id": id} for id in _list_images(fields)],
        }  # fmt: skip
        if "outofstock" in visible and not values["stock_status"]:
            values["stock_status"] = "outofstock"
        for member, name in _LINKS.items():
            values[member] = [id for one in list_items(fields.get(name)) if (id := parse_reference(one))]
        for taxonomy, member in _TERMS.items():
            values[member] = [
                {"id": self._records.find_term(taxonomy, slug)} for of, slug in terms if of == taxonomy
            ]  # fmt: skip
        values["attributes"] = list(self._read_attributes(fields.get("_product_attributes"), terms))
        values["default_attributes"] = self._read_choices(_iterate_keyed(fields.get("_default_attributes")))
        return self._build_record(PRODUCTS, part, values, fields)

    def build_variation(self, part: ExportElement) -> Record:
        """Return the record of a variation."""
        listed = self._records.list_fields(part)
        fields = _take_first(listed)
        image = parse_reference(fields.get("_thumbnail_id"))
        chosen = ((name.removeprefix(_CHOICE), value) for name, value in fields.items() if name.startswith(_CHOICE))
        others = [one for one in listed if not one[0].startswith(_CHOICE)]
        values = {
            **self._build_shared(part, fields, _list_terms(part), others),
            "description": _read_text(fields, "_variation_description"),
            "tax_class": _read_tax_class(fields, "parent"), "image": {"id": image} if image else None,
            "attributes": self._read_choices(chosen),
        }  # fmt: skip
        above = parse_id(part.get("export:post_parent")) or 0
        return self._build_record(VARIATIONS, part, values, fields, above)

    def _build_record(
        self, resource: str, part: ExportElement, values: dict[str, Any], fields: Fields, parent: int | str = 0
    ) -> Record:
        id = parse_id(part.get("export:post_id"))
        values["meta"] = dict(fields)
        language = self._records.take_language("record", id, values)
        # The fields that tell it are no others.
        told = fields.keys() - values.pop("meta").keys()
        values["meta_data"] = [one for one in values["meta_data"] if one["key"] not in told]
        return Record(resource, id, values, language, parent)

    def _build_shared(
        self, part: ExportElement, fields: Fields, terms: Sequence[tuple[str, str]], listed: Iterable[tuple[str, Any]]
    ) -> dict[str, Any]:
        """Return the members that products and variations have."""
        shipping = next((slug for taxonomy, slug in terms if taxonomy == SHIPPING_CLASS), "")
        out: dict[str, Any] = {
            "status": part.get("export:status").strip(),
            "menu_order": parse_id(part.get("export:menu_order")) or 0,
            **read_dates(part, {"date": "date_created", "modified": "date_modified"}),
            **{name: _read_text(fields, f"_{name}") for name in _TEXTS},
            **{name: _read_text(fields, f"_{name}") == "yes" for name in _SWITCHES},
            "stock_quantity": _read_text(fields, "_stock"), "stock_status": _read_text(fields, "_stock_status"),
            "dimensions": {side: _read_text(fields, f"_{side}") for side in _SIDES},
            "shipping_class_id": self._records.find_term(SHIPPING_CLASS, shipping),
            "downloads": list(_iterate_downloads(fields.get("_downloadable_files"))),
            "meta_data": [
                {"key": name, "value": value} for name, value in listed if name not in _HIDDEN
            ],
        }  # fmt: skip
        for end in _SALE_DATES:
            out[f"date_on_sale_{end}_gmt"] = read_moment(fields.get(f"_sale_price_dates_{end}"))
        if "_cogs_total_value" in fields or "_cogs_value_is_additive" in fields:
            # What is no amount would have the whole product refused.
            cost = parse_amount(_read_text(fields, "_cogs_total_value"))
            out[_COST] = {
                "values": [{"defined_value": str(cost)}] if cost is not None else [],
                "defined_value_is_additive": _read_text(fields, "_cogs_value_is_additive") == "yes",
            }
        return out

    def _read_attributes(self, declared: Any, terms: Iterable[tuple[str, str]]) -> Iterator[dict[str, Any]]:
        held: dict[str, list[str]] = {}
        for taxonomy, slug in terms:
            if is_attribute(taxonomy):
                held.setdefault(taxonomy, []).append(self._name_term(taxonomy, slug))
        for key, one in _iterate_keyed(declared):
            if not isinstance(one, Mapping):
                continue
            kept = {
                "position": one.get("position"), "visible": _is_on(one.get("is_visible")),
                "variation": _is_on(one.get("is_variation")),
            }  # fmt: skip
            name = str(one.get("name") or key)
            if not _is_on(one.get("is_taxonomy")):
                options = [option for text in str(one.get("value") or "").split("|") if (option := text.strip())]
                yield {"id": 0, "name": name, "options": options, **kept}
            elif name in held:
                yield {"id": name, "name": name, "options": held[name], **kept}

    def _read_choices(self, chosen: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
        """Return the attributes that are chosen, each with its value. chosen: slugs of values, or their texts."""
        out = []
        for key, value in chosen:
            if isinstance(value, str | int) and (option := str(value)):
                shared = is_attribute(key)
                name = self._name_term(key, option) if shared else option
                out.append({"id": key if shared else 0, "slug": key, "name": key, "option": name})
        return out


def _take_first(listed: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in listed:
        out.setdefault(name, value)
    return out


def _list_terms(part: ExportElement) -> list[tuple[str, str]]:
    """Return taxonomies and slugs of the terms that an item has."""
    found = (read_item_term(one.attributes) for one in part.iterate("category"))
    return list(dict.fromkeys(one for one in found if one is not None and is_product_taxonomy(one[0])))


def _list_images(fields: Fields) -> list[int]:
    """Return the ids of a product's images, its main one first."""
    named = [fields.get("_thumbnail_id"), *str(fields.get("_product_image_gallery") or "").split(",")]
    return list(dict.fromkeys(id for one in named if (id := parse_reference(one))))


def _iterate_downloads(value: Any) -> Iterator[dict[str, str]]:
    for key, one in _iterate_keyed(value):
        if isinstance(one, Mapping) and one.get("file"):
            yield {"id": str(one.get("id") or key), "name": str(one.get("name") or ""), "file": str(one["file"])}


def _iterate_keyed(value: Any) -> Iterator[tuple[str, Any]]:
    """Give the items of an array with their keys; one that counts from 0 is a list."""
    if isinstance(value, Mapping):
        yield from value.items()
    elif isinstance(value, list):
        yield from ((str(at), one) for at, one in enumerate(value))


def list_items(value: Any) -> list[Any]:
    """Return the items of an array of the source, none of anything else."""
    return [one for _, one in _iterate_keyed(value)]


def _read_text(fields: Fields, name: str) -> str:
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def _read_tax_class(fields: Fields, missing: str) -> str:
    """Return a class of taxes, empty for the standard one. missing: what an item has that names none."""
    found = _read_text(fields, "_tax_class") if "_tax_class" in fields else missing
    return "" if found == "standard" else found


def _is_on(value: Any) -> bool:
    return value is True or str(value) == "1"


def read_moment(value: Any) -> str | None:
    """Return the GMT of seconds since 1970 as the interface has it, None for none."""
    seconds = parse_reference(value)
    try:
        moment = datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (ValueError, OverflowError, OSError):
        return None
    return moment.strftime("%Y-%m-%dT%H:%M:%S") if moment else None
