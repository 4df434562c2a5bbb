"""The dashboard: what waits for a person."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from browser.admin.interface import call


def test_it_shows_what_waits_and_a_comment_is_answered_from_it(admin: Any) -> None:
    post = call(admin, "POST", "/wp/v2/posts", {"title": "Asked about", "status": "publish", "comment_status": "open"})
    call(admin, "POST", "/wp/v2/posts", {"title": "Half written", "status": "draft"})
    call(admin, "POST", "/wp/v2/posts", {"title": "In a year", "status": "future", "date": "2031-01-01T10:00:00"})
    asked = call(
        admin, "POST", "/wp/v2/comments",
        {"post": post["id"], "content": "May one bring a dog?", "status": "hold", "author_name": "Nina",
         "author_email": "nina@example.org"},
    )  # fmt: skip
    admin.reload()
    for title in ("Half written", "In a year"):
        admin.get_by_role("link", name=title).wait_for()
    panel = admin.get_by_role("region", name="Comments that wait")
    entry = panel.locator("li", has_text="May one bring a dog?")
    entry.get_by_role("button", name="Answer").click()
    expect(entry.get_by_label("Your answer")).to_be_focused()
    admin.keyboard.type("On a lead, gladly.")
    entry.get_by_role("button", name="Approve and answer").click()
    admin.get_by_text("The answer is published.").wait_for()
    entry.wait_for(state="detached")
    answers = call(admin, "GET", f"/wp/v2/comments?post={post['id']}&parent={asked['id']}")
    assert [one["content"]["rendered"].strip() for one in answers] == ["<p>On a lead, gladly.</p>"]
    assert call(admin, "GET", f"/wp/v2/comments/{asked['id']}")["status"] == "approved"
    assert admin.refused == []


def test_a_missing_translation_is_counted_and_begun_from_there(admin: Any) -> None:
    call(admin, "POST", "/wp/v2/pages", {"title": "Nobody translated this", "status": "publish"})
    admin.reload()
    panel = admin.get_by_role("region", name="Missing translations")
    panel.get_by_role("link", name="Nobody translated this").click()
    admin.get_by_role("heading", name="Translate: Nobody translated this").wait_for()
    expect(admin).to_have_url(re.compile(r"\?from=en&to=it$"))


def test_the_count_of_missing_translations_leads_to_all_of_them(admin: Any) -> None:
    page = call(admin, "POST", "/wp/v2/pages", {"title": "Long translated", "status": "publish"})
    call(admin, "POST", "/wp/v2/pages",
         {"title": "Tradotta", "status": "publish", "lang": "it", "translations": {"en": page["id"]}})  # fmt: skip
    call(admin, "POST", "/wp/v2/pages", {"title": "Still alone", "status": "publish"})
    wanted = len(call(admin, "GET", "/wp/v2/pages?untranslated_in=it&per_page=100"))
    admin.reload()
    panel = admin.get_by_role("region", name="Missing translations")
    panel.get_by_text(f"Pages, Italiano: {wanted} ").wait_for()
    panel.get_by_role("link", name="Pages, Italiano").click()
    admin.get_by_role("link", name="Still alone").wait_for()
    admin.get_by_text(f"{wanted} Items").wait_for()
    expect(admin.get_by_role("link", name="Long translated")).to_have_count(0)
    admin.get_by_role("button", name="Reset").click()
    admin.get_by_role("link", name="Long translated").wait_for()
    expect(admin).not_to_have_url(re.compile("untranslated_in"))


def test_who_has_no_right_is_asked_for_nothing(admin: Any, sign_in: Callable[..., Any]) -> None:
    account = {"username": "nora", "email": "nora@example.org", "password": "a-long-password"}
    call(admin, "POST", "/wp/v2/users", {**account, "roles": ["contributor"]})
    page = sign_in("nora", "a-long-password")
    page.get_by_text("Nothing waits for you").wait_for()
    expect(page.locator(".dashboard li")).to_have_count(0)
