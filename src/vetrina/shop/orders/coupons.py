"""The coupons of an order: which ones it has, what they take off its lines, and the lines that say so.

Not here: whether one may be used (shop/coupons/rules.py), the arithmetic (shop/coupons/discounts.py), when uses are
counted (shop/orders/transitions.py). Rules: facts, "Rules when used in an order": the list that is sent replaces all
coupons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

import msgspec

from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.coupons import discounts
from vetrina.shop.coupons import rules as coupon_rules
from vetrina.shop.coupons import store as coupon_store
from vetrina.shop.coupons.discounts import Goods
from vetrina.shop.coupons.rules import Buyer, CouponRefused
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders import totals as order_totals
from vetrina.shop.orders.lines import rules_of
from vetrina.shop.orders.model import COUPON, LINE, SHIPPING, Item, Order
from vetrina.shop.products import model as product_model
from vetrina.shop.products import prices as product_prices
from vetrina.shop.products.model import Product
from vetrina.shop.products.product_types import CATEGORY
from vetrina.shop.taxes import line_totals
from vetrina.shop.taxes.rules import Rate

__all__ = ["CouponIdReadonly", "Taken", "applied", "buyer_of", "carried_over", "codes_of", "goods_of"]

_EXACT: Final = 6  # decimals that amounts are kept with


class CouponIdReadonly(ApiError):
    code = "shop_rest_coupon_item_id_readonly"
    message = "Coupon lines are named by their `code`; the list that is sent replaces all of them."


def codes_of(given: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the codes that a client wants on an order. Raises CouponIdReadonly, CouponRefused."""
    codes = []
    for told in given:
        if told.get("id"):
            raise CouponIdReadonly
        if not str(told.get("code") or "").strip():
            raise CouponRefused(why="A coupon line needs a `code`.")
        codes.append(coupon_store.key_of(str(told["code"])))
    if len(set(codes)) < len(codes):
        raise CouponRefused(why="A coupon is named twice; an order has it once.")
    return codes


def buyer_of(of: Order, asking: str = "") -> Buyer:
    """Return who an order is for; asking: the address of the account that writes it, for whom its coupons may be."""
    email = of.billing.get("email", "").strip().lower()
    known = tuple(one for one in (email, asking.strip().lower()) if one)
    return Buyer(of.customer, () if of.customer or not email else (email,), known)


def applied(work: Work, of: Order, items: Sequence[Item], codes: Sequence[str]) -> tuple[Order, list[Item]]:
    """Return an order and its items with these coupons and no others; lines begin again at what they cost before.

    of, items: as they were counted. Each coupon is judged by what the order comes to with those before it.
    Raises CouponRefused.
    """
    held = {item.code: item for item in items if item.kind == COUPON}
    found = {code: coupon_store.by_code(work, code) for code in codes}
    trial = _Trial(work, of, list(items), found)
    for code, one in found.items():
        if code not in held:
            trial.judge(code, one, 0)
    left = list(held.values())
    while left:
        # They go one after another, for a fee below nothing is taxed by what the order was before the last step.
        trial.put([(_held_coupon(work, item), item) for item in left[1:]])
        del left[0]
    chosen: list[tuple[Coupon, Item]] = []
    for code, one in found.items():
        own = 1 if code in held and of.coupons_counted else 0
        allowed = trial.judge(code, one, own) if chosen or held else one
        assert allowed is not None, "a coupon that is not there was refused"
        chosen.append((allowed, Item(order_model.next_item(work), of.id, COUPON)))
        trial.put(chosen)
    return trial.of, trial.items


def _held_coupon(work: Work, item: Item) -> Coupon:
    """Return the coupon of a line as it is now, or as the line tells of one that is gone."""
    found = coupon_store.by_code(work, item.code)
    if found is not None:
        return found
    told = item.details
    return Coupon(0, item.code, item.code, kind=told["kind"], amount=money.parsed(str(told["amount"])) or money.ZERO)


class Taken(NamedTuple):
    """What a coupon took off a cart, without tax and in tax."""

    coupon: Coupon
    discount: Decimal
    tax: Decimal


def carried_over(work: Work, of: Order, items: Sequence[Item], taken: Sequence[Taken]) -> tuple[Order, list[Item]]:
    """Return an order and its items with the coupons of the cart that it is made of; its lines are reduced already."""
    lines = [
        _told_of(Item(order_model.next_item(work), of.id, COUPON), one.coupon, one.discount, one.tax) for one in taken
    ]  # fmt: skip
    return order_totals.counted(work, of, [*(item for item in items if item.kind != COUPON), *lines])


class _Trial:
    """An order while coupons are put on it one after another."""

    def __init__(self, work: Work, of: Order, items: list[Item], found: Mapping[str, Coupon | None]) -> None:
        self.work, self.of, self.items = work, of, items
        self.rules = rules_of(work, of.prices_include_tax)
        lines = [item for item in items if item.kind == LINE]
        self.known = product_model.known(work, [id for line in lines for id in (line.goods, line.product)])
        grouped = any(one is not None and (one.categories or one.excluded_categories) for one in found.values())
        self.goods = goods_of(work, lines, self.rules, self.known, grouped=grouped)

    def judge(self, code: str, one: Coupon | None, own_uses: int) -> Coupon:
        """Return a coupon that may be put on the order as it is now. Raises CouponRefused."""
        subtotal = self.rules.amount(
            sum((self.rules.item(item.subtotal) for item in self.items if item.kind == LINE), money.ZERO)
        )
        if self.rules.inclusive:
            subtotal += self.rules.amount(self.of.total_tax)
        return coupon_rules.judge(
            self.work, one, code, self.goods, subtotal, buyer_of(self.of, self.work.user.email), own_uses
        )

    def put(self, chosen: Sequence[tuple[Coupon, Item]]) -> None:
        """Let the order have these coupons and count it again."""
        work, rules = self.work, self.rules
        off = discounts.taken_off(
            self.goods, (one.counted() for one, _ in chosen), rules.places, sequentially=rules.sequential
        )
        shipping = [item for item in self.items if item.kind == SHIPPING]
        place = order_totals.place_of(work, self.of, shipping)
        taxed = order_totals.taxable(work)
        lines = [item for item in self.items if item.kind == LINE]
        rates = {line.id: order_totals.rates_for(work, line, place, lines) if taxed else () for line in lines}
        out = [_reduced(line, off, rates[line.id], rules) for line in lines]
        out += [item for item in self.items if item.kind not in (LINE, COUPON)]
        out += [_coupon_line(line, one, off[one.code], rates, rules) for one, line in chosen]
        self.of, self.items = order_totals.counted(work, self.of, out, self.items)


def _reduced(
    line: Item, off: Mapping[str, Mapping[int, Decimal]], rates: Sequence[Rate], rules: line_totals.Rules
) -> Item:
    """Return a line after what coupons take off it."""
    discount = _amount(sum((taken.get(line.id, money.ZERO) for taken in off.values()), money.ZERO), rules)
    net, _ = line_totals.split(discount, rates, rules)
    return msgspec.structs.replace(line, total=max(money.ZERO, money.rounded(line.subtotal - net, _EXACT)))


def _coupon_line(
    line: Item, one: Coupon, taken: Mapping[int, Decimal], rates: Mapping[int, Sequence[Rate]], rules: line_totals.Rules
) -> Item:
    """Return the line that says what a coupon takes off, and how much of that is tax."""
    discount = tax = money.ZERO
    for key, cents in taken.items():
        _, saved = line_totals.split(_amount(cents, rules), rates[key], rules)
        # Rounded as a whole for a line: shares of several rates are never shown.
        saved = saved if rules.at_subtotal else rules.tax(saved)
        discount += _amount(cents, rules) - (saved if rules.inclusive else money.ZERO)
        tax += saved
    return _told_of(line, one, discount, tax)


def _told_of(line: Item, one: Coupon, discount: Decimal, tax: Decimal) -> Item:
    return msgspec.structs.replace(
        line, name=one.code, code=one.code, reference=one.id,
        total=money.rounded(discount, _EXACT), total_tax=money.rounded(tax, _EXACT),
        details={"kind": one.kind, "amount": money.plain(one.amount), "free_shipping": one.free_shipping},
    )  # fmt: skip


def goods_of(
    work: Work,
    lines: Sequence[Item],
    rules: line_totals.Rules,
    known: Mapping[int, Product],
    *,
    grouped: bool = True,
) -> list[Goods]:
    """Return lines as coupons see them: what the customer sees as their price, and what groups they are in.

    lines: with their taxes. known: the products and variations. grouped: whether their groups matter.
    """
    groups = _categories(work, {line.product for line in lines if line.product}) if grouped else {}
    out = []
    for line in lines:
        seen = line.subtotal
        if rules.inclusive:
            seen += line.subtotal_tax
        one = known.get(line.goods) or known.get(line.product)
        cents = money.rounded(seen.scaleb(rules.places), discounts.parts_of_cents(rules.places))
        out.append(
            Goods(
                line.id, line.quantity, cents,
                frozenset({line.product, line.variation} - {0}), groups.get(line.product, frozenset()),
                one is not None and product_prices.is_on_sale(one, work.now),
            )
        )  # fmt: skip
    return out


def _categories(work: Work, products: set[int]) -> dict[int, frozenset[int]]:
    """Return the categories of products with all those above them, by the product's number."""
    work.uses("product_cat")
    held = {
        id: [term.id for term in found if term.taxonomy == CATEGORY.name]
        for id, found in term_store.of_records(work.tx, sorted(products)).items()
    }
    above = term_store.parents_of(work.tx, {id for ids in held.values() for id in ids})
    return {id: frozenset(_with_above(ids, above)) for id, ids in held.items()}


def _with_above(ids: Sequence[int], above: Mapping[int, int]) -> set[int]:
    out: set[int] = set()
    for id in ids:
        while id and id not in out:
            out.add(id)
            id = above.get(id, 0)
    return out


def _amount(cents: Decimal, rules: line_totals.Rules) -> Decimal:
    return cents.scaleb(-rules.places)
