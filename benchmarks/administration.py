"""Measure how long the administration takes in a browser: the first list, the editor, the next page of a list.

    python benchmarks/administration.py FOLDER [--rounds 5]

FOLDER is a site that build.py made; the administrator's password is set anew. Every cold figure is that of a new
browser without a cache, from the address to the moment at which a person can work; the reference is a page of the site
itself, opened the same way. Needs Chromium and the built administration (`make admin`).
"""

from __future__ import annotations

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from playwright.sync_api import Browser, Page, sync_playwright

from vetrina.cli import main as vetrina

PASSWORD = "a password for the browser"
VETRINA = Path(sys.executable).with_name("vetrina")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with open_browser(args.folder) as (browser, root):
        measure(browser, root, args.rounds)


@contextmanager
def open_browser(folder: Path) -> Iterator[tuple[Browser, str]]:
    """Serve a site with a new password for its administrator; yield a browser and the site's root URL."""
    words = ["user", "password", "admin", "--password-stdin", "--site", str(folder)]
    done = CliRunner().invoke(vetrina, words, input=f"{PASSWORD}\n")
    assert done.exit_code == 0, done.output
    server = subprocess.Popen([VETRINA, "serve", "--port", "0", "--site", folder], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    found = re.search(r"http://[^/\s]+", server.stdout.readline())
    assert found, "the server did not say where it answers"
    try:
        with sync_playwright() as playwright:
            yield playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"]), found[0]
    finally:
        server.terminate()
        server.wait()


def measure(browser: Browser, root: str, rounds: int) -> None:
    """Print the median of each figure in milliseconds, and its ratio to the reference."""
    cookies = sign_in(browser, root)
    cases: dict[str, Callable[[Page], None]] = {
        "reference: a page of the site": lambda page: open_until(page, f"{root}/en/", "main"),
        "first list, cold": lambda page: open_until(page, f"{root}/admin/content/post", "tbody tr a"),
        "editor, cold": lambda page: open_editor(page, f"{root}/admin/content/post/new"),
    }
    reference = 0.0
    for name, case in cases.items():
        times = []
        for _ in range(rounds):
            context = browser.new_context(locale="en-GB")
            context.add_cookies(cookies)
            page = context.new_page()
            times.append(time_of(lambda page=page, case=case: case(page)))
            context.close()
        middle = statistics.median(times)
        reference = reference or middle
        print(f"{name:40} {middle:8.0f} ms  {middle / reference:5.1f} times  ({min(times):.0f} to {max(times):.0f})")
    measure_warm(browser, root, cookies)


def measure_warm(browser: Browser, root: str, cookies: list[Any]) -> None:
    """Print how long it takes to go on in a list that is open."""
    context = browser.new_context(locale="en-GB")
    context.add_cookies(cookies)
    page = context.new_page()
    open_until(page, f"{root}/admin/content/post", "tbody tr a")
    if page.get_by_role("button", name="Next page").count() == 0:
        print("The list has one page: build a site of more posts to measure how it goes on.")
        context.close()
        return
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/wp/v2/posts" in request.url else None)
    print(f"{'next page of the list':40} {time_of(lambda: go_on(page, 'Next page')):8.0f} ms")
    before = len(asked)
    print(f"{'page before, which is there':40} {time_of(lambda: go_on(page, 'Previous page')):8.0f} ms", end="")
    print(f"  ({len(asked) - before} requests)")
    context.close()


def go_on(page: Page, button: str) -> None:
    """Turn the page of a list and wait until other rows are shown."""
    first = page.locator("tbody tr a").first.inner_text()
    page.get_by_role("button", name=button).click()
    page.wait_for_function("text => document.querySelector('tbody tr a')?.innerText !== text", arg=first)


def open_until(page: Page, url: str, selector: str) -> None:
    page.goto(url, wait_until="commit")
    page.wait_for_selector(selector)


def open_editor(page: Page, url: str) -> None:
    """Open the editor and wait until its canvas can be written in."""
    page.goto(url, wait_until="commit")
    page.frame_locator("iframe[name=editor-canvas]").locator("[contenteditable=true]").first.wait_for()


def sign_in(browser: Browser, root: str) -> list[Any]:
    """Return the cookies of the administrator's session."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{root}/admin/sign-in")
    page.fill("input[name=login]", "admin")
    page.fill("input[name=password]", PASSWORD)
    page.click("form[method=post] button")
    page.wait_for_url("**/admin/")
    cookies = context.cookies()
    context.close()
    return cookies


def time_of(work: Callable[[], None]) -> float:
    """Return how many milliseconds something takes."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


if __name__ == "__main__":
    main()
