"""What a record has beside its text: terms, parent, template, picture, excerpt, discussion, address."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.editors import (
    close_popover,
    create_draft,
    find_sidebar,
    open_record,
    read_record,
    save_draft,
)
from browser.admin.interface import call


def test_tags_are_made_while_one_types(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    known = call(admin, "POST", "/wp/v2/tags", {"name": "Ridges"})["id"]
    open_record(admin, admin_site.root, draft)
    panel = find_sidebar(admin)
    panel.get_by_role("button", name="Tags", exact=True).click()
    panel.get_by_role("combobox", name="Add tag").fill("ridg")
    panel.get_by_role("option", name="Ridges").click()
    panel.get_by_role("combobox", name="Add tag").fill("never seen")
    admin.keyboard.press(",")
    expect(panel.locator(".components-form-token-field__token")).to_have_count(2)
    save_draft(admin)
    made = [call(admin, "GET", f"/wp/v2/tags/{tag}") for tag in read_record(admin, draft)["tags"]]
    assert {tag["name"] for tag in made} == {"Ridges", "never seen"}
    assert known in {tag["id"] for tag in made}
    # The editor's package makes a tag again that was chosen and is still being read; it is told that it is there.
    assert [one for one in admin.refused if "400" not in one] == []


def test_a_category_is_chosen_and_another_made_under_it(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    open_record(admin, admin_site.root, draft)
    panel = find_sidebar(admin)
    panel.get_by_role("button", name="Categories", exact=True).click()
    panel.get_by_role("checkbox", name="Walks", exact=True).check()
    panel.get_by_role("button", name="Add category").click()
    panel.get_by_label("New category name").fill("Night walks")
    panel.get_by_label("Parent category").select_option(label="Walks")
    panel.get_by_role("button", name="Add category").last.click()
    expect(panel.get_by_role("checkbox", name="Night walks")).to_be_checked()
    save_draft(admin)
    chosen = {one["name"]: one for one in call(admin, "GET", f"/wp/v2/categories?post={draft}")}
    assert chosen["Night walks"]["parent"] == chosen["Walks"]["id"]
    assert admin.refused == []


def test_a_page_is_put_under_another(admin: Any, admin_site: AdminSite) -> None:
    above = create_draft(admin, "pages", title="Above all", status="publish")
    page = create_draft(admin, "pages", title="Below")
    open_record(admin, admin_site.root, page, "page")
    find_sidebar(admin).get_by_role("button", name="Change parent: None").click()
    admin.get_by_role("combobox", name="Parent").fill("Above")
    admin.get_by_role("option", name="Above all").click()
    close_popover(admin)
    save_draft(admin)
    assert read_record(admin, page, "pages")["parent"] == above


def test_a_page_gets_another_template(admin: Any, admin_site: AdminSite) -> None:
    page = create_draft(admin, "pages")
    open_record(admin, admin_site.root, page, "page")
    find_sidebar(admin).get_by_role("button", name="Template options").click()
    admin.get_by_role("menuitem", name="Change template").click()
    admin.get_by_role("dialog").get_by_role("option", name="Wide").click()
    save_draft(admin)
    assert read_record(admin, page, "pages")["template"] == "wide"


def test_a_picture_stands_for_a_post_until_it_is_taken_away(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    open_record(admin, admin_site.root, draft)
    panel = find_sidebar(admin)
    panel.get_by_role("button", name="Set featured image").click()
    admin.locator(".media-picker-grid button").first.click()
    admin.get_by_role("button", name="Use file").click()
    save_draft(admin)
    assert read_record(admin, draft)["featured_media"] > 0
    panel.get_by_role("button", name="Remove").click()
    save_draft(admin)
    assert read_record(admin, draft)["featured_media"] == 0


def test_excerpt_discussion_and_address_are_written(admin: Any, admin_site: AdminSite) -> None:
    draft = create_draft(admin)
    open_record(admin, admin_site.root, draft)
    panel = find_sidebar(admin)
    panel.get_by_role("button", name="Add an excerpt").click()
    admin.get_by_label("Write an excerpt").fill("In short.")
    close_popover(admin)
    panel.get_by_role("button", name="Change discussion options").click()
    admin.get_by_role("radio", name="Closed").check()
    close_popover(admin)
    panel.get_by_role("button", name="Change link").click()
    admin.get_by_role("textbox", name="Slug").fill("words of my own")
    close_popover(admin)
    save_draft(admin)
    stored = read_record(admin, draft)
    assert stored["excerpt"]["raw"] == "In short."
    assert (stored["comment_status"], stored["slug"]) == ("closed", "words-of-my-own")


def test_an_author_beyond_the_first_hundred_is_found_by_what_is_typed(admin: Any, admin_site: AdminSite) -> None:
    def answer_with_others(route: Any) -> None:
        """Answer the first hundred as a site does that has many; what is searched for is the site's own answer."""
        if "search=" in route.request.url:
            route.continue_()
        else:
            route.fulfill(json=[{"id": 9000 + number, "name": f"Author {number:03}"} for number in range(100)])

    admin.route(re.compile(r"/users\?.*who=authors"), answer_with_others)
    draft = create_draft(admin)
    open_record(admin, admin_site.root, draft)
    find_sidebar(admin).get_by_role("button", name="Change author").click()
    admin.get_by_role("combobox", name="Author").fill("Mara")
    admin.get_by_role("option", name="Mara Neri").click()
    close_popover(admin)
    save_draft(admin)
    [mara] = call(admin, "GET", "/wp/v2/users?search=Mara&context=edit")
    assert read_record(admin, draft)["author"] == mara["id"]
