"""The profile over HTTP: the one in force, and exactly what another one would change and put out of reach."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis.strategies import lists, sampled_from

from conftest import ACCOUNTS, Client, Stand
from vetrina.settings import Settings, load_profile
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount
from vetrina.system.site_profile.masking import mask_text, restore_masked

PROFILE = "/cms/v2/site-profile"
PREVIEW = f"{PROFILE}/preview"

OWN = """\
# A library in two languages.
name = "library"
title = "Library"
languages = ["en", "it"]
modules = ["content", "multilingual"]

[types.book]
label = "Books"
base = "books"
taxonomies = ["genre"]
translation = "translated"

[types.book.fields.pages]
type = "integer"

[types.book.fields.isbn]
type = "text"

[taxonomies.genre]
label = "Genres"
types = ["book"]

[translation]
tp_key = "key-of-the-agency"
service_url = "https://ada:hunter2@translate.example/api"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "library.toml"
    path.write_text(OWN, encoding="utf-8")
    return path


@pytest.fixture
def library(request: pytest.FixtureRequest, tmp_path: Path, file: Path, kind: str) -> Iterator[Client]:
    """The administrator of a site whose profile is a file."""
    folder = tmp_path / "site"
    folder.mkdir()
    database = request.getfixturevalue("postgres").new() if kind == "postgresql" else ""
    settings = Settings(profile=str(file), database=database)
    site = create_stand_in_site(load_profile(str(file)), ACCOUNTS, folder, settings)
    yield Stand(site).client("admin")
    site.close()
    if database:
        request.getfixturevalue("postgres").drop(database)


def preview(client: Client, text: str) -> dict[str, Any]:
    answer = client.post(PREVIEW, {"text": text})
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json
    return found


def list_changes(found: dict[str, Any]) -> set[tuple[str, str, str]]:
    return {(one["part"], one["name"], one["action"]) for one in found["changes"]}


def find_lost(found: dict[str, Any], part: str, name: str) -> dict[str, int]:
    [change] = [one for one in found["changes"] if (one["part"], one["name"]) == (part, name)]
    return {one["what"]: one["count"] for one in change["out_of_reach"]}


def test_the_profile_in_force_changes_nothing_even_as_it_is_shown(library: Client) -> None:
    shown = library.get(PROFILE).json
    assert (shown["name"], shown["file"], shown["built_in"], shown["stale"]) == (
        "library", "library.toml", False, False,
    )  # fmt: skip
    assert "# A library in two languages." in shown["text"]
    for secret in ("key-of-the-agency", "hunter2", "ada"):
        assert secret not in shown["text"]
    assert preview(library, shown["text"]) == {
        "name": "library", "changes": [], "routes": {"added": [], "removed": [], "changed": []},
    }  # fmt: skip


@pytest.mark.every_database
def test_a_removed_type_tells_its_routes_and_its_records(library: Client) -> None:
    genre = library.post("/cms/v2/genre", {"name": "Novels"}).json["id"]
    for number in range(3):
        body = {"title": str(number), "status": "publish", "genre": [genre], "meta": {"pages": number + 1}}
        assert library.post("/cms/v2/books", body).status == 201
    without = OWN[: OWN.index("[types.book]")] + OWN[OWN.index("[translation]") :]
    found = preview(library, without)
    assert list_changes(found) == {("type", "book", "removed"), ("taxonomy", "genre", "removed")}
    assert find_lost(found, "type", "book") == {"records": 3}
    assert find_lost(found, "taxonomy", "genre") == {"terms": 1}
    assert {"/cms/v2/books", "/cms/v2/genre", "/cms/v2/books/(?P<id>[\\d]+)"} <= set(found["routes"]["removed"])
    assert found["routes"]["added"] == []
    assert library.get("/cms/v2/books").headers["x-cms-total"] == "3"


@pytest.mark.every_database
def test_removed_fields_languages_and_taxonomies_tell_what_they_had(library: Client) -> None:
    genre = library.post("/cms/v2/genre", {"name": "Novels"}).json["id"]
    for number in range(4):
        meta = {"pages": number + 1, **({"isbn": "1"} if number else {})}
        library.post("/cms/v2/books", {"title": str(number), "meta": meta, "genre": [genre] if number > 1 else []})
    library.post("/cms/v2/posts", {"title": "Uno", "lang": "it"})
    changed = (
        OWN.replace('[types.book.fields.isbn]\ntype = "text"\n', "").replace('"en", "it"', '"en", "de"')
        .replace('taxonomies = ["genre"]\n', "").replace('types = ["book"]\n', "")
        .replace('label = "Books"', 'label = "Volumes"').replace("key-of-the-agency", "another")
    )  # fmt: skip
    found = preview(library, changed)
    assert list_changes(found) == {
        ("language", "it", "removed"), ("language", "de", "added"), ("type", "book", "changed"),
        ("taxonomy", "genre", "changed"), ("field", "book.isbn", "removed"),
    } | {("setting", "translation.tp_key", "changed")}  # fmt: skip
    assert find_lost(found, "field", "book.isbn") == {"values": 3}
    assert find_lost(found, "type", "book") == {"records sorted by genre": 2}
    assert find_lost(found, "language", "it")["records"] >= 0
    [book] = [one for one in found["changes"] if one["part"] == "type"]
    assert {"key": "label", "before": '"Books"', "after": '"Volumes"'} in book["keys"]
    assert "another" not in str(found)


def test_what_is_added_is_told(library: Client) -> None:
    added = OWN.replace('"multilingual"]', '"multilingual", "shop"]').replace(
        "[taxonomies.genre]", '[types.author]\nlabel = "Authors"\n\n[taxonomies.genre]'
    )
    found = preview(library, added)
    assert {("module", "shop", "added"), ("type", "author", "added"), ("type", "product", "added")} <= list_changes(
        found
    )
    assert "/cms/v2/author" in found["routes"]["added"]
    assert "/shop/v3/orders" in found["routes"]["added"]
    assert found["routes"]["removed"] == []


def test_a_shop_that_leaves_tells_its_orders_and_accounts(tmp_path: Path) -> None:
    accounts = [*ACCOUNTS, InitialAccount("c", "customer", "c@example.org", "c pass word")]
    site = create_stand_in_site(load_profile("second"), accounts, tmp_path, Settings(profile="second"))
    admin = Stand(site).client("admin")
    for _ in range(2):
        assert admin.post("/shop/v3/orders", {}).status == 201
    found = preview(admin, 'name = "second"\nmodules = ["content", "multilingual"]\nlanguages = ["en", "it"]')
    assert find_lost(found, "module", "shop") == {"orders": 2}
    assert find_lost(found, "role", "customer") == {"accounts": 1}
    assert ("module", "connector", "removed") in list_changes(found)
    site.close()


@pytest.mark.parametrize(
    ("text", "line", "key", "said"),
    [
        ('title = "T"\ntitel = "U"', 2, "titel", "there is no such key; did you mean 'title'?"),
        ('languages = ["en"]\n[types.a]\nlabel = "A"\nbase = "users"', 4, "types.a.base", "'users' is taken"),
        ('[types.a]\nlabel = "A"\nbase = "site-profile"', 3, "types.a.base", "is taken by the route"),
        ('modules = ["contents"]', 1, "modules[0]", "did you mean 'content'?"),
        ("limits = {body_bytes = -1}", 1, "limits.body_bytes", "must be 0 or more"),
        ("title = ", 0, "", "at end of document"),
        ("x = " + "[" * 5000, 0, "", "nested too deeply"),
    ],
)
def test_what_is_wrong_is_told_with_its_line_and_key(admin: Client, text: str, line: int, key: str, said: str) -> None:
    answer = admin.post(PREVIEW, {"text": text})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    [fault] = answer.json["data"]["faults"]
    assert (fault["line"], fault["key"]) == (line, key)
    assert said in fault["message"]
    assert said in answer.json["data"]["params"]["text"]


def test_every_fault_is_told(admin: Client) -> None:
    answer = admin.post(PREVIEW, {"text": 'time_zone = "Europe/Rom"\ntheme = "portici"\nseo = 1'})
    assert [one["line"] for one in answer.json["data"]["faults"]] == [1, 2, 3]


@pytest.mark.parametrize("body", [{}, {"text": ""}, {"text": 3}, {"text": "x" * 200_001}])
def test_a_text_that_is_none_is_refused(admin: Client, body: dict[str, Any]) -> None:
    answer = admin.post(PREVIEW, body)
    assert answer.status == 400
    assert "text" in answer.json["data"]["params"]


def test_a_file_that_was_changed_is_told(library: Client, file: Path) -> None:
    file.write_text(OWN.replace("Library", "Biblioteca"), encoding="utf-8")
    assert library.get(PROFILE).json["stale"]
    file.write_text("title = ", encoding="utf-8")
    broken = library.get(PROFILE).json
    assert (broken["stale"], broken["text"]) == (True, None)
    file.unlink()
    assert library.get(PROFILE).status == 200


def test_nothing_is_kept_and_nothing_changes(library: Client, file: Path) -> None:
    before = file.read_text(encoding="utf-8")
    assert library.post(PREVIEW, {"text": 'title = "Another"'}).status == 200
    assert file.read_text(encoding="utf-8") == before
    assert library.get("/").json["name"] == "Library"


@given(lists(sampled_from(["key", "k", "ey", "://a:b@h", "/srv/x", "tp_key", "é", '"', "\\"]), max_size=6).map("".join))
def test_what_is_shown_never_has_a_key_and_comes_back_whole(secret: str) -> None:
    text = f'title = "A k here"\n[translation]\ntp_key = {json.dumps(secret)}\nservice_url = "https://h.example"\n'
    shown = mask_text(text)
    stored = tomllib.loads(text)
    if shown is None:
        return
    masked = tomllib.loads(shown)
    assert masked["translation"]["tp_key"] == ("***" if secret else "")
    assert masked["title"] == stored["title"]
    assert restore_masked(masked, stored) == stored
