"""The collections of a site that are read, each after those that it refers to, and how each is read.

What a site has of them is found from its index, types and taxonomies: transfer/sources/address/site_description.py.
How a page follows on another: transfer/sources/address/paging.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from vetrina.transfer.records import IdKind

# list: records, a page after the other. object: an object of records by their ids. value: one record, which the path
# answers. text: one text, which the path answers; `content` of the record. whole: a list that is one value, whose
# entries have no ids; `items` of the record. shared: a list that every language shows, with values of its own in each;
# those but the default language's are in `by_language` of the record.
CollectionForm = Literal["list", "object", "value", "text", "whole", "shared"]


@dataclass(frozen=True)
class SourceCollection:
    """A collection of a site.

    resource: its path, with a placeholder where it lies below another record. id_member: of its records, with the id.
    per_language: whether a site of several languages shows other records in each. above: the collection whose records
    fill the placeholder; above_member: member of those records that is empty where nothing lies below. flat: path of a
    list of the records below all, where a site has it; flat_member: the member that names the record above there.
    edit: whether the context `edit` is asked for. kind: of its ids, empty where they are of no kind that counts.
    number_member: with the number of a record whose id is a name.
    """

    resource: str
    form: CollectionForm = "list"
    id_member: str = "id"
    per_language: bool = False
    above: str = ""
    above_member: str = ""
    flat: str = ""
    flat_member: str = "parent_id"
    edit: bool = True
    kind: IdKind | Literal[""] = ""
    number_member: str = ""

    @property
    def is_hierarchical(self) -> bool:
        """Whether its records may have others of it above them."""
        return self.form == "list" and not self.above

    def fill(self, parent: int | str) -> str:
        """Return its path below one record."""
        before, _, rest = self.resource.partition("{")
        return f"{before}{parent}{rest.partition('}')[2]}"


_PRODUCTS: Final = "/shop/v3/products"
_ORDERS: Final = "/shop/v3/orders"
_ZONES: Final = "/shop/v3/shipping/zones"
_FONTS: Final = "/cms/v2/font-families"

CONFIGURATION: Final = SourceCollection("/mlang/v1/custom-xml-config", "text", edit=False)  # of translation
OPTIONS_PAGES: Final = SourceCollection("/cms/v2/options-pages", "shared", "name", per_language=True)
STRINGS: Final = SourceCollection("/mlang/st/v1/strings", edit=False)
USERS: Final = SourceCollection("/cms/v2/users", kind="user")
MEDIA: Final = SourceCollection("/cms/v2/media", per_language=True, kind="record")
AFTER_CONTENT: Final = (
    SourceCollection("/cms/v2/comments", per_language=True, kind="comment"),
    SourceCollection("/cms/v2/menus", per_language=True, kind="term"),
    SourceCollection("/cms/v2/menu-items", per_language=True, kind="record"),
    SourceCollection("/cms/v2/menu-locations", "object", "name"),
    SourceCollection("/cms/v2/templates", kind="record", number_member="wp_id"),
    SourceCollection("/cms/v2/template-parts", kind="record", number_member="wp_id"),
    SourceCollection("/cms/v2/global-styles", "value", kind="record"),
    SourceCollection(_FONTS, kind="record"),
    SourceCollection(_FONTS + "/{font_family_id}/font-faces", above=_FONTS, above_member="font_faces", kind="record"),
    SourceCollection("/cms/v2/sidebars"),
    SourceCollection("/cms/v2/widgets"),
    SourceCollection("/cms/v2/redirects", edit=False),
)
SHOP: Final = (
    SourceCollection("/shop/v3/taxes/classes", id_member="slug"),
    # Before orders, whose reports are rounded as the settings say.
    SourceCollection("/shop/v3/settings/{group_id}", above="/shop/v3/settings"),
    SourceCollection("/shop/v3/taxes"),
    SourceCollection(_PRODUCTS + "/shipping_classes", per_language=True, kind="term"),
    SourceCollection(_PRODUCTS + "/categories", per_language=True, kind="term"),
    SourceCollection(_PRODUCTS + "/tags", per_language=True, kind="term"),
    SourceCollection(_PRODUCTS + "/brands", per_language=True, kind="term"),
    SourceCollection(_PRODUCTS + "/attributes"),
    SourceCollection(
        _PRODUCTS + "/attributes/{attribute_id}/terms", above=_PRODUCTS + "/attributes", per_language=True, kind="term"
    ),
    SourceCollection(_PRODUCTS, per_language=True, kind="record"),
    SourceCollection(
        _PRODUCTS + "/{product_id}/variations", above=_PRODUCTS, above_member="variations", flat="/shop/v3/variations",
        per_language=True, kind="record",
    ),
    SourceCollection("/shop/v3/customers", kind="user"),
    SourceCollection("/shop/v3/coupons", kind="record"),
    SourceCollection(_ZONES),
    SourceCollection(_ZONES + "/{id}/locations", "whole", above=_ZONES),
    SourceCollection(_ZONES + "/{zone_id}/methods", id_member="instance_id", above=_ZONES),
    SourceCollection("/shop/v3/payment_gateways"),
    # Before orders, which otherwise number their customers as they come.
    SourceCollection("/shop-analytics/reports/customers", edit=False),
    SourceCollection(_ORDERS, kind="record"),
    SourceCollection(
        _ORDERS + "/{order_id}/refunds", above=_ORDERS, above_member="refunds", flat="/shop/v3/refunds", kind="record"
    ),
    SourceCollection(_ORDERS + "/{order_id}/notes", above=_ORDERS, kind="comment"),
    SourceCollection(_PRODUCTS + "/reviews", kind="comment"),
    SourceCollection("/shop/v3/webhooks"),
)  # fmt: skip
SETTINGS: Final = SourceCollection("/cms/v2/settings", "value", edit=False)
SHOP_GROUPS: Final = SourceCollection("/shop/v3/settings")  # of settings; read for what lies below them

# Types that have paths of their own above, or whose records come with another's.
_OTHER_TYPES: Final = frozenset({
    "attachment", "nav_menu_item", "cms_template", "cms_template_part", "cms_global_styles", "cms_font_family",
    "cms_font_face",
})  # fmt: skip
_SHOP_TYPES: Final = frozenset({"product", "product_variation", "shop_order", "shop_coupon"})


def list_content(types: Mapping[str, Any]) -> Iterator[SourceCollection]:
    """Give the collections of content types; types: as `/cms/v2/types` answers them."""
    for slug, one in types.items():
        if slug not in _OTHER_TYPES and slug not in _SHOP_TYPES and (path := find_base(one)):
            yield SourceCollection(path, per_language=True, kind="record")


def list_terms(taxonomies: Mapping[str, Any]) -> Iterator[SourceCollection]:
    """Give the collections of terms but those of menus and of products, which have paths of their own."""
    for slug, one in taxonomies.items():
        named = one.get("types")
        types = {name for name in named if isinstance(name, str)} if isinstance(named, list) else set()
        if slug != "nav_menu" and not (types and types <= _SHOP_TYPES) and (path := find_base(one)):
            yield SourceCollection(path, per_language=True, kind="term")


def find_base(declared: Mapping[str, Any]) -> str:
    """Return the path of a type or taxonomy, empty where it has none, or one below others."""
    base, space = str(declared.get("rest_base") or ""), str(declared.get("rest_namespace") or "cms/v2")
    return f"/{space}/{base}" if base and "(" not in base and "{" not in base else ""
