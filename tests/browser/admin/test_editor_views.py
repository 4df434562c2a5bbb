"""Other ways to look at a record: its source, its blocks as a list, its revisions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.editors import OLD_PATH, create_draft, find_sidebar, open_record, read_record, save_draft
from browser.admin.interface import call


@pytest.fixture(autouse=True)
def usual_preferences(admin: Any) -> None:
    """What somebody chose in the editor is kept with the account."""
    call(admin, "POST", "/wp/v2/users/me", {"meta": {"persisted_preferences": {}}})


def test_a_post_is_written_as_source(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    canvas = open_record(admin, admin_site.root, draft)
    admin.get_by_role("button", name="Options", exact=True).click()
    admin.get_by_role("menuitemradio", name="Code editor").click()
    admin.get_by_label("Type text or HTML").fill("<!-- wp:paragraph --><p>By hand.</p><!-- /wp:paragraph -->")
    save_draft(admin)
    assert "<p>By hand.</p>" in read_record(admin, draft)["content"]["raw"]
    admin.get_by_role("button", name="Exit code editor").click()
    expect(canvas.get_by_text("By hand.")).to_be_visible()
    assert admin.refused == []


def test_a_block_of_html_is_written(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin, content="<!-- wp:html --><b>bold</b><!-- /wp:html -->")
    canvas = open_record(admin, admin_site.root, draft)
    canvas.locator("[data-type='core/html']").click()
    admin.get_by_role("button", name="Edit code").first.click()
    dialog = admin.get_by_role("dialog")
    script = "<script>document.body.append('It ran apart.')</script><img src='https://elsewhere.example/a.png'>"
    dialog.get_by_role("textbox").first.fill(f"<i>leaning</i>{script}")
    # Its scripts run, in a page with a policy of its own.
    preview = dialog.frame_locator("iframe.components-sandbox")
    expect(preview.locator("i")).to_have_text("leaning")
    expect(preview.locator("body")).to_contain_text("It ran apart.")
    expect(dialog.get_by_role("status")).to_contain_text("loads nothing of other sites: https://elsewhere.example")
    dialog.get_by_role("textbox").first.fill("<i>leaning</i>")
    dialog.get_by_role("button", name="Update").click()
    save_draft(admin)
    assert "<i>leaning</i>" in read_record(admin, draft)["content"]["raw"]
    assert [text for text in admin.refused if "elsewhere.example" not in text] == []


def test_the_list_of_blocks_leads_to_each(admin: Any, admin_site: AdminSite) -> None:
    heading = '<!-- wp:heading --><h2 class="wp-block-heading">Up</h2><!-- /wp:heading -->'
    canvas = open_record(admin, admin_site.root, create_draft(admin, content=heading + OLD_PATH))
    admin.get_by_role("button", name="Document Overview").click()
    overview = admin.get_by_role("region", name="Document Overview")
    overview.get_by_role("link", name="Up").click()
    expect(canvas.locator("h2[data-type='core/heading']")).to_have_class(re.compile("is-selected"))
    overview.get_by_role("tab", name="Outline").click()
    expect(overview.get_by_role("link", name="H2 Up")).to_be_visible()
    assert admin.refused == []


def test_a_revision_is_compared_and_comes_back(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    for text in ("The new path.", "The newest path."):
        call(admin, "POST", f"/wp/v2/posts/{draft}", {"content": OLD_PATH.replace("The old path.", text)})
    canvas = open_record(admin, admin_site.root, draft)
    find_sidebar(admin).get_by_role("button", name=re.compile("Open revisions screen")).click()
    expect(canvas.locator(".revision-diff-added")).to_have_text("newest")
    expect(canvas.locator(".revision-diff-removed")).to_have_text("new")
    admin.get_by_role("slider", name="Revision").focus()
    admin.keyboard.press("ArrowLeft")
    expect(canvas.get_by_text("The new path.")).to_be_visible()
    admin.get_by_role("button", name="Restore").click()
    expect(admin.get_by_test_id("snackbar").get_by_text("Restored to revision")).to_be_visible()
    assert "The new path." in read_record(admin, draft)["content"]["raw"]
    assert admin.refused == []
