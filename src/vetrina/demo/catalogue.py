"""The shop of a demonstration before the first order: settings, taxes, shipping, products, coupons, customers.

Orders: demo/orders.py. The pages around it: demo/content.py.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from vetrina.demo.seed_client import DAY, SeedClient

from . import pictures
from .content import CreatedContent, upload_picture
from .shop_texts import CustomerText, GroupingText, ProductText, ReviewText, ShippingZoneText, ShopTexts, VariationText

_DAYS_OPEN: Final = 760  # days that the shop exists, before the end of the period
_SHOP: Final = "/shop/v3"
_MIN_STOCK: Final = 50  # pieces; with less, orders would exceed the stock
_TYPICAL_SPENDING: Final = Decimal(120)  # typical amount spent on one product
_STOCK_MAILS: Final = ("shop_notify_low_stock", "shop_notify_no_stock")


@dataclass(frozen=True)
class DemoOffer:
    """A product or variation that can be ordered. variation: 0 for none."""

    product: int
    variation: int
    name: str
    price: Decimal

    @property
    def weight(self) -> int:
        """Return its weight in a random choice: cheap products are bought more often."""
        return max(1, round(_TYPICAL_SPENDING / self.price))


@dataclass
class DemoCatalog:
    """What was created: ids by key, and what can be ordered. accounts: of customers, in the order of the texts."""

    products: dict[str, int] = field(default_factory=dict)
    offers: list[DemoOffer] = field(default_factory=list)
    accounts: list[int] = field(default_factory=list)
    download: int = 0


@contextmanager
def mute_shop_mails(client: SeedClient) -> Iterator[None]:
    """Disable the shop's mails during the block: nobody wants those of two years."""
    off = []
    for path in _iterate_mail_settings(client):
        if client.get(path)["value"] == "yes":
            client.put(path, {"value": "no"})
            off.append(path)
    yield
    for path in off:
        client.put(path, {"value": "yes"})


def _iterate_mail_settings(client: SeedClient) -> Iterator[str]:
    """Yield the paths of the settings that enable mails."""
    yield from (f"{_SHOP}/settings/products/{name}" for name in _STOCK_MAILS)
    for group in client.get(f"{_SHOP}/settings"):
        path = f"{_SHOP}/settings/{group['id']}"
        if group["id"].startswith("email_") and any(one["id"] == "enabled" for one in client.get(path)):
            yield f"{path}/enabled"


def configure_shop(client: SeedClient, texts: ShopTexts) -> None:
    """Configure the shop: location, currency, taxes, shipping, payment methods."""
    client.clock.move_before_end(_DAYS_OPEN)
    for group, values in texts.settings.items():
        for name, value in values.items():
            client.put(f"{_SHOP}/settings/{group}/{name}", {"value": value})
    for one in texts.tax_classes:
        client.post(f"{_SHOP}/taxes/classes", one)
    for tax in texts.taxes:
        client.post(f"{_SHOP}/taxes", tax)
    for zone in texts.zones:
        _create_shipping_zone(client, zone)
    for gateway in texts.gateways:
        client.put(f"{_SHOP}/payment_gateways/{gateway['id']}", {"enabled": True, "title": gateway["title"]})


def create_webhook(client: SeedClient) -> None:
    """Create a webhook for orders, paused, because a demonstration sends nothing."""
    hook = {
        "name": "To the bookkeeping", "topic": "order.created", "status": "paused",
        "delivery_url": "https://books.example/in",
    }  # fmt: skip
    client.post(f"{_SHOP}/webhooks", hook)


def _create_shipping_zone(client: SeedClient, zone: ShippingZoneText) -> None:
    number = client.post(f"{_SHOP}/shipping/zones", {"name": zone.name})["id"] if zone.name else 0
    path = f"{_SHOP}/shipping/zones/{number}"
    if zone.places:
        client.ask("PUT", f"{path}/locations", items=[{"type": kind, "code": code} for kind, code in zone.places])
    for method in zone.methods:
        settings = {"title": method.title}
        if method.cost:
            settings["cost"] = method.cost
        if method.least:
            settings |= {"requires": "min_amount", "min_amount": method.least}
        client.post(f"{path}/methods", {"method_id": method.kind, "settings": settings})


def create_catalog(client: SeedClient, texts: ShopTexts, written: CreatedContent) -> DemoCatalog:
    """Create the products, with their images, and the coupons."""
    client.clock.move_before_end(_DAYS_OPEN - 1)
    images = _upload_images(client, texts, written)
    known = {
        "classes": _create_groupings(client, "shipping_classes", texts.classes, {}),
        "brands": _create_groupings(client, "brands", texts.brands, {}),
        "categories": _create_groupings(client, "categories", texts.categories, images),
        "tags": _create_groupings(client, "tags", texts.product_tags, {}),
        "attributes": {},
    }
    for attribute in texts.attributes:
        number = client.post(f"{_SHOP}/products/attributes", {"name": attribute.name})["id"]
        known["attributes"][attribute.key] = number
        for at, option in enumerate(attribute.options):
            client.post(f"{_SHOP}/products/attributes/{number}/terms", {"name": option, "menu_order": at})
    goods = DemoCatalog()
    for one in texts.products:
        _create_product(client, one, known, images, goods)
    for coupon in texts.coupons:
        members: dict[str, Any] = {
            "code": coupon.code, "discount_type": coupon.discount_type, "amount": coupon.amount,
            "description": coupon.description, "free_shipping": coupon.free_shipping,
            "product_ids": [goods.products[key] for key in coupon.products],
        }  # fmt: skip
        if coupon.minimum_amount:
            members["minimum_amount"] = coupon.minimum_amount
        if coupon.usage_limit_per_user:
            members["usage_limit_per_user"] = coupon.usage_limit_per_user
        if coupon.ended is not None:
            members["date_expires"] = client.time(client.clock.last - round(coupon.ended * DAY))
        client.post(f"{_SHOP}/coupons", members)
    return goods


def _upload_images(client: SeedClient, texts: ShopTexts, written: CreatedContent) -> dict[str, int]:
    found = {}
    with tempfile.TemporaryDirectory(prefix="vetrina-") as folder:
        for thing in texts.things:
            path = Path(folder) / f"{thing.key}.jpg"
            pictures.draw_thing(*thing.draw, path)
            picture = upload_picture(client, path, thing.key, (thing.alt, thing.alt), (thing.alt, thing.alt), written)
            found[thing.key] = picture.id
    return found


def _create_groupings(
    client: SeedClient, base: str, groupings: Iterable[GroupingText], images: Mapping[str, int]
) -> dict[str, int]:
    numbers: dict[str, int] = {}
    for one in groupings:
        members: dict[str, Any] = {"name": one.name, "description": one.description}
        if one.above:
            members["parent"] = numbers[one.above]
        if one.image:
            members["image"] = {"id": images[one.image]}
        numbers[one.key] = client.post(f"{_SHOP}/products/{base}", members)["id"]
    return numbers


def _create_product(
    client: SeedClient,
    product: ProductText,
    known: Mapping[str, Mapping[str, int]],
    images: Mapping[str, int],
    goods: DemoCatalog,
) -> None:
    status = "publish" if product.status == "trash" else product.status
    members: dict[str, Any] = {
        "name": product.name, "type": product.kind, "sku": product.sku, "status": status,
        "short_description": f"<p>{product.short}</p>", "description": f"<p>{product.text}</p>",
        "categories": [{"id": known["categories"][key]} for key in product.categories],
        "tags": [{"id": known["tags"][key]} for key in product.tags],
        "images": [{"id": images[key]} for key in product.images],
        "tax_class": product.tax_class, **product.further,
    }  # fmt: skip
    if product.brand:
        members["brands"] = [{"id": known["brands"][product.brand]}]
    if product.price and not product.variants:
        members["regular_price"] = product.price
    if product.sale:
        members["sale_price"] = product.sale
    if product.shipping:
        members["shipping_class_id"] = known["classes"][product.shipping]
    if product.stock is not None:
        members |= {"manage_stock": True, "stock_quantity": product.stock}
    if product.grouped:
        members["grouped_products"] = [goods.products[key] for key in product.grouped]
    if product.file:
        members |= {"downloadable": True, "downloads": [_upload_download(client, product.file, product.name)]}
    if product.variants:
        members["attributes"] = [
            {
                "id": known["attributes"][key], "variation": True, "visible": True,
                "options": list(dict.fromkeys(variant.options[key] for variant in product.variants)),
            }
            for key in product.attributes
        ]  # fmt: skip
    number = client.post(f"{_SHOP}/products", members)["id"]
    goods.products[product.key] = number
    variations = [_create_variation(client, number, product, at, known, images) for at in range(len(product.variants))]
    if product.status == "trash":
        client.ask("DELETE", f"{_SHOP}/products/{number}")
    if product.file:
        goods.download = number
    plenty = product.stock is None or product.stock >= _MIN_STOCK
    if product.status == "publish" and product.kind in ("simple", "variable") and plenty and not product.file:
        prices = [product.price for product in product.variants] or [product.price]
        goods.offers += [
            DemoOffer(number, variation, product.name, Decimal(price))
            for variation, price in zip(variations or [0], prices, strict=True)
        ]


def _create_variation(
    client: SeedClient,
    number: int,
    product: ProductText,
    at: int,
    known: Mapping[str, Mapping[str, int]],
    images: Mapping[str, int],
) -> int:
    one: VariationText = product.variants[at]
    members: dict[str, Any] = {
        "regular_price": one.price, "sku": f"{product.sku}-{at + 1}", "manage_stock": True, "stock_quantity": one.stock,
        "image": {"id": images[one.image]},
        "attributes": [{"id": known["attributes"][key], "option": option} for key, option in one.options.items()],
    }  # fmt: skip
    if one.sale:
        members["sale_price"] = one.sale
    variation: int = client.post(f"{_SHOP}/products/{number}/variations", members)["id"]
    return variation


def _upload_download(client: SeedClient, name: str, title: str) -> dict[str, str]:
    """Upload a file to the library and return its entry in a product's downloads."""
    with tempfile.TemporaryDirectory(prefix="vetrina-") as folder:
        path = Path(folder) / name
        path.write_text(f"{title}. The drawings themselves would stand here.\n", encoding="utf-8")
        file = client.upload(path, {"title": title}, "text/plain")
    # Without the origin, which may be another one when the site is served.
    return {"name": title, "file": urlsplit(file["source_url"]).path}


def create_customers(client: SeedClient, customers: Iterable[CustomerText], goods: DemoCatalog) -> None:
    """Create the customer accounts, without usable passwords."""
    for at, one in enumerate(customers):
        client.clock.move_before_end(_DAYS_OPEN - 20 - 60 * at)
        first, last = one.name
        email = f"{first}.{last}@example.net".lower()
        members = {
            "email": email, "username": f"{first}.{last}".lower(), "first_name": first, "last_name": last,
            "billing": build_address(one.name, one.place, email), "shipping": build_address(one.name, one.place),
        }  # fmt: skip
        goods.accounts.append(client.post(f"{_SHOP}/customers", members)["id"])


def build_address(name: tuple[str, str], place: tuple[str, str, str, str, str], email: str = "") -> dict[str, str]:
    """Return an address as routes accept it; with an e-mail address it is a billing address."""
    street, city, postcode, country, state = place
    out = {
        "first_name": name[0], "last_name": name[1], "address_1": street, "city": city, "postcode": postcode,
        "country": country, "state": state,
    }  # fmt: skip
    return {**out, "email": email, "phone": "+39 000 000000"} if email else out


def create_reviews(client: SeedClient, reviews: Iterable[ReviewText], goods: DemoCatalog) -> None:
    """Create the customers' product reviews."""
    for one in sorted(reviews, key=lambda review: -review.age):
        client.clock.move_before_end(one.age)
        members = {
            "product_id": goods.products[one.of], "review": one.text, "reviewer": one.by, "rating": one.rating,
            "reviewer_email": f"{one.by.replace(' ', '.')}@example.net".lower(), "status": one.status,
        }  # fmt: skip
        client.post(f"{_SHOP}/products/reviews", members)
