"""The schema of products and variations: members of responses, arguments of writes and lists.

Not here: where each member comes from (shop/products/member_views.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.rest.fields import EDIT, VIEW, AnyOf, Array, Boolean, Field, Integer, Number, Object, String, Untyped
from vetrina.shop import list_arguments
from vetrina.shop.products import listing as product_listing, rules as products, stock as product_stock

_BOTH: Final = (VIEW, EDIT)
_STATUSES: Final = ("draft", "pending", "private", "publish", "future", "auto-draft", "trash")
_FILTER_STATUSES: Final = ("any", "future", "trash", "draft", "pending", "private", "publish")
_VARIATION_STATUSES: Final = ("draft", "pending", "private", "publish")


def _build_text_field(help: str, **more: Any) -> String:
    return String(help, context=_BOTH, **more)


def _build_date_field(help: str, readonly: bool = False) -> String:
    return String(help, nullable=True, context=_BOTH, readonly=readonly, null="null" if not readonly else "empty")


def _make_readonly(field: Field) -> Any:
    return field.replace(context=_BOTH, readonly=True)


_LINKS: Final = Array("", items=Integer())

IMAGE_FIELDS: Final[Mapping[str, Field]] = {
    "id": Integer("Number of the image.", context=_BOTH),
    "date_created": _build_date_field("When it was made, in the site's time.", readonly=True),
    "date_created_gmt": _build_date_field("When it was made, in GMT.", readonly=True),
    "date_modified": _build_date_field("When it was last changed, in the site's time.", readonly=True),
    "date_modified_gmt": _build_date_field("When it was last changed, in GMT.", readonly=True),
    "src": _build_text_field("Address of the image.", format="uri"),
    "name": _build_text_field("Name of the image."),
    "alt": _build_text_field("Text that stands for the image."),
}

_META_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the field.", context=_BOTH, readonly=True, unset=(0,)),
    "key": _build_text_field("Name of the field."),
    "value": Untyped("Value of the field.", context=_BOTH),
}
META_DATA: Final = Array("Extra fields.", items=Object(properties=_META_FIELDS), context=_BOTH, long=True)
# Order lines describe the display form of meta data differently.
LINE_META_DATA: Final = META_DATA.replace(
    items=Object(
        properties={
            **_META_FIELDS,
            "display_key": String("Its name as people read it.", context=_BOTH, readonly=True),
            "display_value": Untyped("Its value as people read it.", context=_BOTH, readonly=True),
        }
    )
)


def _build_terms_field(help: str) -> Array:
    return Array(
        help,
        items=Object(
            properties={
                "id": Integer("Number of the term.", context=_BOTH),
                "name": _build_text_field("Name of the term.", readonly=True),
                "slug": _build_text_field("Slug of the term.", readonly=True),
            }
        ),
        context=_BOTH,
    )


def _build_choices_field(help: str) -> Array:
    return Array(
        help,
        items=Object(
            properties={
                "id": Integer("Number of a shared attribute; 0 for one of the product's own.", context=_BOTH),
                "name": _build_text_field("Name of the attribute."),
                "option": _build_text_field("The option that is chosen."),
            }
        ),
        context=_BOTH,
    )


# The members that products and variations share.
_SHARED_FIELDS: Final[dict[str, Field]] = {
    "sku": _build_text_field("Stock number; unique."),
    "global_unique_id": _build_text_field("GTIN, UPC, EAN or ISBN."),
    "price": _build_text_field("Price that holds now.", readonly=True),
    "regular_price": _build_text_field("Price without a sale."),
    "sale_price": _build_text_field("Price while a sale is on."),
    "date_on_sale_from": _build_date_field("When the sale begins, in the site's time."),
    "date_on_sale_from_gmt": _build_date_field("When the sale begins, in GMT."),
    "date_on_sale_to": _build_date_field("When the sale ends, in the site's time."),
    "date_on_sale_to_gmt": _build_date_field("When the sale ends, in GMT."),
    "on_sale": Boolean("Whether a sale is on now.", context=_BOTH, readonly=True),
    "purchasable": Boolean("Whether it can be bought.", context=_BOTH, readonly=True),
    "virtual": Boolean("Whether there is nothing to ship.", default=False, context=_BOTH),
    "downloadable": Boolean("Whether files come with it.", default=False, context=_BOTH),
    "downloads": Array(
        "Files that come with it.",
        items=Object(
            properties={
                "id": _build_text_field("Name of the file for the shop."),
                "name": _build_text_field("Name of the file."),
                "file": _build_text_field("Address of the file."),
            }
        ),
        context=_BOTH,
    ),
    "download_limit": Integer("How often a buyer may fetch a file; -1 without limit.", default=-1, context=_BOTH),
    "download_expiry": Integer("Days in which a buyer may fetch a file; -1 without end.", default=-1, context=_BOTH),
    "tax_status": _build_text_field("What of it is taxed.", enum=("taxable", "shipping", "none"), default="taxable"),
    "tax_class": _build_text_field("Tax class; empty for the standard one."),
    "manage_stock": Boolean("Whether pieces are counted.", default=False, context=_BOTH),
    "stock_quantity": Integer("Pieces that are left.", context=_BOTH, unset=(None,)),
    "stock_status": _build_text_field("Whether it can be had.", enum=product_stock.STATUSES, default="instock"),
    "backorders": _build_text_field(
        "Whether more may be sold than are left.", enum=("no", "notify", "yes"), default="no"
    ),
    "backorders_allowed": Boolean("Whether backorders are taken.", context=_BOTH, readonly=True),
    "backordered": Boolean("Whether it is sold by backorder now.", context=_BOTH, readonly=True),
    "low_stock_amount": Integer(
        "Pieces at which the shop is warned.", null="null", context=_BOTH, extra={"type": ["integer", "null"]}
    ),
    "weight": _build_text_field("Weight."),
    "dimensions": Object(
        "Length, width and height.",
        {
            "length": _build_text_field("Length."),
            "width": _build_text_field("Width."),
            "height": _build_text_field("Height."),
        },
        context=_BOTH,
    ),
    "shipping_class": _build_text_field("Slug of the shipping class."),
    "shipping_class_id": Integer("Number of the shipping class.", context=_BOTH, readonly=True),
    "menu_order": Integer("Place among others.", context=_BOTH),
    "meta_data": META_DATA,
}

_DATES: Final[dict[str, Field]] = {
    "date_created": _build_date_field("When it was made, in the site's time."),
    "date_created_gmt": _build_date_field("When it was made, in GMT."),
    "date_modified": _build_date_field("When it was last changed, in the site's time.", readonly=True),
    "date_modified_gmt": _build_date_field("When it was last changed, in GMT.", readonly=True),
}


def _pick_shared_fields(*names: str) -> dict[str, Field]:
    return {name: _SHARED_FIELDS[name] for name in names}


_ON_SALE = ("price", "regular_price", "sale_price", "date_on_sale_from", "date_on_sale_from_gmt", "date_on_sale_to",
            "date_on_sale_to_gmt", "on_sale")  # fmt: skip
_FILES = ("virtual", "downloadable", "downloads", "download_limit", "download_expiry")

PRODUCT_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the product.", context=_BOTH, readonly=True),
    "name": _build_text_field("Name of the product."),
    "slug": _build_text_field("Last part of its address."),
    "permalink": _build_text_field("Address of its page.", format="uri", readonly=True),
    **_DATES,
    "type": _build_text_field("Type of the product.", enum=products.PRODUCT_TYPES, default="simple",
                              values=(*products.PRODUCT_TYPES, "variation")),
    "status": _build_text_field(
        "Status of the product.", enum=_STATUSES, default="publish"
    ),
    "featured": Boolean("Whether it is put forward.", default=False, context=_BOTH),
    "catalog_visibility": _build_text_field(
        "Where visitors find it.", enum=("visible", "catalog", "search", "hidden"), default="visible"
    ),
    "description": _build_text_field("Description, as HTML."),
    "short_description": _build_text_field("Short description, as HTML."),
    **_pick_shared_fields("sku", *_ON_SALE),
    "purchasable": _SHARED_FIELDS["purchasable"],
    "total_sales": Integer("Pieces that were sold.", context=_BOTH, readonly=True, unset=("0",)),
    **_pick_shared_fields(*_FILES),
    "external_url": _build_text_field("Where an external product is sold.", format="uri"),
    "button_text": _build_text_field("Words of the button that leads there."),
    **_pick_shared_fields(
        "tax_status", "tax_class", "manage_stock", "stock_quantity", "backorders", "backorders_allowed", "backordered",
        "low_stock_amount",
    ),
    "sold_individually": Boolean("Whether an order may have one only.", default=False, context=_BOTH),
    **_pick_shared_fields("weight", "dimensions"),
    "shipping_required": Boolean("Whether it has to be shipped.", context=_BOTH, readonly=True),
    "shipping_taxable": Boolean("Whether its shipping is taxed.", context=_BOTH, readonly=True),
    **_pick_shared_fields("shipping_class", "shipping_class_id"),
    "reviews_allowed": Boolean("Whether it may be reviewed.", default=True, context=_BOTH),
    "average_rating": _build_text_field("Average of its ratings.", readonly=True),
    "rating_count": Integer("How many reviews count.", context=_BOTH, readonly=True),
    "upsell_ids": _LINKS.replace(help="Products that are better ones.", context=_BOTH),
    "cross_sell_ids": _LINKS.replace(help="Products that go with it.", context=_BOTH),
    "parent_id": Integer("Number of the product above.", context=_BOTH),
    "purchase_note": _build_text_field("Note for who bought it, as HTML."),
    "categories": _build_terms_field("Its categories."),
    "brands": _build_terms_field("Its brands."),
    "tags": _build_terms_field("Its tags."),
    "images": Array(
        "Its images, that which stands for it first.", items=Object(properties=IMAGE_FIELDS), context=_BOTH
    ),
    "attributes": Array(
        "Its attributes.",
        items=Object(
            properties={
                "id": Integer("Number of a shared attribute; 0 for one of its own.", context=_BOTH),
                "name": _build_text_field("Name of the attribute."),
                # A variation that is read as a product has choices instead of these.
                "position": Integer("Place of the attribute.", context=_BOTH, optional=True),
                "visible": Boolean(
                    "Whether its page shows the attribute.", default=False, context=_BOTH, optional=True
                ),
                "variation": Boolean("Whether variations differ in it.", default=False, context=_BOTH, optional=True),
                "options": Array("Its options.", items=String(), context=_BOTH, long=True, optional=True),
            }
        ),
        context=_BOTH,
    ),
    "default_attributes": _build_choices_field("What is chosen at first."),
    "variations": _LINKS.replace(help="Its variations.", context=_BOTH, readonly=True),
    "grouped_products": _LINKS.replace(help="Products of a group.", context=_BOTH, readonly=True),
    "menu_order": _SHARED_FIELDS["menu_order"],
    "price_html": _build_text_field("Its price, as HTML.", readonly=True),
    "related_ids": _LINKS.replace(help="Products that go together with it.", context=_BOTH, readonly=True),
    "meta_data": META_DATA,
    "stock_status": _SHARED_FIELDS["stock_status"],
    "has_options": Boolean("Whether something has to be chosen.", context=_BOTH, readonly=True),
    "post_password": _build_text_field("Password of its page."),
    "global_unique_id": _SHARED_FIELDS["global_unique_id"],
    "permalink_template": _build_text_field("Address of its page with a place for the slug.", readonly=True),
    "generated_slug": _build_text_field("Slug that its name gives.", readonly=True),
}  # fmt: skip

VARIATION_FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the variation.", context=_BOTH, readonly=True),
    "type": _build_text_field("Type of the product.", enum=("variation",), default="variation", readonly=True),
    **{name: _make_readonly(field) for name, field in _DATES.items()},
    "description": _build_text_field("Description, as HTML."),
    "permalink": _build_text_field("Address of the page of its product.", format="uri", readonly=True),
    **_pick_shared_fields("sku", "global_unique_id", *_ON_SALE),
    "status": _build_text_field("Status of the variation.", enum=_VARIATION_STATUSES, default="publish",
                                values=_STATUSES),
    "purchasable": _SHARED_FIELDS["purchasable"],
    **_pick_shared_fields(*_FILES, "tax_status", "tax_class"),
    "manage_stock": AnyOf(
        "Whether pieces are counted, or `parent`.", (Boolean(), String()), default=False, context=_BOTH
    ),
    **_pick_shared_fields(
        "stock_quantity", "stock_status", "backorders", "backorders_allowed", "backordered", "low_stock_amount",
        "weight", "dimensions", "shipping_class", "shipping_class_id",
    ),
    "image": Object("Its image.", IMAGE_FIELDS, context=_BOTH, unset=(None,)),
    "attributes": _build_choices_field("Its choices."),
    "menu_order": _SHARED_FIELDS["menu_order"],
    "meta_data": META_DATA,
    "name": _build_text_field("Its choices in words.", readonly=True),
    "parent_id": Integer("Number of its product.", context=_BOTH, readonly=True),
}  # fmt: skip

# Accepted though no schema declares them: clients of older versions send them.
_UNDOCUMENTED_FIELDS: Final[dict[str, Field]] = {
    "cost_of_goods_sold": Object(
        "What a piece costs the shop itself.",
        {
            "values": Array("Parts of it.", items=Object(properties={"defined_value": Number("What one costs.")})),
            "defined_value_is_additive": Boolean("Whether it comes beside what the product of a variation costs."),
        },
        written=False,
    ),
    "inventory_delta": Integer("Added to the pieces that are left.", written=False),
    "grouped_products": Array("Products of a group.", items=Integer(), written=False),
}


def build_write_arguments(fields: Mapping[str, Field], *, creating: bool) -> dict[str, Field]:
    """Return the arguments of a write; defaults apply to new records only."""
    out: dict[str, Field] = {}
    for name, field in fields.items():
        if not field.readonly:
            changes: dict[str, Any] = {"context": ()}
            if not creating:
                changes["default"] = _ABSENT
            out[name] = field.replace(**changes)
    return out | {name: field for name, field in _UNDOCUMENTED_FIELDS.items() if name not in out}


_ABSENT: Final = String().default


def build_shared_filters(orders: tuple[str, ...], statuses: tuple[str, ...] = _FILTER_STATUSES) -> dict[str, Field]:
    """Return the arguments that lists of products and of variations share."""
    status = Array("", items=String(enum=statuses), null="keep")
    return {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        **list_arguments.build_date_filters(),
        "exclude": list_arguments.build_id_filter("None of these numbers."),
        "include": list_arguments.build_id_filter("Only these numbers."),
        "offset": Integer("How many to pass over.", null="keep"),
        **list_arguments.build_sort_arguments(orders),
        "parent": list_arguments.build_id_filter("Only those beneath these."),
        "parent_exclude": list_arguments.build_id_filter("None of those beneath these."),
        "slug": String("Only those with this slug.", null="keep", parted=True),
        "status": String("Only those in this status.", enum=statuses, default="any", null="keep"),
        "include_status": status.replace(help="Only those in one of these statuses."),
        "exclude_status": Array("None in one of these statuses.", items=String(enum=statuses[1:]), null="keep"),
        "sku": String("Only those with one of these stock numbers, parted by commas.", null="keep", parted=True),
        "global_unique_id": String(
            "Only those with one of these global numbers, parted by commas.", null="keep", parted=True, written=False
        ),
        "on_sale": Boolean("Whether a sale is on.", null="keep"),
        "min_price": String("Lowest price.", null="keep"),
        "max_price": String("Highest price.", null="keep"),
        "stock_status": String("Only those in this status of stock.", enum=product_stock.STATUSES, null="keep"),
        "virtual": Boolean("Whether there is nothing to ship.", null="keep"),
        "downloadable": Boolean("Whether files come with it.", null="keep"),
        "pos_products_only": Boolean("Only what a cash desk sells.", null="keep"),
        "include_meta": Array("Only these extra fields.", items=String(), default=[], null="keep"),
        "exclude_meta": Array("None of these extra fields.", items=String(), default=[], null="keep"),
    }


def build_product_filters() -> dict[str, Field]:
    """Return the arguments of the list of products."""
    kinds = String("Only this type.", enum=products.PRODUCT_TYPES, null="keep")
    several = Array("", items=String(enum=products.PRODUCT_TYPES), null="keep")
    return {
        **build_shared_filters(product_listing.PRODUCT_ORDERS),
        "brand": String("Only those of one of these brands.", null="keep", parted=True),
        "type": kinds,
        "featured": Boolean("Whether it is put forward.", null="keep"),
        "category": String("Only those of one of these categories, or beneath.", null="keep", parted=True),
        "tag": String("Only those with one of these tags.", null="keep", parted=True),
        "shipping_class": String("Only those of one of these shipping classes.", null="keep", parted=True),
        "attribute": String("Slug of a shared attribute.", null="keep"),
        "attribute_term": String("Only those with one of these terms of the attribute.", null="keep", parted=True),
        "tax_class": String("Only those of this tax class.", null="keep", written=False),
        "search_sku": String("Only those whose stock number holds this.", null="keep"),
        "search_name_or_sku": String("Only those whose name or stock number holds this.", null="keep"),
        "search_fields": Array(
            "Where to search.",
            items=String(enum=("name", "global_unique_id", "description", "short_description", "sku")),
            default=[],
            null="keep",
        ),
        "include_types": several.replace(help="Only these types."),
        "exclude_types": several.replace(help="None of these types."),
    }


def build_variation_filters() -> dict[str, Field]:
    """Return the arguments of a list of variations."""
    return {
        **build_shared_filters(("date", "id", "include", "title", "slug", "modified", "menu_order")),
        "has_price": Boolean("Whether it has a price.", null="keep"),
        "tax_class": String("Only those of this tax class of their own.", null="keep", written=False),
        "attributes": Array(
            "Only those with these choices.",
            items=Object(
                properties={
                    "attribute": String("Slug of the attribute."),
                    "term": String("The option that is chosen."),
                    "terms": Array("Options of which one is chosen.", items=String()),
                }
            ),
            null="keep",
        ),
    }
