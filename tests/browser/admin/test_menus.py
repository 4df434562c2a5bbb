"""Menus: entries are added, ordered and nested by the keyboard alone, and saved at once."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.quiet import wait_until_quiet
from browser.admin.screens import open_screen, read
from browser.conftest import delay_react

ITEMS = "/wp/v2/menu-items?per_page=100&_fields=id,title,parent,menu_order,url,target&menus="


def read_tree(page: Any, menu: str) -> list[tuple[str, str]]:
    """Return the labels of a menu in their order, each with that of what it stands below."""
    items = read(page, ITEMS + menu)
    names = {one["id"]: one["title"]["rendered"] for one in items}
    return [(names[one["id"]], names.get(one["parent"], "")) for one in items]


def make_menu(page: Any, site: AdminSite, name: str) -> str:
    """Make a menu with three links and return its number."""
    open_screen(page, site, "/menus")
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make the menu").click()
    page.wait_for_url("**/menus/*")
    for label in ("One", "Two", "Three"):
        page.get_by_label("Label").fill(label)
        page.get_by_label("Address").fill(f"https://example.org/{label.lower()}")
        page.get_by_role("button", name="Add the link").click()
    page.get_by_role("button", name="Save the menu").click()
    page.get_by_text("The menu is saved.").wait_for()
    return str(page.url.rpartition("/")[2])


def test_a_menu_is_ordered_and_nested_by_the_keyboard(admin: Any, admin_site: AdminSite) -> None:
    menu = make_menu(admin, admin_site, "By keyboard")
    assert read_tree(admin, menu) == [("One", ""), ("Two", ""), ("Three", "")]
    up = admin.get_by_role("button", name="Move Three up")
    up.focus()
    up.press("Enter")
    up.press("Enter")
    expect(up).to_be_focused()
    admin.get_by_role("button", name="Move One one level in").press("Enter")
    expect(admin.get_by_text("One is now in row 2 on level 2.")).to_be_attached()
    admin.get_by_role("button", name="Save the menu").press("Enter")
    expect(admin.get_by_role("button", name="Save the menu")).to_be_disabled()
    assert read_tree(admin, menu) == [("Three", ""), ("One", "Three"), ("Two", "")]
    admin.reload()
    admin.get_by_role("button", name="Move One one level out").press("Enter")
    admin.get_by_role("button", name="Save the menu").press("Enter")
    expect(admin.get_by_role("button", name="Save the menu")).to_be_disabled()
    assert read_tree(admin, menu) == [("Three", ""), ("One", ""), ("Two", "")]
    assert find_violations(admin) == []
    assert admin.refused == []


def test_entries_are_searched_changed_removed_and_brought_back(admin: Any, admin_site: AdminSite) -> None:
    menu = make_menu(admin, admin_site, "Of pages")
    admin.get_by_role("searchbox").fill("who we are")
    admin.get_by_role("button", name="Add: Who we are").click()
    admin.get_by_role("button", name="Move Who we are one level in").click()
    admin.get_by_role("button", name="Remove One").click()
    admin.get_by_role("button", name="Remove Two").click()
    admin.get_by_role("button", name="Undo").last.click()
    admin.get_by_role("button", name="Change Two").click()
    admin.get_by_label("Open in a new window").check()
    admin.get_by_role("button", name="Save the menu").click()
    expect(admin.get_by_role("button", name="Save the menu")).to_be_disabled()
    assert read_tree(admin, menu) == [("Two", ""), ("Three", ""), ("Who we are", "Three")]
    items = read(admin, ITEMS + menu)
    assert [one["target"] for one in items] == ["_blank", "", ""]


def test_an_entry_is_dragged_below_another(admin: Any, admin_site: AdminSite) -> None:
    # As on a busy machine, the mark is not there yet as the entry is dropped.
    delay_react(admin.context, 100)
    menu = make_menu(admin, admin_site, "By hand")
    rows = admin.locator(".menu-entries > li")
    rows.nth(2).wait_for()
    # The entries are read again after the menu was made; until then a row may go while it is measured.
    wait_until_quiet(admin)
    box = rows.nth(0).bounding_box()
    assert box
    rows.nth(2).locator(".menu-handle").drag_to(
        rows.nth(0), target_position={"x": 60, "y": box["height"] - 4}, force=True
    )
    admin.get_by_role("button", name="Save the menu").click()
    expect(admin.get_by_role("button", name="Save the menu")).to_be_disabled()
    assert read_tree(admin, menu) == [("One", ""), ("Three", "One"), ("Two", "")]


def test_what_somebody_else_saved_of_a_menu_is_written_over_only_by_choice(admin: Any, admin_site: AdminSite) -> None:
    menu = make_menu(admin, admin_site, "By two")
    save = admin.get_by_role("button", name="Save the menu")
    conflict = admin.get_by_text("Somebody else has saved this meanwhile")
    one, two, three = (item["id"] for item in read(admin, ITEMS + menu))
    call(admin, "POST", f"/wp/v2/menu-items/{one}", {"title": "First"})
    admin.get_by_role("button", name="Move Three up").press("Enter")
    save.click()
    conflict.wait_for()
    assert read_tree(admin, menu) == [("First", ""), ("Two", ""), ("Three", "")]
    admin.get_by_role("button", name="Take theirs").click()
    expect(conflict).to_have_count(0)
    expect(admin.get_by_role("button", name="Move First down")).to_have_count(1)
    call(admin, "DELETE", f"/wp/v2/menu-items/{two}?force=true")
    admin.get_by_role("button", name="Move Three up").press("Enter")
    save.click()
    conflict.wait_for()
    admin.get_by_role("button", name="Keep mine").click()
    admin.get_by_text("The menu is saved.").last.wait_for()
    expect(conflict).to_have_count(0)
    # What they had removed is made again.
    assert read_tree(admin, menu) == [("First", ""), ("Three", ""), ("Two", "")]
    assert three in [item["id"] for item in read(admin, ITEMS + menu)]
