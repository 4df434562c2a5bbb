"""What a list and the editor cost a browser that has nothing of them, beside a page of the site in the same run.

How long they take is a matter of the machine (benchmarks/administration.py). Here are counts of requests and bytes, and
the processor time of the page's thread as a ratio, the least of several openings: waiting for a busy machine is none of
it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from browser.admin.conftest import AdminSite

_ROUNDS = 3
_MOST_SHELL_BYTES = 250_000  # as they are sent; scripts and styles of every screen


class Cost(NamedTuple):
    """What an opening costs. thread: seconds of the processor, of the page's own thread."""

    requests: int
    sent: int
    thread: float


@pytest.fixture
def measure(chromium: Any, admin_site: AdminSite, admin: Any) -> Any:
    """Return the least cost of opening an address in new windows, until something is shown."""
    cookies = admin.context.cookies()

    def open_once(path: str, selector: str, frame: str) -> Cost:
        context = chromium.new_context(locale="en-GB")
        context.add_cookies(cookies)
        page = context.new_page()
        asked: list[Any] = []
        page.on("requestfinished", lambda request: asked.append(request))
        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.goto(f"{admin_site.root}{path}", wait_until="commit")
        place = page.frame_locator(frame) if frame else page
        place.locator(selector).first.wait_for()
        told = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
        files = [one for one in asked if "/admin/files/" in one.url or one.resource_type == "document"]
        cost = Cost(len(asked), sum(one.sizes()["responseBodySize"] for one in files), told["TaskDuration"])
        context.close()
        return cost

    def find_least(path: str, selector: str, frame: str = "") -> Cost:
        costs = [open_once(path, selector, frame) for _ in range(_ROUNDS)]
        return Cost(*(min(values) for values in zip(*costs, strict=True)))

    return find_least


def test_a_list_and_the_editor_stay_as_light_as_they_are(measure: Any) -> None:
    page = measure("/en/", "main")
    first_list = measure("/admin/content/post", "tbody tr a")
    editor = measure("/admin/content/post/new", "[contenteditable=true]", "iframe[name=editor-canvas]")
    # Measured: 14 requests, 502 kB, 6.5 times the page; 46 requests, 1,541 kB, 21 times.
    assert first_list.requests <= 16
    assert first_list.sent <= 560_000
    assert first_list.thread <= 15 * page.thread
    assert editor.requests <= 50
    assert editor.sent <= 1_700_000
    assert editor.thread <= 45 * page.thread


def test_the_shell_is_light(admin: Any) -> None:
    names = admin.evaluate(
        """() => performance.getEntriesByType('resource')
            .filter((one) => one.name.includes('/admin/files/'))
            .filter((one) => /\\/(main|shell|first-requests)-[^/]+$/.test(one.name))
            .map((one) => one.encodedBodySize)"""
    )
    assert len(names) >= 4
    assert sum(names) <= _MOST_SHELL_BYTES
