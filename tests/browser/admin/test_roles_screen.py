"""Roles in the administration: made of boxes, given to somebody, and what that person sees then."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import open_screen

ROLES = "/access/v1/roles"


def test_a_translator_of_italian_is_made_and_sees_only_italian(
    admin: Any, sign_in: Callable[..., Any], admin_site: AdminSite
) -> None:
    open_screen(admin, admin_site, "/records/roles")
    admin.get_by_role("link", name="Add", exact=True).click()
    admin.get_by_label("Name").fill("Translator of Italian")
    admin.get_by_role("group", name="Only in").get_by_label("Italiano").check()
    admin.get_by_label("Begin with what another role allows").select_option(label="Editor")
    posts = admin.get_by_role("group", name="Posts and what is written like them")
    expect(posts.get_by_label("Publish and schedule")).to_be_checked()
    # What cannot be limited is greyed, whoever makes the role.
    expect(admin.get_by_label("Approve, change and remove comments")).to_be_disabled()
    posts.get_by_label("Remove those of others").uncheck()
    admin.get_by_label("Take translations and return them").check()
    assert find_violations(admin) == []
    admin.get_by_role("button", name="Save").click()
    admin.wait_for_url("**/records/roles/translator_of_italian")
    role = call(admin, "GET", f"{ROLES}/translator_of_italian")
    assert (role["label"], role["languages"], role["types"]) == ("Translator of Italian", ["it"], [])
    assert {"translate", "publish_posts", "read"} <= set(role["capabilities"])
    assert "delete_others_posts" not in role["capabilities"]

    # It is offered at once for people; nobody has to open the page again.
    admin.get_by_role("link", name="People").click()
    admin.get_by_role("link", name="Add", exact=True).click()
    admin.get_by_label("User name").fill("carla")
    admin.get_by_label("E-mail address").fill("carla@example.org")
    admin.get_by_role("textbox", name="Password").fill("seven grey herons")
    admin.get_by_role("group", name="Roles").get_by_label("Translator of Italian").check()
    admin.get_by_role("button", name="Save").click()
    admin.wait_for_url(re.compile(r"/records/users/\d+$"))

    carla = sign_in("carla", "seven grey herons")
    menu = carla.get_by_role("navigation", name="Administration")
    menu.get_by_role("link", name="Posts").wait_for()
    for name in ("People", "Roles", "Settings", "Health"):
        expect(menu.get_by_role("link", name=name, exact=True)).to_have_count(0)
    made = call(carla, "POST", "/wp/v2/posts", {"title": "Un ponte", "lang": "it", "status": "publish"})
    assert made["status"] == "publish"
    with pytest.raises(AssertionError, match="403"):
        call(carla, "POST", "/wp/v2/posts", {"title": "A bridge", "lang": "en"})
    open_screen(carla, admin_site, "/records/roles")
    carla.get_by_text("Accounts and their rights are for those who run the site.").wait_for()


def test_a_role_is_changed_removed_and_brought_back(admin: Any, admin_site: AdminSite) -> None:
    call(admin, "POST", ROLES, {"name": "guide", "label": "Guide", "base": "author"})
    person = {"username": "dora", "email": "dora@example.org", "password": "seven grey herons", "roles": ["guide"]}
    dora = call(admin, "POST", "/wp/v2/users", person)["id"]
    open_screen(admin, admin_site, "/records/roles/guide")
    admin.get_by_role("group", name="Pages").get_by_label("Change those of others").check()
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("Saved.").wait_for()
    assert "edit_others_pages" in call(admin, "GET", f"{ROLES}/guide")["capabilities"]

    admin.get_by_role("button", name="Back to the list").click()
    _act(admin, "Guide", "Remove")
    dialog = admin.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Remove", exact=True)).to_be_disabled()
    dialog.get_by_label("Role that its accounts get instead").select_option(label="Contributor")
    assert find_violations(admin) == []
    dialog.get_by_role("button", name="Remove", exact=True).click()
    admin.get_by_text("The role is removed.").wait_for()
    expect(admin.get_by_role("row", name=re.compile("Guide"))).to_have_count(0)
    assert call(admin, "GET", f"/wp/v2/users/{dora}?context=edit")["roles"] == ["contributor"]

    # The administrator's role is in the list, and nobody changes it.
    expect(admin.get_by_role("link", name="Administrator")).to_have_count(0)
    before = call(admin, "GET", f"{ROLES}/author")["capabilities"]
    call(admin, "PATCH", f"{ROLES}/author", {"capabilities": ["read"]})
    open_screen(admin, admin_site, "/records/roles")
    _act(admin, "Author", "As it was at first")
    admin.get_by_role("dialog").get_by_role("button", name="As it was at first").click()
    admin.get_by_text("The role is as it was at first.").wait_for()
    assert call(admin, "GET", f"{ROLES}/author")["capabilities"] == before


def _act(page: Any, role: str, action: str) -> None:
    page.get_by_role("row", name=re.compile(role)).get_by_role("button", name="Actions").click()
    page.get_by_role("menuitem", name=action).click()
