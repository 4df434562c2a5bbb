"""The texts of the shop as they stand in `texts/shop.toml`, typed.

Not here: what is made of them (demo/catalogue.py, demo/orders.py), the texts of the rest of a site (demo/texts.py).
"""

from __future__ import annotations

from typing import Any

from .texts import Text, read

__all__ = [
    "Attribute", "Coupon", "Customer", "Guests", "Method", "Named", "Notes", "Product", "Review", "ShopTexts", "Thing",
    "Variant", "Zone", "shop_texts",
]  # fmt: skip

Place = tuple[str, str, str, str, str]  # street, city, postcode, country, state


class Method(Text, frozen=True):
    """A way of shipping. least: from which sum of goods it is free."""

    kind: str
    title: str
    cost: str = ""
    least: str = ""


class Zone(Text, frozen=True):
    """A zone of shipping; that without a name is the rest of the world. places: kind and code of each."""

    name: str
    methods: tuple[Method, ...]
    places: tuple[tuple[str, str], ...] = ()


class Named(Text, frozen=True):
    """A category, tag, brand or class. above: key of the one above. image: key of a thing."""

    key: str
    name: str
    description: str = ""
    above: str = ""
    image: str = ""


class Attribute(Text, frozen=True):
    """An attribute that products share, with its options in their order."""

    key: str
    name: str
    options: tuple[str, ...]


class Thing(Text, frozen=True):
    """A picture of something to sell. draw: its outline and colour (demo/pictures.py)."""

    key: str
    draw: tuple[str, str]
    alt: str


class Variant(Text, frozen=True):
    """A variation. options: by key of the attribute."""

    options: dict[str, str]
    price: str
    stock: int
    image: str
    sale: str = ""


class Product(Text, frozen=True):
    """Something to sell. images: keys of things; grouped: keys of products. class: of tax. file: what comes with it.

    stock: pieces at the beginning, None where none are counted. further: members as the route takes them.
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
    variants: tuple[Variant, ...] = ()
    grouped: tuple[str, ...] = ()
    external: bool = False
    file: str = ""
    further: dict[str, Any] = {}

    @property
    def kind(self) -> str:
        """Return the type of the product as routes name it."""
        if self.variants:
            return "variable"
        return "grouped" if self.grouped else "external" if self.external else "simple"


class Review(Text, frozen=True):
    """What a customer says of a product."""

    of: str
    age: float
    by: str
    rating: int
    text: str
    status: str = "approved"


class Coupon(Text, frozen=True):
    """A coupon. products: keys. ended: so many days before the end, None while it holds."""

    code: str
    discount_type: str
    amount: str
    description: str
    products: tuple[str, ...] = ()
    minimum_amount: str = ""
    usage_limit_per_user: int | None = None
    free_shipping: bool = False
    ended: float | None = None


class Customer(Text, frozen=True):
    """A customer with an account."""

    name: tuple[str, str]
    place: Place


class Guests(Text, frozen=True):
    """What customers without an account are made of."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    places: tuple[Place, ...]


class Notes(Text, frozen=True):
    """What is said about orders. refund: reasons."""

    to_customer: tuple[str, ...]
    own: tuple[str, ...]
    of_customer: tuple[str, ...]
    refund: tuple[str, ...]


class ShopTexts(Text, frozen=True):
    """All of it. settings: values by group and name. taxes, tax_classes, gateways: members as the routes take them."""

    settings: dict[str, dict[str, str]]
    taxes: tuple[dict[str, Any], ...]
    tax_classes: tuple[dict[str, str], ...]
    zones: tuple[Zone, ...]
    gateways: tuple[dict[str, str], ...]
    classes: tuple[Named, ...]
    brands: tuple[Named, ...]
    categories: tuple[Named, ...]
    product_tags: tuple[Named, ...]
    attributes: tuple[Attribute, ...]
    things: tuple[Thing, ...]
    products: tuple[Product, ...]
    reviews: tuple[Review, ...]
    coupons: tuple[Coupon, ...]
    customers: tuple[Customer, ...]
    guests: Guests
    notes: Notes


def shop_texts() -> ShopTexts:
    """Return the texts of the shop."""
    return read("shop", ShopTexts)
