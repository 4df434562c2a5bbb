"""Ask for lists with filters and orders by own fields on a small and a large site, and say how the times compare.

    python benchmarks/custom_fields.py [--records 1000,1000000] [--database URL] [--folder build/bench] [--rounds 30]

In process, by processor time and without kept answers, anonymous and signed in: the first time (totals are counted) and
again (they are known and kept true). The sites are kept in the folder and used again.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import random
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from build import PASSWORD, index
from sqlalchemy import bindparam, insert

from vetrina.backends import database_schema
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_ids
from vetrina.backends.tables.change_log import change
from vetrina.backends.tables.records import searchable, tally
from vetrina.content.custom_fields import value_rows
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering
from vetrina.kernel.times import format_iso
from vetrina.settings import Profile, ProfileType, Settings, load_profile
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

_CUISINES = ("italian", "french", "thai", "greek", "indian", "turkish", "mexican", "japanese", "spanish", "lebanese")
_FIELDS = {
    "cuisine": {"type": "choice", "choices": _CUISINES},
    "prep_minutes": {"type": "integer", "minimum": 0},
    "vegetarian": {"type": "boolean"},
    "season": {"type": "date"},
}
_PATH = "/en/cms-json/cms/v2/recipe"
_BATCH = 10_000
_FIRST_DAY = 1_262_304_000  # 2010-01-01, in seconds since 1970
_DAYS = 365
_THREE = "meta.cuisine=thai&meta.prep_minutes[gte]=30&meta.prep_minutes[lte]=45&meta.vegetarian=true"
_DATES = "meta.cuisine=greek&meta.prep_minutes[lt]=60&meta.season[gte]=2025-03-01&meta.season[lt]=2025-09-01"
_CASES = {
    "plain list": "",
    "choice, range of integers, boolean": _THREE,
    "choice, range of integers, range of dates": _DATES,
    "three broad ones": "meta.prep_minutes[gte]=10&meta.season[gte]=2025-02-01&meta.vegetarian[ne]=true",
    "three that hardly any record fulfils": "meta.cuisine=indian&meta.prep_minutes=77&meta.season=2025-05-05",
    "the same three, by a field": f"{_THREE}&orderby=meta.prep_minutes&order=asc",
    "three, by title": "meta.cuisine=thai&meta.prep_minutes[gte]=30&meta.vegetarian=true&orderby=title&order=asc",
    "all, by a field": "orderby=meta.season",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", default="1000,1000000")
    parser.add_argument("--database", default="", help="of the sites, with {} for the number of records")
    parser.add_argument("--folder", type=Path, default=Path("build/bench"))
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    sites = [_open(args.folder, int(one), args.database.format(one)) for one in args.records.split(",")]
    small, large = sites[0], sites[-1]
    print(f"{'':46} {'':9} {'first time':>21} {'again':>21}")
    for name, query in _CASES.items():
        if args.only not in name:
            continue
        for caller in ("", "admin"):
            times = [_measure(site, query, caller, args.rounds) for site in (small, large)]
            firsts, agains, totals = zip(*times, strict=True)
            print(
                f"{name:46} {caller or 'anonymous':9} {firsts[0]:8.1f} {firsts[1]:9.1f} ms "
                f"{agains[0]:8.2f} {agains[1]:8.2f} ms  {agains[1] / agains[0]:4.2f}x   of {totals[0]}, {totals[1]}",
                flush=True,
            )
    for site in sites:
        site.close()


def _measure(site: Site, query: str, caller: str, rounds: int) -> tuple[float, float, str]:
    """Return the milliseconds of the first answer and the median of the later ones, and the total."""
    site.context.filter_cache.clear()
    took, total = [], ""
    for _ in range(rounds + 1):
        start = time.process_time()
        total = asyncio.run(_ask(site, query, caller))
        took.append((time.process_time() - start) * 1000)
    return took[0], statistics.median(took[1:]), total


async def _ask(site: Site, query: str, caller: str) -> str:
    headers = [(b"host", b"bench.test")]
    if caller:
        headers.append((b"authorization", b"Basic " + base64.b64encode(f"{caller}:{PASSWORD}".encode())))
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": _PATH, "query_string": query.encode(),
        "headers": headers, "client": ("127.0.0.1", 1), "server": ("bench.test", 80),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await site.app(scope, receive, send)
    assert sent[0]["status"] == 200, sent[1]["body"]
    return next(value.decode() for name, value in sent[0]["headers"] if name.lower() == b"x-cms-total")


# -- the sites


def _make_profile() -> Profile:
    first = load_profile("first")
    members = {"label": "Recipes", "supports": ["title", "editor", "author", "custom-fields"], "fields": _FIELDS}
    return msgspec.structs.replace(first, types={**first.types, "recipe": msgspec.convert(members, ProfileType)})


def _open(folder: Path, records: int, database: str) -> Site:
    """Return the site with so many records, made where it is not there yet."""
    place = folder / f"fields-{records}"
    settings = Settings(secret="secret of the benchmarks", database=database, cache_bytes=0)
    there = place.is_dir()
    place.mkdir(parents=True, exist_ok=True)
    site = Site(_make_profile(), settings, place, durable=False)
    if not there:
        database_schema.create_schema(site.database)
        with site.work() as work:
            bootstrap_site(work, [InitialAccount("admin", "administrator", "admin@example.org", PASSWORD)])
        _fill(site, records)
    return site


def _fill(site: Site, records: int) -> None:
    fields, start = site.context.custom_fields["recipe"], time.monotonic()
    changes = Statement(insert(change).values({n: bindparam(n) for n in ("kind", "item", "action", "at")}))
    copies = Statement(insert(searchable).values({n: bindparam(n) for n in ("record", "title", "content", "excerpt")}))
    with site.database.begin_write() as tx:
        numbers = allocate_ids(tx, records)
        tx.run(
            Statement(insert(tally)), type="recipe", status="publish", language="en", author=1, count=records
        )  # fmt: skip
    for first in range(0, records, _BATCH):
        rows = list(_make_records(numbers[first : first + _BATCH]))
        with site.database.begin_write() as tx:
            record_model.insert_records(tx, rows)
            value_rows.insert_values(tx, fields, rows)
            tx.run_each(copies, [{"record": one.id, "title": one.title, "content": "", "excerpt": ""} for one in rows])
            tx.run_each(
                changes, [{"kind": "recipe", "item": str(one.id), "action": "created", "at": one.date} for one in rows]
            )
        done = first + len(rows)
        print(f"\r  {done:,} records ({done / (time.monotonic() - start):,.0f}/s)", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    index(site)


def _make_records(numbers: range) -> Iterator[Record]:
    content = "<!-- wp:paragraph -->\n<p>" + "Taste it and see. " * 20 + "</p>\n<!-- /wp:paragraph -->"
    rendered = text_rendering.render_content(content)
    excerpt = text_rendering.render_excerpt("", content)
    source = random.Random(numbers[0])
    for number in numbers:
        at = _FIRST_DAY + number * 400
        meta = {
            "cuisine": source.choice(_CUISINES), "prep_minutes": source.randrange(120),
            "vegetarian": source.random() < 0.5,
            "season": format_iso(1_735_689_600 + source.randrange(_DAYS) * 86_400)[:10],
        }  # fmt: skip
        title = f"recipe {source.randrange(10**9):09} {number}"
        yield Record(
            id=number, type="recipe", status="publish", language="en", translations=number, slug=f"recipe-{number}",
            author=1, parent=0, menu_order=0, date=at, date_gmt=at, modified=at, modified_gmt=at, title=title,
            title_key=title, title_html=title, content=content, content_html=rendered, block_version=1, excerpt="",
            excerpt_html=excerpt, renderer=text_rendering.RENDERER_VERSION, password="", comment_status="closed",
            ping_status="closed", format="standard", template="", featured_media=0, guid=f"http://bench.test/?p={number}",
            trashed_status="", trashed_slug="", revisions=0, last_revision=0, version=1, meta=meta, floating=False,
            sticky=False,
        )  # fmt: skip


if __name__ == "__main__":
    main()
