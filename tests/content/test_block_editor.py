"""Helpers of a block editor: link previews, the initial navigation, the theme as an archive."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import orjson
import pytest

from conftest import Client, Stand
from foreign_host import Host, answer, outbound_to
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

DETAILS, FALLBACK, EXPORT = (
    f"/cms-block-editor/v1/{name}" for name in ("url-details", "navigation-fallback", "export")
)
Served = Callable[[Callable[[BaseHTTPRequestHandler], None]], tuple[Client, Host]]


# -- previews of links


@pytest.fixture
def served(prepared: Path, tmp_path: Path) -> Iterator[Served]:
    """Return a foreign site's server, and an administrator of a site that can reach nothing else."""
    opened: list[Any] = []

    def start(respond: Callable[[BaseHTTPRequestHandler], None]) -> tuple[Client, Host]:
        shutil.copy(prepared / "site.sqlite", tmp_path / "site.sqlite")
        host = Host(respond)
        outbound = outbound_to(host, {"interno.example": ["10.0.0.1"]})
        site = Site(load_profile("first"), Settings(secret="secret of the tests"), tmp_path, durable=False,
                    outbound=outbound)  # fmt: skip
        opened.extend((host, site))
        return Stand(site).client("admin"), host

    yield start
    for one in opened:
        one.close()


PAGE = """<!doctype html><html><head><title>Mele &amp;
  pere</title><link rel="shortcut icon" href="/segno.png"><meta name="description" content=" Frutta  di stagione ">
<meta property="og:image" content="https://immagini.example/mela.jpg"><meta property="og:description" content="no">
</head><body><title>Altro</title><meta name="description" content="falso"></body></html>"""


def test_a_page_is_previewed_by_its_head(served: Served) -> None:
    admin, host = served(lambda handler: answer(handler, PAGE.encode(), Content_Type="text/html"))
    assert admin.get(DETAILS, query={"url": "http://frutta.example/mele"}).json == {
        "title": "Mele & pere", "icon": "http://frutta.example/segno.png", "description": "Frutta di stagione",
        "image": "https://immagini.example/mela.jpg",
    }  # fmt: skip
    assert host.asked[0][1] == "/mele"


def test_a_page_that_says_nothing_gives_empty_members(served: Served) -> None:
    admin, _ = served(lambda handler: answer(handler, b"<p>x</p><link rel=icon href='javascript:x'>"))
    body = admin.get(DETAILS, query={"url": "http://frutta.example/"}).json
    assert body == {"title": "", "icon": "", "description": "", "image": ""}


SIGN = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    ("head", "member", "value"),
    [('<title>Prova &lt;b&gt;di&lt;/b&gt; mele</title>', "title", "Prova di mele"),
     ('<meta name=" description " content=" <strong>Mele</strong> &lt;em&gt;rosse&lt;/em&gt; &amp; pere ">',
      "description", "Mele rosse & pere"),
     ('<meta name="og:description" content="Prima"><meta name="description" content="Poi">', "description", "Prima"),
     ('<meta property="og:description" content="B"><meta name="description" content="A">', "description", "A"),
     ('<meta name="description" content=" "><meta name="twitter:description" content="Terza">', "description", "Terza"),
     ('<meta property="og:image:url" content="/a.jpg"><meta property="og:image" content="/b.jpg">', "image",
      "http://frutta.example/a.jpg"),
     ('<meta property=" og:image " content=" b.jpg ">', "image", "http://frutta.example/b.jpg"),
     ('<meta property=og:image:alt content="/x.jpg">', "image", ""),
     (f'<link rel="icon" type="image/png" href="{SIGN}">', "icon", SIGN),
     ('<link rel=icon href="data:text/html,x">', "icon", ""),
     ('<link rel="stylesheet" href="/a.css"><link href="/s.png?a=1&b=2" rel=\'icon shortcut\'>', "icon",
      "http://frutta.example/s.png?a=1&b=2")],
)  # fmt: skip
def test_what_a_head_says_is_read_in_its_order_and_as_plain_text(
    served: Served, head: str, member: str, value: str
) -> None:
    admin, _ = served(lambda handler: answer(handler, head.encode(), Content_Type="text/html"))
    assert admin.get(DETAILS, query={"url": "http://frutta.example/"}).json[member] == value


def test_a_page_that_is_not_there_or_empty(served: Served) -> None:
    admin, _ = served(lambda handler: answer(handler, b"x" if handler.path == "/via" else b"", status=404))
    assert admin.get(DETAILS, query={"url": "http://frutta.example/via"}).code == "no_response"


def test_an_empty_page_is_told(served: Served) -> None:
    admin, _ = served(lambda handler: answer(handler, b"  "))
    found = admin.get(DETAILS, query={"url": "http://frutta.example/"})
    assert (found.status, found.code) == (404, "no_content")


@pytest.mark.parametrize(
    "url",
    ["x", "", "http://192.168.0.1/", "http://127.0.0.1/", "http://[::1]/", "http://localhost/", "ftp://a.example/",
     "http://user:word@a.example/", "http://a.example:22/", "http://2130706433/", "http://169.254.169.254/x"],
)  # fmt: skip
def test_what_is_no_public_address_is_a_fault_of_the_parameter(admin: Client, url: str) -> None:
    found = admin.get(DETAILS, query={"url": url})
    assert (found.status, found.code) == (400, "rest_invalid_param")
    assert found.json["data"]["params"] == {"url": "Invalid parameter."}


def test_a_name_inside_is_not_asked_and_not_told_from_one_that_is_missing(served: Served) -> None:
    admin, host = served(lambda handler: answer(handler, PAGE.encode()))
    assert admin.get(DETAILS, query={"url": "http://interno.example/"}).code == "no_response"
    assert host.asked == []


@pytest.mark.parametrize(("login", "status"), [("", 401), ("subscriber", 403)])
def test_only_those_who_write_may_ask(site: Stand, login: str, status: int) -> None:
    client = site.client(login) if login else site.client()
    found = client.get(DETAILS, query={"url": "https://1.2.3.4/"})
    assert (found.status, found.code) == (status, "rest_cannot_view_url_details")


# -- the navigation to begin with


def test_a_navigation_is_made_where_there_is_none(admin: Client) -> None:
    first = admin.get(FALLBACK).json
    assert admin.get(FALLBACK).json["id"] == first["id"]
    stored = admin.get(f"/cms/v2/navigation/{first['id']}", query={"context": "edit"}).json
    assert (stored["status"], stored["content"]["raw"]) == ("publish", "<!-- wp:page-list /-->")
    embedded = admin.get(FALLBACK, query={"_embed": 1}).json["_embedded"]["self"][0]
    assert embedded["id"] == first["id"]


def test_the_newest_published_navigation_is_taken(admin: Client) -> None:
    for status in ("publish", "draft"):
        admin.post("/cms/v2/navigation", {"title": status, "status": status, "date": "2024-01-01T00:00:00"})
    newest = admin.post("/cms/v2/navigation", {"title": "Nuova", "status": "publish"}).json
    assert admin.get(FALLBACK).json["id"] == newest["id"]


@pytest.mark.parametrize(("login", "status"), [("", 401), ("editor", 403)])
def test_only_administrators_have_a_fallback_made(site: Stand, login: str, status: int) -> None:
    found = (site.client(login) if login else site.client()).get(FALLBACK)
    assert (found.status, found.code) == (status, "rest_cannot_create")
    assert site.client("admin").get("/cms/v2/navigation").json == []


# -- the theme


@pytest.mark.parametrize(("login", "status"), [("", 401), ("editor", 403)])
def test_only_administrators_export(site: Stand, login: str, status: int) -> None:
    found = (site.client(login) if login else site.client()).get(EXPORT)
    assert (found.status, found.code) == (status, "rest_cannot_export_templates")


def held(client: Client) -> dict[str, bytes]:
    found = client.get(EXPORT)
    assert found.headers["content-type"] == "application/zip"
    assert found.headers["content-disposition"].startswith("attachment")
    with zipfile.ZipFile(io.BytesIO(found.content)) as archive:
        assert archive.testzip() is None
        return {name.partition("/")[2]: archive.read(name) for name in archive.namelist()}


def test_the_archive_holds_the_theme_with_what_was_changed(admin: Client) -> None:
    before = held(admin)
    assert {"style.css", "theme.json", "templates/index.html"} <= set(before)
    assert b'"theme":' not in before["templates/index.html"]
    assert held(admin) == before
    theme = admin.get("/cms/v2/themes", query={"status": "active"}).json[0]["stylesheet"]
    part = '<!-- wp:template-part {"slug":"header","theme":"' + theme + '"} /--><p>Mia</p>'
    assert admin.post(f"/cms/v2/templates/{theme}//index", {"content": part}).status == 200
    assert admin.post("/cms/v2/templates", {"slug": "nuova", "title": "Nuova", "content": "x"}).status == 201
    after = held(admin)
    assert after["templates/index.html"] == b'<!-- wp:template-part {"slug":"header"} /--><p>Mia</p>'
    assert after["templates/nuova.html"] == b"x"
    assert after["style.css"] == before["style.css"]


def test_the_archive_holds_the_owners_styles(admin: Client) -> None:
    theme = admin.get("/cms/v2/themes", query={"status": "active"}).json[0]["stylesheet"]
    links = admin.get(f"/cms/v2/themes/{theme}").json["_links"]
    path = links["cms:user-global-styles"][0]["href"].partition("/cms-json")[2]
    before = orjson.loads(held(admin)["theme.json"])
    assert admin.post(path, {"styles": {"color": {"background": "#123456"}}}).status == 200
    after = orjson.loads(held(admin)["theme.json"])
    assert after["styles"]["color"]["background"] == "#123456"
    assert after["styles"].keys() >= before["styles"].keys()
    assert after["settings"] == before["settings"]
