"""The page of the administration: who gets it, what it tells its front end, what it may load."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Stand, standing
from vetrina.access.users import rules as users
from vetrina.settings import Profile, load_profile
from vetrina.site import Site

from .conftest import PASSWORD, Page, Visitor

pytestmark = pytest.mark.in_process  # other processes have the files of the package

MANIFEST = {
    "script": "main-ABCD1234.js",
    "first": "first-ABCD1234.js",
    "styles": ["main-ABCD1234.css"],
    "preload": ["chunk-ABCD1234.js", "lists/chunk-EFGH5678.js"],
    "screens": [
        {"pattern": ""},
        {"pattern": "/content/:type", "scripts": ["list-ABCD1234.js"], "styles": ["screens-ABCD1234.css"]},
        {"pattern": "/content/:type/new", "scripts": ["editor-ABCD1234.js"]},
    ],
    "scriptHashes": ["sha256-AAAA"],
}
POLICY = (
    "default-src 'none'; script-src 'self' 'sha256-AAAA'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; "
    "frame-src 'self' blob:; worker-src 'self' blob:; form-action 'self'; base-uri 'self'; frame-ancestors 'none'; "
    "manifest-src 'self'"
)


@pytest.fixture
def build(tmp_path: Path) -> Path:
    """A folder of built files."""
    folder = tmp_path / "admin_files"
    folder.mkdir()
    (folder / "manifest.json").write_text(json.dumps(MANIFEST))
    return folder


@pytest.fixture
def profile() -> Profile:
    return load_profile("first")


@pytest.fixture
def office(request: pytest.FixtureRequest, kind: str, build: Path, profile: Profile) -> Iterator[Stand]:
    """A site with a built administration, whose accounts have passwords for signing in."""
    with standing(request, profile, admin_folder=build) as stand:
        with stand.site.work() as work:
            for login in ("admin", "editor", "subscriber"):
                user = users.find_user_by_login(work.tx, login)
                assert user is not None
                users.update_user(work, user, password=PASSWORD)
        yield stand


@pytest.fixture
def guest(office: Stand) -> Visitor:
    return Visitor(office)


@pytest.fixture
def editor(guest: Visitor) -> Visitor:
    guest.sign_in("editor")
    return guest


def read_boot(page: Page) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', page.text, re.DOTALL)
    assert found is not None, page.text
    boot: dict[str, Any] = json.loads(found[1])
    return boot


@pytest.mark.parametrize(
    "target", ["/admin", "/admin/", "/admin/content/page/12?lang=it&x=a%2Fb", "/admin/nothing.txt"]
)
def test_without_a_session_it_leads_to_the_sign_in_page_and_back(guest: Visitor, target: str) -> None:
    led = guest.get(target)
    assert led.status == 302
    shown = guest.follow(led)
    assert shown.form["redirect_to"] == target
    back = guest.post(led.location, {**shown.form, "login": "editor", "password": PASSWORD})
    assert (back.status, back.location) == (303, target)
    assert 'id="app"' in guest.follow(back).text


def test_it_loads_what_the_manifest_names_and_is_kept_by_nobody(editor: Visitor) -> None:
    page = editor.get("/admin/content/post")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=UTF-8")
    assert page.headers["content-security-policy"] == POLICY
    assert (page.headers["x-frame-options"], page.headers["cache-control"]) == ("DENY", "no-store")
    assert "etag" not in page.headers
    assert page.text.startswith('<!DOCTYPE html>\n<html lang="en">')
    for part in (
        '<link rel="stylesheet" href="/admin/files/main-ABCD1234.css">',
        '<link rel="modulepreload" href="/admin/files/chunk-ABCD1234.js">',
        '<link rel="modulepreload" href="/admin/files/lists/chunk-EFGH5678.js">',
        '<script type="module" src="/admin/files/main-ABCD1234.js"></script>',
        '<div id="app"><noscript>The administration is a program',
        "<title>Administration – ",
    ):
        assert page.text.count(part) == 1, part
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", page.text)


@pytest.mark.parametrize(
    ("path", "scripts", "styles"),
    [
        ("", 0, 0), ("/content/post", 1, 1), ("/content/post/", 1, 1), ("/content/post?x=1", 1, 1),
        ("/content//new", 0, 0), ("/content/page/new", 1, 0), ("/elsewhere", 0, 0),
    ],
)  # fmt: skip
def test_it_names_what_the_screen_of_its_address_loads(editor: Visitor, path: str, scripts: int, styles: int) -> None:
    page = editor.get(f"/admin{path}")
    assert page.text.count('rel="modulepreload"') == 2 + scripts
    assert page.text.count('<link rel="preload" as="style" href="/admin/files/screens-ABCD1234.css">') == styles


def test_markup_is_previewed_in_a_page_that_runs_its_scripts_apart_from_the_site(guest: Visitor) -> None:
    page = guest.get("/admin/preview-frame")
    assert (page.status, page.headers["content-type"]) == (200, "text/html; charset=UTF-8")
    assert page.headers["content-security-policy"] == (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
        "img-src http://vetrina.test data: blob:; media-src http://vetrina.test data: blob:; "
        "font-src http://vetrina.test data:; base-uri 'none'; frame-ancestors 'self'; "
        "sandbox allow-scripts allow-popups"
    )
    assert "x-frame-options" not in page.headers


def test_it_tells_its_front_end_where_it_is_and_who_is_there(editor: Visitor, office: Stand) -> None:
    boot = read_boot(editor.get("/admin/"))
    assert (boot["api"], boot["admin"], boot["home"], boot["assets"]) == (
        "/admin-json", "/admin", "/", "/admin/files/",
    )  # fmt: skip
    assert boot["site"] == {
        "title": office.site.context.profile.title, "url": "http://vetrina.test", "timezone": "Europe/Rome",
        "dateFormat": "F j, Y", "timeFormat": "g:i a", "startOfWeek": 1, "profile": "first",
    }  # fmt: skip
    assert boot["languages"] == [
        {"code": "en", "name": "English", "default": True}, {"code": "it", "name": "Italiano", "default": False},
    ]  # fmt: skip
    assert boot["modules"] == list(office.site.context.profile.modules)
    assert boot["translationServices"] == []
    assert boot["moduleData"] == {}
    user = boot["user"]
    assert (user["login"], user["roles"], user["capabilities"]["edit_posts"]) == ("editor", ["editor"], True)
    assert "manage_options" not in user["capabilities"]
    answer = editor.get("/admin-json/wp/v2/users/me?context=edit", **{"x-wp-nonce": boot["nonce"]})
    assert (answer.status, json.loads(answer.content)["id"]) == (200, user["id"])


def test_texts_end_no_script(editor: Visitor, office: Stand) -> None:
    title = "</script><script>alert(1)</script><!--"
    with office.site.work() as work:
        work.set_option("title", title)
    page = editor.get("/admin/")
    assert read_boot(page)["site"]["title"] == title
    assert page.text.count("<script") == 3
    assert "<!--" not in page.text


def test_a_reader_gets_it_too(guest: Visitor) -> None:
    guest.sign_in("subscriber")
    assert read_boot(guest.get("/admin/"))["user"]["capabilities"] == {
        "level_0": True,
        "read": True,
        "subscriber": True,
    }


@pytest.mark.parametrize(
    "locale, accepted, language",
    [("", "it-IT,it;q=0.9", "it"), ("", "de,fr", "en"), ("", "", "en"), ("it_IT", "en", "it"), ("de_DE", "en", "de")],
)
def test_it_is_in_the_language_of_the_person(
    editor: Visitor, office: Stand, locale: str, accepted: str, language: str
) -> None:
    with office.site.work() as work:
        user = users.find_user_by_login(work.tx, "editor")
        assert user is not None
        users.update_user(work, user, locale=locale)
    page = editor.get("/admin/", **{"accept-language": accepted})
    assert f'<html lang="{language}"' in page.text
    assert read_boot(page)["locale"] == language


def test_it_is_read_alone(editor: Visitor) -> None:
    assert editor.ask("HEAD", "/admin/").content == b""
    refused = editor.post("/admin/content/post", {"a": "b"})
    assert (refused.status, refused.headers["allow"]) == (405, "GET, HEAD")


def test_what_is_not_built_says_how_to_build_it(editor: Visitor, build: Path) -> None:
    (build / "manifest.json").unlink()
    page = editor.get("/admin/")
    assert (page.status, page.headers["retry-after"]) == (503, "3")
    assert "<code>make admin</code>" in page.text
    assert "refresh" not in page.text
    assert "non è stata costruita" in editor.get("/admin/", **{"accept-language": "it"}).text


def test_a_running_build_is_told_until_it_is_there(editor: Visitor, build: Path) -> None:
    manifest = (build / "manifest.json").read_text()
    (build / "manifest.json").unlink()
    (build / ".building").write_text("packages\ncompiling <3\n")
    page = editor.get("/admin/")
    assert (page.status, page.headers["cache-control"]) == (503, "no-store")
    assert '<meta http-equiv="refresh" content="3">' in page.text
    assert "The administration is being built" in page.text
    assert "compiling &lt;3</p>" in page.text
    (build / "manifest.json").write_text(manifest)
    assert editor.get("/admin/").status == 200


def test_a_new_build_is_taken_at_once(editor: Visitor, build: Path) -> None:
    assert "main-ABCD1234.js" in editor.get("/admin/").text
    (build / "next.json").write_text(json.dumps({"script": "main-NEXT1234.js", "first": "first-NEXT1234.js"}))
    (build / "next.json").rename(build / "manifest.json")
    assert "main-NEXT1234.js" in editor.get("/admin/").text


@pytest.mark.parametrize("login, start", [("admin", "/admin/"), ("editor", "/admin/"), ("subscriber", "/")])
def test_who_comes_from_nowhere_begins_where_the_work_is(guest: Visitor, login: str, start: str) -> None:
    shown = guest.get("/admin/sign-in")
    answer = guest.post("/admin/sign-in", {**shown.form, "login": login, "password": PASSWORD})
    assert (answer.status, answer.location) == (303, start)
    assert guest.get("/admin/sign-in").location == start


def test_public_pages_lead_those_there_who_work_there(guest: Visitor) -> None:
    link = '<a href="http://vetrina.test/admin/">Administration</a>'
    assert link not in guest.get("/en/").text
    guest.sign_in("subscriber")
    assert link not in guest.get("/en/").text
    guest.cookies.clear()
    guest.sign_in("editor")
    assert link in guest.get("/en/").text


@pytest.mark.parametrize("base", ["", "/blog"])
def test_a_site_elsewhere_names_its_own_places(office: Stand, build: Path, base: str) -> None:
    settings = msgspec.structs.replace(
        office.site.context.settings, url=f"http://vetrina.test{base}", media_url="https://media.example.org/files"
    )
    site = Site(office.site.context.profile, settings, office.site.folder, admin_folder=build)
    try:
        person = Visitor(Stand(site))
        led = person.get(f"{base}/admin/content/post")
        assert led.location == f"{base}/admin/sign-in?redirect_to=%2Fadmin%2Fcontent%2Fpost"
        form = {**person.follow(led).form, "login": "editor", "password": PASSWORD}
        back = person.post(led.location, form)
        assert back.location == f"{base}/admin/content/post"
        page = person.follow(back)
        assert f'src="{base}/admin/files/main-ABCD1234.js"' in page.text
        boot = read_boot(page)
        assert [boot[name] for name in ("api", "admin", "home", "assets")] == [
            f"{base}/admin-json", f"{base}/admin", f"{base}/", f"{base}/admin/files/",
        ]  # fmt: skip
        policy = page.headers["content-security-policy"]
        assert "img-src 'self' data: blob: https://media.example.org; " in policy
        assert "media-src 'self' data: blob: https://media.example.org; " in policy
        assert person.get(f"{base}/admin/upload.php").location == f"{base}/admin/media"
    finally:
        site.close()


class TestOneLanguage:
    @pytest.fixture
    def profile(self) -> Profile:
        return msgspec.structs.replace(load_profile("first"), languages=("it",), default_language="it")

    def test_it_is_told_alone(self, editor: Visitor) -> None:
        boot = read_boot(editor.get("/admin/"))
        assert boot["languages"] == [{"code": "it", "name": "Italiano", "default": True}]
        assert boot["locale"] == "it"


class TestShop:
    @pytest.fixture
    def profile(self) -> Profile:
        return load_profile("second")

    def test_it_is_told_what_amounts_are_in(self, editor: Visitor, office: Stand) -> None:
        with office.site.work() as work:
            work.set_option("shop_currency", "JPY")
            work.set_option("shop_price_num_decimals", "0")
        shop = read_boot(editor.get("/admin/"))["moduleData"]["shop"]
        assert (shop["currency"], shop["decimals"]) == ("JPY", 0)
        assert sorted(shop) == [
            "calculatesTaxes", "country", "currency", "decimals", "dimensionUnit", "usesCoupons", "weightUnit",
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("role", "may", "may_not"),
        [
            (
                "shop_manager", {"/wc/v3/orders", "/wc/v3/products", "/wc/v3/coupons", "/wc/v3/reports/orders/totals"},
                {"/wp/v2/settings", "/wp/v2/jobs", "/wp/v2/backups", "/wp/v2/site-check", "/wp/v2/webhooks"},
            ),
            (
                "customer", {"/wp/v2/users/me"},
                {"/wc/v3/orders", "/wc/v3/products", "/wc/v3/coupons", "/wc/v3/customers", "/wc/v3/settings",
                 "/wc/v3/reports/orders/totals", "/wp/v2/settings", "/wp/v2/jobs", "/wp/v2/backups",
                 "/wp/v2/users?context=edit", "/wp/v2/posts?context=edit"},
            ),
        ],
    )  # fmt: skip
    def test_what_a_person_of_the_shop_is_told_follows_the_rights(
        self, guest: Visitor, office: Stand, role: str, may: set[str], may_not: set[str]
    ) -> None:
        with office.site.work() as work:
            users.create_user(work, "gina", "gina@example.org", roles=(role,), password=PASSWORD)
            other = users.find_user_by_login(work.tx, "subscriber")
        assert other is not None
        guest.sign_in("gina")
        boot = read_boot(guest.get("/admin/"))
        rights = boot["user"]["capabilities"]
        assert not {"manage_options", "promote_users", "create_users", "delete_users", "remove_users"} & set(rights)
        assert ("manage_shop" in rights, "edit_shop_orders" in rights) == ((role == "shop_manager"),) * 2
        nonce = {"x-wp-nonce": boot["nonce"]}
        answers = {path: guest.get(f"/admin-json{path}", **nonce) for path in may | may_not}
        assert {path for path, answer in answers.items() if answer.status == 200} == may
        assert {answer.status for path, answer in answers.items() if path in may_not} == {403}
        # Nobody of them gives a role, their own or another's.
        for id in (boot["user"]["id"], other.id):
            answer = guest.post(f"/admin-json/wp/v2/users/{id}", {"roles": "administrator"}, **nonce)
            assert (answer.status, json.loads(answer.content)["data"]["status"]) == (403, 403)
