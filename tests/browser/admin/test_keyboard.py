"""The administration by keyboard alone: going everywhere, choosing, closing, and coming back to where one was."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_the_way_past_the_menu_and_the_palette_to_every_screen(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/")
    # The heading has the focus, so that a reader hears where they are; the bar and the menu stand before it.
    expect(admin.get_by_role("heading", level=1)).to_be_focused()
    skip = admin.get_by_role("link", name="Skip to content")
    skip.focus()
    expect(skip).to_be_in_viewport()
    press(admin, "Enter")
    expect(admin.locator("main")).to_be_focused()

    press(admin, "Control+k")
    field = admin.get_by_role("combobox", name="Search or go to")
    expect(field).to_be_focused()
    press(admin, "Escape")
    expect(field).to_have_count(0)
    expect(admin.locator("main")).to_be_focused()
    press(admin, "Control+k")
    admin.keyboard.type("tag")
    press(admin, "ArrowDown", "ArrowUp")
    expect(admin.get_by_role("option", name="Tags").first).to_have_attribute("aria-selected", "true")
    press(admin, "Enter")
    heading = admin.get_by_role("heading", level=1, name="Tags")
    expect(heading).to_be_focused()
    assert admin.refused == []


def test_menus_close_by_escape_and_give_the_focus_back(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(viewport={"width": 390, "height": 780})
    open_screen(page, admin_site, "/content/post")
    menu = page.get_by_role("button", name="Menu", exact=True)
    menu.focus()
    press(page, "Enter")
    expect(page.locator("#menu")).to_be_visible()
    press(page, "Tab", "Escape")
    expect(page.locator("#menu")).to_be_hidden()
    expect(menu).to_be_focused()

    person = page.locator(".person summary")
    person.focus()
    press(page, "Enter", "Tab")
    expect(page.get_by_role("link", name="Your profile")).to_be_focused()
    press(page, "Escape")
    expect(page.get_by_role("link", name="Your profile")).to_be_hidden()
    expect(person).to_be_focused()


def test_a_row_is_changed_through_its_menu_and_its_dialog(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    row = admin.get_by_role("row").filter(has=admin.get_by_role("link", name="Plans for the spring"))
    actions = row.get_by_role("button", name="Actions")
    actions.focus()
    press(admin, "Enter")
    entries = admin.get_by_role("menuitem")
    expect(entries.first).to_be_focused()
    press(admin, "Escape")
    expect(entries).to_have_count(0)
    expect(actions).to_be_focused()

    press(admin, "Enter")
    expect(entries.first).to_be_focused()
    admin.keyboard.type("Quick")
    expect(admin.get_by_role("menuitem", name="Quick edit")).to_be_focused()
    press(admin, "Enter")
    dialog = admin.get_by_role("dialog")
    title = dialog.get_by_label("Title")
    title.focus()
    press(admin, "End")
    admin.keyboard.type(" to come")
    press(admin, "Enter")
    expect(admin.get_by_role("link", name="Plans for the spring to come")).to_be_visible()
    expect(dialog).to_have_count(0)
    assert admin.refused == []
