"""Widgets, sidebars and widget types over the interface."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import orjson
import pytest

from conftest import ACCOUNTS, Client, Stand
from pictures import picture
from vetrina.settings import ProfileSidebar, Settings, load_profile
from vetrina.site_factory import create_stand_in_site

WIDGETS, SIDEBARS, TYPES = "/cms/v2/widgets", "/cms/v2/sidebars", "/cms/v2/widget-types"
ASIDE = "cms_inactive_widgets"


@pytest.fixture
def placed(tmp_path: Path) -> Iterator[Client]:
    """An administrator of a site whose profile declares sidebars."""
    places = {
        "lato": ProfileSidebar("Lato", before_title="<h3>", after_title="</h3>"),
        "fondo": ProfileSidebar("Fondo", before_widget='<li id="%1$s" class="x %2$s">', after_widget="</li>"),
    }
    profile = msgspec.structs.replace(load_profile("first"), sidebars=places)
    site = create_stand_in_site(profile, ACCOUNTS, tmp_path, Settings())
    yield Stand(site).client("admin")
    site.close()


def made(client: Client, id_base: str = "text", sidebar: str = ASIDE, **raw: Any) -> dict[str, Any]:
    answer = client.post(WIDGETS, {"id_base": id_base, "sidebar": sidebar, "instance": {"raw": raw}})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def standing(client: Client, sidebar: str) -> list[str]:
    ids: list[str] = client.get(f"{SIDEBARS}/{sidebar}").json["widgets"]
    return ids


@pytest.mark.parametrize(
    "path", [WIDGETS, f"{WIDGETS}/text-9", SIDEBARS, f"{SIDEBARS}/{ASIDE}", TYPES, f"{TYPES}/text"]
)
def test_only_administrators_see_any_of_it(site: Stand, path: str) -> None:
    for login, status in (("", 401), ("subscriber", 403), ("editor", 403)):
        answer = (site.client(login) if login else site.client()).get(path)
        assert (answer.status, answer.code) == (status, "rest_cannot_manage_widgets")
    assert site.client("admin").get(path).status == (404 if path.endswith("/text-9") else 200)


def test_a_widget_is_made_changed_and_removed(admin: Client) -> None:
    new = made(admin, title="Uno <b>due</b>", text="Ciao <em>tu</em>")
    assert new["instance"]["raw"] == {"title": "Uno due", "text": "Ciao <em>tu</em>", "filter": False}
    assert new["id"].startswith("text-")
    path = f"{WIDGETS}/{new['id']}"
    changed = admin.put(path, {"instance": {"raw": {"title": "Tre"}}}).json
    assert (changed["instance"]["raw"]["title"], changed["instance"]["raw"]["text"]) == ("Tre", "")
    assert admin.delete(path).json["sidebar"] == ASIDE
    removed = admin.delete(path, query={"force": True})
    assert (removed.json["deleted"], removed.json["previous"]["id"]) == (True, new["id"])
    assert admin.get(path).code == "rest_widget_not_found"
    assert new["id"] not in standing(admin, ASIDE)


def test_names_are_never_given_twice(admin: Client) -> None:
    first = made(admin)
    admin.delete(f"{WIDGETS}/{first['id']}", query={"force": True})
    assert made(admin)["id"] != first["id"]


@pytest.mark.parametrize(
    ("body", "code"),
    [({}, "rest_invalid_widget"), ({"id_base": "nulla"}, "rest_invalid_widget"),
     ({"id_base": "text", "instance": {"encoded": "e30="}}, "rest_invalid_widget"),
     ({"id_base": "text", "instance": {"encoded": "e30=", "hash": "x"}}, "rest_invalid_widget"),
     ({"id_base": "text", "instance": {"altro": 1}}, "rest_invalid_widget"),
     ({"id_base": "text", "instance": {}}, "rest_invalid_widget"),
     ({"id_base": "text", "instance": "x"}, "rest_invalid_param")],
)  # fmt: skip
def test_what_is_no_widget_is_refused(admin: Client, body: dict[str, Any], code: str) -> None:
    answer = admin.post(WIDGETS, body)
    assert (answer.status, answer.code) == (400, code)


def test_settings_come_back_in_encoded_form_only_with_their_own_hash(admin: Client) -> None:
    new = made(admin, title="Uno", text="due")
    kept = {name: new["instance"][name] for name in ("encoded", "hash")}
    again = admin.post(WIDGETS, {"id_base": "text", "instance": kept})
    assert again.json["instance"] == new["instance"]
    forged = base64.b64encode(orjson.dumps({"title": "Altro"})).decode()
    assert admin.post(WIDGETS, {"id_base": "text", "instance": {**kept, "encoded": forged}}).status == 400


def test_settings_come_as_a_form(admin: Client) -> None:
    form = "widget-text%5B7%5D%5Btitle%5D=Uno%20due&widget-text%5B7%5D%5Btext%5D=x&widget-text%5B7%5D%5Bfilter%5D=on"
    new = admin.post(WIDGETS, {"id_base": "text", "form_data": form}).json
    assert new["instance"]["raw"] == {"title": "Uno due", "text": "x", "filter": True}
    assert 'name="widget-text[' in new["rendered_form"]
    assert admin.post(WIDGETS, {"id_base": "text", "form_data": "senza senso"}).json["instance"]["raw"]["title"] == ""


def test_a_form_is_newer_than_the_settings_that_are_sent_with_it(admin: Client) -> None:
    path, form = f"{TYPES}/text/encode", "widget-text[4][title]=Nuovo&widget-text[4][visual]=on"
    before = admin.post(path, {"instance": {"raw": {"title": "Vecchio", "text": "x"}}}).json["instance"]
    assert before["raw"]["title"] == "Vecchio"
    after = admin.post(path, {"instance": before, "form_data": form, "number": 4}).json
    assert after["instance"]["raw"] == {"title": "Nuovo", "text": "", "filter": True, "visual": True}
    assert 'id="widget-text-4-title" name="widget-text[4][title]"' in after["form"]
    other = admin.post(path, {"instance": before, "form_data": "widget-search[4][title]=Altro"}).json
    assert (other["instance"], 'name="widget-text[-1][title]"' in other["form"]) == (before, True)
    assert admin.post(path, {"number": "tre"}).code == "rest_invalid_param"


def test_only_the_editing_view_has_the_settings(admin: Client) -> None:
    path = f"{WIDGETS}/{made(admin)['id']}"
    assert "instance" not in admin.get(path).json
    assert "rendered_form" not in admin.get(path, query={"context": "embed"}).json
    assert "instance" in admin.get(path, query={"context": "edit"}).json


def test_what_stands_nowhere_shows_nothing(admin: Client) -> None:
    assert made(admin, text="x")["rendered"] == ""
    assert made(admin, sidebar="altrove", text="x")["rendered"] == ""


def test_a_place_shows_its_widgets_in_order(placed: Client) -> None:
    one, two = (made(placed, sidebar="lato", title=name, text="ciao") for name in ("Uno", "Due"))
    assert standing(placed, "lato") == [one["id"], two["id"]]
    assert one["rendered"] == (
        f'<div id="{one["id"]}" class="widget widget_text"><h3>Uno</h3><div class="textwidget">ciao</div></div>'
    )
    placed.post(f"{SIDEBARS}/lato", {"widgets": [two["id"], one["id"], "nulla-9"]})
    assert standing(placed, "lato") == [two["id"], one["id"]]
    placed.post(f"{SIDEBARS}/lato", {"widgets": [two["id"]]})
    assert standing(placed, "lato") == [two["id"]]
    assert standing(placed, ASIDE) == [one["id"]]
    moved = placed.post(f"{WIDGETS}/{one['id']}", {"sidebar": "fondo"}).json
    assert moved["rendered"].startswith(f'<li id="{one["id"]}" class="x widget_text">')
    placed.put(f"{SIDEBARS}/fondo", {"widgets": [two["id"], one["id"]]})
    assert standing(placed, "lato") == []
    assert [one["id"] for one in placed.get(WIDGETS, query={"sidebar": "fondo"}).json] == [two["id"], one["id"]]
    assert len(placed.get(WIDGETS).json) == 2


def test_a_widget_of_blocks_shows_what_the_site_is_now(placed: Client) -> None:
    new = made(placed, "block", "lato", content="<!-- wp:latest-posts /-->")
    placed.post("/cms/v2/posts", {"title": "Nuova", "status": "publish"})
    assert "Nuova" in placed.get(f"{WIDGETS}/{new['id']}").json["rendered"]


def test_every_kind_can_be_made_shown_and_previewed(placed: Client) -> None:
    kinds = placed.get(TYPES).json
    assert {"block", "text", "archives", "nav_menu"} <= {one["id"] for one in kinds}
    for one in kinds:
        assert placed.get(f"{TYPES}/{one['id']}").json["is_multi"] is True
        new = made(placed, one["id"], "lato", title="Titolo")
        assert one["classname"] in new["rendered"]
        instance = {"instance": {"raw": {"title": "Titolo"}}}
        encoded = placed.post(f"{TYPES}/{one['id']}/encode", instance).json
        assert set(encoded) == {"form", "preview", "instance"}
        assert placed.post(f"{TYPES}/{one['id']}/render", instance).json["preview"].startswith("<!doctype html>")
    assert placed.post(f"{TYPES}/nulla/encode", {}).code == "rest_widget_type_invalid"


def test_places_are_listed_and_unknown_ones_take_widgets(placed: Client) -> None:
    listed = placed.get(SIDEBARS).json
    assert [(one["id"], one["status"]) for one in listed] == [
        (ASIDE, "inactive"), ("lato", "active"), ("fondo", "active"),
    ]  # fmt: skip
    assert placed.get(f"{SIDEBARS}/altrove").code == "rest_sidebar_not_found"
    new = made(placed)
    answer = placed.post(f"{SIDEBARS}/altrove", {"widgets": [new["id"]]})
    assert (answer.status, answer.json["widgets"], "id" in answer.json) == (200, [new["id"]], False)


def test_a_refused_change_leaves_all_as_it_was(placed: Client) -> None:
    new = made(placed, text="prima")
    body = {"sidebar": "lato", "instance": {"encoded": "x", "hash": "y"}}
    assert placed.put(f"{WIDGETS}/{new['id']}", body).status == 400
    found = placed.get(f"{WIDGETS}/{new['id']}", query={"context": "edit"}).json
    assert (found["sidebar"], found["instance"]["raw"]["text"]) == (ASIDE, "prima")


def test_a_batch_carries_widgets(placed: Client) -> None:
    parts = [{"path": WIDGETS, "body": {"id_base": "text", "sidebar": "lato"}} for _ in range(2)]
    answer = placed.post("/batch/v1", {"requests": parts})
    assert [part["status"] for part in answer.json["responses"]] == [201, 201]
    assert len(standing(placed, "lato")) == 2


def shown(client: Client, id_base: str, **raw: Any) -> str:
    return str(client.post(f"{TYPES}/{id_base}/render", {"instance": {"raw": raw}}).json["preview"])


def test_a_menu_is_shown_without_what_is_hidden(admin: Client) -> None:
    menu = admin.post("/cms/v2/menus", {"name": "Primo"}).json["id"]
    public, draft = (
        admin.post("/cms/v2/pages", {"title": status, "status": status}).json["id"] for status in ("publish", "draft")
    )
    top = {"title": "Su &", "url": "http://vetrina.test/", "menus": menu, "menu_order": 1, "target": "_blank"}
    above = admin.post("/cms/v2/menu-items", top).json["id"]
    for number, page in enumerate((public, draft), 2):
        one = {"type": "post_type", "object": "page", "object_id": page, "menus": menu, "parent": above}
        assert admin.post("/cms/v2/menu-items", {**one, "menu_order": number}).status == 201
    html = shown(admin, "nav_menu", nav_menu=menu)
    assert '<div class="menu-primo-container"><ul id="menu-primo" class="menu">' in html
    assert "menu-item-has-children" in html
    assert '<a target="_blank" href="http://vetrina.test/">Su &#038;</a>\n<ul class="sub-menu">' in html
    assert "/publish/" in html
    assert "draft" not in html
    assert "menu" not in shown(admin, "nav_menu", nav_menu=99).partition("nav_menu")[0]


def test_a_gallery_of_files_is_shown(admin: Client) -> None:
    image = admin.post(
        "/cms/v2/media", body=picture(400, 300), headers={"content-disposition": "attachment; filename=a.jpg"}
    )
    html = shown(admin, "media_gallery", ids=str(image.json["id"]), link_type="none")
    assert 'class="attachment-thumbnail size-thumbnail"' in html
    assert image.json["media_details"]["sizes"]["thumbnail"]["source_url"] in html
