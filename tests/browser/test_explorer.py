"""The API explorer in a browser: find a route, send a request with an application password, read response and codes."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

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
        process.communicate(timeout=60)


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
    expect(entry.locator("p[role=status]")).to_have_text(re.compile("^201 "))
    expect(entry.locator("pre[aria-label=Answer]")).to_contain_text("From the explorer")
    expect(entry).to_contain_text("rest_cannot_create")
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
    expect(entry.locator("p[role=status].error")).to_have_text(re.compile("^40[14] "))


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
    expect(entry.locator("pre[aria-label=Answer]")).to_contain_text('"wp_block"')


def test_routes_lead_to_each_other_and_have_addresses(throw_away: Served, tab: Any) -> None:
    tab.goto(f"{throw_away.root}/docs")
    tab.wait_for_selector("section h2")
    tab.fill("#filter", "DELETE /cms/v2/posts/{id}")
    tab.locator("section summary").first.click()
    tab.locator("details[open] nav a", has_text=re.compile(r"^POST /cms/v2/posts$")).click()
    tab.wait_for_selector("details[open] textarea")
    opened = tab.locator("details[open]:has(textarea)").last
    expect(opened.locator("summary")).to_have_text(re.compile(r"^\s*POST"))
    name = opened.get_attribute("id")
    expect(tab).to_have_url(re.compile(f"#{name}$"))
    tab.goto("about:blank")
    tab.goto(f"{throw_away.root}/docs#{name}")
    tab.wait_for_selector(f"#{name}[open] textarea")
    assert tab.refused == []


def test_a_page_of_another_origin_reads_the_interface(throw_away: Served, tab: Any) -> None:
    port = throw_away.root.rpartition(":")[2]
    # Another host is another origin to a browser; its JSON brings no policy that would forbid to ask elsewhere.
    tab.goto(f"http://localhost:{port}/en/cms-json/cms/v2/types")
    read = tab.evaluate(
        """async (address) => {
            const first = await fetch(address);
            const tag = first.headers.get("ETag");
            const again = await fetch(address, { headers: { "If-None-Match": tag }, cache: "no-store" });
            return [first.status, tag !== null, first.headers.get("X-CMS-Total"), again.status];
        }""",
        f"{throw_away.root}/en/cms-json/cms/v2/posts",
    )
    assert read == [200, True, "0", 304]
