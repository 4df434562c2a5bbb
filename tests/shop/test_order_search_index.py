"""The index of orders never changes what a search among them finds: caught up, behind, or in between."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import text

from conftest import Client, Stand
from vetrina.backends import order_search_index
from vetrina.backends.database import Statement
from vetrina.kernel.folding import fold_text
from vetrina.system import job_runner

WORDS = (
    "Rossi",
    "città",
    "Ærø",
    "ab",
    'so "detto"',
    "100%",
    "under_score",
    "back\\slash",
    "l'uomo",
    "ÉTÉ",
    "straße",
    "zz",
    "[so]*?",
)
ASKED = (
    *WORDS, "ross", "itt", "cit", "b", "nothing at all", "%", "_sc", '"detto"', "rossi zz", "été", "STRASSE", "strasse",
    "AB RO", "tà r", "k\\s", "ssi under", "ei", "\x00abc", "abc\x00",
    "*", "?", "[s", "]*", "[so]", "o]", "ite", "des",
)  # fmt: skip


def list_expected(orders: dict[int, dict[str, Any]], asked: str) -> list[int]:
    """Return the orders that a search finds, the newest first, as it is said in docs/rules/orders.md, 6."""
    words = fold_text(asked).split()
    small = asked.strip().lower()
    large = "".join(one.lower() if one.isascii() else one for one in asked.strip().upper())
    found = []
    for id, order in orders.items():
        values = [str(id), order["number"], *order["billing"].values(), *order["shipping"].values()]
        key = fold_text(" ".join(one for one in values if one))
        names = ["".join(c.lower() if c.isascii() else c for c in line["name"]) for line in order["line_items"]]
        if all(word in key for word in words) or any(small in name or large in name for name in names):
            found.append(id)
    return sorted(found, reverse=True)


def write_something(random: Random, admin: Client, orders: dict[int, dict[str, Any]]) -> None:
    def text() -> str:
        return " ".join(random.choices(WORDS, k=random.randint(1, 3)))

    id = random.choice([*orders, 0])
    if id and random.random() < 0.25:
        assert admin.delete(f"/shop/v3/orders/{id}", query={"force": True}).status == 200
        del orders[id]
    elif id and random.random() < 0.5:
        # The name of a line alone: nothing else of the order differs.
        line = random.choice(orders[id]["line_items"])
        answer = admin.put(f"/shop/v3/orders/{id}", {"line_items": [{"id": line["id"], "name": text()}]})
        orders[id] = answer.json
    elif id:
        orders[id] = admin.put(f"/shop/v3/orders/{id}", {"billing": {"last_name": text()}}).json
    else:
        lines = [{"name": text(), "product_id": 999999, "total": "1.00"} for _ in range(random.randint(1, 2))]
        sent = {"billing": {"first_name": text()}, "shipping": {"city": text()}, "line_items": lines}
        answer = admin.post("/shop/v3/orders", sent)
        assert answer.status == 201, answer.json
        orders[answer.json["id"]] = answer.json


@pytest.mark.every_database
@pytest.mark.parametrize("seed", range(6))
def test_a_search_finds_the_orders_that_say_so(site: Stand, seed: int) -> None:
    random, admin = Random(seed), site.client("admin")
    # More than this many are not picked by their ids, but found on the way through all orders; ten times as many hits
    # of the index are not looked at one by one.
    site.site.context.filter_cache.most_ids = (2000, 1, 0)[seed % 3]
    orders: dict[int, dict[str, Any]] = {}
    for _ in range(10):
        for _ in range(4):
            write_something(random, admin, orders)
        with site.site.database.begin_write() as tx:
            order_search_index.index_orders(tx, most=random.choice((1, 3, 500)))
        for asked in [*random.sample(ASKED, 6), str(random.choice([*orders, 7]))]:
            wanted = list_expected(orders, asked)
            answer = admin.get("/shop/v3/orders", query={"search": asked, "per_page": 100})
            assert [one["id"] for one in answer.json] == wanted, asked
            assert answer.headers["x-cms-total"] == str(len(wanted))
            second = admin.get(
                "/shop/v3/orders", query={"search": asked, "per_page": 1, "page": 2, "order": "asc", "orderby": "id"}
            )
            assert [one["id"] for one in second.json] == sorted(wanted)[1:2], asked


@pytest.mark.every_database
@pytest.mark.parametrize("most", [0, 2, 2000])
def test_orders_of_a_product_and_of_words_are_paged_whatever_way_they_are_read(site: Stand, most: int) -> None:
    admin = site.client("admin")
    site.site.context.filter_cache.most_ids = most
    sold = [admin.post("/shop/v3/products", {"name": f"Vaso {at}", "regular_price": "3"}).json["id"] for at in range(2)]
    ids: dict[int, list[int]] = {one: [] for one in sold}
    by_status: dict[int, str] = {}
    for at in range(42):
        product = sold[at % 6 == 0]
        sent = {"line_items": [{"product_id": product}], "status": ("completed", "processing")[at % 2]}
        ids[product].append(admin.post("/shop/v3/orders", sent).json["id"])
        by_status[ids[product][-1]] = sent["status"]
    for product, held in ids.items():
        for number, words in ((product, ""), (product, "vaso"), (0, f"vaso {sold.index(product)}")):
            query = {"per_page": 2, **({"product": number} if number else {}), **({"search": words} if words else {})}
            for page in (1, 2, len(held) // 4, len(held) // 2):
                answer = admin.get("/shop/v3/orders", query={**query, "page": page})
                assert [one["id"] for one in answer.json] == held[::-1][2 * page - 2 : 2 * page]
                assert answer.headers["x-cms-total"] == str(len(held))
    for query in ({"product": sold[0]}, {"search": "vaso 0"}, {"search": "o"}):
        for status in ("processing", "completed", "completed,processing", "failed"):
            chosen = [one for one in by_status if by_status[one] in status.split(",")]
            wanted = [
                one for one in reversed(chosen) if ("search" in query and query["search"] == "o") or one in ids[sold[0]]
            ]
            answer = admin.get("/shop/v3/orders", query={**query, "status": status, "per_page": 100})
            assert [one["id"] for one in answer.json] == wanted, (query, status)
            assert answer.headers["x-cms-total"] == str(len(wanted))
    # Refunds have lines of the product too, orders in the trash are not listed, and an order may have two lines of it.
    first, second, third, *rest = ids[sold[0]]
    line = admin.get(f"/shop/v3/orders/{first}").json["line_items"][0]["id"]
    lines = [{"id": line, "quantity": 1, "refund_total": 1}]
    assert admin.post(f"/shop/v3/orders/{first}/refunds", {"line_items": lines, "api_refund": False}).status == 201
    admin.delete(f"/shop/v3/orders/{second}")
    admin.put(f"/shop/v3/orders/{third}", {"line_items": [{"product_id": sold[0]}]})
    for query in ({"product": sold[0]}, {"search": "vaso 0"}):
        answer = admin.get("/shop/v3/orders", query={**query, "per_page": 100, "orderby": "id", "order": "asc"})
        assert [one["id"] for one in answer.json] == [first, third, *rest], query
        assert answer.headers["x-cms-total"] == str(2 + len(rest))


def test_the_consumer_fills_the_index_of_orders_and_a_stopped_batch_is_done_again(site: Stand) -> None:
    admin = site.client("admin")
    for number in range(5):
        admin.post("/shop/v3/orders", {"billing": {"city": f"Numero {number}"}})

    class Killed(Exception):
        pass

    def interrupted() -> None:
        with site.site.database.begin_write() as tx:
            order_search_index.index_orders(tx, most=3)
            raise Killed

    with pytest.raises(Killed):
        interrupted()
    job_runner.build_consumer(site.site.context, site.site.database).catch_up(whole=True)
    with site.site.database.begin_read() as tx:
        assert order_search_index.count_pending_orders(tx) == 0
        assert not order_search_index.list_misread_orders(tx)
    assert admin.get("/shop/v3/orders", query={"search": "umer"}).headers["x-cms-total"] == "5"


def test_an_order_that_changes_but_not_in_what_it_is_found_by_is_not_indexed_again(site: Stand) -> None:
    admin = site.client("admin")
    id = admin.post("/shop/v3/orders", {"billing": {"city": "Trieste"}}).json["id"]

    def index() -> list[Any]:
        with site.site.database.begin_write() as tx:
            while order_search_index.index_orders(tx):
                pass
        with site.site.database.begin_read() as tx:
            assert not order_search_index.list_misread_orders(tx)
            return list(tx.all(Statement(text("SELECT id, block FROM order_search_index_data ORDER BY id"))))

    written = index()
    admin.put(f"/shop/v3/orders/{id}", {"status": "processing"})
    assert index() == written
    admin.put(f"/shop/v3/orders/{id}", {"billing": {"city": "Udine"}})
    assert index() != written
