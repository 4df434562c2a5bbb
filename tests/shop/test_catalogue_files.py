"""The catalog as a file for tills: requested, written in pieces by a job, fetched by its secret URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec
import orjson
import pytest

from conftest import Answer, Client, SetClock, Stand, exchange, standing
from vetrina.settings import load_profile

from .background import work_off

PATH = "/shop/pos/v1/catalog/create"


def asked(client: Client, **body: Any) -> dict[str, Any]:
    answer = client.post(PATH, body)
    assert answer.status == 200, answer.json
    return dict(answer.json)


def fetched(site: Stand, url: str) -> Answer:
    status, headers, content = exchange(site.site, "GET", urlsplit(url).path)
    return Answer(status, {name.lower(): value for name, value in headers}, content)


def stock(manager: Client) -> dict[str, int]:
    """Create a few products, and return their ids by name."""
    cup = manager.post("/shop/v3/products", {"name": "Cup", "regular_price": "7", "sku": "cup"}).json["id"]
    shirt = manager.post(
        "/shop/v3/products",
        {"name": "Shirt", "type": "variable", "attributes": [{"name": "Size", "options": ["S"], "variation": True}]},
    ).json["id"]
    small = manager.post(
        f"/shop/v3/products/{shirt}/variations",
        {"regular_price": "9", "sku": "shirt-s", "attributes": [{"name": "Size", "option": "S"}]},
    ).json["id"]
    manager.post("/shop/v3/products", {"name": "Secret", "status": "draft", "sku": "secret"})
    return {"cup": cup, "shirt": shirt, "small": small}


def test_the_file_has_what_the_interface_shows(site: Stand, manager: Client) -> None:
    made = stock(manager)
    before = asked(manager)
    assert {name: before[name] for name in ("state", "progress", "processed", "total", "completed_at", "url")} == {
        "state": "scheduled", "progress": 0, "processed": 0, "total": 3, "completed_at": None, "url": None,
    }  # fmt: skip
    work_off(site)
    done = asked(manager)
    assert (done["state"], done["progress"], done["processed"], done["total"]) == ("completed", 100, 3, 3)
    assert done["completed_at"] >= done["scheduled_at"] == before["scheduled_at"]
    answer = fetched(site, done["url"])
    assert (answer.status, answer.headers["content-type"]) == (200, "application/json")
    assert [(row["type"], row["data"]["id"]) for row in answer.json] == [
        ("simple", made["cup"]), ("variable", made["shirt"]), ("variation", made["small"]),
    ]  # fmt: skip
    shown = manager.get(f"/shop/v3/products/{made['cup']}").json
    told = answer.json[0]["data"]
    assert {name: told[name] for name in ("name", "price", "sku", "stock_status", "permalink")} == {
        name: shown[name] for name in ("name", "price", "sku", "stock_status", "permalink")
    }


def test_members_are_chosen(site: Stand, manager: Client) -> None:
    stock(manager)
    wanted = {"_product_fields": "id,name", "_variation_fields": "id, sku"}
    asked(manager, **wanted)
    work_off(site)
    rows = fetched(site, asked(manager, **wanted)["url"]).json
    assert [row["data"].keys() for row in rows] == [{"id", "name"}, {"id", "name"}, {"id", "sku"}]
    assert asked(manager)["state"] == "scheduled"  # another file
    assert manager.post(PATH, {"_product_fields": "<script>"}).status == 400
    assert manager.post(PATH, {"_product_fields": "x" * 3000}).status == 400


def test_a_large_catalogue_comes_in_pieces(site: Stand, manager: Client) -> None:
    for begin in (0, 100):
        new = [{"name": f"P{at}", "regular_price": "1"} for at in range(begin, begin + 60)]
        assert manager.post("/shop/v3/products/batch", {"create": new}).status == 200
    assert asked(manager)["total"] == 120
    work_off(site)
    done = asked(manager)
    assert (done["state"], done["processed"]) == ("completed", 120)
    assert len({row["data"]["id"] for row in fetched(site, done["url"]).json}) == 120


def test_a_file_is_made_again_by_force_and_when_it_is_old(site: Stand, manager: Client, clock: SetClock) -> None:
    stock(manager)
    asked(manager)
    assert asked(manager, force=True)["state"] == "scheduled"  # it is being generated already
    work_off(site)
    first = asked(manager)["url"]
    assert asked(manager)["url"] == first
    assert asked(manager, force=True)["state"] == "scheduled"
    assert fetched(site, first).status == 404
    work_off(site)
    second = asked(manager)["url"]
    assert second != first
    clock.forward(21 * 3600)
    assert asked(manager)["state"] == "scheduled"
    assert fetched(site, second).status == 404


def test_an_empty_shop_has_an_empty_catalogue(site: Stand, manager: Client) -> None:
    asked(manager)
    work_off(site)
    done = asked(manager)
    assert (done["state"], done["total"]) == ("completed", 0)
    assert fetched(site, done["url"]).json == []


def test_only_who_runs_the_shop_asks(site: Stand, customer: Client, manager: Client) -> None:
    for client, status in ((customer, 403), (site.client("editor"), 403), (site.client(), 401)):
        assert client.post(PATH, {}).status == status
    for name in ("x" * 32, "..", "A" * 32):
        assert fetched(site, f"http://vetrina.test/shop/catalogue/{name}.json").status == 404
    manager.put("/shop/v3/settings/advanced/shop_feature_point_of_sale_enabled", {"value": "no"})
    assert manager.post(PATH, {}).code == "rest_no_route"


@pytest.fixture
def both(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral", "wordpress"))
    with standing(request, profile, "_shop") as stand:
        yield stand


def test_a_file_speaks_the_words_of_who_asked(both: Stand) -> None:
    client = both.client("shop_manager", root="/en/wp-json")
    client.post("/wc/v3/products", {"name": "Cup", "regular_price": "7"})
    assert client.post("/wc/pos/v1/catalog/create", {}).json["state"] == "scheduled"
    work_off(both)
    done = client.post("/wc/pos/v1/catalog/create", {}).json
    text = orjson.dumps(fetched(both, done["url"]).json).decode()
    assert "/wp-json/wc/v3/products" in text
    assert "cms-json" not in text
