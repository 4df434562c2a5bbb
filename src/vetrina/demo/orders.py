"""Two years of orders of a demonstration: made, paid, sent, sent back, given up, each step at its moment.

Not here: a million of them (demo/many_orders.py), what can be bought (demo/catalogue.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from random import Random
from typing import Any, Final

from vetrina.demo.seed_client import DAY, Hand

from .catalogue import Goods, Offer, address
from .shop_texts import ShopTexts

__all__ = ["YEARS", "Buyer", "buyers", "moments", "orders"]

YEARS: Final = 2 * 365  # days
_ORDERS: Final = "/shop/v3/orders"
_HOUR: Final = 3600  # seconds
_RECENT: Final = 9.0  # days in which an order may still wait for something
_METHODS: Final = {"IT": ("flat_rate", "Post", "6.50"), "": ("flat_rate", "Post to the rest of the world", "26")}
_TO_EUROPE: Final = ("flat_rate", "Post to Europe", "14")
_PAYMENTS: Final = (("bacs", "Bank transfer"), ("cod", "Cash on delivery"), ("cheque", "Cheque"))
# What becomes of an order, and how often out of a hundred.
_ENDS: Final = {"completed": 78, "partly": 6, "refunded": 4, "cancelled": 6, "failed": 5, "trashed": 1}
_WAITING: Final = {"processing": 50, "on-hold": 25, "pending": 15, "completed": 10}
# What becomes of the first orders and of the last, so that each end is there.
_CERTAIN: Final = {**dict(enumerate(_ENDS)), -3: "processing", -2: "on-hold", -1: "pending"}
_WITH_COUPON: Final = -3  # so that reports of these days know of coupons


@dataclass(frozen=True)
class Buyer:
    """Who buys. account: 0 for a guest."""

    account: int
    billing: dict[str, str]
    shipping: dict[str, str]

    @property
    def country(self) -> str:
        """Return where the goods go."""
        return self.shipping["country"]


@dataclass
class Told:
    """An order while it is made. number: once it is."""

    buyer: Buyer
    body: dict[str, Any]
    end: str
    number: int = 0
    lines: list[dict[str, Any]] = field(default_factory=list)


Step = tuple[int, int, Callable[[], None]]  # moment, place among those of one moment, what is done


def buyers(texts: ShopTexts, goods: Goods, random: Random) -> list[Buyer]:
    """Return who may buy: each customer several times, for they come back, and guests."""
    found = []
    for number, one in zip(goods.accounts, texts.customers, strict=True):
        email = f"{one.name[0]}.{one.name[1]}@example.net".lower()
        found += [Buyer(number, address(one.name, one.place, email), address(one.name, one.place))] * 3
    guests = texts.guests
    for first in guests.first:
        name = (first, random.choice(guests.last))
        place = random.choice(guests.places)
        email = f"{name[0]}.{name[1]}@example.net".lower()
        found.append(Buyer(0, address(name, place, email), address(name, place)))
    return found


def moments(count: int, last: int, random: Random) -> Iterator[int]:
    """Return when orders are made, the first one first: more from year to year, and most before the winter feasts.

    count: how many; last: the moment that they end at. The last three are always of the last days.
    """
    found = [last - round(days * DAY) for days in (0.05, 0.4, 1.2)][: max(count, 0)]
    while len(found) < count:
        age = YEARS * random.random() ** 1.35
        moment = last - round(age * DAY)
        # A year has its seasons: the share of a day that lies far from its end.
        from_feast = abs((moment // DAY + 10) % 365 - 182) / 182
        if random.random() < 0.45 + 0.55 * from_feast:
            found.append(moment - moment % DAY + round(random.triangular(7, 23, 19) * _HOUR))
    yield from sorted(min(one, last) for one in found)


def orders(hand: Hand, texts: ShopTexts, goods: Goods, count: int, random: Random, done: Callable[[int], None]) -> None:
    """Make so many orders with all that becomes of them. done: is told of each."""
    known = buyers(texts, goods, random)
    steps: list[Step] = []
    welcomed: set[str] = set()
    for place, moment in enumerate(moments(count, hand.calendar.last, random)):
        told = _told(texts, goods, random, random.choice(known), moment, hand.calendar.last, welcomed)
        told.end = _CERTAIN.get(place, _CERTAIN.get(place - count, told.end))
        if place - count == _WITH_COUPON:
            told.body["coupon_lines"] = [{"code": "freepost"}]
        steps += _life(hand, texts, told, moment, random, len(steps))
    for moment, _, act in sorted(steps, key=lambda step: step[:2]):
        if moment <= hand.calendar.last:
            hand.calendar.go(moment)
            act()
            done(1 if act.__name__ == "make" else 0)


def _told(
    texts: ShopTexts, goods: Goods, random: Random, buyer: Buyer, moment: int, last: int, welcomed: set[str]
) -> Told:
    """Return an order as it will be made, and how it will end."""
    recent = last - moment < _RECENT * DAY
    ends = _WAITING if recent else _ENDS
    [end] = random.choices(list(ends), list(ends.values()))
    chosen = _chosen(goods.offers, random)
    lines = [_line(one, pieces) for one, pieces in chosen.items()]
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
    if code and _takes(code, buyer, chosen, welcomed):
        body["coupon_lines"] = [{"code": code}]
    if random.random() < 0.06:
        body["fee_lines"] = [{"name": "Wrapping", "total": "2.50", "tax_status": "taxable"}]
    return Told(buyer, body, end)


def _chosen(offers: list[Offer], random: Random) -> dict[Offer, int]:
    """Return what is bought, with how many pieces of each."""
    many = random.choices((1, 2, 3, 4), (50, 28, 15, 7))[0]
    found = random.choices(offers, [one.weight for one in offers], k=many)
    return {one: random.choices((1, 2, 3), (80, 15, 5))[0] for one in dict.fromkeys(found)}


def _line(one: Offer, pieces: int) -> dict[str, Any]:
    line = {"product_id": one.product, "quantity": pieces}
    return {**line, "variation_id": one.variation} if one.variation else line


def _takes(code: str, buyer: Buyer, chosen: dict[Offer, int], welcomed: set[str]) -> bool:
    """Say whether an order may have a coupon. welcomed: who had the one for the first order already."""
    if code == "welcome10":
        known = buyer.billing["email"] in welcomed
        welcomed.add(buyer.billing["email"])
        return not known
    if code == "fiveless":
        return sum(one.price * pieces for one, pieces in chosen.items()) > 45
    return code == "freepost" or any(one.price > 100 for one in chosen)


def _life(hand: Hand, texts: ShopTexts, told: Told, moment: int, random: Random, first: int) -> list[Step]:
    """Return the steps of one order. first: the place of its first step among all."""

    def make() -> None:
        made = hand.post(_ORDERS, told.body, query={"_fields": "id,line_items"})
        told.number, told.lines = made["id"], made["line_items"]

    def change(status: str) -> Callable[[], None]:
        return lambda: hand.put(f"{_ORDERS}/{told.number}", {"status": status}, query={"_fields": "id"})

    paid, sent = moment + random.randint(1, 30) * _HOUR, moment + random.randint(30, 80) * _HOUR
    if told.body["payment_method"] == "cod":
        paid = moment + 60
    back = sent + random.randint(4, 16) * DAY
    acts: list[tuple[int, Callable[[], None]]] = [(moment, make)]
    if told.end in ("completed", "partly", "refunded", "processing", "on-hold"):
        if told.body["payment_method"] == "bacs" or told.end == "on-hold":
            acts.append((moment + 30, change("on-hold")))
        if told.end != "on-hold":
            acts.append((paid, change("processing")))
        if told.end != "processing" and told.end != "on-hold":
            acts.append((sent, change("completed")))
    if told.end in ("cancelled", "failed"):
        acts.append((moment + random.randint(2, 90) * _HOUR, change(told.end)))
    if told.end == "trashed":
        acts.append((moment + DAY, lambda: hand.ask("DELETE", f"{_ORDERS}/{told.number}")))
    if told.end in ("partly", "refunded"):
        acts.append((back, _refunded(hand, told, random.choice(texts.notes.refund), told.end == "refunded")))
    if random.random() < 0.25:
        acts.append((moment + 2 * _HOUR, _noted(hand, told, random.choice(texts.notes.own), False)))
    if told.end == "completed" and random.random() < 0.3:
        acts.append((sent + _HOUR, _noted(hand, told, random.choice(texts.notes.to_customer), True)))
    return [(at, first + place, act) for place, (at, act) in enumerate(acts)]


def _noted(hand: Hand, told: Told, note: str, to_customer: bool) -> Callable[[], None]:
    return lambda: hand.post(f"{_ORDERS}/{told.number}/notes", {"note": note, "customer_note": to_customer})


def _refunded(hand: Hand, told: Told, reason: str, whole: bool) -> Callable[[], None]:
    """Return what pays back: the whole order, or one piece of its first line."""

    def pay_back() -> None:
        line = told.lines[0]
        if whole:
            hand.put(f"{_ORDERS}/{told.number}", {"status": "refunded"})
            return
        each = (Decimal(line["total"]) / line["quantity"]).quantize(Decimal("0.01"), ROUND_DOWN)
        if not each:
            return
        item = {"id": line["id"], "quantity": 1, "refund_total": str(each), "refund_tax": []}
        body = {"line_items": [item], "reason": reason, "api_refund": False}
        hand.post(f"{_ORDERS}/{told.number}/refunds", body)

    return pay_back
