"""The post editor in a browser: writing with pictures, losing nothing, two people at one post, translations."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.editors import (
    append_to_title,
    create_draft,
    open_record,
    read_record,
    wait_for_canvas,
    wait_for_kept_draft,
)
from browser.admin.interface import call

POSTS = "/wp/v2/posts"


@pytest.fixture
def draft(admin: Any) -> int:
    """A draft of the administrator's."""
    return create_draft(admin)


def test_a_post_with_a_picture_is_written_and_published(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/content/post/new")
    canvas = wait_for_canvas(admin)
    admin.wait_for_url(re.compile(r"/content/post/\d+$"))
    canvas.locator(".editor-post-title").click()
    admin.keyboard.type("Snow on the ridge")
    admin.keyboard.press("Enter")
    admin.keyboard.type("It came in the night.")
    admin.keyboard.press("Enter")
    admin.keyboard.type("/image")
    admin.get_by_role("option", name="Image", exact=True).click()
    canvas.get_by_role("button", name="Media Library").click()
    admin.locator(".media-picker-grid button").first.click()
    admin.get_by_role("button", name="Use file").click()
    canvas.locator("figure.wp-block-image img").wait_for()
    admin.get_by_role("button", name="Publish", exact=True).click()
    panel = admin.get_by_role("region", name="Editor publish")
    panel.get_by_role("button", name="Publish", exact=True).click()
    expect(panel.get_by_text("is now live.")).to_be_visible()
    stored = call(admin, "GET", f"{POSTS}/{admin.url.rsplit('/', 1)[1]}?context=edit")
    assert (stored["status"], stored["title"]["raw"]) == ("publish", "Snow on the ridge")
    assert "<!-- wp:image " in stored["content"]["raw"]
    assert (admin.refused, admin.foreign) == ([], [])


def test_the_list_is_one_step_back_without_loading_the_page_again(
    admin: Any, admin_site: AdminSite, draft: int
) -> None:
    open_record(admin, admin_site.root, draft)
    admin.evaluate("window.sameDocument = true")
    admin.get_by_role("link", name="All Posts").click()
    admin.wait_for_url("**/admin/content/post")
    admin.go_back()
    canvas = wait_for_canvas(admin)
    expect(canvas.locator(".editor-post-title")).to_have_text("A walk")
    assert admin.evaluate("window.sameDocument")
    assert admin.refused == []


def test_a_new_record_into_which_nobody_wrote_is_removed(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/content/post/new")
    wait_for_canvas(admin)
    admin.wait_for_url(re.compile(r"/content/post/\d+$"))
    id = admin.url.rsplit("/", 1)[1]
    with admin.expect_response(lambda answer: answer.request.method == "DELETE" and f"/posts/{id}" in answer.url):
        admin.get_by_role("link", name="All Posts").click()
    assert int(id) not in [one["id"] for one in call(admin, "GET", f"{POSTS}?status=any&per_page=100")]


def test_unsaved_words_are_offered_again_in_another_window(admin: Any, admin_site: AdminSite, draft: int) -> None:
    """The first one is closed, or its machine went down: nothing is asked of it."""
    canvas = open_record(admin, admin_site.root, draft)
    append_to_title(admin, canvas, " in autumn")
    wait_for_kept_draft(admin, "A walk in autumn")
    page = admin.context.new_page()
    admin.close()
    page.goto(f"{admin_site.root}/admin/content/post/{draft}")
    canvas = wait_for_canvas(page)
    expect(canvas.locator(".editor-post-title")).to_have_text("A walk")
    page.get_by_role("button", name="Restore it").click()
    expect(canvas.locator(".editor-post-title")).to_have_text("A walk in autumn")
    expect(canvas.get_by_text("The old path.")).to_be_visible()
    # They are still kept, as this window's own, and after a reload too.
    wait_for_kept_draft(page, "A walk in autumn")
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(page.get_by_role("button", name="Restore it")).to_be_visible()


def test_what_was_saved_without_a_connection_is_sent_later(admin: Any, admin_site: AdminSite, draft: int) -> None:
    canvas = open_record(admin, admin_site.root, draft)
    append_to_title(admin, canvas, " by night")
    admin.context.set_offline(True)
    admin.get_by_role("button", name="Save draft").click()
    notice = admin.locator(".components-notice", has_text="There is no connection to the site.")
    expect(notice).to_be_visible()
    admin.context.set_offline(False)
    expect(notice).to_be_hidden()
    expect(admin.get_by_role("button", name="Saved")).to_be_visible()
    assert read_record(admin, draft)["title"]["raw"] == "A walk by night"


def test_what_somebody_else_saved_is_not_overwritten_unasked(admin: Any, admin_site: AdminSite, draft: int) -> None:
    canvas = open_record(admin, admin_site.root, draft)
    call(admin, "POST", f"{POSTS}/{draft}", {"title": "Theirs"})
    append_to_title(admin, canvas, " of mine")
    admin.get_by_role("button", name="Save draft").click()
    dialog = admin.get_by_role("dialog", name="Somebody else has saved this meanwhile")
    expect(dialog.get_by_role("heading", name="Theirs")).to_be_visible()
    assert read_record(admin, draft)["title"]["raw"] == "Theirs"
    dialog.get_by_role("button", name="Keep mine").click()
    expect(admin.get_by_role("button", name="Saved")).to_be_visible()
    assert read_record(admin, draft)["title"]["raw"] == "A walk of mine"


def test_two_people_at_one_post_know_of_each_other(
    admin: Any, admin_site: AdminSite, draft: int, sign_in: Callable[..., Any]
) -> None:
    account = {"username": "anna", "email": "anna@example.org", "password": "a word for Anna", "roles": ["editor"]}
    call(admin, "POST", "/wp/v2/users", {**account, "name": "Anna"})
    open_record(admin, admin_site.root, draft)
    expect(admin.get_by_text("Preview links")).to_be_visible()
    anna = sign_in("anna", account["password"])
    anna.goto(f"{admin_site.root}/admin/content/post/{draft}")
    dialog = anna.get_by_role("dialog", name="admin is editing this")
    dialog.get_by_role("button", name="Take over").click()
    expect(dialog).to_be_hidden()
    assert call(anna, "GET", f"/wp/v2/edit-locks/{draft}")["mine"]
    admin.on("dialog", lambda dialog: dialog.accept())
    admin.reload()
    expect(admin.get_by_role("dialog", name="Anna is editing this")).to_be_visible()


def test_a_translation_is_begun_from_its_original(admin: Any, admin_site: AdminSite, draft: int) -> None:
    open_record(admin, admin_site.root, draft)
    admin.get_by_role("button", name="Translate into Italiano").click()
    admin.wait_for_url("**?lang=it")
    canvas = wait_for_canvas(admin)
    expect(canvas.get_by_text("The old path.")).to_be_visible()
    id = int(re.findall(r"/(\d+)\?", admin.url)[0])
    stored = call(admin, "GET", f"{POSTS}/{id}")
    assert (stored["lang"], stored["translations"]["en"]["id"]) == ("it", draft)


def test_a_record_that_is_gone_leads_back_to_its_list(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/content/post/999999")
    expect(admin.get_by_role("heading", name="There is nothing to edit here")).to_be_visible()
    admin.get_by_role("link", name="Back to the list").click()
    admin.wait_for_url("**/admin/content/post")
    expect(admin.get_by_role("heading", name="Posts")).to_be_visible()
    expect(admin.locator("iframe")).to_have_count(0)
