"""Coupons of an order: which ones it has, their discounts on its lines, its coupon lines; when it counts as a use.

Not here: validation (shop/coupons/eligibility.py), arithmetic (shop/coupons/discounts.py), how
often one may be used (shop/coupons/uses.py). Rules: docs/rules/coupons.md, 3, 4 and 9: the list that is sent replaces
all coupons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

import msgspec

from vetrina.content.terms import store as term_store
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import money
from vetrina.kernel.errors import ApiError
from vetrina.shop.coupons import (
    discounts,
    eligibility as coupon_eligibility,
    store as coupon_store,
    uses as coupon_uses,
)
from vetrina.shop.coupons.discounts import DiscountLine
from vetrina.shop.coupons.eligibility import CouponBuyer, CouponRefused
from vetrina.shop.coupons.store import Coupon
from vetrina.shop.orders import model as order_model, tax_location, totals as order_totals
from vetrina.shop.orders.model import COUPON, LINE, SHIPPING, Order, OrderItem
from vetrina.shop.orders.statuses import OrderStatus
from vetrina.shop.products import model as product_model, prices as product_prices
from vetrina.shop.products.model import Product
from vetrina.shop.products.product_types import CATEGORY
from vetrina.shop.taxes.rounding import PricingRules, build_pricing_rules
from vetrina.shop.taxes.rules import EffectiveTaxRate

_STORED_DECIMALS: Final = 6  # decimals of stored amounts


class CouponIdReadonly(ApiError):
    code = "shop_rest_coupon_item_id_readonly"
    message = "Coupon lines are named by their `code`; the list that is sent replaces all of them."


def parse_coupon_codes(given: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the codes that a client sent for an order. Raises CouponIdReadonly, CouponRefused."""
    codes = []
    for line in given:
        if line.get("id"):
            raise CouponIdReadonly
        if not str(line.get("code") or "").strip():
            raise CouponRefused(why="A coupon line needs a `code`.")
        codes.append(coupon_store.normalize_coupon_code(str(line["code"])))
    if len(set(codes)) < len(codes):
        raise CouponRefused(why="A coupon is named twice; an order has it once.")
    return codes


def build_order_buyer(order: Order, asking: str = "") -> CouponBuyer:
    """Return the buyer of an order; asking: mail address of the calling account, accepted by coupons limited to it."""
    email = order.billing.get("email", "").strip().lower()
    known = tuple(one for one in (email, asking.strip().lower()) if one)
    return CouponBuyer(order.customer, () if order.customer or not email else (email,), known)


def apply_coupons(
    work: UnitOfWork, order: Order, items: Sequence[OrderItem], codes: Sequence[str]
) -> tuple[Order, list[OrderItem]]:
    """Return an order and its items with exactly these coupons; lines are reset to their undiscounted totals first.

    order, items: with computed totals. Each coupon is validated against the order with those before it.
    Raises CouponRefused.
    """
    lines_by_code = {item.code: item for item in items if item.kind == COUPON}
    coupons = {code: coupon_store.find_coupon_by_code(work, code) for code in codes}
    trial = _CouponTrial(work, order, list(items), coupons)
    for code, one in coupons.items():
        if code not in lines_by_code:
            trial.judge(code, one, 0)
    remaining = list(lines_by_code.values())
    while remaining:
        # One at a time, for a negative fee is taxed by the order as it was before the previous step.
        trial.put([(_restore_coupon(work, item), item) for item in remaining[1:]])
        del remaining[0]
    chosen: list[tuple[Coupon, OrderItem]] = []
    for code, one in coupons.items():
        own = 1 if code in lines_by_code and order.coupons_counted else 0
        allowed = trial.judge(code, one, own) if chosen or lines_by_code else one
        assert allowed is not None, "a coupon that is not there was refused"
        chosen.append((allowed, OrderItem(order_model.reserve_item_id(work), order.id, COUPON)))
        trial.put(chosen)
    return trial.of, trial.items


def _restore_coupon(work: UnitOfWork, item: OrderItem) -> Coupon:
    """Return the current coupon of a coupon line, or one rebuilt from the line where it was deleted."""
    found = coupon_store.find_coupon_by_code(work, item.code)
    if found is not None:
        return found
    details = item.details
    return Coupon(
        0, item.code, item.code, kind=details["kind"], amount=money.parse_amount(str(details["amount"])) or money.ZERO
    )


class TransferredCoupon(NamedTuple):
    """The discount of a coupon of a cart, net and tax."""

    coupon: Coupon
    discount: Decimal
    tax: Decimal


def transfer_coupons(
    work: UnitOfWork, order: Order, items: Sequence[OrderItem], taken: Sequence[TransferredCoupon]
) -> tuple[Order, list[OrderItem]]:
    """Return an order and its items with the coupons of the cart it is made from; its lines are discounted already."""
    lines = [
        _fill_coupon_line(
            OrderItem(order_model.reserve_item_id(work), order.id, COUPON), one.coupon, one.discount, one.tax
        )
        for one in taken
    ]
    return order_totals.compute_order_totals(work, order, [*(item for item in items if item.kind != COUPON), *lines])


class _CouponTrial:
    """An order while coupons are applied to it one after another."""

    def __init__(
        self, work: UnitOfWork, order: Order, items: list[OrderItem], found: Mapping[str, Coupon | None]
    ) -> None:
        self.work, self.of, self.items = work, order, items
        self.rules = build_pricing_rules(work, order.prices_include_tax)
        lines = [item for item in items if item.kind == LINE]
        self.known = product_model.load_cached_products(
            work, [id for line in lines for id in (line.sellable_id, line.product)]
        )
        grouped = any(one is not None and (one.categories or one.excluded_categories) for one in found.values())
        self.goods = build_discount_lines(work, lines, self.rules, self.known, grouped=grouped)

    def judge(self, code: str, coupon: Coupon | None, own_uses: int) -> Coupon:
        """Return a coupon if it may be applied to the order as it is now. Raises CouponRefused."""
        subtotal = self.rules.round_amount(
            sum((self.rules.round_line(item.subtotal) for item in self.items if item.kind == LINE), money.ZERO)
        )
        if self.rules.inclusive:
            subtotal += self.rules.round_amount(self.of.total_tax)
        return coupon_eligibility.validate_coupon(
            self.work, coupon, code, self.goods, subtotal, build_order_buyer(self.of, self.work.user.email), own_uses
        )

    def put(self, chosen: Sequence[tuple[Coupon, OrderItem]]) -> None:
        """Apply these coupons to the order and recompute it."""
        work, rules = self.work, self.rules
        off = discounts.compute_discounts(
            self.goods, (one.to_discount() for one, _ in chosen), rules.places, sequentially=rules.sequential
        )
        shipping = [item for item in self.items if item.kind == SHIPPING]
        place = tax_location.get_tax_location(work, self.of, shipping)
        taxed = order_totals.is_order_taxed(work, self.of)
        lines = [item for item in self.items if item.kind == LINE]
        rates = {line.id: order_totals.list_item_tax_rates(work, line, place, lines) if taxed else () for line in lines}
        out = [_discount_line(line, off, rates[line.id], rules) for line in lines]
        out += [item for item in self.items if item.kind not in (LINE, COUPON)]
        out += [_build_coupon_line(line, one, off[one.code], rates, rules) for one, line in chosen]
        self.of, self.items = order_totals.compute_order_totals(work, self.of, out, self.items)


def _discount_line(
    line: OrderItem,
    off: Mapping[str, Mapping[int, Decimal]],
    rates: Sequence[EffectiveTaxRate],
    rules: PricingRules,
) -> OrderItem:
    """Return a line after the discounts of coupons."""
    discount = _convert_from_cents(sum((taken.get(line.id, money.ZERO) for taken in off.values()), money.ZERO), rules)
    net, _ = discounts.split_discount(discount, rates, rules)
    return msgspec.structs.replace(
        line, total=max(money.ZERO, money.round_amount(line.subtotal - net, _STORED_DECIMALS))
    )


def _build_coupon_line(
    line: OrderItem,
    coupon: Coupon,
    taken: Mapping[int, Decimal],
    rates: Mapping[int, Sequence[EffectiveTaxRate]],
    rules: PricingRules,
) -> OrderItem:
    """Return the coupon line with a coupon's discount and its tax part."""
    discount = tax = money.ZERO
    for key, cents in taken.items():
        _, saved = discounts.split_discount(_convert_from_cents(cents, rules), rates[key], rules)
        # Rounded once for a line: shares of single rates are never displayed.
        saved = saved if rules.at_subtotal else rules.round_tax(saved)
        discount += _convert_from_cents(cents, rules) - (saved if rules.inclusive else money.ZERO)
        tax += saved
    return _fill_coupon_line(line, coupon, discount, tax)


def _fill_coupon_line(line: OrderItem, coupon: Coupon, discount: Decimal, tax: Decimal) -> OrderItem:
    return msgspec.structs.replace(
        line, name=coupon.code, code=coupon.code, reference=coupon.id,
        total=money.round_amount(discount, _STORED_DECIMALS), total_tax=money.round_amount(tax, _STORED_DECIMALS),
        details={
            "kind": coupon.kind, "amount": money.format_plain_amount(coupon.amount),
            "free_shipping": coupon.free_shipping,
        },
    )  # fmt: skip


def build_discount_lines(
    work: UnitOfWork,
    lines: Sequence[OrderItem],
    rules: PricingRules,
    known: Mapping[int, Product],
    *,
    grouped: bool = True,
) -> list[DiscountLine]:
    """Return lines as coupons see them: displayed price, and the groups that the product is in.

    lines: with their taxes. known: the products and variations. grouped: whether categories matter.
    """
    groups = _load_category_ancestors(work, {line.product for line in lines if line.product}) if grouped else {}
    out = []
    for line in lines:
        seen = line.subtotal
        if rules.inclusive:
            seen += line.subtotal_tax
        one = known.get(line.sellable_id) or known.get(line.product)
        cents = money.round_amount(seen.scaleb(rules.places), discounts.compute_cent_decimals(rules.places))
        out.append(
            DiscountLine(
                line.id, line.quantity, cents,
                frozenset({line.product, line.variation} - {0}), groups.get(line.product, frozenset()),
                one is not None and product_prices.is_on_sale(one, work.now),
            )
        )  # fmt: skip
    return out


def _load_category_ancestors(work: UnitOfWork, products: set[int]) -> dict[int, frozenset[int]]:
    """Return the categories of products with all their ancestors, by product id."""
    work.uses("product_cat")
    held = {
        id: [term.id for term in found if term.taxonomy == CATEGORY.name]
        for id, found in term_store.list_terms_by_record(work.tx, sorted(products)).items()
    }
    above = term_store.load_term_parents(work.tx, {id for ids in held.values() for id in ids})
    return {id: frozenset(_collect_ancestors(ids, above)) for id, ids in held.items()}


def _collect_ancestors(ids: Sequence[int], above: Mapping[int, int]) -> set[int]:
    out: set[int] = set()
    for id in ids:
        while id and id not in out:
            out.add(id)
            id = above.get(id, 0)
    return out


def _convert_from_cents(cents: Decimal, rules: PricingRules) -> Decimal:
    return cents.scaleb(-rules.places)


# -- uses


def apply_coupon_effect(work: UnitOfWork, order: Order, items: Sequence[OrderItem], meaning: OrderStatus) -> Order:
    """Return an order whose coupons count as used, or no longer do, by its status."""
    if meaning.coupons is None or meaning.coupons == order.coupons_counted:
        return order
    _record_coupon_uses(work, order, items, used=meaning.coupons)
    return msgspec.structs.replace(order, coupons_counted=meaning.coupons)


def update_coupon_uses(work: UnitOfWork, order: Order, before: Sequence[OrderItem], after: Sequence[OrderItem]) -> None:
    """Count the uses of an order's coupons again after they were replaced."""
    old, new = ({item.reference for item in items if item.kind == COUPON} for items in (before, after))
    _record_coupon_uses(work, order, [item for item in before if item.reference not in new], used=False)
    _record_coupon_uses(work, order, [item for item in after if item.reference not in old], used=True)


def release_coupon_uses(work: UnitOfWork, order: Order, items: Sequence[OrderItem]) -> Order:
    """Return an order that is trashed or deleted: its coupons may be used again."""
    if not order.coupons_counted:
        return order
    _record_coupon_uses(work, order, items, used=False)
    return msgspec.structs.replace(order, coupons_counted=False)


def _record_coupon_uses(work: UnitOfWork, order: Order, items: Sequence[OrderItem], *, used: bool) -> None:
    for item in items:
        if item.kind != COUPON or not item.reference:
            continue
        if used:
            coupon_uses.record_coupon_use(work, item.reference, order.id, build_order_buyer(order).name)
        else:
            coupon_uses.release_coupon_use(work, item.reference, order.id)
