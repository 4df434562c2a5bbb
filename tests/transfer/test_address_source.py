"""A site that is served in brand names, read as a source: with an account all of it, without one what is public."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from vetrina.testing import LocalTestServer
from vetrina.testing.accounts import build_accounts
from vetrina.transfer.records import Record, SourceError
from vetrina.transfer.sources.address.http_connection import SourceCredentials
from vetrina.transfer.sources.address.open_address import open_address
from vetrina.transfer.sources.address.site_source import SiteSource

ADMIN = SourceCredentials("admin", "admin application password")
TEXT = b"a text of the library"


class FilledSite:
    """A shop in two languages with a few records of each kind; made: what was created, by a short name."""

    def __init__(self, server: LocalTestServer) -> None:
        self.url = server.url
        client, italian = server.client(), server.client(language="it")
        self.made: dict[str, Any] = {
            "child": client.pages.create(title="Below", status="draft", parent=0),
            "page": client.pages.create(title="Above", status="publish"),
            "public": client.posts.create(title="Hello", status="publish", content="<p>Text</p>"),
            "draft": client.posts.create(title="Unfinished", status="draft"),
            "private": client.posts.create(title="Ours", status="private"),
            "future": client.posts.create(
                title="Later", status="future", date_gmt=datetime.now(UTC) + timedelta(days=9)
            ),
            "trashed": client.posts.create(title="Old", status="publish"),
            "italian": italian.posts.create(title="Ciao", status="publish"),
            "menu": client.menus.create(name="Main"),
            "media": client.media.upload(TEXT, name="notes.txt"),
            "block": client.patterns.create(title="Piece", content="<p>Piece</p>", status="publish"),
        }
        client.posts.update(self.made["public"]["id"], content="<p>Text</p>", title="Hello again")
        client.posts.trash(self.made["trashed"]["id"])
        client.pages.update(self.made["child"]["id"], parent=self.made["page"]["id"])
        comment = client.comments.create(post=self.made["public"]["id"], content="Well said")
        client.comments.update(comment["id"], status="hold")
        self.made["comment"] = comment
        shop = client.shop
        product = shop.products.create(
            name="Sock", type="variable", status="publish",
            attributes=[{"name": "Size", "options": ["S", "L"], "variation": True}],
        )  # fmt: skip
        path = f"/shop/v3/products/{product['id']}/variations"
        self.made["product"] = product
        self.made["variation"] = client.ask("POST", path, {
            "regular_price": "9.00", "attributes": [{"name": "Size", "option": "S"}]
        })  # fmt: skip
        self.made["order"] = order = shop.orders.create(
            status="processing", set_paid=True,
            line_items=[{"product_id": product["id"], "variation_id": self.made["variation"]["id"], "quantity": 1}],
        )  # fmt: skip
        self.made["refund"] = client.ask("POST", f"/shop/v3/orders/{order['id']}/refunds", {
            "amount": "2.00", "api_refund": False
        })  # fmt: skip
        self.made["note"] = client.ask("POST", f"/shop/v3/orders/{order['id']}/notes", {"note": "Packed"})
        self.made["coupon"] = shop.coupons.create(code="tenth", amount="10")

    def read(self, credentials: SourceCredentials | None = ADMIN, **words: Any) -> SiteSource:
        return open_address(self.url, credentials, allow_private=True, **words)


@pytest.fixture(scope="module")
def filled() -> Iterator[FilledSite]:
    with LocalTestServer("second", dialects=["wordpress"]) as server:
        yield FilledSite(server)


@pytest.fixture(scope="module")
def source(filled: FilledSite) -> SiteSource:
    return filled.read()


def by_id(records: Iterator[Record]) -> dict[Any, Record]:
    found = [*records]
    kept = {record.id: record for record in found}
    assert len(kept) == len(found)
    return kept


def test_the_root_is_found_in_brand_names_and_without_a_language(filled: FilledSite) -> None:
    assert filled.read().key == f"{filled.url}/cms-json"
    brand = open_address(f"{filled.url}/it/wp-json", ADMIN, allow_private=True)
    assert brand.key == f"{filled.url}/wp-json"
    described = brand.describe()
    assert described.languages == ("en", "it")
    assert described.urls[0] == filled.url
    assert f"{filled.url}/cms-content/uploads" in described.urls
    assert described.unreadable == {}
    order = described.resources
    assert order.index("/cms/v2/users") < order.index("/cms/v2/posts") < order.index("/cms/v2/comments")
    assert order.index("/cms/v2/settings") < order.index("/shop/v3/products") < order.index("/shop/v3/orders")


def test_brand_and_neutral_names_give_the_same_records(filled: FilledSite, source: SiteSource) -> None:
    brand = open_address(f"{filled.url}/wp-json", ADMIN, allow_private=True)
    assert brand.describe().types.keys() == source.describe().types.keys()
    for resource in (
        "/cms/v2/users", "/cms/v2/posts", "/cms/v2/blocks", "/shop/v3/orders", "/shop/v3/settings/{group_id}"
    ):  # fmt: skip
        assert [*brand.read_records(resource)] == [*source.read_records(resource)]


def test_an_account_reads_every_state_in_both_languages(filled: FilledSite, source: SiteSource) -> None:
    posts = by_id(source.read_records("/cms/v2/posts"))
    states = {name: posts[filled.made[name]["id"]].values["status"] for name in ("draft", "private", "future")}
    assert states == {"draft": "draft", "private": "private", "future": "future"}
    assert posts[filled.made["trashed"]["id"]].values["status"] == "trash"
    assert posts[filled.made["public"]["id"]].values["content"]["raw"] == "<p>Text</p>"
    assert posts[filled.made["public"]["id"]].language == "en"
    assert posts[filled.made["italian"]["id"]].language == "it"
    assert source.count_records("/cms/v2/posts") == len(posts)
    comments = by_id(source.read_records("/cms/v2/comments"))
    assert comments[filled.made["comment"]["id"]].values["status"] == "hold"


def test_a_parent_comes_before_its_child_whatever_their_ids(filled: FilledSite, source: SiteSource) -> None:
    ids = [record.id for record in source.read_records("/cms/v2/pages")]
    assert filled.made["child"]["id"] < filled.made["page"]["id"]
    assert ids.index(filled.made["page"]["id"]) < ids.index(filled.made["child"]["id"])


def test_what_lies_below_a_record_names_it(filled: FilledSite, source: SiteSource) -> None:
    made = filled.made
    variations = by_id(source.read_records("/shop/v3/products/{product_id}/variations"))
    assert variations[made["variation"]["id"]].parent == made["product"]["id"]
    refunds = by_id(source.read_records("/shop/v3/orders/{order_id}/refunds"))
    assert refunds[made["refund"]["id"]].parent == made["order"]["id"]
    notes = by_id(source.read_records("/shop/v3/orders/{order_id}/notes"))
    assert notes[made["note"]["id"]].values["note"] == "Packed"
    assert notes[made["note"]["id"]].parent == made["order"]["id"]
    settings = [*source.read_records("/shop/v3/settings/{group_id}")]
    assert ("general", "shop_currency") in {(record.parent, record.id) for record in settings}


def test_without_an_account_only_what_is_public_is_read_and_the_rest_is_told(filled: FilledSite) -> None:
    source = filled.read(None)
    described = source.describe()
    assert "/cms/v2/posts" in described.resources
    assert "/shop/v3/orders" not in described.resources
    assert "401" in described.unreadable["/shop/v3/orders"]
    posts = by_id(source.read_records("/cms/v2/posts"))
    assert {filled.made["public"]["id"], filled.made["italian"]["id"]} <= posts.keys()
    assert filled.made["draft"]["id"] not in posts
    assert "raw" not in posts[filled.made["public"]["id"]].values["content"]
    with pytest.raises(SourceError, match="doesn't show it"):
        [*source.read_records("/shop/v3/orders")]


def test_keys_of_the_shop_sign_what_they_read_without_tls(filled: FilledSite) -> None:
    manager = next(one for one in build_accounts("second") if one.role == "shop_manager")
    keys = SourceCredentials(shop_key=manager.consumer_key, shop_secret=manager.consumer_secret)
    source = filled.read(keys)
    orders = by_id(source.read_records("/shop/v3/orders"))
    assert orders.keys() == {filled.made["order"]["id"]}


def test_wrong_keys_of_the_shop_are_told_at_once_and_sent_once(
    filled: FilledSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = next(one for one in build_accounts("second") if one.role == "shop_manager")
    monkeypatch.setattr(time, "sleep", lambda seconds: pytest.fail(f"it waits {seconds} seconds"))
    for _ in range(4):  # each run costs the site one guess
        with pytest.raises(SourceError, match="refuses the consumer key"):
            filled.read(SourceCredentials(shop_key=manager.consumer_key, shop_secret="cs_wrong")).describe()


def test_an_account_that_may_see_less_is_told_what_it_misses(filled: FilledSite) -> None:
    described = filled.read(SourceCredentials("author", "author application password")).describe()
    assert "/cms/v2/users" in described.resources
    assert described.unreadable["/cms/v2/users"].startswith("only what is public: ")
    assert "/shop/v3/orders" not in described.resources
    assert "403" in described.unreadable["/shop/v3/orders"]


def test_only_what_changed_since_is_read_where_the_list_can_tell(filled: FilledSite, source: SiteSource) -> None:
    assert [*source.read_records("/cms/v2/posts", datetime.now(UTC) + timedelta(days=30))] == []
    assert [*source.read_records("/shop/v3/orders", datetime.now(UTC) + timedelta(days=30))] == []
    since = datetime.now(UTC) - timedelta(hours=1)
    assert filled.made["order"]["id"] in by_id(source.read_records("/shop/v3/orders", since))


def test_the_greatest_ids_are_known_before_the_records_are_read(filled: FilledSite, source: SiteSource) -> None:
    greatest, made = source.find_greatest_ids(), filled.made
    records = ("public", "italian", "draft", "page", "child", "media", "product", "variation", "order", "refund")
    assert greatest["record"] >= max(made[name]["id"] for name in records)
    assert greatest["comment"] >= made["comment"]["id"]
    assert greatest["user"] == max(record.id for record in source.read_records("/cms/v2/users"))
    assert greatest["term"] > 0


def test_revisions_are_read_where_asked(filled: FilledSite) -> None:
    source = filled.read(revisions=True)
    revisions = [*source.read_records("/cms/v2/posts/{parent}/revisions")]
    assert filled.made["public"]["id"] in {record.parent for record in revisions}


def test_the_file_of_a_media_record_is_fetched(filled: FilledSite, source: SiteSource, tmp_path: Path) -> None:
    media = by_id(source.read_records("/cms/v2/media"))[filled.made["media"]["id"]]
    path = source.fetch_file(media, tmp_path)
    assert path == tmp_path / "notes.txt"
    assert path.read_bytes() == TEXT


def test_a_wrong_password_is_no_anonymous_reading(filled: FilledSite) -> None:
    with pytest.raises(SourceError, match="refuses the account"):
        filled.read(SourceCredentials("admin", "wrong")).describe()


def test_a_private_address_is_refused_unless_it_is_allowed(filled: FilledSite) -> None:
    with pytest.raises(SourceError, match="--allow-private"):
        open_address(filled.url, ADMIN)
    with pytest.raises(SourceError, match="not a host of the public internet"):
        open_address("http://127.0.0.1/", ADMIN)
