"""Orders with coupons are found without a look at all orders, wherever those with coupons lie."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, func, select
from sqlalchemy.dialects import postgresql

from conftest import Stand
from vetrina.analytics.facts.coupon_orders import bind_coupon_ends, join_coupons
from vetrina.backends.database import Statement
from vetrina.backends.tables.analytics import fact_order

_ORDERS = 20_000
_COUPONS = 10
_MOST_READ = 200  # orders, of which a plan of either kind reads those with coupons or those of a day
_FILL = f"""
INSERT INTO fact_order (id, parent, status, customer, created_gmt, created, created_month, paid, paid_month,
    items, total, tax, shipping, net, coupons, repeat)
SELECT at, 0, 'completed', at % 4000 + 1, at * 600, at * 600, 24000, at * 600, 24000, 1, 10, 0, 0, 10, 0, 0
FROM generate_series(1, {_ORDERS}) AS at;
INSERT INTO fact_coupon ("order", position, coupon, status, created, created_month, amount)
SELECT at, 0, 7, 'completed', at * 600, 24000, 5 FROM generate_series(1, {_COUPONS}) AS at;
ANALYZE fact_order, fact_coupon;
"""

pytestmark = pytest.mark.in_process("it looks at the plans of the server")


@pytest.fixture
def kind() -> str:
    return "postgresql"


def _count_read(node: dict[str, Any]) -> int:
    """Return how many orders a plan has read."""
    own = 0
    if node.get("Relation Name") == "fact_order":
        own = int((node["Actual Rows"] + node.get("Rows Removed by Filter", 0)) * node["Actual Loops"])
    return own + sum(_count_read(one) for one in node.get("Plans", ()))


def test_coupons_at_one_end_do_not_make_the_database_read_to_the_other(site: Stand) -> None:
    with psycopg.connect(site.site.context.settings.database, autocommit=True) as connection:
        connection.execute(_FILL.encode())
        paid = fact_order.c.paid
        statement = Statement(
            select(func.count()).select_from(join_coupons(fact_order))
            .where(paid >= bindparam("after"), paid <= bindparam("before"))
        )  # fmt: skip
        form = statement.compile_for(postgresql.psycopg.dialect())
        assert form.is_planned_each_time
        with site.site.work(read=True) as work:
            values = {"after": (_ORDERS - 144) * 600, "before": _ORDERS * 600, **bind_coupon_ends(work)}
        row = connection.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {form.text}".encode(), values).fetchone()
    assert row is not None
    assert _count_read(row[0][0]["Plan"]) <= _MOST_READ, row
