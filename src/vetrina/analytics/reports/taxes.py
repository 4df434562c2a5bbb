"""The report of taxes: what each rate came to. Rules: docs/rules/analytics_reports.md, 1 and 7."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import case, func

from vetrina.analytics.reports import filters as report_filters
from vetrina.analytics.reports.intervals import ReportSpan
from vetrina.analytics.reports.item_lists import sort_items
from vetrina.analytics.reports.stats import ReportRequest, query_rows
from vetrina.backends.tables.analytics import fact_tax
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.folding import fold_text
from vetrina.kernel.integers import parse_digits

_t = fact_tax.c


@dataclass(frozen=True, slots=True)
class TaxRateSum:
    """The taxes of a rate, in millionths. code: with country, state, name and priority."""

    id: int
    order_tax: int
    shipping_tax: int
    total: int
    orders: int
    code: str
    percent: Decimal

    @property
    def parts(self) -> tuple[str, str, str, int]:
        """Return name, country, state and priority, split off the code from the right.

        Missing parts are those on the left: the country of a rate without a state, the name of one without both.
        """
        parts = self.code.split("-")
        name, state = (parts[-at] if len(parts) >= at else parts[0] for at in (2, 3))
        return name.upper(), parts[0], state, parse_digits(parts[-1]) or 0


def list_charged_taxes(work: UnitOfWork, span: ReportSpan, args: Mapping[str, Any]) -> list[TaxRateSum]:
    """Return the taxes of each rate.

    args: taxes, match, order, orderby (tax_rate_id, name, tax_code, rate, order_tax, total_tax, shipping_tax,
    orders_count).
    """
    work.uses("order", "tax_rate")
    sums = {
        "order_tax": func.sum(_t.order_tax), "shipping_tax": func.sum(_t.shipping_tax), "total": func.sum(_t.total),
        "orders": func.count(case((_t.parent == 0, _t.order)).distinct()), "code": func.max(_t.code),
        "percent": func.max(_t.percent),
    }  # fmt: skip
    request = ReportRequest(span, report_filters.build_tax_filters(work, args))
    rows = query_rows(work, fact_tax, tuple(sums.values()), "taxed", request, None, span, by=_t.rate)
    found = []
    for _, id, *row in rows:
        tax, shipping, total, orders = (int(value or 0) for value in row[:4])
        found.append(TaxRateSum(id, tax, shipping, total, orders, row[4], Decimal(row[5]).scaleb(-6)))
    keys: dict[str, Callable[[TaxRateSum], Any]] = {
        "tax_rate_id": lambda one: one.id,
        "name": lambda one: fold_text(one.parts[0]),
        "tax_code": lambda one: fold_text(one.code),
        "rate": lambda one: one.percent,
        "order_tax": lambda one: one.order_tax,
        "total_tax": lambda one: one.total,
        "shipping_tax": lambda one: one.shipping_tax,
        "orders_count": lambda one: one.orders,
    }
    return sort_items(found, keys[args.get("orderby", "tax_rate_id")], args.get("order", "desc"), lambda one: one.id)
