"""The index of orders never changes what a search among them finds: caught up, behind, or in between."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.backends import order_search_index
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
)
ASKED = (
    *WORDS, "ross", "itt", "cit", "b", "nothing at all", "%", "_sc", '"detto"', "rossi zz", "été", "STRASSE", "strasse",
    "AB RO", "tà r", "k\\s", "ssi under", "ei", "\x00abc", "abc\x00",
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
@pytest.mark.parametrize("seed", range(4))
def test_a_search_finds_the_orders_that_say_so(site: Stand, seed: int) -> None:
    random, admin = Random(seed), site.client("admin")
    if seed % 2:
        # More than this many are not picked by their ids, but found on the way through all orders.
        site.site.context.filter_cache.most_ids = 1
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
def test_orders_of_a_product_and_of_words_are_paged_whatever_way_they_are_read(site: Stand) -> None:
    admin = site.client("admin")
    site.site.context.filter_cache.most_ids = 2
    sold = [admin.post("/shop/v3/products", {"name": f"Vaso {at}", "regular_price": "3"}).json["id"] for at in range(2)]
    ids: dict[int, list[int]] = {one: [] for one in sold}
    for at in range(42):
        product = sold[at % 6 == 0]
        sent = {"line_items": [{"product_id": product}], "status": ("completed", "processing")[at % 2]}
        ids[product].append(admin.post("/shop/v3/orders", sent).json["id"])
    for product, held in ids.items():
        for number, words in ((product, ""), (product, "vaso"), (0, f"vaso {sold.index(product)}")):
            query = {"per_page": 2, **({"product": number} if number else {}), **({"search": words} if words else {})}
            for page in (1, 2, len(held) // 4, len(held) // 2):
                answer = admin.get("/shop/v3/orders", query={**query, "page": page})
                assert [one["id"] for one in answer.json] == held[::-1][2 * page - 2 : 2 * page]
                assert answer.headers["x-cms-total"] == str(len(held))
    done = admin.get("/shop/v3/orders", query={"product": sold[0], "status": "processing"}).json
    assert done
    assert {one["status"] for one in done} == {"processing"}


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
