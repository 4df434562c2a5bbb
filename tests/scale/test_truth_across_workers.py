"""A write on one worker is in the next response of another: records, lists, totals, searches, settings, carts."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from conftest import standing
from scaled import Mother, Served
from shop.conftest import prepared_postgres_shop, prepared_shop
from vetrina.settings import load_profile

__all__ = ["prepared_postgres_shop", "prepared_shop"]

pytestmark = [pytest.mark.every_database, pytest.mark.in_process("it has workers of its own")]

STEPS = 40  # writes, each read by the other worker
HOST = "vetrina.test"


class Two:
    """Two workers of one site. Writes alternate between them; each is then read from the other one."""

    def __init__(self, served: Served) -> None:
        self.served, self.turn = served, 0
        self.signed = "Basic " + base64.b64encode(b"admin:admin pass word").decode()

    def _ask(self, worker: str, method: str, path: str, members: Any, signed: bool, named: dict[str, str]) -> Any:
        headers = {"host": HOST, **named}
        body = b""
        if signed:
            headers["authorization"] = self.signed
        if members is not None:
            body = json.dumps(members).encode()
            headers |= {"content-type": "application/json", "content-length": str(len(body))}
        status, pairs, content = self.served.exchange(method, f"/en/cms-json{path}", body, headers, worker)
        assert status in (200, 201), (method, path, status, content)
        self.headers = dict(pairs)
        return json.loads(content)

    def write(self, method: str, path: str, members: Any = None, **named: str) -> Any:
        """Let the next worker write."""
        self.turn += 1
        return self._ask(self.served.workers[self.turn % 2], method, path, members, not named, named)

    def read(self, path: str, *, signed: bool = False, **named: str) -> Any:
        """Read from the worker that did not write last; anonymous reads come from its cache where possible."""
        return self._ask(self.served.workers[(self.turn + 1) % 2], "GET", path, None, signed, named)

    @property
    def total(self) -> int:
        return int(self.headers["x-cms-total"])


@pytest.fixture
def two(request: pytest.FixtureRequest, kind: str, mother: Mother) -> Iterator[Two]:
    with standing(request, load_profile("second"), "_shop") as stand:
        served = Served(mother, stand.site)
        yield Two(served)
        served.close()


def test_what_one_worker_wrote_the_other_reads_at_once(two: Two) -> None:
    """A random walk of writes; before each the reader has the requested responses in its cache."""
    chance = random.Random(3)
    posts: dict[int, str] = {}
    every, first = "/cms/v2/posts?per_page=100", "/cms/v2/posts?per_page=1&orderby=title&order=asc"
    lists = (every, "/cms/v2/posts?search=zucca", first)
    for step in range(STEPS):
        for path in lists:
            two.turn += 1
            two.read(path)
            two.turn -= 1
            two.read(path)
        what = chance.choice(("create", "create", "change", "remove"))
        if what == "create" or not posts:
            title = f"Zucca {step}"
            posts[two.write("POST", "/cms/v2/posts", {"title": title, "status": "publish"})["id"]] = title
        else:
            id = chance.choice(list(posts))
            if what == "change":
                posts[id] = f"Altra zucca {step}"
                two.write("POST", f"/cms/v2/posts/{id}", {"title": posts[id]})
            else:
                del posts[id]
                two.write("DELETE", f"/cms/v2/posts/{id}?force=true")
        assert {one["id"]: one["title"]["rendered"] for one in two.read(every)} == posts
        assert two.total == len(posts)
        assert {one["id"] for one in two.read(lists[1] + "&per_page=100")} == set(posts)
        if posts:
            id = chance.choice(list(posts))
            assert two.read(f"/cms/v2/posts/{id}")["title"]["rendered"] == posts[id]
            assert [one["title"]["rendered"] for one in two.read(first)] == [min(posts.values())]


def _title(two: Two, step: int) -> tuple[Any, Any]:
    two.write("POST", "/cms/v2/settings", {"title": f"Sito {step}"})
    return two.read("/")["name"], f"Sito {step}"


def _term(two: Two, step: int) -> tuple[Any, Any]:
    two.write("POST", "/cms/v2/tags", {"name": f"Tag {step}"})
    return len(two.read("/cms/v2/tags?per_page=100")), step + 1


def _product(two: Two, step: int) -> tuple[Any, Any]:
    two.write("POST", "/shop/v3/products", {"name": f"G {step}", "regular_price": "5", "status": "publish"})
    return two.read("/shop/store/v1/products?per_page=100")[0]["name"], f"G {step}"


def _account(two: Two, step: int) -> tuple[Any, Any]:
    two.write("POST", "/cms/v2/users/1", {"name": f"Capo {step}"})
    return two.read("/cms/v2/users/me?context=edit", signed=True)["name"], f"Capo {step}"


def _option(two: Two, step: int) -> tuple[Any, Any]:
    value = str(2 + step % 2)
    two.write("PUT", "/shop/v3/settings/general/shop_price_num_decimals", {"value": value})
    return two.read("/shop/v3/settings/general/shop_price_num_decimals", signed=True)["value"], value


def _order(two: Two, step: int) -> tuple[Any, Any]:
    two.write("POST", "/shop/v3/orders", {"set_paid": True, "fee_lines": [{"name": "Fee", "total": "10"}]})
    totals = two.read("/shop-analytics/reports/orders/stats", signed=True)["totals"]
    return totals["orders_count"], step + 1


def _front(two: Two, step: int) -> tuple[Any, Any]:
    made = two.write("POST", "/cms/v2/pages", {"title": f"Page {step}", "status": "publish"})
    two.write("POST", "/cms/v2/settings", {"show_on_front": "page", "page_on_front": made["id"]})
    return two.read("/cms/v2/settings", signed=True)["page_on_front"], made["id"]


def test_settings_terms_goods_accounts_and_reports_are_true_on_every_worker(two: Two) -> None:
    for step in (_title, _term, _product, _account, _option, _order, _front):
        for number in range(4):
            found, wanted = step(two, number)
            assert found == wanted, step.__name__


def test_a_cart_is_one_cart_on_every_worker(two: Two) -> None:
    goods = two.write("POST", "/shop/v3/products", {"name": "G", "regular_price": "5", "status": "publish"})["id"]
    two.read("/shop/store/v1/cart")
    token = two.headers["cart-token"]
    for count in range(1, 5):
        two.write("POST", "/shop/store/v1/cart/add-item", {"id": goods, "quantity": 1}, **{"cart-token": token})
        [line] = two.read("/shop/store/v1/cart", **{"cart-token": token})["items"]
        assert line["quantity"] == count


def test_the_token_of_an_ended_session_is_refused_by_every_worker_at_once(two: Two) -> None:
    password = "a password for both"
    two.write("POST", "/cms/v2/users/1", {"password": password})

    def ask(worker: str, method: str, path: str, token: str = "", members: Any = None) -> tuple[int, Any]:
        headers, body = {"host": HOST}, b""
        if token:
            headers["authorization"] = f"Bearer {token}"
        if members is not None:
            body = json.dumps(members).encode()
            headers |= {"content-type": "application/json", "content-length": str(len(body))}
        status, _, content = two.served.exchange(method, f"/en/cms-json{path}", body, headers, worker)
        return status, json.loads(content)

    for number in range(6):
        here, there = two.served.workers[number % 2], two.served.workers[(number + 1) % 2]
        status, tokens = ask(here, "POST", "/access/v1/tokens", members={"login": "admin", "password": password})
        assert status == 200, tokens
        token = tokens["access_token"]
        # Twice, so that each worker has the session in its memory.
        for worker in (here, there, here, there):
            assert ask(worker, "GET", "/cms/v2/users/me", token)[0] == 200
        assert ask(here, "DELETE", f"/access/v1/sessions/{tokens['session']}", token)[0] == 200
        for worker in (there, here):
            status, refused = ask(worker, "GET", "/cms/v2/users/me", token)
            assert (status, refused["code"]) == (401, "rest_token_session_ended")
