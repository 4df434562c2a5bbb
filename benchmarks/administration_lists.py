"""Measure how long the lists of the administration take in a browser where there is much of everything.

    python benchmarks/administration_lists.py FOLDER [--rows 100000] [--rounds 3]

FOLDER is made where it is missing: so many rows of each list (administration_rows.py). Of each list it opens the first
page without a cache, then sorts, goes to the last page, searches and filters. A figure is the median until other rows
are shown; beside it the longest answer of the interface that it waited for. Every order and filter, without a browser:
administration_answers.py. Needs Chromium and the built administration (`make admin`).
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from administration import open_browser, open_until, sign_in, time_of
from administration_rows import fill_lists
from build import COMMON_WORD, build
from playwright.sync_api import Browser, Page, Request

_LIST = "main .list"
_CELLS = ".dataviews-view-grid__card, tbody tr"


@dataclass(frozen=True)
class MeasuredList:
    """A list. sort: label of the column that it is sorted by, empty for none. view: label of a view that filters it."""

    path: str
    sort: str
    view: str = ""


LISTS = {
    "posts": MeasuredList("/content/post", "Date", "Drafts"),
    "tags": MeasuredList("/records/post_tag", "Slug"),
    "comments": MeasuredList("/records/comments?view=all", "Date", "Approved"),
    "people": MeasuredList("/records/users", "Since"),
    "media": MeasuredList("/media", ""),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    if not args.folder.exists():
        build(args.folder, args.rows)
        fill_lists(args.folder, args.rows)
    with open_browser(args.folder) as (browser, root):
        for name, one in LISTS.items():
            measure_list(browser, root, name, one, args.rounds)


def measure_list(browser: Browser, root: str, name: str, one: MeasuredList, rounds: int) -> None:
    """Print the figures of one list."""
    steps: dict[str, Callable[[Page], None]] = {
        "first page": lambda page: open_until(page, f"{root}/admin{one.path}", _CELLS),
        **({"sorted": lambda page: sort_list(page, one.sort)} if one.sort else {}),
        "last page": go_to_last_page,
        "searched": search_list,
        **({"filtered": lambda page: filter_list(page, one.view)} if one.view else {}),
    }
    times: dict[str, list[float]] = {step: [] for step in steps}
    waits: dict[str, list[float]] = {step: [] for step in steps}
    for _ in range(rounds):
        cookies = sign_in(browser, root)
        context = browser.new_context(locale="en-GB")
        context.add_cookies(cookies)
        page, answers = context.new_page(), list[float]()
        page.on("requestfinished", lambda asked, answers=answers: answers.append(_get_wait(asked)))
        for step, act in steps.items():
            answers.clear()
            times[step].append(time_of(lambda act=act, page=page: act(page)))
            page.wait_for_load_state("networkidle")
            waits[step].append(max(answers, default=0))
        context.close()
    for step, found in times.items():
        longest = statistics.median(waits[step])
        print(f"{name:10} {step:18} {statistics.median(found):8.0f} ms   longest answer {longest:6.0f} ms", flush=True)


def _get_wait(asked: Request) -> float:
    """Return how many milliseconds an answer of the interface took, 0 for what is no question to it."""
    return float(asked.timing["responseEnd"]) if "/admin-json/" in asked.url else 0


def change_rows(page: Page, act: Callable[[], Any]) -> None:
    """Do something, and wait until the list shows something else."""
    before = page.locator(_LIST).inner_text()
    act()
    page.wait_for_function("([list, text]) => document.querySelector(list).innerText !== text", arg=[_LIST, before])


def search_list(page: Page) -> None:
    """Search for a word that one row of ten has, and wait for what is found."""
    with page.expect_response(lambda answer: f"search={COMMON_WORD}" in answer.url):
        page.get_by_role("searchbox").first.fill(COMMON_WORD)
    page.locator(_LIST).get_by_text(COMMON_WORD).first.wait_for()


def sort_list(page: Page, column: str) -> None:
    """Sort the table by a column, upwards or, where it is so already, downwards."""
    page.locator("thead").get_by_role("button", name=column, exact=True).click()
    upwards = page.get_by_role("menuitemradio", name="Sort ascending")
    is_upwards = upwards.get_attribute("aria-checked") == "true"
    wanted = page.get_by_role("menuitemradio", name="Sort descending") if is_upwards else upwards
    change_rows(page, wanted.click)
    page.keyboard.press("Escape")


def go_to_last_page(page: Page) -> None:
    """Go to the last page by the field that names them all."""
    pages = page.get_by_label("Current page")
    change_rows(page, lambda: pages.select_option(pages.locator("option").last.get_attribute("value")))


def filter_list(page: Page, view: str) -> None:
    """Choose one of the views of a list, and wait for its answer."""
    with page.expect_response(lambda answer: "/admin-json/" in answer.url):
        page.get_by_role("button", name=view, exact=True).click()
    page.locator(_CELLS).or_(page.get_by_text("There is nothing here yet.")).first.wait_for()


if __name__ == "__main__":
    main()
