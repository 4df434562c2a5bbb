"""Global styles: of the theme, its variations, and the user's with their revisions."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand
from vetrina.content.records import deleted_accounts, model as record_model

PATH = "/cms/v2/global-styles"


@pytest.fixture
def own(admin: Client) -> str:
    """The path of the user's styles."""
    theme = admin.get("/cms/v2/themes", query={"status": "active"}).json[0]
    return PATH + "/" + theme["_links"]["cms:user-global-styles"][0]["href"].rpartition("/")[2]


def changed(admin: Client, own: str, **members: Any) -> Any:
    answer = admin.post(own, members)
    assert answer.status == 200
    return answer.json


def test_the_theme_names_the_owners_styles_always_alike(admin: Client, contributor: Client, own: str) -> None:
    for client in (contributor, admin):
        theme = client.get("/cms/v2/themes/portico").json
        assert theme["_links"]["cms:user-global-styles"][0]["href"].endswith(own)
    shown = admin.get(own).json
    assert shown["title"] == {"raw": "Custom Styles", "rendered": "Custom Styles"}
    assert (shown["settings"], shown["styles"]) == ({}, {})


def test_what_is_sent_replaces_as_a_whole_and_leaves_the_rest(admin: Client, own: str) -> None:
    changed(
        admin, own, styles={"color": {"text": "#111111", "background": "#eeeeee"}}, settings={"appearanceTools": True}
    )
    after = changed(admin, own, styles={"color": {"text": "#222222"}})
    assert after["styles"] == {"color": {"text": "#222222"}}
    assert after["settings"] == {"appearanceTools": True}
    after = changed(admin, own, title="My own")
    assert after["title"]["raw"] == "My own"
    assert after["styles"] == {"color": {"text": "#222222"}}


def test_references_to_presets_are_written_out(admin: Client, own: str) -> None:
    styles = {"color": {"text": "var:preset|color|accent"}, "spacing": {"padding": {"top": "var:custom|lineGap|big"}}}
    shown = changed(admin, own, styles=styles)["styles"]
    assert shown["color"]["text"] == "var(--cms--preset--color--accent)"
    assert shown["spacing"]["padding"]["top"] == "var(--cms--custom--line-gap--big)"


def test_unknown_members_are_dropped_and_known_ones_kept(admin: Client, own: str) -> None:
    kept = {
        "elements": {"link": {"color": {"text": "red"}, ":hover": {"color": {"text": "blue"}}}},
        "blocks": {"core/quote": {"border": {"left": {"width": "2px"}}, "variations": {"plain": {"shadow": "none"}}}},
    }
    odd: dict[str, Any] = {
        "elements": {**kept["elements"], "odd": {"color": {"text": "red"}}, "h1": {":hover": {"shadow": "none"}}},
        "blocks": {**kept["blocks"], "no name": {"shadow": "none"}, "core/odd": {"odd": 1}},
        "color": {"odd": "x"},
        "odd": {"x": 1},
    }
    assert changed(admin, own, styles=odd)["styles"] == kept
    settings = changed(admin, own, settings={"color": {"odd": 1, "palette": []}, "odd": 2})["settings"]
    assert settings == {"color": {"palette": {"custom": []}}}


def test_a_list_of_presets_is_the_owners(admin: Client, own: str) -> None:
    colour = {"slug": "own", "name": "Own", "color": "#123456"}
    settings = changed(admin, own, settings={"color": {"palette": [colour]}})["settings"]
    assert settings == {"color": {"palette": {"custom": [colour]}}}
    assert changed(admin, own, settings=settings)["settings"] == settings


@pytest.mark.parametrize("css", ["a<b", "</style>", "/* <b> */", "</style", "a{content:'<script'}"])
@pytest.mark.parametrize("place", ["top", "block", "variation"])
def test_css_with_what_looks_like_a_tag_is_refused(admin: Client, own: str, css: str, place: str) -> None:
    styles: dict[str, Any] = {
        "top": {"css": css},
        "block": {"blocks": {"core/quote": {"css": css}}},
        "variation": {"blocks": {"core/quote": {"variations": {"plain": {"css": css}}}}},
    }[place]
    answer = admin.post(own, {"styles": styles})
    assert (answer.status, answer.code) == (400, "rest_custom_css_illegal_markup")
    assert admin.get(own).json["styles"] == {}


@pytest.mark.parametrize("css", ["a > b {color: red}", "<!-- -->", "a{content:'< '}", "p{margin:0}"])
def test_other_css_is_kept(admin: Client, own: str, css: str) -> None:
    assert changed(admin, own, styles={"css": css})["styles"]["css"] == css


@pytest.mark.parametrize("body", [{"styles": "text"}, {"title": 5}, {"settings": 7}])
def test_wrong_types_are_refused(admin: Client, own: str, body: dict[str, Any]) -> None:
    answer = admin.post(own, body)
    assert (answer.status, answer.code) == (400, "rest_invalid_param")


def test_a_list_is_an_object_without_known_members(admin: Client, own: str) -> None:
    assert changed(admin, own, settings=[1, 2])["settings"] == {}


@pytest.mark.parametrize(("id", "code"), [("999999", "rest_global_styles_not_found"), ("", "rest_no_route")])
def test_other_numbers_are_not_found(admin: Client, id: str, code: str) -> None:
    assert admin.get(f"{PATH}/{id}".rstrip("/")).code == code
    assert admin.post(f"{PATH}/{id}".rstrip("/"), {"styles": {}}).code == code


def test_a_number_of_another_kind_is_not_found(admin: Client) -> None:
    post = admin.post("/cms/v2/posts", {"title": "x"}).json["id"]
    assert admin.get(f"{PATH}/{post}").code == "rest_global_styles_not_found"
    assert admin.get(f"{PATH}/{post}/revisions").code == "rest_post_invalid_parent"


# -- revisions


@pytest.mark.every_database
def test_a_change_that_differs_keeps_a_revision(admin: Client, own: str) -> None:
    for styles in ({}, {"shadow": "one"}, {"shadow": "one"}, {"shadow": "two"}):
        changed(admin, own, styles=styles)
    changed(admin, own)
    listed = admin.get(f"{own}/revisions")
    assert [one["styles"] for one in listed.json] == [{"shadow": "two"}, {"shadow": "one"}]
    assert listed.headers["x-cms-total"] == "2"
    assert admin.get(own).json["_links"]["version-history"][0]["count"] == 2
    one = admin.get(f"{own}/revisions/{listed.json[1]['id']}", query={"context": "embed"}).json
    assert set(one) == {"author", "date", "id", "parent"}


def test_revisions_are_paged(admin: Client, own: str) -> None:
    for at in range(3):
        changed(admin, own, styles={"shadow": str(at)})
    page = admin.get(f"{own}/revisions", query={"per_page": 2, "page": 2})
    assert [one["styles"]["shadow"] for one in page.json] == ["0"]
    too_far = admin.get(f"{own}/revisions", query={"per_page": 2, "page": 3})
    assert (too_far.status, too_far.code) == (400, "rest_revision_invalid_page_number")


def test_revisions_cannot_be_removed(admin: Client, own: str) -> None:
    changed(admin, own, styles={"shadow": "one"})
    number = admin.get(f"{own}/revisions").json[0]["id"]
    assert admin.delete(f"{own}/revisions/{number}", query={"force": True}).code == "rest_no_route"


# -- the theme's own


def test_the_theme_shows_its_own_values_whatever_the_owner_set(admin: Client, own: str) -> None:
    before = admin.get(f"{PATH}/themes/portico").json
    changed(admin, own, styles={"color": {"text": "#010203"}})
    after = admin.get(f"{PATH}/themes/portico").json
    assert after == before
    assert after["styles"]["color"]["text"] == "var(--cms--preset--color--contrast)"
    assert after["settings"]["color"]["palette"]["theme"][0]["slug"] == "base"


def test_variations_are_whole_looks_of_the_theme(contributor: Client) -> None:
    found = contributor.get(f"{PATH}/themes/portico/variations").json
    assert [one["title"] for one in found] == ["Mattone", "Notte", "Salvia"]
    assert all(set(one) == {"version", "title", "settings", "styles"} for one in found)


@pytest.mark.parametrize("rest", ["", "/variations"])
def test_another_theme_is_not_found(admin: Client, rest: str) -> None:
    answer = admin.get(f"{PATH}/themes/no-such{rest}")
    assert (answer.status, answer.code) == (404, "rest_theme_not_found")


# -- rights


@pytest.mark.parametrize("login", ["", "subscriber", "contributor", "editor", "admin"])
def test_who_may_see_and_who_may_change(site: Stand, own: str, login: str) -> None:
    client, refused = site.client(login), 403 if login else 401
    answers = {
        "rest_cannot_view": client.get(own),
        "rest_cannot_read_global_styles": client.get(f"{PATH}/themes/portico"),
        "rest_cannot_edit": client.post(own, {"title": "x"}),
        "rest_cannot_read": client.get(f"{own}/revisions"),
    }
    reads, writes = login not in ("", "subscriber"), login == "admin"
    for code, answer in answers.items():
        allowed = writes if code in ("rest_cannot_edit", "rest_cannot_read") else reads
        assert (answer.status, answer.code) == ((200, None) if allowed else (refused, code))


def test_styles_survive_the_account_that_set_them(site: Stand, admin: Client, own: str) -> None:
    changed(admin, own, styles={"shadow": "one"})
    with site.site.work() as work:
        old = record_model.find_record(work.tx, int(own.rpartition("/")[2]))
        assert old is not None
        deleted_accounts.trash_records_of_author(work, old.author)
    assert admin.get(own).json["styles"] == {"shadow": "one"}
