"""Lists and forms: every one opens, reads well, and does what a person asks of it."""

from __future__ import annotations

from typing import Any

import pytest
from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite

# Each list and form of the menu, with what its title is.
LISTS = {
    "/content/post": "Posts",
    "/content/page": "Pages",
    "/content/intervento": "Interventi",
    "/records/category": "Categories",
    "/records/category/new": "Add: Category",
    "/records/comments": "Comments",
    "/records/users": "People",
    "/records/users/new": "Add: Person",
    "/records/redirects": "Redirects",
    "/records/redirects/new": "Add: Redirect",
    "/records/patterns": "Patterns",
}


def open_screen(page: Any, site: AdminSite, path: str) -> None:
    """Open a screen and wait until it shows what it has."""
    page.goto(f"{site.root}/admin{path}")
    page.wait_for_selector("main h1")
    page.wait_for_load_state("networkidle")


def test_every_list_and_form_is_clean_and_accessible_in_both_themes(admin: Any, admin_site: AdminSite) -> None:
    faults = []
    for theme in ("light", "dark"):
        admin.emulate_media(color_scheme=theme)
        for path, title in LISTS.items():
            open_screen(admin, admin_site, path)
            assert admin.locator("main h1").inner_text() == title
            faults += [f"{path} ({theme}): {one}" for one in find_violations(admin)]
    assert faults == []
    assert admin.refused == []
    assert admin.foreign == []


def test_lists_fit_a_phone(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(viewport={"width": 320, "height": 640})
    for path in ("/", "/content/post", "/records/redirects/new"):
        open_screen(page, admin_site, path)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Pages").click()
    page.wait_for_url("**/content/page")
    assert not page.locator("#menu").is_visible()


def test_a_list_is_searched_filtered_and_sorted_by_the_interface(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    admin.get_by_role("searchbox").fill("chestnut")
    admin.get_by_text("1 Item").wait_for()
    admin.get_by_role("link", name="How to read a chestnut tree").wait_for()
    admin.get_by_role("button", name="Drafts").click()
    admin.get_by_role("link", name="Plans for the spring").wait_for()
    assert admin.get_by_role("link", name="How to read a chestnut tree").count() == 0
