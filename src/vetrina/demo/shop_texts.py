"""The shop's texts in `texts/shop.toml`, as typed structs. Other texts: demo/texts.py."""

from __future__ import annotations

from typing import Any

from .texts import DemoText, load_texts

AddressText = tuple[str, str, str, str, str]  # street, city, postcode, country, state


class ShippingMethodText(DemoText, frozen=True):
    """A shipping method. least: the order total from which it is free."""

    kind: str
    title: str
    cost: str = ""
    least: str = ""


class ShippingZoneText(DemoText, frozen=True):
    """A shipping zone; the one without a name is the rest of the world. places: kind and code of each."""

    name: str
    methods: tuple[ShippingMethodText, ...]
    places: tuple[tuple[str, str], ...] = ()


class GroupingText(DemoText, frozen=True):
    """A category, tag, brand or shipping class. above: key of the parent. image: key of a product image."""

    key: str
    name: str
    description: str = ""
    above: str = ""
    image: str = ""


class AttributeText(DemoText, frozen=True):
    """An attribute shared by products, with its options in order."""

    key: str
    name: str
    options: tuple[str, ...]


class ThingText(DemoText, frozen=True):
    """A product image. draw: its outline and colour (demo/pictures.py)."""

    key: str
    draw: tuple[str, str]
    alt: str


class VariationText(DemoText, frozen=True):
    """A variation. options: by key of the attribute."""

    options: dict[str, str]
    price: str
    stock: int
    image: str
    sale: str = ""


class ProductText(DemoText, frozen=True):
    """A product. images: keys of product images; grouped: keys of products. file: its download.

    stock: initial pieces, None if stock is not managed. further: fields as the route accepts them.
    """

    key: str
    name: str
    sku: str
    short: str
    text: str
    categories: tuple[str, ...]
    price: str = ""
    sale: str = ""
    tags: tuple[str, ...] = ()
    brand: str = ""
    images: tuple[str, ...] = ()
    tax_class: str = ""
    shipping: str = ""
    stock: int | None = None
    status: str = "publish"
    attributes: tuple[str, ...] = ()
    variants: tuple[VariationText, ...] = ()
    grouped: tuple[str, ...] = ()
    external: bool = False
    file: str = ""
    further: dict[str, Any] = {}

    @property
    def kind(self) -> str:
        """Return the product's type as in routes."""
        if self.variants:
            return "variable"
        return "grouped" if self.grouped else "external" if self.external else "simple"


class ReviewText(DemoText, frozen=True):
    """A customer's review of a product."""

    of: str
    age: float
    by: str
    rating: int
    text: str
    status: str = "approved"


class CouponText(DemoText, frozen=True):
    """A coupon. products: keys. ended: days before the end of the period, None while it is valid."""

    code: str
    discount_type: str
    amount: str
    description: str
    products: tuple[str, ...] = ()
    minimum_amount: str = ""
    usage_limit_per_user: int | None = None
    free_shipping: bool = False
    ended: float | None = None


class CustomerText(DemoText, frozen=True):
    """A customer with an account."""

    name: tuple[str, str]
    place: AddressText


class GuestTexts(DemoText, frozen=True):
    """The parts from which customers without an account are made up."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    places: tuple[AddressText, ...]


class OrderNoteTexts(DemoText, frozen=True):
    """Notes on orders. refund: reasons."""

    to_customer: tuple[str, ...]
    own: tuple[str, ...]
    of_customer: tuple[str, ...]
    refund: tuple[str, ...]


class ShopTexts(DemoText, frozen=True):
    """All texts. settings: values by group and name. taxes, tax_classes, gateways: fields as the routes accept them."""

    settings: dict[str, dict[str, str]]
    taxes: tuple[dict[str, Any], ...]
    tax_classes: tuple[dict[str, str], ...]
    zones: tuple[ShippingZoneText, ...]
    gateways: tuple[dict[str, str], ...]
    classes: tuple[GroupingText, ...]
    brands: tuple[GroupingText, ...]
    categories: tuple[GroupingText, ...]
    product_tags: tuple[GroupingText, ...]
    attributes: tuple[AttributeText, ...]
    things: tuple[ThingText, ...]
    products: tuple[ProductText, ...]
    reviews: tuple[ReviewText, ...]
    coupons: tuple[CouponText, ...]
    customers: tuple[CustomerText, ...]
    guests: GuestTexts
    notes: OrderNoteTexts


def load_shop_texts() -> ShopTexts:
    """Return the texts of the shop."""
    return load_texts("shop", ShopTexts)
