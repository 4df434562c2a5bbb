"""The administration by keyboard alone: going everywhere, choosing, closing, and coming back to where one was."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.screens import list_menu, open_screen, read, walk_menu

# A dialog of each kind, by the button that opens it.
DIALOGS = {
    "/records/redirects": "Where does an address lead?",
    "/profile": "Set up one-time codes",
    "/audit": "Show everything",
}


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_every_screen_of_the_menu_keeps_the_rules_and_is_walked_by_tab(admin: Any, admin_site: AdminSite) -> None:
    # The menu is the shell's own declaration of its screens: a new one is walked as well.
    assert len(list_menu(admin, admin_site)) >= 29
    assert walk_menu(admin, admin_site) == []
    assert (admin.refused, admin.foreign) == ([], [])


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


def test_a_list_is_narrowed_sorted_and_led_on_and_a_record_is_opened(admin: Any, admin_site: AdminSite) -> None:
    names = [{"name": f"Walk {number:02}"} for number in range(30)]
    for part in (names[:15], names[15:]):
        requests = [{"method": "POST", "path": "/wp/v2/tags", "body": one} for one in part]
        call(admin, "POST", "/batch/v1", {"requests": requests})
    open_screen(admin, admin_site, "/records/post_tag")
    rows = admin.locator("tbody tr")
    admin.get_by_role("searchbox").focus()
    admin.keyboard.type("walk")
    expect(rows).to_have_count(20)
    expect(rows.first).to_contain_text("Walk 00")

    header = admin.locator("thead").get_by_role("button", name="Slug", exact=True)
    header.focus()
    press(admin, "Enter")
    order = admin.get_by_role("menuitemradio", name="Sort descending")
    admin.keyboard.type("Sort d")
    expect(order).to_be_focused()
    press(admin, "Enter")
    expect(rows.first).to_contain_text("Walk 29")
    press(admin, "Escape")
    expect(order).to_have_count(0)
    expect(header).to_be_focused()

    onwards = admin.get_by_role("button", name="Next page")
    onwards.focus()
    press(admin, "Enter")
    expect(rows).to_have_count(10)
    expect(rows.first).to_contain_text("Walk 09")

    rows.first.get_by_role("link").first.focus()
    press(admin, "Enter")
    name = admin.get_by_role("textbox", name="Name")
    name.focus()
    press(admin, "End")
    admin.keyboard.type(" by night")
    press(admin, "Enter")
    admin.get_by_text("Saved.").wait_for()
    assert [one["name"] for one in read(admin, "/wp/v2/tags?search=by night")] == ["Walk 09 by night"]
    # What somebody comes back to is what they left.
    back = admin.get_by_role("button", name="Back to the list")
    back.focus()
    press(admin, "Enter")
    expect(rows.first).to_contain_text("Walk 09 by night")
    expect(rows).to_have_count(10)
    assert admin.refused == []


def test_a_filter_is_set_and_taken_away(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    rows = admin.locator("tbody tr")
    rows.first.wait_for()
    all_of_them = rows.count()
    status = admin.get_by_role("button", name="Status", exact=True).first
    status.focus()
    press(admin, "Enter")
    choices = admin.get_by_role("listbox", name="List of: Status")
    expect(choices).to_be_focused()
    expect(choices.get_by_role("option")).to_have_text(["Published", "Scheduled", "Draft", "Pending review", "Private"])
    press(admin, "ArrowDown", "ArrowDown", "Enter")
    expect(rows).not_to_have_count(all_of_them)
    press(admin, "Escape")
    expect(choices).to_have_count(0)
    expect(admin.get_by_role("button", name=re.compile("^Status")).first).to_be_focused()
    reset = admin.get_by_text("Reset", exact=True)
    reset.focus()
    press(admin, "Enter")
    expect(rows).to_have_count(all_of_them)
    assert admin.refused == []


def test_dialogs_open_by_enter_close_by_escape_and_give_the_focus_back(admin: Any, admin_site: AdminSite) -> None:
    for path, name in DIALOGS.items():
        open_screen(admin, admin_site, path)
        opener = admin.locator("main").get_by_role("button", name=name, exact=True).first
        opener.focus()
        press(admin, "Enter")
        dialog = admin.get_by_role("dialog")
        expect(dialog).to_be_visible()
        assert dialog.evaluate("one => one.contains(document.activeElement)"), path
        press(admin, "Tab", "Tab")
        assert dialog.evaluate("one => one.contains(document.activeElement)"), path
        press(admin, "Escape")
        expect(dialog).to_have_count(0)
        expect(opener).to_be_focused()
    assert admin.refused == []
