"""Measure the reports of the administration in a browser: the first plot, the pages of tables, the memory of the tab.

    python benchmarks/reports.py FOLDER [--rounds 5] [--minutes 1]

FOLDER is a shop (`vetrina demo second --site FOLDER --orders 1000000`); the administrator's password is set anew. A
first plot is measured in a new browser without a cache, from the moment at which the menu stands to the one at which
the plot does; the requests are counted, and those that were asked twice. Then one tab is clicked through all reports
for some minutes, and its memory is read ten times, with what nobody needs collected. Needs Chromium and the built
administration (`make admin`).
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from administration import PASSWORD, VETRINA, sign_in
from click.testing import CliRunner
from playwright.sync_api import Browser, Page, sync_playwright

from vetrina.cli import main as vetrina

# What is opened: an address, and whether it has a table.
SCREENS = {
    "overview": "/reports",
    "overview, a year": "/reports?period=year",
    "revenue, a month": "/reports/revenue",
    "revenue, a year": "/reports/revenue?period=year",
    "orders, a year by product": "/reports/orders?period=year&segment=product",
    "products, a year": "/reports/products?period=year",
    "variations, a year": "/reports/variations?period=year",
    "categories, a year": "/reports/categories?period=year",
    "coupons, a year": "/reports/coupons?period=year",
    "taxes, a year": "/reports/taxes?period=year",
    "customers, a year": "/reports/customers?period=year",
    "downloads, a year": "/reports/downloads?period=year",
    "orders, a month": "/reports/orders",
}
REPORTS = ("Revenue", "Orders", "Products", "Variations", "Categories", "Coupons", "Taxes", "Customers", "Downloads")
# Notes when the menu, the plot and the table first stand in the page, to the next frame.
WATCH = """(() => {
    window.stood = {};
    const parts = {menu: '.menu a', plot: '.plot-svg', table: '.report-table tbody tr'};
    const look = () => {
        for (const [name, selector] of Object.entries(parts)) {
            if (!(name in window.stood) && document.querySelector(selector)) window.stood[name] = performance.now();
        }
        requestAnimationFrame(look);
    };
    look();
})()"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--minutes", type=float, default=1, help="how long one tab is clicked through the reports; 0 for not at all"
    )
    args = parser.parse_args()
    words = ["user", "password", "admin", "--password-stdin", "--site", str(args.folder)]
    done = CliRunner().invoke(vetrina, words, input=f"{PASSWORD}\n")
    assert done.exit_code == 0, done.output
    server = subprocess.Popen(
        [VETRINA, "serve", "--port", "0", "--site", args.folder], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    found = re.search(r"http://[^/\s]+", server.stdout.readline())
    assert found, "the server did not say where it answers"
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            cookies = sign_in(browser, found[0])
            measure_first_plots(browser, found[0], cookies, args.rounds)
            measure_pages(browser, found[0], cookies)
            if args.minutes:
                measure_memory(browser, found[0], cookies, args.minutes)
    finally:
        server.terminate()
        server.wait()


def open_page(browser: Browser, cookies: list[Any]) -> Page:
    context = browser.new_context(locale="en-GB")
    context.add_cookies(cookies)
    page = context.new_page()
    page.set_default_timeout(60_000)
    return page


def measure_first_plots(browser: Browser, root: str, cookies: list[Any], rounds: int) -> None:
    """Print, for each screen, the milliseconds from the menu to the plot and to the table, and what was asked for."""
    print(f"{'from the menu on, medians':30} {'plot':>9} {'table':>9}   requests, asked twice")
    for name, path in SCREENS.items():
        plots, tables, asked = [], [], Counter[str]()
        for _ in range(rounds):
            page = open_page(browser, cookies)
            asked = Counter()
            page.add_init_script(WATCH)
            page.on("request", lambda one, asked=asked: asked.update([one.url] if "-json/" in one.url else []))
            page.goto(root + "/admin" + path, wait_until="commit")
            page.wait_for_function("() => 'plot' in (window.stood ?? {})")
            if path.startswith("/reports/"):
                page.wait_for_function("() => 'table' in window.stood")
            stood = page.evaluate("window.stood")
            plots.append(stood["plot"] - stood["menu"])
            tables.append(stood.get("table", stood["plot"]) - stood["menu"])
            page.context.close()
        twice = [urlsplit(url).path for url, count in asked.items() if count > 1]
        print(
            f"{name:30} {statistics.median(plots):6.0f} ms {statistics.median(tables):6.0f} ms   {len(asked)}",
            ", ".join(twice),
        )


def measure_pages(browser: Browser, root: str, cookies: list[Any]) -> None:
    """Print how long the interface takes for each page of each table, as the browser sees it."""
    page = open_page(browser, cookies)
    print(f"\n{'pages of tables, as the browser waits':40}")
    for name, path in SCREENS.items():
        if not path.startswith("/reports/"):
            continue
        page.goto(root + "/admin" + path)
        page.locator(".report-table tbody tr").first.wait_for()
        page.wait_for_load_state("networkidle")
        taken = []
        for _ in range(3):
            button = page.get_by_role("button", name="Next page")
            if not button.count() or button.is_disabled():
                break
            first = page.locator(".report-table tbody").inner_text()
            begin = time.perf_counter()
            button.click()
            page.wait_for_function(
                "text => document.querySelector('.report-table tbody').innerText !== text", arg=first
            )
            taken.append((time.perf_counter() - begin) * 1000)
            page.wait_for_load_state("networkidle")
        print(f"{name:30}", " ".join(f"{one:6.0f} ms" for one in taken) or "one page")
    page.context.close()


def measure_memory(browser: Browser, root: str, cookies: list[Any], minutes: float) -> None:
    """Print the heap and the elements of one tab after each of ten parts of the time."""
    page = open_page(browser, cookies)
    page.goto(f"{root}/admin/reports")
    page.locator(".plot-svg").first.wait_for()
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    begin, clicks, told = time.monotonic(), 0, 0
    print(f"\n{'minutes':>8} {'clicks':>7} {'heap':>9} {'nodes':>7} {'listeners':>9}")
    while True:
        for name in REPORTS:
            page.locator(".menu").get_by_role("link", name=name, exact=True).last.click()
            page.locator("main h1", has_text=name).wait_for()
            page.locator(".plot-svg").first.wait_for()
            page.get_by_label("Drawn as").select_option("bar")
            page.locator(".card").last.click()
            clicks += 3
        passed = (time.monotonic() - begin) / 60
        if passed >= minutes * told / 10:
            told = int(passed / minutes * 10) + 1
            session.send("HeapProfiler.collectGarbage")
            heap = session.send("Runtime.getHeapUsage")["usedSize"]
            found = session.send("Memory.getDOMCounters")
            print(
                f"{passed:8.1f} {clicks:7} {heap / 1e6:6.1f} MB {found['nodes']:7} {found['jsEventListeners']:9}",
                flush=True,
            )
        if passed >= minutes:
            break
    page.context.close()


if __name__ == "__main__":
    main()
