"""The site editor in a browser: colours, fonts, templates, parts, navigation and patterns are changed."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.interface import call

INDEX = "/wp/v2/templates/portico//index"


def save_site(page: Any) -> None:
    page.get_by_role("button", name="Review 1 change").click()
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Saved").first).to_be_visible()


def open_template(page: Any, root: str) -> None:
    page.goto(f"{root}/admin/site?p=%2Fwp_template%2Fportico%2F%2Findex&canvas=edit")
    page.frame_locator("iframe[name=editor-canvas]").locator("[data-type='core/template-part']").first.wait_for()


def write_paragraph(page: Any, text: str) -> None:
    """Add a paragraph where the editor puts it."""
    page.get_by_role("button", name="Block Inserter").click()
    page.get_by_role("searchbox", name="Search").fill("Paragraph")
    page.get_by_role("option", name="Paragraph", exact=True).click()
    page.frame_locator("iframe[name=editor-canvas]").locator("p[data-type='core/paragraph']").last.click()
    page.keyboard.type(text)


def test_a_colour_of_the_site_is_changed(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fstyles")
    admin.get_by_role("button", name="Colors").click()
    admin.get_by_role("button", name="Captions").click()
    admin.get_by_role("option", name="Accent", exact=True).click()
    with admin.expect_response("**/wp/v2/global-styles/*") as answer:
        save_site(admin)
    assert answer.value.json()["styles"]["elements"]["caption"]["color"]["text"].endswith("--color--accent)")
    assert (admin.refused, admin.foreign) == ([], [])


def test_a_template_is_changed(admin: Any, admin_site: AdminSite) -> None:
    open_template(admin, admin_site.root)
    write_paragraph(admin, "Words of the template")
    with admin.expect_response(lambda answer: "/templates/" in answer.url and answer.request.method == "POST"):
        admin.get_by_role("button", name="Save", exact=True).click()
    found = call(admin, "GET", f"{INDEX}?context=edit")
    assert (found["source"], "Words of the template" in found["content"]["raw"]) == ("custom", True)


def test_a_template_that_somebody_else_saved_is_not_overwritten_unasked(admin: Any, admin_site: AdminSite) -> None:
    open_template(admin, admin_site.root)
    call(admin, "POST", INDEX, {"content": "<!-- wp:paragraph --><p>Theirs.</p><!-- /wp:paragraph -->"})
    write_paragraph(admin, "Mine")
    admin.get_by_role("button", name="Save", exact=True).click()
    dialog = admin.get_by_role("dialog", name="Somebody else has saved this meanwhile")
    expect(dialog.get_by_text("Theirs.")).to_be_visible()
    assert "Mine" not in call(admin, "GET", f"{INDEX}?context=edit")["content"]["raw"]
    with admin.expect_response(lambda answer: "/templates/" in answer.url and answer.request.method == "POST"):
        dialog.get_by_role("button", name="Keep mine").click()
    assert "Mine" in call(admin, "GET", f"{INDEX}?context=edit")["content"]["raw"]


def test_their_template_can_be_taken(admin: Any, admin_site: AdminSite) -> None:
    open_template(admin, admin_site.root)
    call(admin, "POST", INDEX, {"content": "<!-- wp:paragraph --><p>Theirs again.</p><!-- /wp:paragraph -->"})
    write_paragraph(admin, "Mine to lose")
    admin.get_by_role("button", name="Save", exact=True).click()
    admin.get_by_role("dialog").get_by_role("button", name="Take theirs").click()
    expect(admin.frame_locator("iframe[name=editor-canvas]").get_by_text("Theirs again.")).to_be_visible()
    assert "Mine to lose" not in call(admin, "GET", f"{INDEX}?context=edit")["content"]["raw"]


def test_styles_that_somebody_else_saved_are_not_overwritten_unasked(admin: Any, admin_site: AdminSite) -> None:
    theme = call(admin, "GET", "/wp/v2/themes?status=active&context=edit")[0]
    styles = "/wp/v2/" + theme["_links"]["wp:user-global-styles"][0]["href"].split("/wp/v2/")[1]
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fstyles")
    admin.get_by_role("button", name="Colors").click()
    theirs = {"color": {"text": "#123456"}}
    call(admin, "POST", styles, {"styles": theirs})
    admin.get_by_role("button", name="Captions").click()
    admin.get_by_role("option", name="Accent", exact=True).click()
    admin.get_by_role("button", name="Review 1 change").click()
    admin.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    admin.get_by_role("dialog", name="Somebody else has saved this meanwhile").wait_for()
    assert call(admin, "GET", f"{styles}?context=edit")["styles"] == theirs


def test_it_leads_back_to_the_dashboard(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/site")
    admin.get_by_role("link", name="Go to the Dashboard").click()
    admin.wait_for_url("**/admin/")
    expect(admin.get_by_role("navigation", name="Administration")).to_be_visible()
    assert admin.locator("iframe").count() == 0
