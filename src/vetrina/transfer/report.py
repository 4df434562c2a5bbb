"""The report of an import: what came, what did not and why, as text and as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

_MAX_EXAMPLES: Final = 5  # ids that are named for a reason in the text, and lines that differ in names only
_MAX_LOGINS: Final = 50  # that are named in the text
_MAX_REFUSALS: Final = 100_000  # refused records that are named one by one; the others are counted
_NAME: Final = re.compile(r"""'[^']*'|"[^"]*"|\d+""")


@dataclass
class ResourceReport:
    """What became of the records of one collection. found: those that were here before, under the same name."""

    created: int = 0
    updated: int = 0
    unchanged: int = 0
    found: int = 0
    skipped: int = 0


@dataclass
class ImportReport:
    """What an import did.

    seconds: how long it took. finished: whether it came to its end. dry_run: whether nothing was written. refusals:
    (collection, id, reason) of records that did not come. left_out: collections that none came of, with the reason.
    cut_short: those that could not be read to their end, with the reason. notes: what is worth knowing, with how many
    records it concerns. resets: logins of new accounts, which have no password.
    """

    title: str = ""
    dry_run: bool = False
    keep_ids: bool = True
    seconds: float = 0.0
    finished: bool = False
    resources: dict[str, ResourceReport] = field(default_factory=dict)
    refusals: list[tuple[str, int | str, str]] = field(default_factory=list)
    left_out: dict[str, str] = field(default_factory=dict)
    cut_short: dict[str, str] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    resets: list[str] = field(default_factory=list)

    def get_resource(self, resource: str) -> ResourceReport:
        """Return the counts of a collection."""
        return self.resources.setdefault(resource, ResourceReport())

    def refuse(self, resource: str, id: int | str, reason: str) -> None:
        """Count a record that did not come."""
        self.get_resource(resource).skipped += 1
        if len(self.refusals) < _MAX_REFUSALS:
            self.refusals.append((resource, id, reason))

    def count_written(self, resource: str, adopted: bool, is_new: bool) -> None:
        """Count a record that came. adopted: whether it was here before. is_new: whether no earlier run brought it."""
        counts = self.get_resource(resource)
        if adopted:
            counts.found += 1
        elif is_new:
            counts.created += 1
        else:
            counts.updated += 1

    def take_notes(self, notes: Counter[str], resets: list[str]) -> None:
        """Add what is worth knowing of a record."""
        self.notes.update(notes)
        self.resets += resets

    def to_json(self) -> dict[str, Any]:
        """Return the report as it is written to a file."""
        return {
            "title": self.title,
            "dry_run": self.dry_run,
            "finished": self.finished,
            "ids": "kept" if self.keep_ids else "mapped",
            "seconds": round(self.seconds, 1),
            "resources": {name: vars(one) for name, one in self.resources.items()},
            "skipped": [{"resource": where, "id": id, "reason": reason} for where, id, reason in self.refusals],
            "left_out": self.left_out,
            "cut_short": self.cut_short,
            "notes": [{"text": text, "records": count} for text, count in self.notes.items()],
            "accounts_without_password": self.resets,
        }

    def to_text(self) -> str:
        """Return the report as a terminal shows it."""
        lines = _format_rows(
            [
                ("", "created", "updated", "unchanged", "found", "skipped"),
                *((name, *(f"{n:,}" for n in vars(one).values())) for name, one in self.resources.items()),
            ]
        )
        if self.resets:
            lines += [
                "",
                f"{_count(len(self.resets), 'new account')} without a password; each sets one by a reset link:",
            ]
            more = len(self.resets) - _MAX_LOGINS
            lines.append(f"  {', '.join(self.resets[:_MAX_LOGINS])}" + (f" and {more:,} more" if more > 0 else ""))
        if self.notes:
            lines += ["", "Worth knowing:"]
            lines += _sum_up(
                (text, count, f"{text} ({_count(count, 'record')})") for text, count in self.notes.most_common()
            )
        if self.refusals:
            lines += ["", "Did not come:"]
            lines += self._describe_refusals()
        if self.left_out:
            lines += ["", "Left out:"]
            lines += [f"  {resource}: {reason}" for resource, reason in self.left_out.items()]
        if self.cut_short:
            lines += ["", "Not read to the end; the next run asks again:"]
            lines += [f"  {reason}" for reason in self.cut_short.values()]
        return "\n".join(lines)

    def _describe_refusals(self) -> list[str]:
        """Return a line for each reason, with the first ids that it holds for."""
        by_reason: dict[tuple[str, str], list[int | str]] = {}
        for where, id, reason in self.refusals:
            by_reason.setdefault((where, reason), []).append(id)
        lines = []
        for (where, reason), ids in by_reason.items():
            named = ", ".join(map(str, ids[:_MAX_EXAMPLES])) + (" …" if len(ids) > _MAX_EXAMPLES else "")
            line = f"{where} {named}: {reason}" + (f" ({len(ids):,} records)" if len(ids) > 1 else "")
            lines.append((f"{where}: {reason}", len(ids), line))
        unnamed = sum(one.skipped for one in self.resources.values()) - len(self.refusals)
        return [*_sum_up(lines), *([f"  … and {_count(unnamed, 'record')} more"] if unnamed > 0 else [])]


def _sum_up(found: Iterable[tuple[str, int, str]]) -> list[str]:
    """Return lines, of those that differ in names or numbers only the first ones and how many more there are.

    found: of each line what it says, of how many records, and how it is written.
    """
    by_kind: dict[str, list[tuple[int, str]]] = {}
    for text, count, line in found:
        by_kind.setdefault(_NAME.sub("…", text), []).append((count, line))
    lines = []
    for kind in by_kind.values():
        lines += [f"  {line}" for _, line in kind[:_MAX_EXAMPLES]]
        if others := kind[_MAX_EXAMPLES:]:
            records = _count(sum(count for count, _ in others), "record")
            lines.append(f"  … and {len(others):,} more like it ({records}); --report FILE.json names them all")
    return lines


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _format_rows(rows: list[tuple[str, ...]]) -> list[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return [
        "  ".join([row[0].ljust(widths[0]), *(row[at].rjust(widths[at]) for at in range(1, len(row)))]) for row in rows
    ]
