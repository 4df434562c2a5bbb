"""The site editor in a browser: colours, fonts, templates, parts, navigation and patterns are changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.editors import wait_for_kept_draft
from browser.admin.interface import call
from browser.admin.small_font import build_font

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


def find_styles(page: Any) -> str:
    """Return the path of the site's own styles."""
    theme = call(page, "GET", "/wp/v2/themes?status=active&context=edit")[0]
    return "/wp/v2/" + str(theme["_links"]["wp:user-global-styles"][0]["href"]).split("/wp/v2/")[1]


def add_entry(page: Any, root: str, url: str) -> None:
    """Add an entry to the navigation, unsaved."""
    page.goto(f"{root}/admin/site?p=%2Fnavigation")
    page.get_by_role("button", name="Add page").click()
    page.get_by_role("combobox", name="Search or type URL").fill(url)
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Review 1 change").wait_for()


def read_navigation(page: Any) -> str:
    found = call(page, "GET", "/wp/v2/navigation?context=edit&per_page=1")
    return str(found[0]["content"]["raw"]) if found else ""


def test_a_colour_of_the_site_is_changed(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fstyles")
    admin.get_by_role("button", name="Colors").click()
    admin.get_by_role("button", name="Captions").click()
    admin.get_by_role("option", name="Accent", exact=True).click()
    with admin.expect_response("**/wp/v2/global-styles/*") as answer:
        save_site(admin)
    assert answer.value.json()["styles"]["elements"]["caption"]["color"]["text"].endswith("--color--accent)")
    admin.reload()
    admin.get_by_role("button", name="Captions").click()
    expect(admin.get_by_role("option", name="Accent", exact=True)).to_have_attribute("aria-selected", "true")
    assert (admin.refused, admin.foreign) == ([], [])


def test_a_template_is_changed(admin: Any, admin_site: AdminSite) -> None:
    open_template(admin, admin_site.root)
    write_paragraph(admin, "Words of the template")
    with admin.expect_response(lambda answer: "/templates/" in answer.url and answer.request.method == "POST"):
        admin.get_by_role("button", name="Save", exact=True).click()
    found = call(admin, "GET", f"{INDEX}?context=edit")
    assert (found["source"], "Words of the template" in found["content"]["raw"]) == ("custom", True)


@pytest.mark.parametrize("stored", [False, True], ids=["only of the theme", "stored"])
def test_a_template_that_somebody_else_saved_is_not_overwritten_unasked(
    admin: Any, admin_site: AdminSite, stored: bool
) -> None:
    # What only the theme has is no record yet, and becomes one by their saving.
    call(admin, "POST", INDEX, {"content": '<!-- wp:template-part {"slug":"header"} /-->'})
    if not stored:
        call(admin, "DELETE", f"{INDEX}?force=true")
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
    styles = find_styles(admin)
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
    expect(admin.locator("iframe")).to_have_count(0)


def test_an_entry_of_the_navigation_is_kept_in_the_browser_until_it_is_saved(admin: Any, admin_site: AdminSite) -> None:
    add_entry(admin, admin_site.root, "https://example.org/rain")
    admin.context.set_offline(True)
    notice = admin.get_by_text("What you change stays in this browser")
    expect(notice).to_be_visible()
    # It is written into the browser as the person leaves.
    admin.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    wait_for_kept_draft(admin, "example.org/rain")
    admin.context.set_offline(False)
    expect(notice).to_be_hidden()
    assert "example.org/rain" not in read_navigation(admin)
    admin.reload()
    admin.get_by_role("dialog", name="Not saved").get_by_role("button", name="Restore it").click()
    save_site(admin)
    assert "https://example.org/rain" in read_navigation(admin)
    # What is saved is offered no more.
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fstyles")
    admin.get_by_role("button", name="Typography").wait_for()
    expect(admin.get_by_role("dialog")).to_have_count(0)


def test_an_answer_that_was_under_way_does_not_hide_that_the_connection_is_lost(
    admin: Any, admin_site: AdminSite
) -> None:
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fnavigation")
    admin.get_by_role("button", name="Add page").click()
    held: list[Any] = []
    admin.route("**/search?**", lambda route: held.append(route))
    with admin.expect_request("**/search?**"):
        admin.get_by_role("combobox", name="Search or type URL").fill("rain")
    admin.context.set_offline(True)
    notice = admin.get_by_text("What you change stays in this browser")
    expect(notice).to_be_visible()
    with admin.expect_response("**/search?**"):
        for one in held:
            one.fulfill(json=[])
    # Its answer is taken, and what follows from it is drawn.
    admin.evaluate("() => new Promise(done => setTimeout(done, 300))")
    expect(notice).to_be_visible()
    admin.unroute("**/search?**")
    admin.context.set_offline(False)
    expect(notice).to_be_hidden()


def test_a_pattern_is_made_and_filled(admin: Any, admin_site: AdminSite) -> None:
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fpattern")
    admin.get_by_role("button", name="Add Pattern").click()
    admin.get_by_role("menuitem", name="Add Pattern").click()
    dialog = admin.get_by_role("dialog")
    dialog.get_by_label("Name").fill("Three words")
    dialog.get_by_role("button", name="Add", exact=True).click()
    admin.wait_for_url("**canvas=edit")
    canvas = admin.frame_locator("iframe[name=editor-canvas]")
    canvas.get_by_role("button", name="Add default block").or_(canvas.locator("[data-type='core/paragraph']")).click()
    admin.keyboard.type("Of three words")
    with admin.expect_response(lambda answer: "/blocks/" in answer.url and answer.request.method == "POST"):
        admin.get_by_role("button", name="Save", exact=True).click()
    [made] = call(admin, "GET", "/wp/v2/blocks?search=Three words&context=edit")
    assert "Of three words" in made["content"]["raw"]
    assert (admin.refused, admin.foreign) == ([], [])


def test_a_template_part_is_changed_by_one_person_at_a_time(admin: Any, sign_in: Any, admin_site: AdminSite) -> None:
    path, address = "/wp/v2/template-parts/portico//footer", "p=%2Fwp_template_part%2Fportico%2F%2Ffooter&canvas=edit"
    account = {"username": "mason", "email": "mason@example.org", "password": "a-long-password"}
    call(admin, "POST", "/wp/v2/users", {**account, "roles": ["administrator"]})
    admin.goto(f"{admin_site.root}/admin/site?{address}")
    canvas = admin.frame_locator("iframe[name=editor-canvas]")
    canvas.locator("[data-type]").first.wait_for()
    write_paragraph(admin, "Words of the footer")
    with admin.expect_response(lambda answer: "/edit-locks/" in answer.url), admin.expect_response(f"**{path}*"):
        admin.get_by_role("button", name="Save", exact=True).click()
    assert "Words of the footer" in call(admin, "GET", f"{path}?context=edit")["content"]["raw"]

    second = sign_in("mason", "a-long-password")
    second.goto(f"{admin_site.root}/admin/site?{address}")
    dialog = second.get_by_role("dialog", name="admin is editing this")
    dialog.get_by_role("button", name="Take over").click()
    expect(dialog).to_be_hidden()
    assert second.refused == []


def test_a_font_is_activated_and_is_there_after_a_reload(admin: Any, admin_site: AdminSite) -> None:
    for _ in range(2):
        admin.goto(f"{admin_site.root}/admin/site?p=%2Fstyles")
        admin.get_by_role("button", name="Typography").click()
        admin.get_by_role("button", name="Manage fonts").click()
        dialog = admin.get_by_role("dialog", name="Fonts")
        family = dialog.get_by_role("button", name="Serena Text")
        family.wait_for()
        if "0 of 2 active" in family.inner_text():
            family.click()
            dialog.get_by_role("checkbox").first.check()
            dialog.get_by_role("button", name="Update").click()
            dialog.get_by_text("updated successfully").wait_for()
    expect(family).to_contain_text("2 of 2 active")
    families = call(admin, "GET", f"{find_styles(admin)}?context=edit")["settings"]["typography"]["fontFamilies"]
    assert [one["name"] for one in families["custom"]] == ["Serena Text"]


def test_a_font_of_a_file_is_read_stored_and_used(admin: Any, admin_site: AdminSite, tmp_path: Path) -> None:
    file = tmp_path / "prova.ttf"
    file.write_bytes(build_font("Prova Sans", weight=400))
    admin.goto(f"{admin_site.root}/admin/site?p=%2Fstyles")
    admin.get_by_role("button", name="Typography").click()
    admin.get_by_role("button", name="Manage fonts").click()
    dialog = admin.get_by_role("dialog", name="Fonts")
    dialog.get_by_role("tab", name="Upload").click()
    dialog.locator("input[type=file]").set_input_files(file)
    dialog.get_by_text("Fonts were installed successfully.").wait_for()
    [family] = [
        one
        for one in call(admin, "GET", "/wp/v2/font-families?context=edit&per_page=100")
        if one["font_family_settings"]["name"] == "Prova Sans"
    ]
    [face] = call(admin, "GET", f"/wp/v2/font-families/{family['id']}/font-faces?context=edit")
    settings = face["font_face_settings"]
    assert (settings["fontWeight"], settings["fontStyle"]) == ("400", "normal")
    stored = admin.request.get(settings["src"] if isinstance(settings["src"], str) else settings["src"][0])
    assert stored.body() == file.read_bytes()
