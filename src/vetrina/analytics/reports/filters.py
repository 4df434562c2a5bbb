"""Turns the parameters of a report into filters: ids, statuses, categories, attributes.

Not here: conditions as SQL (analytics/reports/conditions.py). Rules: docs/rules/analytics_filters.md, 3, 4, 5, 6 and 7:
orders that do not count stay out with `match=any` too, and categories that share nothing with the products match
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import select

from vetrina.analytics.facts.reportable_orders import get_excluded_statuses
from vetrina.analytics.reports import segment_items
from vetrina.analytics.reports.conditions import (
    FilterMatch,
    GoodsFilter,
    ReportCondition,
    ReportFilters,
    StatusFilter,
    build_column_condition,
    build_containing_condition,
    build_customer_type_condition,
    build_lacking_condition,
    build_line_condition,
    build_other_condition,
    build_refund_condition,
    join_conditions,
)
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import ContainsText, InList, encode_list
from vetrina.backends.tables.catalogue import product as product_table
from vetrina.backends.tables.orders import order_item
from vetrina.backends.tables.records import record
from vetrina.backends.tables.terms import record_term, term
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.orders.model import LINE

_SIDES: Final = ("product", "variation", "coupon", "tax_rate")
_EXCLUDED_ONE_BY_ONE: Final = frozenset({"coupon", "tax_rate"})


def build_status_conditions(
    work: UnitOfWork, args: Mapping[str, Any]
) -> tuple[tuple[ReportCondition, ...], tuple[ReportCondition, ...]]:
    """Return the conditions on the status: the requested ones, or else the one that always holds."""
    conditions = []
    if args.get("status_is"):
        conditions.append(build_column_condition("status", args["status_is"], "status_is"))
    if args.get("status_is_not"):
        conditions.append(build_column_condition("status", args["status_is_not"], "status_is_not", negated=True))
    return tuple(conditions), () if conditions else (
        build_column_condition("status", get_excluded_statuses(work), "excluded", negated=True),
    )


def build_status_filter(work: UnitOfWork, args: Mapping[str, Any]) -> StatusFilter | None:
    """Return the requested statuses, None where two conditions on them are joined by OR."""
    included, excluded = args.get("status_is"), args.get("status_is_not")
    if included and excluded and _get_match(args) == "any":
        return None
    if not included and not excluded:
        return StatusFilter(None, frozenset(get_excluded_statuses(work)))
    return StatusFilter(frozenset(included) if included else None, frozenset(excluded or ()))


def build_order_filters(work: UnitOfWork, args: Mapping[str, Any], *, each: bool = False) -> ReportFilters:
    """Return the filters of orders and refunds.

    each: as the list has them: coupons and tax rates are excluded one by one, and an order with others stays; both
    conditions on the status hold whatever `match` says.
    """
    match = _get_match(args)
    chosen, always = build_status_conditions(work, args)
    parts: list[ReportCondition] = [join_conditions(chosen, "all", "statuses")] if each and chosen else list(chosen)
    for what in _SIDES:
        included, excluded = args.get(f"{what}_includes"), args.get(f"{what}_excludes")
        one_by_one = each and what in _EXCLUDED_ONE_BY_ONE
        if included and excluded and one_by_one and match == "all":
            # The same coupon or rate must be in the one list and not in the other.
            parts.append(build_containing_condition(what, sorted({*included} - {*excluded})))
            continue
        if included:
            parts.append(build_containing_condition(what, included))
        if excluded:
            parts.append((build_other_condition if one_by_one else build_lacking_condition)(what, excluded))
    lines = build_attribute_condition(work, args)
    if lines is not None:
        parts.append(build_line_condition(lines, orders_alone=True))
    returning = args.get("customer_type") or args.get("customer")
    if returning in ("new", "returning"):
        parts.append(build_customer_type_condition(returning == "returning"))
    if args.get("refunds"):
        parts.append(build_refund_condition(args["refunds"]))
    if args.get("order_includes"):
        parts.append(build_column_condition("id", args["order_includes"], "id_in"))
    if args.get("order_excludes"):
        parts.append(build_column_condition("id", args["order_excludes"], "id_out", negated=True))
    products: Sequence[int] = args.get("product_includes") or ()
    return ReportFilters(
        tuple(parts), always, match, build_status_filter(work, args) if len(parts) == len(chosen) else None,
        product=products[0] if not chosen and len(products) == len(parts) == 1 else None,
    )  # fmt: skip


def build_line_filters(work: UnitOfWork, args: Mapping[str, Any], variations: bool = False) -> ReportFilters:
    """Return the filters of lines: of the reports on products, or on variations where `variations` is true."""
    match = _get_match(args)
    chosen, always = build_status_conditions(work, args)
    parts: list[ReportCondition] = []
    names = ("product_includes", "category_includes") if variations else ("products", "categories")
    products = select_product_ids(work, args.get(names[0]), args.get(names[1]), match)
    if products is not None:
        parts.append(build_column_condition("product", products, "product_in"))
    if variations:
        also = select_product_ids(work, args.get("products"), args.get("categories"), match)
        if also is not None:
            parts.append(build_column_condition("product", also, "product_also"))
        left_out = {
            *(args.get("product_excludes") or ()),
            *segment_items.list_products_in_categories(work, args.get("category_excludes") or ()),
        }
        if left_out or args.get("category_excludes"):
            parts.append(build_column_condition("product", sorted(left_out), "product_out", negated=True))
        lines = build_attribute_condition(work, args)
        if lines is not None:
            parts.append(lines)
        always = (*always, ReportCondition("variations", lambda table: table.c.variation > 0))
    if args.get("variations"):
        parts.append(build_column_condition("variation", args["variations"], "variation_in"))
    statuses = build_status_filter(work, args)
    goods = None
    if statuses is not None and products is not None and not variations and not args.get("variations"):
        goods = GoodsFilter(statuses, frozenset(products))
    # `match` joins categories with products, and attributes with each other; the results are combined with AND.
    return ReportFilters(chosen, (*always, *parts), match, None if parts else statuses, goods)


def build_coupon_filters(work: UnitOfWork, args: Mapping[str, Any]) -> ReportFilters:
    """Return the filters of the reports on coupons."""
    return _build_plain_filters(work, args, "coupons", "coupon")


def build_tax_filters(work: UnitOfWork, args: Mapping[str, Any]) -> ReportFilters:
    """Return the filters of the reports on tax rates."""
    return _build_plain_filters(work, args, "taxes", "rate")


def _build_plain_filters(work: UnitOfWork, args: Mapping[str, Any], name: str, column: str) -> ReportFilters:
    chosen, always = build_status_conditions(work, args)
    parts = [*chosen, *((build_column_condition(column, args[name]),) if args.get(name) else ())]
    return ReportFilters(tuple(parts), always, _get_match(args))


def select_product_ids(
    work: UnitOfWork, products: Sequence[int] | None, groups: Sequence[int] | None, match: FilterMatch
) -> list[int] | None:
    """Return the products that match two filters, None where neither is set."""
    if not groups:
        return sorted(set(products)) if products else None
    held = segment_items.list_products_in_categories(work, groups)
    if not products:
        return sorted(held)
    return sorted(held | set(products) if match == "any" else held & set(products))


def _get_match(args: Mapping[str, Any]) -> FilterMatch:
    return "any" if args.get("match") == "any" else "all"


# -- attributes

_BY_KEY = Statement(
    select(record.c.id, product_table.c.choices)
    .select_from(product_table.join(record, record.c.id == product_table.c.record))
    .where(record.c.type == "product_variation", ContainsText(product_table.c.choices, "key"))
)
_above = product_table.alias("above")
_OPEN_VARIATIONS = Statement(
    select(record.c.id, _above.c.attributes)
    .select_from(record.join(_above, _above.c.record == record.c.parent))
    .where(record.c.type == "product_variation", ContainsText(_above.c.attributes, "key"))
)
_WITH_TERM = Statement(
    select(record_term.c.record, product_table.c.attributes)
    .select_from(record_term.join(product_table, product_table.c.record == record_term.c.record))
    .where(InList(record_term.c.term, "terms"))
)
_TERM = Statement(select(term.c.id, term.c.slug, term.c.taxonomy).where(InList(term.c.id, "ids")))
_TERM_BY_SLUG = Statement(
    select(term.c.id, term.c.slug, term.c.taxonomy, term.c.name).where(InList(term.c.taxonomy, "taxonomies"))
)


def build_attribute_condition(work: UnitOfWork, args: Mapping[str, Any]) -> ReportCondition | None:
    """Return the condition that lines have, or do not have, attribute values; None where no known one is named.

    Raises InvalidParam for more values than a filter may join.
    """
    parts = []
    most = work.site.profile.limits.filter_terms
    for negated, name in ((False, "attribute_is"), (True, "attribute_is_not")):
        given = (
            pair for pair in args.get(name) or () if isinstance(pair, list) and len(pair) == len(("name", "value"))
        )
        pairs = dict.fromkeys((str(attribute), str(value)) for attribute, value in given)
        if len(pairs) > most:
            text = f"{name} must contain at most {most} items. Send fewer at a time."
            raise InvalidParam({name: Fault("rest_too_many_items", text)})
        for at, (attribute, value) in enumerate(pairs):
            found = _build_pair_condition(work, attribute, value, negated, f"{name}_{at}")
            if found is not None:
                parts.append(found)
    return join_conditions(parts, _get_match(args), "attributes") if parts else None


def _build_pair_condition(
    work: UnitOfWork, attribute: str, value: str, negated: bool, name: str
) -> ReportCondition | None:
    known = {str(id): one for id, one in attributes.load_attributes(work).items()}
    by_slug = {f"pa_{one.slug.removeprefix('pa_')}": one for one in known.values()}
    known_attribute = known.get(attribute) or by_slug.get(attribute)
    terms: list[int] = []
    if known_attribute is not None:
        taxonomy = f"pa_{known_attribute.slug.removeprefix('pa_')}"
        rows = work.tx.all(_TERM_BY_SLUG, taxonomies=encode_list((taxonomy,)))
        row = next((row for row in rows if value in (str(row[0]), row[1])), None)
        if row is None:
            return None
        terms, key, wanted = [row[0]], taxonomy, {row[1], row[3]}
    elif attribute.isdecimal():
        return None
    else:
        key, wanted = attribute, {value}
    choices = {id: orjson.loads(text).get(key) for id, text in work.tx.all(_BY_KEY, key=f'"{key}"')}
    if known_attribute is None and not choices:
        return None
    if negated:
        # A variation that may have any value of the attribute does not have this one.
        open_ones = (row[0] for row in work.tx.all(_OPEN_VARIATIONS, key=f'"{key}"') if _varies_by(row[1], key))
        choices |= {id: "" for id in open_ones if choices.get(id) is None}
    chosen = [id for id, one in choices.items() if one is not None and (one in wanted) != negated]
    plain = _list_products_with_terms(work, terms, key)
    variations, products = f"{name}_variations", f"{name}_products"

    def build(table: Any) -> Any:
        among = InList(table.c.product, products)
        simple = (table.c.variation == 0) & (~among if negated else among)
        # Lines of a refund have no attributes; a refund without lines of its own stands for those of its order.
        own = select(order_item.c.id).where(order_item.c.owner == table.c.order, order_item.c.kind == LINE).exists()
        return (InList(table.c.variation, variations) | simple) & ((table.c.quantity > 0) | ~own)

    return ReportCondition(f"{name}:{negated}", build, {variations: encode_list(chosen), products: encode_list(plain)})


def _varies_by(said: str, key: str) -> bool:
    return any(one.get("key") == key and one.get("variation") for one in orjson.loads(said))


def _list_products_with_terms(work: UnitOfWork, terms: Sequence[int], key: str) -> list[int]:
    """Return the products that have a term of an attribute that is not used for their variations."""
    out = []
    for id, text in work.tx.all(_WITH_TERM, terms=encode_list(terms)) if terms else ():
        own = next((one for one in orjson.loads(text) if one.get("key") == key), None)
        if own is not None and not own.get("variation"):
            out.append(id)
    return out
