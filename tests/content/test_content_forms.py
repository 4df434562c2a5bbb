"""A content as a tree of blocks, as plain text and by its reading time, over HTTP; only where it is asked for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st

from conftest import Client, Stand
from vetrina.content.text.plain_text import convert_to_plain_text
from vetrina.content.text.reading_time import ReadingTime, compute_reading_time

POSTS = "/cms/v2/posts"
FORMS = "blocks,content.plain,reading_time"
CONTENT = (
    '<!-- wp:heading {"level":3} -->\n<h3>Uno &amp; due</h3>\n<!-- /wp:heading -->\n\n'
    "<!-- wp:paragraph -->\n<p>Un <strong>testo</strong> breve.</p>\n<!-- /wp:paragraph -->\n\n"
    '<!-- wp:group {"layout":{"type":"constrained"},"lock":{"move":true},"metadata":{"name":"Scatola"}} -->\n'
    '<div class="wp-block-group"><!-- wp:image {"id":5,"sizeSlug":"large"} -->\n'
    '<figure class="wp-block-image"><img src="/a.jpg" alt="Un &quot;mare&quot;" class="wp-image-5"/>'
    "<figcaption>La <em>costa</em></figcaption></figure>\n<!-- /wp:image --></div>\n<!-- /wp:group -->\n"
)


def publish(client: Client, content: str, **members: Any) -> dict[str, Any]:
    answer = client.post(POSTS, {"title": "Forme", "content": content, "status": "publish", **members})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def read(client: Client, post: dict[str, Any], fields: str = FORMS, **query: Any) -> dict[str, Any]:
    answer = client.get(f"{POSTS}/{post['id']}", query={"_fields": fields, **query})
    assert answer.status == 200, answer.json
    found: dict[str, Any] = answer.json
    return found


# -- blocks


def test_a_content_is_a_tree_of_blocks(editor: Client, anyone: Client) -> None:
    post = publish(editor, CONTENT)
    heading, paragraph, group = read(anyone, post, "blocks")["blocks"]
    assert heading["name"] == "core/heading"
    assert (heading["attributes"]["level"], heading["attributes"]["content"]) == (3, "Uno &amp; due")
    assert heading["rendered"] == '\n<h3 class="wp-block-heading">Uno &amp; due</h3>\n'
    assert paragraph["attributes"]["content"] == "Un <strong>testo</strong> breve."
    assert (group["name"], group["attributes"]["layout"]) == ("core/group", {"type": "constrained"})
    assert {"lock", "metadata"}.isdisjoint(group["attributes"])
    (image,) = group["inner_blocks"]
    assert (image["name"], image["inner_blocks"]) == ("core/image", [])
    wanted = {"id": 5, "url": "/a.jpg", "alt": 'Un "mare"', "caption": "La <em>costa</em>", "sizeSlug": "large"}
    assert {name: image["attributes"][name] for name in wanted} == wanted
    assert image["rendered"] in group["rendered"]
    assert 'class="wp-block-group' in group["rendered"]


def test_nobody_is_shown_what_was_not_asked_for(editor: Client, anyone: Client) -> None:
    post = publish(editor, CONTENT)
    for fields in ({}, {"_fields": "id,content,excerpt"}):
        for path in (f"{POSTS}/{post['id']}", POSTS):
            answer = anyone.get(path, query=fields).json
            one = answer[0] if isinstance(answer, list) else answer
            assert {"blocks", "reading_time"}.isdisjoint(one)
            assert "plain" not in one["content"]
    described = anyone.options(POSTS).json
    assert {"blocks", "reading_time"}.isdisjoint(described["schema"]["properties"])
    assert "plain" not in described["schema"]["properties"]["content"]["properties"]
    assert "excerpt_length" not in described["endpoints"][0]["args"]


def test_lists_have_them_too(editor: Client, anyone: Client) -> None:
    publish(editor, CONTENT)
    (one,) = anyone.get(POSTS, query={"_fields": FORMS}).json
    assert set(one) == {"blocks", "content", "reading_time"}
    assert set(one["content"]) == {"plain"}
    assert len(one["blocks"]) == 3
    assert editor.get(POSTS, query={"_fields": "blocks", "context": "edit"}).json == [{"blocks": one["blocks"]}]
    assert anyone.get(POSTS, query={"_fields": "blocks", "context": "embed"}).json == [{}]


def test_a_whole_content_comes_with_its_plain_text_where_both_are_asked_for(editor: Client, anyone: Client) -> None:
    post = publish(editor, "<p>Ciao</p>")
    assert set(read(anyone, post, "content,content.plain")["content"]) == {"rendered", "protected", "plain"}
    assert set(read(anyone, post, "content.rendered,content.plain")["content"]) == {"rendered", "plain"}


def test_markup_in_no_block_has_a_name_of_its_own(editor: Client, anyone: Client) -> None:
    whole = read(anyone, publish(editor, "Classico\n\nDue"), "blocks")["blocks"]
    assert whole == [
        {
            "name": "core/freeform", "attributes": {}, "inner_blocks": [],
            "rendered": "<p>Classico</p>\n<p>Due</p>\n",
        }
    ]  # fmt: skip
    mixed = publish(editor, "<p>Prima</p>\n<!-- wp:separator --><hr/><!-- /wp:separator -->\n<p>Dopo</p>")
    assert [one["name"] for one in read(anyone, mixed, "blocks")["blocks"]] == [
        "core/freeform", "core/separator", "core/freeform",
    ]  # fmt: skip
    assert read(anyone, publish(editor, ""), "blocks,reading_time") == {
        "blocks": [], "reading_time": {"minutes": 0, "words": 0},
    }  # fmt: skip


def test_a_password_hides_all_forms(editor: Client, anyone: Client) -> None:
    post = publish(editor, CONTENT, password="apriti")
    assert read(anyone, post) == {
        "content": {"plain": ""}, "blocks": [], "reading_time": {"minutes": 0, "words": 0},
    }  # fmt: skip
    opened = read(anyone, post, password="apriti")
    assert len(opened["blocks"]) == 3
    assert opened["content"]["plain"].startswith("Uno & due")


def test_a_hidden_block_is_in_no_tree(editor: Client, anyone: Client) -> None:
    hidden = (
        '<!-- wp:paragraph {"metadata":{"blockVisibility":false}} --><p>Segreto</p><!-- /wp:paragraph -->'
        "<!-- wp:paragraph --><p>Aperto</p><!-- /wp:paragraph -->"
    )
    post = publish(editor, hidden + f"<!-- wp:group --><div>{hidden}</div><!-- /wp:group -->")
    answer = anyone.get(f"{POSTS}/{post['id']}", query={"_fields": "blocks"})
    assert b"Segreto" not in answer.content
    assert [one["name"] for one in answer.json["blocks"]] == ["core/paragraph", "core/group"]
    assert len(answer.json["blocks"][1]["inner_blocks"]) == 1


def test_attributes_are_filtered_as_the_content_is(site: Stand, author: Client, anyone: Client) -> None:
    unsafe = "<p>Ciao <img src=x onerror=alert(1)></p>"
    post = publish(author, f'<!-- wp:paragraph {{"note":"<script>1</script>"}} -->{unsafe}<!-- /wp:paragraph -->')
    text = anyone.get(f"{POSTS}/{post['id']}", query={"_fields": "blocks"}).content
    assert b"onerror" not in text
    assert b"<script" not in text


def test_a_block_that_shows_the_site_is_rendered_as_of_now(editor: Client, anyone: Client) -> None:
    post = publish(editor, '<!-- wp:latest-posts {"postsToShow":2} /-->')
    before = read(anyone, post, "blocks")["blocks"]
    assert [one["name"] for one in before] == ["core/latest-posts"]
    publish(editor, "Altro", title="Nuovissimo")
    # A kept answer is stale as soon as what its blocks read changes.
    after = read(anyone, post, "blocks")["blocks"][0]
    assert "Nuovissimo" in after["rendered"]
    assert after["rendered"].strip() == read(anyone, post, "content.rendered")["content"]["rendered"].strip()
    assert after["attributes"]["postsToShow"] == 2


def test_a_query_shows_the_first_of_its_records(editor: Client, anyone: Client) -> None:
    for title in ("Alfa", "Beta"):
        publish(editor, "x", title=title)
    post = publish(
        editor,
        '<!-- wp:query {"queryId":1,"query":{"perPage":2,"postType":"post","inherit":false}} -->'
        '<div class="wp-block-query">'
        "<!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --></div><!-- /wp:query -->",
    )
    (query,) = read(anyone, post, "blocks")["blocks"]
    (template,) = query["inner_blocks"]
    (title,) = template["inner_blocks"]
    assert title["rendered"].count("<h2") == 1
    assert template["rendered"].count("<h2") == 2
    assert "<!--" not in query["rendered"]


def test_a_synced_pattern_is_one_block(editor: Client, anyone: Client) -> None:
    pattern = editor.post(
        "/cms/v2/blocks",
        {"title": "M", "content": "<!-- wp:paragraph --><p>Motivo</p><!-- /wp:paragraph -->", "status": "publish"},
    ).json
    post = publish(editor, f'<!-- wp:block {{"ref":{pattern["id"]}}} /-->')
    (block,) = read(anyone, post, "blocks")["blocks"]
    assert (block["name"], block["attributes"]["ref"], block["inner_blocks"]) == ("core/block", pattern["id"], [])
    assert "<p>Motivo</p>" in block["rendered"]


def test_blocks_that_cannot_be_told_apart_are_one_part(admin: Client, anyone: Client) -> None:
    # Which way the second quotation mark turns depends on what is before it, across the delimiter.
    post = publish(admin, '"<!-- wp:paragraph -->x<!-- /wp:paragraph -->"')
    shown = read(anyone, post, "blocks,content.rendered")
    assert [one["name"] for one in shown["blocks"]] == ["core/freeform"]
    assert shown["blocks"][0]["rendered"] == shown["content"]["rendered"]


@pytest.mark.parametrize(
    "content",
    [
        "<!-- wp:group --><div>" * 200 + "x",
        '<!-- wp:a {"a":' + "[" * 900 + "]" * 900 + "} /-->",
        '<!-- wp:a {"\\ud800":"\\udfff","b":{"\\ud83d\\ude00":1e999}} /-->',
        '<!-- wp:a {"a":' + ",".join(f'"{n}":{n}' for n in range(100)) + "} /-->",
    ],
)
def test_no_markup_is_a_fault(admin: Client, anyone: Client, content: str) -> None:
    post = publish(admin, content)
    answer = anyone.get(f"{POSTS}/{post['id']}", query={"_fields": FORMS + ",content.rendered"})
    assert answer.status == 200
    assert_relation(answer.json)


def assert_relation(shown: dict[str, Any]) -> None:
    """The parts stand in the content's HTML in their order, and between them is white space alone."""
    html, at = shown["content"]["rendered"], 0
    for one in shown["blocks"]:
        found = html.index(one["rendered"], at)
        assert not html[at:found].strip()
        at = found + len(one["rendered"])
    assert not html[at:].strip()


PIECES = st.lists(
    st.sampled_from(
        (
            *(
                "<!-- wp:paragraph -->",
                "<!-- /wp:paragraph -->",
                '<p>Uno "due"</p>',
                "\n\n",
                "testo :) ",
                "&",
                "<",
                "'",
            ),
            *("<!-- wp:group -->", "<!-- /wp:group -->", '<div class="wp-block-group">', "</div>", "<!-- wp:list -->"),
            *("<ul><li>a</li></ul>", "<!-- /wp:list -->", "<!-- wp:separator /-->", "<!--", "-->", "<!--more-->"),
            *('<!-- wp:gallery {"ids":[1]} -->', "<!-- /wp:gallery -->", '<img src="/a.jpg" class="wp-image-1">'),
            *('<a href="', '">', "[gallery]", "<!-- wp:latest-posts /-->", "<textarea>", "</textarea>"),
            *("<script>1</script>", "https://example.org/x\n", "<!-- wp:query --><!-- wp:post-template -->"),
            *(
                "<!-- wp:post-title /-->",
                "<!-- /wp:post-template --><!-- /wp:query -->",
                "<!-- wp:shortcode -->",
                "漢字",
            ),
            '<!-- wp:heading {"level":2,"x":"\\u003c"} --><h2>T</h2><!-- /wp:heading -->',
        )
    ),
    max_size=12,
)


@pytest.mark.parametrize("login", ["admin", "author"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES)
@example(pieces=['<p>Uno "due"</p>', "<!-- wp:paragraph -->", "'", "<!-- /wp:paragraph -->"])
def test_the_parts_of_any_markup_are_those_of_its_html(site: Stand, login: str, pieces: list[str]) -> None:
    post = publish(site.client(login), "".join(pieces) or "x")
    answer = site.client().get(f"{POSTS}/{post['id']}", query={"_fields": FORMS + ",content.rendered"})
    assert answer.status == 200
    assert_relation(answer.json)


# -- plain text and reading time


@pytest.mark.parametrize(
    ("html", "plain"),
    [
        ("<p>Uno &amp; <b>due</b></p>\n<p>Tre<br>quattro</p>", "Uno & due\n\nTre\nquattro"),
        ("<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul><p>d</p>", "a\nb\nc\n\nd"),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>", "a\tb\n1\t2"),
        ("<pre>uno\n  due</pre>tre", "uno\n  due\n\ntre"),
        ("a<script>b()</script><style>c</style>d<!-- e -->f", "adf"),
        ("a < b &lt;c&gt; <", "a < b <c> <"),
        ("<p>  a   <i> b </i>c</p>", "a b c"),
        ("a<b>b</b>c", "abc"),
        ("<img alt='x'>&nbsp;&hellip;", "\u2026"),
        ("<!-- a", "<!-- a"),
        ("a <b c", "a <b c"),
    ],
)  # fmt: skip
def test_plain_text_has_the_breaks_of_its_markup(html: str, plain: str) -> None:
    assert convert_to_plain_text(html) == plain


@given(html=st.text(alphabet="<>/!-pbrliuprestd \n&;\"'=x漢"))
def test_any_text_has_a_plain_form(html: str) -> None:
    plain = convert_to_plain_text(html)
    assert plain == plain.strip()
    assert compute_reading_time(plain).words >= 0


@pytest.mark.parametrize(
    ("plain", "time"),
    [
        ("", ReadingTime(0, 0)),
        ("— …", ReadingTime(0, 0)),
        ("Uno due, tre.", ReadingTime(1, 3)),
        ("l'uomo e-mail", ReadingTime(1, 2)),
        ("parola " * 378, ReadingTime(2, 378)),
        ("漢字かな交じり文。", ReadingTime(1, 8)),
        ("漢" * 1500, ReadingTime(3, 1500)),
        ("漢字 and words 한국어 텍스트", ReadingTime(1, 6)),
        ("สวัสดี", ReadingTime(1, 6)),
    ],
)
def test_characters_count_where_a_script_parts_no_words(plain: str, time: ReadingTime) -> None:
    assert compute_reading_time(plain) == time


def test_a_record_says_how_long_it_takes_to_read(editor: Client, anyone: Client) -> None:
    post = publish(editor, "<p>" + "parola " * 400 + "</p>")
    assert read(anyone, post, "reading_time") == {"reading_time": {"minutes": 2, "words": 400}}
    assert read(anyone, post, "reading_time.minutes") == {"reading_time": {"minutes": 2}}


def test_lists_cut_excerpts_as_single_records_are(editor: Client, anyone: Client) -> None:
    publish(editor, "<p>Uno due tre quattro</p>")
    query = {"excerpt_length": 2, "_fields": "excerpt.rendered"}
    (one,) = anyone.get(POSTS, query=query).json
    assert one["excerpt"]["rendered"] == "<p>Uno due [&hellip;]</p>\n"
    wrong = anyone.get(POSTS, query={"excerpt_length": "due"})
    assert (wrong.status, list(wrong.json["data"]["params"])) == (400, ["excerpt_length"])
