"""The administration's own root: the brand dialect's names on every site, under an address that nothing lists."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import orjson
import pytest
from sqlalchemy import select

from conftest import ACCOUNTS, Client, Stand, create_stand_in_site, exchange, standing
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.webhooks import webhook_delivery
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

ROOT = "/admin-json"
PASSWORD = "a word that people keep"


def session_of(site: Site, login: str) -> dict[str, str]:
    """Return the headers of a browser in which somebody is signed in."""
    with site.work() as work:
        user = users.find_user_by_login(work.tx, login)
        assert user is not None
        users.update_user(work, user, password=PASSWORD)
    _, pairs, page = exchange(site, "GET", "/admin/sign-in")
    nonce = page.decode().partition('name="_cmsnonce" value="')[2].partition('"')[0]
    cookie = next(value for name, value in pairs if name == "set-cookie").partition(";")[0]
    kind = {"cookie": cookie, "content-type": "application/x-www-form-urlencoded"}
    form = f"login={login}&password={PASSWORD.replace(' ', '+')}&_cmsnonce={nonce}".encode()
    _, pairs, _ = exchange(site, "POST", "/admin/sign-in", form, kind)
    cookie = next(value for name, value in pairs if name == "set-cookie" and "session" in value).partition(";")[0]
    _, _, nonce_text = exchange(site, "GET", "/admin/nonce", b"", {"cookie": cookie})
    return {"cookie": cookie, "x-wp-nonce": nonce_text.decode()}


@pytest.fixture
def editor(site: Stand) -> Client:
    """The editor in a browser, at the administration's root of a site in neutral names alone."""
    client = Client(site.site, root=ROOT)
    client.headers = session_of(site.site, "editor")
    return client


def test_it_speaks_the_dialect_though_the_site_does_not(site: Stand, editor: Client) -> None:
    assert site.client(root="/en/wp-json").get("/wp/v2/posts").status == 404
    answer = editor.get("/wp/v2/types")
    assert answer.status == 200
    assert answer.json["post"]["_links"]["wp:items"][0]["href"] == "http://vetrina.test/admin-json/wp/v2/posts"
    assert editor.get("/cms/v2/types").code == "rest_no_route"


def test_links_lead_to_the_root_that_was_asked(site: Stand, editor: Client) -> None:
    made = editor.post("/wp/v2/posts", {"title": "Harbour", "status": "publish"})
    assert made.status == 201
    assert made.headers["location"] == f"http://vetrina.test/admin-json/wp/v2/posts/{made.json['id']}"
    for answer in (editor.get("/wp/v2/posts?_embed=1"), editor.get(f"/wp/v2/posts/{made.json['id']}"), editor.get("/")):
        assert answer.status == 200
        assert b"/admin-json/wp/v2" in answer.content
        for other in (b"cms-json", b"wp-json", b"cms/v2", b"wp-admin"):
            assert other not in answer.content, other
    listed = editor.get("/wp/v2/posts")
    assert listed.headers["x-wp-total"] == "1"
    assert listed.headers["link"] == '<http://vetrina.test/admin-json/>; rel="https://api.w.org/"'
    # What was written is the same content under the public root.
    public = site.client().get(f"/cms/v2/posts/{made.json['id']}")
    assert public.json["title"]["rendered"] == "Harbour"
    assert b"admin-json" not in public.content


def test_each_language_has_it(site: Stand, editor: Client) -> None:
    editor.root = f"/it{ROOT}"
    made = editor.post("/wp/v2/posts", {"title": "Porto", "status": "publish"})
    assert made.headers["location"].startswith("http://vetrina.test/it/admin-json/wp/v2/posts/")
    stored = site.stored(made.json["id"])
    assert stored is not None
    assert stored.language == "it"


def test_a_batch_runs_there(editor: Client) -> None:
    parts = [
        {"method": "POST", "path": "/wp/v2/posts", "body": {"title": "One"}},
        {"method": "POST", "path": "/wp/v2/posts", "body": {"title": "Two", "status": "boh"}},
    ]
    done = editor.post("/batch/v1", {"requests": parts})
    assert done.status == 207
    one, other = done.json["responses"]
    assert (one["status"], other["status"]) == (201, 400)
    assert one["headers"]["Location"].startswith("http://vetrina.test/admin-json/wp/v2/posts/")
    assert other["body"]["code"] == "rest_invalid_param"


@pytest.mark.parametrize("left_out", ["cookie", "x-wp-nonce"])
def test_a_session_counts_with_its_nonce_alone(editor: Client, left_out: str) -> None:
    del editor.headers[left_out]
    refused = editor.post("/wp/v2/posts", {"title": "x"})
    assert (refused.status, refused.code) == (
        (403, "rest_cookie_invalid_nonce") if left_out == "cookie" else (401, "rest_cannot_create")
    )


def test_a_wrong_nonce_is_refused_whatever_others_read_before(site: Stand, editor: Client) -> None:
    stranger = site.client(root=ROOT)
    assert stranger.get("/wp/v2/posts").status == stranger.get("/wp/v2/posts").status == 200
    assert stranger.get("/wp/v2/posts", headers={"x-wp-nonce": "wrong"}).status == 403
    assert stranger.get("/wp/v2/posts?context=edit").status == 401
    assert editor.get("/wp/v2/posts?context=edit").status == 200


def test_nothing_lists_it(site: Stand) -> None:
    site.client(root=ROOT).get("/")
    for target in ("/en/cms-json/", "/openapi.json", "/en/", "/docs", "/robots.txt", "/sitemap.xml"):
        status, pairs, content = exchange(site.site, "GET", target)
        assert status == 200, target
        assert b"admin-json" not in content, target
        assert "admin-json" not in str(pairs), target


def test_it_is_no_page_and_no_route_of_another_root(site: Stand) -> None:
    assert site.client(root=ROOT).get("").status == 200
    assert site.client(root="/admin-jsonx").get("/").status == 404
    assert site.client(root=f"/xx{ROOT}").get("/").status == 404
    assert site.client(root="").get("/?rest_route=/wp/v2/posts").code == "rest_no_route"


@pytest.mark.in_process
def test_its_dialect_is_compiled_by_its_first_request(site: Stand) -> None:
    roots = site.site.app._api_roots
    site.client().get("/cms/v2/posts")
    assert roots._admin is None
    site.client(root=ROOT).get("/wp/v2/posts")
    assert roots._admin is not None


def test_beside_the_dialect_itself_each_root_links_to_its_own(both: Stand) -> None:
    writer = both.client("editor", root="/en/wp-json")
    made = writer.post("/wp/v2/posts", {"title": "Harbour", "status": "publish"}).json
    for root in ("/en/wp-json", ROOT, "/it/admin-json"):
        answer = both.client(root=root).get(f"/wp/v2/posts/{made['id']}")
        assert answer.json["_links"]["self"][0]["href"] == f"http://vetrina.test{root}/wp/v2/posts/{made['id']}"
    # Links to screens stay beneath the administration's own segment.
    for root, admin in (("/en/wp-json", "wp-admin"), (ROOT, "admin")):
        index = both.client(root=root).get("/").json
        address = index["authentication"]["application-passwords"]["endpoints"]["authorization"]
        assert address == f"http://vetrina.test/{admin}/authorize-application.php"


def test_rights_are_those_of_other_roots(site: Stand) -> None:
    subscriber = Client(site.site, "subscriber", "subscriber pass word", ROOT)
    assert subscriber.post("/wp/v2/posts", {"title": "x"}).code == "rest_cannot_create"
    assert subscriber.get("/wp/v2/users/me").json["slug"] == "subscriber"


@pytest.mark.in_process
def test_it_lives_under_the_path_of_its_site(tmp_path: Any) -> None:
    settings = Settings(secret="secret of the tests", url="https://example.org/blog")
    site = create_stand_in_site(load_profile("first"), ACCOUNTS, tmp_path, settings)
    try:
        client = Client(site, "editor", "editor pass word", "/blog/it/admin-json")
        made = client.post("/wp/v2/posts", {"title": "Porto", "status": "publish"})
        assert made.headers["location"].startswith("https://example.org/blog/it/admin-json/wp/v2/posts/")
        assert b"cms-json" not in made.content
    finally:
        site.close()


class TestShop:
    """A site of the second profile."""

    @pytest.fixture
    def shop(self, request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
        profile = msgspec.structs.replace(load_profile("second"), dialects=("neutral",), notice_prefix="")
        with standing(request, profile) as stand:
            yield stand

    def test_the_shop_is_there_in_the_names_of_the_dialect(self, shop: Stand) -> None:
        admin = Client(shop.site, "admin", "admin pass word", ROOT)
        made = admin.post("/wc/v3/products", {"name": "Rope", "type": "simple", "regular_price": "3"})
        assert made.status == 201, made.json
        assert made.json["_links"]["self"][0]["href"].startswith("http://vetrina.test/admin-json/wc/v3/products/")
        assert b"shop/v3" not in admin.get("/wc/v3/products").content

    def test_a_webhook_made_there_is_told_in_the_names_of_the_site(self, shop: Stand) -> None:
        admin = Client(shop.site, "admin", "admin pass word", ROOT)
        hook = {"topic": "product.created", "delivery_url": "https://example.org/told", "status": "active"}
        made = admin.post("/wc/v3/webhooks", hook)
        assert made.status == 201, made.json
        product = admin.post("/wc/v3/products", {"name": "Rope", "type": "simple"}).json
        shop.site.run_due_jobs()
        with shop.site.work(read=True) as work:
            found = work.tx.all(Statement(select(webhook_delivery.c.body)))
        told = orjson.loads(found[-1][0])
        own = told["_links"]["self"][0]["href"]
        assert own == f"http://vetrina.test/cms-json/shop/v3/products/{product['id']}"
