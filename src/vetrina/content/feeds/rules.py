"""Feeds of other sites that blocks show: asked for when a text that names one is stored, read in the background.

Who reads a page never waits for another site: a block shows what was last read. A feed is read again twice a day while
a text names its server, and forgotten when none does. Not here: its grammar (content/feeds/parsing.py), its block
(content/blocks/feed_block.py), where this server goes at all (backends/http_client.py).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import bindparam, delete, insert, select, update

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.http_client import AddressRefused, Outbound, OutboundError, checked_address
from vetrina.backends.statement_cache import Contains
from vetrina.backends.tables.core import record, widget
from vetrina.backends.tables.feeds import feed as table
from vetrina.content.blocks.grammar import Block, parse
from vetrina.content.feeds.parsing import Entry, NoFeed, entries_of
from vetrina.core.unit_of_work import Work

__all__ = ["FETCH", "Feed", "by_address", "fetched", "keep", "may_be_asked", "read_now", "sweep", "to_fetch", "wanted",
           "wanted_of"]  # fmt: skip

FETCH: Final = "content.feed"  # kind of the job
_BLOCK: Final = "core/rss"
_AGAIN: Final = 12 * 3600  # seconds after which a feed is read again
_FIRST_WAIT: Final = 300  # seconds after a failure; each further one waits four times as long
_LONGEST: Final = 1000  # signs of an address
_MOST: Final = 20  # feeds of one text
_AT_ONCE: Final = 100  # feeds that a sweep asks for
_BYTES: Final = 2 << 20

_BY_ADDRESS = Statement(select(table).where(table.c.address == bindparam("address")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_KEEP = Statement(
    update(table)
    .where(table.c.address == bindparam("of"))
    .values({name: bindparam(name) for name in ("entries", "read", "due", "failures")})
)
_FORGET = Statement(delete(table).where(table.c.address == bindparam("address")))
_DUE = Statement(
    select(table.c.address).where(table.c.due <= bindparam("now")).order_by(table.c.due).limit(bindparam("most"))
)
_IN_TEXTS = Statement(select(record.c.id).where(Contains(record.c.content, "host")).limit(1))
_IN_WIDGETS = Statement(select(widget.c.id).where(Contains(widget.c.settings, "host")).limit(1))


class Feed(msgspec.Struct, frozen=True):
    """What is known of a feed. read: when it was last, in seconds since 1970, 0 for never."""

    entries: list[Entry]
    read: int
    failures: int


def by_address(work: Work, address: str) -> Feed | None:
    """Return what was last read of a feed, None where nobody asked for it yet."""
    work.uses("feed")
    row = work.tx.first(_BY_ADDRESS, address=address)
    return Feed(msgspec.json.decode(row[1], type=list[Entry]), row[2], row[4]) if row is not None else None


def wanted(work: Work, raw: str) -> None:
    """Have the feeds read that a text shows, those of which nothing is known yet."""
    if "wp:rss" not in raw:
        return
    for address in list(dict.fromkeys(_addresses(parse(raw))))[:_MOST]:
        wanted_of(work, address)


def wanted_of(work: Work, address: str) -> None:
    """Have a feed read of which nothing is known yet; an address where none can be is passed over."""
    if may_be_asked(address) and work.tx.first(_BY_ADDRESS, address=address) is None:
        work.tx.run(_INSERT, address=address, entries="[]", read=0, due=work.now, failures=0)
        _put(work, address)


def may_be_asked(address: str) -> bool:
    """Say whether an address is one that this server might go to."""
    try:
        checked_address(address)
    except AddressRefused:
        return False
    return len(address) <= _LONGEST


def fetched(outbound: Outbound, address: str) -> list[Entry] | None:
    """Ask for a feed and return its entries; None where there is none to be had."""
    try:
        reply = outbound.get(address, accept="application/rss+xml, application/atom+xml, text/xml", most_bytes=_BYTES)
        return entries_of(reply.body, reply.url) if reply.status == 200 else None
    except (OutboundError, NoFeed):
        return None


def read_now(work: Work, address: str) -> Callable[[], Feed] | None:
    """Return the call that reads a feed of which nothing was read yet; None where there is nothing to ask."""
    known = by_address(work, address)
    if (known is not None and known.read) or not may_be_asked(address):
        return None
    outbound = work.frame.outbound

    def ask() -> Feed:
        found = fetched(outbound, address)
        return Feed(found or [], work.now, 0 if found is not None else 1)

    return ask


# -- in the background


def sweep(work: Work) -> None:
    """Have the feeds read again whose time has come."""
    for (address,) in work.tx.all(_DUE, now=work.now, most=_AT_ONCE):
        _put(work, address)


def to_fetch(work: Work, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that asks for a feed, or one that says that no text names its server any more."""
    address = str(arguments["address"])
    if work.tx.first(_BY_ADDRESS, address=address) is None:
        return None
    host = urlsplit(address).hostname or address
    named = work.tx.first(_IN_TEXTS, host=host) or work.tx.first(_IN_WIDGETS, host=host)
    return partial(fetched, work.frame.outbound, address) if named else _forgotten


def keep(work: Work, arguments: Mapping[str, Any], found: list[Entry] | str | None) -> None:
    """Keep what was read; after a failure, what was known before."""
    address = str(arguments["address"])
    if isinstance(found, str):
        work.tx.run(_FORGET, address=address)
        return
    before = by_address(work, address)
    if before is None:
        return
    failures = before.failures + 1 if found is None else 0
    entries = before.entries if found is None else found
    wait = min(_AGAIN, _FIRST_WAIT * 4 ** min(failures - 1, 8)) if failures else _AGAIN
    work.tx.run(
        _KEEP,
        of=address,
        entries=msgspec.json.encode(entries).decode(),
        read=before.read if found is None else work.now,
        due=work.now + wait,
        failures=failures,
    )
    if entries != before.entries or bool(failures) != bool(before.failures) or not before.read:
        work.note("feed", hashlib.sha256(address.encode()).hexdigest()[:16], "changed")


def _forgotten() -> str:
    return "forgotten"


def _put(work: Work, address: str) -> None:
    job_queue.bring_forward(work.tx, FETCH, {"address": address}, due=work.now, now=work.now, key=f"{FETCH} {address}")


def _addresses(parts: list[str | Block]) -> list[str]:
    """Return the addresses of the feed blocks among some blocks, those inside others too."""
    out: list[str] = []
    pending = [part for part in reversed(parts) if isinstance(part, Block)]
    while pending:
        block = pending.pop()
        address = block.attributes.get("feedURL") if block.name == _BLOCK else None
        if isinstance(address, str) and address:
            out.append(address)
        pending += reversed(list(block.inner))
    return out
