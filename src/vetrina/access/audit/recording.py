"""What of a transaction is worth an entry of the audit trail, and what the entry says.

Called before the commit of every transaction that logged changes, so that an entry is there with its change or not at
all. What a change log entry does not say, rules tell with `UnitOfWork.describe`. Not here: reading
(access/audit/listing.py). Rules: docs/rules/audit.md, 1, 2 and 3.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.audit import store
from vetrina.access.audit.model import AuditEntry
from vetrina.backends.database import Transaction
from vetrina.core.change_source import ChangeNote, ChangeSource, SourceKind, Told, shorten_text, shorten_value
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

# Of all that happened to an item in a transaction, the first of these that is worth an entry says it.
_RANKS: Final = (
    "removed", "trashed", "restored", "downloaded", "created", "published", "unpublished", "changed",
)  # fmt: skip
# Worth an entry whatever it is about, but for what follows by itself from something else and is nobody's loss.
_REMOVALS: Final = frozenset({"removed", "trashed", "restored", "downloaded"})
_PUBLISHING: Final = frozenset({"published", "unpublished"})
_UPKEEP: Final = frozenset({"revision", "feed", "mail", "string"})
_JOB_STATE: Final = frozenset({"option", "mlang_setting", "connector"})  # where jobs keep how far they are
_WHOLE_KIND: Final = ("", "0")  # items that stand for all of a kind: its cached copies are stale
_NO_NOTE: Final = ChangeNote()


def is_kept(site: SiteContext) -> bool:
    """Return whether the site keeps an audit trail."""
    return site.profile.accounts.audit_days > 0


def record_changes(work: UnitOfWork) -> None:
    """Write the entries of a transaction: one for each thing that was changed."""
    if not work.changes or not is_kept(work.site):
        return
    done: dict[tuple[str, str], set[str]] = {}
    for kind, item, action in work.changes:
        if item not in _WHOLE_KIND:
            done.setdefault((kind, item), set()).add(action)
    entries = []
    for (kind, item), actions in done.items():
        note = work.notes.get((kind, item), _NO_NOTE)
        actions.add(note.event)
        for action in _RANKS:
            if action in actions and _is_worth_entry(work, kind, action, note):
                entries.append(_build_entry(work, kind, item, action, note))
                break
    store.insert_entries(work.tx, entries)


def record_event(
    tx: Transaction, at: int, user: User, source: ChangeSource, kind: str, item: object, action: str, title: str = ""
) -> None:
    """Write an entry where there is no unit of work: while somebody signs in. The caller asks `is_kept`."""
    entry = AuditEntry(0, at, user.id, user.login, *source, action, kind, str(item), shorten_text(title), [])
    store.insert_entries(tx, [entry])


def _is_worth_entry(work: UnitOfWork, kind: str, action: str, note: ChangeNote) -> bool:
    if note.hidden:
        return False
    source = work.source.kind
    if action in _REMOVALS:
        return kind not in _UPKEEP
    if action in _PUBLISHING:
        # An import says so itself; what it brings was published elsewhere.
        return source is not SourceKind.IMPORT
    if kind in _JOB_STATE and source is SourceKind.JOB:
        return False
    return bool(note.members) or any(kind in module.audited_kinds for module in work.site.modules)


def _build_entry(work: UnitOfWork, kind: str, item: str, action: str, note: ChangeNote) -> AuditEntry:
    user = work.user
    account, login = (user.id, user.login) if user else (note.account, note.login)
    return AuditEntry(
        0, work.now, account, login, *work.source, action, kind, item, shorten_text(note.title),
        [_describe_member(name, told) for name, told in note.members.items()],
    )  # fmt: skip


def _describe_member(name: str, told: Told | None) -> dict[str, Any]:
    if told is None:
        return {"member": name}
    return {"member": name, "old": shorten_value(told.old), "new": shorten_value(told.new)}
