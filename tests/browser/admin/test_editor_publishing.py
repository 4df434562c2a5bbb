"""When a record is public, for whom, and whether it is there at all: dates, visibility, the trash, copies."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.editors import (
    append_to_title,
    close_popover,
    create_draft,
    find_sidebar,
    open_record,
    read_record,
    wait_for_canvas,
)
from browser.admin.interface import call


def test_a_new_post_has_its_title_under_the_fingers(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/content/post/new")
    canvas = wait_for_canvas(admin)
    expect(canvas.locator(".editor-post-title")).to_be_focused()
    admin.keyboard.type("Snow")
    expect(canvas.locator(".editor-post-title")).to_have_text("Snow")
    assert admin.refused == []


def test_a_post_is_scheduled_and_the_server_publishes_it(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin, title="Soon")
    open_record(admin, admin_site.root, draft)
    find_sidebar(admin).get_by_role("button", name="Change date: Immediately").click()
    admin.get_by_label("Year").fill("2041")
    close_popover(admin)
    admin.get_by_role("button", name="Schedule", exact=True).click()
    panel = admin.get_by_role("region", name="Editor publish")
    panel.get_by_role("button", name="Schedule", exact=True).click()
    expect(panel.get_by_text("is now scheduled.")).to_be_visible()
    stored = read_record(admin, draft)
    assert (stored["status"], stored["date"][:4]) == ("future", "2041")
    _let_the_date_come(admin_site, draft)
    deadline = time.monotonic() + 60
    while read_record(admin, draft)["status"] == "future" and time.monotonic() < deadline:
        admin.wait_for_timeout(100)
    assert read_record(admin, draft)["status"] == "publish"
    assert admin.refused == []


def test_a_post_is_made_private(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    open_record(admin, admin_site.root, draft)
    find_sidebar(admin).get_by_role("button", name="Change status: Draft").click()
    admin.get_by_role("radio", name="Private").check()
    close_popover(admin)
    admin.get_by_role("button", name="Save", exact=True).click()
    expect(admin.get_by_test_id("snackbar").get_by_text("Post published privately.")).to_be_visible()
    assert read_record(admin, draft)["status"] == "private"


def test_a_post_is_put_behind_a_password(admin: Any, admin_site: AdminSite) -> None:
    post = create_draft(admin, status="publish")
    open_record(admin, admin_site.root, post)
    find_sidebar(admin).get_by_role("button", name="Change status: Published").click()
    admin.get_by_role("checkbox", name="Password protected").check()
    admin.get_by_label("Password", exact=True).fill("open sesame")
    close_popover(admin)
    admin.get_by_role("button", name="Save", exact=True).click()
    expect(admin.get_by_test_id("snackbar").get_by_text("Post updated.")).to_be_visible()
    assert read_record(admin, post)["password"] == "open sesame"


def test_a_post_goes_into_the_trash_and_comes_back(admin: Any, admin_site: AdminSite) -> None:
    post = create_draft(admin, status="publish")
    open_record(admin, admin_site.root, post)
    find_sidebar(admin).get_by_role("button", name="Move to trash").click()
    admin.get_by_role("dialog").get_by_role("button", name="Move to trash").click()
    admin.wait_for_url("**/admin/content/post")
    assert read_record(admin, post)["status"] == "trash"
    with admin.expect_response(re.compile(rf"/posts/{post}$")):
        admin.get_by_role("button", name="Undo").click()
    assert read_record(admin, post)["status"] == "publish"
    assert admin.refused == []


def test_the_menu_moves_to_the_trash_too(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    open_record(admin, admin_site.root, draft)
    find_sidebar(admin).get_by_role("button", name="Actions", exact=True).click()
    admin.get_by_role("menuitem", name="Trash…").click()
    admin.get_by_role("dialog").get_by_role("button", name="Trash", exact=True).click()
    admin.wait_for_url("**/admin/content/post")
    assert read_record(admin, draft)["status"] == "trash"


def test_a_copy_has_the_texts_the_terms_and_the_picture_and_is_a_draft(admin: Any, admin_site: AdminSite) -> None:
    tag = call(admin, "POST", "/wp/v2/tags", {"name": "Copied"})["id"]
    category = call(admin, "POST", "/wp/v2/categories", {"name": "Copies"})["id"]
    picture = call(admin, "GET", "/wp/v2/media?per_page=1")[0]["id"]
    same = {
        "tags": [tag],
        "categories": [category],
        "featured_media": picture,
        "comment_status": "closed",
        "password": "open sesame",
    }
    post = create_draft(admin, status="publish", excerpt="In short.", seo={"description": "About a walk."}, **same)
    open_record(admin, admin_site.root, post)
    find_sidebar(admin).get_by_role("button", name="Actions", exact=True).click()
    admin.get_by_role("menuitem", name="Duplicate").click()
    admin.wait_for_url(lambda url: not url.endswith(f"/{post}"))
    expect(wait_for_canvas(admin).locator(".editor-post-title")).to_have_text("A walk (copy)")
    copy, original = read_record(admin, int(admin.url.rsplit("/", 1)[1])), read_record(admin, post)
    assert copy["status"] == "draft"
    assert {name: copy[name] for name in same} == same
    for name in ("content", "excerpt"):
        assert copy[name]["raw"] == original[name]["raw"]
    seo = call(admin, "GET", f"/wp/v2/posts/{copy['id']}?context=edit&_fields=seo")["seo"]
    assert seo["description"] == "About a walk."
    assert admin.refused == []


def test_a_copy_leaves_nobody_away_from_unsaved_words(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin, title="Half written")
    canvas = open_record(admin, admin_site.root, draft)
    append_to_title(admin, canvas, " and more")
    find_sidebar(admin).get_by_role("button", name="Actions", exact=True).click()
    admin.get_by_role("menuitem", name="Duplicate").click()
    expect(admin.get_by_text("The copy is a draft.")).to_be_visible()
    expect(canvas.locator(".editor-post-title")).to_have_text("Half written and more")
    admin.on("dialog", lambda dialog: dialog.accept())


def _let_the_date_come(site: AdminSite, record: int) -> None:
    """Let the date of a scheduled record lie in the past, where the server's jobs look for it."""
    assert site.folder is not None
    past = int(time.time()) - 5
    with closing(sqlite3.connect(Path(site.folder) / "site.sqlite")) as database, database:
        database.execute("UPDATE record SET date_gmt = ? WHERE id = ?", (past, record))
        database.execute("UPDATE job SET due = ? WHERE key = ?", (past, f"publish:{record}"))
