"""Templates and parts: theme files, records that override them, look-up, history, permissions."""

from __future__ import annotations

from typing import Any

import pytest

from conftest import Client, Stand

THEME = "portico"
BASES = ("templates", "template-parts")


def path(slug: str, base: str = "templates") -> str:
    return f"/cms/v2/{base}/{THEME}//{slug}"


# -- files and records over them


def test_a_file_of_the_theme_is_a_template_without_a_record(editor: Client) -> None:
    shown = editor.get(path("index")).json
    assert shown["id"] == f"{THEME}//index"
    assert (shown["source"], shown["origin"], shown["wp_id"], shown["author"]) == ("theme", None, 0, 0)
    assert shown["modified"] is False
    assert shown["author_text"] == "Portico"
    assert "version-history" not in shown["_links"]


def test_parts_in_a_file_name_the_theme_that_they_are_of(editor: Client) -> None:
    assert '{"slug":"header","tagName":"header","theme":"portico"}' in editor.get(path("index")).json["content"]["raw"]


def test_a_change_of_a_file_is_kept_as_a_record_with_the_same_id(admin: Client, editor: Client) -> None:
    before = editor.get(path("page")).json
    changed = admin.post(path("page"), {"content": "Mine"}).json
    assert changed["id"] == before["id"]
    assert (changed["source"], changed["origin"], changed["has_theme_file"]) == ("custom", "theme", True)
    assert (changed["title"], changed["description"]) == (before["title"], before["description"])
    assert editor.get(path("page")).json["content"] == {"raw": "Mine"}


def test_an_empty_change_makes_a_copy_of_the_file(admin: Client) -> None:
    before = admin.get(path("page")).json["content"]["raw"]
    copy = admin.post(path("page"), {}).json
    assert copy["wp_id"] > 0
    assert copy["content"]["raw"] == before


@pytest.mark.parametrize("base", BASES)
def test_removing_the_copy_brings_the_file_back(admin: Client, base: str) -> None:
    slug = "index" if base == "templates" else "header"
    before = admin.get(path(slug, base)).json
    admin.post(path(slug, base), {"content": "Mine", "title": "Mine"})
    gone = admin.delete(path(slug, base), query={"force": True})
    assert gone.json["deleted"] is True
    assert gone.json["previous"]["content"]["raw"] == "Mine"
    assert admin.get(path(slug, base)).json == before


def test_the_source_theme_asks_for_the_file_again(admin: Client) -> None:
    admin.post(path("index"), {"content": "Mine"})
    assert admin.post(path("index"), {"source": "theme"}).json["source"] == "theme"
    assert admin.get(path("index")).json["wp_id"] == 0


@pytest.mark.parametrize("base", BASES)
def test_the_file_beneath_a_copy_can_be_read(admin: Client, base: str) -> None:
    slug = "index" if base == "templates" else "header"
    file = admin.get(path(slug, base), query={"context": "edit"}).json
    admin.put(path(slug, base), {"content": "Mine", "title": "Mine"})
    assert admin.get(path(slug, base), query={"source": "custom"}).json["content"]["raw"] == "Mine"
    assert admin.get(path(slug, base), query={"source": "theme", "context": "edit"}).json == file
    admin.post(f"/cms/v2/{base}", {"slug": "mine", "content": "x"})
    assert admin.get(path("mine", base), query={"source": "theme"}).code == "rest_template_not_found"


@pytest.mark.parametrize("force", [False, True])
def test_a_file_cannot_be_removed(admin: Client, force: bool) -> None:
    answer = admin.delete(path("index"), query={"force": force})
    assert (answer.status, answer.code) == (400, "rest_invalid_template")


def test_what_was_made_under_a_slug_of_the_theme_stands_before_its_file(admin: Client) -> None:
    made = admin.post("/cms/v2/templates", {"slug": "index", "title": "Mine", "content": "x"}).json
    assert (made["id"], made["origin"], made["original_source"]) == (f"{THEME}//index", None, "theme")
    assert admin.get(path("index")).json["title"]["raw"] == "Mine"


# -- own ones


@pytest.mark.parametrize(
    ("sent", "kept"),
    [("plain", "plain"), ("two words", "two-words"), ("Capitals", "capitals"), ("a/stroke", "a-stroke")],
)
def test_a_slug_is_cleaned(admin: Client, sent: str, kept: str) -> None:
    answer = admin.post("/cms/v2/templates", {"slug": sent, "title": "x"})
    assert answer.status == 201
    assert answer.json["slug"] == kept
    assert answer.headers["location"].endswith(path(kept))


@pytest.mark.every_database
def test_a_taken_slug_gets_a_number_within_its_theme(admin: Client) -> None:
    body = {"slug": "own", "title": "x"}
    ids = [admin.post("/cms/v2/templates", body).json["id"] for _ in range(3)]
    assert ids == [f"{THEME}//own", f"{THEME}//own-2", f"{THEME}//own-3"]
    assert admin.post("/cms/v2/templates", {**body, "theme": "elsewhere"}).json["id"] == "elsewhere//own"
    assert admin.post("/cms/v2/template-parts", body).json["id"] == f"{THEME}//own"


def test_what_the_site_looks_for_itself_is_chosen_by_no_record(admin: Client) -> None:
    made = [
        admin.post("/cms/v2/templates", {"slug": f"page-{slug}", "content": "x", "is_wp_suggestion": said}).json
        for slug, said in (("rigas", True), ("hi", False))
    ]
    assert [one["is_custom"] for one in made] == [False, True]
    changed = admin.put(path("page-rigas"), {"content": "y"}).json
    assert (changed["is_custom"], changed["content"]["raw"]) == (False, "y")
    assert admin.post("/cms/v2/pages", {"title": "x", "template": "page-hi"}).status == 201
    assert admin.post("/cms/v2/pages", {"title": "x", "template": "page-rigas"}).code == "rest_invalid_param"


def test_a_template_of_another_theme_is_read_and_removed_but_not_listed(admin: Client) -> None:
    made = admin.post("/cms/v2/templates", {"slug": "own", "title": "x", "theme": "elsewhere"}).json
    assert admin.get("/cms/v2/templates/elsewhere//own").json["wp_id"] == made["wp_id"]
    assert made["id"] not in [one["id"] for one in admin.get("/cms/v2/templates").json]
    assert admin.delete("/cms/v2/templates/elsewhere//own", query={"force": True}).status == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "rest_missing_callback_param"),
        ({"slug": ""}, "rest_invalid_param"),
        ({"slug": "x"}, "empty_content"),
        ({"slug": "x", "title": 5}, "rest_invalid_param"),
        ({"slug": "x", "title": "x", "status": "odd"}, "rest_invalid_param"),
        ({"slug": "x", "title": "x", "author": 999999}, "rest_invalid_author"),
    ],
)
def test_a_bad_template_is_refused_and_leaves_nothing(admin: Client, body: dict[str, Any], code: str) -> None:
    before = len(admin.get("/cms/v2/templates").json)
    answer = admin.post("/cms/v2/templates", body)
    assert (answer.status, answer.code) == (400, code)
    assert len(admin.get("/cms/v2/templates").json) == before


def test_titles_and_contents_are_written_as_text_or_object(admin: Client) -> None:
    admin.post("/cms/v2/templates", {"slug": "own", "title": {"raw": "One"}, "content": ["odd"]})
    shown = admin.put(path("own"), {"title": "Two", "content": {"raw": "Text"}, "status": "draft"}).json
    assert shown["title"] == {"raw": "Two", "rendered": "Two"}
    assert (shown["content"]["raw"], shown["status"]) == ("Text", "publish")


def test_the_trash_hides_a_template_and_frees_its_slug(admin: Client) -> None:
    admin.post("/cms/v2/templates", {"slug": "own", "title": "x"})
    assert admin.delete(path("own")).json["status"] == "trash"
    answer = admin.get(path("own"))
    assert (answer.status, answer.code) == (404, "rest_template_not_found")
    assert admin.post("/cms/v2/templates", {"slug": "own", "title": "y"}).json["slug"] == "own"


def test_contexts_decide_which_members_are_shown(admin: Client) -> None:
    admin.post("/cms/v2/templates", {"slug": "own", "content": "<!-- wp:spacer /-->"})
    assert admin.get(path("own")).json["content"] == {"raw": "<!-- wp:spacer /-->"}
    assert admin.get(path("own"), query={"context": "edit"}).json["content"]["block_version"] == 1
    embedded = admin.get(path("own"), query={"context": "embed"}).json
    assert embedded["content"] == {}
    assert "modified" not in embedded


def test_an_odd_id_names_no_template(admin: Client) -> None:
    for id in ("5", "portico", "portico//", "no-such//index", "portico//no-such", "a.b/c//index"):
        answer = admin.get(f"/cms/v2/templates/{id}")
        assert answer.status == 404
        assert answer.code in ("rest_template_not_found", "rest_no_route")


def test_a_long_hostile_id_is_answered_at_once(admin: Client) -> None:
    assert admin.get("/cms/v2/templates/" + "a" * 15_000 + ":").status == 404
    for odd in ("%CF%84" * 2_000, "%CF%84." * 1_800, "%CF%84/" * 1_800):
        assert admin.get(f"/cms/v2/templates/{odd}:").status == 404


# -- lists


def test_a_slug_of_other_letters_is_found_by_the_addresses_that_name_it(admin: Client) -> None:
    new = admin.post("/cms/v2/templates", {"slug": "page-τεστ", "title": "τεστ", "content": "1"}).json
    octets = "page-%cf%84%ce%b5%cf%83%cf%84"
    assert (new["slug"], new["id"]) == (octets, f"{THEME}//{octets}")
    here = new["_links"]["self"][0]["href"].partition(admin.root)[2]
    assert here.endswith(octets)
    for address in (here, path(octets.replace("%", "%25")), here.replace("//page", "/page")):
        assert admin.get(address).json["id"] == new["id"], address
    assert admin.put(here, {"content": "2"}).json["content"]["raw"] == "2"
    assert [one["content"]["raw"] for one in admin.get(f"{here}/revisions").json] == ["2"]
    assert admin.post(f"{here}/autosaves", {"content": "3"}).status == 200
    assert admin.get(path("page-%cf%84")).code == "rest_template_not_found"
    assert admin.delete(here, query={"force": True}).json["deleted"] is True


def test_a_list_has_the_records_first_and_each_slug_once(admin: Client) -> None:
    admin.post(path("single"), {"content": "Mine"})
    admin.post("/cms/v2/templates", {"slug": "own", "title": "x"})
    slugs = [one["slug"] for one in admin.get("/cms/v2/templates").json]
    assert set(slugs[:2]) == {"own", "single"}
    assert len(slugs) == len(set(slugs))
    assert {"index", "home", "404", "wide"} <= set(slugs)


def test_a_list_filters_by_area_by_type_and_by_number(admin: Client) -> None:
    made = admin.post("/cms/v2/template-parts", {"slug": "own", "title": "x", "area": "footer"}).json
    footers = admin.get("/cms/v2/template-parts", query={"area": "footer"}).json
    assert [one["slug"] for one in footers] == ["own", "footer"]
    by_number = admin.get("/cms/v2/template-parts", query={"wp_id": made["wp_id"], "area": "header"}).json
    assert [one["slug"] for one in by_number] == ["own"]
    for_posts = admin.get("/cms/v2/templates", query={"post_type": "post"}).json
    assert [one["slug"] for one in for_posts] == ["wide"]


@pytest.mark.parametrize(("sent", "kept"), [("header", "header"), ("attic", "uncategorized")])
def test_an_area_is_one_of_those_that_are_known(admin: Client, sent: str, kept: str) -> None:
    assert admin.post("/cms/v2/template-parts", {"slug": "own", "title": "x", "area": sent}).json["area"] == kept


# -- look-up


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"slug": "index"}, "index"),
        ({"slug": "front-page"}, "home"),
        ({"slug": "404"}, "404"),
        ({"slug": "single-post-hello"}, "single"),
        ({"slug": "single-post-hello", "template_prefix": "single-post"}, "single"),
        ({"slug": "page-about"}, "page"),
        ({"slug": "category-news", "template_prefix": "category"}, "archive"),
        ({"slug": "taxonomy-categoria-intervento-x"}, "archive"),
        ({"slug": "date"}, "archive"),
        ({"slug": "archive-intervento"}, "archive"),
        ({"slug": "archive-intervento", "template_prefix": "archive"}, "archive"),
        ({"slug": "no-kind-of-template"}, "index"),
        ({"slug": "no-kind-of-template", "is_custom": True}, "page"),
    ],
)
def test_the_nearest_template_is_looked_up(contributor: Client, query: dict[str, Any], found: str) -> None:
    assert contributor.get("/cms/v2/templates/lookup", query=query).json["slug"] == found


def test_parts_are_listed_by_area_and_belong_to_every_type(admin: Client) -> None:
    admin.post("/cms/v2/template-parts", {"slug": "single", "title": "x", "area": "header"})

    def listed(**query: str) -> list[str]:
        return [one["slug"] for one in admin.get("/cms/v2/template-parts", query=query).json]

    assert listed(post_type="page") == listed(post_type="no-such") == listed()
    assert "single" in listed(area="header")
    assert "single" not in listed(area="footer")
    assert listed(area="no-such") == listed(area="") == []


def test_a_look_up_finds_what_was_made_for_one_slug_only(admin: Client) -> None:
    admin.post("/cms/v2/templates", {"slug": "category-news", "title": "x", "content": "x"})

    def found(slug: str) -> str:
        query = {"slug": slug, "template_prefix": "category"}
        return str(admin.get("/cms/v2/templates/lookup", query=query).json["slug"])

    assert (found("category-news"), found("category-news-old")) == ("category-news", "archive")


def test_a_look_up_passes_over_templates_without_content(admin: Client) -> None:
    admin.post("/cms/v2/templates", {"slug": "category", "title": "Empty"})
    assert admin.get("/cms/v2/templates/lookup", query={"slug": "category"}).json["slug"] == "archive"


def test_nothing_is_looked_up_for_an_empty_slug(admin: Client) -> None:
    assert admin.get("/cms/v2/templates/lookup", query={"slug": ""}).json == {}


# -- history


@pytest.mark.every_database
def test_revisions_are_kept_of_each_change_and_can_be_removed(admin: Client) -> None:
    admin.post("/cms/v2/templates", {"slug": "own", "title": "One", "description": "d1"})
    for body in ({"title": "Two"}, {"description": "d2"}, {"status": "draft"}):
        admin.post(path("own"), body)
    listed = admin.get(path("own/revisions"))
    assert listed.headers["x-cms-total"] == "2"
    assert [(one["title"]["raw"], one["description"]) for one in listed.json] == [("Two", "d2"), ("Two", "d1")]
    assert {one["status"] for one in listed.json} == {"inherit"}
    number = listed.json[0]["wp_id"]
    assert admin.delete(path(f"own/revisions/{number}")).status == 501
    assert admin.delete(path(f"own/revisions/{number}"), query={"force": True}).json["deleted"] is True
    assert admin.get(path(f"own/revisions/{number}")).code == "rest_post_invalid_id"
    assert admin.get(path("own")).json["_links"]["version-history"][0]["count"] == 1


def test_a_revision_of_another_template_is_not_found_here(admin: Client) -> None:
    for slug in ("one", "two"):
        admin.post("/cms/v2/templates", {"slug": slug, "title": slug})
        admin.post(path(slug), {"title": "changed"})
    number = admin.get(path("one/revisions")).json[0]["wp_id"]
    answer = admin.get(path(f"two/revisions/{number}"))
    assert (answer.status, answer.code) == (404, "rest_revision_parent_id_mismatch")


def test_an_autosave_leaves_the_template_as_it_is(admin: Client) -> None:
    made = admin.post("/cms/v2/templates", {"slug": "own", "title": "One", "content": "One"}).json
    saved = admin.post(path("own/autosaves"), {"content": "Two"}).json
    assert (saved["content"]["raw"], saved["title"]["raw"], saved["parent"]) == ("Two", "", made["wp_id"])
    assert admin.get(path("own")).json["content"]["raw"] == "One"
    assert [one["wp_id"] for one in admin.get(path("own/autosaves")).json] == [saved["wp_id"]]
    assert admin.get(path(f"own/autosaves/{saved['wp_id']}")).json["content"]["raw"] == "Two"


@pytest.mark.parametrize("room", ["revisions", "autosaves"])
def test_a_file_has_no_history(admin: Client, room: str) -> None:
    answer = admin.get(path(f"index/{room}"))
    assert (answer.status, answer.code) == (400, "rest_invalid_template")


# -- rights


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("login", ["", "subscriber", "contributor", "author", "editor", "admin"])
def test_who_may_read_and_who_may_write(site: Stand, admin: Client, base: str, login: str) -> None:
    admin.post(f"/cms/v2/{base}", {"slug": "own", "title": "x"})
    client = site.client(login)
    reads = [client.get(path("own", base)), client.get(f"/cms/v2/{base}"), client.get(path("no-such", base)),
             client.get(f"/cms/v2/{base}/lookup", query={"slug": "x"})]  # fmt: skip
    body = {"slug": "z", "title": "z"}
    writes = [client.post(path("own", base), body), client.post(path("own/autosaves", base), body),
              client.post(f"/cms/v2/{base}", body), client.delete(path("own", base))]  # fmt: skip
    refused = 403 if login else 401
    assert all((one.status == refused) == (login in ("", "subscriber")) for one in reads)
    assert all((one.status == refused) == (login != "admin") for one in writes)
    assert {one.code for one in (*reads, *writes) if one.status == refused} <= {"rest_cannot_manage_templates"}


@pytest.mark.parametrize(("login", "status"), [("", 401), ("editor", 403)])
def test_only_who_may_write_reads_the_history(site: Stand, admin: Client, login: str, status: int) -> None:
    admin.post("/cms/v2/templates", {"slug": "own", "title": "x"})
    for room in ("revisions", "autosaves"):
        answer = site.client(login).get(path(f"own/{room}"))
        assert (answer.status, answer.code) == (status, "rest_cannot_read")


def test_what_is_changed_in_one_language_is_changed_in_all(site: Stand) -> None:
    site.client("admin", "/it/cms-json").post(path("index"), {"content": "Mine"})
    assert site.client("editor", "/en/cms-json").get(path("index")).json["content"]["raw"] == "Mine"


@pytest.mark.parametrize(
    ("base", "template", "status"),
    [("pages", "wide", 201), ("pages", "own", 201), ("pages", "page", 400), ("pages", "no-such", 400),
     ("posts", "wide", 201), ("posts", "without-title", 400), ("blocks", "own", 400)],
)  # fmt: skip
def test_a_record_may_choose_a_template_that_is_offered_to_its_type(
    admin: Client, base: str, template: str, status: int
) -> None:
    admin.post("/cms/v2/templates", {"slug": "own", "title": "Own", "content": "x"})
    answer = admin.post(f"/cms/v2/{base}", {"title": "x", "template": template})
    assert answer.status == status
    assert (answer.json["template"] if status == 201 else answer.code) in (template, "rest_invalid_param")
