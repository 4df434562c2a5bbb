"""Public pages are their templates: which one, what its blocks show, and what changes the next view of a page."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis.strategies import lists, sampled_from

from conftest import Client, exchange, made

TEMPLATES, PARTS = "/cms/v2/templates", "/cms/v2/template-parts"
MARK = '<!-- wp:paragraph --><p class="mark">{}</p><!-- /wp:paragraph -->'


def path(record) -> str:
    return urlsplit(record["link"]).path


@pytest.fixture
def make_template(admin):
    """Store a template that shows one word."""

    def store(slug: str, word: str = "", content: str = "", base: str = TEMPLATES, **members: object):
        given = {"slug": slug, "title": slug, "content": content or MARK.format(word or slug), **members}
        answer = admin.post(base, given)
        assert answer.status == 201, answer.json
        return answer.json

    return store


def marks(text: str) -> list[str]:
    """Return the words that the templates of a page show."""
    return re.findall(r'<p class="mark">([^<]*)</p>', text)


def test_the_most_specific_template_shows_a_record(visitor, write, make_template):
    post, page = write(title="One", slug="one"), write("pages", title="Two", slug="two")
    assert marks(visitor.get(path(post)).text) == marks(visitor.get(path(page)).text) == []
    for names, one in (
        (("index", "singular", "single", "single-post", "single-post-one"), post),
        (("page", f"page-{page['id']}", "page-two"), page),
    ):
        for name in names:
            make_template(name, is_wp_suggestion=True)
            expected = [name] if name not in ("index", "singular") else []
            assert marks(visitor.get(path(one)).text) == expected, name


def test_a_record_may_choose_its_template(visitor, write, make_template, admin):
    make_template("long-read", "Long")
    one = write("pages", title="A page")
    assert marks(visitor.get(path(one)).text) == []
    assert admin.post(f"/cms/v2/pages/{one['id']}", {"template": "long-read"}).status == 200
    assert marks(visitor.get(path(one)).text) == ["Long"]


def test_each_kind_of_list_has_its_templates(visitor, write, make_template, admin):
    category = admin.post("/cms/v2/categories", {"name": "Fruit"}).json
    tag = admin.post("/cms/v2/tags", {"name": "Red"}).json
    write(title="Cherry", categories=[category["id"]], tags=[tag["id"]], date="2026-03-05T10:00:00")
    for target, names in (
        ("/en/", ("home", "front-page")),
        (path(category), ("archive", "category", "category-fruit")),
        (path(tag), ("tag", "tag-red")),
        ("/en/author/editor/", ("author", "author-editor")),
        ("/en/2026/03/", ("date",)),
        ("/en/?s=cherry", ("search",)),
        ("/en/nothing-here/", ("404",)),
    ):
        for name in names:
            make_template(name, is_wp_suggestion=True)
            assert marks(visitor.get(target).text) == [name], (target, name)


def test_a_template_in_another_language_is_for_its_pages(visitor, write, make_template):
    write(title="One", slug="one", language="en")
    italian = write(title="Uno", slug="uno", language="it")
    make_template("single", "English")
    assert marks(visitor.get(path(italian)).text) == ["English"]
    make_template("single", "Italiano", lang="it")
    assert marks(visitor.get(path(italian)).text) == ["Italiano"]


def test_a_changed_part_and_a_removed_template_are_seen_on_the_next_view(visitor, write, make_template, admin):
    one = write()
    visitor.get(path(one))
    part = make_template("footer", "New footer", base=PARTS)
    assert marks(visitor.get(path(one)).text) == ["New footer"]
    admin.post(f"{PARTS}/{part['id']}", {"content": MARK.format("Changed")})
    assert marks(visitor.get(path(one)).text) == ["Changed"]
    own = make_template("single", "Own")
    assert marks(visitor.get(path(one)).text) == ["Own"]
    assert admin.delete(f"{TEMPLATES}/{own['id']}?force=true").status == 200
    assert marks(visitor.get(path(one)).text) == ["Changed"]


def test_a_navigation_is_on_the_next_page(visitor, write, admin):
    one = write()
    assert "Our harbour" not in visitor.get(path(one)).text
    link = '<!-- wp:navigation-link {"label":"Our harbour","url":"/harbour"} /-->'
    admin.post("/cms/v2/navigation", {"title": "Main", "status": "publish", "content": link})
    assert '<span class="wp-block-navigation-item__label">Our harbour</span>' in visitor.get(path(one)).text


LOOP = """<!-- wp:query {{"queryId":{number},"query":{query}}} --><div class="wp-block-query">
<!-- wp:post-template --><!-- wp:post-title /--><!-- /wp:post-template -->
<!-- wp:query-pagination --><!-- wp:query-pagination-previous /--><!-- wp:query-pagination-numbers /-->
<!-- wp:query-pagination-next /--><!-- /wp:query-pagination -->
<!-- wp:query-total /--></div><!-- /wp:query -->"""


def test_a_list_and_another_query_have_pages_of_their_own(visitor, write, make_template, admin):
    for number in range(1, 6):
        write(title=f"Post {number}", date=f"2026-01-0{number}T10:00:00")
        write("pages", title=f"Page {number}", menu_order=number)
    admin.post("/cms/v2/settings", {"posts_per_page": 2})
    pages = '{"postType":"page","perPage":2,"orderBy":"menu_order","order":"asc"}'
    make_template("home", content=LOOP.format(number=0, query='{"inherit":true}') + LOOP.format(number=7, query=pages))

    def titles(target: str) -> list[str]:
        return re.findall(r"(?:Post|Page) \d", visitor.get(target).text)

    assert titles("/en/") == ["Post 5", "Post 4", "Page 1", "Page 2"]
    assert titles("/en/page/2/") == ["Post 3", "Post 2", "Page 1", "Page 2"]
    assert titles("/en/page/2/?query-7-page=3") == ["Post 3", "Post 2", "Page 5"]
    assert titles("/en/?query-7-page=99") == ["Post 5", "Post 4"]
    text = visitor.get("/en/page/2/").text
    assert re.search(r'href="http://vetrina.test/en/"[^>]*>Previous Page', text)
    assert re.search(r'href="http://vetrina.test/en/page/3/"[^>]*>Next Page', text)
    assert "http://vetrina.test/en/page/2/?query-7-page=2" in text
    assert '<span aria-current="page" class="page-numbers current">2</span>' in text


def test_a_search_shows_what_was_looked_for(visitor, write):
    write(title="Of pears")
    text = visitor.get("/en/?s=pears+%22%3E").text
    assert 'value="pears &quot;&gt;"' in text
    assert "Search results for “pears &quot;&gt;”</h1>" in text


def test_what_nobody_may_read_is_in_no_template(visitor, write, make_template):
    locked = write(title="Locked", content="The secret words.", password="sesame")
    make_template("single", content="<!-- wp:post-title /--><!-- wp:post-excerpt /--><!-- wp:post-content /-->")
    text = visitor.get(path(locked)).text
    assert "The secret words." not in text
    form = visitor.get(path(locked)).form
    opened = visitor.follow(visitor.post(path(locked), {**form, "post_password": "sesame"}))
    assert "The secret words." in opened.text
    assert opened.headers["cache-control"] == "no-store"


def test_a_preview_stands_in_the_template(visitor, write, site, make_template):
    make_template("single", content=f"{MARK.format('Frame')}<!-- wp:post-title /--><!-- wp:post-content /-->")
    one = write(title="As it is")
    kept = site.client("editor").post(f"/cms/v2/posts/{one['id']}/autosaves", {"title": "To be", "content": "New."})
    text = visitor.get(kept.json["preview_link"].partition("http://vetrina.test")[2]).text
    assert (marks(text), "To be</h2>" in text, "<p>New.</p>" in text) == (["Frame"], True, True)


def test_a_content_is_shown_once_and_never_inside_itself(visitor, write, make_template):
    one = write(content="<!-- wp:paragraph --><p>Once.</p><!-- /wp:paragraph --><!-- wp:post-content /-->")
    make_template("single", content="<!-- wp:post-content /-->")
    assert visitor.get(path(one)).text.partition("<body>")[2].count("Once.") == 1


def test_what_visitors_write_expands_no_shortcode(visitor, write, site, admin):
    words = "[audio src=https://evil.test/a.mp3]"
    assert "<audio" not in visitor.get("/en/?s=pears+%5Baudio+src%3Dhttps%3A%2F%2Fevil.test%2Fa.mp3%5D").text
    one = write(title="Open", comment_status="open")
    for name, text in ((words, "Hello"), ("Ann", words)):
        answer = admin.post("/cms/v2/comments", {"post": one["id"], "author_name": name, "content": text,
                                                 "author_email": "a@example.org", "status": "approve"})  # fmt: skip
        assert answer.status == 201, answer.json
    text = visitor.get(path(one)).text
    # Twice as it is, and in the link to reply twice.
    assert text.count("[audio src=https://evil.test/a.mp3]") == 4
    assert "<audio" not in text


def test_a_shortcode_of_the_template_itself_is_expanded(visitor, make_template):
    make_template("404", content="<!-- wp:shortcode -->[audio src=https://sound.test/a.mp3]<!-- /wp:shortcode -->")
    assert "<audio" in visitor.get("/en/nothing/").text


BLOCKS = (
    "<!-- wp:post-title /-->", "<!-- wp:post-content /-->", "<!-- wp:post-excerpt /-->", "<!-- wp:post-terms /-->",
    '<!-- wp:query {"query":{"inherit":true}} --><div>', "<!-- /wp:query -->", "<!-- wp:post-template -->",
    "<!-- /wp:post-template -->", "<!-- wp:query-pagination-numbers /-->", "<!-- wp:query-title /-->",
    '<!-- wp:template-part {"slug":"header"} /-->', '<!-- wp:template-part {"slug":"loop"} /-->',
    "<!-- wp:comments -->", "<!-- /wp:comments -->", "<!-- wp:comment-template -->", "<main>",
    "</main>", "</div>", "text", "<!--", "-->",
    "<script>alert(1)</script>", '<p style="color:red" onclick="alert(1)">', '<!-- wp:navigation {"ref":99} /-->',
    '<!-- wp:query-total {"displayType":"range-display"} /-->', "<!-- wp:archives /-->", "<!-- wp:search /-->",
    '<!-- wp:query {"query":"no"} -->', '<!-- wp:post-date {"format":[1]} /-->', "<!-- wp:post-comments-form /-->",
)  # fmt: skip


@pytest.fixture(scope="module")
def stand(tmp_path_factory: pytest.TempPathFactory):
    site = made(tmp_path_factory.mktemp("templates"), secret="secret of the tests")
    yield site
    site.close()


@settings(max_examples=60)
@given(parts=lists(sampled_from(BLOCKS), max_size=12))
def test_no_template_breaks_a_page(stand, parts):
    client = Client(stand, "admin", "admin pass word")
    for base, slug in ((TEMPLATES, "index"), (TEMPLATES, "single"), (PARTS, "loop")):
        answer = client.post(f"{base}/portico//{slug}", {"content": "".join(parts)})
        if answer.status == 404:
            answer = client.post(base, {"slug": slug, "title": slug, "content": "".join(parts) or " "})
        assert answer.status in (200, 201), answer.json
    for target, expected in (("/en/", 200), ("/en/?s=word", 200), ("/en/nothing/", 404)):
        status, _, content = exchange(stand, "GET", target, b"", {})
        assert (status, content.endswith(b"</html>\n")) == (expected, True), target


def test_a_site_without_a_shop_shows_nothing_of_one(visitor, write):
    write(title="Hello", slug="hello")
    page = visitor.get("/en/hello/").text
    assert '<header class="wp-block-template-part">' in page
    assert "cart" not in page.lower()
    assert "<script src=" not in page
    assert visitor.get("/en/checkout/order-received/1/?key=a").status == 404
    assert visitor.post("/en/hello/", {"_form": "add-to-cart", "product": "1"}).status == 405
