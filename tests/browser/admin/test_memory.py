"""What a window holds after editors were opened again and again: no more than after they were opened twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

from playwright.sync_api import expect

from browser.admin.conftest import AdminSite
from browser.admin.screens import open_screen

# A response whose body nobody reads is held by the browser for as long as the page is open.
_KEEP_RESPONSES = """{
    const ask = window.fetch;
    window.responses = [];
    window.fetch = async (...given) => {
        const response = await ask(...given);
        window.responses.push([String(given[0]), response]);
        return response;
    };
}"""
_LIST_UNREAD = """() => window.responses
    .filter(([, response]) => response.body && !response.bodyUsed)
    .map(([url]) => url)"""


def test_opening_the_site_editor_again_leaves_nothing_behind(admin: Any, admin_site: AdminSite) -> None:
    admin.add_init_script(_KEEP_RESPONSES)
    open_screen(admin, admin_site, "/")
    session = admin.context.new_cdp_session(admin)
    for _ in range(2):
        open_site_editor(admin)
    listeners, nodes = count_window_listeners(session), count_nodes(session)
    admin.evaluate("window.responses.length = 0")
    for _ in range(3):
        open_site_editor(admin)
    assert count_window_listeners(session) == listeners
    # What it asks for in advance, it asks for because it will read it.
    assert admin.evaluate(_LIST_UNREAD) == []
    # An opened editor has some thousands; what is drawn beside it may come and go.
    assert count_nodes(session) < nodes + 500
    assert admin.refused == []


def test_the_editors_take_turns_without_registering_anything_twice(admin: Any, admin_site: AdminSite) -> None:
    open_screen(admin, admin_site, "/")
    session = admin.context.new_cdp_session(admin)
    counts = []
    for _ in range(3):
        open_site_editor(admin)
        open_post_editor(admin)
        counts.append(count_window_listeners(session))
    assert counts[1] == counts[2]
    assert admin.refused == []


def open_site_editor(page: Any) -> None:
    """Open the site editor from the menu, wait until it shows the site, and go back."""
    page.get_by_role("navigation", name="Administration").get_by_role("link", name="Site editor").click()
    page.get_by_role("button", name="Styles").first.wait_for()
    page.get_by_role("link", name="Go to the Dashboard").click()
    expect(page.get_by_role("navigation", name="Administration")).to_be_visible()
    expect(page.locator("#site-editor")).to_have_count(0)


def open_post_editor(page: Any) -> None:
    """Open a post from the list, wait until it can be written in, and go back."""
    menu = page.get_by_role("navigation", name="Administration")
    menu.get_by_role("link", name="Posts", exact=True).click()
    page.get_by_role("link", name="How to read a chestnut tree").click()
    page.frame_locator("iframe[name=editor-canvas]").locator(".editor-post-title").wait_for()
    page.go_back()
    page.get_by_role("link", name="How to read a chestnut tree").wait_for()


def count_window_listeners(session: Any) -> Counter[str]:
    """Return how many listeners the window has, by what they listen to."""
    window = session.send("Runtime.evaluate", {"expression": "window"})["result"]["objectId"]
    found = session.send("DOMDebugger.getEventListeners", {"objectId": window})["listeners"]
    return Counter(str(one["type"]) for one in found)


def count_nodes(session: Any) -> int:
    """Return how many nodes the page has, those among them that no document shows any more."""
    for _ in range(2):
        session.send("HeapProfiler.collectGarbage")
    return int(session.send("Memory.getDOMCounters")["nodes"])
