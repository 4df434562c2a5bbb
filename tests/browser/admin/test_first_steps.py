"""What the dashboard of a new site proposes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.conftest import AdminSite, serve_new_site
from browser.admin.interface import call


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_new_site(tmp_path_factory.mktemp("administration") / "site", "init") as site:
        yield site


def test_first_steps_tick_themselves_and_can_be_put_away(admin: Any) -> None:
    steps = admin.get_by_role("region", name="First steps")
    steps.get_by_role("link", name="Write a first post").wait_for()
    # The posts that a new site has are samples.
    expect(steps.locator(".step-done")).to_have_count(0)
    call(admin, "POST", "/wp/v2/posts", {"title": "The first of ours", "status": "publish"})
    call(admin, "POST", "/wp/v2/settings", {"title": "Our shop"})
    admin.reload()
    steps.locator(".step-done", has_text="Write a first post").wait_for()
    expect(steps.locator(".step-done")).to_have_count(2)
    steps.get_by_role("button", name="Put away").click()
    admin.get_by_text("The first steps are put away.").wait_for()
    admin.reload()
    admin.get_by_role("region", name="Missing translations").wait_for()
    expect(steps).to_have_count(0)
