"""The shop of a demonstration before anybody buys: settings, taxes, shipping, goods, coupons, customers.

Not here: orders (demo/orders.py), the pages around it (demo/content.py).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from vetrina.demo.seed_client import DAY, Hand

from . import pictures
from .content import Written, add_picture
from .shop_texts import Customer, Named, Product, Review, ShopTexts, Variant, Zone

__all__ = ["Goods", "Offer", "address", "customers", "goods", "quiet", "reviews", "ways", "webhook"]

_OPENED: Final = 760  # days before the end
_SHOP: Final = "/shop/v3"
_PLENTY: Final = 50  # pieces; of less, orders would take more than there is
_SPENT: Final = Decimal(120)  # what people spend on a kind of thing, about
_STOCK_MAILS: Final = ("shop_notify_low_stock", "shop_notify_no_stock")


@dataclass(frozen=True)
class Offer:
    """What can be put into an order. variation: 0 for none."""

    product: int
    variation: int
    name: str
    price: Decimal

    @property
    def weight(self) -> int:
        """Return how often it is chosen beside others: cheap things are bought more often."""
        return max(1, round(_SPENT / self.price))


@dataclass
class Goods:
    """What was made: numbers by key, and what can be ordered. accounts: of customers, in the order of the texts."""

    products: dict[str, int] = field(default_factory=dict)
    offers: list[Offer] = field(default_factory=list)
    accounts: list[int] = field(default_factory=list)
    download: int = 0


@contextmanager
def quiet(hand: Hand) -> Iterator[None]:
    """Switch the shop's mails off for a while: nobody wants those of two years."""
    off = []
    for path in _mails(hand):
        if hand.get(path)["value"] == "yes":
            hand.put(path, {"value": "no"})
            off.append(path)
    yield
    for path in off:
        hand.put(path, {"value": "yes"})


def _mails(hand: Hand) -> Iterator[str]:
    """Return the paths of the settings that say which mails are sent."""
    yield from (f"{_SHOP}/settings/products/{name}" for name in _STOCK_MAILS)
    for group in hand.get(f"{_SHOP}/settings"):
        path = f"{_SHOP}/settings/{group['id']}"
        if group["id"].startswith("email_") and any(one["id"] == "enabled" for one in hand.get(path)):
            yield f"{path}/enabled"


def ways(hand: Hand, texts: ShopTexts) -> None:
    """Set what the shop is: place, money, taxes, shipping, ways of paying."""
    hand.calendar.back(_OPENED)
    for group, values in texts.settings.items():
        for name, value in values.items():
            hand.put(f"{_SHOP}/settings/{group}/{name}", {"value": value})
    for one in texts.tax_classes:
        hand.post(f"{_SHOP}/taxes/classes", one)
    for tax in texts.taxes:
        hand.post(f"{_SHOP}/taxes", tax)
    for zone in texts.zones:
        _zone(hand, zone)
    for gateway in texts.gateways:
        hand.put(f"{_SHOP}/payment_gateways/{gateway['id']}", {"enabled": True, "title": gateway["title"]})


def webhook(hand: Hand) -> None:
    """Tell somebody outside of orders; it is paused, for nothing is sent from a demonstration."""
    hook = {
        "name": "To the bookkeeping", "topic": "order.created", "status": "paused",
        "delivery_url": "https://books.example/in",
    }  # fmt: skip
    hand.post(f"{_SHOP}/webhooks", hook)


def _zone(hand: Hand, zone: Zone) -> None:
    number = hand.post(f"{_SHOP}/shipping/zones", {"name": zone.name})["id"] if zone.name else 0
    path = f"{_SHOP}/shipping/zones/{number}"
    if zone.places:
        hand.ask("PUT", f"{path}/locations", items=[{"type": kind, "code": code} for kind, code in zone.places])
    for method in zone.methods:
        told = {"title": method.title}
        if method.cost:
            told["cost"] = method.cost
        if method.least:
            told |= {"requires": "min_amount", "min_amount": method.least}
        hand.post(f"{path}/methods", {"method_id": method.kind, "settings": told})


def goods(hand: Hand, texts: ShopTexts, written: Written) -> Goods:
    """Make what is sold, with its pictures, and the coupons."""
    hand.calendar.back(_OPENED - 1)
    images = _images(hand, texts, written)
    known = {
        "classes": _named(hand, "shipping_classes", texts.classes, {}),
        "brands": _named(hand, "brands", texts.brands, {}),
        "categories": _named(hand, "categories", texts.categories, images),
        "tags": _named(hand, "tags", texts.product_tags, {}),
        "attributes": {},
    }
    for attribute in texts.attributes:
        number = hand.post(f"{_SHOP}/products/attributes", {"name": attribute.name})["id"]
        known["attributes"][attribute.key] = number
        for at, option in enumerate(attribute.options):
            hand.post(f"{_SHOP}/products/attributes/{number}/terms", {"name": option, "menu_order": at})
    made = Goods()
    for one in texts.products:
        _product(hand, one, known, images, made)
    for coupon in texts.coupons:
        members: dict[str, Any] = {
            "code": coupon.code, "discount_type": coupon.discount_type, "amount": coupon.amount,
            "description": coupon.description, "free_shipping": coupon.free_shipping,
            "product_ids": [made.products[key] for key in coupon.products],
        }  # fmt: skip
        if coupon.minimum_amount:
            members["minimum_amount"] = coupon.minimum_amount
        if coupon.usage_limit_per_user:
            members["usage_limit_per_user"] = coupon.usage_limit_per_user
        if coupon.ended is not None:
            members["date_expires"] = hand.time(hand.calendar.last - round(coupon.ended * DAY))
        hand.post(f"{_SHOP}/coupons", members)
    return made


def _images(hand: Hand, texts: ShopTexts, written: Written) -> dict[str, int]:
    found = {}
    with tempfile.TemporaryDirectory(prefix="vetrina-") as folder:
        for thing in texts.things:
            path = Path(folder) / f"{thing.key}.jpg"
            pictures.thing(*thing.draw, path)
            shown = add_picture(hand, path, thing.key, (thing.alt, thing.alt), (thing.alt, thing.alt), written)
            found[thing.key] = shown.id
    return found


def _named(hand: Hand, base: str, found: Iterable[Named], images: Mapping[str, int]) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for one in found:
        members: dict[str, Any] = {"name": one.name, "description": one.description}
        if one.above:
            members["parent"] = numbers[one.above]
        if one.image:
            members["image"] = {"id": images[one.image]}
        numbers[one.key] = hand.post(f"{_SHOP}/products/{base}", members)["id"]
    return numbers


def _product(
    hand: Hand, one: Product, known: Mapping[str, Mapping[str, int]], images: Mapping[str, int], made: Goods
) -> None:
    status = "publish" if one.status == "trash" else one.status
    members: dict[str, Any] = {
        "name": one.name, "type": one.kind, "sku": one.sku, "status": status,
        "short_description": f"<p>{one.short}</p>", "description": f"<p>{one.text}</p>",
        "categories": [{"id": known["categories"][key]} for key in one.categories],
        "tags": [{"id": known["tags"][key]} for key in one.tags],
        "images": [{"id": images[key]} for key in one.images],
        "tax_class": one.tax_class, **one.further,
    }  # fmt: skip
    if one.brand:
        members["brands"] = [{"id": known["brands"][one.brand]}]
    if one.price and not one.variants:
        members["regular_price"] = one.price
    if one.sale:
        members["sale_price"] = one.sale
    if one.shipping:
        members["shipping_class_id"] = known["classes"][one.shipping]
    if one.stock is not None:
        members |= {"manage_stock": True, "stock_quantity": one.stock}
    if one.grouped:
        members["grouped_products"] = [made.products[key] for key in one.grouped]
    if one.file:
        members |= {"downloadable": True, "downloads": [_file(hand, one.file, one.name)]}
    if one.variants:
        members["attributes"] = [
            {
                "id": known["attributes"][key], "variation": True, "visible": True,
                "options": list(dict.fromkeys(variant.options[key] for variant in one.variants)),
            }
            for key in one.attributes
        ]  # fmt: skip
    number = hand.post(f"{_SHOP}/products", members)["id"]
    made.products[one.key] = number
    variations = [_variation(hand, number, one, at, known, images) for at in range(len(one.variants))]
    if one.status == "trash":
        hand.ask("DELETE", f"{_SHOP}/products/{number}")
    if one.file:
        made.download = number
    plenty = one.stock is None or one.stock >= _PLENTY
    if one.status == "publish" and one.kind in ("simple", "variable") and plenty and not one.file:
        prices = [one.price for one in one.variants] or [one.price]
        made.offers += [
            Offer(number, variation, one.name, Decimal(price))
            for variation, price in zip(variations or [0], prices, strict=True)
        ]


def _variation(
    hand: Hand, number: int, of: Product, at: int, known: Mapping[str, Mapping[str, int]], images: Mapping[str, int]
) -> int:
    one: Variant = of.variants[at]
    members: dict[str, Any] = {
        "regular_price": one.price, "sku": f"{of.sku}-{at + 1}", "manage_stock": True, "stock_quantity": one.stock,
        "image": {"id": images[one.image]},
        "attributes": [{"id": known["attributes"][key], "option": option} for key, option in one.options.items()],
    }  # fmt: skip
    if one.sale:
        members["sale_price"] = one.sale
    variation: int = hand.post(f"{_SHOP}/products/{number}/variations", members)["id"]
    return variation


def _file(hand: Hand, name: str, title: str) -> dict[str, str]:
    """Return what a product says of a file of the library."""
    with tempfile.TemporaryDirectory(prefix="vetrina-") as folder:
        path = Path(folder) / name
        path.write_text(f"{title}. The drawings themselves would stand here.\n", encoding="utf-8")
        made = hand.upload(path, {"title": title}, "text/plain")
    return {"name": title, "file": made["source_url"]}


def customers(hand: Hand, found: Iterable[Customer], made: Goods) -> None:
    """Make the accounts of customers; they ask for a password when they come."""
    for at, one in enumerate(found):
        hand.calendar.back(_OPENED - 20 - 60 * at)
        first, last = one.name
        email = f"{first}.{last}@example.net".lower()
        members = {
            "email": email, "username": f"{first}.{last}".lower(), "first_name": first, "last_name": last,
            "billing": address(one.name, one.place, email), "shipping": address(one.name, one.place),
        }  # fmt: skip
        made.accounts.append(hand.post(f"{_SHOP}/customers", members)["id"])


def address(name: tuple[str, str], place: tuple[str, str, str, str, str], email: str = "") -> dict[str, str]:
    """Return an address as routes take it; with an e-mail address it is one to send the bill to."""
    street, city, postcode, country, state = place
    out = {
        "first_name": name[0], "last_name": name[1], "address_1": street, "city": city, "postcode": postcode,
        "country": country, "state": state,
    }  # fmt: skip
    return {**out, "email": email, "phone": "+39 000 000000"} if email else out


def reviews(hand: Hand, found: Iterable[Review], made: Goods) -> None:
    """Write what customers say of the goods."""
    for one in sorted(found, key=lambda review: -review.age):
        hand.calendar.back(one.age)
        members = {
            "product_id": made.products[one.of], "review": one.text, "reviewer": one.by, "rating": one.rating,
            "reviewer_email": f"{one.by.replace(' ', '.')}@example.net".lower(), "status": one.status,
        }  # fmt: skip
        hand.post(f"{_SHOP}/products/reviews", members)
