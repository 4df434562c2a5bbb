"""Serialization of products for visitors.

Whatever several products need beside their rows is loaded once for a page. Not here: filters
(shop/storefront/product_arguments.py). Rules: docs/rules/store_products.md, 1, 3 and 4: password-protected content is
never serialized.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

from vetrina.content.terms import store as terms
from vetrina.content.terms.store import Term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.rest.fields import Array, Boolean, Field, Integer, Object, String, Untyped
from vetrina.rest.serializer import build_link
from vetrina.shop.attributes import rules as shared_attributes
from vetrina.shop.cart import lines as cart_lines
from vetrina.shop.cart.lines import Sellable
from vetrina.shop.products import (
    model as product_model,
    prices as product_prices,
    product_types,
    stock as product_stock,
)
from vetrina.shop.products.model import EXTERNAL, GROUPED, VARIABLE, Product
from vetrina.shop.reviews import ratings, review_settings
from vetrina.shop.settings import rules as settings
from vetrina.shop.storefront import image_views
from vetrina.shop.storefront.amount_views import CURRENCY_FIELDS, MoneySerializer
from vetrina.shop.storefront.line_views import LineItemView, build_product_url, render_product_text

_TAXONOMIES_BY_MEMBER: Final = (
    ("categories", product_types.CATEGORY), ("tags", product_types.TAG), ("brands", product_types.BRAND),
)  # fmt: skip
_SOLD_OUT_TEXT: Final = "Out of stock"
_BACKORDER_TEXT: Final = "Available on backorder"


def serialize_products(
    work: UnitOfWork, products: Sequence[Product], base: str = "/shop/store/v1", here: str = ""
) -> list[dict[str, Any]]:
    """Return products as responses list them; base: path of the namespace, here: path of the request."""
    view = StoreProductView(work, products, here)
    return [{**view.serialize_product(one), "_links": build_product_links(work, one, base)} for one in products]


def build_product_links(work: UnitOfWork, product: Product, base: str) -> dict[str, Any]:
    """Return the links of a product."""
    collection = work.api(f"{base}/products")
    out = {"self": [build_link(f"{collection}/{product.id}")], "collection": [build_link(collection)]}
    if product.parent:
        out["up"] = [build_link(f"{collection}/{product.parent}")]
    return out


class StoreProductView:
    """Serializes some products."""

    def __init__(self, work: UnitOfWork, products: Sequence[Product], here: str = "") -> None:
        """Load the related data. here: path of the request, to which a button adds its cart parameter."""
        self.work, self.found, self.amounts, self.here = work, products, MoneySerializer(work), here
        if any(one.sale_from is not None or one.sale_to is not None for one in products):
            work.mark_time_dependent()
        parents = product_model.load_products_by_id(work, {one.parent for one in products if one.is_variation})
        self.goods = {one.id: Sellable(one, parents.get(one.parent) if one.is_variation else None) for one in products}
        self.view = LineItemView(work, self.goods.values(), self.amounts)

    @cached_property
    def terms(self) -> dict[int, list[Term]]:
        held = terms.list_terms_by_record(self.work.tx, [goods.root.id for goods in self.goods.values()])
        self.work.uses(*product_types.TAXONOMIES, *(term.taxonomy for found in held.values() for term in found))
        return held

    @cached_property
    def review_counts(self) -> dict[int, int]:
        return ratings.count_approved_reviews(self.work, {goods.root.id for goods in self.goods.values()})

    @cached_property
    def shows_ratings(self) -> bool:
        """Return whether the shop shows star ratings."""
        return review_settings.is_rating_enabled(self.work)

    @cached_property
    def addresses(self) -> dict[int, str]:
        """Return the URLs of the pages of all terms that the products are in."""
        shown = {taxonomy.name for _, taxonomy in _TAXONOMIES_BY_MEMBER}
        held = {term.id: term for found in self.terms.values() for term in found if term.taxonomy in shown}
        return terms.build_term_urls(self.work, list(held.values()))

    @cached_property
    def attributes(self) -> dict[int, shared_attributes.ProductAttribute]:
        found = shared_attributes.load_attributes(self.work)
        self.work.uses(*(one.taxonomy for one in found.values()))
        return found

    @cached_property
    def variations(self) -> dict[int, list[Product]]:
        """Return the purchasable variations of each variable product."""
        children = product_model.list_variation_ids(self.work, (one.id for one in self.found if one.kind == VARIABLE))
        known = product_model.load_products_by_id(self.work, (id for ids in children.values() for id in ids))
        return {
            of: [known[id] for id in ids if id in known and known[id].record.status == "publish"]
            for of, ids in children.items()
        }

    @cached_property
    def linked_ids(self) -> dict[int, dict[str, list[int]]]:
        return product_model.list_product_links(self.work, [one.id for one in self.found if one.kind == GROUPED])

    def serialize_product(self, product: Product) -> dict[str, Any]:
        """Return the members of a product."""
        work, goods = self.work, self.goods[product.id]
        root = goods.root
        own = list(self.terms.get(root.id, ()))
        buyable = self.is_buyable(goods)
        return {
            "id": product.id,
            "name": root.name if product.is_variation else product.name,
            "slug": product.record.slug,
            "parent": product.parent,
            "type": product.kind,
            "variation": self._format_choices(goods),
            "permalink": build_product_url(work, goods),
            "sku": product.sku or root.sku,
            "short_description": render_product_text(self.work, goods, "excerpt"),
            "description": render_product_text(self.work, goods, "content"),
            "on_sale": product_prices.is_on_sale(product, work.now),
            "prices": self._serialize_prices(product, goods),
            "price_html": self.render_price(product),
            "average_rating": self.format_average_rating(root),
            "review_count": self.review_counts.get(root.id, 0),
            "images": image_views.serialize_images(work, product.images or root.images, self.view.images),
            **{name: self._serialize_terms(own, taxonomy) for name, taxonomy in _TAXONOMIES_BY_MEMBER},
            "attributes": self.serialize_attributes(root, own),
            "variations": [
                {"id": part.id, "attributes": self.serialize_choices(part, root)}
                for part in self.variations.get(product.id, ())
            ],
            "grouped_products": self.linked_ids.get(product.id, {}).get(GROUPED, []),
            "has_options": product.kind in (VARIABLE, GROUPED, EXTERNAL),
            "is_purchasable": buyable,
            "is_in_stock": product.stock_status != "outofstock",
            "is_on_backorder": product.stock_status == "onbackorder",
            "low_stock_remaining": self.view.compute_low_stock(goods),
            "stock_availability": self.serialize_availability(goods),
            "sold_individually": goods.is_sold_individually,
            "weight": product.weight or root.weight,
            "dimensions": {
                name: getattr(product, name) or getattr(root, name) for name in ("length", "width", "height")
            },
            "formatted_weight": self.format_weight(product.weight or root.weight),
            "formatted_dimensions": self.format_dimensions(product, root),
            "add_to_cart": self.serialize_button(goods, buyable),
            "extensions": {},
        }

    def is_buyable(self, sellable: Sellable) -> bool:
        """Return whether a product is for sale; a variable one, whether any of its variations is."""
        one = sellable.one
        return cart_lines.is_purchasable(self.work, sellable) or (one.kind == VARIABLE and bool(one.price))

    def render_price(self, product: Product) -> str:
        """Return the price of a product as HTML."""
        root = self.goods[product.id].root
        return self.view.prices.markup(
            product_prices.apply_active_price(self.work, product) if product.sale_from or product.sale_to else product,
            root.tax_class if product.tax_class == "parent" else product.tax_class,
        )

    def format_average_rating(self, root: Product) -> str:
        """Return the stars of a product in the average, `0` without any."""
        return f"{root.rating // 100}.{root.rating % 100:02}" if root.rating_count and self.shows_ratings else "0"

    def _serialize_prices(self, product: Product, sellable: Sellable) -> dict[str, Any]:
        group = self.view.serialize_prices(sellable)
        if (
            product.kind in (VARIABLE, GROUPED)
            and product.price_from is not None
            and product.price_from != product.price_to
        ):
            tax_class = product.tax_class

            def shown(millionths: int) -> str:
                amount: Decimal = self.view.prices.amount(product, money.decode_amount(millionths), tax_class)
                return self.amounts.format_minor_units(amount)

            group["price_range"] = {"min_amount": shown(product.price_from), "max_amount": shown(product.price_to or 0)}
        if product.kind == VARIABLE and product.regular_from is not None:
            regular = self.view.prices.amount(product, money.decode_amount(product.regular_from), product.tax_class)
            group["regular_price"] = self.amounts.format_minor_units(regular)
        return group

    def _serialize_terms(self, own: Sequence[Term], taxonomy: Any) -> list[dict[str, Any]]:
        return [
            {"id": term.id, "name": term.name, "slug": term.slug, "link": self.addresses[term.id]}
            for term in own
            if term.taxonomy == taxonomy.name
        ]

    def serialize_attributes(self, root: Product, own: Sequence[Term]) -> list[dict[str, Any]]:
        """Return the attributes of a product that visitors see. own: its terms."""
        defaults = {attribute["key"]: attribute["value"] for attribute in root.default_attributes}
        out = []
        for attribute in root.attributes:
            if not attribute["visible"] and not attribute["variation"]:
                continue
            shared = self.attributes.get(attribute["id"]) if attribute["id"] else None
            if attribute["id"] and shared is None:
                continue
            held = [term for term in own if term.taxonomy == attribute["key"]]
            chosen = defaults.get(attribute["key"])
            values: list[Mapping[str, Any]] = (
                [{"id": term.id, "name": term.name, "slug": term.slug}
                 for term in sorted(held, key=shared_attributes.build_term_sort_key(shared.order_by))]
                if shared else [{"id": 0, "name": one, "slug": one} for one in attribute["options"]]
            )  # fmt: skip
            out.append(
                {
                    "id": attribute["id"],
                    "name": shared.name if shared else attribute["name"],
                    "taxonomy": shared.taxonomy if shared else None,
                    "has_variations": attribute["variation"],
                    "terms": [{**value, "default": value["slug"] == chosen} for value in values],
                }
            )
        return out

    def serialize_choices(self, part: Product, root: Product) -> list[dict[str, Any]]:
        """Return the attributes of a variation, an open one as null."""
        return [
            {"name": self.get_label(attribute), "value": part.choices.get(attribute["key"]) or None}
            for attribute in root.attributes
            if attribute["variation"]
        ]

    def get_label(self, attribute: Mapping[str, Any]) -> str:
        """Return the name of an attribute of a product."""
        return self.attributes[attribute["id"]].name if attribute["id"] in self.attributes else str(attribute["name"])

    def _format_choices(self, sellable: Sellable) -> str:
        choices = self.view.serialize_choices(sellable, sellable.one.choices) if sellable.one.is_variation else []
        return " / ".join(f"{one['attribute']}: {one['value']}" for one in choices)

    def serialize_availability(self, sellable: Sellable) -> dict[str, str]:
        """Return how much there is, in words, and its class."""
        status, counter = sellable.one.stock_status, sellable.stock_holder
        if status == product_stock.OUT_OF_STOCK:
            return {"text": _SOLD_OUT_TEXT, "class": "out-of-stock"}
        left = counter.stock_quantity or 0 if counter is not None else 0
        late = status == product_stock.ON_BACKORDER or (counter is not None and counter.backorders != "no" and left < 1)
        if late:
            is_backordered = counter is None or counter.backorders == "notify"
            return {"text": _BACKORDER_TEXT if is_backordered else "", "class": "available-on-backorder"}
        return {"text": self._format_stock(counter, left) if counter is not None else "", "class": "in-stock"}

    def _format_stock(self, counter: Product, left: int) -> str:
        """Return the stock in the format that the shop chose."""
        match settings.get_shop_option(self.work, "shop_stock_format"):
            case "":
                text = f"{left} in stock"
            case "low_amount" if left <= product_stock.get_low_stock_threshold(self.work, counter):
                text = f"Only {left} left in stock"
            case _:
                text = "In stock"
        return f"{text} (can be backordered)" if counter.backorders == "notify" else text

    def format_weight(self, written: str) -> str:
        """Return a weight with its unit."""
        return f"{written} {settings.get_shop_option(self.work, 'shop_weight_unit')}" if written else "N/A"

    def format_dimensions(self, product: Product, root: Product) -> str:
        """Return the sizes of a product with their unit, as HTML."""
        sides = [
            side for name in ("length", "width", "height") if (side := getattr(product, name) or getattr(root, name))
        ]
        unit = settings.get_shop_option(self.work, "shop_dimension_unit")
        return f"{' &times; '.join(sides)} {unit}" if sides else "N/A"

    def serialize_button(self, sellable: Sellable, buyable: bool) -> dict[str, Any]:
        """Return what a button to buy it says."""
        one, named = sellable.one, f"&ldquo;{sellable.one.name}&rdquo;"
        address = build_product_url(self.work, sellable)
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
            "maximum": self.view.compute_max_quantity(sellable),
            "multiple_of": 1,
        }


_TERMS_FIELD: Final = Array(items=Object(additional=True), readonly=True)

PRODUCT_FIELDS: Final[dict[str, Field]] = {
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
    "prices": Object(
        "What it costs, in the smallest unit of the currency.", CURRENCY_FIELDS, additional=True, readonly=True
    ),
    "price_html": String("What it costs, as HTML.", readonly=True),
    "average_rating": String("Stars in the average of its reviews.", readonly=True),
    "review_count": Integer("How many reviews rate it.", readonly=True),
    "images": Array("Its images.", items=Object(properties=image_views.IMAGE_FIELDS), readonly=True),
    "categories": _TERMS_FIELD.replace(help="Its categories."),
    "tags": _TERMS_FIELD.replace(help="Its tags."),
    "brands": _TERMS_FIELD.replace(help="Its brands."),
    "attributes": _TERMS_FIELD.replace(help="Its attributes with their values."),
    "variations": _TERMS_FIELD.replace(help="Its variations: number, and what each is."),
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
