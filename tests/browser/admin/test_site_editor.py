"""The site editor in a browser: a colour and a template are changed, and it leads back."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from .conftest import AdminSite
from .test_editor import ask


def save_site(page: Any) -> None:
    page.get_by_role("button", name="Review 1 change").click()
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Saved").first).to_be_visible()


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
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fwp_template%2Fportico%2F%2Findex&canvas=edit")
    canvas = admin.frame_locator("iframe[name=editor-canvas]")
    canvas.locator("[data-type='core/template-part']").first.wait_for()
    admin.get_by_role("button", name="Block Inserter").click()
    admin.get_by_role("searchbox", name="Search").fill("Paragraph")
    admin.get_by_role("option", name="Paragraph", exact=True).click()
    canvas.locator("p[data-type='core/paragraph']").last.click()
    admin.keyboard.type("Words of the template")
    with admin.expect_response(lambda answer: "/templates/" in answer.url and answer.request.method == "POST"):
        admin.get_by_role("button", name="Save", exact=True).click()
    found = ask(admin, "GET", "/wp/v2/templates/portico//index?context=edit")
    assert (found["source"], "Words of the template" in found["content"]["raw"]) == ("custom", True)


def test_it_leads_back_to_the_dashboard(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/site")
    admin.get_by_role("link", name="Go to the Dashboard").click()
    admin.wait_for_url("**/admin/")
    expect(admin.get_by_role("navigation", name="Administration")).to_be_visible()
    assert admin.locator("iframe").count() == 0
