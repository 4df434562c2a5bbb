"""Feeds of other sites: requested when a text that names one is stored, fetched in the background.

Page views never wait for another site: a block shows what was last fetched. A feed is fetched twice a day while a text
names its server, and deleted when none does. Not here: parsing (content/feeds/parsing.py), the block
(content/blocks/feed_block.py), which servers may be called (backends/http_client.py).
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
from vetrina.backends.http_client import OutboundClient
from vetrina.backends.http_client_urls import OutboundAddressRefused, OutboundError, parse_target
from vetrina.backends.statement_cache import ContainsText
from vetrina.backends.tables.feeds import feed as table
from vetrina.backends.tables.options import widget
from vetrina.backends.tables.records import record
from vetrina.content.blocks.grammar import Block, parse_blocks
from vetrina.content.feeds.parsing import FeedEntry, InvalidFeed, parse_feed
from vetrina.core.unit_of_work import UnitOfWork

FETCH_FEED_JOB: Final = "content.feed"  # the kind of the job
_BLOCK: Final = "core/rss"
_REFRESH_SECONDS: Final = 12 * 3600  # seconds between two fetches of a feed
_FIRST_RETRY_SECONDS: Final = 300  # seconds after a failure; each further one waits four times as long
_MAX_URL_LENGTH: Final = 1000  # characters of a URL
_MAX_FEEDS_PER_TEXT: Final = 20  # feeds per text
_MAX_FEEDS_PER_SWEEP: Final = 100  # feeds that one run of the periodic job enqueues
_MAX_FEED_BYTES: Final = 2 << 20

_BY_ADDRESS = Statement(select(table).where(table.c.address == bindparam("address")))
_INSERT = Statement(insert(table).values({column.name: bindparam(column.name) for column in table.c}))
_UPDATE_FEED = Statement(
    update(table)
    .where(table.c.address == bindparam("of"))
    .values({name: bindparam(name) for name in ("entries", "read", "due", "failures")})
)
_DELETE_FEED = Statement(delete(table).where(table.c.address == bindparam("address")))
_SELECT_DUE = Statement(
    select(table.c.address).where(table.c.due <= bindparam("now")).order_by(table.c.due).limit(bindparam("most"))
)
_IN_TEXTS = Statement(select(record.c.id).where(ContainsText(record.c.content, "host")).limit(1))
_IN_WIDGETS = Statement(select(widget.c.id).where(ContainsText(widget.c.settings, "host")).limit(1))


class Feed(msgspec.Struct, frozen=True):
    """A stored feed. read: when it was last fetched, in seconds since 1970, 0 for never."""

    entries: list[FeedEntry]
    read: int
    failures: int


def find_feed(work: UnitOfWork, address: str) -> Feed | None:
    """Return a feed as last fetched, None where it was never requested."""
    work.uses("feed")
    row = work.tx.first(_BY_ADDRESS, address=address)
    return Feed(msgspec.json.decode(row[1], type=list[FeedEntry]), row[2], row[4]) if row is not None else None


def request_feeds(work: UnitOfWork, raw: str) -> None:
    """Enqueue the feeds of a text that were never requested."""
    if "wp:rss" not in raw:
        return
    for address in list(dict.fromkeys(_list_feed_urls(parse_blocks(raw))))[:_MAX_FEEDS_PER_TEXT]:
        request_feed(work, address)


def request_feed(work: UnitOfWork, address: str) -> None:
    """Enqueue a feed that was never requested; a URL that cannot be one is ignored."""
    if is_fetchable(address) and work.tx.first(_BY_ADDRESS, address=address) is None:
        work.tx.run(_INSERT, address=address, entries="[]", read=0, due=work.now, failures=0)
        _enqueue_fetch(work, address)


def is_fetchable(address: str) -> bool:
    """Return whether a URL is one that this server might fetch."""
    try:
        parse_target(address)
    except OutboundAddressRefused:
        return False
    return len(address) <= _MAX_URL_LENGTH


def fetch_entries(outbound: OutboundClient, address: str) -> list[FeedEntry] | None:
    """Fetch a feed and return its entries; None on failure."""
    try:
        reply = outbound.get(
            address, accept="application/rss+xml, application/atom+xml, text/xml", most_bytes=_MAX_FEED_BYTES
        )
        return parse_feed(reply.body, reply.url) if reply.status == 200 else None
    except (OutboundError, InvalidFeed):
        return None


def prepare_first_fetch(work: UnitOfWork, address: str) -> Callable[[], Feed] | None:
    """Return the call that fetches a feed for the first time; None where there is nothing to fetch."""
    known = find_feed(work, address)
    if (known is not None and known.read) or not is_fetchable(address):
        return None
    outbound = work.site.outbound

    def ask() -> Feed:
        found = fetch_entries(outbound, address)
        return Feed(found or [], work.now, 0 if found is not None else 1)

    return ask


# -- in the background


def enqueue_due_feeds(work: UnitOfWork) -> None:
    """Enqueue the feeds that are due."""
    for (address,) in work.tx.all(_SELECT_DUE, now=work.now, most=_MAX_FEEDS_PER_SWEEP):
        _enqueue_fetch(work, address)


def prepare_fetch(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], Any] | None:
    """Return the call that fetches a feed, or one that reports that no text names its server any more."""
    address = str(arguments["address"])
    if work.tx.first(_BY_ADDRESS, address=address) is None:
        return None
    host = urlsplit(address).hostname or address
    named = work.tx.first(_IN_TEXTS, host=host) or work.tx.first(_IN_WIDGETS, host=host)
    return partial(fetch_entries, work.site.outbound, address) if named else _report_forgotten


def save_fetched_feed(work: UnitOfWork, arguments: Mapping[str, Any], fetched: list[FeedEntry] | str | None) -> None:
    """Store the fetched entries; after a failure, the old ones."""
    address = str(arguments["address"])
    if isinstance(fetched, str):
        work.tx.run(_DELETE_FEED, address=address)
        return
    before = find_feed(work, address)
    if before is None:
        return
    failures = before.failures + 1 if fetched is None else 0
    entries = before.entries if fetched is None else fetched
    wait = min(_REFRESH_SECONDS, _FIRST_RETRY_SECONDS * 4 ** min(failures - 1, 8)) if failures else _REFRESH_SECONDS
    work.tx.run(
        _UPDATE_FEED,
        of=address,
        entries=msgspec.json.encode(entries).decode(),
        read=before.read if fetched is None else work.now,
        due=work.now + wait,
        failures=failures,
    )
    if entries != before.entries or bool(failures) != bool(before.failures) or not before.read:
        work.note("feed", hashlib.sha256(address.encode()).hexdigest()[:16], "changed")


def _report_forgotten() -> str:
    return "forgotten"


def _enqueue_fetch(work: UnitOfWork, address: str) -> None:
    job_queue.enqueue_missing_job(
        work.tx, FETCH_FEED_JOB, {"address": address}, due=work.now, now=work.now, key=f"{FETCH_FEED_JOB} {address}"
    )


def _list_feed_urls(parts: list[str | Block]) -> list[str]:
    """Return the URLs of the feed blocks among some blocks, nested ones included."""
    out: list[str] = []
    pending = [part for part in reversed(parts) if isinstance(part, Block)]
    while pending:
        block = pending.pop()
        address = block.attributes.get("feedURL") if block.name == _BLOCK else None
        if isinstance(address, str) and address:
            out.append(address)
        pending += reversed(list(block.inner))
    return out
