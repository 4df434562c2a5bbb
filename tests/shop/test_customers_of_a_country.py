"""Buyers of a country are told by an index, without a look at the customers."""

from __future__ import annotations

import psycopg
import pytest
from sqlalchemy import text

from conftest import Client, SetClock, Stand
from vetrina.backends.database import Statement

_CUSTOMERS = 20_000
_FILL = f"""
INSERT INTO fact_customer (id, account, email_key, username, first_name, last_name, name_key, email, country, state,
    city, postcode, orders, spend)
SELECT 1000 + at, 0, at || '@example.net', '', repeat('x', 300), '', '', '', CASE at % 2 WHEN 0 THEN 'IT' ELSE 'FR' END,
    '', '', '', 0, 0
FROM generate_series(1, {_CUSTOMERS}) AS at;
"""
_READ = "SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'fact_customer'"
_FLUSH = Statement(text("SELECT pg_stat_force_next_flush()"))  # at the end of the transaction, what was read is told
_MOST_READ = 200  # customers

pytestmark = pytest.mark.in_process("it looks at what the site asks the server")


@pytest.fixture
def kind() -> str:
    return "postgresql"


def test_buyers_of_a_country_are_told_by_an_index(site: Stand, manager: Client, clock: SetClock) -> None:
    for email in ("ada@example.org", "bea@example.org"):
        body = {"status": "processing", "billing": {"email": email, "country": "IT"}}
        created = manager.post("/shop/v3/orders", body).json["date_created"]
        clock.forward(86_400)
    with psycopg.connect(site.site.context.settings.database, autocommit=True) as connection:
        # VACUUM marks no page as visible to all whose writer's commit may not be on the disk yet.
        connection.execute("SET synchronous_commit TO on")
        connection.execute(_FILL.encode())
        connection.execute("VACUUM ANALYZE fact_customer")

        def count_read() -> int:
            with site.site.database.begin_read() as tx:
                tx.first(_FLUSH)
            [(read,)] = connection.execute(_READ.encode())
            return int(read)

        before = count_read()
        query = {"after": created, "country_includes": "IT", "orderby": "total_spend"}
        found = manager.get("/shop-analytics/reports/customers", query=query)
        assert [one["email"] for one in found.json] == ["bea@example.org"]
        assert count_read() - before <= _MOST_READ
