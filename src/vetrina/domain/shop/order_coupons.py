"""The coupons of an order: which ones it has, what they take off its lines, and the lines that say so.

Not here: whether one may be used (coupon_rules.py), the arithmetic (discounts.py), when uses are counted
(transitions.py). Rules: facts, "Rules when used in an order": the list that is sent replaces all coupons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from vetrina.domain.content.taxonomy import terms
from vetrina.domain.work import Work
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError

from . import coupon_rules, coupons, discounts, order, order_totals, prices, product, taxes, totals
from .coupon_rules import Buyer, CouponRefused
from .coupons import Coupon
from .discounts import Goods
from .kinds import CATEGORY
from .order import COUPON, LINE, Item, Order
from .order_lines import rules_of
from .product import Product

__all__ = ["CouponIdReadonly", "applied", "buyer_of", "codes_of", "goods_of", "shares_of"]


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
        codes.append(coupons.key_of(str(told["code"])))
    return list(dict.fromkeys(codes))


def buyer_of(of: Order) -> Buyer:
    """Return who an order is for."""
    email = of.billing.get("email", "").strip().lower()
    return Buyer(of.customer, (email,) if email else ())


def applied(work: Work, of: Order, items: Sequence[Item], codes: Sequence[str]) -> list[Item]:
    """Return the items of an order with these coupons and no others; lines begin anew at what they cost before.

    Raises CouponRefused.
    """
    rules = rules_of(work, of.prices_include_tax)
    lines = [_undiscounted(item) for item in items if item.kind == LINE]
    held = {item.code: item for item in items if item.kind == COUPON}
    place = order_totals.place_of(work, of)
    taxed = order_totals.taxable(work)
    rates = {item.id: order_totals.rates_for(work, item, place, lines) if taxed else () for item in lines}
    found = [(code, coupons.by_code(work, code)) for code in codes]
    grouped = any(one is not None and (one.categories or one.excluded_categories) for _, one in found)
    known = product.known(work, [id for line in lines for id in (line.goods, line.product)])
    goods = goods_of(work, lines, rates, rules, known, grouped=grouped)
    subtotal = Decimal(sum(one.cents for one in goods)).scaleb(-rules.places)
    chosen = []
    for code, one in found:
        own = 1 if code in held and of.coupons_counted else 0
        chosen.append(coupon_rules.judge(work, one, code, goods, subtotal, buyer_of(of), own))
    shares = shares_of(chosen, goods, rates, rules)
    for taken in shares.values():
        # Cents of what the customer sees, with several taxes in it, may be a little more without them than the line.
        lines = [
            msgspec.structs.replace(line, total=max(money.ZERO, line.total - taken[line.id][0]))
            if line.id in taken
            else line
            for line in lines
        ]
    coupon_lines = [_coupon_line(work, of, one, held.get(one.code), list(shares[one.code].values())) for one in chosen]
    return [*lines, *(item for item in items if item.kind not in (LINE, COUPON)), *coupon_lines]


def shares_of(
    chosen: Sequence[Coupon], goods: Sequence[Goods], rates: Mapping[int, Sequence[Any]], rules: totals.Rules
) -> dict[str, dict[int, tuple[Decimal, Decimal]]]:
    """Return what coupons take off, by code and line: how much of it is price and how much is tax."""
    off = discounts.taken_off(goods, (one.counted() for one in chosen), rules.places)
    return {
        one.code: {key: totals.split(_amount(cents, rules), rates[key], rules) for key, cents in off[one.code].items()}
        for one in chosen
    }


def goods_of(
    work: Work,
    lines: Sequence[Item],
    rates: Mapping[int, Sequence[Any]],
    rules: totals.Rules,
    known: Mapping[int, Product] | None = None,
    *,
    grouped: bool = True,
) -> list[Goods]:
    """Return lines as coupons see them: what the customer sees as their price, and what groups they are in.

    known: the products and variations, where somebody has looked. grouped: whether their groups matter.
    """
    if known is None:
        known = product.by_ids(work, {id for line in lines for id in (line.goods, line.product) if id})
    groups = _categories(work, {line.product for line in lines if line.product}) if grouped else {}
    out = []
    for line in lines:
        seen = line.subtotal
        if rules.inclusive:
            seen += rules.sum(taxes.upon(line.subtotal, rates.get(line.id, ())))
        one = known.get(line.goods) or known.get(line.product)
        out.append(
            Goods(
                line.id, line.quantity, int(money.rounded(seen.scaleb(rules.places), 0)),
                frozenset({line.product, line.variation} - {0}), groups.get(line.product, frozenset()),
                one is not None and prices.is_on_sale(one, work.now),
            )
        )  # fmt: skip
    return out


def _categories(work: Work, products: set[int]) -> dict[int, frozenset[int]]:
    """Return the categories of products with all those above them, by the product's number."""
    work.uses("product_cat")
    held = {
        id: [term.id for term in found if term.taxonomy == CATEGORY.name]
        for id, found in terms.of_records(work.tx, sorted(products)).items()
    }
    above = terms.parents_of(work.tx, {id for ids in held.values() for id in ids})
    return {id: frozenset(_with_above(ids, above)) for id, ids in held.items()}


def _with_above(ids: Sequence[int], above: Mapping[int, int]) -> set[int]:
    out: set[int] = set()
    for id in ids:
        while id and id not in out:
            out.add(id)
            id = above.get(id, 0)
    return out


def _undiscounted(line: Item) -> Item:
    return msgspec.structs.replace(line, total=line.subtotal)


def _amount(cents: int, rules: totals.Rules) -> Decimal:
    return Decimal(cents).scaleb(-rules.places)


def _coupon_line(work: Work, of: Order, one: Coupon, held: Item | None, shares: list[tuple[Decimal, Decimal]]) -> Item:
    line = held or Item(order.next_item(work), of.id, COUPON)
    return msgspec.structs.replace(
        line, name=one.code, code=one.code, reference=one.id,
        total=sum((net for net, _ in shares), money.ZERO), total_tax=sum((tax for _, tax in shares), money.ZERO),
        details={"kind": one.kind, "amount": money.plain(one.amount), "free_shipping": one.free_shipping},
    )  # fmt: skip
