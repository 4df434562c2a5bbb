"""An entry of the audit trail. Rules: docs/rules/audit.md, 1 and 3."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.core.change_source import SourceKind

SOURCES: Final = tuple(one.value for one in SourceKind)
# What an entry says was done. Beside the actions of the change log: an application password was used (once a day), a
# backup may be fetched, an address has to wait after wrong guesses at an account.
ACTIONS: Final = (
    "created", "changed", "removed", "trashed", "restored", "published", "unpublished", "used", "downloaded", "blocked",
)  # fmt: skip


class AuditEntry(msgspec.Struct, frozen=True):
    """One entry; the fields are the columns of its table.

    at: seconds since 1970. account: who did it, 0 for nobody; login: of that account at that time. source: by what it
    was signed in; credential: by which of them. kind, item: what was changed, as the change log names it. changes: of
    each member `member`, and `old` and `new` where its values are told.
    """

    id: int
    at: int
    account: int
    login: str
    source: str
    credential: str
    address: str
    agent: str
    action: str
    kind: str
    item: str
    title: str
    changes: list[dict[str, Any]]
