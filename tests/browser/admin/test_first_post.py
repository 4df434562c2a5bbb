"""From a new site to a published post without a terminal, in as many clicks as docs/administration.md says."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite, serve_new_site
from browser.conftest import PATIENCE

CLICKS = 5


@pytest.fixture(scope="module")
def new_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_new_site(tmp_path_factory.mktemp("first") / "site", "init") as site:
        yield site


def test_a_first_post_takes_five_clicks(chromium: Any, new_site: AdminSite) -> None:
    context = chromium.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    clicks = 0

    def click(locator: Any) -> None:
        nonlocal clicks
        locator.click()
        clicks += 1

    page.goto(f"{new_site.root}/admin/")
    page.locator("input[name=login]").fill(new_site.login)
    page.locator("input[name=password]").fill(new_site.password)
    click(page.get_by_role("button", name="Sign in"))
    click(page.get_by_role("navigation", name="Administration").get_by_role("link", name="Posts", exact=True))
    click(page.get_by_role("link", name="Add", exact=True))
    canvas = page.frame_locator("iframe[name=editor-canvas]")
    expect(canvas.locator(".editor-post-title")).to_be_focused()
    page.keyboard.type("The bridge is open")
    page.keyboard.press("Enter")
    page.keyboard.type("Since this morning one can cross again.")
    click(page.get_by_role("button", name="Publish", exact=True).first)
    click(page.get_by_label("Editor publish").get_by_role("button", name="Publish", exact=True))
    page.get_by_label("Editor publish").get_by_text("is now live").wait_for()
    assert clicks == CLICKS
    visitor = chromium.new_context().new_page()
    visitor.goto(page.get_by_label("Editor publish").get_by_role("link", name="View Post").get_attribute("href"))
    visitor.get_by_text("Since this morning one can cross again.").wait_for()
    visitor.context.close()
    context.close()
