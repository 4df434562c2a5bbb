"""A site that lives under a path of its host: every address has the path, and the site answers below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urljoin, urlsplit

import msgspec
import orjson
import pytest

from conftest import Client, Stand, exchange, made
from pictures import picture
from vetrina.access.users import rules as users
from vetrina.settings import load_profile
from vetrina.system.sample_content import create_samples

URL = "https://example.org/blog"
HOST = {"host": "example.org"}
ROOT = "/blog/en/cms-json"
PASSWORD = "a word that people keep"


@pytest.fixture(params=["/blog", ""], ids=["the proxy passes the path", "the proxy takes the path off"])
def front(request: pytest.FixtureRequest) -> str:
    """What stands before a path when the request arrives."""
    return str(request.param)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Stand]:
    profile = msgspec.structs.replace(
        load_profile("first"), dialects=("neutral", "wordpress"), menu_locations={"top": "Top"},
        public_menu_locations=("top",),
    )  # fmt: skip
    site = made(tmp_path, profile, url=URL)
    with site.work() as work:
        work.user = users.find_user_by_login(work.tx, "admin") or work.user
        create_samples(work)
    yield Stand(site)
    site.close()


def ask(
    site: Stand, address: str, front: str = "/blog", method: str = "GET", body: bytes = b"", **headers: str
) -> tuple[int, list[tuple[str, str]], str]:
    """Send a request to an address of the site, as it arrives behind its proxy."""
    parts = urlsplit(address)
    assert f"{parts.scheme}://{parts.netloc}" == "https://example.org", address
    assert parts.path == "/blog" or parts.path.startswith("/blog/"), address
    path = front + parts.path.removeprefix("/blog") or "/"
    target = path + (f"?{parts.query}" if parts.query else "")
    status, pairs, content = exchange(site.site, method, target, body, {**HOST, **headers})
    return status, pairs, content.decode("utf-8", "replace")


def addresses(value: Any) -> Iterator[str]:
    """Yield every address of the host in a JSON value."""
    if isinstance(value, dict):
        for one in value.values():
            yield from addresses(one)
    elif isinstance(value, list):
        for one in value:
            yield from addresses(one)
    elif isinstance(value, str):
        yield from re.findall(r"https?://example\.org[^\s\"'<>,)]*", unescape(value))


def client(site: Stand, login: str = "", root: str = ROOT) -> Client:
    found = site.client(login, root=root)
    found.headers |= HOST
    return found


def test_every_link_of_the_index_and_of_the_lists_is_below_the_path_and_answered(site: Stand, front: str) -> None:
    anyone, admin = client(site), client(site, "admin")
    page = admin.post("/cms/v2/pages", {"title": "Below", "status": "publish"}).json
    menu = admin.post("/cms/v2/menus", {"name": "Main", "locations": ["top"]}).json["id"]
    admin.post("/cms/v2/menu-items", {"menus": menu, "type": "post_type", "object": "page", "object_id": page["id"]})
    index = anyone.get("/").json
    assert (index["url"], index["home"]) == (URL, f"{URL}/en")
    wanted = set(addresses({name: one for name, one in index.items() if name != "routes"}))
    read = [one for one in index["routes"].values() if "GET" in one["methods"]]
    wanted |= {link["href"] for one in read for link in one.get("_links", {}).get("self", ())}
    for path in ("posts", "pages", "categories", "users", "media", "comments", "search"):
        answer = anyone.get(f"/cms/v2/{path}", query={"_embed": 1} if path == "posts" else {})
        assert answer.status == 200
        wanted |= set(addresses([answer.json, answer.headers.get("link", "")]))
    wanted |= set(addresses(anyone.get("/cms/v2/menu-locations/top/tree").json))
    assert anyone.get("/cms/v2/posts", query={"_embed": "author"}).json[0]["_embedded"]["author"][0]["name"]
    refused = {400, 401}  # arguments or an account are needed
    for address in sorted(wanted):
        status, pairs, _ = ask(site, address, front)
        if status in (301, 303):
            assert urljoin(URL, dict(pairs)["location"]).startswith(f"{URL}/"), address
            continue
        assert status == 200 or (status in refused and "/cms-json" in address) or re.search(r"[{(]", address), (
            status,
            address,
        )
    assert len(wanted) > 100


def test_pages_link_below_the_path_and_are_answered(site: Stand, front: str) -> None:
    seen: set[str] = set()
    waiting = [f"{URL}/", f"{URL}/en/", f"{URL}/it/", f"{URL}/sitemap.xml", f"{URL}/robots.txt", f"{URL}/en/feed/"]
    while waiting:
        address = waiting.pop()
        if address in seen or len(seen) > 120:
            continue
        seen.add(address)
        status, pairs, text = ask(site, address, front)
        assert status in (200, 301, 303) or "-json" in address, (status, address)
        if status in (301, 303):
            waiting.append(urljoin(address, dict(pairs)["location"]))
            continue
        relative = re.findall(r'(?:href|src|action)="(/[^"]*)"', text)
        assert [one for one in relative if not one.startswith("/blog/")] == []
        found = {one.partition("#")[0] for one in addresses(text) if "/oembed/" not in one}
        waiting += sorted(found - seen)
    assert any("/en/feed/" in one for one in seen)
    assert any(re.fullmatch(r".*/en/\d{4}/\d\d/\d\d/.*", one) for one in seen)
    assert "Sitemap: https://example.org/blog/sitemap.xml" in ask(site, f"{URL}/robots.txt", front)[2]


def test_files_and_their_sizes_are_below_the_path(site: Stand, front: str) -> None:
    kind = {"content-type": "image/png", "content-disposition": 'attachment; filename="sea.png"'}
    made = client(site, "admin").ask("POST", "/cms/v2/media", body=picture(800, 600, "PNG"), headers=kind).json
    sources = [made["source_url"], *(one["source_url"] for one in made["media_details"]["sizes"].values())]
    sources += [f"{made['source_url']}?w=320&format=webp", made["link"], made["guid"]["rendered"]]
    for source in sources:
        assert ask(site, source, front)[0] in (200, 301), source


def test_signing_in_stays_below_the_path(site: Stand, front: str) -> None:
    with site.site.work() as work:
        user = users.find_user_by_login(work.tx, "author")
        assert user is not None
        users.update_user(work, user, password=PASSWORD)
    status, pairs, text = ask(site, f"{URL}/admin/sign-in?redirect_to=/en/", front)
    cookie = dict(pairs)["set-cookie"]
    assert (status, "; Path=/blog;" in cookie, cookie.startswith("__Secure-cms_form=")) == (200, True, True)
    nonce = re.findall(r'name="_cmsnonce" value="([^"]*)"|value="([^"]*)" [^>]*name="_cmsnonce"', text)
    form = {"_cmsnonce": "".join(nonce[0]), "login": "author", "password": PASSWORD, "redirect_to": "/en/"}
    kind = {"content-type": "application/x-www-form-urlencoded", "cookie": cookie.partition(";")[0]}
    status, pairs, _ = ask(site, f"{URL}/admin/sign-in", front, "POST", urlencode(form).encode(), **kind)
    assert (status, dict(pairs)["location"]) == (303, "/blog/en/")
    session = next(value.partition(";")[0] for name, value in pairs if name == "set-cookie" and "Path=/blog" in value)
    status, pairs, text = ask(site, f"{URL}/en/", front, cookie=session)
    assert "/blog/admin/sign-out" in text
    status, pairs, _ = ask(site, f"{URL}/admin/admin.php", front)
    assert dict(pairs)["location"].startswith("/blog/admin/sign-in?")


def test_addresses_lead_to_their_records(site: Stand, front: str) -> None:
    admin = client(site, "admin")
    post = admin.get("/cms/v2/posts", query={"per_page": 1}).json[0]
    path = urlsplit(post["link"]).path
    status, pairs, _ = ask(site, post["link"].rstrip("/"), front)
    assert (status, dict(pairs)["location"]) == (301, post["link"])
    found = client(site).get("/oembed/1.0/embed", query={"url": post["link"]})
    assert (found.status, found.json["title"]) == (200, unescape(post["title"]["rendered"]))
    assert client(site).get("/oembed/1.0/embed", query={"url": f"https://example.org{path[5:]}"}).status == 404
    new = admin.patch(f"/cms/v2/posts/{post['id']}", {"slug": "moved"}).json["link"]
    status, pairs, _ = ask(site, post["link"], front)
    assert (status, dict(pairs)["location"]) == (301, new)
    looked = client(site).get("/cms/v2/redirects/lookup", query={"path": path}).json
    assert (looked["target"], looked["path"]) == (new, urlsplit(new).path)
    seo = client(site).get(f"/cms/v2/posts/{post['id']}", query={"_fields": "seo"}).json["seo"]["computed"]
    assert seo["canonical"] == new


def test_the_document_names_roots_below_the_path(site: Stand, front: str) -> None:
    document = orjson.loads(ask(site, f"{URL}/openapi.json", front)[2])
    assert {one["url"] for one in document["servers"]} == {"/blog/en/cms-json", "/blog/it/cms-json"}
    explorer = ask(site, f"{URL}/docs", front)[2]
    assert "`/blog/openapi.json?" in explorer
    assert 'href="/blog/openapi.json"' in explorer


def test_the_other_dialect_speaks_below_the_path(site: Stand) -> None:
    root = f"/blog/en/{site.site.dialects[1].prefix}"
    index = client(site, root=root).get("/").json
    authorization = index["authentication"]["application-passwords"]["endpoints"]["authorization"]
    assert authorization.startswith(f"{URL}/{site.site.dialects[1].names.pairs.url_prefix['admin']}/")
    posts = client(site, root=root).get("/wp/v2/posts")
    assert posts.status == 200
    assert posts.json[0]["_links"]["self"][0]["href"].startswith(f"https://example.org{root}/wp/v2/posts/")


def test_health_is_answered_with_and_without_the_path(site: Stand, front: str) -> None:
    assert ask(site, f"{URL}/health/live", front)[0] == 200


def test_another_path_of_the_host_is_not_the_site(site: Stand) -> None:
    assert exchange(site.site, "GET", "/blogger/en/cms-json", headers=HOST)[0] == 404
