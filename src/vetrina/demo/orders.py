"""Two years of orders of a demonstration: placed, paid, shipped, refunded, cancelled, each step at its own time.

Orders in bulk: demo/many_orders.py. What can be bought: demo/catalogue.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from random import Random
from typing import Any, Final

from vetrina.demo.seed_client import DAY, SeedClient

from .catalogue import DemoCatalog, DemoOffer, build_address
from .shop_texts import ShopTexts

SPAN_DAYS: Final = 2 * 365  # days
_ORDERS: Final = "/shop/v3/orders"
_HOUR: Final = 3600  # seconds
_RECENT_DAYS: Final = 9.0  # days in which an order may still be open
_METHODS: Final = {"IT": ("flat_rate", "Post", "6.50"), "": ("flat_rate", "Post to the rest of the world", "26")}
_TO_EUROPE: Final = ("flat_rate", "Post to Europe", "14")
_PAYMENTS: Final = (("bacs", "Bank transfer"), ("cod", "Cash on delivery"), ("cheque", "Cheque"))
# Final states of orders, and their percentages.
_END_WEIGHTS: Final = {"completed": 78, "partly": 6, "refunded": 4, "cancelled": 6, "failed": 5, "trashed": 1}
_RECENT_END_WEIGHTS: Final = {"processing": 50, "on-hold": 25, "pending": 15, "completed": 10}
# Final states of the first orders and of the last, so that each state occurs.
_FIXED_ENDS: Final = {**dict(enumerate(_END_WEIGHTS)), -3: "processing", -2: "on-hold", -1: "pending"}
_COUPON_POSITION: Final = -3  # position from the end, so that current reports include coupons


@dataclass(frozen=True)
class DemoBuyer:
    """A buyer. account: 0 for a guest."""

    account: int
    billing: dict[str, str]
    shipping: dict[str, str]

    @property
    def country(self) -> str:
        """Return the country of delivery."""
        return self.shipping["country"]


@dataclass
class PlannedOrder:
    """An order before and while it is created. number: its id, once it has one."""

    buyer: DemoBuyer
    body: dict[str, Any]
    end: str
    number: int = 0
    lines: list[dict[str, Any]] = field(default_factory=list)


# Time (seconds since 1970), position among steps of the same time, action.
OrderStep = tuple[int, int, Callable[[], None]]


def build_buyers(texts: ShopTexts, goods: DemoCatalog, random: Random) -> list[DemoBuyer]:
    """Return the possible buyers: each customer several times, for repeat orders, and guests."""
    found = []
    for number, one in zip(goods.accounts, texts.customers, strict=True):
        email = f"{one.name[0]}.{one.name[1]}@example.net".lower()
        found += [DemoBuyer(number, build_address(one.name, one.place, email), build_address(one.name, one.place))] * 3
    guests = texts.guests
    for first in guests.first:
        name = (first, random.choice(guests.last))
        place = random.choice(guests.places)
        email = f"{name[0]}.{name[1]}@example.net".lower()
        found.append(DemoBuyer(0, build_address(name, place, email), build_address(name, place)))
    return found


def iterate_moments(count: int, last: int, random: Random) -> Iterator[int]:
    """Yield the times of orders in ascending order: more from year to year, and most before Christmas.

    count: how many; last: end of the period, seconds since 1970. The last three are always on the last days.
    """
    found = [last - round(days * DAY) for days in (0.05, 0.4, 1.2)][: max(count, 0)]
    while len(found) < count:
        age = SPAN_DAYS * random.random() ** 1.35
        moment = last - round(age * DAY)
        # Seasonality: the distance of a day from the end of the year, as a share.
        from_feast = abs((moment // DAY + 10) % 365 - 182) / 182
        if random.random() < 0.45 + 0.55 * from_feast:
            found.append(moment - moment % DAY + round(random.triangular(7, 23, 19) * _HOUR))
    yield from sorted(min(one, last) for one in found)


def create_orders(
    client: SeedClient, texts: ShopTexts, goods: DemoCatalog, count: int, random: Random, done: Callable[[int], None]
) -> None:
    """Create `count` orders with all their later steps. done: called for each."""
    known = build_buyers(texts, goods, random)
    steps: list[OrderStep] = []
    welcomed: set[str] = set()
    for place, moment in enumerate(iterate_moments(count, client.clock.last, random)):
        order = _plan_order(texts, goods, random, random.choice(known), moment, client.clock.last, welcomed)
        order.end = _FIXED_ENDS.get(place, _FIXED_ENDS.get(place - count, order.end))
        if place - count == _COUPON_POSITION:
            order.body["coupon_lines"] = [{"code": "freepost"}]
        steps += _plan_steps(client, texts, order, moment, random, len(steps))
    for moment, _, act in sorted(steps, key=lambda step: step[:2]):
        if moment <= client.clock.last:
            client.clock.move_to(moment)
            act()
            done(1 if act.__name__ == "make" else 0)


def _plan_order(
    texts: ShopTexts, goods: DemoCatalog, random: Random, buyer: DemoBuyer, moment: int, last: int, welcomed: set[str]
) -> PlannedOrder:
    """Return an order as it will be created, and its final state."""
    recent = last - moment < _RECENT_DAYS * DAY
    ends = _RECENT_END_WEIGHTS if recent else _END_WEIGHTS
    [end] = random.choices(list(ends), list(ends.values()))
    chosen = _choose_offers(goods.offers, random)
    lines = [_build_line(one, pieces) for one, pieces in chosen.items()]
    if goods.download and random.random() < 0.12:
        lines.append({"product_id": goods.download, "quantity": 1})
    kind, title, cost = _METHODS.get(buyer.country, _METHODS[""] if buyer.country == "US" else _TO_EUROPE)
    method, named = random.choices(_PAYMENTS, (70, 20, 10))[0]
    body: dict[str, Any] = {
        "status": "pending", "customer_id": buyer.account,
        "billing": buyer.billing, "shipping": buyer.shipping, "payment_method": method, "payment_method_title": named,
        "line_items": lines, "customer_note": random.choice(texts.notes.of_customer),
        "shipping_lines": [{"method_id": kind, "method_title": title, "total": cost}],
    }  # fmt: skip
    code = random.choices(("", "fiveless", "freepost", "welcome10", "wool15"), (80, 6, 3, 8, 3))[0]
    if code and _may_use_coupon(code, buyer, chosen, welcomed):
        body["coupon_lines"] = [{"code": code}]
    if random.random() < 0.06:
        body["fee_lines"] = [{"name": "Wrapping", "total": "2.50", "tax_status": "taxable"}]
    return PlannedOrder(buyer, body, end)


def _choose_offers(offers: list[DemoOffer], random: Random) -> dict[DemoOffer, int]:
    """Return the products to buy, with quantities."""
    many = random.choices((1, 2, 3, 4), (50, 28, 15, 7))[0]
    found = random.choices(offers, [one.weight for one in offers], k=many)
    return {one: random.choices((1, 2, 3), (80, 15, 5))[0] for one in dict.fromkeys(found)}


def _build_line(offer: DemoOffer, pieces: int) -> dict[str, Any]:
    line = {"product_id": offer.product, "quantity": pieces}
    return {**line, "variation_id": offer.variation} if offer.variation else line


def _may_use_coupon(code: str, buyer: DemoBuyer, chosen: dict[DemoOffer, int], welcomed: set[str]) -> bool:
    """Return whether an order may use a coupon. welcomed: buyers who have used the first-order coupon."""
    if code == "welcome10":
        known = buyer.billing["email"] in welcomed
        welcomed.add(buyer.billing["email"])
        return not known
    if code == "fiveless":
        return sum(one.price * pieces for one, pieces in chosen.items()) > 45
    return code == "freepost" or any(one.price > 100 for one in chosen)


def _plan_steps(
    client: SeedClient, texts: ShopTexts, order: PlannedOrder, moment: int, random: Random, first: int
) -> list[OrderStep]:
    """Return the steps of one order. first: the position of its first step among all."""

    def make() -> None:
        created = client.post(_ORDERS, order.body, query={"_fields": "id,line_items"})
        order.number, order.lines = created["id"], created["line_items"]

    def change(status: str) -> Callable[[], None]:
        return lambda: client.put(f"{_ORDERS}/{order.number}", {"status": status}, query={"_fields": "id"})

    paid, sent = moment + random.randint(1, 30) * _HOUR, moment + random.randint(30, 80) * _HOUR
    if order.body["payment_method"] == "cod":
        paid = moment + 60
    back = sent + random.randint(4, 16) * DAY
    acts: list[tuple[int, Callable[[], None]]] = [(moment, make)]
    if order.end in ("completed", "partly", "refunded", "processing", "on-hold"):
        if order.body["payment_method"] == "bacs" or order.end == "on-hold":
            acts.append((moment + 30, change("on-hold")))
        if order.end != "on-hold":
            acts.append((paid, change("processing")))
        if order.end != "processing" and order.end != "on-hold":
            acts.append((sent, change("completed")))
    if order.end in ("cancelled", "failed"):
        acts.append((moment + random.randint(2, 90) * _HOUR, change(order.end)))
    if order.end == "trashed":
        acts.append((moment + DAY, lambda: client.ask("DELETE", f"{_ORDERS}/{order.number}")))
    if order.end in ("partly", "refunded"):
        acts.append((back, _plan_refund(client, order, random.choice(texts.notes.refund), order.end == "refunded")))
    if random.random() < 0.25:
        acts.append((moment + 2 * _HOUR, _plan_note(client, order, random.choice(texts.notes.own), False)))
    if order.end == "completed" and random.random() < 0.3:
        acts.append((sent + _HOUR, _plan_note(client, order, random.choice(texts.notes.to_customer), True)))
    return [(at, first + place, act) for place, (at, act) in enumerate(acts)]


def _plan_note(client: SeedClient, order: PlannedOrder, note: str, to_customer: bool) -> Callable[[], None]:
    return lambda: client.post(f"{_ORDERS}/{order.number}/notes", {"note": note, "customer_note": to_customer})


def _plan_refund(client: SeedClient, order: PlannedOrder, reason: str, whole: bool) -> Callable[[], None]:
    """Return the action that refunds the whole order, or one piece of its first line."""

    def pay_back() -> None:
        line = order.lines[0]
        if whole:
            client.put(f"{_ORDERS}/{order.number}", {"status": "refunded"})
            return
        each = (Decimal(line["total"]) / line["quantity"]).quantize(Decimal("0.01"), ROUND_DOWN)
        if not each:
            return
        item = {"id": line["id"], "quantity": 1, "refund_total": str(each), "refund_tax": []}
        body = {"line_items": [item], "reason": reason, "api_refund": False}
        client.post(f"{_ORDERS}/{order.number}/refunds", body)

    return pay_back
