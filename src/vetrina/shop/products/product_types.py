"""The types and taxonomies that a shop adds to a site, handed to its frame when it starts (system/context_factory.py).

Products, their categories, tags and brands are described by the content interface and have routes there too, as block
themes and editors ask for them (`AS_RECORD`); variations and shipping classes are the shop's alone. The taxonomies of
shared attributes are made while the site runs (shop/attributes/rules.py).
Rules: facts, "Products"; the addresses of the recordings; issue 21, "The original's own pages".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import exists, func, select

from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.core import record
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.shop.rights import MANAGE

if TYPE_CHECKING:
    from vetrina.content.records.model import Record
    from vetrina.core.unit_of_work import Work

__all__ = [
    "AS_RECORD", "BRAND", "CATEGORY", "DEFAULT_CATEGORY", "GROUPINGS", "PRODUCT", "SHIPPING_CLASS", "TAG", "TAXONOMIES",
    "TYPES", "VARIATION",
]  # fmt: skip

DEFAULT_CATEGORY: Final = "default_product_cat"  # the option with the category of products that have no other

_RIGHTS = dict.fromkeys(
    ("create_posts", "edit_posts", "edit_others_posts", "edit_published_posts", "edit_private_posts", "publish_posts",
     "read_private_posts", "delete_posts", "delete_others_posts", "delete_published_posts", "delete_private_posts"),
    MANAGE,
)  # fmt: skip


def _named() -> dict[str, str]:
    """Return what the rights to products are called where pages ask for them: `edit_others_posts` by its own noun."""
    ones = {f"{verb}_post": f"{verb}_product" for verb in ("edit", "read", "delete")}
    many = {name: name.replace("_posts", "_products") for name in _RIGHTS}
    return {**ones, **many, "create_posts": "edit_products"}


def _admits_review(work: Work, of: Record) -> bool:
    """Say whether the caller may write below a product, which is to review it."""
    from vetrina.shop.reviews import permission_rules  # which knows the shop's settings, and those its types

    return permission_rules.admits_comment(work, of)


def _column(column: Any) -> Any:
    """Return a column of products as one of their records, to sort by; nothing counts as 0."""
    return select(func.coalesce(column, 0)).where(product.c.record == record.c.id).scalar_subquery()


def _hidden() -> Any:
    """Return the condition of the products that neither the catalogue nor a search shows."""
    return exists().where(product.c.record == record.c.id, product.c.visibility == "hidden")


PRODUCT: Final = ContentType(
    name="product",
    base="product",
    label="Products",
    singular="Product",
    description="What the shop sells.",
    supports=frozenset({"title", "editor", "excerpt", "thumbnail", "comments", "custom-fields"}),
    unlisted=frozenset({"page-attributes"}),
    taxonomies=("product_brand", "product_cat", "product_tag", "product_shipping_class"),
    comments="open",
    admits_comment=_admits_review,
    names_author=False,
    orders={
        "menu_order": record.c.menu_order,
        "popularity": _column(product.c.total_sales),
        "price": _column(product.c.price_from),
        "rating": _column(product.c.rating),
    },
    left_out=_hidden,
    autosaves=False,
    rights=_RIGHTS,
    capability_names=_named(),
    icon="dashicons-archive",
    room="products",
)

# What the content interface shows of a product and takes for it; the rest is said in the shop's own words.
AS_RECORD: Final = replace(PRODUCT, unlisted=frozenset(), taxonomies=PRODUCT.taxonomies[:-1])

VARIATION: Final = ContentType(
    name="product_variation",
    base="product_variation",
    label="Variations",
    singular="Variation",
    supports=frozenset({"title", "editor", "excerpt", "thumbnail"}),
    unlisted=frozenset({"page-attributes"}),
    taxonomies=("product_shipping_class",),
    batch=False,
    autosaves=False,
    public=False,
    rights=_RIGHTS,
    in_menus=False,
    in_editor=False,
    room="shop",
    described=False,
)


def _grouping(name: str, label: str, singular: str, directory: str, **more: object) -> Taxonomy:
    words: dict[str, Any] = {
        "types": ("product",), "room": "products",
        "capability_names": tuple(f"{verb}_product_terms" for verb in ("manage", "edit", "delete", "assign")),
    }  # fmt: skip
    return Taxonomy(
        name=name, base=name, label=label, singular=singular, directory=directory, manage=MANAGE, edit=MANAGE,
        delete=MANAGE, assign=MANAGE, **{**words, **more},
    )  # fmt: skip


CATEGORY: Final = _grouping(
    "product_cat", "Product categories", "Category", "product-category",
    hierarchical=True, nested_address=True, default_option=DEFAULT_CATEGORY,
)  # fmt: skip
TAG: Final = _grouping("product_tag", "Product tags", "Tag", "product-tag")
BRAND: Final = _grouping("product_brand", "Brands", "Brand", "brand", hierarchical=True, nested_address=True)
SHIPPING_CLASS: Final = _grouping(
    "product_shipping_class", "Shipping classes", "Shipping class", "",
    types=("product", "product_variation"), room="shop", described=False,
)  # fmt: skip

GROUPINGS: Final = (BRAND, CATEGORY, TAG, SHIPPING_CLASS)

TYPES: Final[Mapping[str, ContentType]] = {type.name: type for type in (PRODUCT, VARIATION)}
TAXONOMIES: Final[Mapping[str, Taxonomy]] = {taxonomy.name: taxonomy for taxonomy in GROUPINGS}
