"""The types and taxonomies that a shop adds to a site, passed to its context at start (system/context_factory.py).

Products, their categories, tags and brands are described by the content interface and have routes there too, as block
themes and editors require (`AS_RECORD`); variations and shipping classes belong to the shop only. The taxonomies of
shared attributes are created while the site runs (shop/attributes/rules.py). Rules: docs/rules/products.md, 1 and 7.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import exists, func, select

from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.records import record
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.shop.rights import MANAGE_SHOP

if TYPE_CHECKING:
    from vetrina.content.records.model import Record
    from vetrina.core.unit_of_work import UnitOfWork


DEFAULT_CATEGORY: Final = "default_product_cat"  # the option with the category of products that have no other

_RIGHTS = dict.fromkeys(
    ("create_posts", "edit_posts", "edit_others_posts", "edit_published_posts", "edit_private_posts", "publish_posts",
     "read_private_posts", "delete_posts", "delete_others_posts", "delete_published_posts", "delete_private_posts"),
    MANAGE_SHOP,
)  # fmt: skip


def _build_capability_names() -> dict[str, str]:
    """Return the names of the product rights by those of posts: `edit_others_posts` with the products' noun."""
    ones = {f"{verb}_post": f"{verb}_product" for verb in ("edit", "read", "delete")}
    many = {name: name.replace("_posts", "_products") for name in _RIGHTS}
    return {**ones, **many, "create_posts": "edit_products"}


def _may_review(work: UnitOfWork, record: Record) -> bool:
    """Return whether the caller may comment on a product, which is to review it."""
    from vetrina.shop.reviews import review_settings  # imports the shop's settings, which import these types

    return review_settings.may_comment_on_product(work, record)


def _select_product_column(column: Any) -> Any:
    """Return a column of products as a sort key of their records; missing values count as 0."""
    return select(func.coalesce(column, 0)).where(product.c.record == record.c.id).scalar_subquery()


def _build_hidden_condition() -> Any:
    """Return the condition of the products that neither the catalogue nor a search shows."""
    return exists().where(product.c.record == record.c.id, product.c.visibility == "hidden")


PRODUCT: Final = ContentType(
    name="product", base="product", label="Products", singular="Product", description="What the shop sells.",
    supports=frozenset({"title", "editor", "excerpt", "thumbnail", "comments", "custom-fields"}),
    unlisted=frozenset({"page-attributes"}),
    taxonomies=("product_brand", "product_cat", "product_tag", "product_shipping_class"), comments="open",
    admits_comment=_may_review, names_author=False,
    orders={
        "menu_order": record.c.menu_order,
        "popularity": _select_product_column(product.c.total_sales),
        "price": _select_product_column(product.c.price_from),
        "rating": _select_product_column(product.c.rating),
    },
    left_out=_build_hidden_condition, autosaves=False, rights=_RIGHTS, capability_names=_build_capability_names(),
    icon="dashicons-archive", room="products",
)  # fmt: skip

# The fields of a product in the content interface; the others exist in the shop's routes only.
AS_RECORD: Final = replace(PRODUCT, unlisted=frozenset(), taxonomies=PRODUCT.taxonomies[:-1])

VARIATION: Final = ContentType(
    name="product_variation", base="product_variation", label="Variations", singular="Variation",
    supports=frozenset({"title", "editor", "excerpt", "thumbnail"}), unlisted=frozenset({"page-attributes"}),
    taxonomies=("product_shipping_class",), batch=False, autosaves=False, public=False, rights=_RIGHTS, in_menus=False,
    in_editor=False, room="shop", described=False,
)  # fmt: skip


def _build_taxonomy(name: str, label: str, singular: str, directory: str, **more: object) -> Taxonomy:
    words: dict[str, Any] = {
        "types": ("product",), "room": "products",
        "capability_names": tuple(f"{verb}_product_terms" for verb in ("manage", "edit", "delete", "assign")),
    }  # fmt: skip
    return Taxonomy(
        name=name, base=name, label=label, singular=singular, directory=directory, manage=MANAGE_SHOP, edit=MANAGE_SHOP,
        delete=MANAGE_SHOP, assign=MANAGE_SHOP, **{**words, **more},
    )  # fmt: skip


CATEGORY: Final = _build_taxonomy(
    "product_cat", "Product categories", "Category", "product-category",
    hierarchical=True, nested_address=True, default_option=DEFAULT_CATEGORY,
)  # fmt: skip
TAG: Final = _build_taxonomy("product_tag", "Product tags", "Tag", "product-tag")
BRAND: Final = _build_taxonomy("product_brand", "Brands", "Brand", "brand", hierarchical=True, nested_address=True)
SHIPPING_CLASS: Final = _build_taxonomy(
    "product_shipping_class", "Shipping classes", "Shipping class", "",
    types=("product", "product_variation"), room="shop", described=False,
)  # fmt: skip

PRODUCT_TAXONOMIES: Final = (BRAND, CATEGORY, TAG, SHIPPING_CLASS)

TYPES: Final[Mapping[str, ContentType]] = {type.name: type for type in (PRODUCT, VARIATION)}
TAXONOMIES: Final[Mapping[str, Taxonomy]] = {taxonomy.name: taxonomy for taxonomy in PRODUCT_TAXONOMIES}
