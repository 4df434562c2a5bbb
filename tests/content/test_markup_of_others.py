"""Markup by contributors, authors and administrators as everybody reads it; stored markup."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from lxml import etree
from sqlalchemy import bindparam, func, select, update

from conftest import Client, Stand, exchange
from hostile_markup import LABELS, TEXTS
from markup_judge import dangers
from pictures import picture
from vetrina.backends.database import Statement
from vetrina.backends.tables.jobs import job
from vetrina.backends.tables.records import record as table
from vetrina.content.blocks.block_types import load_block_types
from vetrina.content.records import model as record_model, rerendering
from vetrina.content.text.absolute_addresses import make_addresses_absolute

HIDDEN = [
    '<img src=x title="[playlist x" class=\']\' alt=" onerror=alert(1) ">',
    '<img src=x alt="\nhttp://x.y/a.mp3\n onerror=alert(1) ">',
    "[embed]jav&#x09;ascript:alert(1)[/embed]",
    "[embed]&#106;avascript:alert(1)[/embed]",
    "[video src=&#106;avascript:alert(1)//]",
    '[video mp4="a.mp4" poster="jav&#x09;ascript:alert(1)"]',
    "<!-- wp:heading --><h2 title=\"x class='onclick=alert(1)' \">a</h2><!-- /wp:heading -->",
    "<!-- wp:heading --><h2 class='a\" onclick=alert(1) \"'>a</h2><!-- /wp:heading -->",
    '<!-- wp:navigation-link {"label":"a","url":"jav\\u0026#x09;ascript:alert(1)"} /-->',
    '<!-- wp:navigation-link {"label":"\\u003cimg src=x onerror=alert(1)\\u003e","url":"/"} /-->',
    "[caption width=100 caption=\"<b title='\" ]<code>' onclick=alert(1) </code><i>x</i>[/caption]",
    '<a href="java[playlist]script:alert(1)">a</a>',
    '<p style="color:red;back[playlist]ground:url(javascript:alert(1))">a</p>',
]
SCRIPT = "<p>mine</p><script>own()</script>"
_AGE = Statement(
    update(table)
    .where(table.c.renderer > 0)
    .values(renderer=1, title_html=bindparam("html"), content_html=bindparam("html"), excerpt_html=bindparam("html"))
)
_AGE_LIVE = Statement(update(table).where(table.c.id == bindparam("of")).values(content_html=""))
_ROW = Statement(select(table.c.renderer, table.c.content_html).where(table.c.id == bindparam("of")))
_OLD = Statement(select(func.count()).where(table.c.renderer == 1))
_JOBS = Statement(select(job.c.id).where(job.c.kind == bindparam("kind")))
LIVE = '<!-- wp:latest-posts {"displayPostContent":true,"displayPostContentRadio":"full_post"} /-->'


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str) and value.startswith('[{"id":'):
        yield from texts(json.loads(value))  # footnotes
    elif isinstance(value, str):
        yield value


def page(site: Stand, link: str) -> str:
    """Return the main content of a public page."""
    status, _, content = exchange(site.site, "GET", link.partition("vetrina.test")[2])
    assert status == 200, link
    return content.decode().partition("<main")[2].partition("</main>")[0].partition(">")[2]


def written(client: Client, content: str, base: str = "posts", **members: Any) -> int:
    answer = client.post(f"/cms/v2/{base}", {"title": "Una", "status": "publish", "content": content, **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


def read(client: Client, id: int, base: str = "posts") -> str:
    html: str = client.get(f"/cms/v2/{base}/{id}").json["content"]["rendered"]
    return html


@pytest.mark.parametrize("text", HIDDEN)
@pytest.mark.parametrize("login", ["author", "contributor"])
def test_what_authors_and_contributors_write_runs_nowhere(site: Stand, login: str, text: str) -> None:
    client, anyone = site.client(login), site.client()
    given = {"title": f"T {text}", "content": text, "excerpt": text, "status": "draft"}
    made = client.post("/cms/v2/posts", {**given, "meta": {"footnotes": json.dumps([{"id": "a", "content": text}])}})
    assert made.status == 201, made.json
    id = made.json["id"]
    saved = client.post(f"/cms/v2/posts/{id}/autosaves", given)
    assert saved.status == 200, saved.json
    if login == "author":
        link = client.post(f"/cms/v2/posts/{id}", {"status": "publish"}).json["link"]
        for path in ("posts", "search", "media"):
            assert [
                one for one in texts(anyone.get(f"/cms/v2/{path}", query={"per_page": 20}).json) if dangers(one)
            ] == []
        feeds = [etree.fromstring(exchange(site.site, "GET", f"/en/feed/{one}")[2]) for one in ("", "atom/")]
        entries = [one.text or "" for one in feeds[1].iter("{*}*") if one.get("type") == "html"]
        entries += [one.text or "" for one in feeds[0].iter("{*}encoded", "description")]
        assert len(entries) > 1
        assert [one for one in entries if dangers(one)] == []
        assert dangers(page(site, link)) == []
    shown = client.get(f"/cms/v2/posts/{id}").json
    assert [one for one in texts(shown) if dangers(one)] == []
    revisions = client.get(f"/cms/v2/posts/{id}/revisions").json
    assert [one for one in texts(revisions) if dangers(one)] == []


@pytest.mark.parametrize("text", HIDDEN)
def test_what_visitors_write_runs_nowhere(site: Stand, admin: Client, text: str) -> None:
    post = written(admin, "<p>x</p><!-- wp:latest-comments --><!-- /wp:latest-comments -->")
    given = {"post": post, "content": text, "author_name": text, "author_email": "a@b.example", "author_url": text}
    made = site.client("subscriber").post("/cms/v2/comments", {"post": post, "content": text})
    assert made.status == 201, made.json
    site.client().post("/cms/v2/comments", given)
    for one in admin.get("/cms/v2/comments", query={"status": "any"}).json:
        admin.post(f"/cms/v2/comments/{one['id']}", {"status": "approve"})
    shown = site.client().get("/cms/v2/comments", query={"post": post}).json
    assert shown
    assert [one for one in texts(shown) if dangers(one)] == []


# -- others' texts in a text


def test_a_script_of_an_administrator_stays_in_the_list_of_an_author(
    site: Stand, admin: Client, author: Client
) -> None:
    written(admin, SCRIPT, title="A <b onclick='own()'>title</b>")
    listed = read(site.client(), written(author, f"<p>a</p>{LIVE}{HIDDEN[0]}"))
    assert "<script>own()</script>" in listed
    assert "<b onclick='own()'>title</b>" in listed
    assert dangers(listed.replace("<script>own()</script>", "").replace(" onclick='own()'", "")) == []


def test_a_text_of_an_author_is_filtered_among_scripts_of_an_administrator(
    site: Stand, admin: Client, author: Client
) -> None:
    for text in HIDDEN:
        written(author, text)
    html = read(site.client(), written(admin, f"{SCRIPT}{LIVE}"))
    assert "<script>own()</script>" in html
    assert dangers(html.replace("<script>own()</script>", "")) == []


def test_synced_patterns_are_judged_by_their_own_text(site: Stand, admin: Client, author: Client) -> None:
    anyone = site.client()
    ours = written(admin, f'{SCRIPT} -- "x"', "blocks")
    theirs = written(author, f"{HIDDEN[0]}<p>theirs</p>", "blocks")
    within = f'<!-- wp:block {{"ref":{ours}}} /--><!-- wp:block {{"ref":{theirs}}} /-->'
    by_author = read(anyone, written(author, within))
    assert "<script>own()</script> &#8212; &#8220;x&#8221;" in by_author
    by_admin = read(anyone, written(admin, f"<script>page()</script>{within}"))
    for html, scripts in ((by_author, ["own"]), (by_admin, ["page", "own"])):
        for name in scripts:
            assert f"<script>{name}()</script>" in html
            html = html.replace(f"<script>{name}()</script>", "")
        assert "theirs" in html
        assert dangers(html) == []
    nested = written(author, f'<p>n</p><!-- wp:block {{"ref":{ours}}} /-->', "blocks")
    assert "<script>own()</script>" in read(anyone, written(author, f'<!-- wp:block {{"ref":{nested}}} /-->'))


def test_nothing_that_stands_for_another_text_is_left_over(site: Stand, admin: Client, author: Client) -> None:
    written(admin, SCRIPT)
    assert "<!--" not in read(site.client(), written(author, f"<p>a</p>{LIVE}"))
    shown = author.get("/cms/v2/block-renderer/core/latest-posts", query={
        "context": "edit", "attributes": {"displayPostContent": True, "displayPostContentRadio": "full_post"},
    })  # fmt: skip
    assert "<!--" not in shown.json["rendered"]
    assert "<script>own()</script>" in shown.json["rendered"]


# -- every block, every text


@pytest.mark.parametrize(
    "text", ["<img src=x onerror=alert(1)>", "jav&#x09;ascript:alert(1)", '" onclick="x', "[playlist x"]
)
def test_no_attribute_of_a_block_runs(site: Stand, author: Client, text: str) -> None:
    post = written(author, "<p>x</p>", title=f"T {text}")
    for type in load_block_types().values():
        given = {
            name: text
            if told.get("type") == "string"
            else {"url": text, "label": text}
            if told.get("type") == "object"
            else None
            for name, told in type.attributes.items()
        }
        given = {name: value for name, value in given.items() if value is not None}
        answer = author.post(
            f"/cms/v2/block-renderer/{type.name}", {"attributes": given, "post_id": post}, query={"context": "edit"}
        )
        if answer.status == 200:
            assert dangers(answer.json["rendered"]) == [], type.name
        raw = f"<!-- wp:{type.name} {json.dumps(given).replace('<', chr(92) + 'u003c').replace('--', '')} /-->"
        assert dangers(read(author, written(author, raw))) == [], type.name


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS, label=LABELS)
def test_whatever_an_author_writes_runs_nowhere(site: Stand, author: Client, text: str, label: str) -> None:
    given = {"title": text, "content": text, "excerpt": text}
    made = author.post("/cms/v2/posts", {"status": "publish", **given, "title": f"T {text}"})
    assert made.status == 201, made.json
    for url in (f"/cms/v2/posts/{made.json['id']}", "/cms/v2/posts?per_page=5"):
        assert [one for one in texts(site.client().get(url).json) if dangers(one)] == []
    term = site.client("editor").post("/cms/v2/tags", {"name": f"T {made.json['id']} {label}", "description": text})
    assert term.status == 201, term.json
    assert [one for one in texts(term.json) if dangers(one)] == []


# -- stored markup


def test_markup_that_another_version_rendered_is_rendered_again(site: Stand, admin: Client, author: Client) -> None:
    hostile, trusted, live = written(author, HIDDEN[1]), written(admin, SCRIPT), written(author, LIVE)
    right = {id: read(site.client(), id) for id in (hostile, trusted)}
    stale = "<p onclick=alert(1)>old</p>"
    with site.site.work() as work:
        work.tx.run(_AGE, html=stale)
        work.tx.run(_AGE_LIVE, of=live)
        work.note("post", hostile, "changed")
    assert {id: read(site.client(), id) for id in right} == right
    assert "onclick" not in str(site.client().get("/cms/v2/posts", query={"per_page": 50}).json)
    with site.site.work() as work:
        rerendering.rerender_outdated_texts(work)
        rows = {id: work.tx.first(_ROW, of=id) for id in (hostile, trusted, live)}
        kept = record_model.find_record(work.tx, hostile)
    assert all(row is not None and row[0] != 1 for row in rows.values())
    for id, shown in right.items():
        link = site.client().get(f"/cms/v2/posts/{id}").json["link"]
        row = rows[id]
        assert row is not None
        assert make_addresses_absolute(row[1], link) == shown
    assert rows[live][1] == ""  # type: ignore[index]
    assert kept is not None
    assert stale not in (kept.title_html, kept.content_html, kept.excerpt_html)


def test_a_site_with_many_old_texts_is_brought_up_by_and_by(site: Stand, admin: Client) -> None:
    id = written(admin, SCRIPT)
    with site.site.work() as work:
        one = record_model.find_record(work.tx, id)
        assert one is not None
        many = [
            msgspec.structs.replace(one, id=number, translations=number, slug=f"many-{number}", renderer=1)
            for number in range(10_000, 10_450)
        ]
        record_model.insert_records(work.tx, many)
    rounds = 0
    while rounds < 5:
        with site.site.work() as work:
            left = int(work.tx.value(_OLD) or 0)
            if left:
                rerendering.rerender_outdated_texts(work)
                assert work.tx.value(_JOBS, kind=rerendering.RENDER_TEXTS_JOB) is not None
        if not left:
            break
        rounds += 1
    assert rounds == 3


# -- files


@pytest.mark.parametrize("text", [*HIDDEN, "<img src=x onerror=alert(1)>", "' onerror=alert(1) '"])
def test_what_an_author_says_of_a_file_runs_nowhere(site: Stand, author: Client, text: str) -> None:
    headers = {"content-type": "image/png", "content-disposition": 'attachment; filename="a.png"'}
    file = author.ask("POST", "/cms/v2/media", body=picture(900, 600, "PNG"), headers=headers)
    assert file.status == 201, file.json
    id = file.json["id"]
    words = {"title": f"T {text}", "caption": text, "description": text, "alt_text": text}
    said = author.post(f"/cms/v2/media/{id}", words)
    assert said.status == 200, said.json
    assert [one for one in texts(said.json) if dangers(one)] == []
    source = file.json["source_url"]
    image = (
        f'<img title=\' src="{source}" sizes="\' class="wp-image-{id}" src="{source}" alt=\'{text}\' '
        'loading="lazy" width="9">'
    )
    post = written(author, f"[gallery ids={id}] {text}{image}{text}", featured_media=id)
    html = read(site.client(), post)
    assert f"gallery-{post}" in html
    assert dangers(html) == []
    assert dangers(page(site, author.get(f"/cms/v2/posts/{post}").json["link"])) == []
    assert dangers(page(site, author.get(f"/cms/v2/media/{id}").json["link"])) == []
