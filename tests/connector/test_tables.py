"""Checksums, histograms, ranges and single objects."""

from __future__ import annotations

import zlib

import pytest

from conftest import Client
from connector.conftest import Service
from vetrina.connector.sync.codec import decode_payload

HISTOGRAM = "/connector/v4/sync/data-histogram"
pytestmark = pytest.mark.every_database


def published(admin: Client, count: int) -> list[int]:
    return [admin.post("/cms/v2/posts", {"title": f"Post {at}", "status": "publish"}).json["id"] for at in range(count)]


def test_a_table_is_the_sum_of_its_rows(service: Service, admin: Client) -> None:
    posts = published(admin, 5)
    told = service.get("/connector/v4/sync/data-check").json
    detailed = service.post(HISTOGRAM, {"object_type": "posts", "detailed_drilldown": True}).json["histogram"]
    (rows,) = detailed.values()
    assert {str(post) for post in posts} <= set(rows)
    assert sum(int(sum_) for sum_ in rows.values()) == told["posts"]
    modified = admin.get(f"/cms/v2/posts/{posts[0]}").json["modified_gmt"].replace("T", " ")
    assert rows[str(posts[0])] == str(zlib.crc32(f"#{modified}#".encode()))
    assert isinstance(told["shop_product_lookup"], int)


def test_buckets_hold_every_row_once(service: Service, admin: Client) -> None:
    published(admin, 7)
    whole = service.get("/connector/v4/sync/data-check").json["posts"]
    for buckets in (1, 2, 3, 100):
        found = service.post(HISTOGRAM, {"object_type": "posts", "buckets": buckets}).json["histogram"]
        assert sum(int(one) for one in found.values()) == whole
    edges = service.post(HISTOGRAM, {"object_type": "posts", "only_range_edges": True}).json["histogram"]
    assert int(edges["item_count"]) >= 7
    salted = service.post(HISTOGRAM, {"object_type": "posts", "shared_salt": "salt"}).json["histogram"]
    assert sum(int(one) for one in salted.values()) != whole


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "checksum_disabled"),
        ({"object_type": "nothing"}, "checksum_disabled"),
        ({"object_type": "posts", "columns": ["a b"]}, "checksum_disabled"),
        ({"object_type": "posts", "columns": "nothing"}, "invalid_input"),
    ],
)
def test_a_histogram_that_cannot_be_says_why(service: Service, body: dict[str, object], code: str) -> None:
    assert list(service.post(HISTOGRAM, body).json["histogram"]["errors"]) == [code]


def test_ranges_are_cut_into_batches(service: Service, admin: Client) -> None:
    posts = published(admin, 5)
    path = "/connector/v4/sync/object-id-range"
    told = service.get(path, query={"sync_module": "posts", "batch_size": 2}).json["ranges"]
    assert told[-1]["max"] == str(posts[-1])
    whole = service.get(path, query={"sync_module": "posts", "batch_size": 0}).json["ranges"]
    assert len(whole) == 1
    assert service.get(path, query={"sync_module": "other", "batch_size": 0}).code == "invalid_module"


def test_objects_are_told_by_their_ids(service: Service, admin: Client) -> None:
    (post,) = published(admin, 1)

    def asked(module: str, kind: str, *ids: object) -> object:
        body = {"module_name": module, "object_type": kind, "object_ids": list(ids)}
        return decode_payload(service.post("/connector/v4/sync/object", body).json["objects"])

    assert asked("posts", "post", post)[str(post)]["post_title"] == "Post 0"  # type: ignore[index]
    assert asked("posts", "post", 99999) == []
    assert asked("options", "option", "title", "secret") == {"title": "Vetrina"}
    assert asked("options", "option", "blogname", "timezone_string") == {
        "blogname": "Vetrina", "timezone_string": "Europe/Rome",
    }  # fmt: skip
    assert asked("options", "option", "shop_calc_taxes") == {"shop_calc_taxes": "no"}  # never set
    assert asked("constants", "constant", "NOTHING") == {"NOTHING": False}
    assert "user_pass" not in str(asked("users", "user", 1))
    assert service.post("/connector/v4/sync/object", {"module_name": "other"}).code == "invalid_module"


def test_tables_of_the_shop_are_summed_too(service: Service, admin: Client) -> None:
    product = admin.post("/shop/v3/products", {"name": "A", "sku": "a-1", "regular_price": "12.50"}).json["id"]
    line = {"product_id": product, "quantity": 2, "meta_data": [{"key": "engraving", "value": "M"}]}
    order = admin.post("/shop/v3/orders", {"status": "processing", "line_items": [line]}).json
    told = service.get("/connector/v4/sync/data-check").json
    for name, table in (
        ("shop_product_lookup", "shop_product_meta_lookup"), ("shop_order_itemmeta", "shop_order_itemmeta"),
        ("shop_order_items", "shop_order_items"), ("shop_orders", "shop_orders"),
    ):  # fmt: skip
        found = service.post(HISTOGRAM, {"object_type": table, "detailed_drilldown": True}).json["histogram"]
        assert told[name] == sum(int(one) for rows in found.values() for one in rows.values()) > 0, name
    item = order["line_items"][0]["id"]
    (rows,) = service.post(
        HISTOGRAM, {"object_type": "shop_order_itemmeta", "detailed_drilldown": True, "buckets": 1}
    ).json["histogram"].values()  # fmt: skip
    assert rows[f"{item}-_qty"] == str(zlib.crc32(b"#_qty#2#"))
    assert rows[f"{item}-engraving"] == str(zlib.crc32(b"#engraving#M#"))
    assert rows[f"{item}-_line_total"] == str(zlib.crc32(b"#_line_total#25.00000000#"))
    # A change of the product is a change of its row.
    admin.put(f"/shop/v3/products/{product}", {"regular_price": "13"})
    after = service.get("/connector/v4/sync/data-check").json
    assert after["shop_product_lookup"] != told["shop_product_lookup"]
    assert after["shop_order_itemmeta"] == told["shop_order_itemmeta"]


def test_the_end_of_a_histogram_bounds_what_is_counted_only(service: Service, admin: Client) -> None:
    posts = published(admin, 10)
    asked = {"object_type": "posts", "start_id": posts[0], "end_id": posts[4], "buckets": 2}
    found = service.post(HISTOGRAM, asked).json["histogram"]
    assert list(found) == [f"{posts[0]}-{posts[2]}", f"{posts[3]}-{posts[5]}"]
    edges = service.post(HISTOGRAM, {**asked, "only_range_edges": True}).json["histogram"]
    assert edges == {"min_range": str(posts[0]), "max_range": str(posts[4]), "item_count": "5"}


def test_a_word_for_a_batch_is_one_batch_of_numbers(service: Service, admin: Client) -> None:
    posts = published(admin, 3)
    query = {"sync_module": "posts", "batch_size": "all"}
    (found,) = service.get("/connector/v4/sync/object-id-range", query=query).json["ranges"]
    assert found["max"] == posts[-1]


@pytest.mark.parametrize("name", ["buckets", "start_id", "end_id"])
@pytest.mark.parametrize("value", ["x", "", "1e999", True, [1], {"a": 1}, "nan"])
def test_ranges_are_made_of_numbers(admin: Client, name: str, value: object) -> None:
    answer = admin.post(HISTOGRAM, {"object_type": "posts", name: value})
    assert (answer.status, answer.code, list(answer.json["data"]["params"])) == (400, "rest_invalid_param", [name])
    for good in (3, "3", 3.0, None):
        assert admin.post(HISTOGRAM, {"object_type": "posts", name: good}).status == 200
