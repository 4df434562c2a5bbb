"""The types and taxonomies that a shop adds to a site, handed to its frame when it starts (domain/opening.py).

Their records have no routes of the content interface and are not described by it. The taxonomies of shared attributes
are made while the site runs (attributes.py). Rules: facts, "Products"; the addresses of the recordings.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from vetrina.domain.content.types import ContentType, Taxonomy

from .rights import MANAGE

__all__ = [
    "BRAND", "CATEGORY", "DEFAULT_CATEGORY", "GROUPINGS", "PRODUCT", "SHIPPING_CLASS", "TAG", "TAXONOMIES", "TYPES",
    "VARIATION",
]  # fmt: skip

DEFAULT_CATEGORY: Final = "default_product_cat"  # the option with the category of products that have no other

_RIGHTS = dict.fromkeys(
    ("create_posts", "edit_posts", "edit_others_posts", "edit_published_posts", "edit_private_posts", "publish_posts",
     "read_private_posts", "delete_posts", "delete_others_posts", "delete_published_posts", "delete_private_posts"),
    MANAGE,
)  # fmt: skip

PRODUCT: Final = ContentType(
    name="product",
    base="product",
    label="Products",
    singular="Product",
    supports=frozenset({"title", "editor", "excerpt", "thumbnail", "comments"}),
    unlisted=frozenset({"page-attributes"}),
    taxonomies=("product_cat", "product_tag", "product_brand", "product_shipping_class"),
    comments="open",
    batch=False,
    autosaves=False,
    rights=_RIGHTS,
    in_menus=False,
    in_editor=False,
    room="shop",
    described=False,
)

VARIATION: Final = ContentType(
    name="product_variation",
    base="product_variation",
    label="Variations",
    singular="Variation",
    supports=frozenset({"title", "editor", "thumbnail"}),
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
    types = ("product", "product_variation") if name == "product_shipping_class" else ("product",)
    return Taxonomy(
        name=name, base=name, label=label, singular=singular, types=types, directory=directory, manage=MANAGE,
        edit=MANAGE, delete=MANAGE, assign=MANAGE, room="shop", described=False, **more,  # type: ignore[arg-type]
    )  # fmt: skip


CATEGORY: Final = _grouping(
    "product_cat", "Categories", "Category", "product-category",
    hierarchical=True, nested_address=True, default_option=DEFAULT_CATEGORY,
)  # fmt: skip
TAG: Final = _grouping("product_tag", "Tags", "Tag", "product-tag")
BRAND: Final = _grouping("product_brand", "Brands", "Brand", "brand", hierarchical=True, nested_address=True)
SHIPPING_CLASS: Final = _grouping("product_shipping_class", "Shipping classes", "Shipping class", "")

GROUPINGS: Final = (CATEGORY, TAG, BRAND, SHIPPING_CLASS)

TYPES: Final[Mapping[str, ContentType]] = {type.name: type for type in (PRODUCT, VARIATION)}
TAXONOMIES: Final[Mapping[str, Taxonomy]] = {taxonomy.name: taxonomy for taxonomy in GROUPINGS}
