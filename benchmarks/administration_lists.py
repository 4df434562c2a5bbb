"""Measure how long the lists of the administration take in a browser where there is much of everything.

    python benchmarks/administration_lists.py FOLDER [--rows 100000] [--rounds 3]

FOLDER is made where it is missing: so many posts, tags, comments, accounts and documents, put straight into their
tables. Of each list it opens the first page without a cache, then sorts, goes to the last page, searches and filters. A
figure is the median until other rows are shown; beside it the longest answer of the interface that it waited for. Needs
Chromium and the built administration (`make admin`).
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from administration import open_browser, open_until, sign_in, time_of
from build import COMMON_WORD, build, index
from playwright.sync_api import Browser, Page, Request
from sqlalchemy import Table, bindparam, insert

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.id_sequences import allocate_ids
from vetrina.backends.tables.accounts import account
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.comments import comment
from vetrina.backends.tables.records import media, searchable, tally
from vetrina.backends.tables.terms import term
from vetrina.content.records import model as record_model
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

_BATCH = 5_000
_FIRST_DAY = 1_262_304_000  # 2010-01-01, in seconds since 1970
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


def fill_lists(folder: Path, rows: int) -> None:
    """Put so many tags, comments, accounts and documents into a site that has posts."""
    secret = "secret of the benchmarks"
    site = Site(load_profile("first"), Settings(secret=secret, database=""), folder, durable=False)
    with site.database.begin_write() as tx:
        post = next(iter(record_model.find_records(tx, range(1, 1000)).values()))
        _insert(tx, term, map(_make_tag, allocate_ids(tx, rows, "term")))
        _insert(tx, account, map(_make_account, allocate_ids(tx, rows, "account")))
        _insert(tx, comment, (_make_comment(number, post.id) for number in allocate_ids(tx, rows, "comment")))
        documents = allocate_ids(tx, rows)
        for first in range(0, rows, _BATCH):
            part = documents[first : first + _BATCH]
            record_model.insert_records(tx, [_make_document(post, number) for number in part])
        _insert(tx, media, map(_make_file, documents))
        _insert(tx, searchable, map(_make_searchable, documents))
        _insert(tx, change, map(_make_change, documents))
        _insert(tx, tally, [{"type": "attachment", "status": "inherit", "language": "en", "author": 1, "count": rows}])
    index(site)
    site.close()


def _insert(tx: Transaction, table: Table, rows: Iterator[dict[str, Any]] | list[dict[str, Any]]) -> None:
    statement, part = None, []
    for row in rows:
        statement = statement or Statement(insert(table).values({name: bindparam(name) for name in row}))
        part.append(row)
        if len(part) == _BATCH:
            tx.run_each(statement, part)
            part = []
    if statement and part:
        tx.run_each(statement, part)


def _make_word(number: int) -> str:
    """Return a word by which one row of ten is found."""
    return COMMON_WORD if number % 10 == 0 else "plain"


def _make_tag(number: int) -> dict[str, Any]:
    name = f"{_make_word(number)} tag {number * 7919 % 1_000_003}"
    return {
        "id": number, "taxonomy": "post_tag", "language": "en", "translations": number, "name": name,
        "name_key": name, "slug": f"tag-{number}", "description": "", "parent": 0, "count": number % 50, "meta": "{}",
        "source_language": "",
    }  # fmt: skip


def _make_account(number: int) -> dict[str, Any]:
    login, name = f"person{number}", f"{_make_word(number)} person {number * 7919 % 1_000_003}"
    blank = dict.fromkeys(("first_name", "last_name", "url", "description", "locale", "password"), "")
    return {
        **blank, "id": number, "login": login, "login_key": login, "email": f"{login}@example.org",
        "email_key": f"{login}@example.org", "slug": login, "name": name, "name_key": name, "nickname": name,
        "roles": '["subscriber"]', "capabilities": "{}", "registered": _FIRST_DAY + number * 400, "meta": "{}",
    }  # fmt: skip


def _make_comment(number: int, post: int) -> dict[str, Any]:
    text, at = f"{_make_word(number)} words {number}", _FIRST_DAY + number * 400
    blank = dict.fromkeys(("author_url", "author_ip", "author_user_agent", "kept_status", "shelved_status"), "")
    return {
        **blank, "id": number, "post": post, "parent": 0, "author": 0, "author_name": f"Guest {number}",
        "author_email": f"guest{number}@example.org", "date": at + 3600, "date_gmt": at, "content": text,
        "content_html": f"<p>{text}</p>", "status": "approved", "type": "comment", "meta": "{}",
        "email_key": f"guest{number}@example.org", "search_key": text,
    }  # fmt: skip


def _make_document(post: record_model.Record, number: int) -> record_model.Record:
    at, title = _FIRST_DAY + number * 400, f"{_make_word(number)} document {number}"
    return msgspec.structs.replace(
        post, id=number, type="attachment", status="inherit", translations=number, slug=f"document-{number}",
        title=title, title_key=title, title_html=title, content="", content_html="", excerpt_html="", date=at + 3600,
        date_gmt=at, modified=at + 3600, modified_gmt=at, guid=f"http://127.0.0.1/?p={number}",
    )  # fmt: skip


def _make_file(number: int) -> dict[str, Any]:
    return {
        "record": number, "file": f"2010/01/document-{number}.pdf", "original": "", "kind": "application",
        "mime_type": "application/pdf", "width": 0, "height": 0, "filesize": 1000, "alt_text": "", "sizes": "{}",
        "details": "{}",
    }  # fmt: skip


def _make_searchable(number: int) -> dict[str, Any]:
    return {"record": number, "title": f"{_make_word(number)} document {number}", "content": "", "excerpt": ""}


def _make_change(number: int) -> dict[str, Any]:
    return {"kind": "attachment", "item": str(number), "action": "created", "at": _FIRST_DAY}


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
