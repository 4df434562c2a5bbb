"""Ask for the lists of the administration where there is much of everything, and say which answers take long.

    python benchmarks/administration_answers.py FOLDER [--only NAME] [--slow 300]

FOLDER is made by administration_lists.py. Of each list: the first page, the last one, a search, every order and every
filter that the list view makes of what the interface declares (`OPTIONS`), the views of its own, and the records that
its pickers look for. In process, without kept answers: the first time, when what a filter finds is looked for, and
again. What takes longer than so many milliseconds both times is marked, and what does so the first time alone.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from build import COMMON_WORD

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.backends.site_folder import load_site_settings
from vetrina.site import Site

_ROOT = "/admin-json"
_MIDDLE = "2010-09-01T00:00:00"
_COMMON = f"search={COMMON_WORD}"


@dataclass(frozen=True)
class MeasuredList:
    """A list of the administration. query: of every request; views: its own; pickers: lists of related records."""

    path: str
    query: str = "context=edit"
    views: tuple[str, ...] = ()
    pickers: tuple[str, ...] = ()


_STATES = ("status=publish", "status[]=draft&status[]=pending", "status=future", "status=any&author=1", "status=trash")
_RECORDS = "context=edit&status=any&_embed=author,wp:term"
_AUTHORS = ("/wp/v2/users?who=authors", f"/wp/v2/users?who=authors&{_COMMON}")
_TERMS = ("/wp/v2/categories?", f"/wp/v2/categories?{_COMMON}", "/wp/v2/tags?", f"/wp/v2/tags?{_COMMON}")
_PAGES = ("/wp/v2/pages?status=any", f"/wp/v2/pages?status=any&{_COMMON}")
_FILES = ("/wp/v2/media?media_type=image", f"/wp/v2/media?{_COMMON}", f"/wp/v2/media?media_type=image&{_COMMON}")
_JOBS = "/wpml/tm/v1/jobs"

LISTS = {
    "posts": MeasuredList("/wp/v2/posts", _RECORDS, _STATES, (*_AUTHORS, *_TERMS, *_FILES)),
    "pages": MeasuredList("/wp/v2/pages", _RECORDS, _STATES, _PAGES),
    "interventi": MeasuredList("/wp/v2/intervento", _RECORDS, _STATES),
    "patterns": MeasuredList("/wp/v2/blocks", _RECORDS),
    "media": MeasuredList("/wp/v2/media", "context=edit&_embed=author"),
    "tags": MeasuredList("/wp/v2/tags"),
    "categories": MeasuredList("/wp/v2/categories", "context=edit&_embed=up"),
    "comments": MeasuredList(
        "/wp/v2/comments",
        "context=edit&_embed=up&status=all",
        ("status=hold", "status=approve", "status=spam", "status=trash"),
        ("/wp/v2/posts?context=edit", f"/wp/v2/posts?{_COMMON}"),
    ),
    "people": MeasuredList("/wp/v2/users"),
    "menus": MeasuredList("/wp/v2/menus"),
    "redirects": MeasuredList("/wp/v2/redirects", ""),
    "glossary": MeasuredList("/wpml/v1/glossary", ""),
    "strings": MeasuredList("/wpml/st/v1/strings", "", ("domain=domain 3", "status=0", "status=10")),
    "jobs": MeasuredList("/wp/v2/jobs", "", ("state[]=failed", "state[]=waiting&state[]=running")),
    "audit": MeasuredList("/access/v1/audit-entries", "", ("kind[]=user&kind[]=role", "action[]=removed")),
    "translations": MeasuredList(
        _JOBS,
        "limit=20",
        (
            "offset=99980&sorting[id]=desc", f"title={COMMON_WORD}", "target_language=it", "status=1",
            *(f"sorting[{one}]=asc" for one in ("title", "language", "batch_name", "sent_date", "deadline_date")),
            "sorting[status]=asc",
        ),
    ),
}  # fmt: skip


class Caller:
    """An administrator who asks a site in process."""

    def __init__(self, site: Site) -> None:
        self.site = site
        with site.work() as work:
            password = app_passwords.create_app_password(work, 1, "benchmark")[1]
        self._credentials = b"Basic " + base64.b64encode(f"admin:{password}".encode())

    def ask(self, target: str, method: str = "GET") -> tuple[int, dict[str, str], Any]:
        """Return status, headers and body of an answer."""
        return asyncio.run(self._ask(target, method))

    async def _ask(self, target: str, method: str) -> tuple[int, dict[str, str], Any]:
        path, _, query = target.partition("?")
        scope = {
            "type": "http", "method": method, "scheme": "http", "path": _ROOT + path,
            "query_string": quote(query, safe="=&[]%,:").encode(),
            "headers": [(b"host", b"bench.test"), (b"authorization", self._credentials)],
            "client": ("127.0.0.1", 1), "server": ("bench.test", 80),
        }  # fmt: skip
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        await self.site.app(scope, receive, send)
        headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        body = b"".join(one.get("body", b"") for one in sent[1:])
        return sent[0]["status"], headers, json.loads(body or b"null")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--slow", type=float, default=300.0)
    args = parser.parse_args()
    settings, profile = load_site_settings(args.folder, ["cache_bytes=0"])
    site = Site(profile, settings, args.folder)
    caller = Caller(site)
    for name, one in LISTS.items():
        if args.only in name:
            measure_list(caller, name, one, args.slow)
    site.close()


def measure_list(caller: Caller, name: str, one: MeasuredList, slow: float) -> None:
    """Print what each answer of a list took, the slowest first, and how many there were."""
    found = []
    for what, target in list_questions(caller, one):
        took = []
        for _ in range(3):
            start = time.process_time()
            status, headers, _body = caller.ask(target)
            took.append((time.process_time() - start) * 1000)
        found.append((took[0], min(took[1:]), status, headers.get("x-wp-total", "-"), what))
    found.sort(reverse=True)
    print(f"{name}: {len(found)} questions, {found[0][0]:.0f} ms at most, {max(one[1] for one in found):.0f} again")
    for first, again, status, total, what in found:
        if first > slow / 4 or status != 200 or what in ("first page", "last page"):
            mark = "  SLOW" if again > slow else "  slow first" if first > slow else ""
            print(f"  {first:8.1f} {again:8.1f} ms  {status} {total:>8}  {what}{mark}", flush=True)


def list_questions(caller: Caller, one: MeasuredList) -> list[tuple[str, str]]:
    """Return what is asked of a list: what it is called, and the address."""
    declaration = caller.ask(one.path, "OPTIONS")[2]
    arguments = next((entry["args"] for entry in declaration["endpoints"] if "GET" in entry["methods"]), {})
    if isinstance(arguments, list):
        # A route without arguments.
        arguments = {}
    properties = (declaration.get("schema") or {}).get("properties", {})
    base = f"{one.path}?per_page=20&{one.query}" if "per_page" in arguments else f"{one.path}?{one.query}"
    _status, headers, body = caller.ask(base)
    row = body[0] if isinstance(body, list) and body else {}
    orders = arguments.get("orderby", {}).get("enum", [])
    asked = ["first page", *one.views]
    if int(headers.get("x-wp-totalpages", "1")) > 1:
        deep = f"page={headers['x-wp-totalpages']}"
        asked += [deep, *(f"orderby={order}&{deep}" for order in orders)]
    asked += [f"orderby={order}&order={way}" for order in orders for way in ("asc", "desc")]
    asked += [
        f"{name}{'[]' if _is_list(argument) else ''}={value}"
        for name, argument in arguments.items()
        if name in properties
        for value in _list_values(argument, row.get(name))
    ]
    asked += [
        f"{name}={_MIDDLE}" for name in ("after", "before", "modified_after", "modified_before") if name in arguments
    ]
    if "search" in arguments:
        asked += [_COMMON, f"{_COMMON}&page=2", "search=zq", *(f"{_COMMON}&orderby={order}" for order in orders)]
    if "untranslated_in" in arguments:
        asked += ["untranslated_in=it", f"untranslated_in=it&{_COMMON}"]
    asked = [one for one in asked if "=relevance" not in one or "search=" in one]
    asked = [one for one in asked if "=include" not in one]
    questions = [(what, base if what == "first page" else f"{base}&{what}") for what in asked]
    return questions + [(picker, f"{picker}&per_page=20&context=edit") for picker in one.pickers]


def _is_list(argument: dict[str, Any]) -> bool:
    return argument.get("type") in ("array", "object") or "items" in argument


def _list_values(argument: dict[str, Any], example: Any) -> list[Any]:
    """Return the values that a filter is tried with."""
    values = argument.get("enum") or argument.get("items", {}).get("enum")
    if values:
        return [one for one in values if one is not None]
    if argument.get("type") == "boolean":
        return ["true", "false"]
    example = example[0] if isinstance(example, list) and example else example
    return [example] if isinstance(example, str | int) and example else []


if __name__ == "__main__":
    main()
