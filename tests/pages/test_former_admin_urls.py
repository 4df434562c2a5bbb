"""Former addresses of administration screens lead to the screens of today."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from conftest import Stand, standing
from vetrina.access.users import rules as users
from vetrina.settings import load_profile

from .conftest import PASSWORD, Visitor


@pytest.fixture
def editor(visitor: Visitor) -> Visitor:
    visitor.sign_in("editor")
    return visitor


@pytest.mark.parametrize(
    "former, screen",
    [
        ("index.php", "/admin/"), ("edit.php", "/admin/content/post"),
        ("edit.php?post_type=page", "/admin/content/page"),
        ("post-new.php?post_type=page", "/admin/content/page"), ("edit.php?post_type=none", "/admin/"),
        ("edit.php?post_type=../x", "/admin/"), ("upload.php", "/admin/media"),
        ("edit-comments.php", "/admin/comments"), ("users.php", "/admin/users"), ("profile.php", "/admin/profile"),
        ("options-general.php", "/admin/settings"), ("nav-menus.php", "/admin/menus"), ("themes.php", "/admin/site"),
        ("themes?theme=portico", "/admin/site"), ("site-editor.php?p=x", "/admin/site"),
        ("admin.php?page=shop-admin", "/admin/"), ("nothing.php", "/admin/"), ("post.php", "/admin/"),
        ("post.php?post=99999&action=edit", "/admin/"), ("post.php?post=-1", "/admin/"),
        ("post.php?post=" + "9" * 40, "/admin/"), ("post.php?post[]=1", "/admin/"),
    ],
)  # fmt: skip
def test_a_former_address_leads_to_its_screen(editor: Visitor, former: str, screen: str) -> None:
    led = editor.get(f"/admin/{former}")
    assert (led.status, led.location) == (302, screen)


@pytest.mark.parametrize("base, type, language", [("posts", "post", "en"), ("pages", "page", "it")])
def test_a_record_has_its_screen(editor: Visitor, write: Any, base: str, type: str, language: str) -> None:
    one = write(base, language, status="draft")
    led = editor.get(f"/admin/post.php?post={one['id']}&action=edit")
    assert (led.status, led.location) == (302, f"/admin/content/{type}/{one['id']}?lang={language}")


def test_a_record_that_a_person_may_not_edit_is_not_told(visitor: Visitor, write: Any) -> None:
    one = write(status="draft")
    visitor.sign_in("author")
    assert visitor.get(f"/admin/post.php?post={one['id']}&action=edit").location == "/admin/"


@pytest.mark.parametrize("former", ["post.php?post=1&action=edit", "themes", "admin.php?page=x&a=%26b"])
def test_without_a_session_they_lead_to_the_sign_in_page_and_back(visitor: Visitor, former: str) -> None:
    led = visitor.get(f"/admin/{former}")
    assert led.status == 302
    assert visitor.follow(led).form["redirect_to"] == f"/admin/{former}"


def test_connecting_payments_says_that_there_is_nothing_to_connect(editor: Visitor) -> None:
    page = editor.get("/admin/admin.php?shoppay-connect=1&from=X&_cmsnonce=Y")
    assert page.status == 200
    assert "No payment service can be connected" in page.text


@pytest.fixture
def both(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, msgspec.structs.replace(load_profile("first"), dialects=("neutral", "wordpress"))) as stand:
        with stand.site.work() as work:
            user = users.find_user_by_login(work.tx, "editor")
            assert user is not None
            users.update_user(work, user, password=PASSWORD)
        yield stand


def test_those_of_a_dialect_lead_to_the_same_screens(both: Stand) -> None:
    person = Visitor(both)
    led = person.get("/wp-admin/upload.php?mode=grid")
    assert (led.status, led.location) == (302, "/wp-admin/sign-in?redirect_to=%2Fwp-admin%2Fupload.php%3Fmode%3Dgrid")
    person.sign_in("editor")
    assert person.get("/wp-admin/upload.php?mode=grid").location == "/admin/media"
    assert person.get("/wp-admin/").location == person.get("/wp-admin").location == "/admin/"
    assert person.get("/wp-admin/content/post").status == 404
