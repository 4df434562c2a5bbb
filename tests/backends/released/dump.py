"""Dumps a small site of this version as SQL, so that later versions can prove that they open it.

    python tests/backends/released/dump.py VERSION

writes VERSION.sql next to this file. A release adds its own and leaves the others unchanged (CONTRIBUTING.md). The rows
are of the second profile: content, accounts, terms, comments, a catalog, customers, orders with refunds, coupons and
pending jobs. The search index is left out, since it is rebuilt.
"""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))

# The tests' folder is on the path only now.
from conftest import Stand, made  # noqa: E402
from vetrina.backends.order_search_index import CREATE_ORDER_INDEX  # noqa: E402
from vetrina.backends.search_index import CREATE_INDEX  # noqa: E402
from vetrina.settings import load_profile  # noqa: E402

SECRET = "secret of the dumps"


def main() -> None:
    [version] = sys.argv[1:]
    with tempfile.TemporaryDirectory() as place:
        site = made(Path(place), load_profile("second"), secret=SECRET)
        _fill(Stand(site))
        site.close()
        text = "".join(f"{line}\n" for line in _dumped(Path(place, "site.sqlite")))
    (HERE / f"{version}.sql").write_text(text, encoding="utf-8")


def _fill(stand: Stand) -> None:
    """Create something of every kind on a site."""
    admin = stand.client("admin")

    def post(path: str, **members: Any) -> Any:
        answer = admin.post(path, members)
        assert answer.status in (200, 201), (path, answer.content)
        return answer.json

    term = post("/cms/v2/categories", name="Harbour")
    record = post("/cms/v2/posts", title="Caffè", status="publish", categories=[term["id"]])
    post(f"/cms/v2/posts/{record['id']}", content="<p>A second text.</p>")
    post("/cms/v2/posts", title="Later", status="future", date="2999-01-01T00:00:00")
    post("/cms/v2/pages", title="About", status="publish")
    post("/cms/v2/comments", post=record["id"], content="Well said.")
    cup = post("/shop/v3/products", name="Cup", regular_price="12.50", manage_stock=True, stock_quantity=9)
    post("/shop/v3/coupons", code="spring", amount="10", discount_type="percent")
    customer = post("/shop/v3/customers", email="ada@example.org", username="ada", password="a long pass word")
    lines = [{"product_id": cup["id"], "quantity": 2}]
    order = post("/shop/v3/orders", status="completed", customer_id=customer["id"], line_items=lines)
    post(f"/shop/v3/orders/{order['id']}/refunds", amount="5.00", api_refund=False)
    post("/shop/v3/webhooks", topic="order.updated", delivery_url="https://hooks.example/orders")


def _dumped(path: Path) -> Iterator[str]:
    """Yield the statements that make a database, except for the search index and its tables."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DELETE FROM counter WHERE name IN ('search', 'order_search', 'order_search_id')")
        connection.execute("DELETE FROM search_entry")
        connection.execute("DROP TABLE search_index")
        connection.execute("DROP TABLE order_search_index")
        yield from connection.iterdump()
    yield f"{CREATE_INDEX};"
    yield f"{CREATE_ORDER_INDEX};"


if __name__ == "__main__":
    main()
