"""The API explorer in a browser: find a route, send a request with an application password, read response and codes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from .conftest import VETRINA, Served


@pytest.fixture(scope="module")
def throw_away() -> Iterator[Served]:
    """A site whose administrator has an application password."""
    command = [VETRINA, "serve", "--ephemeral", "--port", "0", "--dialect", "wordpress"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = "".join(process.stdout.readline() for _ in range(3))
        root, password = re.search(r"http://[^/\s]+", said), re.search(r"password: (.+)", said)
        assert root, said
        assert password, said
        yield Served(root[0], "admin", password[1])
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_a_request_is_sent_from_the_explorer(throw_away: Served, tab: Any) -> None:
    tab.goto(f"{throw_away.root}/docs")
    tab.wait_for_selector("section h2")
    tab.fill("#filter", "POST /cms/v2/posts")
    tab.fill("#login", throw_away.login)
    tab.fill("#password", throw_away.password)
    tab.locator("section summary").first.click()
    entry = tab.locator("details[open]").first
    entry.locator("textarea").fill('{"title": "From the explorer", "status": "draft"}')
    entry.locator("button").click()
    tab.wait_for_selector("pre[aria-label=Answer]")
    assert entry.locator("p[role=status]").inner_text().startswith("201 ")
    assert "From the explorer" in entry.locator("pre[aria-label=Answer]").inner_text()
    assert "rest_cannot_create" in entry.inner_text()
    assert tab.refused == []


def test_a_refusal_is_shown(throw_away: Served, tab: Any) -> None:
    tab.goto(f"{throw_away.root}/docs")
    tab.wait_for_selector("section h2")
    tab.fill("#filter", "DELETE /cms/v2/posts/{id}")
    tab.locator("section summary").first.click()
    entry = tab.locator("details[open]").first
    entry.locator("input").first.fill("1")
    entry.locator("button").click()
    tab.wait_for_selector("pre[aria-label=Answer]")
    assert entry.locator("p[role=status].error").inner_text().startswith(("401 ", "404 "))


def test_the_names_of_the_other_dialect_are_shown(throw_away: Served, tab: Any) -> None:
    tab.goto(f"{throw_away.root}/docs")
    tab.wait_for_selector("section h2")
    tab.select_option("#dialect", "wordpress")
    tab.wait_for_selector('#server option[value*="wp-json"]', state="attached")
    tab.fill("#filter", "GET /wp/v2/types")
    tab.locator("section summary").first.click()
    entry = tab.locator("details[open]").first
    entry.locator("button").click()
    tab.wait_for_selector("pre[aria-label=Answer]")
    assert '"wp_block"' in entry.locator("pre[aria-label=Answer]").inner_text()
