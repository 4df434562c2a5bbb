"""What search engines and social networks are told: over the interface, in the heads of pages, in the sitemap."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, Stand, exchange, made
from pictures import picture
from recorded_statements import record_statements
from vetrina.settings import load_profile

POSTS, PAGES, CATEGORIES, MEDIA = "/cms/v2/posts", "/cms/v2/pages", "/cms/v2/categories", "/cms/v2/media"
ORIGIN = "http://vetrina.test"
FIELDS = {"_fields": "id,seo,link"}
EMPTY = {
    "title": "", "description": "", "canonical": "", "noindex": False, "nofollow": False, "image": 0, "og_title": "",
    "og_description": "",
}  # fmt: skip


@pytest.fixture
def open_site(tmp_path: Path) -> Iterator[Stand]:
    """A site that always shows the member."""
    site = made(tmp_path, msgspec.structs.replace(load_profile("first"), seo=True))
    yield Stand(site)
    site.close()


def post_of(client: Client, base: str = POSTS, **members: Any) -> dict[str, Any]:
    answer = client.post(base, {"title": "Nets", "status": "publish", **members}, query=FIELDS)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def seo_of(client: Client, id: int, base: str = POSTS) -> dict[str, Any]:
    answer = client.get(f"{base}/{id}", query=FIELDS)
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json["seo"]
    return found


def written(seo: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in seo.items() if name != "computed"}


def image_of(admin: Client, **members: Any) -> int:
    kind = {"content-type": "image/png", "content-disposition": 'attachment; filename="sea.png"'}
    answer = admin.ask("POST", MEDIA, body=picture(1600, 900, "PNG"), headers=kind)
    assert answer.status == 201, answer.json
    admin.patch(f"{MEDIA}/{answer.json['id']}", {"alt_text": "The sea", **members})
    return int(answer.json["id"])


def head_of(site: Stand, link: str) -> str:
    status, _, content = exchange(site.site, "GET", link.removeprefix(ORIGIN))
    assert status == 200
    return content.decode().partition("</head>")[0]


def metas(head: str) -> dict[str, str]:
    found = re.findall(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">', head)
    return {name: unescape(value) for name, value in found}


def data_blocks(head: str) -> list[Any]:
    return [json.loads(one) for one in re.findall(r'<script type="application/ld\+json">(.*?)</script>', head)]


# -- over the interface


def test_without_anything_written_it_follows_from_the_content(editor: Client, anyone: Client) -> None:
    post = post_of(editor, content="<p>Fish &amp; <em>chips</em>.</p>")
    seo = seo_of(anyone, post["id"])
    assert written(seo) == EMPTY
    computed = seo["computed"]
    assert {name: computed[name] for name in ("title", "description", "canonical", "robots")} == {
        "title": "Nets – Vetrina", "description": "Fish & chips.", "canonical": post["link"], "robots": "index, follow",
    }  # fmt: skip
    assert computed["og"] == {
        "title": "Nets", "description": "Fish & chips.", "url": post["link"], "type": "article", "site_name": "Vetrina",
        "locale": "en_US",
    }  # fmt: skip
    assert computed["twitter"] == {"card": "summary", "title": "Nets", "description": "Fish & chips."}
    article, crumbs = computed["json_ld"]
    assert (article["@type"], article["headline"], article["author"]["name"]) == ("Article", "Nets", "editor")
    assert article["datePublished"].endswith("Z")
    assert [one["name"] for one in crumbs["itemListElement"]] == ["Vetrina", "Nets"]


def test_a_long_text_is_cut_between_words(editor: Client, anyone: Client) -> None:
    post = post_of(editor, excerpt="word " * 60)
    text = seo_of(anyone, post["id"])["computed"]["description"]
    assert text.endswith("word…")
    assert 140 < len(text) <= 160


def test_what_is_written_comes_first(admin: Client, anyone: Client) -> None:
    image = image_of(admin)
    given = {
        "title": "Best <b>nets</b>  ever", "description": "Made < here", "canonical": "https://elsewhere.example/nets",
        "noindex": True, "nofollow": True, "image": image, "og_title": "Look", "og_description": "At this",
    }  # fmt: skip
    post = post_of(admin, seo=given)
    seo = seo_of(anyone, post["id"])
    assert written(seo) == {**given, "title": "Best nets ever"}
    computed = seo["computed"]
    assert computed["title"] == "Best nets ever"
    assert computed["canonical"] == "https://elsewhere.example/nets"
    assert computed["robots"] == "noindex, nofollow"
    assert (computed["og"]["title"], computed["og"]["description"]) == ("Look", "At this")
    assert (computed["og"]["image:width"], computed["og"]["image:height"]) == (1024, 576)
    assert computed["og"]["image:alt"] == "The sea"
    assert computed["twitter"]["card"] == "summary_large_image"
    changed = admin.patch(f"{POSTS}/{post['id']}", {"seo": {"title": "", "noindex": False}}, query=FIELDS).json["seo"]
    assert written(changed) == {**given, "title": "", "noindex": False}
    admin.patch(f"{POSTS}/{post['id']}", {"title": "Other"})
    assert seo_of(anyone, post["id"])["computed"]["title"] == "Other – Vetrina"


def test_the_featured_image_stands_in(admin: Client, anyone: Client) -> None:
    image = image_of(admin)
    post = post_of(admin, featured_media=image)
    seo = seo_of(anyone, post["id"])
    assert seo["image"] == 0
    assert seo["computed"]["og"]["image"].startswith(f"{ORIGIN}/cms-content/uploads/")
    draft = post_of(admin, status="draft")["id"]
    admin.patch(f"{MEDIA}/{image}", {"post": draft})
    assert "image" not in seo_of(anyone, post["id"])["computed"]["og"]


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"canonical": "javascript:alert(1)"}, "seo"), ({"canonical": "//x.example/"}, "seo"),
        ({"canonical": "nets"}, "seo"), ({"image": 999_999}, "seo"), ({"noindex": "perhaps"}, "seo"),
        ({"title": "x" * 301}, "seo"), ({"image": -1}, "seo"), ("text", "seo"), ({"title": ["x"]}, "seo"),
    ],
)  # fmt: skip
def test_what_cannot_be_told_is_refused(editor: Client, given: Any, wrong: str) -> None:
    answer = editor.post(POSTS, {"title": "x", "seo": given})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == [wrong]


def test_every_wrong_member_is_named(editor: Client) -> None:
    answer = editor.post(POSTS, {"title": "x", "seo": {"canonical": "x y", "image": 999_999}})
    told = answer.json["data"]["params"]["seo"]
    assert "seo.canonical:" in told
    assert "seo.image:" in told


def test_it_is_shown_only_where_it_is_asked_for(editor: Client, anyone: Client) -> None:
    post = post_of(editor, seo={"title": "Nets"})
    for path in (f"{POSTS}/{post['id']}", POSTS, CATEGORIES):
        found = anyone.get(path).json
        assert all("seo" not in one for one in (found if isinstance(found, list) else [found]))
    shown = anyone.get(f"{POSTS}/{post['id']}").json
    assert "_seo" not in json.dumps(shown)
    assert "seo" not in anyone.options(POSTS).json["schema"]["properties"]
    nested = anyone.get(POSTS, query={"_fields": "seo.title"}).json[0]
    assert nested == {"seo": {"title": "Nets"}}
    assert "seo" not in editor.get("/").json["routes"][POSTS]["endpoints"][1]["args"]


def test_a_profile_shows_it_always(open_site: Stand) -> None:
    editor = open_site.client("editor")
    answer = editor.post(POSTS, {"title": "Nets", "status": "publish", "seo": {"title": "T"}})
    assert answer.json["seo"]["title"] == "T"
    assert open_site.client().get(POSTS).json[0]["seo"]["computed"]["title"] == "T"
    assert open_site.client().get(CATEGORIES).json[0]["seo"]["computed"]["robots"] == "index, follow"
    assert "seo" in editor.options(POSTS).json["schema"]["properties"]
    assert "seo" in editor.get("/").json["routes"][POSTS]["endpoints"][1]["args"]
    embedded = open_site.client().get(POSTS, query={"context": "embed"}).json[0]
    assert "seo" not in embedded


def test_each_translation_has_its_own(site: Stand, editor: Client) -> None:
    english = post_of(editor, seo={"title": "Nets", "noindex": True})
    italian = site.client("editor", root="/it/cms-json")
    twin = italian.post(POSTS, {"title": "Reti", "status": "publish", "translations": {"en": english["id"]}}).json["id"]
    assert written(seo_of(italian, twin)) == EMPTY
    italian.patch(f"{POSTS}/{twin}", {"seo": {"title": "Le reti"}})
    assert seo_of(editor, english["id"])["title"] == "Nets"
    assert seo_of(italian, twin)["computed"]["og"]["locale"] == "it_IT"


def test_drafts_and_protected_texts_tell_nothing(editor: Client, anyone: Client) -> None:
    protected = post_of(editor, content="The secret", password="word")
    assert "secret" not in json.dumps(seo_of(anyone, protected["id"]))
    draft = post_of(editor, status="draft")
    computed = seo_of(editor, draft["id"])["computed"]
    assert (computed["robots"], computed["canonical"], computed["json_ld"]) == ("noindex, follow", None, [])
    assert anyone.get(f"{POSTS}/{draft['id']}", query=FIELDS).status == 401


def test_the_trail_has_the_pages_above(editor: Client, anyone: Client) -> None:
    top = post_of(editor, PAGES, title="Top")["id"]
    middle = post_of(editor, PAGES, title="Middle", parent=top, status="draft")["id"]
    low = post_of(editor, PAGES, title="Low", parent=middle)
    page, crumbs = seo_of(anyone, low["id"], PAGES)["computed"]["json_ld"]
    assert page["@type"] == "WebPage"
    assert [one["name"] for one in crumbs["itemListElement"]] == ["Vetrina", "Top", "Low"]
    assert crumbs["itemListElement"][2]["item"] == low["link"]


def test_terms_have_it_too(admin: Client, anyone: Client, site: Stand) -> None:
    answer = admin.post(CATEGORIES, {"name": "Tools & more", "description": "All <b>tools</b>"}, query=FIELDS)
    id, link = answer.json["id"], answer.json["link"]
    computed = seo_of(anyone, id, CATEGORIES)["computed"]
    assert (computed["title"], computed["description"]) == ("Tools & more – Vetrina", "All tools")
    assert computed["canonical"] == link
    changed = admin.patch(f"{CATEGORIES}/{id}", {"seo": {"title": "Tools", "noindex": True}}, query=FIELDS)
    assert changed.json["seo"]["computed"]["title"] == "Tools"
    assert anyone.get(f"{CATEGORIES}/{id}").json["meta"] == {}
    assert admin.patch(f"{CATEGORIES}/{id}", {"seo": {"canonical": "x y"}}).code == "rest_invalid_param"
    head = head_of(site, link)
    assert "<title>Tools</title>" in head
    assert metas(head)["robots"] == "noindex, follow"


@pytest.mark.in_process
def test_a_list_asks_no_more_for_more_records(site: Stand, admin: Client, kind: str) -> None:
    if kind != "sqlite":
        pytest.skip("statements are traced on SQLite")

    def count_statements() -> int:
        with record_statements(site) as asked:
            assert admin.get(POSTS, query={**FIELDS, "per_page": 20}).status == 200
        return len(asked)

    image = image_of(admin)
    post_of(admin, featured_media=image)
    count_statements()
    few = count_statements()
    for _ in range(10):
        post_of(admin, featured_media=image)
    count_statements()  # the first after a write counts the list again
    assert count_statements() == few


# -- pages


def test_the_head_of_a_page_says_it(site: Stand, admin: Client) -> None:
    post = post_of(admin, seo={"title": "A </title><b>", "description": 'Say "hi" & <go>', "canonical": "/en/nets/"})
    head = head_of(site, post["link"])
    found = metas(head)
    assert "<title>A </title>" not in head
    assert found["description"] == seo_of(admin, post["id"])["description"]
    assert f'<link rel="canonical" href="{ORIGIN}/en/nets/">' in head
    assert (found["og:url"], found["og:type"], found["twitter:card"]) == (f"{ORIGIN}/en/nets/", "article", "summary")
    assert "robots" not in found
    assert head.count("canonical") == 1


def test_a_data_block_cannot_be_left(site: Stand, admin: Client) -> None:
    post = post_of(admin, title="x", seo={"description": "</script><script>alert(1)</script> & more"})
    admin.patch("/cms/v2/settings", {"title": "</script><script>alert(2)</script>"})
    head = head_of(site, post["link"])
    assert "<script>" not in head
    assert len(data_blocks(head)) == 2


def test_a_page_that_is_not_to_be_found_says_so_and_is_not_in_the_sitemap(site: Stand, admin: Client) -> None:
    shown, hidden = post_of(admin, title="Shown"), post_of(admin, title="Hidden", seo={"noindex": True})
    assert metas(head_of(site, hidden["link"]))["robots"] == "noindex, follow"
    listed = exchange(site.site, "GET", "/sitemap-post-en-1.xml")[2].decode()
    assert shown["link"] in listed
    assert hidden["link"] not in listed
    admin.patch(f"{POSTS}/{hidden['id']}", {"seo": {"noindex": False}})
    assert hidden["link"] in exchange(site.site, "GET", "/sitemap-post-en-1.xml")[2].decode()
    term = admin.post(CATEGORIES, {"name": "Inside", "seo": {"noindex": True}}).json
    admin.patch(f"{POSTS}/{shown['id']}", {"categories": [term["id"]]})
    assert term["link"] not in exchange(site.site, "GET", "/sitemap-category-en-1.xml")[2].decode()


def test_a_kept_page_follows_what_is_written(site: Stand, admin: Client) -> None:
    post = post_of(admin)
    assert "<title>Nets – Vetrina</title>" in head_of(site, post["link"])
    admin.patch(f"{POSTS}/{post['id']}", {"seo": {"title": "New"}})
    assert "<title>New</title>" in head_of(site, post["link"])
