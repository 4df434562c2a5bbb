"""From the parameters of a report to its filters: numbers, statuses, categories, attributes.

Not here: what a condition is in SQL (analytics/reports/conditions.py). Rules: facts, "Filters of orders and
orders/stats"; overrides, 9: what does not count stays out with `match` any too, and categories that share nothing with
the products find nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import orjson
from sqlalchemy import select

from vetrina.analytics.facts.reportable_orders import excluded
from vetrina.analytics.reports import segment_members
from vetrina.analytics.reports.conditions import (
    Condition,
    Filters,
    Match,
    Statuses,
    having,
    holding,
    joined,
    of_type,
    only,
    refund_rows,
    with_others,
    without,
)
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, Contains, listed
from vetrina.backends.tables.catalogue import product as product_table
from vetrina.backends.tables.core import record, record_term, term
from vetrina.backends.tables.orders import order_item
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.shop.attributes import rules as attributes
from vetrina.shop.orders.model import LINE

__all__ = ["line_attributes", "of_coupons", "of_lines", "of_orders", "of_taxes", "product_ids", "statuses"]

_SIDES: Final = ("product", "variation", "coupon", "tax_rate")
_EACH: Final = frozenset({"coupon", "tax_rate"})


def statuses(work: Work, args: Mapping[str, Any]) -> tuple[tuple[Condition, ...], tuple[Condition, ...]]:
    """Return the conditions on the status: those that were asked for, else the one that always holds."""
    asked = []
    if args.get("status_is"):
        asked.append(only("status", args["status_is"], "status_is"))
    if args.get("status_is_not"):
        asked.append(only("status", args["status_is_not"], "status_is_not", but=True))
    return tuple(asked), () if asked else (only("status", excluded(work), "excluded", but=True),)


def _told(work: Work, args: Mapping[str, Any]) -> Statuses | None:
    """Return the statuses that are asked for, None where two conditions on them are joined by or."""
    among, but = args.get("status_is"), args.get("status_is_not")
    if among and but and _match(args) == "any":
        return None
    if not among and not but:
        return Statuses(None, frozenset(excluded(work)))
    return Statuses(frozenset(among) if among else None, frozenset(but or ()))


def of_orders(work: Work, args: Mapping[str, Any], *, each: bool = False) -> Filters:
    """Return the filters of orders and refunds.

    each: as the list has them: coupons and tax rates are left out one by one, and an order with others stays; both
    conditions on the status hold whatever `match` says.
    """
    match = _match(args)
    chosen, always = statuses(work, args)
    parts: list[Condition] = [joined(chosen, "all", "statuses")] if each and chosen else list(chosen)
    for what in _SIDES:
        among, but = args.get(f"{what}_includes"), args.get(f"{what}_excludes")
        one_by_one = each and what in _EACH
        if among and but and one_by_one and match == "all":
            # The same coupon or rate must be among those and not among these.
            parts.append(holding(what, sorted({*among} - {*but})))
            continue
        if among:
            parts.append(holding(what, among))
        if but:
            parts.append((with_others if one_by_one else without)(what, but))
    lines = line_attributes(work, args)
    if lines is not None:
        parts.append(having(lines, orders_alone=True))
    returning = args.get("customer_type") or args.get("customer")
    if returning in ("new", "returning"):
        parts.append(of_type(returning == "returning"))
    if args.get("refunds"):
        parts.append(refund_rows(args["refunds"]))
    if args.get("order_includes"):
        parts.append(only("id", args["order_includes"], "id_in"))
    if args.get("order_excludes"):
        parts.append(only("id", args["order_excludes"], "id_out", but=True))
    return Filters(tuple(parts), always, match, _told(work, args) if len(parts) == len(chosen) else None)


def of_lines(work: Work, args: Mapping[str, Any], variations: bool = False) -> Filters:
    """Return the filters of lines: of the reports on products, or on variations where `variations` is true."""
    match = _match(args)
    chosen, always = statuses(work, args)
    parts: list[Condition] = []
    names = ("product_includes", "category_includes") if variations else ("products", "categories")
    products = product_ids(work, args.get(names[0]), args.get(names[1]), match)
    if products is not None:
        parts.append(only("product", products, "product_in"))
    if variations:
        also = product_ids(work, args.get("products"), args.get("categories"), match)
        if also is not None:
            parts.append(only("product", also, "product_also"))
        left_out = {
            *(args.get("product_excludes") or ()),
            *segment_members.in_categories(work, args.get("category_excludes") or ()),
        }
        if left_out or args.get("category_excludes"):
            parts.append(only("product", sorted(left_out), "product_out", but=True))
        lines = line_attributes(work, args)
        if lines is not None:
            parts.append(lines)
        always = (*always, Condition("variations", lambda table: table.c.variation > 0))
    if args.get("variations"):
        parts.append(only("variation", args["variations"], "variation_in"))
    plain = not variations and not parts
    # `match` joins categories with products, and attributes with each other; what is left of these holds together.
    return Filters(chosen, (*always, *parts), match, _told(work, args) if plain else None)


def of_coupons(work: Work, args: Mapping[str, Any]) -> Filters:
    """Return the filters of the reports on coupons."""
    return _plain(work, args, "coupons", "coupon")


def of_taxes(work: Work, args: Mapping[str, Any]) -> Filters:
    """Return the filters of the reports on tax rates."""
    return _plain(work, args, "taxes", "rate")


def _plain(work: Work, args: Mapping[str, Any], name: str, column: str) -> Filters:
    chosen, always = statuses(work, args)
    parts = [*chosen, *((only(column, args[name]),) if args.get(name) else ())]
    return Filters(tuple(parts), always, _match(args))


def product_ids(
    work: Work, products: Sequence[int] | None, groups: Sequence[int] | None, match: Match
) -> list[int] | None:
    """Return the products that two filters leave, None where neither is set."""
    if not groups:
        return sorted(set(products)) if products else None
    held = segment_members.in_categories(work, groups)
    if not products:
        return sorted(held)
    return sorted(held | set(products) if match == "any" else held & set(products))


def _match(args: Mapping[str, Any]) -> Match:
    return "any" if args.get("match") == "any" else "all"


# -- attributes

_BY_KEY = Statement(
    select(record.c.id, product_table.c.choices)
    .select_from(product_table.join(record, record.c.id == product_table.c.record))
    .where(record.c.type == "product_variation", Contains(product_table.c.choices, "key"))
)
_above = product_table.alias("above")
_OPEN = Statement(
    select(record.c.id, _above.c.attributes)
    .select_from(record.join(_above, _above.c.record == record.c.parent))
    .where(record.c.type == "product_variation", Contains(_above.c.attributes, "key"))
)
_WITH_TERM = Statement(
    select(record_term.c.record, product_table.c.attributes)
    .select_from(record_term.join(product_table, product_table.c.record == record_term.c.record))
    .where(Among(record_term.c.term, "terms"))
)
_TERM = Statement(select(term.c.id, term.c.slug, term.c.taxonomy).where(Among(term.c.id, "ids")))
_TERM_BY_SLUG = Statement(
    select(term.c.id, term.c.slug, term.c.taxonomy, term.c.name).where(Among(term.c.taxonomy, "taxonomies"))
)


def line_attributes(work: Work, args: Mapping[str, Any]) -> Condition | None:
    """Return the condition that lines have, or have not, values of attributes; None where no known one is named.

    Raises InvalidParam for more of them than a filter may join.
    """
    parts = []
    most = work.frame.profile.limits.filter_terms
    for but, name in ((False, "attribute_is"), (True, "attribute_is_not")):
        given = (
            pair for pair in args.get(name) or () if isinstance(pair, list) and len(pair) == len(("name", "value"))
        )
        pairs = dict.fromkeys((str(attribute), str(value)) for attribute, value in given)
        if len(pairs) > most:
            text = f"{name} must contain at most {most} items. Send fewer at a time."
            raise InvalidParam({name: Fault("rest_too_many_items", text)})
        for at, (attribute, value) in enumerate(pairs):
            found = _pair(work, attribute, value, but, f"{name}_{at}")
            if found is not None:
                parts.append(found)
    return joined(parts, _match(args), "attributes") if parts else None


def _pair(work: Work, attribute: str, value: str, but: bool, name: str) -> Condition | None:
    known = {str(id): one for id, one in attributes.known(work).items()}
    by_slug = {f"pa_{one.slug.removeprefix('pa_')}": one for one in known.values()}
    held = known.get(attribute) or by_slug.get(attribute)
    terms: list[int] = []
    if held is not None:
        taxonomy = f"pa_{held.slug.removeprefix('pa_')}"
        rows = work.tx.all(_TERM_BY_SLUG, taxonomies=listed((taxonomy,)))
        row = next((row for row in rows if value in (str(row[0]), row[1])), None)
        if row is None:
            return None
        terms, key, wanted = [row[0]], taxonomy, {row[1], row[3]}
    elif attribute.isdecimal():
        return None
    else:
        key, wanted = attribute, {value}
    choices = {id: orjson.loads(said).get(key) for id, said in work.tx.all(_BY_KEY, key=f'"{key}"')}
    if held is None and not choices:
        return None
    if but:
        # A variation that may have any value of the attribute has not this one.
        open_ones = (row[0] for row in work.tx.all(_OPEN, key=f'"{key}"') if _varies_by(row[1], key))
        choices |= {id: "" for id in open_ones if choices.get(id) is None}
    chosen = [id for id, one in choices.items() if one is not None and (one in wanted) != but]
    plain = _products_with(work, terms, key)
    variations, products = f"{name}_variations", f"{name}_products"

    def build(table: Any) -> Any:
        among = Among(table.c.product, products)
        simple = (table.c.variation == 0) & (~among if but else among)
        # Lines of a refund say nothing of attributes; one without lines of its own stands for those of its order.
        own = select(order_item.c.id).where(order_item.c.owner == table.c.order, order_item.c.kind == LINE).exists()
        return (Among(table.c.variation, variations) | simple) & ((table.c.quantity > 0) | ~own)

    return Condition(f"{name}:{but}", build, {variations: listed(chosen), products: listed(plain)})


def _varies_by(said: str, key: str) -> bool:
    return any(one.get("key") == key and one.get("variation") for one in orjson.loads(said))


def _products_with(work: Work, terms: Sequence[int], key: str) -> list[int]:
    """Return the products that have a term of an attribute which their variations do not choose by."""
    out = []
    for id, said in work.tx.all(_WITH_TERM, terms=listed(terms)) if terms else ():
        own = next((one for one in orjson.loads(said) if one.get("key") == key), None)
        if own is not None and not own.get("variation"):
            out.append(id)
    return out
