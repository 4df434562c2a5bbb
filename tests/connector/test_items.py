"""Items of changes: every module feeds the queue, with the actor of the change and the effect of settings."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, SetClock, Stand
from connector.conftest import Service
from vetrina.connector.sync import settings as sync_settings
from vetrina.connector.sync.codec import decode_payload

SETTINGS, CHECKOUT = "/connector/v4/sync/settings", "/connector/v4/sync/checkout"


def actions(service: Service) -> dict[str, list[Any]]:
    """Return the waiting items, the last one of each action."""
    return {item[0]: item for _, item in service.drained()}


# Module → a change of it (method, path, body) and the action that reports it.
CHANGES: list[tuple[str, str, str, dict[str, Any], str]] = [
    ("post", "POST", "/cms/v2/posts", {"title": "A", "status": "publish"}, "connector_sync_save_post"),
    ("page", "POST", "/cms/v2/pages", {"title": "A"}, "connector_sync_save_post"),
    ("block", "POST", "/cms/v2/blocks", {"title": "A", "content": "x", "status": "publish"},
     "connector_sync_save_post"),
    ("menu", "POST", "/cms/v2/menus", {"name": "Menu"}, "connector_sync_add_term"),
    ("menu item", "POST", "/cms/v2/menu-items", {"title": "A", "url": "https://a.example", "status": "publish"},
     "connector_sync_save_post"),
    ("term", "POST", "/cms/v2/categories", {"name": "A"}, "connector_sync_add_term"),
    ("user", "POST", "/cms/v2/users", {"username": "newone", "email": "n@example.org", "password": "very long"},
     "connector_sync_register_user"),
    ("option", "POST", "/cms/v2/settings", {"title": "New"}, "updated_option"),
    ("widget", "POST", "/cms/v2/widgets", {"id_base": "text", "sidebar": "wp_inactive_widgets",
     "instance": {"raw": {"text": "x"}}}, "connector_widget_edited"),
    ("shop option", "PUT", "/shop/v3/settings/general/shop_currency", {"value": "USD"}, "updated_option"),
    ("product", "POST", "/shop/v3/products", {"name": "A", "regular_price": "1.50"}, "connector_sync_save_post"),
    ("order", "POST", "/shop/v3/orders", {"status": "processing"}, "connector_sync_save_order"),
    ("coupon", "POST", "/shop/v3/coupons", {"code": "ten", "amount": "10"}, "connector_sync_save_coupon"),
    ("tax rate", "POST", "/shop/v3/taxes", {"country": "IT", "rate": "22"}, "connector_sync_save_tax_rate"),
    ("attribute", "POST", "/shop/v3/products/attributes", {"name": "Colour"}, "connector_sync_save_attribute"),
]  # fmt: skip


@pytest.mark.parametrize("what", CHANGES, ids=[one[0] for one in CHANGES])
def test_every_module_feeds_the_queue(service: Service, admin: Client, what: tuple[str, str, str, Any, str]) -> None:
    name, method, path, body, action = what
    if name == "widget":
        body = {**body, "sidebar": admin.get("/cms/v2/sidebars").json[0]["id"]}
    service.drained()
    answer = admin.ask(method, path, json=body)
    assert answer.status in (200, 201), answer.json
    found = actions(service)
    assert action in found
    # Who changed it is told with it.
    assert found[action][2] == 1
    actor = found[action][5]
    assert (actor["external_user_id"], actor["user_roles"], actor["translated_role"]) == (
        1, ["administrator"], "administrator",
    )  # fmt: skip


def test_what_is_removed_is_told_by_its_number(service: Service, admin: Client) -> None:
    order = admin.post("/shop/v3/orders", {"status": "processing"}).json["id"]
    coupon = admin.post("/shop/v3/coupons", {"code": "ten", "amount": "10"}).json["id"]
    service.drained()
    admin.delete(f"/shop/v3/orders/{order}", query={"force": True})
    admin.delete(f"/shop/v3/coupons/{coupon}", query={"force": True})
    found = actions(service)
    assert found["deleted_order"][1] == [order]
    assert found["deleted_coupon"][1] == [coupon]


def test_a_visitor_is_nobody(service: Service, admin: Client, anyone: Client) -> None:
    post = admin.post("/cms/v2/posts", {"title": "A", "status": "publish"}).json["id"]
    service.drained()
    body = {"post": post, "author_name": "V", "author_email": "v@example.org", "content": "Hello"}
    if anyone.post("/cms/v2/comments", body).status == 201:
        item = actions(service)["cms_insert_comment"]
        assert (item[2], item[5]["external_user_id"]) == (0, None)


def test_columns_are_texts_and_pictures_are_told(service: Service, admin: Client) -> None:
    admin.post(SETTINGS, {"render_filtered_content": 1})
    text = "<!-- wp:paragraph --><p>Text</p><!-- /wp:paragraph -->"
    admin.post("/cms/v2/posts", {"title": "A", "content": text, "status": "publish"})
    thing = actions(service)["connector_sync_save_post"][1][1]
    for name in ("ID", "post_author", "post_parent", "menu_order", "post_title"):
        assert isinstance(thing[name], str), name
    assert thing["post_content"] == text
    assert "<p>Text</p>" in thing["post_content_filtered"]
    assert "wp:paragraph" not in thing["post_content_filtered"]
    admin.post(SETTINGS, {"render_filtered_content": 0})
    admin.post("/cms/v2/posts", {"title": "B", "content": text, "status": "publish"})
    assert actions(service)["connector_sync_save_post"][1][1]["post_content_filtered"] == ""


def test_what_a_site_works_out_about_itself_is_told_when_it_changes(
    site: Stand, service: Service, admin: Client, clock: SetClock
) -> None:
    service.drained()
    admin.post("/cms/v2/settings", {"timezone": "Asia/Tokyo"})
    assert "connector_sync_callable" not in {item[0] for _, item in service.drained()}
    clock.forward(61)
    admin.post("/cms/v2/settings", {"title": "Moved on"})
    sent = service.post(
        CHECKOUT, {"queue": "sync", "number_of_items": 9, "encode": False, "pop": True}, timestamp=clock.now()
    ).json["items"]
    found = {item[1][0]: item for item in sent.values() if item[0] == "connector_sync_callable"}
    assert found["timezone"][1] == ["timezone", "Asia/Tokyo"]


# -- settings that bound what is handed out


def handed_out(service: Service, **settings: int) -> int:
    service.post(SETTINGS, settings)
    sent = service.post(CHECKOUT, {"queue": "sync", "number_of_items": 100, "force": True}).json
    return len(sent["items"])


def test_bytes_bound_a_buffer(service: Service, admin: Client) -> None:
    for at in range(6):
        admin.post("/cms/v2/posts", {"title": str(at), "content": "x" * 50, "status": "publish"})
    assert handed_out(service, upload_max_bytes=1) == 1
    assert 1 < handed_out(service, upload_max_bytes=3000) < handed_out(service, upload_max_bytes=600_000)


def test_chunks_of_a_full_sync_follow_their_limits(service: Service, admin: Client) -> None:
    for at in range(5):
        admin.post("/cms/v2/posts", {"title": str(at), "status": "publish"})
    service.post(SETTINGS, {"full_sync_limits": {"posts": {"chunk_size": 2, "max_chunks": 2}}})
    service.post("/connector/v4/sync/full-sync", {"modules": ["posts"]})
    steps = []
    while items := service.post(CHECKOUT, {"queue": "immediate"}).json["items"]:
        steps.append({name: decode_payload(text) for name, text in items.items()})
    assert list(steps[0]) == ["connector_full_sync_start_" + next(iter(steps[0])).rpartition("_")[2]]
    first = [len(item[1][0]) for item in steps[1].values()]
    assert first == [2, 2]
    assert all(name.startswith("connector_full_sync_posts_") for name in steps[1])
    service.post(SETTINGS, {"max_enqueue_full_sync": 1})
    service.post("/connector/v4/sync/full-sync", {"modules": ["posts"]})
    sent = service.post(CHECKOUT, {"queue": "full_sync", "number_of_items": 50}).json
    assert len(sent["items"]) == 1


@pytest.mark.parametrize("value", ["x", [], {}, -5, 0, 10**12])
def test_no_value_of_a_setting_breaks_a_checkout(service: Service, admin: Client, value: object) -> None:
    admin.post("/cms/v2/posts", {"title": "A", "status": "publish"})
    with service.site.work(read=True) as work:
        names = set(sync_settings.load_sync_settings(work)) - {"disable", "network_disable"}
    assert admin.post(SETTINGS, dict.fromkeys(names, value)).status == 200
    for body in (
        {"queue": "sync", "number_of_items": 5, "force": True}, {"queue": "immediate"},
        {"queue": "full_sync", "number_of_items": 5, "force": True},
    ):  # fmt: skip
        service.post("/connector/v4/sync/full-sync", {})
        assert service.post(CHECKOUT, body).status in (200, 400)
    for path in ("status", "data-check", "settings"):
        assert service.get(f"/connector/v4/sync/{path}", query={"fields": "debug_details,posts_checksum"}).status == 200
    for path in ("now", "data-histogram"):
        body = {"queue": "sync", "object_type": "postmeta"}
        assert service.post(f"/connector/v4/sync/{path}", body).status == 200
