"""oEmbed: records of this site for others, pages of others for editors here. No real network."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import orjson
import pytest

from conftest import Client, Stand
from foreign_host import Host, answer, outbound_to
from vetrina.media.oembed.known_providers import discover_endpoint, find_endpoint
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

EMBED, PROXY = "/oembed/1.0/embed", "/oembed/1.0/proxy"
Served = Callable[[Callable[[BaseHTTPRequestHandler], None]], tuple[Client, Host]]


def written(client: Client, base: str = "posts", **members: Any) -> dict[str, Any]:
    answer = client.post(f"/cms/v2/{base}", {"title": "Una vetrina", "status": "publish", **members})
    assert answer.status == 201
    found: dict[str, Any] = answer.json
    return found


def of(client: Client, url: str, **query: Any) -> Any:
    return client.get(EMBED, query={"url": url, **query})


# -- the site's own records


def test_a_published_record_is_embedded(admin: Client, anyone: Client) -> None:
    post = written(admin, title='Una "vetrina" & altro')
    found = of(anyone, post["link"])
    assert found.status == 200
    assert found.json["title"] == post["title"]["rendered"]
    assert found.json["author_name"] == "admin"
    assert found.json["author_url"].endswith("/author/admin/")
    assert (found.json["type"], found.json["width"], found.json["height"]) == ("rich", 600, 338)


def test_the_frame_shows_the_record_and_each_call_has_its_own_secret(admin: Client, anyone: Client) -> None:
    link = written(admin)["link"]
    first, second = (of(anyone, link).json["html"] for _ in range(2))
    assert f'src="{link}embed/#?secret=' in first
    assert 'sandbox="allow-scripts"' in first
    # Anonymous responses are cached, so the secret changes with each response.
    assert first.count("data-secret=") == 3
    assert second.count("data-secret=") == 3


@pytest.mark.parametrize(
    ("given", "width", "height"),
    [(None, 600, 338), (500, 500, 282), (400, 400, 225), (300, 300, 200), (10, 200, 200), (5000, 600, 338),
     (-500, 500, 282), ("largo", 200, 200), ("", 200, 200), ("400.9", 400, 225)],
)  # fmt: skip
def test_the_width_is_held_in_bounds(admin: Client, anyone: Client, given: Any, width: int, height: int) -> None:
    query = {} if given is None else {"maxwidth": given}
    found = of(anyone, written(admin)["link"], **query)
    assert (found.json["width"], found.json["height"]) == (width, height)


@pytest.mark.parametrize("change", ["{}?utm=1", "{}#qui", "{}?x=1#y"])
def test_a_query_or_fragment_changes_nothing(admin: Client, anyone: Client, change: str) -> None:
    assert of(anyone, change.format(written(admin)["link"])).status == 200


def test_a_record_is_found_by_every_form_of_its_address(site: Stand, admin: Client, anyone: Client) -> None:
    post, parent = written(admin), written(admin, "pages", title="Sopra")
    page = written(admin, "pages", title="Sotto", parent=parent["id"])
    own = written(admin, "intervento", title="Un intervento")
    for record in (post, page, own):
        link = record["link"]
        for form in (link, link.rstrip("/"), link.replace("http://", "https://"), link.replace("/en/", "/")):
            assert of(anyone, form).json["title"] == record["title"]["rendered"], form
    assert of(anyone, f"http://vetrina.test/?p={post['id']}").status == 200
    assert of(anyone, f"http://vetrina.test/en/?page_id={page['id']}").status == 200
    assert of(anyone, page["link"].replace("sopra/", "")).status == 404


def test_a_record_in_another_language_is_found_under_its_own_directory(admin: Client, anyone: Client) -> None:
    answer = admin.post("/cms/v2/posts", {"title": "Ciao", "status": "publish"}, query={"mlang_language": "it"})
    link = answer.json["link"]
    assert "/it/" in link
    assert of(anyone, link).status == 200
    assert of(anyone, link.replace("/it/", "/en/")).status == 404


@pytest.mark.parametrize(
    "url",
    ["", "vetrina", "http://altrove.example/x", "http://vetrina.test/", "http://vetrina.test/en/",
     "http://vetrina.test/en/nulla/", "http://vetrina.test/?p=999999", "http://vetrina.test/?p=1e3",
     "http://vetrina.test:81/en/x/", "ftp://vetrina.test/en/x/", "http://[", "x" * 5000],
)  # fmt: skip
def test_what_names_no_record_is_unknown(anyone: Client, url: str) -> None:
    found = of(anyone, url)
    assert (found.status, found.code) == (404, "oembed_invalid_url")


@pytest.mark.parametrize("status", ["draft", "pending", "private", "future"])
def test_what_is_not_published_is_unknown_to_everybody(admin: Client, status: str) -> None:
    date = {"date": "2050-01-01T00:00:00"} if status == "future" else {}
    post = written(admin, status=status, **date)
    assert of(admin, post["link"]).status == 404
    assert of(admin, f"http://vetrina.test/?p={post['id']}").status == 404


def test_a_block_has_no_page_to_embed(admin: Client) -> None:
    block = written(admin, "blocks", content="<!-- wp:paragraph --><p>x</p><!-- /wp:paragraph -->")
    assert of(admin, block["link"]).status == 404
    assert of(admin, f"http://vetrina.test/?p={block['id']}").status == 404


def test_a_password_shows_in_the_title_only(admin: Client, anyone: Client) -> None:
    post = written(admin, password="apriti", content="nascosto")
    found = of(anyone, post["link"])
    assert found.json["title"] == "Protected: Una vetrina"
    assert b"nascosto" not in found.content


def test_the_page_on_the_front_is_embedded_by_the_home(site: Stand, admin: Client, anyone: Client) -> None:
    page = written(admin, "pages", title="Casa")
    assert of(anyone, "http://vetrina.test/en/").status == 404
    with site.site.work() as work:
        work.set_option("show_on_front", "page")
        work.set_option("page_on_front", page["id"])
    assert of(anyone, "http://vetrina.test/en/").json["title"] == "Casa"
    assert of(anyone, "http://vetrina.test").json["title"] == "Casa"


def test_a_change_is_seen_at_once(admin: Client, anyone: Client) -> None:
    post = written(admin)
    assert of(anyone, post["link"]).json["title"] == "Una vetrina"
    admin.post(f"/cms/v2/posts/{post['id']}", {"title": "Altra"})
    assert of(anyone, post["link"]).json["title"] == "Altra"
    admin.post("/cms/v2/users/me", {"name": "Ada"})
    assert of(anyone, post["link"]).json["author_name"] == "Ada"
    admin.post(f"/cms/v2/posts/{post['id']}", {"status": "draft"})
    assert of(anyone, post["link"]).status == 404


def test_xml_holds_whatever_a_title_does(admin: Client, anyone: Client) -> None:
    link = written(admin, title="Uno\x0b\uffff\x1f due")["link"]
    root = ElementTree.fromstring(of(anyone, link, format="xml").content)
    title = root.find("title")
    assert title is not None
    assert title.text == "Uno due"


def test_xml_says_the_same(admin: Client, anyone: Client) -> None:
    link = written(admin, title="Uno & <b>due</b>")["link"]
    found = of(anyone, link, format="xml")
    assert found.headers["content-type"] == "text/xml; charset=UTF-8"
    root, plain = ElementTree.fromstring(found.content), of(anyone, link).json
    assert root.tag == "oembed"
    assert {child.tag: child.text for child in root} | {"html": ""} == {
        name: str(value) for name, value in plain.items()
    } | {"html": ""}


def test_faults_are_xml_too_where_xml_is_asked_for(anyone: Client) -> None:
    found = anyone.get(EMBED, query={"format": "xml", "url": "http://altrove.example/"})
    assert (found.status, found.headers["content-type"]) == (404, "text/xml; charset=UTF-8")
    assert ElementTree.fromstring(found.content).findtext("code") == "oembed_invalid_url"
    missing = anyone.get(EMBED, query={"format": "xml"})
    assert ElementTree.fromstring(missing.content).findtext("data/params/oembed") == "url"


def test_a_list_is_no_address(anyone: Client) -> None:
    found = anyone.get(EMBED, query={"url": ["x"]})
    assert (found.status, found.code) == (400, "rest_invalid_param")


# -- pages of other sites


@pytest.mark.parametrize(("login", "status"), [("", 401), ("subscriber", 403), ("contributor", 200), ("editor", 200)])
def test_only_those_who_write_may_ask(site: Stand, admin: Client, login: str, status: int) -> None:
    link = written(admin)["link"]
    found = (site.client(login) if login else site.client()).get(PROXY, query={"url": link})
    assert found.status == status
    if status != 200:
        assert found.code == "rest_forbidden"


def test_an_own_address_is_answered_without_asking_anybody(admin: Client) -> None:
    post = written(admin)
    found = admin.get(PROXY, query={"url": post["link"], "maxwidth": 400, "format": "xml"})
    assert (found.json["title"], found.json["width"]) == ("Una vetrina", 400)
    assert admin.get(PROXY, query={"url": post["link"] + "nulla/"}).status == 404


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://10.0.0.1/", "http://169.254.169.254/x"]
)
def test_no_inner_address_is_asked(admin: Client, url: str) -> None:
    found = admin.get(PROXY, query={"url": url})
    assert (found.status, found.code) == (404, "oembed_invalid_url")


@pytest.fixture
def served(prepared: Path, tmp_path: Path) -> Iterator[Served]:
    """Return a foreign site's server, and an administrator of a site that can reach nothing else."""
    opened: list[Any] = []

    def start(respond: Callable[[BaseHTTPRequestHandler], None]) -> tuple[Client, Host]:
        shutil.copy(prepared / "site.sqlite", tmp_path / "site.sqlite")
        host = Host(respond)
        outbound = outbound_to(host, {"interno.example": ["10.0.0.1"]})
        # HTTPS servers are addressed by name only; the server of the test speaks plain HTTP.
        outbound._wrap_in_tls = lambda plain, target, deadline: plain
        settings = Settings(secret="secret of the tests")
        site = Site(load_profile("first"), settings, tmp_path, durable=False, outbound=outbound)
        opened.extend((host, site))
        return Stand(site).client("admin"), host

    yield start
    for one in opened:
        one.close()


def says(members: dict[str, Any]) -> Callable[[BaseHTTPRequestHandler], None]:
    return lambda handler: answer(handler, orjson.dumps(members), Content_Type="application/json")


RICH = {"version": "1.0", "type": "video", "title": "Film", "html": "<iframe src='https://x.example'></iframe>",
        "width": 500, "height": "281", "provider_name": "Cinema", "thumbnail_url": "javascript:x"}  # fmt: skip


def test_a_listed_site_is_asked_by_its_endpoint(served: Served) -> None:
    admin, host = served(says(RICH))
    address = "https://www.youtube.com/watch?v=abc&t=1"
    found = admin.get(PROXY, query={"url": address, "maxwidth": 500, "discover": False})
    assert found.status == 200
    assert found.json["html"] == RICH["html"]
    assert found.json["height"] == 281
    assert "thumbnail_url" not in found.json
    asked = urlsplit(host.asked[0][1])
    assert asked.path == "/oembed"
    assert host.asked[0][2]["host"] == "www.youtube.com"
    query = parse_qs(asked.query)
    assert (query["url"], query["maxwidth"], query["maxheight"]) == ([address], ["500"], ["750"])


@pytest.mark.parametrize(
    "members",
    [{}, {"type": "rich"}, {"type": "altro", "html": "x"}, {"type": "photo", "url": "https://x.example/a.png"},
     {"type": ["rich"], "html": "x"}, {"type": "rich", "html": {"a": 1}},
     {"type": "photo", "url": "javascript:x", "width": 1, "height": 1}],
)  # fmt: skip
def test_an_answer_that_says_too_little_is_none(served: Served, members: dict[str, Any]) -> None:
    admin, _ = served(says(members))
    assert admin.get(PROXY, query={"url": "https://vimeo.com/1"}).status == 404


def test_a_photo_and_a_link_get_their_markup(served: Served) -> None:
    admin, _ = served(says({"type": "photo", "url": "https://x.example/a.png?x=1&y=2", "width": 3, "height": 2}))
    html = admin.get(PROXY, query={"url": 'https://flic.kr/p/a"b'}).json["html"]
    assert html == (
        '<a href="https://flic.kr/p/a&quot;b"><img src="https://x.example/a.png?x=1&amp;y=2" alt="" width="3" '
        'height="2" /></a>'
    )


PAGE = (
    "<html><head><title>x</title><link rel='alternate' type='application/json+oembed' href='/come?a=1'></head>"
    "<body><link rel=alternate type=application/json+oembed href=http://interno.example/></body></html>"
)


def test_a_page_that_is_not_listed_is_asked_itself_and_its_markup_is_bounded(served: Served) -> None:
    markup = (
        "<script>alert(1)</script><blockquote onclick='x'><a href='javascript:x'>Uno</a> &lt;due&gt;</blockquote>"
        "<p>via</p><iframe src='https://pagina.example/f?a=1&amp;b=2' width='300' onload='x'></iframe>"
        "<iframe src='https://pagina.example/altro'></iframe>"
    )

    def respond(handler: BaseHTTPRequestHandler) -> None:
        if handler.path.startswith("/come"):
            says({"type": "rich", "html": markup, "width": 300, "height": 200})(handler)
        else:
            answer(handler, PAGE.encode(), Content_Type="text/html; charset=utf-8")

    admin, host = served(respond)
    found = admin.get(PROXY, query={"url": "https://pagina.example/uno"})
    assert found.json["html"] == (
        '<blockquote><a href="">Uno</a> &lt;due&gt;</blockquote><iframe sandbox="allow-scripts" security="restricted" '
        'src="https://pagina.example/f?a=1&amp;b=2" width="300" frameborder="0" marginwidth="0" marginheight="0" '
        'scrolling="no"></iframe>'
    )
    assert [urlsplit(path).path for _, path, _, _ in host.asked] == ["/uno", "/come"]
    assert parse_qs(urlsplit(host.asked[1][1]).query)["a"] == ["1"]


def test_a_page_whose_markup_may_not_stand_here_still_says_what_it_is(served: Served) -> None:
    rich = {"type": "rich", "html": "<b>Uno</b><a href=''>due</a>", "title": "Titolo", "provider_name": "Altrove"}

    def respond(handler: BaseHTTPRequestHandler) -> None:
        if handler.path.startswith("/come"):
            says(rich)(handler)
        else:
            answer(handler, PAGE.encode(), Content_Type="text/html; charset=utf-8")

    admin, _ = served(respond)
    found = admin.get(PROXY, query={"url": "https://pagina.example/uno"})
    assert found.status == 200
    assert found.json == {**rich, "html": False, "scripts": []}


def test_discovery_can_be_left_out(served: Served) -> None:
    admin, host = served(lambda handler: answer(handler, PAGE.encode()))
    assert admin.get(PROXY, query={"url": "https://pagina.example/uno", "discover": False}).status == 404
    assert host.asked == []


def test_a_page_cannot_send_this_server_inside(served: Served) -> None:
    inside = PAGE.replace("/come?a=1", "http://interno.example/segreti")
    admin, host = served(lambda handler: answer(handler, inside.encode()))
    assert admin.get(PROXY, query={"url": "https://pagina.example/uno"}).status == 404
    assert len(host.asked) == 1


def test_an_answer_in_xml_is_read_without_entities(served: Served) -> None:
    head = "<html><head><link rel=alternate type=text/xml+oembed href=/come></head></html>"
    plain = "<oembed><type>rich</type><html>&lt;iframe src='https://x.example/'&gt;&lt;/iframe&gt;</html></oembed>"
    bomb = "<!DOCTYPE x [<!ENTITY a 'aaaa'>]>" + plain
    body = plain

    def respond(handler: BaseHTTPRequestHandler) -> None:
        answer(handler, (body if handler.path.startswith("/come") else head).encode())

    admin, _ = served(respond)
    assert "<iframe" in admin.get(PROXY, query={"url": "https://pagina.example/"}).json["html"]
    body = bomb
    assert admin.get(PROXY, query={"url": "https://pagina.example/"}).status == 404


@pytest.mark.parametrize(
    ("address", "listed"),
    [("https://www.youtube.com/watch?v=1", True), ("http://youtu.be/x", True), ("https://vimeo.com/1", True),
     ("https://player.vimeo.com/video/1", True), ("https://evilvimeo.com/1", False),
     ("https://example.org/https://vimeo.com/1", False), ("https://vimeo.com.example/1", False)],
)  # fmt: skip
def test_which_sites_are_listed(address: str, listed: bool) -> None:
    assert bool(find_endpoint(address)) is listed


def test_json_is_preferred_and_the_body_says_nothing() -> None:
    head = "<link rel='alternate' type='text/xml+oembed' href='x'>"
    head += "<link type='application/json+oembed' rel='ALTERNATE' href='j'>"
    assert discover_endpoint(head, "https://a.example/b/") == ("https://a.example/b/j", "json")
    assert discover_endpoint(f"<body>{head}", "https://a.example/") == ("", "")
