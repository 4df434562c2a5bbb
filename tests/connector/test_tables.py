"""Checksums, histograms, ranges and single objects."""

from __future__ import annotations

import zlib

import pytest

from conftest import Client
from connector.conftest import Service
from vetrina.kernel.packing import unpacked

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
    assert told["shop_product_lookup"]["errors"] == {
        "checksum_disabled": ["Unable to use table name: shop_product_meta_lookup"]
    }


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
        return unpacked(service.post("/connector/v4/sync/object", body).json["objects"])

    assert asked("posts", "post", post)[str(post)]["post_title"] == "Post 0"  # type: ignore[index]
    assert asked("posts", "post", 99999) == []
    assert asked("options", "option", "title", "secret") == {"title": "Vetrina"}
    assert asked("constants", "constant", "NOTHING") == {"NOTHING": False}
    assert "user_pass" not in str(asked("users", "user", 1))
    assert service.post("/connector/v4/sync/object", {"module_name": "other"}).code == "invalid_module"
