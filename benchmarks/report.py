"""The tables of docs/performance.md, from what the runs measured; each run replaces its own part only.

Not here: how it is measured (run.py, analytics.py). What stands above the tables is written by hand and stays.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from cases import CASES, FIRST_SEARCH, TYPE_CASES

__all__ = ["DOCUMENT", "RESULTS", "merged", "of_run", "written"]

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
DOCUMENT = HERE.parent / "docs" / "performance.md"

_MARK = "<!-- measured: what follows is written by `make bench` -->"
_KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_WANTED_SHARE = 1.5  # how much longer another type's answer may take than a post's
_REPORTS = "reports"  # before the kind of database: the reports of a shop, by its number of orders
_BARE = "bare Starlette, the same bytes"
_BARE_RATE = 25_000  # answers a second of the bare server in the hour for which aims in answers a second hold
# Rows that have an aim: of those with a unit the value counts, of the others the answers a second, by kind of database.
_AIMS: tuple[tuple[str, str, dict[str, int], bool], ...] = (
    (_BARE, "", {}, False),
    ("collection of 10, cached", "", {}, False),
    ("cached, as a share of bare", "%", {"sqlite": 75, "postgresql": 75}, False),
    ("collection of 10, uncached", "", {"sqlite": 4000, "postgresql": 2000}, False),
    ("single record, uncached", "", {"sqlite": 3000, "postgresql": 3000}, False),
    ("100 records with two fields, uncached", "", {"sqlite": 1500}, False),
    ("create, durable", "", {"sqlite": 600, "postgresql": 600}, False),
    ("batch of 25 creates, durable", "", {"postgresql": 60}, False),
    ("resident memory of the cached worker", "MB", {"sqlite": 120, "postgresql": 120}, True),
    ("resident memory of the uncached worker", "MB", {"sqlite": 120, "postgresql": 120}, True),
    ("first answer of a stand-in", "ms", {"sqlite": 1000, "postgresql": 1000}, True),
)

Results = dict[str, dict[str, Any]]  # "sqlite 1000" → rows, and of which run they are


def merged(file: Path, fresh: Results) -> Results:
    """Return all results with those of a run, and keep them."""
    found: Results = orjson.loads(file.read_bytes()) if file.exists() else {}
    for place, of_run in fresh.items():
        old = found.get(place, {})
        found[place] = {**old, **of_run, "rows": {**old.get("rows", {}), **of_run["rows"]}}
    file.write_bytes(orjson.dumps(found, option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS) + b"\n")
    return found


def written(document: Path, results: Results) -> None:
    """Put the tables into the document."""
    text = document.read_text(encoding="utf-8") if document.exists() else "# Performance\n\n"
    head = text.partition(_MARK)[0].rstrip() + "\n\n"
    document.write_text(head + _MARK + "\n\n" + tables(results), encoding="utf-8")


def of_run(program: str, rows: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Return rows with the run that they are of. program: its file in this folder."""
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
    machine = f"{os.cpu_count()} cores ({_processor()}), {platform.system()} {platform.release()}"
    return {
        "rows": rows,
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "commit": commit,
        "machine": f"{machine}, Python {platform.python_version()}",
        "command": " ".join(["python", f"benchmarks/{program}", *sys.argv[1:]]),
        "load": " ".join(f"{one:.1f}" for one in os.getloadavg()),
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def tables(results: Results) -> str:
    """Return the tables as Markdown."""
    parts = ["## Against the aims", _aims(results), "## Reports of the shop", _reports(results)]
    for kind, name in _KINDS.items():
        sizes = _sizes(results, kind)
        if sizes:
            of_kind = {size: results[f"{kind} {size}"] for size in sizes}
            parts += [f"## {name}", _runs(of_kind), _main_table(of_kind), f"### Other types on {name}", _types(of_kind)]
    return "\n\n".join(parts) + "\n"


def _aims(results: Results) -> str:
    places = [(kind, name, size) for kind, name in _KINDS.items() for size in _sizes(results, kind)]
    heads = [f"{name}, {size:,}" for _, name, size in places]
    lines = [
        "Answers a second of one process, by posts of the site; in brackets what they are of their aim, **bold** where",
        f"they are short. Aims in answers a second are for an hour in which the bare server sends {_BARE_RATE:,}, and",
        "hold as shares of what it sends in others.", "",
        f"| what | aim: SQLite, PostgreSQL | {' | '.join(heads)} |", "|---|---|" + "---|" * len(places),
    ]  # fmt: skip
    for row, unit, aims, most in _AIMS:
        cells = [_aimed(results[f"{kind} {size}"]["rows"], row, unit, aims.get(kind), most) for kind, _, size in places]
        told = ", ".join(f"{aims[kind]:,}" if kind in aims else "–" for kind in _KINDS)
        bound = f"at {'most' if most else 'least'} {told}{f' {unit}' if unit else ''}" if aims else "–"
        lines.append(f"| {row} | {bound} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _aimed(rows: dict[str, Any], name: str, unit: str, aim: float | None, most: bool) -> str:
    if name not in rows:
        return "–"
    value = rows[name]["value"] if unit else rows[name]["rate"]
    text = f"{value:,.0f}{f' {unit}' if unit else ''}"
    if aim is None:
        return text
    if unit:
        return f"**{text}**" if (value > aim if most else value < aim) else text
    share = value / (aim * rows[_BARE]["rate"] / _BARE_RATE)
    return f"{text} ({share:.0%})" if share >= 1 else f"{text} (**{share:.0%}**)"


def _reports(results: Results) -> str:
    places = [(f"{_REPORTS}-{kind}", name, size) for kind, name in _KINDS.items()
              for size in _sizes(results, f"{_REPORTS}-{kind}")]  # fmt: skip
    runs = [_told(f"{name}, {size:,} orders", results[f"{place} {size}"]) for place, name, size in places]
    heads = [f"{name}, {size:,} orders" for _, name, size in places]
    lines = [*runs, "", f"| what | aim, for 1,000,000 | {' | '.join(heads)} |", "|---|---|" + "---|" * len(places)]
    names = {name: row for place, _, size in places for name, row in results[f"{place} {size}"]["rows"].items()}
    for name, said in names.items():
        rows = [results[f"{place} {size}"]["rows"].get(name) for place, _, size in places]
        lines.append(f"| {name} | {_time(said['limit'])} | {' | '.join(_timed(row) for row in rows)} |")
    return "\n".join(lines)


def _timed(row: dict[str, float] | None) -> str:
    if not row:
        return "–"
    return f"**{_time(row['value'])}**" if row["value"] > row["limit"] else _time(row["value"])


def _time(milliseconds: float) -> str:
    if milliseconds >= 10_000:
        return f"{milliseconds / 1000:,.0f} s"
    return f"{milliseconds:,.0f} ms" if milliseconds >= 10 else f"{milliseconds:.1f} ms"


def _sizes(results: Results, kind: str) -> list[int]:
    return sorted(int(place.split()[1]) for place in results if place.split()[0] == kind)


def _told(what: str, one: dict[str, Any]) -> str:
    return (
        f"- {what}: {one['date']}, commit {one['commit']}, {one['machine']}, load of the machine before: "
        f"{one['load']}; `{one['command']}`"
    )


def _runs(results: dict[int, dict[str, Any]]) -> str:
    return "\n".join(_told(f"{size:,} posts", one) for size, one in results.items())


def _head(results: dict[int, Any], first: str) -> list[str]:
    return [f"| {first} | " + " | ".join(f"{size:,} posts" for size in results) + " |", "|---|" + "---|" * len(results)]


def _main_table(results: dict[int, dict[str, Any]]) -> str:
    lines = ["Requests per second (median / 99th percentile in milliseconds):", "", *_head(results, "case")]
    for case in CASES:
        lines.append(
            f"| {case.name} | " + " | ".join(_cell(one["rows"].get(case.name)) for one in results.values()) + " |"
        )
        if case.name.startswith("search of one word"):
            cells = (_cell(one["rows"].get(FIRST_SEARCH), "ms") for one in results.values())
            lines.append(f"| {FIRST_SEARCH} | " + " | ".join(cells) + " |")
    for row, unit in (
        ("resident memory of the cached worker", "MB"),
        ("resident memory of the uncached worker", "MB"),
        ("cached, as a share of bare", "%"),
        ("first answer of a stand-in", "ms"),
    ):
        lines.append(f"| {row} | " + " | ".join(_cell(one["rows"].get(row), unit) for one in results.values()) + " |")
    return "\n".join(lines)


def _types(results: dict[int, dict[str, Any]]) -> str:
    lines = ["Requests per second, signed in, uncached (time of an answer as a multiple of a post's):", ""]
    lines += _head(results, "case")
    for case in TYPE_CASES:
        cells = []
        for one in results.values():
            row, of_posts = one["rows"].get(case.name), one["rows"].get(TYPE_CASES[case.name.endswith("one")].name)
            if not row or not of_posts:
                cells.append("–")
                continue
            times = of_posts["rate"] / row["rate"]
            cells.append(f"{row['rate']:,.0f} ({times:.1f}×{' !' if times > _WANTED_SHARE else ''})")
        lines.append(f"| {case.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(row: dict[str, float] | None, unit: str = "") -> str:
    if not row:
        return "–"
    if unit:
        return f"{row['value']:,.0f} {unit}"
    return f"{row['rate']:,.0f} ({row['median_us'] / 1000:.2f} / {row['p99_us'] / 1000:.2f})"
