"""The columns of a file of products, by the headings that other shops write, and which member each has.

Beside them each attribute has columns of its own (`Attribute 1 name`, …), each file that is sold, and each extra field
(`Meta: …`).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

# Heading → member of the interface. Those below have forms of their own, which reading.py and writing.py know.
TEXTS: Final = {
    "SKU": "sku", "GTIN, UPC, EAN, or ISBN": "global_unique_id", "Name": "name",
    "Visibility in catalog": "catalog_visibility", "Tax status": "tax_status", "Tax class": "tax_class",
    "Low stock amount": "low_stock_amount", "Sale price": "sale_price", "Regular price": "regular_price",
    "Download limit": "download_limit", "Download expiry days": "download_expiry", "External URL": "external_url",
    "Button text": "button_text", "Position": "menu_order",
}  # fmt: skip
LONG_TEXTS: Final = {
    "Short description": "short_description", "Description": "description", "Purchase note": "purchase_note",
}  # fmt: skip
FLAGS: Final = {
    "Is featured?": "featured", "Sold individually?": "sold_individually", "Allow customer reviews?": "reviews_allowed",
}  # fmt: skip
TIMES: Final = {"Date sale price starts": "date_on_sale_from", "Date sale price ends": "date_on_sale_to"}
LINKS: Final = {
    "Grouped products": "grouped_products", "Upsells": "upsell_ids", "Cross-sells": "cross_sell_ids",
}  # fmt: skip
SIDES: Final = {"Length (cm)": "length", "Width (cm)": "width", "Height (cm)": "height"}
WEIGHT: Final = "Weight (kg)"
PUBLISHED: Final = {"publish": "1", "private": "0", "draft": "-1"}
IN_STOCK: Final = {"instock": "1", "outofstock": "0", "onbackorder": "backorder"}
BACKORDERS: Final = {"yes": "1", "no": "0", "notify": "notify"}
PARENT: Final = "parent"  # what a variation says that has the stock or the tax class of its product
META: Final = "Meta: "
ID_MARK: Final = "id:"  # before the number of a product that has no article number
ORDER: Final = (
    "ID", "Type", "SKU", "GTIN, UPC, EAN, or ISBN", "Name", "Published", "Is featured?", "Visibility in catalog",
    "Short description", "Description", *TIMES, "Tax status", "Tax class", "In stock?", "Stock", "Low stock amount",
    "Backorders allowed?", "Sold individually?", WEIGHT, *SIDES, "Allow customer reviews?", "Purchase note",
    "Sale price", "Regular price", "Categories", "Tags", "Shipping class", "Images", "Download limit",
    "Download expiry days", "Parent", "Grouped products", "Upsells", "Cross-sells", "External URL", "Button text",
    "Position", "Brands",
)  # fmt: skip

_UNIT: Final = re.compile(r" \([a-z]{1,3}\)$")
_NUMBERED: Final = re.compile(r"(attribute|download) (\d{1,4}) (name|value\(s\)|visible|global|default|id|url)")


class NumberedColumn(NamedTuple):
    """One of the columns of an attribute or a file. of: `attribute` or `download`. part: what it says of it."""

    of: str
    number: int
    part: str


def normalize_heading(heading: str) -> str:
    """Return a heading as it is recognised: whichever its case and unit; that of an extra field as it is."""
    text = heading.strip().lstrip("\ufeff")
    if text.lower().startswith(META.lower()):
        return META + text[len(META) :].strip()
    return _UNIT.sub("", text.lower())


def parse_numbered_column(heading: str) -> NumberedColumn | None:
    """Return what a recognised heading says of an attribute or a file, None where it is none of theirs."""
    found = _NUMBERED.fullmatch(heading)
    return NumberedColumn(found[1], int(found[2]), found[3]) if found else None


def name_attribute_columns(number: int) -> dict[str, str]:
    """Return the headings of an attribute by their parts."""
    return {part: f"Attribute {number} {part}" for part in ("name", "value(s)", "visible", "global", "default")}


def name_download_columns(number: int) -> dict[str, str]:
    """Return the headings of a file that is sold by their parts."""
    words = {"id": "ID", "name": "name", "url": "URL"}
    return {part: f"Download {number} {word}" for part, word in words.items()}
