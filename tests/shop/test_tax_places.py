"""A tax rate for all locations may be written with an asterisk, as clients do."""

from __future__ import annotations

from conftest import Client

TAXES = "/shop/v3/taxes"
STARS = {"country": "*", "state": "*", "postcodes": ["*"], "cities": ["*"], "rate": "5.5", "name": "Tax"}


def test_a_star_is_every_place(manager: Client) -> None:
    made = manager.post(TAXES, STARS)
    assert made.status == 201
    assert [made.json[name] for name in ("country", "state", "postcodes", "cities")] == ["", "", [], []]
    manager.put("/shop/v3/settings/general/shop_calc_taxes", {"value": "yes"})
    item = manager.post("/shop/v3/products", {"name": "Lamp", "regular_price": "10"}).json["id"]
    order = manager.post(
        "/shop/v3/orders", {"billing": {"country": "IT"}, "line_items": [{"product_id": item, "quantity": 1}]}
    ).json
    assert order["total_tax"] == "0.55"


def test_a_star_frees_a_rate_from_its_places(manager: Client) -> None:
    made = manager.post(TAXES, {"country": "IT", "cities": ["Roma"], "postcodes": ["00100"], "rate": "4"}).json
    changed = manager.put(f"{TAXES}/{made['id']}", {"cities": ["*"], "country": "*"}).json
    assert (changed["country"], changed["cities"], changed["postcodes"]) == ("", [], ["00100"])


def test_places_written_as_one_are_split_at_semicolons(manager: Client) -> None:
    cities, postcodes = ["OSAKA", "KYOTO", "KOBE"], ["5555", "7777", "8888"]
    made = manager.post(TAXES, {"country": "JP", "city": "Osaka;Kyoto; Kobe", "postcode": "5555;7777;8888"}).json
    assert (made["cities"], made["postcodes"]) == (cities, postcodes)
    assert (made["city"], made["postcode"]) == ("KOBE", "8888")
    changed = manager.put(f"{TAXES}/{made['id']}", {"city": "Roma", "postcode": "00100...00199;2*"}).json
    assert (changed["cities"], changed["postcodes"]) == (["ROMA"], ["00100...00199", "2*"])


def test_rates_of_a_batch_keep_their_class(manager: Client) -> None:
    one = {"country": "CH", "rate": "2.6", "class": "reduced-rate"}
    made = manager.post(f"{TAXES}/batch", {"create": [one, one]}).json["create"]
    assert [rate["class"] for rate in made] == ["reduced-rate", "reduced-rate"]
    moved = manager.post(f"{TAXES}/batch", {"update": [{"id": made[0]["id"], "class": "zero-rate"}]}).json["update"]
    assert moved[0]["class"] == "zero-rate"
    assert [rate["id"] for rate in manager.get(TAXES, query={"class": "reduced-rate"}).json] == [made[1]["id"]]
