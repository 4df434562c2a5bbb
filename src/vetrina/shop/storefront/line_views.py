"""Members that lines of a cart and of an order share: product with its URL, texts, images and prices."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Any
from urllib.parse import quote, urlencode

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import permalinks
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart.lines import Sellable
from vetrina.shop.products import images as product_images, prices, product_types, stock as product_stock
from vetrina.shop.products.displayed_prices import DisplayPrices
from vetrina.shop.settings import rules as settings
from vetrina.shop.storefront import image_views as images
from vetrina.shop.storefront.amount_views import MoneySerializer
from vetrina.shop.taxes.rules import TaxLocation


def build_product_url(work: UnitOfWork, sellable: Sellable) -> str:
    """Return the URL of a product's page; of a variation, with its attributes in the query."""
    address = permalinks.build_permalink(work, product_types.PRODUCT, sellable.root.record, ())
    if sellable.parent_product is None or not sellable.one.choices:
        return address
    chosen = urlencode({f"attribute_{key}": value for key, value in sellable.one.choices.items()}, quote_via=quote)
    return f"{address}{'&' if '?' in address else '?'}{chosen}"


def render_product_text(work: UnitOfWork, sellable: Sellable, name: str) -> str:
    """Return a text of a product as HTML, `content` or `excerpt`; empty for one protected by a password."""
    record = sellable.one.record if name == "content" else sellable.root.record
    if sellable.root.record.password:
        return ""
    if name == "excerpt":
        return work.budget.take_cached_html(record.excerpt_html) if record.excerpt else ""
    return dynamic_rendering.render_static_content(work, record)


class LineItemView:
    """Serializes products in lines; related data is loaded once for all of them."""

    def __init__(
        self,
        work: UnitOfWork,
        sellables: Iterable[Sellable],
        amounts: MoneySerializer,
        place: TaxLocation | None = None,
    ) -> None:
        """Load the related data. place: the customer's location, where it is known."""
        self.work, self.found, self.amounts, self.place = work, list(sellables), amounts, place

    @cached_property
    def images(self) -> dict[int, product_images.ProductImage]:
        ids = {id for goods in self.found for one in (goods.one, goods.root) for id in one.images}
        return product_images.load_product_images_by_id(self.work, ids)

    @cached_property
    def prices(self) -> DisplayPrices:
        return DisplayPrices(self.work, self.place)

    @cached_property
    def _attributes(self) -> dict[int, attributes.ProductAttribute]:
        shared = any(attribute["id"] for sellable in self.found for attribute in sellable.root.attributes)
        return attributes.load_attributes(self.work) if shared else {}

    def serialize_line(self, sellable: Sellable, choices: Mapping[str, str], *, in_cart: bool = True) -> dict[str, Any]:
        """Return the members of a line that describe its product."""
        one, root = sellable.one, sellable.root
        return {
            "name": root.name,
            "short_description": render_product_text(self.work, sellable, "excerpt"),
            "description": render_product_text(self.work, sellable, "content"),
            "sku": one.sku or root.sku,
            "low_stock_remaining": self.compute_low_stock(sellable),
            "backorders_allowed": (sellable.stock_holder or one).backorders != "no",
            "sold_individually": sellable.is_sold_individually,
            "permalink": build_product_url(self.work, sellable),
            "images": images.serialize_images(self.work, one.images or root.images, self.images),
            "variation": self.serialize_choices(sellable, choices),
            "item_data": [],
            "prices": self.serialize_prices(sellable, in_cart=in_cart),
            "catalog_visibility": root.visibility,
        }

    def compute_low_stock(self, sellable: Sellable) -> int | None:
        """Return the remaining stock where it is low, None where it is not, or not public."""
        counter = sellable.stock_holder
        if counter is None or counter.stock_quantity is None:
            return None
        if settings.get_shop_option(self.work, "shop_stock_format") == "no_amount":
            return None
        few = product_stock.get_low_stock_threshold(self.work, counter)
        return max(counter.stock_quantity, 0) if counter.stock_quantity <= few else None

    def serialize_choices(self, sellable: Sellable, choices: Mapping[str, str]) -> list[dict[str, str]]:
        """Return the choices with their display names."""
        if not choices:
            return []
        attributes_by_key = {one["key"]: one for one in sellable.root.attributes}
        shared = [(key, value) for key, value in choices.items() if attributes_by_key.get(key, {}).get("id")]
        named = attributes.load_terms_by_slug(self.work, shared) if shared else {}
        out = []
        for key, value in sorted(choices.items()):
            own = attributes_by_key.get(key, {"id": 0, "name": key})
            label = self._attributes[own["id"]].name if own["id"] in self._attributes else str(own["name"])
            term = named.get((key, value))
            out.append({"raw_attribute": f"attribute_{key}", "attribute": label, "value": term.name if term else value})
        return out

    def serialize_prices(self, sellable: Sellable, *, in_cart: bool = False) -> dict[str, Any]:
        """Return the prices of one piece as visitors see them."""
        one = sellable.one
        tax_class = sellable.root.tax_class if one.tax_class == "parent" else one.tax_class

        def shown(text: str) -> Decimal:
            return self.prices.amount(sellable.root, prices.parse_price(text) or money.ZERO, tax_class, in_cart=in_cart)

        now = prices.compute_active_price(one, self.work.now)
        price = shown(now)
        # A sale price outside its dates is listed all the same; `price` is the current one.
        regular = shown(one.regular_price) if one.regular_price and one.regular_price != now else price
        sale = shown(one.sale_price) if one.sale_price and one.sale_price != now else price
        group = self.amounts.serialize_amounts(price=price, regular_price=regular, sale_price=sale, price_range=None)
        return {**group, "raw_prices": self.amounts.serialize_raw_prices(price, regular, sale)} if in_cart else group

    def compute_max_quantity(self, sellable: Sellable) -> int:
        """Return how many pieces a cart may hold."""
        return cart_lines.compute_max_quantity(self.work, sellable)
