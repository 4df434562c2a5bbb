"""The products that a page shows, as its blocks read them: each list of products is loaded at once.

What a block says of a product is what the visitors' interface says of it (shop/storefront/product_views.py). Rules:
docs/rules/catalogue_pages.md, 2 and 3.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext
from vetrina.content.records.model import Record
from vetrina.content.terms.store import Term
from vetrina.core.phrases import Phrases
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.cart.lines import Sellable
from vetrina.shop.products import model as product_model, prices as product_prices, product_types
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.line_views import build_product_url
from vetrina.shop.storefront.product_views import StoreProductView

_PHRASES: Final = Phrases("vetrina.shop.blocks")
_LOOKUP: Final = "shop.shown_products"
_NUMBER: Final = re.compile(r"-?\d+")


class ShownProduct:
    """A product on a page. view: of the list that it was loaded with."""

    def __init__(self, view: StoreProductView, product: Product) -> None:
        self.view, self.product = view, product

    @property
    def id(self) -> int:
        return self.product.id

    @property
    def sellable(self) -> Sellable:
        return self.view.goods[self.product.id]

    @cached_property
    def url(self) -> str:
        return build_product_url(self.view.work, self.sellable)

    @cached_property
    def terms(self) -> Sequence[Term]:
        return self.view.terms.get(self.sellable.root.id, ())

    @cached_property
    def is_buyable(self) -> bool:
        """Return whether it is for sale, in stock or not."""
        return self.view.is_buyable(self.sellable)

    @property
    def is_in_stock(self) -> bool:
        return self.product.stock_status != "outofstock"

    @property
    def is_on_sale(self) -> bool:
        return product_prices.is_on_sale(self.product, self.view.work.now)

    @property
    def is_protected(self) -> bool:
        """Return whether it has a password, which hides its texts from those who have not entered it."""
        return self.sellable.root.record.password not in ("", "0")

    def is_hidden(self, place: BlockContext) -> bool:
        """Return whether its texts are hidden where a block stands. Its own page has blocks only for who may see it."""
        page = place.scene.page
        return self.is_protected and (page is None or page.record != self.sellable.root.record.id)

    @property
    def image_ids(self) -> Sequence[int]:
        return self.product.images or self.sellable.root.images

    @cached_property
    def images(self) -> list[dict[str, Any]]:
        """Return its images as the visitors' interface shows them, with their sizes in pixels."""
        return [image for id in self.image_ids if (image := self._describe_image(id)) is not None]

    @cached_property
    def main_image(self) -> dict[str, Any] | None:
        """Return the first of its images, None without any."""
        return next((image for id in self.image_ids if (image := self._describe_image(id)) is not None), None)

    def _describe_image(self, id: int) -> dict[str, Any] | None:
        known = self.view.view.images
        found = image_views.serialize_image(self.view.work, id, known)
        return {**found, "width": known[id][1].width, "height": known[id][1].height} if found is not None else None

    @cached_property
    def stars(self) -> str:
        """Return the average of its reviews, `0` without any."""
        return self.view.format_average_rating(self.sellable.root)

    @property
    def review_count(self) -> int:
        return self.view.review_counts.get(self.sellable.root.id, 0)

    @property
    def has_options(self) -> bool:
        return self.product.kind in (VARIABLE, GROUPED, EXTERNAL)

    def render_price(self, language: str) -> str:
        """Return its price as HTML, with what only screen readers say in a language."""
        return translate_price(language, self.view.render_price(self.product))

    def describe_stock(self, language: str) -> tuple[str, str]:
        """Return how much there is, in words, and its class."""
        found = self.view.serialize_availability(self.sellable)
        return translate_stock(language, found["text"]), found["class"]


def note_products(work: UnitOfWork, products: Sequence[Product]) -> list[ShownProduct]:
    """Load what the blocks of some products need, at once, and keep it for them."""
    work.uses(product_types.PRODUCT.name, product_types.VARIATION.name)
    view = StoreProductView(work, products)
    known: dict[int, ShownProduct] = work.lookups.setdefault(_LOOKUP, {})
    found = [ShownProduct(view, one) for one in products]
    # A product of two lists is the same in both.
    return [known.setdefault(one.id, one) for one in found]


def note_variations(work: UnitOfWork, variations: Sequence[Product]) -> list[ShownProduct]:
    """Return variations of one product as their page shows them."""
    view = StoreProductView(work, variations)
    return [ShownProduct(view, one) for one in variations]


def load_shown_products(work: UnitOfWork, ids: Sequence[int]) -> list[ShownProduct]:
    """Return published products in the given order; those that visitors do not see are left out."""
    found = product_model.load_products_by_id(work, ids)
    seen = [found[id] for id in dict.fromkeys(ids) if id in found and found[id].record.status == "publish"]
    return note_products(work, [one for one in seen if not one.is_variation])


def find_shown_product(place: BlockContext) -> ShownProduct | None:
    """Return the product that a block is about, None outside of one."""
    record, found, work = place.scene.record, place.scene.found, place.work
    if record is None:
        return None
    known: dict[int, ShownProduct] = work.lookups.setdefault(_LOOKUP, {})
    if record.id not in known and found is not None and len(found.rows) > 1:
        # A query that knows nothing of products has found several: they are loaded together.
        ids = [row.id for row in found.rows if row.type == product_types.PRODUCT.name and row.id not in known]
        note_products(work, list(product_model.load_products_by_id(work, ids).values()))
    return get_shown_product(work, record)


def get_shown_product(work: UnitOfWork, record: Record) -> ShownProduct | None:
    """Return the product of a record, None for a record of another type."""
    if record.type != product_types.PRODUCT.name:
        return None
    known: dict[int, ShownProduct] = work.lookups.setdefault(_LOOKUP, {})
    if record.id not in known:
        found = product_model.find_product(work, record.id)
        if found is None:
            return None
        note_products(work, [found])
    return known[record.id]


def get_block_language(place: BlockContext) -> str:
    """Return the language in which a block speaks: English where no page is rendered, as clients know it."""
    return place.work.language if place.scene.page is not None else "en"


def translate_price(language: str, html: str) -> str:
    """Return the markup of a price with what only screen readers say in a language."""
    if "screen-reader-text" not in html:
        return html
    pairs = [
        ("Original price was:", _PHRASES.translate(language, "Original price was:")),
        ("Current price is:", _PHRASES.translate(language, "Current price is:")),
    ]
    if "Price range:" in html:
        pairs = [
            ("Price range:", _PHRASES.translate(language, "Price range:")),
            (" through ", _PHRASES.translate(language, " through ")),
        ]
    for english, said in pairs:
        html = html.replace(english, said, 1)
    return html


def translate_stock(language: str, text: str) -> str:
    """Return the words of a stock in a language."""
    late = " (can be backordered)"
    later = _PHRASES.translate(language, " (can be backordered)") if text.endswith(late) else ""
    text = text.removesuffix(late)
    number = _NUMBER.search(text)
    count = number[0] if number else ""
    known = {
        "Out of stock": _PHRASES.translate(language, "Out of stock"),
        "In stock": _PHRASES.translate(language, "In stock"),
        "Available on backorder": _PHRASES.translate(language, "Available on backorder"),
        "{number} in stock": _PHRASES.translate(language, "{number} in stock"),
        "Only {number} left in stock": _PHRASES.translate(language, "Only {number} left in stock"),
    }
    shape = text.replace(count, "{number}", 1) if count else text
    return known.get(shape, text).replace("{number}", count) + later
