"""Cached responses are never older than the last write, whoever wrote."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any
from urllib.parse import urlencode

import msgspec
import pytest

from conftest import ORIGIN, Answer, Client, Stand, exchange
from pictures import picture
from vetrina.rest.dialects.dialect import ADMIN_DIALECT
from vetrina.settings import load_profile
from vetrina.site import Site

PICTURE = picture(320, 200, "PNG")
_WAIT = re.compile(rb'"Retry-After":\s*"\d+"')

READS = (
    "/",
    "/cms/v2/posts",
    "/cms/v2/posts?per_page=2&orderby=title&order=asc",
    "/cms/v2/posts?search=mela",
    "/cms/v2/posts?_embed",
    "/cms/v2/posts?categories=1&_fields=id,categories",
    "/cms/v2/posts?mlang_language=it",
    "/cms/v2/posts?mlang_language=it&include=1,2,3,4,5&_fields=id,translations",
    "/cms/v2/intervento?mlang_language=it&_fields=id,lang,link,translations",
    "/cms/v2/pages?_fields=id,translations",
    "/cms/v2/categories?mlang_language=it&slug=mela",
    "/?mlang_language=it&_fields=page_on_front,name,description",
    "/cms/v2/users?mlang_language=it",
    "/cms/v2/pages?_fields=id,link,parent",
    "/cms/v2/pages?_embed=up",
    "/cms/v2/categories",
    "/cms/v2/tags?hide_empty=true",
    "/cms/v2/users",
    "/cms/v2/intervento",
    "/cms/v2/comments",
    "/cms/v2/comments?_embed&order=asc",
    "/cms/v2/search?search=mela",
    "/cms/v2/search?type=term&_embed",
    "/cms/v2/search?type=post-format",
    "/cms/v2/media",
    "/cms/v2/media?_embed&media_type=text",
    "/cms/v2/media?search=mela",
)

PAGES = ("/", "/it/", "/en/feed/", "/sitemap.xml", "/sitemap-post-en-1.xml", "/sitemap-page-en-1.xml", "/en/?s=mela",
         "/en/author/admin/", "/en/category/uncategorized/")  # fmt: skip

# Dynamic content, which changes elsewhere change.
CONTENTS = (
    "mela",
    "mela :) pera",
    '<!-- wp:latest-posts {"displayAuthor":true} /--><!-- wp:archives /-->',
    '<!-- wp:categories {"showPostCounts":true} /--><!-- wp:tag-cloud /-->',
    "<!-- wp:page-list /--><!-- wp:site-title /--><!-- wp:latest-comments /-->",
    '<!-- wp:query --><!-- wp:post-template --><!-- wp:post-title /--><!-- wp:post-terms {"term":"category"} /-->'
    "<!-- wp:post-author-name /--><!-- wp:post-content /--><!-- /wp:post-template --><!-- /wp:query -->",
)


def _answers(client: Client, numbers: list[tuple[str, int]]) -> dict[str, tuple[int, Any, str | None]]:
    targets = [*READS, *(f"/cms/v2/{base}/{number}?_embed" for base, number in numbers)]
    embed = "/oembed/1.0/embed?_fields=title,author_name&url=http%3A%2F%2Fvetrina.test%2F%3Fp%3D"
    targets += [f"{embed}{number}" for _, number in numbers]
    out = {}
    for target in targets:
        answer = client.get(target)
        out[target] = (answer.status, answer.json, answer.headers.get("x-cms-total"))
    links = (one[1]["link"] for one in tuple(out.values()) if isinstance(one[1], dict) and "link" in one[1])
    for page in (*PAGES, *(link.removeprefix(ORIGIN) for link in links)):
        status, _, content = exchange(client.site, "GET", page)
        out[f"page {page}"] = (status, content, None)
    return out


@pytest.mark.parametrize("seed", range(6))
def test_a_kept_answer_equals_one_made_anew(site: Stand, seed: int) -> None:
    _compare(site, seed, steps=25)


@pytest.mark.every_database
def test_a_kept_answer_equals_one_made_anew_on_every_database(site: Stand) -> None:
    _compare(site, seed=6, steps=15)


@pytest.mark.parametrize("seed", range(3))
def test_the_feed_names_a_tag_of_every_answer_that_changed(site: Stand, seed: int) -> None:
    random, anyone, writer = Random(seed), site.client(), site.client("admin")
    numbers: list[tuple[str, int]] = []
    terms: list[tuple[str, int]] = []
    since, before = writer.get("/cms/v2/changes").json["next"], _tagged_answers(anyone, numbers)
    compared = 0
    for step in range(30):
        _write(random, writer, numbers, terms, step)
        named, since = _read_tags(writer, since)
        after = _tagged_answers(anyone, numbers)
        for target, (content, tags) in before.items():
            if tags and after[target][0] != content:
                assert tags & named, (target, tags, named)
                compared += 1
        before = after
    assert compared > 50


def _read_tags(client: Client, since: int) -> tuple[set[str], int]:
    """Return the tags of all changes since a cursor, and the cursor after them."""
    named: set[str] = set()
    more = True
    while more:
        page = client.get("/cms/v2/changes", query={"since": since}).json
        named.update(tag for one in page["changes"] for tag in one["tags"])
        since, more = page["next"], page["more"]
    return named, since


def _tagged_answers(client: Client, numbers: list[tuple[str, int]]) -> dict[str, tuple[bytes, set[str]]]:
    """Return content and cache tags of answers; one without tags is not to be kept."""
    targets = [f"/en/cms-json{one}" for one in READS] + list(PAGES)
    targets += [f"/en/cms-json/cms/v2/{base}/{number}{query}" for base, number in numbers for query in ("", "?_embed")]
    found = {}
    for target in targets:
        status, headers, content = exchange(client.site, "GET", target)
        text = dict(headers).get("cache-tag", "") if status == 200 else ""
        found[target] = content, set(filter(None, text.split(",")))
    return found


def _compare(site: Stand, seed: int, steps: int) -> None:
    """Two sites share one database: one caches responses, one does not; writes go through either."""
    settings = msgspec.structs.replace(site.site.context.settings, cache_bytes=0, fragment_bytes=0)
    plain = Site(load_profile("first"), settings, site.site.folder)
    other = Stand(plain)
    try:
        random = Random(seed)
        writers = [site.client("admin"), other.client("admin")]
        numbers: list[tuple[str, int]] = []
        terms: list[tuple[str, int]] = []
        for step in range(steps):
            _write(random, random.choice(writers), numbers, terms, step)
            kept, again, anew = (_answers(client, numbers) for client in (site.client(), site.client(), other.client()))
            assert kept == anew
            assert again == anew
    finally:
        plain.close()


@pytest.mark.parametrize("seed", range(4))
def test_a_record_kept_as_text_is_shown_as_one_made_anew(site: Stand, seed: int) -> None:
    _compare_shown(site, seed, steps=12)


@pytest.mark.every_database
def test_a_record_kept_as_text_is_shown_as_one_made_anew_on_every_database(site: Stand) -> None:
    _compare_shown(site, seed=11, steps=10)


def _compare_shown(site: Stand, seed: int, steps: int) -> None:
    """Two sites share one database and keep no answers: one keeps records as they are shown, one does not."""
    random, profile = Random(seed), msgspec.structs.replace(load_profile("first"), dialects=("neutral", ADMIN_DIALECT))
    settings = msgspec.structs.replace(site.site.context.settings, cache_bytes=0)
    keeping = Site(profile, settings, site.site.folder)
    plain = Site(profile, msgspec.structs.replace(settings, fragment_bytes=0), site.site.folder)
    try:
        writers = [Stand(keeping).client("admin"), Stand(plain).client("admin")]
        texts = ({"title": f"mela {at}", "content": "mela", "status": "publish"} for at in range(4))
        numbers = [("posts", writers[0].post("/cms/v2/posts", one).json["id"]) for one in texts]
        terms: list[tuple[str, int]] = []
        for step in range(steps):
            for turn in range(3):
                _write(random, random.choice(writers), numbers, terms, 3 * step + turn)
            for _ in range(25):
                target = _choose_target(random, keeping, numbers)
                for login in random.choices(("", "", "subscriber", "author", "admin"), k=3):
                    _compare_answers(*(_show(one, login, target) for one in (keeping, plain)), target)
        assert keeping.context.fragments.facts()["hits"] > 20
    finally:
        keeping.close()
        plain.close()


def _compare_answers(kept: Answer, fresh: Answer, target: str) -> None:
    assert kept.status == fresh.status, target
    if kept.status == 429:
        return  # after too many wrong passwords; it tells how long to wait, which the clock decides
    # The same in an envelope.
    texts = [_WAIT.sub(b"", one.content) for one in (kept, fresh)]
    assert texts[0] == texts[1], target
    # What is kept of a list may name what its neighbours were made from, too.
    told, named = (set(one.headers.pop("cache-tag", "").split(",")) for one in (kept, fresh))
    assert {one for one in named - told if one.rpartition("-")[0] not in told} == set(), target
    assert told == named or isinstance(fresh.json, list) or "_jsonp" in target, target
    for one in (kept, fresh):
        one.headers.pop("x-request-id")
    assert kept.headers == fresh.headers, target


def _show(site: Site, login: str, target: str) -> Answer:
    return Stand(site).client(login, root="").get(target)


def _choose_target(random: Random, site: Site, numbers: list[tuple[str, int]]) -> str:
    """Return a random read of records."""
    dialect = site.dialects[1]
    assert dialect is not None
    base = random.choice(("posts", "posts", "pages", "intervento"))
    named = [f"/{number}" for kind, number in numbers if kind == base]
    path = f"/cms/v2/{base}{random.choice(['', '', *named, *named])}"
    root = random.choice(("/en/cms-json", "/it/cms-json", "/cms-json", f"/en/{dialect.prefix}"))
    chosen = {
        "context": (None, None, None, "view", "embed", "edit"),
        "_fields": (
            None, None, None, "id,title", "title.rendered,link", "id,_links", "_links.self", "translations,content.raw",
            "seo,id", "blocks", "excerpt,content.plain", "meta,ext,class_list", "_embedded,_links,id",
        ),
        "mlang_language": (None, None, None, "en", "it"),
        "_embed": (None, None, None, "1", "author"),
        "_pretty": (None, None, None, None, "1"),
        "_envelope": (None, None, None, None, "1"),
        "password": (None, None, None, None, "x", "y"),
        "excerpt_length": (None, None, None, None, "2"),
        "_jsonp": (None, None, None, None, "show"),
    }  # fmt: skip
    if "/v2/" + base == path[4:]:
        chosen |= {
            "per_page": (None, "1", "3", "5"),
            "page": (None, None, None, "2"),
            "search": (None, None, None, "mela"),
            "orderby": (None, None, "title", "id", "modified"),
            "order": (None, "asc"),
            "status": (None, None, None, "draft", "publish"),
            "ignore_sticky": (None, None, "false"),
            "author": (None, None, None, "1"),
            "offset": (None, None, None, None, "1"),
            "categories": (None, None, None, "1"),
        }
    query = {name: value for name, values in chosen.items() if (value := random.choice(values)) is not None}
    if dialect.prefix in root:
        path = dialect.to_dialect_path(path)
        query = {dialect.names.word(name): value for name, value in query.items()}
    return f"{root}{path}?{urlencode(query)}"


def _write(
    random: Random, writer: Client, numbers: list[tuple[str, int]], terms: list[tuple[str, int]], step: int
) -> None:
    words = random.choice(("mela", "pera", "mela e pera", "Zebra"))

    def new_record() -> None:
        base = random.choice(("posts", "posts", "pages", "intervento"))
        body: dict[str, Any] = {"title": f"{words} {step}", "status": random.choice(("publish", "publish", "draft"))}
        body["content"] = random.choice(CONTENTS)
        if base == "posts" and terms:
            body["categories"] = [number for kind, number in terms if kind == "categories"]
        if base == "pages":
            parents = [number for kind, number in numbers if kind == "pages"]
            body["parent"] = random.choice([0, *parents])
        answer = writer.post(f"/cms/v2/{base}", body, query={"mlang_language": random.choice(("en", "en", "it"))})
        if answer.status == 400:  # the chosen parent has been deleted
            return
        assert answer.status == 201
        numbers.append((base, answer.json["id"]))

    def change_record() -> None:
        base, number = random.choice(numbers)
        writer.post(
            f"/cms/v2/{base}/{number}",
            random.choice((
                {"title": f"{words} changed {step}"},
                {"status": "draft"},
                {"status": "publish"},
                {"slug": f"slug-{step}"},
                {"sticky": True},
                {"password": "x"},
                {"content": words},
            )),
        )  # fmt: skip

    def link_records() -> None:
        (base, number), (_, other) = random.choice(numbers), random.choice(numbers)
        change = random.choice((
            {"translations": {"en": other}}, {"translations": {"it": other}}, {"translations": {"it": None}},
            {"lang": "it"}, {"lang": "en"},
        ))  # fmt: skip
        assert writer.post(f"/cms/v2/{base}/{number}", change).status in (200, 400, 404)

    def link_terms() -> None:
        (base, number), (_, other) = random.choice(terms), random.choice(terms)
        change = random.choice(({"translations": {"it": other}}, {"lang": "it"}, {"translations": {"en": None}}))
        assert writer.post(f"/cms/v2/{base}/{number}", change).status in (200, 400)

    def change_modes() -> None:
        kinds = f'<custom-types><custom-type translate="{random.randrange(2)}">intervento</custom-type></custom-types>'
        writer.post("/mlang/v1/custom-xml-config", {"content": f"<mlang-config>{kinds}</mlang-config>"})

    def remove_record() -> None:
        base, number = random.choice(numbers)
        writer.delete(f"/cms/v2/{base}/{number}", query={"force": random.choice((True, False))})

    def autosave() -> None:
        base, number = random.choice(numbers)
        writer.post(f"/cms/v2/{base}/{number}/autosaves", {"content": f"{words} {step}"})

    def new_file() -> None:
        holder = random.choice([0, *(number for _, number in numbers)])
        name = {"content-disposition": f'attachment; filename="{words} {step}.txt"'}
        query = {"title": f"{words} {step}", "post": holder}
        answer = writer.post("/cms/v2/media", body=b"words", query=query, headers=name)
        if answer.status == 201:  # its parent may have been deleted, or a file
            numbers.append(("media", answer.json["id"]))

    def show_image() -> None:
        """Upload an image, and use it in a text."""
        name = {"content-disposition": f'attachment; filename="picture {step}.png"'}
        image = writer.post("/cms/v2/media", body=PICTURE, headers=name).json
        numbers.append(("media", image["id"]))
        html = f'<img class="wp-image-{image["id"]}" src="{image["source_url"]}">'
        made = writer.post("/cms/v2/posts", {"title": words, "content": html, "status": "publish"}).json
        numbers.append(("posts", made["id"]))

    def change_file() -> None:
        files = [number for base, number in numbers if base == "media"]
        if files:
            holder = random.choice([0, 999_999, *(number for base, number in numbers if base != "media")])
            change = random.choice(({"alt_text": words}, {"post": holder}, {"status": "private"}, {"caption": words}))
            writer.post(f"/cms/v2/media/{random.choice(files)}", change)

    def new_term() -> None:
        base = random.choice(("categories", "tags"))
        answer = writer.post(f"/cms/v2/{base}", {"name": f"{words} {step}"})
        terms.append((base, answer.json["id"]))

    def change_term() -> None:
        base, number = random.choice(terms)
        writer.post(f"/cms/v2/{base}/{number}", {"name": f"{words} {step}", "slug": f"term-{step}"})

    def remove_term() -> None:
        base, number = terms.pop(random.randrange(len(terms)))
        assert writer.delete(f"/cms/v2/{base}/{number}", query={"force": True}).status == 200

    def new_comment() -> None:
        base, number = random.choice(numbers)
        answer = writer.post("/cms/v2/comments", {"post": number, "content": f"{words} {step}"})
        assert answer.status in (201, 403), base

    def moderate() -> None:
        found = writer.get("/cms/v2/comments", query={"status": "any", "per_page": 100}).json
        if found:
            comment = random.choice(found)["id"]
            writer.post(f"/cms/v2/comments/{comment}", {"status": random.choice(("hold", "approve", "spam", "trash"))})
            writer.delete(f"/cms/v2/comments/{comment}", query={"force": random.choice((True, False))})

    def change_setting() -> None:
        files = [number for base, number in numbers if base == "media"]
        change = random.choice((
            {"title": words}, {"timezone": "Asia/Tokyo"}, {"page_on_front": 2, "show_on_front": "page"},
            {"use_smilies": False}, {"use_smilies": True}, {"site_icon": files[0] if files else 0},
        ))  # fmt: skip
        writer.post("/cms/v2/settings", change)

    def change_user() -> None:
        writer.post("/cms/v2/users/me", {"name": f"Admin {step}"})

    def translate_string() -> None:
        found = writer.get("/mlang/st/v1/strings", query={"per_page": 100}).json
        if found:
            one = random.choice(found)
            writer.post(f"/mlang/st/v1/strings/{one['id']}", {"translations": {"it": f"{words} {step}"}})

    choices: list[Callable[[], None]] = [
        translate_string,
        translate_string,
        new_record,
        new_term,
        change_user,
        change_setting,
        change_modes,
    ]
    if numbers:
        choices += [new_record, change_record, change_record, change_record, remove_record, autosave]
        choices += [new_comment, new_comment, moderate, new_file, change_file, change_file, link_records, link_records]
        choices += [show_image]
    if terms:
        choices += [change_term, remove_term, link_terms]
    random.choice(choices)()
