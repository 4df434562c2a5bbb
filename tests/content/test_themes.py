"""Themes, their patterns, and the modules of the site as plugins."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from conftest import Client, Stand, made
from vetrina.content.blocks import grammar
from vetrina.design.themes import model as themes
from vetrina.settings import load_profile


def test_the_active_theme_says_what_it_is(admin: Client) -> None:
    answer = admin.get("/cms/v2/themes", query={"status": "active"})
    assert answer.headers["x-cms-total"] == "1"
    theme = answer.json[0]
    assert (theme["stylesheet"], theme["status"], theme["is_block_theme"]) == ("portico", "active", True)
    assert theme["name"] == {"raw": "Portico", "rendered": "Portico"}
    assert theme["tags"]["raw"]
    assert theme == admin.get("/cms/v2/themes/portico").json
    assert "index" in [kind["slug"] for kind in theme["default_template_types"]]
    assert [area["area"] for area in theme["default_template_part_areas"]] == ["uncategorized", "header", "footer"]


def test_options_describe_each_thing_that_a_theme_can(anyone: Client, admin: Client) -> None:
    described = anyone.options("/cms/v2/themes").json["schema"]["properties"]
    shown = admin.get("/cms/v2/themes/portico").json
    supports = described["theme_supports"]["properties"]
    assert list(supports) == list(shown["theme_supports"])
    assert supports["align-wide"]["type"] == "boolean"
    assert supports["editor-color-palette"]["type"] == ["boolean", "array"]
    assert supports["formats"]["items"]["enum"] == shown["theme_supports"]["formats"]
    assert "editor-spacing-sizes" in supports
    assert {name: list(described[name]["properties"]) for name in ("name", "tags")} == {
        "name": ["raw", "rendered"],
        "tags": ["raw", "rendered"],
    }


def test_there_is_no_other_theme(admin: Client) -> None:
    answer = admin.get("/cms/v2/themes", query={"status": "inactive"})
    assert (answer.json, answer.headers["x-cms-total"]) == ([], "0")
    assert admin.get("/cms/v2/themes/no-such").code == "rest_theme_not_found"


@pytest.mark.parametrize(
    ("login", "all_of_them", "active"),
    [
        ("", "rest_cannot_view_themes", "rest_cannot_view_active_theme"),
        ("subscriber", "rest_cannot_view_themes", "rest_cannot_view_active_theme"),
        ("contributor", "rest_cannot_view_themes", None),
        ("editor", "rest_cannot_view_themes", None),
        ("admin", None, None),
    ],
)
def test_who_may_see_themes(site: Stand, login: str, all_of_them: str | None, active: str | None) -> None:
    client = site.client(login)
    assert client.get("/cms/v2/themes").code == all_of_them
    assert client.get("/cms/v2/themes", query={"status": "active"}).code == active
    assert client.get("/cms/v2/themes/portico").code == active


def test_only_who_may_export_is_told_so(admin: Client, editor: Client) -> None:
    allowed = [
        client.get("/cms/v2/themes/portico").json["_links"]["cms:export-theme"][0]["targetHints"]["allow"]
        for client in (admin, editor)
    ]
    assert allowed == [["GET"], []]


def test_a_profile_may_bring_a_theme_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    (folder / "templates").mkdir(parents=True)
    (folder / "style.css").write_text("/*\nTheme Name: Mine\nVersion: 2\n*/\n")
    (folder / "theme.json").write_text('{"version": 3, "customTemplates": [{"name": "tall", "title": "Tall"}]}')
    (folder / "templates" / "index.html").write_text("<!-- wp:post-title /-->")
    (folder / "templates" / "tall.html").write_text("<!-- wp:post-content /-->")
    (tmp_path / "site").mkdir()
    site = made(tmp_path / "site", load_profile("first", {"theme": str(folder)}))
    try:
        admin = Stand(site).client("admin")
        shown = admin.get("/cms/v2/themes").json
        assert [(one["stylesheet"], one["status"]) for one in shown] == [("portico", "inactive"), ("mine", "active")]
        assert [one["id"] for one in admin.get("/cms/v2/templates").json] == ["mine//index", "mine//tall"]
        assert admin.get("/cms/v2/templates/mine//tall").json["is_custom"] is True
    finally:
        site.close()


def test_a_theme_that_is_not_there_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no theme"):
        made(tmp_path, load_profile("first", {"theme": "no-such"}))


@pytest.mark.parametrize("theme", sorted(themes.BUILT_IN.glob("*/style.css")), ids=lambda path: path.parent.name)
def test_every_file_of_a_built_in_theme_is_whole_block_markup(theme: Path) -> None:
    read = themes.load_theme(theme.parent)
    contents = [
        *(file.content for file in (*read.templates.values(), *read.parts.values())),
        *(pattern.content for pattern in read.patterns),
    ]
    assert contents
    for content in contents:
        assert grammar.serialize_blocks(grammar.parse_blocks(content), close=True) == content
    for file in read.templates.values():
        for slug in _parts_of(file.content):
            assert slug in read.parts


def _parts_of(content: str) -> list[str]:
    pending, found = grammar.parse_blocks(content), []
    while pending:
        part = pending.pop()
        if isinstance(part, grammar.Block):
            pending += part.parts
            if part.name == "core/template-part":
                found.append(part.attributes["slug"])
    return found


# -- patterns


def test_patterns_are_those_of_the_theme(contributor: Client) -> None:
    patterns = contributor.get("/cms/v2/block-patterns/patterns").json
    names = {category["name"] for category in contributor.get("/cms/v2/block-patterns/categories").json}
    of = {pattern["name"].partition("/")[2]: pattern["categories"] for pattern in patterns}
    assert (of["call"], of["posts-grid"]) == (["call-to-action"], ["posts"])
    assert "portico/opening" in [pattern["name"] for pattern in patterns]
    assert all(pattern["content"] and set(pattern["categories"]) <= names for pattern in patterns)


@pytest.mark.parametrize("login", ["", "subscriber"])
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/cms/v2/block-patterns/patterns", "rest_cannot_view"),
        ("/cms/v2/block-patterns/categories", "rest_cannot_view"),
        ("/cms/v2/pattern-directory/patterns", "rest_pattern_directory_cannot_view"),
        ("/cms/v2/block-directory/search?term=x", "rest_block_directory_cannot_view"),
    ],
)
def test_patterns_are_for_those_who_write(site: Stand, login: str, path: str, code: str) -> None:
    answer = site.client(login).get(path)
    assert (answer.status, answer.code) == (403 if login else 401, code)


def test_the_directory_of_blocks_is_empty(admin: Client) -> None:
    assert admin.get("/cms/v2/block-directory/search", query={"term": "x"}).json == []
    assert admin.get("/cms/v2/block-directory/search").code == "rest_missing_callback_param"


# -- plugins


def test_the_modules_of_the_site_are_its_plugins(admin: Client) -> None:
    found = {one["plugin"]: one["status"] for one in admin.get("/cms/v2/plugins").json}
    assert found == {
        "connector/connector": "inactive", "multilingual/multilingual": "active", "shop/shop": "inactive",
    }  # fmt: skip
    assert [one["plugin"] for one in admin.get("/cms/v2/plugins", query={"search": "SHÓP"}).json] == ["shop/shop"]
    assert admin.get("/cms/v2/plugins/shop/shop").json["name"] == "Shop"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "code"),
    [
        ("POST", "/cms/v2/plugins/shop/shop", {"status": "inactive"}, 200, None),
        ("POST", "/cms/v2/plugins/shop/shop", {"status": "active"}, 403, "rest_cannot_activate_plugin"),
        ("PUT", "/cms/v2/plugins/multilingual/multilingual", {"status": "inactive"}, 403,
         "rest_cannot_deactivate_plugin"),
        ("DELETE", "/cms/v2/plugins/multilingual/multilingual", None, 400, "rest_cannot_delete_active_plugin"),
        ("DELETE", "/cms/v2/plugins/shop/shop", None, 403, "rest_cannot_delete_plugin"),
        ("GET", "/cms/v2/plugins/no/such", None, 404, "rest_plugin_not_found"),
        ("POST", "/cms/v2/plugins", {"slug": "some-package"}, 404, "plugins_api_failed"),
        ("POST", "/cms/v2/plugins", {}, 400, "rest_missing_callback_param"),
    ],
)  # fmt: skip
def test_modules_are_the_profiles_affair(
    admin: Client, method: str, path: str, body: dict[str, str] | None, status: int, code: str | None
) -> None:
    answer = admin.ask(method, path, json=body)
    assert (answer.status, answer.code) == (status, code)


def test_only_administrators_see_modules(editor: Client, anyone: Client) -> None:
    for client, status in ((editor, 403), (anyone, 401)):
        assert (client.get("/cms/v2/plugins").status, client.get("/cms/v2/plugins").code) == (
            status, "rest_cannot_view_plugins",
        )  # fmt: skip
        assert client.get("/cms/v2/plugins/no/such").code == "rest_cannot_view_plugin"
        assert client.post("/cms/v2/plugins", {"slug": "x"}).code == "rest_cannot_install_plugin"


def test_themes_are_read_without_the_lock_of_writers_once_the_owners_styles_are_there(
    site: Stand, admin: Client
) -> None:
    first = admin.get("/cms/v2/themes").json
    paths = ("/cms/v2/themes", f"/cms/v2/themes/{first[0]['stylesheet']}")
    with ThreadPoolExecutor(1) as reader, site.site.database.begin_write():
        answers = [reader.submit(admin.get, path).result(timeout=60) for path in paths]
    assert [answer.status for answer in answers] == [200, 200]
    assert answers[0].json == first
