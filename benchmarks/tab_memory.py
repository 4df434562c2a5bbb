"""Click one tab of the administration through all its screens, and print what its memory does.

    python benchmarks/tab_memory.py FOLDER [--minutes 15]

FOLDER is a site; the administrator gets a new password. A round opens every screen of the menu by its link, turns the
page of each list, opens the first record of each and goes back, draws every report otherwise. After each round, and
with what nobody needs collected, a snapshot of the heap is taken and its sizes added up: what the scripts hold; what
the browser has compiled of them, which grows for as long as it finds functions worth compiling and ends when it has
them all; what the browser keeps for the page itself, its records of requests among it. Elements and listeners are
counted. The last lines are the slopes by the method of least squares over the rounds after the first two, in which
code is loaded. Needs Chromium and the built administration (`make admin`).
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from administration import open_browser, sign_in
from playwright.sync_api import CDPSession, Page, TimeoutError

_WARM_ROUNDS = 2
# Counts the questions that are open; put into the page before its own scripts.
_COUNT = """(() => {
    const ask = window.fetch;
    let open = 0, last = performance.now();
    window.fetch = async (...given) => {
        open += 1;
        try { return await ask(...given); } finally { open -= 1; last = performance.now(); }
    };
    window.isQuiet = () => open === 0 && performance.now() - last > 100 &&
        document.querySelector('main h1, iframe') && !document.querySelector('main .loading');
})()"""


@dataclass(frozen=True)
class Reading:
    """What a tab has after a round, after how many clicks and minutes. data, code, native: in MB."""

    minutes: float
    clicks: int
    data: float
    code: float
    native: float
    nodes: int
    listeners: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=15)
    parser.add_argument("--only", default="", help="a regular expression of the addresses to open, of all without it")
    args = parser.parse_args()
    with open_browser(args.folder) as (browser, root):
        context = browser.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})
        context.add_cookies(sign_in(browser, root))
        page = context.new_page()
        page.add_init_script(_COUNT)
        page.set_default_timeout(60_000)
        page.goto(f"{root}/admin/")
        page.locator("nav.menu a").first.wait_for()
        print_slopes(click_through(page, args.minutes, args.only))


def click_through(page: Page, minutes: float, only: str) -> list[Reading]:
    """Go round all screens for so many minutes; print and return what the tab had after each round."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    links = page.locator("nav.menu a").evaluate_all("links => links.map((one) => one.getAttribute('href'))")
    names = [address for address in links if re.search(only, address)]
    print(len(names), "screens")
    print(*(f"{name:>9}" for name in ("minutes", "clicks", "data", "code", "native", "elements", "listeners")))
    begin, clicks, readings = time.monotonic(), 0, list[Reading]()
    while not readings or readings[-1].minutes < minutes:
        for address in names:
            clicks += visit_screen(page, address)
        page.locator("nav.menu a").first.click()
        wait_until_shown(page)
        for _ in range(2):
            session.send("HeapProfiler.collectGarbage")
        sizes = measure_heap(session)
        found = session.send("Memory.getDOMCounters")
        passed = (time.monotonic() - begin) / 60
        readings.append(Reading(passed, clicks, *sizes, found["nodes"], found["jsEventListeners"]))
        print(f"{passed:9.1f} {clicks:9}", *(f"{one:6.1f} MB" for one in sizes), end=" ")
        print(f"{found['nodes']:9} {found['jsEventListeners']:9}", flush=True)
    return readings


def measure_heap(session: CDPSession) -> tuple[float, float, float]:
    """Return what the scripts of a page hold, what is compiled of them, and what the browser keeps for it, in MB."""
    parts: list[str] = []

    def take(event: dict[str, Any]) -> None:
        parts.append(event["chunk"])

    session.on("HeapProfiler.addHeapSnapshotChunk", take)
    session.send("HeapProfiler.takeHeapSnapshot")
    session.remove_listener("HeapProfiler.addHeapSnapshotChunk", take)
    snapshot = json.loads("".join(parts))
    meta, nodes = snapshot["snapshot"]["meta"], snapshot["nodes"]
    kinds, width = meta["node_types"][0], len(meta["node_fields"])
    sizes = dict.fromkeys(kinds, 0)
    for kind, size in zip(nodes[0::width], nodes[meta["node_fields"].index("self_size") :: width], strict=True):
        sizes[kinds[kind]] += size
    code = sizes["code"] + sizes["object shape"]
    native = sizes["native"]
    return (sum(sizes.values()) - code - native) / 1e6, code / 1e6, native / 1e6


def visit_screen(page: Page, address: str) -> int:
    """Open a screen by its link in the menu, do there what it offers without changing anything; return the clicks."""
    page.locator(f'nav.menu a[href="{address}"]').click()
    wait_until_shown(page)
    clicks = 1
    if not page.locator("nav.menu").count():
        page.go_back()
        page.locator("nav.menu").wait_for()
        return clicks + 1
    further = page.get_by_role("button", name="Next page")
    if further.count() and further.first.is_enabled():
        further.first.click()
        wait_until_shown(page)
        clicks += 1
    if "/reports/" in address:
        drawn = page.get_by_label("Drawn as")
        if drawn.count():
            drawn.select_option("bar")
            page.locator(".card").last.click()
            clicks += 2
        return clicks
    record = page.locator("main .list tbody a[href], main .list .dataviews-view-grid__card a[href]")
    if record.count():
        before = page.evaluate("location.href")
        record.first.click()
        page.wait_for_function("before => location.href !== before", arg=before)
        wait_until_shown(page)
        page.go_back()
        page.locator("nav.menu").wait_for()
        wait_until_shown(page)
        clicks += 2
    return clicks


def wait_until_shown(page: Page) -> None:
    """Wait until a screen has its heading, or an editor its canvas, and what it asked for; for 20 seconds at most."""
    try:
        page.wait_for_function("() => window.isQuiet()", timeout=20_000)
    except TimeoutError:
        print("still asks:", page.url)


def print_slopes(readings: list[Reading]) -> None:
    """Print what each figure gains in an hour and in a thousand clicks."""
    rounds = readings[_WARM_ROUNDS:]
    if len(rounds) < 3:
        print("too few rounds for a slope")
        return
    for name in ("data", "code", "native", "nodes", "listeners"):
        values: list[Any] = [getattr(one, name) for one in rounds]
        hour = statistics.linear_regression([one.minutes for one in rounds], values).slope * 60
        clicks = statistics.linear_regression([one.clicks for one in rounds], values).slope * 1000
        print(f"{name:10} {hour:+9.1f} an hour, {clicks:+9.1f} in 1,000 clicks, {values[0]:.1f} to {values[-1]:.1f}")


if __name__ == "__main__":
    main()
