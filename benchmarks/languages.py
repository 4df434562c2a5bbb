"""Measure what languages cost: lists of a bilingual site against those of a site that has no languages, and jobs.

    python benchmarks/languages.py [--posts 4000] [--jobs 100000] [--rounds 15] [--folder build/bench]

What issue 7 promises: a list with a language filter costs at most 1.2 times one without, and 100,000 jobs list in
under 50 ms. Everything is asked in process, without kept answers; figures are processor time, the cases one after the
other in many rounds, so that whatever else the machine does falls on all of them alike. Both sites hold the same posts
in English; one of them has each of them in Italian as well.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import build
import msgspec
from sqlalchemy import bindparam, insert

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.tables.multilingual import mlang_batch, mlang_field, mlang_job, mlang_status
from vetrina.backends.tables.records import searchable, tally
from vetrina.backends.tables.terms import record_term
from vetrina.content.records import model as record_model
from vetrina.kernel.folding import fold_text
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

MOST_RATIO, MOST_MILLISECONDS = 1.2, 50.0
_TERM_OF = 20  # categories of the site that is built
_IN_GROUPS = 500
_TIMES, _WARM = 3, 2  # requests of a round; rounds before those that count


class Case(NamedTuple):
    """One question. site: which of the sites; signed: whether the administrator asks."""

    what: str
    site: Site
    path: str
    signed: bool = False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--posts", type=int, default=4000, help="in each language")
    parser.add_argument("--jobs", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--folder", type=Path, default=Path("build/bench"), help="where the sites are made")
    args = parser.parse_args()
    args.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.folder) as name:
        alone, both = _sites(Path(name), args.posts)
        with both.database.begin_write() as tx:
            _translate(tx, args.posts)
        build.index(both)
        for site in (alone, both):
            with site.database.begin_write() as tx:
                tx.command("ANALYZE")
        for title, cases in _lists(alone, both, args.posts):
            _compare(title, cases, args.rounds)
        with both.database.begin_write() as tx:
            _put_jobs(tx, args.jobs, args.posts)
        _jobs(both, args.jobs, args.rounds)
        alone.close()
        both.close()


# -- lists


def _lists(alone: Site, both: Site, posts: int) -> Iterator[tuple[str, list[Case]]]:
    for query in (
        "per_page=10", "per_page=100", f"per_page=10&page={posts // 20}", f"per_page=10&page={posts // 10}",
        "per_page=10&categories=3", f"per_page=10&search={build.COMMON_WORD}", "per_page=10&_fields=id,title",
        "per_page=100&_fields=id,title",
    ):  # fmt: skip
        yield (
            query,
            [
                Case("a site of one language", alone, f"/en/cms-json/cms/v2/posts?{query}"),
                Case("two languages, the default one", both, f"/cms-json/cms/v2/posts?{query}"),
                Case("/en/", both, f"/en/cms-json/cms/v2/posts?{query}"),
                Case("/it/", both, f"/it/cms-json/cms/v2/posts?{_italian(query)}"),
                Case("mlang_language=en", both, f"/cms-json/cms/v2/posts?{query}&mlang_language=en"),
                Case("mlang_language=it", both, f"/cms-json/cms/v2/posts?{_italian(query)}&mlang_language=it"),
            ],
        )


def _italian(query: str) -> str:
    """Return a query that names the Italian category where it names one."""
    return query.replace("categories=3", f"categories={3 + _TERM_OF}")


def _compare(title: str, cases: Sequence[Case], rounds: int) -> None:
    took = _rounds([_asked(case) for case in cases], rounds)
    print(f"\n{title}")
    for case, times in zip(cases, took, strict=True):
        # Round by round, for the machine is not as fast in one as in another.
        ratio = statistics.median(one / base for one, base in zip(times, took[0], strict=True))
        milliseconds = statistics.median(times)
        mark = "  ABOVE" if ratio > MOST_RATIO else ""
        print(f"  {case.what:<34} {milliseconds:>8.3f} ms {ratio:>6.2f}x{mark}", flush=True)


# -- jobs


def _jobs(site: Site, count: int, rounds: int) -> None:
    queries = (
        "", "limit=10", "limit=100", f"limit=10&offset={count // 2}", f"limit=100&offset={count - 200}",
        "limit=100&sorting[title]=asc", "limit=100&sorting[batch_name]=desc", "limit=100&sorting[language]=asc",
        "limit=100&sorting[sent_date]=desc", "limit=100&sorting[deadline_date]=asc", "limit=100&sorting[status]=asc",
        "limit=100&status=1,2&sorting[sent_date]=desc", "limit=100&status=10&needs_update=include",
        "limit=100&needs_update=exclude", "limit=100&scope=remote", "limit=100&scope=local&translated_by=1",
        "limit=100&scope=ate", "limit=100&target_language=it&source_language=en", "limit=100&title=serena",
        "limit=100&title=nothingatall", "limit=100&sent_from=2024-01-01&sent_to=2024-06-30", "limit=100&status=30",
        "limit=100&deadline_from=2024-01-01&deadline_to=2024-02-01", "limit=10&batch_name=batch 7",
        "limit=100&element_type=post_post",
    )  # fmt: skip
    cases = [
        Case(query or "without parameters", site, f"/cms-json/mlang/tm/v1/jobs?{query}", True) for query in queries
    ]
    took = _rounds([_asked(case) for case in cases], rounds)
    print(f"\n{count:,} jobs")
    for case, times in zip(cases, took, strict=True):
        milliseconds = statistics.median(times)
        mark = "  ABOVE" if milliseconds > MOST_MILLISECONDS else ""
        print(f"  {case.what:<62} {milliseconds:>8.2f} ms{mark}", flush=True)


# -- how it is measured


def _rounds(asked: Sequence[Callable[[], None]], rounds: int) -> list[list[float]]:
    """Return the milliseconds that each question takes in each round; the first ones only warm up."""
    took: list[list[float]] = [[] for _ in asked]
    for number in range(-_WARM, rounds):
        for at, ask in enumerate(asked):
            before = time.process_time()
            ask()
            if number >= 0:
                took[at].append((time.process_time() - before) * 1000 / _TIMES)
    return took


def _asked(case: Case) -> Callable[[], None]:
    path, _, query = case.path.partition("?")
    headers = [(b"host", b"bench.test")]
    if case.signed:
        headers.append((b"authorization", b"Basic " + base64.b64encode(f"admin:{build.PASSWORD}".encode())))
    scope = {
        "type": "http", "method": "GET", "scheme": "http", "path": path,
        "query_string": query.replace(" ", "%20").encode(), "headers": headers, "client": ("127.0.0.1", 1),
        "server": ("bench.test", 80),
    }  # fmt: skip
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    async def several() -> None:
        for _ in range(_TIMES):
            sent.clear()
            await case.site.app(dict(scope), receive, send)

    def ask() -> None:
        asyncio.run(several())
        assert sent[0]["status"] == 200, (case, sent[1:])

    return ask


# -- what is measured


def _sites(folder: Path, posts: int) -> tuple[Site, Site]:
    """Return the same English posts twice: in a site that has no languages, and in one of two."""
    for name in ("alone", "both"):
        build.build(folder / name, posts)
    first = load_profile("first")
    plain = msgspec.structs.replace(first, languages=("en",), modules=("content",))
    settings = Settings(secret="secret of the benchmarks", cache_bytes=0)
    return Site(plain, settings, folder / "alone"), Site(first, settings, folder / "both")


def _all(table: Any) -> Statement:
    return Statement(insert(table).values({c.name: bindparam(c.name) for c in table.c if c.server_default is None}))


_LINK, _TALLY, _SEARCHABLE = _all(record_term), _all(tally), _all(searchable)


def _translate(tx: Transaction, posts: int) -> None:
    """Give each English post a published translation, with its category's and with what a search reads."""
    for number in range(2, 2 + _TERM_OF):
        tx.run(
            build._TERM, id=number + _TERM_OF, taxonomy="category", language="it", translations=number,
            name=f"Categoria {number}", name_key=f"categoria {number}", slug=f"categoria-{number}", description="",
            parent=0, count=posts // _TERM_OF, meta="{}", source_language="en",
        )  # fmt: skip
    for first in range(1, posts + 1, _IN_GROUPS):
        found = record_model.find_records(tx, range(first, min(first + _IN_GROUPS, posts + 1)))
        rows = [
            msgspec.structs.replace(
                one, id=one.id + posts, language="it", source_language="en", slug=f"{one.slug}-it",
                guid=f"http://127.0.0.1/?p={one.id + posts}",
            )
            for one in found.values()
        ]  # fmt: skip
        record_model.insert_records(tx, rows)
        tx.run_each(
            _SEARCHABLE,
            [
                {"record": one.id, "title": fold_text(one.title), "content": fold_text(one.content), "excerpt": ""}
                for one in rows
            ],
        )
        tx.run_each(build._CHANGE, [
            {"kind": "post", "item": str(one.id), "action": "created", "at": one.date_gmt} for one in rows
        ])  # fmt: skip
        tx.run_each(_LINK, [
            {"record": one.id, "term": 2 + one.translations % _TERM_OF + _TERM_OF, "type": "post", "status": "publish",
             "language": "it", "date": one.date}
            for one in rows
        ])  # fmt: skip
    tx.run(_TALLY, type="post", status="publish", language="it", author=1, count=posts)
    tx.run(build._SET["counter"], name="record", value=2 * posts)


def _put_jobs(tx: Transaction, count: int, posts: int) -> None:
    """Write jobs in every state, most of them complete, each of a thing of its own."""
    put = {table.name: _all(table) for table in (mlang_batch, mlang_status, mlang_job, mlang_field)}
    for number in range(1, 101):
        tx.run(
            put[mlang_batch.name],
            id=number,
            name=f"Batch {number}",
            name_key=f"batch {number}",
            service_number=None,
            service_address="",
            updated=0,
        )
    rows, jobs, fields = [], [], []
    for number in range(1, count + 1):
        state = (10, 10, 10, 10, 10, 10, 1, 2, 4, 0)[number % 10]
        title = f"Title {number}{' serena' if number % 50 == 0 else ''}"
        sent = 1_704_067_200 + number * 600
        common = {
            "translator": number % 7, "title": title, "editor": "ate" if number % 20 == 0 else "mlang",
            "automatic": number % 20 == 0, "sent": sent, "deadline": sent + 864_000 if number % 3 else 0,
        }  # fmt: skip
        rows.append({
            "rid": number, "type": "post", "element_type": "post_post", "element": number, "source_language": "en",
            "target_language": "it", "translation": number + posts, "job": number, "status": state,
            "needs_update": number % 13 == 0, "md5": "", "service": "1" if number % 11 == 0 else "local",
            "service_number": 0, "service_revision": 1, "service_status": "",
            "review": "NEEDS_REVIEW" if number % 40 == 0 else "", "retries": 0, "batch": 1 + number % 100,
            "previous": "", "title_key": fold_text(title), "batch_key": f"batch {1 + number % 100}", **common,
        })  # fmt: skip
        jobs.append({
            "id": number, "rid": number, "revision": None, "translated": state == 10, "manager": 1, "note": "",
            "editor_job": 0, "edited": 0, "completed": 0, "words": 10, "costs": 0, "synchronised": 0,
            "service_data": "", **common,
        })  # fmt: skip
        fields.append({
            "job": number, "position": 0, "name": "title", "label": "", "wrap_tag": "", "format": "text",
            "reused": "", "wanted": True, "source": title, "target": "", "finished": state == 10,
        })  # fmt: skip
    for table, values in ((mlang_status, rows), (mlang_job, jobs), (mlang_field, fields)):
        tx.run_each(put[table.name], values)
    tx.command("ANALYZE")


if __name__ == "__main__":
    main()
