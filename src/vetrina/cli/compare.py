"""`vetrina compare`: what two sites, or exports of them, have in common, and in what they differ."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import click
import orjson

from vetrina.cli.text_tables import format_table
from vetrina.transfer.compare.comparison import CollectionTotals, RecordDifference, Side, SourceComparison
from vetrina.transfer.records import SkippedRecord, SourceError

from .backup import ThrottledProgress, progress_option
from .source_access import add_credential_options, add_pace_options, open_source, read_credentials, tell_skipped

_CANNOT_READ: Final = 2  # exit status; 1 is what differs
_DIFFERENT: Final = 1


@click.command("compare")
@click.argument("a")
@click.argument("b")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object instead of tables.")
@click.option(
    "--only", multiple=True, metavar="PATH",
    help="Compare only the collections whose paths begin so, as /shop/v3/orders; may be repeated.",
)  # fmt: skip
@click.option("--modified", is_flag=True, help="Compare the times of the last changes, too.")
@click.option(
    "--limit", type=click.IntRange(0), default=20, show_default=True, metavar="NUMBER",
    help="How many differences of a collection are told; all are counted.",
)  # fmt: skip
@add_pace_options
@add_credential_options("a")
@add_credential_options("b")
@progress_option
def command(
    a: str,
    b: str,
    as_json: bool,
    only: tuple[str, ...],
    modified: bool,
    limit: int,
    a_login: str | None,
    a_auth_file: Path | None,
    b_login: str | None,
    b_auth_file: Path | None,
    allow_private: bool,
    parallel: int,
    rate: float,
    progress: bool | None,
) -> None:
    """Compare A with B, each the address of a site or the folder of an export.

    Compared are the records of all collections, settings and the totals of the shop's reports, but not what must
    differ: links, addresses of the site, times of changes. Ends with 0 where both agree, 1 where they differ, 2 where
    one can't be read.
    """
    skipped: list[SkippedRecord] = []

    def report(one: SkippedRecord) -> None:
        skipped.append(one)
        tell_skipped(one)

    show = ThrottledProgress(progress)

    def tell(resource: str, side: Side, done: int) -> None:
        show(f"{resource}, {side.upper()}: {done}")

    words: dict[str, Any] = {
        "allow_private": allow_private, "parallel": parallel, "rate": rate, "report_skipped": report
    }  # fmt: skip
    credentials = read_credentials("a", a_login, a_auth_file), read_credentials("b", b_login, b_auth_file)
    try:
        comparison = SourceComparison(
            open_source(a, credentials[0], **words), open_source(b, credentials[1], **words), only=only,
            change_times=modified, tell=tell,
        )  # fmt: skip
        differences = _select_first(comparison.run(), limit)
    except SourceError as error:
        click.echo(f"Error: {error}", err=True)
        sys.exit(_CANNOT_READ)
    show.finish()
    agrees = comparison.agrees and not skipped
    if as_json:
        click.echo(_write_json(agrees, comparison, differences, skipped))
    else:
        click.echo(_write_text(agrees, comparison, differences, len(skipped)))
    sys.exit(0 if agrees else _DIFFERENT)


def _select_first(found: Iterable[RecordDifference], limit: int) -> list[RecordDifference]:
    """Return the first differences of each collection; all are read, since they are counted."""
    told: dict[str, int] = {}
    chosen = []
    for one in found:
        told[one.resource] = told.get(one.resource, 0) + 1
        if told[one.resource] <= limit:
            chosen.append(one)
    return chosen


def _write_text(agrees: bool, comparison: SourceComparison, differences: list[RecordDifference], skipped: int) -> str:
    rows = [
        (one.resource, *(str(number) if number else "" for number in _count(one)))
        for one in comparison.totals
        if any(_count(one))
    ]
    parts = [format_table(("collection", "same", "differing", "only in A", "only in B"), rows)]
    if differences:
        lines = [line for one in differences for line in _list_lines(one)]
        parts.append(format_table(("record", "member", "A", "B"), lines))
    for one in comparison.totals:
        for side in ("a", "b"):
            if one.one_sided[side]:
                parts.append(f"only {side.upper()} has, of {one.resource}: {', '.join(sorted(one.one_sided[side]))}")
        if one.not_compared:
            parts.append(f"{one.resource} was not compared: {one.not_compared}")
    if comparison.shown_by_neither:
        parts.append(f"neither A nor B shows: {', '.join(comparison.shown_by_neither)}")
    if skipped:
        parts.append(f"{skipped} records could not be read.")
    parts.append("Both agree." if agrees else "They differ.")
    return "\n\n".join(parts)


def _count(one: CollectionTotals) -> tuple[int, int, int, int]:
    return one.same, one.differing, one.only_a, one.only_b


def _list_lines(one: RecordDifference) -> list[tuple[str, str, str, str]]:
    id = f"{one.a}" if one.a == one.b or not one.b else f"{one.b}" if not one.a else f"{one.a}/{one.b}"
    name = f"{one.resource} {id}" + (f" {one.label}" if one.label not in ("", id) else "")
    if one.only:
        return [(name, f"only in {one.only.upper()}", "", "")]
    first, *others = one.members
    return [(name, first.member, first.a, first.b), *(("", more.member, more.a, more.b) for more in others)]


def _write_json(
    agrees: bool, comparison: SourceComparison, differences: list[RecordDifference], skipped: list[SkippedRecord]
) -> str:
    value = {
        "agrees": agrees,
        "collections": [
            {
                "path": one.resource,
                "same": one.same,
                "differing": one.differing,
                "only_a": one.only_a,
                "only_b": one.only_b,
                "members_only_a": sorted(one.one_sided["a"]),
                "members_only_b": sorted(one.one_sided["b"]),
                "not_compared": one.not_compared,
            }
            for one in comparison.totals
        ],
        "shown_by_neither": comparison.shown_by_neither,
        "differences": [
            {**one._asdict(), "members": [member._asdict() for member in one.members]} for one in differences
        ],
        "skipped": [
            {"path": one.resource, "id": one.id, "position": one.position, "reason": one.reason} for one in skipped
        ],
    }
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
