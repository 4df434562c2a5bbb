"""The tables of docs/performance.md, from what the runs measured; each run replaces its own part only.

Not here: how it is measured (run.py). What stands above the tables is written by hand and stays.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
from cases import CASES, FIRST_SEARCH, TYPE_CASES

__all__ = ["merged", "written"]

_MARK = "<!-- measured: what follows is written by `make bench` -->"
_KINDS = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_WANTED_SHARE = 1.5  # how much longer another type's answer may take than a post's

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


def tables(results: Results) -> str:
    """Return the tables as Markdown."""
    parts = []
    for kind, name in _KINDS.items():
        sizes = sorted(int(place.split()[1]) for place in results if place.split()[0] == kind)
        if sizes:
            of_kind = {size: results[f"{kind} {size}"] for size in sizes}
            parts += [f"## {name}", _runs(of_kind), _main_table(of_kind), f"### Other types on {name}", _types(of_kind)]
    return "\n\n".join(parts) + "\n"


def _runs(results: dict[int, dict[str, Any]]) -> str:
    lines = [
        f"- {size:,} posts: {one['date']}, commit {one['commit']}, {one['machine']}, load of the machine before: "
        f"{one['load']}; `{one['command']}`"
        for size, one in results.items()
    ]
    return "\n".join(lines)


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
