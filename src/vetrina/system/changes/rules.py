"""What the change feed tells of the change log: which rows follow a cursor, and whose they are.

A row is told to those who may read its thing now. To others it is told as removed, once, where the log holds that the
public could see the thing before; and to those who run the part of the site that it was of, whoever could see it. Rows
of secrets, mails and other workings of the site are told to nobody.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

import orjson

from vetrina.backends import change_log
from vetrina.backends.change_log import LoggedChange
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure

# Things without an address of their own, which answers are made from; for administrators.
SITE_KINDS: Final = frozenset({
    "option", "theme", "widget", "string", "feed", "mlang_setting", "mlang_configuration", "tax_class", "tax_rate",
    "shipping", "product_attribute",
})  # fmt: skip

Change: TypeAlias = LoggedChange


class ChangesGone(ApiError):
    """The log does not reach back to the cursor, or has never reached it: the database was replaced."""

    failure, code = Failure.GONE, "rest_changes_gone"
    message = (
        "The changes after {since} are not kept. "
        "Ask without `since`, read everything again, and go on from the `next` of that answer."
    )


class ChangePage(NamedTuple):
    """Rows of the log after a cursor. next: the cursor after them. more: whether further rows may follow now."""

    rows: list[Change]
    next: int
    more: bool


def list_followed_paths(site: SiteContext) -> Mapping[str, tuple[str, ...]]:
    """Return the collections in which a kind of the log is looked for, by kind."""
    found: dict[str, tuple[str, ...]] = {name: (type.path,) for name, type in site.types.items()}
    found |= {name: (taxonomy.path,) for name, taxonomy in site.taxonomies.items()}
    found |= {"comment": ("/cms/v2/comments",), "user": ("/cms/v2/users",)}
    for module in site.modules:
        found |= module.followed_paths
    return MappingProxyType(found)


def list_removal_rights(site: SiteContext) -> Mapping[str, str]:
    """Return the right of those who are told of everything that leaves, by kind."""
    return MappingProxyType({kind: right for module in site.modules for kind, right in module.removal_rights.items()})


def list_page(work: UnitOfWork, since: int | None, most: int) -> ChangePage:
    """Return the changes after a cursor, none without one. Raises ChangesGone."""
    latest = change_log.get_latest_sequence(work.tx)
    if since is None:
        return ChangePage([], latest, False)
    if since > latest or since < change_log.get_oldest_sequence(work.tx) - 1:
        raise ChangesGone(since=since)
    rows = change_log.list_changes_after(work.tx, since, most)
    after = rows[-1].sequence if rows else since
    return ChangePage(rows, after, after < latest)


def get_number(row: Change) -> int:
    """Return the id of the thing that a change is about, 0 where it has none."""
    return int(row.item) if row.item.isascii() and row.item.isdigit() else 0


def read_before(work: UnitOfWork, row: Change) -> Mapping[str, Any]:
    """Return what the public could see before a change, its link as the caller knows the site; empty for nothing."""
    if not row.before:
        return {}
    before: dict[str, Any] = orjson.loads(row.before)
    if "link" in before:
        before["link"] = work.origin + before["link"]
    return before
