"""A day of a site: people who never saw a terminal write, translate, publish, answer, change its looks, lose nothing.

What each screen does in detail is in the tests beside this one; here one thing follows from another.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.editors import (
    append_to_title,
    close_popover,
    find_sidebar,
    open_record,
    read_record,
    save_draft,
    wait_for_canvas,
)
from browser.admin.interface import call
from pictures import picture

PASSWORD = "a long word for somebody"
WORDS = "It came in the night, and nobody heard it."


def test_a_day_of_a_site(admin: Any, admin_site: AdminSite, sign_in: Callable[..., Any]) -> None:
    root = admin_site.root
    post = _write_with_pictures(admin, root)
    _publish_at_a_date(admin)
    assert read_record(admin, post)["status"] == "future"

    _add_person(admin, root, "anna", "Editor")
    _add_person(admin, root, "ada", "Subscriber")
    _send_to_translation(admin, root, "Snow on the ridge", "ada")
    ada = sign_in("ada", PASSWORD)
    translation = _translate(ada, admin, post)
    assert read_record(admin, translation)["title"]["raw"] == "Neve sulla cresta"

    _answer_a_comment(admin, root)
    _change_the_menu(admin, root)
    _change_a_colour(admin, root)
    _change_a_template(admin, root)

    anna = sign_in("anna", PASSWORD)
    _meet_at_one_post(admin, anna, root, post)
    _lose_the_network(anna, root, post)
    stored = read_record(admin, post)
    assert stored["title"]["raw"] == "Snow on the ridge at dawn"
    assert WORDS in stored["content"]["raw"]
    for page in (admin, anna, ada):
        assert page.foreign == []


def _write_with_pictures(page: Any, root: str) -> int:
    """Write a post with a picture from the person's own machine, and one of the site's that stands for it."""
    page.get_by_role("navigation", name="Administration").get_by_role("link", name="Posts", exact=True).click()
    page.get_by_role("link", name="Add", exact=True).click()
    canvas = wait_for_canvas(page)
    expect(canvas.locator(".editor-post-title")).to_be_focused()
    page.keyboard.type("Snow on the ridge")
    page.keyboard.press("Enter")
    page.keyboard.type(WORDS)
    page.keyboard.press("Enter")
    page.keyboard.type("/image")
    page.get_by_role("option", name="Image", exact=True).click()
    with page.expect_file_chooser() as chosen:
        canvas.get_by_role("button", name="Upload", exact=True).click()
    chosen.value.set_files({"name": "ridge.jpg", "mimeType": "image/jpeg", "buffer": picture(60, 40)})
    canvas.locator("figure.wp-block-image img[src*='/ridge']").wait_for()
    page.get_by_role("tab", name="Post", exact=True).click()
    find_sidebar(page).get_by_role("button", name="Set featured image").click()
    page.locator(".media-picker-grid button").last.click()
    page.get_by_role("button", name="Use file").click()
    save_draft(page)
    post = int(re.findall(r"/post/(\d+)", page.url)[0])
    stored = read_record(page, post)
    assert "ridge" in stored["content"]["raw"]
    assert stored["featured_media"] > 0
    return post


def _publish_at_a_date(page: Any) -> None:
    find_sidebar(page).get_by_role("button", name="Change date: Immediately").click()
    page.get_by_label("Year").fill("2041")
    close_popover(page)
    page.get_by_role("button", name="Schedule", exact=True).click()
    panel = page.get_by_role("region", name="Editor publish")
    panel.get_by_role("button", name="Schedule", exact=True).click()
    panel.get_by_text("is now scheduled.").wait_for()


def _add_person(page: Any, root: str, login: str, role: str) -> None:
    page.goto(f"{root}/admin/records/users/new")
    page.get_by_label("User name").fill(login)
    page.get_by_label("E-mail address").fill(f"{login}@example.org")
    page.get_by_label(re.compile("^Password")).fill(PASSWORD)
    page.get_by_role("checkbox", name=role).check()
    page.get_by_role("button", name="Save").click()
    page.wait_for_url(re.compile(r"/records/users/\d+$"))


def _send_to_translation(page: Any, root: str, title: str, translator: str) -> None:
    """Send a post to somebody who has translated nothing yet."""
    page.goto(f"{root}/admin/content/post")
    page.get_by_role("row", name=re.compile(title)).get_by_role("checkbox").check()
    page.get_by_role("button", name="Send to translation").first.click()
    page.get_by_label("Who translates").select_option(label="Somebody else …")
    page.get_by_role("combobox", name="Person").fill(translator)
    page.get_by_role("option", name=translator).click()
    page.get_by_role("button", name="Send", exact=True).click()
    page.get_by_text("1 translation job is made.").wait_for()


def _translate(page: Any, admin: Any, post: int) -> int:
    """Let a translator, who sees nothing else, translate a post; return the translation."""
    menu = page.get_by_role("navigation", name="Administration").get_by_role("link")
    expect(menu).to_have_text(["Dashboard", "Translations", "Profile"])
    page.get_by_role("link", name="Snow on the ridge").click()
    fields = page.locator("[data-translation-field]")
    fields.first.wait_for()
    fields.nth(0).fill("Neve sulla cresta")
    for place in range(1, fields.count()):
        fields.nth(place).fill("È venuta di notte.")
    page.get_by_role("button", name="Deliver").click()
    page.get_by_text("The job is delivered.").wait_for()
    return int(call(admin, "GET", f"/wp/v2/posts/{post}?context=edit")["translations"]["it"]["id"])


def _answer_a_comment(page: Any, root: str) -> None:
    page.goto(f"{root}/admin/")
    entry = page.get_by_role("region", name="Comments that wait").locator("li").first
    entry.get_by_role("button", name="Answer").click()
    expect(entry.get_by_label("Your answer")).to_be_focused()
    page.keyboard.type("Gladly.")
    entry.get_by_role("button", name="Approve and answer").click()
    page.get_by_text("The answer is published.").wait_for()


def _change_the_menu(page: Any, root: str) -> None:
    page.goto(f"{root}/admin/menus")
    page.get_by_role("link", name="Main menu").click()
    page.get_by_label("Label").fill("Weather")
    page.get_by_label("Address").fill("https://example.org/weather")
    page.get_by_role("button", name="Add the link").click()
    page.get_by_role("button", name="Save the menu").click()
    page.get_by_text("The menu is saved.").wait_for()


def _change_a_colour(page: Any, root: str) -> None:
    page.goto(f"{root}/admin/site?p=%2Fstyles")
    page.get_by_role("button", name="Colors").click()
    page.get_by_role("button", name="Captions").click()
    page.get_by_role("option", name="Accent", exact=True).click()
    page.get_by_role("button", name="Review 1 change").click()
    page.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_role("button", name="Saved").first).to_be_visible()


def _change_a_template(page: Any, root: str) -> None:
    page.goto(f"{root}/admin/site?p=%2Fwp_template%2Fportico%2F%2Findex&canvas=edit")
    canvas = page.frame_locator("iframe[name=editor-canvas]")
    canvas.locator("[data-type='core/template-part']").first.wait_for()
    page.get_by_role("button", name="Block Inserter").click()
    page.get_by_role("searchbox", name="Search").fill("Paragraph")
    page.get_by_role("option", name="Paragraph", exact=True).click()
    canvas.locator("p[data-type='core/paragraph']").last.click()
    page.keyboard.type("Kept by hand")
    with page.expect_response(lambda answer: "/templates/" in answer.url and answer.request.method == "POST"):
        page.get_by_role("button", name="Save", exact=True).click()


def _meet_at_one_post(first: Any, second: Any, root: str, post: int) -> None:
    """Each is told of the other; the second takes the post over, and the first leaves it."""
    open_record(first, root, post)
    with first.expect_response(re.compile(f"/edit-locks/{post}")):
        first.reload()
    wait_for_canvas(first)
    second.goto(f"{root}/admin/content/post/{post}")
    dialog = second.get_by_role("dialog", name="admin is editing this")
    dialog.get_by_role("button", name="Take over").click()
    expect(dialog).to_be_hidden()
    first.reload()
    told = first.get_by_role("dialog", name="anna is editing this")
    told.get_by_role("button", name="Back", exact=True).click()
    first.wait_for_url("**/admin/content/post")


def _lose_the_network(page: Any, root: str, post: int) -> None:
    """In the middle of a sentence; what was written is sent when the network is back."""
    canvas = wait_for_canvas(page)
    append_to_title(page, canvas, " at")
    page.context.set_offline(True)
    page.keyboard.type(" dawn")
    page.get_by_role("button", name="Save", exact=True).click()
    notice = page.locator(".components-notice", has_text="There is no connection to the site.")
    expect(notice).to_be_visible()
    with page.expect_response(lambda answer: answer.request.method == "POST" and f"/posts/{post}" in answer.url):
        page.context.set_offline(False)
    expect(notice).to_be_hidden()
