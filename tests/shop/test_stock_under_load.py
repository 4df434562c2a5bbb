"""Stock with many concurrent buyers: every item is sold once, none is lost, over two servers of one shop."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.site import Site

from .store import Visitor, payable

BUYERS = 50
PRODUCTS, ORDERS = "/shop/v3/products", "/shop/v3/orders"


@pytest.fixture
def second(site: Stand, tmp_path: Path) -> Any:
    """Another server of the same shop, with its own connections to the same database."""
    own = site.site
    other = Site(own.context.profile, own.context.settings, tmp_path, durable=False)
    yield Stand(other)
    other.close()


def at_once(count: int, buy: Callable[[int], None]) -> None:
    """Call a function several times concurrently, and raise what one of them raised."""
    start, raised = threading.Barrier(count), []

    def run(number: int) -> None:
        start.wait()
        try:
            buy(number)
        except BaseException as error:
            raised.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def product(client: Client, pieces: int) -> int:
    given = {"name": "Lamp", "regular_price": "5", "manage_stock": True, "stock_quantity": pieces}
    return int(client.post(PRODUCTS, given).json["id"])


@pytest.mark.every_database
def test_every_order_takes_its_piece(site: Stand, second: Stand, manager: Client) -> None:
    id = product(manager, BUYERS + 3)
    clients = [manager, second.client("shop_manager")]
    answers: Counter[int] = Counter()

    def buy(number: int) -> None:
        line = {"product_id": id, "quantity": 1}
        answers[clients[number % 2].post(ORDERS, {"set_paid": True, "line_items": [line]}).status] += 1

    at_once(BUYERS, buy)
    assert answers == {201: BUYERS}
    shown = manager.get(f"{PRODUCTS}/{id}").json
    assert (shown["stock_quantity"], shown["total_sales"]) == (3, BUYERS)
    assert manager.get(ORDERS).headers["x-cms-total"] == str(BUYERS)


@pytest.mark.every_database
def test_the_last_pieces_are_sold_once(site: Stand, second: Stand, manager: Client) -> None:
    payable(manager)
    id, pieces = product(manager, 7), 7
    visitors = [Visitor((site, second)[number % 2]) for number in range(BUYERS)]
    for visitor in visitors:
        assert visitor.add(id).status == 201
    answers: Counter[int] = Counter()

    def buy(number: int) -> None:
        answers[visitors[number].pay().status] += 1

    at_once(BUYERS, buy)
    assert answers == {200: pieces, 409: BUYERS - pieces}
    shown = manager.get(f"{PRODUCTS}/{id}").json
    assert (shown["stock_quantity"], shown["stock_status"]) == (0, "outofstock")


@pytest.mark.every_database
def test_pieces_that_go_and_come_back_are_all_there_at_the_end(site: Stand, second: Stand, manager: Client) -> None:
    id = product(manager, 100)
    clients = [manager, second.client("shop_manager")]

    def buy(number: int) -> None:
        client, line = clients[number % 2], {"product_id": id, "quantity": number % 3 + 1}
        made = client.post(ORDERS, {"status": "processing", "line_items": [line]}).json["id"]
        assert client.put(f"{ORDERS}/{made}", {"status": "cancelled"}).status == 200

    at_once(20, buy)
    shown = manager.get(f"{PRODUCTS}/{id}").json
    assert (shown["stock_quantity"], shown["total_sales"]) == (100, 0)
