"""Block types, the block renderer, and dynamic blocks in content."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image

from conftest import Client, SetClock, Stand
from vetrina.content.blocks.block_types import load_block_types
from vetrina.content.blocks.wrapper import render_wrapper_attributes

TYPES, RENDERER = "/cms/v2/block-types", "/cms/v2/block-renderer"


def written(client: Client, base: str = "posts", **members: Any) -> dict[str, Any]:
    answer = client.post(f"/cms/v2/{base}", {"title": "Una", "status": "publish", **members})
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def rendered(client: Client, name: str, status: int = 200, **query: Any) -> Any:
    answer = client.get(f"{RENDERER}/core/{name}", query={"context": "edit", **query})
    assert answer.status == status, answer.json
    return answer.json["rendered"] if status == 200 else answer


def shown(client: Client, content: str, base: str = "posts", **members: Any) -> str:
    """Return content as everybody reads it."""
    record = written(client, base, content=content, **members)
    html: str = Client(client.site).get(f"/cms/v2/{base}/{record['id']}").json["content"]["rendered"]
    return html


# -- types


@pytest.mark.parametrize(("login", "status"), [("", 401), ("subscriber", 403), ("contributor", 200), ("admin", 200)])
def test_who_may_see_the_types(site: Stand, login: str, status: int) -> None:
    client = site.client(login) if login else site.client()
    for path in (TYPES, f"{TYPES}/core", f"{TYPES}/core/paragraph"):
        answer = client.get(path)
        assert answer.status == status
        if status != 200:
            assert answer.code == "rest_block_type_cannot_view"


def test_the_list_by_namespace_and_by_argument_agree(admin: Client) -> None:
    every = admin.get(TYPES).json
    assert len(every) == len(load_block_types())
    assert admin.get(f"{TYPES}/core").json == every
    assert admin.get(TYPES, query={"namespace": "core"}).json == every
    assert admin.get(f"{TYPES}/altro").json == []


def test_a_type_has_the_attributes_of_what_it_supports(admin: Client) -> None:
    found = admin.get(f"{TYPES}/core/archives").json
    assert found["attributes"]["showPostCounts"] == {"type": "boolean", "default": False}
    assert found["attributes"]["align"]["enum"] == ["left", "center", "right", "wide", "full", ""]
    assert list(found["attributes"])[:6] == [
        "displayAsDropdown", "showLabel", "showPostCounts", "type", "lock", "metadata",
    ]  # fmt: skip
    assert found["is_dynamic"] is True
    assert found["_links"]["cms:render-block"][0]["href"].endswith("/block-renderer/core/archives?context=edit")
    assert "cms:render-block" not in admin.get(f"{TYPES}/core/paragraph").json["_links"]


def test_an_unknown_type_is_looked_for_after_the_right(admin: Client, anyone: Client) -> None:
    assert admin.get(f"{TYPES}/core/nulla").code == "rest_block_type_invalid"
    assert anyone.get(f"{TYPES}/core/nulla").code == "rest_block_type_cannot_view"


def test_fields_choose_members_of_a_type(admin: Client) -> None:
    assert admin.get(f"{TYPES}/core/paragraph", query={"_fields": "name,is_dynamic"}).json == {
        "is_dynamic": False, "name": "core/paragraph",
    }  # fmt: skip


# -- the renderer


@pytest.mark.parametrize(("login", "status"), [("", 401), ("subscriber", 403), ("contributor", 200)])
def test_who_may_render(site: Stand, login: str, status: int) -> None:
    client = site.client(login) if login else site.client()
    answer = client.get(f"{RENDERER}/core/archives", query={"context": "edit"})
    assert answer.status == status
    if status != 200:
        assert answer.code == "block_cannot_read"


def test_only_the_context_edit_is_rendered(admin: Client, anyone: Client) -> None:
    for query in ({}, {"context": "view"}):
        answer = admin.get(f"{RENDERER}/core/archives", query=query)
        assert (answer.status, answer.code) == (400, "rest_invalid_param")
        assert list(answer.json["data"]["params"]) == ["context"]
        assert anyone.get(f"{RENDERER}/core/archives", query=query).status == 400


def test_what_the_server_does_not_render_is_unknown(admin: Client, anyone: Client) -> None:
    assert rendered(admin, "paragraph", 404).code == "block_invalid"
    assert rendered(admin, "nulla", 404).code == "block_invalid"
    assert rendered(anyone, "nulla", 401).code == "block_cannot_read"


@pytest.mark.parametrize(
    "attributes", [{"nulla": 1}, {"showPostCounts": "forse"}, {"type": ["monthly"]}, {"align": "obliquo"}]
)
def test_attributes_that_do_not_fit_are_a_fault(admin: Client, attributes: dict[str, Any]) -> None:
    answer = admin.post(f"{RENDERER}/core/archives", {"context": "edit", "attributes": attributes})
    assert (answer.status, answer.code) == (400, "rest_invalid_param")
    assert list(answer.json["data"]["params"]) == ["attributes"]


def test_attributes_come_by_query_and_by_body(admin: Client) -> None:
    written(admin, date="2024-05-06T10:00:00")
    by_query = rendered(admin, "archives", attributes={"showPostCounts": "true"})
    by_body = admin.post(f"{RENDERER}/core/archives", {"context": "edit", "attributes": {"showPostCounts": True}})
    assert by_query == by_body.json["rendered"]
    assert "&nbsp;(1)" in by_query


def test_a_record_must_be_one_that_the_caller_may_change(admin: Client, contributor: Client) -> None:
    post = written(admin, title="Titolo")
    assert "Titolo" in rendered(admin, "post-title", post_id=post["id"])
    assert rendered(contributor, "post-title", 403, post_id=post["id"]).code == "block_cannot_read"
    assert rendered(admin, "post-title", 403, post_id=999999).code == "block_cannot_read"
    assert rendered(admin, "post-title") == ""


def test_every_block_of_the_server_can_be_rendered_with_nothing(admin: Client) -> None:
    written(admin)
    for name, type in load_block_types().items():
        if type.server:
            answer = admin.get(f"{RENDERER}/{name}", query={"context": "edit"})
            assert answer.status == 200, (name, answer.json)


# -- what blocks show


def test_latest_posts(admin: Client) -> None:
    first = written(admin, title="Prima", date="2024-05-06T10:00:00")
    second = written(admin, title="Seconda & terza", date="2024-05-07T10:00:00", excerpt="In breve")
    written(admin, title="Nascosta", status="draft")
    assert rendered(admin, "latest-posts") == (
        '<ul class="wp-block-latest-posts__list wp-block-latest-posts">'
        f'<li><a class="wp-block-latest-posts__post-title" href="{second["link"]}">Seconda &#038; terza</a></li>\n'
        f'<li><a class="wp-block-latest-posts__post-title" href="{first["link"]}">Prima</a></li>\n</ul>'
    )
    html = rendered(
        admin, "latest-posts",
        attributes={"postsToShow": 1, "displayPostDate": True, "displayAuthor": True, "displayPostContent": True},
    )  # fmt: skip
    assert "Prima" not in html
    assert (
        '<time datetime="2024-05-07T10:00:00+02:00" class="wp-block-latest-posts__post-date">May 7, 2024</time>' in html
    )
    assert '<div class="wp-block-latest-posts__post-author">by admin</div>' in html
    assert '<div class="wp-block-latest-posts__post-excerpt">In breve</div>' in html
    assert "has-dates has-author" in html


def test_what_a_password_keeps_is_in_no_list(admin: Client) -> None:
    written(admin, content="segreto", password="x")
    for radio in ("excerpt", "full_post"):
        attributes = {"displayPostContent": True, "displayPostContentRadio": radio}
        assert "segreto" not in rendered(admin, "latest-posts", attributes=attributes)
    loop = (
        '<!-- wp:query {"query":{"postType":"post"}} --><div class="wp-block-query"><!-- wp:post-template -->'
        "<!-- wp:post-content /--><!-- wp:post-excerpt /--><!-- /wp:post-template --></div><!-- /wp:query -->"
    )
    assert "segreto" not in shown(admin, loop)


def test_archives_of_each_kind(admin: Client) -> None:
    for date in ("2023-12-31T23:00:00", "2024-01-01T01:00:00", "2024-01-09T01:00:00"):
        written(admin, date=date)
    html = rendered(admin, "archives")
    assert html == (
        '<ul class="wp-block-archives-list wp-block-archives">'
        "\t<li><a href='http://vetrina.test/en/2024/01/'>January 2024</a></li>\n"
        "\t<li><a href='http://vetrina.test/en/2023/12/'>December 2023</a></li>\n</ul>"
    )
    yearly = rendered(admin, "archives", attributes={"type": "yearly", "showPostCounts": True})
    assert "<a href='http://vetrina.test/en/2024/'>2024</a>&nbsp;(2)" in yearly
    assert rendered(admin, "archives", attributes={"type": "daily"}).count("<li>") == 3
    assert rendered(admin, "archives", attributes={"type": "weekly"}).count("<li>") == 3
    assert "<select" in rendered(admin, "archives", attributes={"displayAsDropdown": True})


def test_archives_of_times_before_1970(admin: Client) -> None:
    written(admin, date="1969-12-31T23:59:59")
    written(admin, date="1001-02-03T00:00:00")
    html = rendered(admin, "archives")
    assert "December 1969" in html
    assert "February 1001" in html


def test_archives_without_posts(admin: Client) -> None:
    assert rendered(admin, "archives") == '<div class="wp-block-archives">No archives to show.</div>'


def test_categories(admin: Client) -> None:
    parent = admin.post("/cms/v2/categories", {"name": "Sopra"}).json
    child = admin.post("/cms/v2/categories", {"name": "Sotto & giù", "parent": parent["id"]}).json
    written(admin, categories=[parent["id"], child["id"]])
    flat = rendered(admin, "categories", attributes={"showPostCounts": True})
    assert f'<li class="cat-item cat-item-{parent["id"]}"><a href="{parent["link"]}">Sopra</a> (1)\n</li>' in flat
    nested = rendered(admin, "categories", attributes={"showHierarchy": True})
    assert f"<ul class='children'>\n\t<li class=\"cat-item cat-item-{child['id']}\">" in nested
    assert "Sotto" not in rendered(admin, "categories", attributes={"showOnlyTopLevel": True})
    assert "Uncategorized" not in flat
    assert "Uncategorized" in rendered(admin, "categories", attributes={"showEmpty": True})
    assert 'value="sopra"' in rendered(admin, "categories", attributes={"displayAsDropdown": True})


def test_a_tag_cloud_is_larger_where_there_is_more(admin: Client) -> None:
    few, many = (admin.post("/cms/v2/tags", {"name": name}).json for name in ("poco", "molto"))
    written(admin, tags=[few["id"], many["id"]])
    written(admin, tags=[many["id"]])
    html = rendered(admin, "tag-cloud")
    assert f'tag-link-{many["id"]} tag-link-position-1" style="font-size: 22pt;" aria-label="molto (2 items)"' in html
    assert f'tag-link-{few["id"]} tag-link-position-2" style="font-size: 8pt;" aria-label="poco (1 item)"' in html


def test_the_calendar_of_a_month(admin: Client) -> None:
    written(admin, date="2024-02-29T10:00:00")
    written(admin, date="2023-11-01T10:00:00")
    html = rendered(admin, "calendar", attributes={"year": 2024, "month": 2})
    assert "<caption>February 2024</caption>" in html
    assert (
        '<a href="http://vetrina.test/en/2024/02/29/" aria-label="Posts published on February 29, 2024">29</a>' in html
    )
    assert '<a href="http://vetrina.test/en/2023/11/">&laquo; Nov</a>' in html
    assert html.count("<td>") + html.count("<td ") >= 29
    assert rendered(admin, "calendar", attributes={"year": 2024, "month": 13}) == ""


def test_the_list_of_pages_follows_their_tree(admin: Client) -> None:
    top = written(admin, "pages", title="Su", menu_order=1)
    below = written(admin, "pages", title="Giù", parent=top["id"])
    written(admin, "pages", title="Bozza", status="draft")
    item, link = "wp-block-pages-list__item", "wp-block-pages-list__item__link"
    assert rendered(admin, "page-list") == (
        f'<ul class="wp-block-page-list"><li class="{item} has-child"><a class="{link}" href="{top["link"]}">Su</a>'
        f'<ul class="wp-block-navigation__submenu-container"><li class="{item}"><a class="{link}" '
        f'href="{below["link"]}">Giù</a></li></ul></li></ul>'
    )


def test_the_site_says_its_name(admin: Client) -> None:
    assert rendered(admin, "site-title", attributes={"level": 0, "isLink": False}) == (
        '<p class="wp-block-site-title">Vetrina</p>'
    )
    assert 'rel="home"' in rendered(admin, "site-title")
    assert 'role="search"' in rendered(admin, "search")
    assert "logged-in" in rendered(admin, "loginout")


def test_signing_in_or_out_depends_on_who_reads(admin: Client, anyone: Client) -> None:
    post = written(admin, content="<!-- wp:loginout /-->")
    path = f"/cms/v2/posts/{post['id']}"
    assert "logged-out" in anyone.get(path).json["content"]["rendered"]
    assert "logged-in" in admin.get(path).json["content"]["rendered"]
    assert "logged-out" in anyone.get(path).json["content"]["rendered"]


# -- contents


def test_a_content_shows_what_the_site_is_now(admin: Client, anyone: Client) -> None:
    post = written(admin, content="<p>Prima</p><!-- wp:latest-posts /-->")
    path = f"/cms/v2/posts/{post['id']}"
    assert "Nuova" not in anyone.get(path).json["content"]["rendered"]
    other = written(admin, title="Nuova")
    assert "Nuova" in anyone.get(path).json["content"]["rendered"]
    admin.post(f"/cms/v2/posts/{other['id']}", {"title": "Nuovissima"})
    assert "Nuovissima" in anyone.get(path).json["content"]["rendered"]
    assert "Nuovissima" in anyone.get("/cms/v2/posts", query={"include": [post["id"]]}).json[0]["content"]["rendered"]


def test_a_synced_pattern_is_shown_as_it_is_now(site: Stand, admin: Client, anyone: Client) -> None:
    block = written(admin, "blocks", content="<!-- wp:paragraph --><p>Uno</p><!-- /wp:paragraph -->")
    post = written(admin, content=f'<!-- wp:block {{"ref":{block["id"]}}} /-->')
    path = f"/cms/v2/posts/{post['id']}"
    assert anyone.get(path).json["content"]["rendered"].strip() == "<p>Uno</p>"
    admin.post(f"/cms/v2/blocks/{block['id']}", {"content": "<p>Due</p>"})
    assert anyone.get(path).json["content"]["rendered"].strip() == "<p>Due</p>"
    for change in ({"status": "draft"}, {"status": "publish", "password": "x"}):
        admin.post(f"/cms/v2/blocks/{block['id']}", change)
        assert anyone.get(path).json["content"]["rendered"] == ""
    stored = site.stored(post["id"])
    assert stored is not None
    assert (stored.dynamic, stored.content_html) == (True, "")


def test_a_pattern_inside_itself_ends(admin: Client) -> None:
    block = written(admin, "blocks", content="x")
    content = f'<p>a</p><!-- wp:block {{"ref":{block["id"]}}} /-->'
    admin.post(f"/cms/v2/blocks/{block['id']}", {"content": content})
    assert shown(admin, f'<!-- wp:block {{"ref":{block["id"]}}} /-->').count("<p>a</p>") == 1


def test_a_query_shows_each_record_as_it_is_written(admin: Client) -> None:
    category = admin.post("/cms/v2/categories", {"name": "Mele"}).json
    apple = written(admin, title="Mela", categories=[category["id"]], content="Rossa", date="2024-05-06T10:00:00")
    written(admin, title="Pera")
    loop = (
        '<!-- wp:query {"queryId":3,"query":{"perPage":5,"postType":"post","inherit":false,'
        f'"taxQuery":{{"category":[{category["id"]}]}}}}}} --><div class="wp-block-query"><!-- wp:post-template -->'
        '<!-- wp:post-title {"isLink":true} /--><!-- wp:post-date /--><!-- wp:post-terms {"term":"category"} /-->'
        "<!-- wp:post-author-name /--><!-- wp:post-content /--><!-- /wp:post-template -->"
        "<!-- wp:query-no-results --><p>Niente</p><!-- /wp:query-no-results -->"
        "<!-- wp:query-total /--></div><!-- /wp:query -->"
    )
    html = shown(admin, loop, "pages")
    assert '<div class="wp-block-query is-layout-flow wp-block-query-is-layout-flow">' in html
    assert f'<li class="wp-block-post post-{apple["id"]} post type-post status-publish format-standard hentry' in html
    assert f'<h2 class="wp-block-post-title"><a href="{apple["link"]}" target="_self">Mela</a></h2>' in html
    assert '<div class="wp-block-post-date"><time datetime="2024-05-06T10:00:00+02:00">May 6, 2024</time></div>' in html
    assert (
        f'<div class="taxonomy-category wp-block-post-terms"><a href="{category["link"]}" rel="tag">Mele</a></div>'
        in html
    )
    assert "<p>Rossa</p>" in html
    assert "Pera" not in html
    assert "Niente" not in html
    assert "1 result found" in html


def test_a_query_without_results_says_so_and_pages_are_linked(admin: Client) -> None:
    for number in range(3):
        written(admin, title=f"Numero {number}")
    inner = (
        "<!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template --><!-- wp:query-no-results -->"
        "<p>Niente</p><!-- /wp:query-no-results --><!-- wp:query-pagination --><!-- wp:query-pagination-previous /-->"
        "<!-- wp:query-pagination-numbers /--><!-- wp:query-pagination-next /--><!-- /wp:query-pagination -->"
    )
    paged = shown(admin, f'<!-- wp:query {{"queryId":7,"query":{{"perPage":2}}}} -->{inner}<!-- /wp:query -->', "pages")
    assert paged.count("wp-block-post-title") == 2
    assert "?query-7-page=2" in paged
    assert "Niente" not in paged
    empty = f'<!-- wp:query {{"query":{{"search":"introvabile"}}}} -->{inner}<!-- /wp:query -->'
    assert "<p>Niente</p>" in shown(admin, empty, "pages")


def test_a_content_does_not_show_itself_inside_itself(admin: Client) -> None:
    loop = (
        "<p>Fuori</p><!-- wp:query --><!-- wp:post-template --><!-- wp:post-content /--><!-- /wp:post-template -->"
        "<!-- /wp:query -->"
    )
    assert shown(admin, loop).count("Fuori") == 1


def test_what_a_stranger_nests_ends(admin: Client) -> None:
    deep = "<!-- wp:query --><!-- wp:post-template -->" * 40 + "x" + "<!-- /wp:post-template --><!-- /wp:query -->" * 40
    assert isinstance(shown(admin, deep), str)
    wide = "<!-- wp:site-title /-->" * 2100
    assert 1990 < shown(admin, wide).count("wp-block-site-title") <= 2000


def test_what_a_stranger_repeats_ends(admin: Client) -> None:
    for number in range(12):
        written(admin, title=f"Numero {number}")
    loop = '<!-- wp:query {"query":{"perPage":100}} --><!-- wp:post-template -->'
    ends = "<!-- /wp:post-template --><!-- /wp:query -->"
    html = shown(admin, loop * 3 + "<p>" + "x" * 100_000 + "</p>" + ends * 3, "pages")
    assert 1 << 20 < len(html) < 4 << 20


def test_a_query_for_what_is_not_public_finds_nothing(admin: Client) -> None:
    written(admin, "blocks", title="Interno", content="x")
    for type in ("cms_block", "cms_navigation", "nulla", "attachment2"):
        loop = f'<!-- wp:query {{"query":{{"postType":"{type}"}}}} --><!-- wp:post-template -->'
        loop += "<!-- wp:post-title /--><!-- /wp:post-template --><!-- /wp:query -->"
        assert "Interno" not in shown(admin, loop, "pages")


def test_a_navigation_is_shown_by_its_number_or_else_the_newest(admin: Client) -> None:
    link = '<!-- wp:navigation-link {"label":"Qui","url":"https://x.example/"} /-->'
    more = '<!-- wp:navigation-submenu {"label":"Altro","url":"/a"} --><!-- wp:home-link /-->'
    more += "<!-- /wp:navigation-submenu -->"
    record = written(admin, "navigation", title="Menu", content=link + more + "<!-- wp:site-title /-->")
    by_number = shown(admin, f'<!-- wp:navigation {{"ref":{record["id"]}}} /-->')
    assert by_number.startswith('<nav class="is-layout-flex wp-block-navigation-is-layout-flex wp-block-navigation"')
    assert 'aria-label="Menu"' in by_number
    assert by_number.count("<ul ") == 2
    assert '<li class="wp-block-navigation-item"><h1 class="wp-block-site-title">' in by_number
    assert 'class="has-child open-on-hover-click wp-block-navigation-item wp-block-navigation-submenu"' in by_number
    assert shown(admin, "<!-- wp:navigation /-->") == by_number
    assert shown(admin, '<!-- wp:navigation {"ref":999999} /-->') == ""


def test_a_navigation_of_nothing_lists_the_pages(admin: Client) -> None:
    page = written(admin, "pages", title="Sola")
    html = shown(admin, "<!-- wp:navigation /-->")
    assert (
        f'<a class="wp-block-pages-list__item__link wp-block-navigation-item__content" href="{page["link"]}">' in html
    )


def test_the_calendar_of_today_moves_with_the_days(clock: SetClock, admin: Client, anyone: Client) -> None:
    written(admin, date="2024-05-06T10:00:00")
    now, ever = (
        written(admin, content=f"<!-- wp:calendar {attributes}/-->") for attributes in ("", '{"year":2024,"month":5} ')
    )
    before = [anyone.get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"] for post in (now, ever)]
    clock.forward(40 * 86_400)
    after = [anyone.get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"] for post in (now, ever)]
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_blocks_show_in_the_language_of_their_record(admin: Client) -> None:
    italian = {"mlang_language": "it"}
    admin.post("/cms/v2/posts", {"title": "Ciao", "status": "publish", "date": "2024-05-06T10:00:00"}, query=italian)
    written(admin, title="Hello")
    content = "<!-- wp:latest-posts /--><!-- wp:archives /-->"
    post = admin.post("/cms/v2/pages", {"title": "x", "status": "publish", "content": content}, query=italian).json
    html = admin.get(f"/cms/v2/pages/{post['id']}").json["content"]["rendered"]
    assert "Ciao" in html
    assert "Hello" not in html
    assert "Maggio 2024" in html


def test_revisions_show_live_blocks_too(admin: Client) -> None:
    post = written(admin, content="x")
    admin.post(f"/cms/v2/posts/{post['id']}", {"content": "<!-- wp:site-title /-->"})
    answer = admin.get(f"/cms/v2/posts/{post['id']}/revisions")
    assert "wp-block-site-title" in answer.json[0]["content"]["rendered"]


def test_footnotes_are_shown_where_their_block_stands_and_filtered(admin: Client) -> None:
    notes = '[{"id":"a1","content":"Nota <script>x</script><em>bene</em>"}]'
    html = shown(admin, "<!-- wp:footnotes /-->", meta={"footnotes": notes})
    assert html.startswith('<ol class="wp-block-footnotes"><li id="a1">Nota x<em>bene</em> <a href="#a1-link"')


# -- the outermost element


def test_choices_of_an_editor_become_classes_and_styles() -> None:
    type = load_block_types()["core/archives"]
    attributes = {
        "align": "wide", "className": "mia", "textColor": "vividRed", "gradient": "dusk", "fontSize": "large",
        "style": {"spacing": {"padding": {"top": "var:preset|spacing|50", "left": "1px;position:fixed"}},
                  "color": {"background": "#123456"}, "typography": {"lineHeight": "1.5"}},
    }  # fmt: skip
    assert render_wrapper_attributes(type, attributes, ["propria"]) == (
        ' style="background-color:#123456;line-height:1.5;padding-top:var(--wp--preset--spacing--50)" '
        'class="propria alignwide mia wp-block-archives has-text-color has-vivid-red-color has-background '
        'has-dusk-gradient-background has-large-font-size"'
    )


@pytest.mark.parametrize("value", ['"><script>', "a' onload='x", "javascript:x", {"a": 1}, ["x"], True])
def test_no_choice_leaves_its_attribute(value: Any) -> None:
    attributes = {"align": value, "className": value, "textColor": value, "style": {"color": {"text": value}}}
    html = f"<p{render_wrapper_attributes(load_block_types()['core/archives'], attributes)}>"
    assert html.count("<") == 1
    assert html.count('"') <= 4
    assert "onload='" not in html


# -- comments, the theme, pictures


def test_comments_are_shown_when_everybody_may_read_them(admin: Client) -> None:
    post = written(admin, title="Aperta", comment_status="open")
    kept = written(admin, title="Chiusa", password="x", comment_status="open")
    for record, text in ((post, "Visibile"), (kept, "Nascosto")):
        answer = admin.post("/cms/v2/comments", {"post": record["id"], "content": text, "status": "approve"})
        assert answer.status == 201, answer.json
    html = rendered(admin, "latest-comments")
    assert "Visibile" in html
    assert 'on <a class="wp-block-latest-comments__comment-link"' in html
    assert "Nascosto" not in html
    assert "1 comment<span" in rendered(admin, "post-comments-link", post_id=post["id"])
    blocks = (
        "<!-- wp:comments --><div><!-- wp:comments-title /--><!-- wp:comment-template -->"
        "<!-- wp:comment-author-name /-->"
        "<!-- wp:comment-content /--><!-- wp:comment-date /--><!-- /wp:comment-template --></div><!-- /wp:comments -->"
    )
    admin.post(f"/cms/v2/posts/{post['id']}", {"content": blocks})
    shown = Client(admin.site).get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"]
    assert "One response to" in shown
    assert '<div class="wp-block-comment-content">' in shown
    assert "Visibile" in shown


def test_patterns_and_parts_of_the_theme_are_shown(admin: Client) -> None:
    name = admin.get("/cms/v2/block-patterns/patterns").json[0]["name"]
    assert rendered(admin, "pattern", attributes={"slug": name})
    assert rendered(admin, "pattern", attributes={"slug": "nulla"}) == ""
    assert rendered(admin, "template-part", attributes={"slug": "header"}).startswith("<header")
    assert rendered(admin, "template-part", attributes={"slug": "nulla"}) == ""


def uploaded(client: Client, width: int, height: int, **members: Any) -> dict[str, Any]:
    out = io.BytesIO()
    Image.new("RGB", (width, height), (20, 90, 60)).save(out, "PNG")
    headers = {"content-disposition": 'attachment; filename="verde.png"', "content-type": "image/png"}
    answer = client.ask("POST", "/cms/v2/media", body=out.getvalue(), headers=headers)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = client.post(f"/cms/v2/media/{answer.json['id']}", members).json
    return found


def test_the_picture_of_a_record_and_the_logo_are_shown(site: Stand, admin: Client) -> None:
    picture = uploaded(admin, 700, 350, alt_text='Un "verde"')
    post = written(admin, featured_media=picture["id"])
    html = rendered(admin, "post-featured-image", post_id=post["id"], attributes={"sizeSlug": "medium", "isLink": True})
    medium = picture["media_details"]["sizes"]["medium"]
    assert html == (
        f'<figure class="wp-block-post-featured-image"><a href="{post["link"]}" target="_self"><img '
        f'width="{medium["width"]}" height="{medium["height"]}" src="{medium["source_url"]}" '
        'class="attachment-medium size-medium wp-post-image" alt="Un &quot;verde&quot;" decoding="async" '
        f'srcset="{medium["source_url"]} 300w, {picture["source_url"]} 700w" sizes="(max-width: 300px) 100vw, 300px" />'
        "</a></figure>"
    )
    assert rendered(admin, "site-logo") == ""
    with site.site.work() as work:
        work.set_option("site_logo", picture["id"])
    assert f'src="{picture["source_url"]}" class="custom-logo"' in rendered(admin, "site-logo")


def test_an_embed_has_the_picture_that_fills_it(admin: Client, anyone: Client) -> None:
    picture = uploaded(admin, 700, 350)
    post = written(admin, featured_media=picture["id"])
    found = anyone.get("/oembed/1.0/embed", query={"url": post["link"], "maxwidth": 250}).json
    medium = picture["media_details"]["sizes"]["medium"]
    assert found["thumbnail_url"] == medium["source_url"]
    assert (found["thumbnail_width"], found["thumbnail_height"]) == (medium["width"], medium["height"])
    whole = anyone.get("/oembed/1.0/embed", query={"url": post["link"]}).json
    assert (whole["thumbnail_url"], whole["thumbnail_width"]) == (picture["source_url"], 700)
    own = anyone.get("/oembed/1.0/embed", query={"url": picture["link"]})
    assert own.json["thumbnail_url"] == picture["source_url"]


def test_people_have_pictures(admin: Client) -> None:
    post = written(admin)
    html = rendered(admin, "avatar", post_id=post["id"], attributes={"size": 40, "isLink": True})
    assert 'class="avatar avatar-40 photo wp-block-avatar__image" height="40" width="40"' in html
    assert html.startswith('<div class="wp-block-avatar"><a href="http://vetrina.test/en/author/admin/" target="_self"')
    assert "?s=80&amp;d=mm&amp;r=g 2x" in html
    assert rendered(admin, "avatar") == ""
    assert 'avatar-48 photo"' in rendered(admin, "post-author", post_id=post["id"])
    assert "avatar" not in rendered(admin, "post-author", post_id=post["id"], attributes={"showAvatar": False})
    assert rendered(admin, "avatar", attributes={"userId": 10**30}) == ""


def test_who_has_no_account_is_led_to_where_he_answers(admin: Client, anyone: Client) -> None:
    blocks = (
        "<!-- wp:comments --><div><!-- wp:comment-template --><!-- wp:avatar /--><!-- wp:comment-reply-link /-->"
        "<!-- wp:comment-edit-link /--><!-- /wp:comment-template --><!-- wp:comments-pagination -->"
        "<!-- wp:comments-pagination-next /--><!-- /wp:comments-pagination --></div><!-- /wp:comments -->"
        "<!-- wp:post-comments-form /-->"
    )
    post = written(admin, content=blocks, comment_status="open")
    admin.post("/cms/v2/comments", {"post": post["id"], "content": "Eccola", "status": "approve"})
    html = anyone.get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"]
    assert html.count("/admin/sign-in?redirect_to=http%3A%2F%2Fvetrina.test%2Fen%2F") == 2
    assert "wp-block-avatar" in html
    assert "pagination" not in html
    closed = admin.post(f"/cms/v2/posts/{post['id']}", {"comment_status": "closed"}).json["content"]["rendered"]
    assert "sign-in" not in closed


def test_a_cover_shows_the_picture_of_its_record(admin: Client, anyone: Client) -> None:
    picture = uploaded(admin, 700, 350, alt_text="verde")
    cover = (
        '<!-- wp:cover {"useFeaturedImage":true,"focalPoint":{"x":0.5,"y":0.2}} --><div class="wp-block-cover">'
        '<span class="wp-block-cover__background"></span><div class="wp-block-cover__inner-container">'
        "<!-- wp:paragraph --><p>Sopra</p><!-- /wp:paragraph --></div></div><!-- /wp:cover -->"
    )
    text = (
        '<!-- wp:media-text {"useFeaturedImage":true} --><div class="wp-block-media-text"><figure '
        'class="wp-block-media-text__media"></figure><div>Accanto</div></div><!-- /wp:media-text -->'
    )
    post = written(admin, content=cover + text, featured_media=picture["id"])
    html = anyone.get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"]
    assert html.count(f'src="{picture["source_url"]}"') == 2
    assert 'style="object-position:50% 20%"' in html
    assert html.index('data-object-fit="cover"') < html.index("wp-block-cover__background")
    admin.post(f"/cms/v2/posts/{post['id']}", {"featured_media": 0})
    bare = anyone.get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"]
    assert "<img" not in bare
    assert "Sopra" in bare
    assert "Accanto" in bare


def test_a_cover_of_its_own_is_not_made_anew_when_it_is_read(site: Stand, admin: Client) -> None:
    cover = '<!-- wp:cover {"url":"https://example.org/a.jpg"} --><div class="wp-block-cover">A</div><!-- /wp:cover -->'
    stored = site.stored(written(admin, content=cover)["id"])
    assert stored is not None
    assert not stored.dynamic


def test_the_heading_of_a_list_is_that_of_its_term(admin: Client) -> None:
    terms = '<!-- wp:terms-query --><div><!-- wp:term-template --><!-- wp:query-title {"level":3} /-->'
    html = shown(admin, terms + "<!-- /wp:term-template --></div><!-- /wp:terms-query --><!-- wp:query-title /-->")
    assert html.count("<h3") == 1
    assert "Category: <span>Uncategorized</span>" in html


def test_a_group_of_widgets_has_its_heading(admin: Client) -> None:
    group = '<!-- wp:widget-group {"title":"Vicino"} --><!-- wp:paragraph --><p>A</p><!-- /wp:paragraph -->'
    html = shown(admin, group + "<!-- /wp:widget-group -->")
    assert '<h2 class="widget-title">Vicino</h2><div class="wp-widget-group__inner-blocks"><p>A</p></div>' in html


_ODD = ["1" + "0" * 30, "-1e30", "9223372036854775808", "1e999", "-1e999", "NaN", "Infinity", "0.5", "1" * 5000]


@pytest.mark.parametrize("number", _ODD)
def test_no_number_that_a_stranger_wrote_is_a_mistake_of_the_server(admin: Client, number: str) -> None:
    blocks = [
        '<!-- wp:avatar {"userId":%s,"size":%s} /-->', '<!-- wp:block {"ref":%s} /-->',
        '<!-- wp:navigation {"ref":%s} /-->',
        '<!-- wp:latest-posts {"categories":[{"id":%s}],"selectedAuthor":%s,"postsToShow":%s} /-->',
        '<!-- wp:calendar {"month":%s,"year":%s} /-->', '<!-- wp:page-list {"parentPageID":%s} /-->',
        '<!-- wp:query {"queryId":%s,"query":{"perPage":%s,"offset":%s,"author":%s,"exclude":[%s],"parents":[%s],'
        '"taxQuery":{"category":[%s]}}} --><div><!-- wp:post-template --><!-- wp:post-excerpt {"excerptLength":%s} /-->'
        "<!-- /wp:post-template --></div><!-- /wp:query -->",
        '<!-- wp:terms-query {"termQuery":{"perPage":%s,"include":[%s]}} --><div><!-- wp:term-template /--></div>'
        "<!-- /wp:terms-query -->",
        '<!-- wp:latest-comments {"commentsToShow":%s} /-->', '<!-- wp:tag-cloud {"numberOfTags":%s} /-->',
        '<!-- wp:post-time-to-read {"averageReadingSpeed":%s} /-->', '<!-- wp:post-title {"level":%s} /-->',
        '<!-- wp:group {"layout":{"type":"grid","columnCount":%s}} --><div></div><!-- /wp:group -->',
    ]  # fmt: skip
    answer = admin.post("/cms/v2/posts", {"title": "Una", "content": "".join(blocks).replace("%s", number)})
    assert answer.status == 201, answer.json


def test_the_words_of_a_link_run_nothing(author: Client, anyone: Client) -> None:
    link = '<!-- wp:navigation-link {"label":"Via \\u003cimg src=x onerror=alert(1)\\u003e","url":"/"} /-->'
    post = written(author, content=link + link.replace("-link", "-submenu"))
    html = anyone.get(f"/cms/v2/posts/{post['id']}").json["content"]["rendered"]
    assert html.count("<img") == 2
    assert "onerror" not in html


def test_types_name_their_sheets_of_styles(admin: Client) -> None:
    told = admin.get("/cms/v2/block-types/core/archives").json
    assert (told["style"], told["style_handles"]) == ("cms-block-archives", ["cms-block-archives"])
    assert told["editor_style_handles"] == ["cms-block-archives-editor"]
    assert admin.get("/cms/v2/block-types/core/column").json["style_handles"] == []


@pytest.mark.parametrize("context", ["view", "edit"])
def test_the_title_of_a_block_is_shown_as_it_is_stored(admin: Client, context: str) -> None:
    new = admin.post("/cms/v2/blocks", {"title": "Uno -- due", "content": "x", "status": "publish"}).json
    assert admin.get(f"/cms/v2/blocks/{new['id']}", query={"context": context}).json["title"] == {"raw": "Uno -- due"}


def test_the_content_of_a_block_has_no_rendered_form(admin: Client) -> None:
    new = admin.post("/cms/v2/blocks", {"title": "Uno", "content": "x", "status": "publish"}).json
    assert new["content"] == {"raw": "x", "protected": False, "block_version": 0}
    path = f"/cms/v2/blocks/{new['id']}"
    assert admin.get(path).json["content"] == {"raw": "x", "protected": False}
    assert admin.get(path, query={"context": "edit"}).json["content"] == new["content"]
