"""Ask a site for its posts in every order and by every filter, and say which answers take long.

    python benchmarks/queries.py FOLDER [--database URL] [--slow MILLISECONDS]

In process and without kept answers: the first time (what a filter finds is looked for) and again (it is known).
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import Any

import build

from vetrina.backends.site_folder import load_site_settings
from vetrina.site import Site

_TARGET = "/en/cms-json/cms/v2/posts"
_ORDERS = ("author", "date", "id", "modified", "parent", "slug", "title")
_LISTS = (
    *(f"orderby={order}&order={way}" for order in _ORDERS for way in ("asc", "desc")),
    *(f"orderby={order}&page={{deep}}" for order in _ORDERS),
    "offset={far}", "per_page=100", "page={deep}&order=asc",
    "author=1", "author=1&page={deep}", "author_exclude=1", "author_exclude=7",
    "categories=3", "categories=3&page=100", "categories=3,4", "categories=3&orderby=title", "categories_exclude=3",
    "tags=99999", "tags_exclude=99999", "categories=3&tags=99999&tax_relation=OR",
    "slug=nothing-of-the-kind", "include={half},1,2", "include={half},1,2&orderby=include", "exclude={half}",
    "before={early}", "before={late}", "after={early}", "after={late}", "after={early}&before={middle}",
    "after={late}&orderby=title", "modified_after={early}", "modified_after={late}", "modified_before={middle}",
    "modified_after={late}&orderby=modified", "before={early}&orderby=slug",
    "sticky=true", "sticky=false", "ignore_sticky=false", "format=standard", "format=video", "status=publish",
    "search={common}", "search={common}&page=50", "search={rare}", "search=ab", "search=zq", "search=nothingatall",
    "search={common}&orderby=relevance", "search={common} ma&orderby=relevance", "search={common}&categories=3",
    "search={common}&orderby=title", "search={common}&after={late}", "search={common} -ma", "search=-{common}",
    "search=la ve&search_columns=post_title",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--database", default="")
    parser.add_argument("--slow", type=float, default=20.0)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    sets = ["cache_bytes=0", *([f"database={args.database}"] if args.database else [])]
    settings, profile = load_site_settings(args.folder, sets)
    site = Site(profile, settings, args.folder)
    for path, query in _asked(site):
        if args.only in query:
            took = []
            for _ in range(3):
                start = time.perf_counter()
                status, total, size = asyncio.run(_answer(site, path, query))
                took.append((time.perf_counter() - start) * 1000)
            mark = "  SLOW" if min(took[1:]) > args.slow else "  slow first" if took[0] > 5 * args.slow else ""
            print(f"{took[0]:9.1f} {min(took[1:]):9.1f} ms  {status} {total:>9} {size:>3}  {query}{mark}", flush=True)
    site.close()


def _asked(site: Site) -> list[tuple[str, str]]:
    with site.work(read=True) as work:
        from vetrina.content.records import counters

        posts = counters.sum_counters(work.tx, "post", ["publish"], "en")
    values = {
        "deep": posts // 20, "far": posts // 2, "half": posts // 2, "common": build.COMMON_WORD,
        "rare": build.RARE_WORD[1:-1], "early": build.date_of(posts // 100), "middle": build.date_of(posts // 2),
        "late": build.date_of(posts - 50),
    }  # fmt: skip
    return [(_TARGET, query.format(**values)) for query in _LISTS]


async def _answer(site: Site, path: str, query: str) -> tuple[int, str, int]:
    asked = query.replace(" ", "%20").encode()
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": path, "query_string": asked,
        "headers": [(b"host", b"bench.test")], "client": ("127.0.0.1", 1), "server": ("bench.test", 80),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await site.app(scope, receive, send)
    headers = {name.lower(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], headers.get(b"x-cms-total", "-"), len(sent[1]["body"])


if __name__ == "__main__":
    main()
