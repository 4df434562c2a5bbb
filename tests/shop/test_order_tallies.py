"""How many orders have each status: maintained with every write, and read instead of counted."""

from __future__ import annotations

from contextlib import suppress

import pytest
from sqlalchemy import text

from conftest import Client, Stand
from vetrina.backends.database import Statement
from vetrina.core.integrity.rule import IntegrityRule
from vetrina.shop.orders import model as order_model, tallies
from vetrina.shop.orders.integrity_rules import RULES

ORDERS, TOTALS = "/shop/v3/orders", "/shop/v3/reports/orders/totals"

pytestmark = [pytest.mark.every_database, pytest.mark.in_process("it looks at the site's own tables")]


def find_rule() -> IntegrityRule:
    [rule] = [rule for rule in RULES if rule.name == "order-tallies"]
    return rule


def list_faults(site: Stand) -> list[str]:
    with site.site.work(read=True) as work:
        return list(find_rule().broken(work))


def count_orders(client: Client, **filters: str) -> int:
    return int(client.get(ORDERS, query={"per_page": "1", **filters}).headers["x-cms-total"])


def read_totals(client: Client) -> dict[str, int]:
    return {one["slug"]: one["total"] for one in client.get(TOTALS).json if one["total"]}


def test_totals_follow_every_write(site: Stand, manager: Client) -> None:
    first, second, third = (manager.post(ORDERS, {}).json["id"] for _ in range(3))
    assert (count_orders(manager), read_totals(manager)) == (3, {"pending": 3})
    manager.put(f"{ORDERS}/{first}", {"status": "completed"})
    manager.put(f"{ORDERS}/{first}", {"customer_note": "Thanks"})
    assert read_totals(manager) == {"pending": 2, "completed": 1}
    assert (count_orders(manager, status="completed"), count_orders(manager, status="pending,completed")) == (1, 3)
    manager.ask("DELETE", f"{ORDERS}/{second}")
    assert (count_orders(manager), count_orders(manager, status="trash")) == (2, 1)
    manager.ask("DELETE", f"{ORDERS}/{third}?force=true")
    manager.post(
        f"{ORDERS}/batch", {"create": [{}, {"status": "on-hold"}], "update": [{"id": first, "status": "failed"}]}
    )
    assert read_totals(manager) == {"pending": 1, "on-hold": 1, "failed": 1}
    assert list_faults(site) == []


class Undone(Exception):
    """Undoes what a block did."""


def test_a_write_that_is_undone_counts_nothing(site: Stand, manager: Client) -> None:
    id = manager.post(ORDERS, {}).json["id"]
    with suppress(Undone), site.site.work() as work:
        order_model.delete_order_with_items(work, order_model.get_order(work, id))
        assert tallies.count_by_status(work.tx)["pending"] == 0
        raise Undone
    assert (read_totals(manager), list_faults(site)) == ({"pending": 1}, [])


def test_totals_are_read_instead_of_counted(site: Stand, manager: Client) -> None:
    manager.post(ORDERS, {})
    with site.site.work() as work:
        work.tx.run(Statement(text("UPDATE order_tally SET count = 1000000 WHERE status = 'pending'")))
        work.note("order", 0, "changed")
    assert (count_orders(manager), read_totals(manager)) == (1_000_000, {"pending": 1_000_000})
    assert list_faults(site) == ["of orders in pending, 1000000 are known; there are 1"]
