"""Lists and forms: every one opens, reads well, and does what a person asks of it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from browser.admin.accessibility import find_unreachable, find_violations
from browser.admin.conftest import AdminSite
from browser.admin.interface import call
from browser.admin.quiet import wait_until_quiet
from browser.admin.screens import open_screen, read, set_theme
from vetrina.cli import main

# Each form that begins a record, with what its title is; the lists are walked in test_keyboard.py.
FORMS = {
    "/records/category/new": "Add: Category",
    "/records/users/new": "Add: Person",
    "/records/roles/new": "Add: Role",
    "/records/glossary/new": "Add: Term",
    "/records/redirects/new": "Add: Redirect",
}


def test_every_form_is_clean_and_accessible_in_both_themes(admin: Any, admin_site: AdminSite) -> None:
    faults = []
    for path, title in FORMS.items():
        open_screen(admin, admin_site, path)
        expect(admin.locator("main h1")).to_have_text(title)
        for theme in ("light", "dark"):
            set_theme(admin, theme)
            faults += [f"{path} ({theme}): {one}" for one in find_violations(admin)]
        faults += [f"{path}: {one}" for one in find_unreachable(admin)]
    assert faults == []
    assert admin.refused == []
    assert admin.foreign == []


def test_what_a_list_has_is_not_asked_for_again(admin: Any, admin_site: AdminSite) -> None:
    # What was read a while ago is read again; here no time passes.
    admin.add_init_script("{ const now = Date.now(); Date.now = () => now; }")
    open_screen(admin, admin_site, "/content/post")
    admin.get_by_role("link", name="How to read a chestnut tree").wait_for()
    menu = admin.get_by_role("navigation", name="Administration")
    menu.get_by_role("link", name="Tags", exact=True).click()
    admin.get_by_role("link", name="autumn").click()
    admin.get_by_role("button", name="Save", exact=True).wait_for()
    asked: list[str] = []
    admin.on("request", lambda one: asked.append(one.url) if "/admin-json/" in one.url else None)
    admin.get_by_role("button", name="Back to the list").click()
    admin.get_by_role("link", name="autumn").wait_for()
    menu.get_by_role("link", name="Posts", exact=True).click()
    admin.get_by_role("link", name="How to read a chestnut tree").wait_for()
    wait_until_quiet(admin)
    assert asked == []


def test_lists_fit_a_phone(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(viewport={"width": 320, "height": 640})
    for path in ("/", "/content/post", "/records/redirects/new"):
        open_screen(page, admin_site, path)
        assert page.evaluate("document.documentElement.scrollWidth") == 320, path
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Pages").click()
    page.wait_for_url("**/content/page")
    expect(page.locator("#menu")).to_be_hidden()


def test_a_list_is_searched_filtered_and_sorted_by_the_interface(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    admin.get_by_role("searchbox").fill("chestnut")
    admin.get_by_text("1 Item").wait_for()
    admin.get_by_role("link", name="How to read a chestnut tree").wait_for()
    admin.get_by_role("button", name="Drafts").click()
    admin.get_by_role("link", name="Plans for the spring").wait_for()
    expect(admin.get_by_role("link", name="How to read a chestnut tree")).to_have_count(0)


def test_records_go_to_the_trash_together_and_come_back(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/percorso")
    rows = admin.locator("tbody tr")
    rows.nth(1).wait_for()
    before = rows.count()
    assert before >= 2
    for place in (0, 1):
        rows.nth(place).get_by_role("checkbox").check()
    admin.get_by_role("button", name="Put into the trash").click()
    admin.get_by_text("2 records are in the trash.").wait_for()
    admin.get_by_text(f"{before - 2} Item").wait_for()
    admin.get_by_role("button", name="Undo").click()
    admin.get_by_text(f"{before} Items").wait_for()


def test_a_view_is_saved_with_the_account(admin: Any, sign_in: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    admin.get_by_role("searchbox").fill("walk")
    admin.get_by_role("button", name="Save this view").click()
    admin.get_by_label("Name of the view").fill("Walks")
    admin.get_by_role("button", name="Save", exact=True).click()
    admin.get_by_text("The view is saved.").wait_for()
    elsewhere = sign_in()
    open_screen(elsewhere, admin_site, "/content/post")
    elsewhere.get_by_role("button", name="Walks", exact=True).click()
    expect(elsewhere.get_by_role("searchbox")).to_have_value("walk")


def test_a_record_is_changed_in_the_list(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    row = admin.locator("tbody tr", has_text="What a metre of wall weighs")
    row.get_by_role("button", name="Actions").click()
    admin.get_by_role("menuitem", name="Quick edit").click()
    admin.get_by_role("textbox", name="Title").fill("What two metres of wall weigh")
    admin.get_by_role("button", name="Save", exact=True).click()
    admin.get_by_role("link", name="What two metres of wall weigh").wait_for()
    admin.get_by_role("button", name="Undo").click()
    admin.get_by_role("link", name="What a metre of wall weighs").wait_for()


def test_a_quick_change_writes_over_nobody_unasked(admin: Any, admin_site: AdminSite) -> None:
    number = call(admin, "POST", "/wp/v2/posts", {"title": "A table of oak", "status": "publish"})["id"]
    open_screen(admin, admin_site, "/content/post")
    row = admin.locator("tbody tr", has_text="A table of oak")
    row.get_by_role("button", name="Actions").click()
    with admin.expect_response(lambda answer: "context=edit" in answer.url and answer.request.method == "GET"):
        admin.get_by_role("menuitem", name="Quick edit").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Title").fill("A table of ash")
    call(admin, "POST", f"/wp/v2/posts/{number}", {"title": "A table of elm"})
    dialog.get_by_role("button", name="Save", exact=True).click()
    dialog.get_by_role("alert").get_by_text("Somebody else has saved this meanwhile").wait_for()
    assert read(admin, f"/wp/v2/posts/{number}?context=edit")["title"]["raw"] == "A table of elm"
    dialog.get_by_role("button", name="Keep mine").click()
    admin.get_by_role("link", name="A table of ash").wait_for()
    call(admin, "DELETE", f"/wp/v2/posts/{number}?force=true")


@pytest.mark.parametrize(
    ("path", "label", "member", "theirs"),
    [
        ("categories", "Description", "description", {"name": "Theirs"}),
        ("comments", "Name of the author", "author_name", {"content": "Theirs"}),
    ],
)
def test_a_form_writes_over_nobody_unasked(
    admin: Any, admin_site: AdminSite, path: str, label: str, member: str, theirs: dict[str, str]
) -> None:
    given: dict[str, Any] = {"name": "Of two"}
    if path == "comments":
        post = call(admin, "POST", "/wp/v2/posts", {"title": "A table of beech", "status": "publish"})["id"]
        given = {"post": post, "content": "Of two people"}
    stored = f"/wp/v2/{path}/{call(admin, 'POST', f'/wp/v2/{path}', given)['id']}"
    screen = stored.replace("/wp/v2/categories", "/records/category").replace("/wp/v2", "/records")
    open_screen(admin, admin_site, screen)
    field, save = admin.get_by_label(label, exact=True), admin.get_by_role("button", name="Save", exact=True)
    conflict = admin.get_by_text("Somebody else has saved this meanwhile")
    before = call(admin, "GET", f"{stored}?context=edit")[member]
    field.fill("Mine")
    call(admin, "POST", stored, theirs)
    save.click()
    conflict.wait_for()
    expect(save).to_be_disabled()
    assert call(admin, "GET", f"{stored}?context=edit")[member] == before
    admin.get_by_role("button", name="Take theirs").click()
    expect(field).to_have_value(before)
    field.fill("Mine")
    call(admin, "POST", stored, {name: f"{text} again" for name, text in theirs.items()})
    save.click()
    conflict.wait_for()
    admin.get_by_role("button", name="Keep mine").click()
    admin.get_by_text("Saved.", exact=True).wait_for()
    now = call(admin, "GET", f"{stored}?context=edit")
    assert now[member] == "Mine"
    assert "Theirs again" in str(now)
    call(admin, "DELETE", f"{stored}?force=true")
    if path == "comments":
        call(admin, "DELETE", f"/wp/v2/posts/{given['post']}?force=true")


def test_a_change_of_many_leaves_what_somebody_else_has_changed(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    found = call(admin, "GET", "/wp/v2/posts?per_page=2&context=edit")
    titles, numbers = [one["title"]["raw"] for one in found], [one["id"] for one in found]
    for title in titles:
        admin.get_by_role("row", name=title).get_by_role("checkbox").check()
    admin.locator(".dataviews-bulk-actions-footer__container").get_by_role("button", name="Quick edit").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Status").select_option("pending")
    call(admin, "POST", f"/wp/v2/posts/{numbers[0]}", {"excerpt": "By somebody else."})
    dialog.get_by_role("button", name="Save", exact=True).click()
    told = dialog.get_by_text("Somebody else has changed 1 record meanwhile; it is left as it is.")
    told.wait_for()
    assert [read(admin, f"/wp/v2/posts/{one}")["status"] for one in numbers] == ["publish", "pending"]
    # The list behind it, and what it is made of, has been asked for again meanwhile.
    wait_until_quiet(admin)
    expect(told).to_be_visible()
    expect(dialog.get_by_label("Status")).to_have_value("pending")
    dialog.get_by_role("button", name="Cancel").click()
    call(admin, "POST", f"/wp/v2/posts/{numbers[1]}", {"status": "publish"})


def test_a_form_says_what_was_refused_and_keeps_what_was_typed(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/records/redirects/new")
    admin.get_by_role("textbox", name="From").fill("/old")
    admin.get_by_role("textbox", name="To").fill("/old")
    admin.get_by_role("button", name="Save", exact=True).click()
    admin.get_by_role("alert").wait_for()
    expect(admin.get_by_role("textbox", name="From")).to_have_value("/old")
    admin.get_by_role("textbox", name="To").fill("/en/")
    admin.get_by_role("button", name="Save", exact=True).click()
    admin.wait_for_url(re.compile(r"/records/redirects/\d+$"))
    expect(admin.locator("main h1")).to_have_text("/old")
    assert admin.refused == [one for one in admin.refused if "400" in one]


def test_the_command_palette_goes_everywhere_by_keyboard(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/")
    admin.keyboard.press("Control+k")
    field = admin.get_by_role("combobox", name="Search or go to")
    expect(field).to_be_focused()
    admin.keyboard.type("redirects")
    expect(admin.get_by_role("option", name="Redirects").first).to_have_attribute("aria-selected", "true")
    admin.keyboard.press("Enter")
    admin.wait_for_url("**/records/redirects")
    expect(field).to_have_count(0)
    admin.keyboard.press("Control+k")
    expect(field).to_be_focused()
    admin.keyboard.type("chestnut")
    admin.get_by_role("option", name="How to read a chestnut tree").wait_for()
    assert find_violations(admin) == []
    admin.keyboard.press("Escape")
    expect(admin.get_by_role("dialog")).to_be_hidden()


def test_the_menu_shows_what_a_person_may_do(sign_in: Any, admin_site: AdminSite) -> None:
    password = _set_password(admin_site, "lucia")
    page = sign_in("lucia", password)
    page.get_by_role("link", name="Posts").wait_for()
    for hidden in ("Pages", "People", "Settings", "Redirects", "Site editor"):
        expect(page.get_by_role("link", name=hidden, exact=True)).to_have_count(0)


def _set_password(site: AdminSite, login: str) -> str:
    """Give somebody of the demo a password and return it."""
    password = "a password for the browser"
    answer = CliRunner().invoke(
        main, ["user", "password", login, "--password-stdin", "--site", str(site.folder)], input=f"{password}\n"
    )
    assert answer.exit_code == 0, answer.output
    return password


def test_a_category_is_added_below_another_and_named_in_the_list(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/records/category")
    admin.get_by_role("link", name="Add", exact=True).click()
    admin.get_by_role("textbox", name="Name").fill("Snow walks")
    admin.get_by_role("combobox", name="Parent").fill("Walk")
    admin.get_by_role("option", name="Walks").click()
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("Saved.").wait_for()
    admin.get_by_role("button", name="Back to the list").click()
    row = admin.get_by_role("row").filter(has=admin.get_by_role("link", name="Snow walks"))
    expect(row.get_by_role("cell", name="Walks", exact=True)).to_be_visible()
    # A category may lose its parent again.
    row.get_by_role("link", name="Snow walks").click()
    admin.get_by_role("button", name="Remove: Parent").click()
    # What is said of the first saving may still be there.
    with admin.expect_response(lambda answer: "/categories/" in answer.url and answer.request.method == "POST"):
        admin.get_by_role("button", name="Save").click()
    [stored] = read(admin, "/wp/v2/categories?search=Snow")
    assert stored["parent"] == 0


def test_an_author_is_changed_and_never_removed(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/content/post")
    row = admin.get_by_role("row").filter(has=admin.get_by_role("link", name="Plans for the spring"))
    row.get_by_role("button", name="Actions").click()
    admin.get_by_role("menuitem", name="Quick edit").click()
    dialog = admin.get_by_role("dialog")
    author = dialog.get_by_role("combobox", name="Author")
    expect(author).to_have_value("Paolo Conti")
    expect(dialog.get_by_role("button", name="Remove: Author")).to_have_count(0)
    author.fill("Mara")
    admin.get_by_role("option", name="Mara Neri").click()
    dialog.get_by_role("button", name="Save").click()
    expect(row.get_by_role("cell", name="Mara Neri")).to_be_visible()


def test_an_account_is_changed_without_its_password(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/records/users")
    admin.get_by_role("link", name="Lucia Ferri").click()
    admin.get_by_label("Last name").fill("Ferri")
    admin.get_by_label("About the person").fill("Teaches at the school.")
    expect(admin.get_by_label("Password", exact=True)).to_have_attribute("type", "password")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("Saved.").wait_for()
    expect(admin.get_by_text("Locale of the user")).to_have_count(0)


def test_an_empty_list_leads_to_its_first_record(admin: Any, admin_site: AdminSite) -> None:
    for one in read(admin, "/wp/v2/redirects?per_page=100"):
        call(admin, "DELETE", f"/wp/v2/redirects/{one['id']}?force=true")
    open_screen(admin, admin_site, "/records/redirects")
    admin.get_by_role("link", name="Add the first").click()
    expect(admin.get_by_role("checkbox", name="In force")).to_be_checked()
    admin.get_by_label("From").fill("/old")
    admin.get_by_label("To").fill("/en/")
    admin.get_by_role("button", name="Save").click()
    admin.get_by_text("Saved.").wait_for()
    [made] = read(admin, "/wp/v2/redirects")
    assert (made["source"], made["active"], made["status"]) == ("/old", True, 301)


def test_comments_that_somebody_else_has_judged_meanwhile_are_left_as_they_are(
    admin: Any, admin_site: AdminSite
) -> None:
    post = call(admin, "POST", "/wp/v2/posts", {"title": "A table of pine", "status": "publish"})["id"]
    given = {"post": post, "status": "hold"}
    held = [
        f"/wp/v2/comments/{call(admin, 'POST', '/wp/v2/comments', {**given, 'content': text})['id']}"
        for text in ("Knots in it", "Smells of resin", "Where is it from?")
    ]
    open_screen(admin, admin_site, "/records/comments")
    for text in ("Knots in it", "Smells of resin"):
        admin.get_by_role("row", name=text).get_by_role("checkbox").check()
    call(admin, "POST", held[0], {"status": "spam"})
    admin.locator(".dataviews-bulk-actions-footer__container").get_by_role("button", name="Approve").click()
    told = admin.get_by_text("Somebody else has changed 1 record meanwhile; it is left as it is.")
    told.first.wait_for()
    assert [read(admin, f"{one}?context=edit")["status"] for one in held[:2]] == ["spam", "approved"]
    wait_until_quiet(admin)
    # What is taken back is held to the state that was reached.
    admin.get_by_role("row", name="Where is it from?").get_by_role("button", name="Approve").click()
    undo = admin.get_by_role("button", name="Undo")
    undo.wait_for()
    count = told.count()
    call(admin, "POST", held[2], {"content": "Where is it from, and how old?"})
    undo.click()
    expect(told).to_have_count(count + 1)
    assert read(admin, f"{held[2]}?context=edit")["status"] == "approved"
    call(admin, "DELETE", f"/wp/v2/posts/{post}?force=true")
