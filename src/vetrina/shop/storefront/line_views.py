"""The members that lines of a cart and of an order share: goods with their address, texts, pictures and prices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import permalinks
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart.lines import Goods
from vetrina.shop.products import images as product_images
from vetrina.shop.products import prices, product_types
from vetrina.shop.products import stock as product_stock
from vetrina.shop.products.displayed_prices import ShownPrices
from vetrina.shop.settings import rules as settings
from vetrina.shop.storefront import image_views as images
from vetrina.shop.storefront.amount_views import Amounts
from vetrina.shop.taxes.rules import Place

__all__ = ["GoodsView", "address_of", "text_of"]


def address_of(work: Work, goods: Goods) -> str:
    """Return the address of a product's page; of a variation, with what is chosen there."""
    address = permalinks.link(work, product_types.PRODUCT, goods.root.record, ())
    if goods.above is None or not goods.one.choices:
        return address
    chosen = urlencode({f"attribute_{key}": value for key, value in goods.one.choices.items()}, quote_via=quote)
    return f"{address}{'&' if '?' in address else '?'}{chosen}"


def text_of(work: Work, goods: Goods, name: str) -> str:
    """Return a text of a product as HTML, `content` or `excerpt`; nothing of what a password protects."""
    record = goods.one.record if name == "content" else goods.root.record
    if goods.root.record.password:
        return ""
    if name == "excerpt":
        return work.budget.answer(record.excerpt_html) if record.excerpt else ""
    return dynamic_rendering.content_alone(work, record)


class GoodsView:
    """What showing some goods needs to know beside them; asked once for all of them."""

    def __init__(self, work: Work, found: Iterable[Goods], amounts: Amounts, place: Place | None = None) -> None:
        """place: where the customer is, where that is known."""
        self.work, self.found, self.amounts, self.place = work, list(found), amounts, place

    @cached_property
    def images(self) -> dict[int, product_images.Image]:
        ids = {id for goods in self.found for one in (goods.one, goods.root) for id in one.images}
        return product_images.by_ids(self.work, ids)

    @cached_property
    def prices(self) -> ShownPrices:
        return ShownPrices(self.work, self.place)

    @cached_property
    def _known(self) -> dict[int, attributes.Attribute]:
        shared = any(kept["id"] for goods in self.found for kept in goods.root.attributes)
        return attributes.known(self.work) if shared else {}

    def members(self, goods: Goods, choices: Mapping[str, str], *, in_cart: bool = True) -> dict[str, Any]:
        """Return the members of a line that tell what it is about."""
        one, root = goods.one, goods.root
        return {
            "name": root.name,
            "short_description": text_of(self.work, goods, "excerpt"),
            "description": text_of(self.work, goods, "content"),
            "sku": one.sku or root.sku,
            "low_stock_remaining": self.few_left(goods),
            "backorders_allowed": (goods.counter or one).backorders != "no",
            "sold_individually": goods.alone,
            "permalink": address_of(self.work, goods),
            "images": images.listed(self.work, one.images or root.images, self.images),
            "variation": self.variation(goods, choices),
            "item_data": [],
            "prices": self.price_group(goods, in_cart=in_cart),
            "catalog_visibility": root.visibility,
        }

    def few_left(self, goods: Goods) -> int | None:
        """Return how many pieces are left where they are few, None where nobody needs to know or is told."""
        counter = goods.counter
        if counter is None or counter.stock_quantity is None:
            return None
        if settings.shop_option(self.work, "shop_stock_format") == "no_amount":
            return None
        few = product_stock.low_mark(self.work, counter)
        return max(counter.stock_quantity, 0) if counter.stock_quantity <= few else None

    def variation(self, goods: Goods, choices: Mapping[str, str]) -> list[dict[str, str]]:
        """Return what was chosen, as it is read."""
        if not choices:
            return []
        kept = {one["key"]: one for one in goods.root.attributes}
        shared = [(key, value) for key, value in choices.items() if kept.get(key, {}).get("id")]
        named = attributes.terms_by_slug(self.work, shared) if shared else {}
        out = []
        for key, value in sorted(choices.items()):
            own = kept.get(key, {"id": 0, "name": key})
            label = self._known[own["id"]].name if own["id"] in self._known else str(own["name"])
            term = named.get((key, value))
            out.append({"raw_attribute": f"attribute_{key}", "attribute": label, "value": term.name if term else value})
        return out

    def price_group(self, goods: Goods, *, in_cart: bool = False) -> dict[str, Any]:
        """Return what one piece costs, as visitors see it."""
        one, tax_class = goods.one, goods.root.tax_class if goods.one.tax_class == "parent" else goods.one.tax_class

        def shown(text: str) -> Decimal:
            return self.prices.amount(goods.root, prices.amount(text) or money.ZERO, tax_class, in_cart=in_cart)

        now = prices.active(one, self.work.now)
        price = shown(now)
        # A sale that has not begun, or is over, is told all the same; the price is the one that holds.
        regular = shown(one.regular_price) if one.regular_price and one.regular_price != now else price
        sale = shown(one.sale_price) if one.sale_price and one.sale_price != now else price
        group = self.amounts.group(price=price, regular_price=regular, sale_price=sale, price_range=None)
        return {**group, "raw_prices": self.amounts.raw(price, regular, sale)} if in_cart else group

    def most(self, goods: Goods) -> int:
        """Return how many pieces one cart may have."""
        return cart_lines.most_of(self.work, goods)
