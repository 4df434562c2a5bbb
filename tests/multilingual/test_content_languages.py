"""Records and terms in several languages: linked, listed, moved, published and deleted.

Rules: docs/rules/translated_content.md, 5.
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, exchange, made as made_site
from vetrina.access.users import rules as users
from vetrina.content.translations import duplicates as translation_duplicates, record_translations
from vetrina.settings import load_profile

POSTS, PAGES, CATEGORIES = "/cms/v2/posts", "/cms/v2/pages", "/cms/v2/categories"


@pytest.fixture
def italian(site: Stand) -> Client:
    return site.client("admin", root="/it/cms-json")


def made(client: Client, path: str = POSTS, **members: Any) -> dict[str, Any]:
    answer = client.post(path, {"title": "Pane", "status": "publish", **members})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def pair(admin: Client, italian: Client, path: str = POSTS, **members: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Create an English original with its Italian translation."""
    english = made(admin, path, title="Bread", **members)
    return english, made(italian, path, title="Pane", translations={"en": english["id"]}, **members)


def numbers(answer: Any) -> list[int]:
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


def linked(client: Client, path: str, id: int) -> dict[str, int]:
    return {code: one["id"] for code, one in client.get(f"{path}/{id}").json["translations"].items()}


def fault(answer: Any, name: str) -> tuple[int, str, str]:
    return answer.status, answer.code, answer.json["data"]["details"][name]["code"]


# -- the members


def test_a_record_says_its_language_and_that_of_its_translations(admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    for client in (admin, italian):
        shown = client.get(f"{POSTS}/{english['id']}").json
        assert shown["lang"] == "en"
        assert shown["translations"] == {
            "en": {"id": english["id"], "status": "publish", "link": english["link"]},
            "it": {"id": pane["id"], "status": "publish", "link": pane["link"]},
        }
    listed = admin.get(POSTS, query={"_fields": "lang,translations.it.id"}).json
    assert listed == [{"lang": "en", "translations": {"it": {"id": pane["id"]}}}]
    assert "translations" not in admin.get(f"{POSTS}/{english['id']}", query={"context": "embed"}).json


def test_readers_see_those_translations_only_that_they_may_read(admin: Client, italian: Client, anyone: Client) -> None:
    english = made(admin, title="Bread")
    made(italian, status="draft", translations={"en": english["id"]})
    assert set(anyone.get(f"{POSTS}/{english['id']}").json["translations"]) == {"en"}
    assert set(admin.get(f"{POSTS}/{english['id']}").json["translations"]) == {"en", "it"}


def test_links_are_written_as_numbers_or_as_they_are_read(admin: Client, italian: Client) -> None:
    english, pane = made(admin, title="Bread"), made(italian)
    read = admin.post(f"{POSTS}/{pane['id']}", {"translations": english["translations"]}).json
    assert linked(admin, POSTS, english["id"]) == {"en": english["id"], "it": pane["id"]}
    again = admin.post(f"{POSTS}/{pane['id']}", {"translations": read["translations"], "lang": read["lang"]})
    assert (again.status, again.json["translations"]) == (200, read["translations"])
    assert admin.post(f"{POSTS}/{english['id']}", {"translations": {"it": None}}).status == 200
    assert linked(admin, POSTS, english["id"]) == {"en": english["id"]}
    assert linked(admin, POSTS, pane["id"]) == {"it": pane["id"]}


def test_another_translation_takes_the_place_of_the_first(admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    other = made(italian, title="Altro pane")
    answer = admin.post(f"{POSTS}/{english['id']}", {"translations": {"it": {"id": other["id"]}}})
    assert {code: one["id"] for code, one in answer.json["translations"].items()} == {
        "en": english["id"], "it": other["id"],
    }  # fmt: skip
    assert linked(admin, POSTS, pane["id"]) == {"it": pane["id"]}


def test_what_cannot_be_linked_is_named(admin: Client, italian: Client, site: Stand) -> None:
    english, page = made(admin, title="Bread"), made(italian, PAGES)
    pane = made(italian)
    target = f"{POSTS}/{english['id']}"
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"it": 99999}, "mlang_translation_unknown"),
        ({"it": page["id"]}, "mlang_translation_unknown"),
        ({"it": english["id"]}, "mlang_language_differs"),
        ({"en": pane["id"]}, "mlang_language_differs"),
        ({"it": "x"}, "rest_invalid_type"),
        ({"it": {}}, "rest_property_required"),
        ({"fr": pane["id"]}, "rest_additional_properties_forbidden"),
    )
    for value, code in wrong:
        assert fault(admin.post(target, {"translations": value}), "translations") == (400, "rest_invalid_param", code)
    own = made(site.client("author"), title="Mine")
    refused = site.client("author").post(f"{POSTS}/{own['id']}", {"translations": {"it": pane["id"]}})
    assert fault(refused, "translations") == (400, "rest_invalid_param", "rest_cannot_edit")
    assert fault(admin.post(target, {"lang": "fr"}), "lang") == (400, "rest_invalid_param", "rest_not_in_enum")


def test_a_refused_link_stores_nothing(admin: Client) -> None:
    refused = admin.post(POSTS, {"title": "Bread", "status": "publish", "translations": {"it": 99999}})
    assert refused.status == 400
    assert numbers(admin.get(POSTS)) == []


def test_lang_moves_a_record_to_a_language(admin: Client, italian: Client) -> None:
    post = made(admin, title="Pane", lang="it")
    assert post["lang"] == "it"
    assert "/it/" in post["link"]
    assert numbers(admin.get(POSTS)) == []
    assert numbers(italian.get(POSTS)) == [post["id"]]
    made(admin, title="Pane")
    moved = admin.post(f"{POSTS}/{post['id']}", {"lang": "en"}).json
    assert (moved["lang"], moved["slug"]) == ("en", "pane-2")
    assert numbers(italian.get(POSTS)) == []
    english, other = pair(admin, italian)
    refused = admin.post(f"{POSTS}/{other['id']}", {"lang": "en"})
    assert fault(refused, "lang") == (400, "rest_invalid_param", "mlang_language_taken")
    assert refused.json["data"]["details"]["lang"]["data"] == {"language": "en", "id": english["id"]}


def test_an_update_keeps_the_language_whatever_the_request_has(admin: Client, italian: Client) -> None:
    english = made(admin, title="Bread")
    assert italian.post(f"{POSTS}/{english['id']}", {"title": "New bread"}).json["lang"] == "en"
    term = made(admin, CATEGORIES, name="News")
    changed = italian.post(f"{CATEGORIES}/{term['id']}", {"description": "Words"}).json
    assert changed["lang"] == "en"


def test_the_schema_and_the_index_tell_of_languages(admin: Client) -> None:
    described = admin.options(POSTS).json
    properties = described["schema"]["properties"]
    assert properties["lang"]["enum"] == ["en", "it"]
    assert set(properties["translations"]["properties"]) == {"en", "it"}
    writes = next(one for one in described["endpoints"] if "POST" in one["methods"])["args"]
    assert {"lang", "translations"} <= set(writes)


# -- lists


def test_numbers_of_a_list_are_turned_into_those_of_the_language(admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    alone = made(italian, title="Solo")
    assert numbers(italian.get(POSTS, query={"include": english["id"]})) == [pane["id"]]
    assert numbers(admin.get(POSTS, query={"include": pane["id"]})) == []
    assert numbers(italian.get(POSTS, query={"exclude": english["id"]})) == [alone["id"]]
    both = italian.get(POSTS, query={"include": [alone["id"], english["id"]], "orderby": "include"})
    assert numbers(both) == [alone["id"], pane["id"]]


def modes(site: Stand, **chosen: int) -> None:
    """Set modes, as the XML configuration does."""
    with site.site.work() as work:
        work.set_option("translation_modes", chosen)


def test_what_is_not_translated_falls_back_to_the_default_language(site: Stand, admin: Client, italian: Client) -> None:
    modes(site, post_post=2)
    english, pane = pair(admin, italian, date="2026-01-02T00:00:00")
    only = made(admin, title="Only", date="2026-01-01T00:00:00", slug="only")
    late = made(italian, title="Tardi", date="2026-01-03T00:00:00")
    answer = italian.get(POSTS)
    assert numbers(answer) == [late["id"], pane["id"], only["id"]]
    assert answer.headers["x-cms-total"] == "3"
    assert numbers(italian.get(POSTS, query={"per_page": 2, "page": 2})) == [only["id"]]
    assert numbers(italian.get(POSTS, query={"order": "asc", "per_page": 1})) == [only["id"]]
    assert numbers(italian.get(POSTS, query={"orderby": "title", "order": "asc"})) == [
        only["id"], pane["id"], late["id"],
    ]  # fmt: skip
    assert numbers(italian.get(POSTS, query={"slug": "only"})) == [only["id"]]
    assert numbers(italian.get(POSTS, query={"search": "only"})) == [only["id"]]
    assert numbers(italian.get(POSTS, query={"search": "bread"})) == []
    assert numbers(italian.get(POSTS, query={"categories": 1, "order": "asc"})) == [only["id"], pane["id"], late["id"]]
    assert numbers(admin.get(POSTS)) == [english["id"], only["id"]]
    italian.post(f"{POSTS}/{pane['id']}", {"status": "draft"})
    assert numbers(italian.get(POSTS)) == [late["id"], english["id"], only["id"]]


def test_what_has_no_language_is_in_every_list(site: Stand, admin: Client, italian: Client) -> None:
    old = made(italian, "/cms/v2/intervento", title="Vecchio", date="2026-01-01T00:00:00")
    modes(site, post_intervento=0)
    new = made(italian, "/cms/v2/intervento", title="Nuovo", date="2026-01-02T00:00:00")
    assert (new["lang"], new["translations"]) == ("", {})
    for client, language in ((admin, "en"), (italian, "it")):
        answer = client.get("/cms/v2/intervento")
        assert numbers(answer) == [new["id"], old["id"]]
        assert answer.headers["x-cms-total"] == "2"
        assert answer.json[0]["link"] == f"http://vetrina.test/{language}/intervento/nuovo/"
        assert numbers(client.get("/cms/v2/intervento", query={"search": "nuovo"})) == [new["id"]]
        assert numbers(client.get("/cms/v2/search", query={"search": "nuovo"})) == [new["id"]]
        assert exchange(site.site, "GET", f"/{language}/intervento/nuovo/")[0] == 200
    refused = admin.post(f"/cms/v2/intervento/{new['id']}", {"lang": "it"})
    assert fault(refused, "lang") == (400, "rest_invalid_param", "mlang_not_translated")


def test_comments_follow_the_language_of_their_records(site: Stand, admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    said = [
        admin.post("/cms/v2/comments", {"post": one["id"], "content": f"About {one['id']}"}).json["id"]
        for one in (english, pane)
    ]
    assert numbers(admin.get("/cms/v2/comments")) == said[:1]
    assert numbers(italian.get("/cms/v2/comments")) == said[1:]
    modes(site, post_post=0)
    assert sorted(numbers(italian.get("/cms/v2/comments"))) == said


def test_the_front_page_is_its_translation_in_each_language(site: Stand, admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian, PAGES)
    posts = made(admin, PAGES, title="News")
    settings = {"show_on_front": "page", "page_on_front": english["id"], "page_for_posts": posts["id"]}
    admin.post("/cms/v2/settings", settings)
    assert italian.get("/").json["page_on_front"] == pane["id"]
    assert italian.get("/cms/v2/settings").json["page_on_front"] == pane["id"]
    assert italian.get("/").json["page_for_posts"] == posts["id"]
    assert admin.get("/").json["page_on_front"] == english["id"]
    assert italian.get(f"{PAGES}/{pane['id']}").json["link"] == "http://vetrina.test/it/"
    status, headers, _ = exchange(site.site, "GET", "/it/pane/")
    assert (status, {name.lower(): to for name, to in headers}["location"]) == (301, "http://vetrina.test/it/")
    assert exchange(site.site, "GET", "/it/")[0] == 200
    admin.delete(f"{PAGES}/{english['id']}?force=true")
    assert admin.get("/cms/v2/settings").json["page_on_front"] == pane["id"]


# -- what follows the original


def test_translations_take_settings_over_from_their_original(admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    changes = {"comment_status": "closed", "sticky": True, "format": "aside", "date": "2026-02-03T04:05:06"}
    admin.post(f"{POSTS}/{english['id']}", changes)
    found = italian.get(f"{POSTS}/{pane['id']}").json
    assert {name: found[name] for name in changes} == changes
    assert found["title"]["rendered"] == "Pane"
    italian.post(f"{POSTS}/{pane['id']}", {"comment_status": "open"})
    assert admin.get(f"{POSTS}/{english['id']}").json["comment_status"] == "closed"
    admin.post(f"{POSTS}/{english['id']}", {"status": "private"})
    assert italian.get(f"{POSTS}/{pane['id']}").json["status"] == "private"
    admin.post(f"{POSTS}/{english['id']}", {"status": "draft"})
    assert italian.get(f"{POSTS}/{pane['id']}").json["status"] == "private"


def test_the_place_in_a_tree_is_that_of_the_translated_parent(admin: Client, italian: Client) -> None:
    above, sopra = pair(admin, italian, PAGES)
    english, pane = pair(admin, italian, PAGES)
    admin.post(f"{PAGES}/{english['id']}", {"parent": above["id"], "menu_order": 7})
    found = italian.get(f"{PAGES}/{pane['id']}").json
    assert (found["parent"], found["menu_order"], found["slug"]) == (sopra["id"], 7, "pane-2")
    admin.post(f"{PAGES}/{english['id']}", {"parent": made(admin, PAGES, title="Other")["id"]})
    assert italian.get(f"{PAGES}/{pane['id']}").json["parent"] == 0


def test_terms_of_the_original_are_those_of_its_translations_in_their_language(admin: Client, italian: Client) -> None:
    news = made(admin, CATEGORIES, name="News")
    notizie = made(italian, CATEGORIES, name="Notizie", translations={"en": news["id"]})
    solo = made(italian, CATEGORIES, name="Solo qui")
    english, pane = pair(admin, italian)
    italian.post(f"{POSTS}/{pane['id']}", {"categories": [solo["id"]]})
    admin.post(f"{POSTS}/{english['id']}", {"categories": [news["id"]]})
    assert sorted(italian.get(f"{POSTS}/{pane['id']}").json["categories"]) == [notizie["id"], solo["id"]]
    admin.post(f"{POSTS}/{english['id']}", {"categories": [1]})
    assert italian.get(f"{POSTS}/{pane['id']}").json["categories"] == [solo["id"]]
    assert [one["count"] for one in italian.get(CATEGORIES).json] == [0, 1]


def test_a_duplicate_says_what_its_original_says_until_it_is_free(site: Stand, admin: Client, italian: Client) -> None:
    english = made(admin, title="Bread", content="<p>Fresh</p>", excerpt="Short")
    type = site.site.context.types["post"]

    def stored(id: int) -> Any:
        found = site.stored(id)
        assert found is not None
        return found

    original, who = stored(english["id"]), site_admin(site)
    with site.site.work(who) as work:
        copy = translation_duplicates.create_duplicate(work, type, original, "it")
    shown = italian.get(f"{POSTS}/{copy.id}").json
    assert (shown["lang"], shown["status"], shown["slug"]) == ("it", "publish", "bread")
    assert shown["content"]["rendered"].strip() == "<p>Fresh</p>"
    admin.post(f"{POSTS}/{english['id']}", {"content": "<p>Stale</p>"})
    assert "Stale" in italian.get(f"{POSTS}/{copy.id}").json["content"]["rendered"]
    duplicate = stored(copy.id)
    with site.site.work() as work:
        translation_duplicates.detach_duplicate(work, type, duplicate)
    admin.post(f"{POSTS}/{english['id']}", {"content": "<p>Gone</p>"})
    assert "Stale" in italian.get(f"{POSTS}/{copy.id}").json["content"]["rendered"]


def site_admin(site: Stand) -> Any:
    with site.site.work(read=True) as work:
        found = users.find_user(work.tx, 1)
    assert found is not None
    return found


# -- the end of a member


def test_the_first_of_the_rest_becomes_the_original(site: Stand, admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    assert [site.stored(one["id"]).source_language for one in (english, pane)] == ["", "en"]  # type: ignore[union-attr]
    admin.delete(f"{POSTS}/{english['id']}?force=true")
    left = site.stored(pane["id"])
    assert left is not None
    assert left.source_language == ""
    assert linked(italian, POSTS, pane["id"]) == {"it": pane["id"]}


def test_the_trash_keeps_its_place_until_another_takes_it(admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    italian.delete(f"{POSTS}/{pane['id']}")
    assert linked(admin, POSTS, english["id"]) == {"en": english["id"], "it": pane["id"]}
    italian.post(f"{POSTS}/{pane['id']}", {"status": "publish"})
    assert linked(admin, POSTS, english["id"])["it"] == pane["id"]
    italian.delete(f"{POSTS}/{pane['id']}")
    other = made(italian, title="Altro", translations={"en": english["id"]})
    assert linked(admin, POSTS, english["id"])["it"] == other["id"]
    assert italian.post(f"{POSTS}/{pane['id']}", {"status": "publish"}).json["translations"].keys() == {"it"}


def test_a_removed_term_leaves_its_translations(admin: Client, italian: Client) -> None:
    news = made(admin, CATEGORIES, name="News")
    notizie = made(italian, CATEGORIES, name="Notizie", translations={"en": news["id"]})
    assert admin.delete(f"{CATEGORIES}/{news['id']}?force=true").status == 200
    assert linked(italian, CATEGORIES, notizie["id"]) == {"it": notizie["id"]}


# -- terms and menus


def test_terms_are_linked_like_records(admin: Client, italian: Client, site: Stand) -> None:
    news = made(admin, CATEGORIES, name="News")
    same = made(italian, CATEGORIES, name="News")
    assert same["slug"] == "news"
    answer = italian.post(f"{CATEGORIES}/{same['id']}", {"translations": {"en": {"id": news["id"]}}})
    assert {code: one["id"] for code, one in answer.json["translations"].items()} == {
        "en": news["id"], "it": same["id"],
    }  # fmt: skip
    assert numbers(italian.get(CATEGORIES, query={"include": news["id"]})) == [same["id"]]
    assert numbers(italian.get(CATEGORIES, query={"slug": "news"})) == [same["id"]]
    taken = made(italian, CATEGORIES, name="Altro")
    refused = italian.post(f"{CATEGORIES}/{taken['id']}", {"lang": "en", "translations": {"it": same["id"]}})
    assert refused.status == 400
    refused = italian.post(f"{CATEGORIES}/{same['id']}", {"lang": "en"})
    assert fault(refused, "lang") == (400, "rest_invalid_param", "mlang_language_taken")
    tag = made(admin, "/cms/v2/tags", name="Tag", lang="it")
    assert (tag["lang"], numbers(italian.get("/cms/v2/tags"))) == ("it", [tag["id"]])
    wrong = admin.post(f"{CATEGORIES}/{news['id']}", {"translations": {"it": tag["id"]}})
    assert fault(wrong, "translations") == (400, "rest_invalid_param", "mlang_translation_unknown")


def test_terms_fall_back_and_are_shared(site: Stand, admin: Client, italian: Client) -> None:
    news = made(admin, CATEGORIES, name="News")
    notizie = made(italian, CATEGORIES, name="Notizie", translations={"en": news["id"]})
    assert numbers(italian.get(CATEGORIES)) == [notizie["id"]]
    modes(site, tax_category=2)
    assert numbers(italian.get(CATEGORIES)) == [notizie["id"], 1]
    modes(site, tax_category=0)
    assert numbers(italian.get(CATEGORIES)) == [news["id"], notizie["id"], 1]
    assert italian.get(f"{CATEGORIES}/1").json["link"] == "http://vetrina.test/it/category/uncategorized/"


def test_menus_and_their_items_are_linked(admin: Client, italian: Client) -> None:
    menus, items = "/cms/v2/menus", "/cms/v2/menu-items"
    main = admin.post(menus, {"name": "Main"}).json
    own = italian.post(menus, {"name": "Main", "translations": {"en": main["id"]}}).json
    assert {code: one["id"] for code, one in own["translations"].items()} == {"en": main["id"], "it": own["id"]}
    words = {"title": "Here", "url": "https://x.example/", "status": "publish"}
    here = admin.post(items, {**words, "menus": main["id"]}).json
    qui = admin.post(items, {**words, "menus": own["id"], "translations": {"en": here["id"]}}).json
    assert (here["lang"], qui["lang"]) == ("en", "it")
    assert set(admin.get(f"{items}/{here['id']}").json["translations"]) == {"en", "it"}
    refused = admin.post(items, {**words, "lang": "fr"})
    assert fault(refused, "lang") == (400, "rest_invalid_param", "mlang_language_unknown")
    refused = admin.post(f"{items}/{here['id']}", {"lang": "it"})
    assert fault(refused, "lang") == (400, "rest_invalid_param", "mlang_language_differs")


def test_a_template_has_a_version_for_each_language(site: Stand, admin: Client, italian: Client) -> None:
    path = f"/cms/v2/templates/{admin.get('/cms/v2/templates').json[0]['id']}"
    assert admin.get(path).json["lang"] == ""
    english = italian.post(path, {"content": "For all"}).json
    assert (english["lang"], italian.get(path).json["content"]["raw"]) == ("en", "For all")
    own = admin.post(path, {"content": "Per noi", "lang": "it"}).json
    assert (own["lang"], own["id"], set(own["translations"])) == ("it", english["id"], {"en", "it"})
    assert [client.get(path).json["content"]["raw"] for client in (admin, italian)] == ["For all", "Per noi"]
    assert [one["id"] for one in italian.get("/cms/v2/templates").json].count(own["id"]) == 1
    italian.post(path, {"title": "Nostro"})
    assert [client.get(path).json["title"]["raw"] == "Nostro" for client in (admin, italian)] == [False, True]
    assert fault(admin.post(path, {"lang": "fr"}), "lang")[2] == "mlang_language_unknown"
    assert italian.delete(f"{path}?force=true").status == 200
    assert italian.get(path).json["content"]["raw"] == "For all"
    admin.post(path, {"content": "Per noi", "lang": "it"})
    assert admin.delete(f"{path}?force=true").status == 200
    assert italian.get(path).json["lang"] == ""


# -- media


def test_files_are_of_a_language_or_shared(tmp_path: Path, admin: Client, italian: Client) -> None:
    name = {"content-disposition": 'attachment; filename="mela.txt"'}
    own = italian.post("/cms/v2/media", body=b"words", headers=name, query={"lang": "it"}).json
    twin = own["translations"]["en"]["id"]
    assert (own["lang"], numbers(admin.get("/cms/v2/media")), numbers(italian.get("/cms/v2/media"))) == (
        "it", [twin], [own["id"]],
    )  # fmt: skip
    profile = msgspec.structs.replace(load_profile("first"), media_translation="shared")
    folder = tmp_path / "shared"
    folder.mkdir()
    stand = Stand(made_site(folder, profile))
    try:
        file = stand.client("admin").post("/cms/v2/media", body=b"words", headers=name).json
        assert (file["lang"], file["translations"]) == ("", {})
        for root in ("/en/cms-json", "/it/cms-json"):
            assert numbers(stand.client("admin", root=root).get("/cms/v2/media")) == [file["id"]]
    finally:
        stand.site.close()


# -- public pages


def test_public_pages_name_their_translations(site: Stand, admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    wanted = [("en", english["link"]), ("it", pane["link"]), ("x-default", english["link"])]
    for one in (english, pane):
        _, _, content = exchange(site.site, "GET", one["link"].removeprefix("http://vetrina.test"))
        for code, address in wanted:
            assert f'<link rel="alternate" hreflang="{code}" href="{address}">' in content.decode()
    _, _, content = exchange(site.site, "GET", "/sitemap-post-it-1.xml")
    for code, address in wanted:
        assert f'<xhtml:link rel="alternate" hreflang="{code}" href="{address}"></xhtml:link>' in content.decode()
    alone = made(italian, title="Solo")
    _, _, content = exchange(site.site, "GET", alone["link"].removeprefix("http://vetrina.test"))
    assert b"x-default" not in content


# -- the functions that others build on


def test_a_group_takes_one_member_a_language(site: Stand, admin: Client, italian: Client) -> None:
    english, pane = pair(admin, italian)
    other = made(italian, title="Altro")
    page = made(italian, PAGES)
    first, second, third = (site.stored(one["id"]) for one in (english, other, page))
    assert first is not None
    assert second is not None
    assert third is not None
    with site.site.work() as work:
        with pytest.raises(record_translations.LanguageTaken) as taken:
            record_translations.join_record_group(work, second, first.translations)
        assert taken.value.data == {"language": "it", "id": pane["id"]}
        with pytest.raises(record_translations.GroupOfAnotherType):
            record_translations.join_record_group(work, third, first.translations)
        assert record_translations.find_original_record(work, second).id == second.id
        assert {code: one.id for code, one in record_translations.load_record_group(work, first).items()} == {
            "en": english["id"], "it": pane["id"],
        }  # fmt: skip
        assert record_translations.leave_record_group(work, second) == second
