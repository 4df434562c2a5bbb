"""A product as visitors see it.

What several products need beside their rows is asked once for a whole page. Not here: which ones a list shows
(shop/storefront/product_arguments.py). Rules: facts, "Visitors' interface"; OVERRIDES 12: what a password protects is
shown to nobody.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.serializer import link
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart.lines import Goods
from vetrina.shop.products import (
    model as product_model,
)
from vetrina.shop.products import (
    prices as product_prices,
)
from vetrina.shop.products import (
    product_types,
)
from vetrina.shop.products import (
    stock as product_stock,
)
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product
from vetrina.shop.reviews import permission_rules
from vetrina.shop.reviews import rules as reviews
from vetrina.shop.settings import rules as settings
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.amount_views import CURRENCY, Amounts
from vetrina.shop.storefront.line_views import GoodsView, address_of, text_of

__all__ = ["FIELDS", "ProductsView", "links", "listed"]

_BY_GROUP: Final = (
    ("categories", product_types.CATEGORY), ("tags", product_types.TAG), ("brands", product_types.BRAND),
)  # fmt: skip
_SOLD_OUT: Final = "Out of stock"
_LATER: Final = "Available on backorder"


def listed(work: Work, found: Sequence[Product], base: str = "/shop/store/v1", here: str = "") -> list[dict[str, Any]]:
    """Return products as answers list them; base: the address of the namespace, here: that of what was asked."""
    view = ProductsView(work, found, here)
    return [{**view.members(one), "_links": links(work, one, base)} for one in found]


def links(work: Work, one: Product, base: str) -> dict[str, Any]:
    """Return the links of a product."""
    collection = work.api(f"{base}/products")
    out = {"self": [link(f"{collection}/{one.id}")], "collection": [link(collection)]}
    if one.parent:
        out["up"] = [link(f"{collection}/{one.parent}")]
    return out


class ProductsView:
    """What showing some products needs to know beside them."""

    def __init__(self, work: Work, found: Sequence[Product], here: str = "") -> None:
        """here: the address of what was asked, to which a button adds what it puts into the cart."""
        self.work, self.found, self.amounts, self.here = work, found, Amounts(work), here
        if any(one.sale_from is not None or one.sale_to is not None for one in found):
            work.passes()
        parents = product_model.by_ids(work, {one.parent for one in found if one.is_variation})
        self.goods = {one.id: Goods(one, parents.get(one.parent) if one.is_variation else None) for one in found}
        self.view = GoodsView(work, self.goods.values(), self.amounts)

    @cached_property
    def terms(self) -> dict[int, list[Term]]:
        held = terms.of_records(self.work.tx, [goods.root.id for goods in self.goods.values()])
        self.work.uses(*product_types.TAXONOMIES, *(term.taxonomy for found in held.values() for term in found))
        return held

    @cached_property
    def reviews(self) -> dict[int, int]:
        return reviews.count_approved(self.work, {goods.root.id for goods in self.goods.values()})

    @cached_property
    def rates(self) -> bool:
        """Say whether the shop shows stars."""
        return permission_rules.rates(self.work)

    @cached_property
    def addresses(self) -> dict[int, str]:
        """Return the addresses of the pages of all groups that the products are in."""
        shown = {taxonomy.name for _, taxonomy in _BY_GROUP}
        held = {term.id: term for found in self.terms.values() for term in found if term.taxonomy in shown}
        return terms.addresses(self.work, list(held.values()))

    @cached_property
    def attributes(self) -> dict[int, attributes.Attribute]:
        found = attributes.known(self.work)
        self.work.uses(*(one.taxonomy for one in found.values()))
        return found

    @cached_property
    def parts(self) -> dict[int, list[Product]]:
        """Return the variations that may be bought of each variable product."""
        children = product_model.children(self.work, (one.id for one in self.found if one.kind == VARIABLE))
        known = product_model.by_ids(self.work, (id for ids in children.values() for id in ids))
        return {
            of: [known[id] for id in ids if id in known and known[id].record.status == "publish"]
            for of, ids in children.items()
        }

    @cached_property
    def linked(self) -> dict[int, dict[str, list[int]]]:
        return product_model.linked(self.work, [one.id for one in self.found if one.kind == GROUPED])

    def members(self, one: Product) -> dict[str, Any]:
        """Return the members of a product."""
        work, goods = self.work, self.goods[one.id]
        root = goods.root
        own = list(self.terms.get(root.id, ()))
        buyable = cart_lines.purchasable(work, goods) or (one.kind == VARIABLE and bool(one.price))
        tax_class = root.tax_class if one.tax_class == "parent" else one.tax_class
        return {
            "id": one.id,
            "name": root.name if one.is_variation else one.name,
            "slug": one.record.slug,
            "parent": one.parent,
            "type": one.kind,
            "variation": self._chosen(goods),
            "permalink": address_of(work, goods),
            "sku": one.sku or root.sku,
            "short_description": text_of(self.work, goods, "excerpt"),
            "description": text_of(self.work, goods, "content"),
            "on_sale": product_prices.is_on_sale(one, work.now),
            "prices": self._prices(one, goods),
            "price_html": self.view.prices.markup(
                product_prices.settled(work, one) if one.sale_from or one.sale_to else one, tax_class
            ),
            "average_rating": self._average(root),
            "review_count": self.reviews.get(root.id, 0),
            "images": image_views.listed(work, one.images or root.images, self.view.images),
            **{name: self._groups(own, taxonomy) for name, taxonomy in _BY_GROUP},
            "attributes": self._attributes(root, own),
            "variations": [
                {"id": part.id, "attributes": self._choices(part, root)} for part in self.parts.get(one.id, ())
            ],
            "grouped_products": self.linked.get(one.id, {}).get(GROUPED, []),
            "has_options": one.kind in (VARIABLE, GROUPED, EXTERNAL),
            "is_purchasable": buyable,
            "is_in_stock": one.stock_status != "outofstock",
            "is_on_backorder": one.stock_status == "onbackorder",
            "low_stock_remaining": self.view.few_left(goods),
            "stock_availability": self._stock(goods),
            "sold_individually": goods.alone,
            "weight": one.weight or root.weight,
            "dimensions": {name: getattr(one, name) or getattr(root, name) for name in ("length", "width", "height")},
            "formatted_weight": self._weight(one.weight or root.weight),
            "formatted_dimensions": self._size(one, root),
            "add_to_cart": self._button(goods, buyable),
            "extensions": {},
        }

    def _average(self, root: Product) -> str:
        return f"{root.rating // 100}.{root.rating % 100:02}" if root.rating_count and self.rates else "0"

    def _prices(self, one: Product, goods: Goods) -> dict[str, Any]:
        group = self.view.price_group(goods)
        if one.kind in (VARIABLE, GROUPED) and one.price_from is not None and one.price_from != one.price_to:
            tax_class = one.tax_class

            def shown(millionths: int) -> str:
                amount: Decimal = self.view.prices.amount(one, money.loaded(millionths), tax_class)
                return self.amounts.minor(amount)

            group["price_range"] = {"min_amount": shown(one.price_from), "max_amount": shown(one.price_to or 0)}
        if one.kind == VARIABLE and one.regular_from is not None:
            regular = self.view.prices.amount(one, money.loaded(one.regular_from), one.tax_class)
            group["regular_price"] = self.amounts.minor(regular)
        return group

    def _groups(self, own: Sequence[Term], taxonomy: Any) -> list[dict[str, Any]]:
        return [
            {"id": term.id, "name": term.name, "slug": term.slug, "link": self.addresses[term.id]}
            for term in own
            if term.taxonomy == taxonomy.name
        ]

    def _attributes(self, root: Product, own: Sequence[Term]) -> list[dict[str, Any]]:
        defaults = {kept["key"]: kept["value"] for kept in root.default_attributes}
        out = []
        for kept in root.attributes:
            if not kept["visible"] and not kept["variation"]:
                continue
            shared = self.attributes.get(kept["id"]) if kept["id"] else None
            if kept["id"] and shared is None:
                continue
            held = [term for term in own if term.taxonomy == kept["key"]]
            chosen = defaults.get(kept["key"])
            values: list[Mapping[str, Any]] = (
                [{"id": term.id, "name": term.name, "slug": term.slug}
                 for term in sorted(held, key=attributes.order_of(shared.order_by))]
                if shared else [{"id": 0, "name": one, "slug": one} for one in kept["options"]]
            )  # fmt: skip
            out.append(
                {
                    "id": kept["id"],
                    "name": shared.name if shared else kept["name"],
                    "taxonomy": shared.taxonomy if shared else None,
                    "has_variations": kept["variation"],
                    "terms": [{**value, "default": value["slug"] == chosen} for value in values],
                }
            )
        return out

    def _choices(self, part: Product, root: Product) -> list[dict[str, Any]]:
        """Return what a variation is, an open attribute as null."""
        return [
            {"name": self._label(kept), "value": part.choices.get(kept["key"]) or None}
            for kept in root.attributes
            if kept["variation"]
        ]

    def _label(self, kept: Mapping[str, Any]) -> str:
        return self.attributes[kept["id"]].name if kept["id"] in self.attributes else str(kept["name"])

    def _chosen(self, goods: Goods) -> str:
        told = self.view.variation(goods, goods.one.choices) if goods.one.is_variation else []
        return " / ".join(f"{one['attribute']}: {one['value']}" for one in told)

    def _stock(self, goods: Goods) -> dict[str, str]:
        status, counter = goods.one.stock_status, goods.counter
        if status == product_stock.OUT_OF_STOCK:
            return {"text": _SOLD_OUT, "class": "out-of-stock"}
        left = counter.stock_quantity or 0 if counter is not None else 0
        late = status == product_stock.ON_BACKORDER or (counter is not None and counter.backorders != "no" and left < 1)
        if late:
            told = counter is None or counter.backorders == "notify"
            return {"text": _LATER if told else "", "class": "available-on-backorder"}
        return {"text": self._in_stock(counter, left) if counter is not None else "", "class": "in-stock"}

    def _in_stock(self, counter: Product, left: int) -> str:
        """Return how much there is, in the words that the shop chose."""
        match settings.shop_option(self.work, "shop_stock_format"):
            case "":
                text = f"{left} in stock"
            case "low_amount" if left <= product_stock.low_mark(self.work, counter):
                text = f"Only {left} left in stock"
            case _:
                text = "In stock"
        return f"{text} (can be backordered)" if counter.backorders == "notify" else text

    def _weight(self, written: str) -> str:
        return f"{written} {settings.shop_option(self.work, 'shop_weight_unit')}" if written else "N/A"

    def _size(self, one: Product, root: Product) -> str:
        sides = [side for name in ("length", "width", "height") if (side := getattr(one, name) or getattr(root, name))]
        unit = settings.shop_option(self.work, "shop_dimension_unit")
        return f"{' &times; '.join(sides)} {unit}" if sides else "N/A"

    def _button(self, goods: Goods, buyable: bool) -> dict[str, Any]:
        one, named = goods.one, f"&ldquo;{goods.one.name}&rdquo;"
        address = address_of(self.work, goods)
        text, said = "Read more", f"Read more about {named}"
        if one.kind == EXTERNAL:
            text, said, address = one.button_text or "Buy product", f"Buy {named}", one.external_url
        elif one.kind == GROUPED:
            text, said = "View products", f"View products in the {named} group"
        elif one.kind == VARIABLE and buyable:
            text, said = "Select options", f"Select options for {named}"
        elif one.kind != VARIABLE and buyable and one.stock_status != product_stock.OUT_OF_STOCK:
            joint = "&#038;" if "?" in self.here else "?"
            text, said, address = "Add to cart", f"Add to cart: {named}", f"{self.here}{joint}add-to-cart={one.id}"
        return {
            "text": text,
            "description": said,
            "url": address,
            "single_text": one.button_text or "Buy product" if one.kind == EXTERNAL else "Add to cart",
            "minimum": 1,
            "maximum": self.view.most(goods),
            "multiple_of": 1,
        }


_GROUP: Final = Array(items=Object(additional=True), readonly=True)

FIELDS: Final[dict[str, Field]] = {
    "id": Integer("Number of the product.", readonly=True),
    "name": String("Name of the product.", readonly=True),
    "slug": String("Slug of the product.", readonly=True),
    "parent": Integer("Number of the product that a variation belongs to, else 0.", readonly=True),
    "type": String("Kind of product.", readonly=True),
    "variation": String("What a variation is, as text.", readonly=True),
    "permalink": String("Address of its page.", format="uri", readonly=True),
    "sku": String("Stock number.", readonly=True),
    "short_description": String("A short text, as HTML.", readonly=True),
    "description": String("The whole text, as HTML.", readonly=True),
    "on_sale": Boolean("Whether it is on sale.", readonly=True),
    "prices": Object("What it costs, in the smallest unit of the currency.", CURRENCY, additional=True, readonly=True),
    "price_html": String("What it costs, as HTML.", readonly=True),
    "average_rating": String("Stars in the average of its reviews.", readonly=True),
    "review_count": Integer("How many reviews rate it.", readonly=True),
    "images": Array("Its images.", items=Object(properties=image_views.FIELDS), readonly=True),
    "categories": _GROUP.but(help="Its categories."),
    "tags": _GROUP.but(help="Its tags."),
    "brands": _GROUP.but(help="Its brands."),
    "attributes": _GROUP.but(help="Its attributes with their values."),
    "variations": _GROUP.but(help="Its variations: number, and what each is."),
    "grouped_products": Array("Numbers of the products of a group.", items=Integer(), readonly=True),
    "has_options": Boolean("Whether something is to be chosen before it can be bought.", readonly=True),
    "is_purchasable": Boolean("Whether it is for sale.", readonly=True),
    "is_in_stock": Boolean("Whether it is to be had.", readonly=True),
    "is_on_backorder": Boolean("Whether it comes later.", readonly=True),
    "low_stock_remaining": Untyped("How many pieces are left where they are few, else null.", readonly=True),
    "stock_availability": Object("How much there is, in words.", additional=True, readonly=True),
    "sold_individually": Boolean("Whether only one may be in a cart.", readonly=True),
    "weight": String("Weight, in the shop's unit.", readonly=True),
    "dimensions": Object("Sizes, in the shop's unit.", additional=True, readonly=True),
    "formatted_weight": String("Weight with its unit.", readonly=True),
    "formatted_dimensions": String("Sizes with their unit.", readonly=True),
    "add_to_cart": Object("What a button to buy it says.", additional=True, readonly=True),
    "extensions": Object("What other modules add.", additional=True, readonly=True),
}
