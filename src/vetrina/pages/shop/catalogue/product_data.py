"""What the page of a product says of it to machines: offers, ratings and its place, in the terms of schema.org.

Prices are those that the page shows. Rules: docs/rules/catalogue_pages.md, 3; schema.org (Product, Offer).
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.model import Record
from vetrina.content.seo.computed import to_plain_text
from vetrina.kernel import money
from vetrina.pages.page_request import PageRequest, strip_markup
from vetrina.shop.blocks.place_block_views import list_places_above
from vetrina.shop.blocks.shown_product_views import ShownProduct, get_shown_product
from vetrina.shop.products import prices as product_prices, product_types
from vetrina.shop.settings import rules as settings

_AVAILABILITY: Final = {"instock": "InStock", "outofstock": "OutOfStock", "onbackorder": "BackOrder"}
_SCHEMA: Final = "https://schema.org"


def describe_record(page: PageRequest, record: Record) -> list[dict[str, Any]]:
    """Return a product and what is above it as objects of schema.org; nothing for another record."""
    shown = get_shown_product(page.work, record)
    if shown is None:
        return []
    product = shown.product
    brand = next((term for term in shown.terms if term.taxonomy == product_types.BRAND.name), None)
    about = {
        "@context": _SCHEMA,
        "@type": "Product",
        "@id": f"{shown.url}#product",
        "name": to_plain_text(record.title_html),
        "url": shown.url,
        "description": to_plain_text(record.excerpt_html),
        "image": [image["src"] for image in shown.images],
        "sku": product.sku,
        "gtin": product.global_unique_id,
        "brand": {"@type": "Brand", "name": strip_markup(brand.name)} if brand is not None else None,
        "offers": _describe_offers(page, shown),
        "aggregateRating": _describe_rating(shown),
    }
    return [{name: value for name, value in about.items() if value}, _describe_trail(page, shown, about["name"])]


def _describe_trail(page: PageRequest, shown: ShownProduct, name: Any) -> dict[str, Any]:
    """Return the way from the home page to a product, through the shop and the categories of its breadcrumbs."""
    work = page.work
    home = (work.get_translated_option("title"), f"{work.home()}/")
    trail = [home, *list_places_above(work, shown), (name, shown.url)]
    steps = [
        {"@type": "ListItem", "position": at, "name": text, "item": url} for at, (text, url) in enumerate(trail, 1)
    ]
    return {"@context": _SCHEMA, "@type": "BreadcrumbList", "itemListElement": steps}


def _describe_offers(page: PageRequest, shown: ShownProduct) -> dict[str, Any] | None:
    """Return what a product costs and whether it is to be had; None for one without a price."""
    work = page.work
    product = shown.product
    if product.sale_from or product.sale_to:
        product = product_prices.apply_active_price(work, product)
    if product.price_from is None:
        return None
    places = settings.get_price_decimals(work)
    low, high = (
        money.format_amount(shown.view.view.prices.amount(product, money.decode_amount(one), product.tax_class), places)
        for one in (product.price_from, product.price_to if product.price_to is not None else product.price_from)
    )
    shared = {
        "priceCurrency": str(settings.get_shop_option(work, "shop_currency")),
        "availability": f"{_SCHEMA}/{_AVAILABILITY.get(product.stock_status, 'InStock')}",
        "url": shown.url,
    }
    if low != high:
        return {"@type": "AggregateOffer", "lowPrice": low, "highPrice": high, **shared}
    return {"@type": "Offer", "price": low, **shared}


def _describe_rating(shown: ShownProduct) -> dict[str, Any] | None:
    if shown.stars == "0":
        return None
    return {"@type": "AggregateRating", "ratingValue": shown.stars, "reviewCount": max(1, shown.review_count)}
