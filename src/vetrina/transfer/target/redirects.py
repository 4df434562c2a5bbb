"""Redirects of the source: those that somebody wrote, and former addresses of records that came."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import msgspec

from vetrina.content.redirects import paths, rules as redirects, store
from vetrina.content.redirects.store import Redirect

from .incoming_record import IncomingRecord, RecordSkipped
from .journal import RECORD
from .member_values import read_flag, read_number, read_text
from .outcome import Written

_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "source": read_text, "target": read_text, "status": read_number, "language": read_text, "active": read_flag,
}  # fmt: skip


def write_redirect(one: IncomingRecord) -> Written:
    """Write a redirect. Raises ReferenceMissing, RecordSkipped, and what writing a redirect raises."""
    work = one.work
    given = {name: read(one.values[name]) for name, read in _READERS.items() if name in one.values}
    old = store.find_redirect(work, one.target) if one.target else None
    if one.values.get("record"):
        new = old or _insert_former_address(one, given)
    elif old is not None:
        new = redirects.update_redirect(work, old, given)
    else:
        new = redirects.create_redirect(work, given)
    _, created = one.read_dates("date") or (0, new.created)
    _, modified = one.read_dates("modified") or (0, new.modified)
    _, last_hit = one.read_dates("last_hit") or (0, None)
    store.STORE.update(
        work.tx, new,
        msgspec.structs.replace(
            new, hits=one.get_number("hits"), last_hit=last_hit, created=created, modified=modified
        ),
    )  # fmt: skip
    return Written(new.id)


def _insert_former_address(one: IncomingRecord, given: dict[str, Any]) -> Redirect:
    """Store the former address of a record, whose present one it follows."""
    work = one.work
    record = one.require(RECORD, one.values["record"], "record")
    try:
        place = paths.parse_source(
            str(given.get("source", "")), str(given.get("language", "")), work.site.profile.languages, work.origin
        )
    except paths.InvalidPath as error:
        raise RecordSkipped(str(error)) from None
    found = store.find_by_source(work, place)
    return found or store.insert_redirect(
        work, place, target="", record=record, status=one.get_number("status"), active=bool(given.get("active", True)),
        origin=one.get_text("origin"),
    )  # fmt: skip
