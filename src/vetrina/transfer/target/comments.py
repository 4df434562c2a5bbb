"""Comments of the source, with their trees, states and authors' data as they were."""

from __future__ import annotations

from typing import Any, Final
from urllib.parse import urlsplit

import msgspec

from vetrina.access.users.text_rules import sanitize_url
from vetrina.backends.id_sequences import claim_id
from vetrina.content.comments import model as comment_model, text as comment_text
from vetrina.content.comments.model import APPROVED, HOLD, NOTE, SHELVED, SPAM, TRASH, Comment
from vetrina.content.records import model as record_model
from vetrina.content.text import sanitizing

from .addresses import rewrite_addresses
from .incoming_record import IncomingRecord, RecordSkipped
from .journal import COMMENT, RECORD, USER
from .outcome import Written

_STATUSES: Final = {
    "approved": APPROVED, "approve": APPROVED, "1": APPROVED, "hold": HOLD, "0": HOLD, "": HOLD, "spam": SPAM,
    "trash": TRASH, "post-trashed": SHELVED,
}  # fmt: skip
_TYPES: Final = ("comment", NOTE, "pingback", "trackback", "review")
_KEPT_STATUS: Final = "_cms_trash_meta_status"
_NOTE_STATUS: Final = "_cms_note_status"


def write_comment(one: IncomingRecord) -> Written:
    """Write a comment. Raises ReferenceMissing, RecordSkipped."""
    work = one.work
    type = one.get_text("type") or "comment"
    if type not in _TYPES:
        raise RecordSkipped(f"there are no comments of the type {type!r}")
    post = one.require(RECORD, one.values.get("post"), "post")
    of = record_model.find_record(work.tx, post)
    if of is None:
        raise RecordSkipped(f"its record {post} is not here any more")
    old = comment_model.STORE.find(work.tx, one.target) if one.target else None
    id = old.id if old else choose_comment_id(one)
    content = rewrite_addresses(one, one.get_text("content"))
    host = urlsplit(work.origin).netloc.lower()
    work.budget.build_save_budget(content)
    date, date_gmt = one.read_dates("date") or ((old.date, old.date_gmt) if old else (work.local_now, work.now))
    new = Comment(
        id=id, post=post, parent=_resolve_parent(one, old),
        author=one.resolve(USER, one.values.get("author"), "author"),
        author_name=sanitizing.sanitize_term_name(one.get_text("author_name")),
        author_email=one.get_text("author_email"),
        author_url=sanitize_url(rewrite_addresses(one, one.get_text("author_url"))),
        author_ip=one.get_text("author_ip"),
        author_user_agent=sanitizing.sanitize_plain_text(one.get_text("author_user_agent")),
        date=date, date_gmt=date_gmt, content=content,
        content_html=comment_text.render_comment(content, host, work.option("use_smilies")),
        type=type, meta=_select_meta(one), **choose_comment_status(one, of.status == "trash"),
    )  # fmt: skip
    if old is None:
        new = msgspec.structs.replace(new, id=claim_id(work.tx, id, "comment"))
        comment_model.STORE.insert(work.tx, new)
        work.note("comment", new.id, "created")
    elif comment_model.STORE.update(work.tx, old, new):
        work.note("comment", new.id, "changed")
    return Written(new.id)


def _resolve_parent(one: IncomingRecord, old: Comment | None) -> int:
    """Return the comment here that it answers; 0 where it would answer itself."""
    above = found = one.resolve(COMMENT, one.values.get("parent"), "parent")
    passed: set[int] = set()
    while old is not None and above and above not in passed:
        if above == old.id:
            return 0
        passed.add(above)
        comment = comment_model.STORE.find(one.work.tx, above)
        above = comment.parent if comment else 0
    return found


def choose_comment_id(one: IncomingRecord) -> int:
    """Return the source's id where it is to be kept and is free here, else 0."""
    return one.choose_id(lambda id: comment_model.STORE.find(one.work.tx, id) is not None)


def choose_comment_status(one: IncomingRecord, with_trashed: bool) -> dict[str, Any]:
    """Return the states of a comment. with_trashed: whether its record is in the trash."""
    status = _STATUSES.get(one.get_text("status"), HOLD)
    kept = shelved = ""
    if status in (SPAM, TRASH):
        before = _STATUSES.get(str(one.meta.get(_KEPT_STATUS, "0")), HOLD)
        kept = before if before in (APPROVED, HOLD) else HOLD
    if with_trashed:
        shelved, status = (APPROVED if status == SHELVED else status), SHELVED
    elif status == SHELVED:
        status = APPROVED
    return {"status": status, "kept_status": kept, "shelved_status": shelved}


def _select_meta(one: IncomingRecord) -> dict[str, Any]:
    found = one.meta.get(_NOTE_STATUS)
    return {_NOTE_STATUS: found} if found in ("resolved", "reopen") else {}
