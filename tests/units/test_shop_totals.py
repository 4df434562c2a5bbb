"""Arithmetic of the shop: taxes, discounts and totals, by example and by property."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from hypothesis import example, given, settings, strategies as st

from vetrina.kernel import money
from vetrina.shop.coupons.discounts import CouponDiscount, DiscountLine, compute_discounts, split_discount
from vetrina.shop.orders.totals import ChargeAmounts, LineAmounts, compute_totals
from vetrina.shop.taxes.rounding import PricingRules
from vetrina.shop.taxes.rules import (
    EffectiveTaxRate,
    TaxLocation,
    compute_added_taxes,
    compute_included_taxes,
    compute_net_price,
    format_rate_code,
    is_postcode_match,
    select_effective_rates,
)

D = Decimal
IVA = EffectiveTaxRate(1, D(22), "IVA", "IT", order=1)
MWST = EffectiveTaxRate(3, D("7.7"), "MwSt", "CH")
CITY = EffectiveTaxRate(4, D(3), "City", "CH", priority=2, shipping=False)


def build_line_amounts(subtotal: Decimal, total: Decimal, rates: Sequence[EffectiveTaxRate]) -> LineAmounts:
    """Return a line with its taxes."""
    return LineAmounts(subtotal, total, compute_added_taxes(subtotal, rates), compute_added_taxes(total, rates))


def test_goods_fees_and_shipping_add_up() -> None:
    rules = PricingRules()
    reduced = EffectiveTaxRate(2, D(10), "IVA red", "IT", tax_class="reduced-rate", shipping=False)
    lines = [
        build_line_amounts(D(100), D(100), [IVA]), build_line_amounts(D(10), D(10), [reduced]),
        build_line_amounts(D(10), D(10), []), build_line_amounts(D(30), D(30), []),
    ]  # fmt: skip
    fees = [ChargeAmounts(D(3), compute_added_taxes(D(3), [IVA])), ChargeAmounts(D(1), {})]
    out = compute_totals(lines, fees, [ChargeAmounts(D(12), compute_added_taxes(D(12), [IVA]))], rules)
    assert (out.total, out.cart_tax, out.shipping_tax, out.total_tax) == (
        D("192.30"),
        D("23.66"),
        D("2.64"),
        D("26.30"),
    )
    assert out.taxes == {1: D("22.66"), 2: D("1.00")}


def test_taxes_are_rounded_a_line_or_at_the_end() -> None:
    amounts = [D("2.97"), D("1.49"), D("2.59")]
    by_line = compute_totals([build_line_amounts(one, one, [MWST]) for one in amounts], [], [], PricingRules())
    assert (by_line.cart_tax, by_line.total) == (D("0.54"), D("7.59"))
    late = PricingRules(at_subtotal=True)
    lines = [build_line_amounts(one, one, [MWST]) for one in amounts]
    assert late.sum_taxes(lines[0].taxes) == D("0.228690")
    out = compute_totals(lines, [], [], late)
    assert (out.cart_tax, out.total_tax, out.total) == (D("0.542850"), D("0.54"), D("7.59"))


def test_a_compound_rate_is_taken_of_the_taxes_before_it_too() -> None:
    compound = EffectiveTaxRate(4, D(3), "City", "CH", priority=2, compound=True)
    assert money.round_amount(compute_added_taxes(D("14.90"), [MWST, CITY])[4], 2) == D("0.45")
    assert money.round_amount(compute_added_taxes(D("14.90"), [MWST, compound])[4], 2) == D("0.48")


def test_a_price_with_tax_is_freed_of_the_tax_of_the_shop() -> None:
    rules = PricingRules(inclusive=True)
    base, there = EffectiveTaxRate(1, D(5), "Base"), EffectiveTaxRate(2, D(19), "There")
    net = compute_net_price(D(119), [base], rules)
    assert net == D("113.333333")
    assert compute_totals([build_line_amounts(net, net, [base])], [], [], rules).total == D("119.00")
    assert rules.sum_taxes(build_line_amounts(net, net, [there]).taxes) == D("21.53")


def test_a_discount_on_prices_with_tax() -> None:
    rules = PricingRules(inclusive=True)
    there = [EffectiveTaxRate(2, D(19), "There")]
    net = compute_net_price(D(119), [EffectiveTaxRate(1, D(5), "Base")], rules)
    seen = net + rules.sum_taxes(build_line_amounts(net, net, there).taxes)
    cents = compute_discounts(
        [DiscountLine(1, 1, money.round_amount(seen * 100, 4))], [CouponDiscount("a", "percent", D(10))], 2
    )["a"][1]
    off, _ = split_discount(D(cents) / 100, there, rules)
    out = compute_totals([build_line_amounts(net, net - off, there)], [], [], rules)
    assert (money.format_amount(net - off, 2), money.format_amount(off, 2), out.discount) == (
        "102.00",
        "11.34",
        D("11.33"),
    )


def test_the_most_local_rate_of_each_priority_holds() -> None:
    local = EffectiveTaxRate(5, D(1), "Local", "CH", postcodes=("8001",))
    assert select_effective_rates([MWST, CITY, local], TaxLocation("CH", postcode="8001"), "") == (local, CITY)
    assert select_effective_rates([MWST, CITY, local], TaxLocation("ch", postcode="8002"), "") == (MWST, CITY)
    assert select_effective_rates([MWST], TaxLocation("IT"), "") == ()
    assert select_effective_rates([MWST], TaxLocation("CH"), "reduced-rate") == ()
    anywhere = EffectiveTaxRate(6, D(9), "World")
    assert select_effective_rates([anywhere, IVA], TaxLocation("IT"), "") == (IVA,)
    assert format_rate_code(IVA) == "IT-IVA-1"


def test_postcodes_by_range_and_by_star() -> None:
    assert is_postcode_match("10000...10099", "10050")
    assert not is_postcode_match("10000...10099", "10100")
    assert is_postcode_match("2*", "20121")
    assert not is_postcode_match("2*", "12012")
    assert is_postcode_match("SW1A 1AA", "sw1a1aa")
    assert not is_postcode_match("1.3", "123")


def _cart() -> list[DiscountLine]:
    return [
        DiscountLine(1, 2, D(4000), frozenset({11})),
        DiscountLine(2, 1, D(1000), on_sale=True),
        DiscountLine(3, 3, D(1005)),
    ]


def test_a_percentage_is_cut_to_cents_a_line() -> None:
    assert compute_discounts(_cart(), [CouponDiscount("a", "percent", D(10))], 2)["a"] == {1: 400, 2: 100, 3: 100}


def test_an_amount_off_the_cart_is_spread_by_pieces() -> None:
    assert compute_discounts(_cart(), [CouponDiscount("a", "fixed_cart", D(10))], 2)["a"] == {1: 334, 2: 167, 3: 499}


def test_an_amount_off_certain_goods_counts_each_piece() -> None:
    coupon = CouponDiscount("a", "fixed_product", D(4), products=frozenset({11}))
    assert compute_discounts(_cart(), [coupon], 2)["a"] == {1: 800}


def test_goods_on_sale_may_be_left_out_and_pieces_be_limited() -> None:
    assert compute_discounts(_cart(), [CouponDiscount("a", "percent", D(50), exclude_sale_items=True)], 2)["a"] == {
        1: 2000,
        3: 502,
    }
    assert compute_discounts(_cart(), [CouponDiscount("a", "percent", D(100), most_pieces=2)], 2)["a"] == {1: 4000}


def test_two_coupons_work_on_the_undiscounted_lines() -> None:
    out = compute_discounts(_cart(), [CouponDiscount("a", "percent", D(20)), CouponDiscount("b", "percent", D(10))], 2)
    assert (sum(out["a"].values()), sum(out["b"].values())) == (1201, 600)


def test_amounts_are_read_as_numbers_are_written() -> None:
    assert money.parse_amount(" 10.50 ") == D("10.50")
    assert [money.parse_amount(one) for one in ("", "1,5", "abc", "NaN", "Infinity", "1e30", "١")][:6] == [None] * 6
    assert money.parse_amount("0.0000005") == D("0.000001")
    assert (
        money.format_amount(D("-0.001"), 2),
        money.format_plain_amount(D("25.020")),
        money.format_plain_amount(D("-0")),
    ) == ("0.00", "25.02", "0")


_AMOUNTS = st.decimals(0, 100_000, places=2)
_RATES = st.lists(st.tuples(st.decimals(0, 50, places=4), st.booleans()), max_size=3).map(
    lambda given: [EffectiveTaxRate(at, one, priority=at, compound=two) for at, (one, two) in enumerate(given, 1)]
)
_RULES = st.builds(PricingRules, st.integers(0, 4), st.booleans(), st.booleans())


@given(st.lists(st.tuples(_AMOUNTS, _AMOUNTS, _RATES), max_size=6), _AMOUNTS, _RATES, _RULES)
@settings(max_examples=300)
def test_the_parts_make_the_total_in_every_rounding(
    goods: list[tuple[D, D, list[EffectiveTaxRate]]], shipping: D, rates: list[EffectiveTaxRate], rules: PricingRules
) -> None:
    lines = [build_line_amounts(max(a, b), min(a, b), rates) for a, b, rates in goods]
    sent = ChargeAmounts(rules.round_amount(shipping), compute_added_taxes(shipping, rates))
    out = compute_totals(lines, [], [sent], rules)
    parts = sum((one.total if rules.at_subtotal else rules.round_amount(one.total) for one in lines), D(0))
    assert out.total == rules.round_amount(parts + out.cart_tax + out.shipping + out.shipping_tax)
    before = sum((one.subtotal if rules.at_subtotal else rules.round_amount(one.subtotal) for one in lines), D(0))
    assert out.discount == rules.round_amount(before - parts)
    assert out.total_tax == rules.round_amount(sum(out.taxes.values(), D(0)) + sum(out.shipping_taxes.values(), D(0)))
    assert out.discount >= 0


@given(_AMOUNTS, _RATES)
def test_taking_tax_out_and_putting_it_on_gives_the_same(price: D, rates: list[EffectiveTaxRate]) -> None:
    inside = compute_included_taxes(price, rates)
    net = price - sum(inside.values(), D(0))
    assert abs(sum(compute_added_taxes(net, rates).values(), D(0)) - sum(inside.values(), D(0))) < D("0.0001")
    assert 0 <= net <= price


_COUPONS = st.builds(
    CouponDiscount, st.sampled_from(["a", "b", "c"]), st.sampled_from(["percent", "fixed_cart", "fixed_product"]),
    st.decimals(0, 100, places=2), exclude_sale_items=st.booleans(), most_pieces=st.none() | st.integers(0, 5),
)  # fmt: skip
_GOODS = st.lists(st.tuples(st.integers(1, 20), st.integers(0, 50_000).map(D), st.booleans()), max_size=8).map(
    lambda given: [DiscountLine(at, one, two, on_sale=three) for at, (one, two, three) in enumerate(given)]
)


@given(_GOODS, st.lists(_COUPONS, max_size=3, unique_by=lambda coupon: coupon.code))
@example(
    [DiscountLine(0, 2, D(5))],
    [CouponDiscount("a", "percent", D(50)), CouponDiscount("b", "fixed_cart", D(50), most_pieces=1)],
)
@example(
    [DiscountLine(0, 2, D(5))],
    [CouponDiscount("a", "percent", D(0)), CouponDiscount("b", "fixed_product", D(9), most_pieces=1)],
)
@example([DiscountLine(0, 1, D(5)), DiscountLine(1, 6, D(19))], [CouponDiscount("a", "fixed_cart", D("0.24"))])
@settings(max_examples=300)
def test_no_line_falls_below_nothing_and_an_amount_is_given_whole(
    goods: list[DiscountLine], coupons: list[CouponDiscount]
) -> None:
    out = compute_discounts(goods, coupons, 2)
    for line in goods:
        # Half a cent is rounded up.
        assert 0 <= sum(taken.get(line.key, D(0)) for taken in out.values()) <= line.cents + D("0.5")
    if len(coupons) == 1 and coupons[0].kind == "fixed_cart" and coupons[0].most_pieces is None:
        wanted = min(int(coupons[0].amount * 100), sum(line.cents for line in goods))
        # The last cents are assigned one by one, so if there are fewer cents than items some get none.
        assert wanted - sum(line.quantity for line in goods) < sum(out[coupons[0].code].values()) <= wanted or not goods


@given(_GOODS, st.lists(_COUPONS, max_size=3, unique_by=lambda coupon: coupon.code), st.integers(0, 3))
@settings(max_examples=200)
def test_one_coupon_upon_the_other_never_takes_more(
    goods: list[DiscountLine], coupons: list[CouponDiscount], places: int
) -> None:
    out = compute_discounts(goods, coupons, places, sequentially=True)
    for line in goods:
        assert 0 <= sum(taken.get(line.key, D(0)) for taken in out.values()) <= line.cents + D("0.5")


def test_a_coupon_on_what_the_one_before_left() -> None:
    coupons = [CouponDiscount("a", "percent", D(50)), CouponDiscount("b", "percent", D(50))]
    goods = [DiscountLine(1, 1, D(1000))]
    assert compute_discounts(goods, coupons, 2, sequentially=True) == {"a": {1: 500}, "b": {1: 250}}
    assert compute_discounts(goods, coupons, 2) == {"a": {1: 500}, "b": {1: 500}}


def test_the_cent_that_is_left_over_goes_to_the_dearest_piece() -> None:
    goods = [DiscountLine(1, 3, D(18)), DiscountLine(2, 1, D(10))]
    assert compute_discounts(goods, [CouponDiscount("a", "percent", D("33.33"))], 0)["a"] == {1: 5, 2: 4}


def test_a_coupon_for_the_cart_is_shared_by_every_line_of_it() -> None:
    coupon = CouponDiscount("a", "fixed_cart", D(3), products=frozenset({7}))
    goods = [DiscountLine(1, 1, D(1000), frozenset({7})), DiscountLine(2, 2, D(1000), frozenset({8}))]
    assert compute_discounts(goods, [coupon], 2)["a"] == {1: 100, 2: 200}


def test_an_amount_for_one_piece_among_millions_is_found_at_once() -> None:
    goods = [DiscountLine(1, 10**9, D(10) ** 13), DiscountLine(2, 1, D(10) ** 10)]
    coupon = CouponDiscount("a", "fixed_cart", D(10) ** 11, most_pieces=1)
    assert 0 < sum(compute_discounts(goods, [coupon], 2)["a"].values()) <= D(10) ** 13


def test_places_are_more_local_the_more_of_theirs_hold() -> None:
    country = EffectiveTaxRate(1, D(1), "Country", "CH")
    town = EffectiveTaxRate(2, D(2), "Town", "CH", cities=("BERN", "BASEL"))
    code = EffectiveTaxRate(3, D(3), "Code", "CH", postcodes=("3000",))
    everywhere = EffectiveTaxRate(4, D(4), "Code of no country", postcodes=("3000",))
    place = TaxLocation("CH", postcode="3000", city="Bern")
    assert select_effective_rates([country, code, town, everywhere], place, "") == (town,)
    assert select_effective_rates([country, code, everywhere], place, "") == (code,)
    assert select_effective_rates([everywhere, country], place, "") == (country,)
    assert (
        select_effective_rates([EffectiveTaxRate(9, D(1), order=1), EffectiveTaxRate(8, D(2), order=2)], place, "")[
            0
        ].id
        == 8
    )
    assert select_effective_rates([EffectiveTaxRate(9, D(1))], TaxLocation(""), "") == ()
