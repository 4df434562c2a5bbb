"""Rules of comments and notes: create, change, moderate, delete; what happens to them with their record.

Not here: rights (content/comments/capabilities.py), lists (content/comments/listing.py), markup and rendering
(content/comments/text.py), approval (content/comments/moderation.py). Rules: docs/rules/comments.md, 2 to 4, 6 to 8 and
11. Limits: a name has 245 characters at most, an e-mail address 100, a URL 200, a text 65525 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.access.users import rules as users
from vetrina.access.users.text_rules import sanitize_url
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import allocate_id
from vetrina.backends.tables.comments import comment as table
from vetrina.content.comments import (
    capabilities as comment_capabilities,
    model as comment_model,
    text as comment_text,
    visibility,
)
from vetrina.content.comments.model import APPROVED, NOTE, SHELVED, TRASH, Comment
from vetrina.content.comments.moderation import apply_moderation, decide_comment_status, refuse_repeats
from vetrina.content.records import model as record_model
from vetrina.content.records.dates import InvalidDate
from vetrina.content.records.meta import InvalidMeta
from vetrina.content.records.model import Record
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.fields import ABSENT, String

NOTE_STATUS: Final = String(
    "What an answer does to its note.", enum=("resolved", "reopen"), extra={"title": ""}, unset=(None,)
)
_NOTE_STATUS: Final = "_cms_note_status"

_MAX_LENGTHS: Final = {"author_name": 245, "author_email": 100, "author_url": 200}  # characters
_MAX_TEXT_BYTES: Final = 65525  # bytes
_MAX_MARKUP_FACTOR: Final = 8  # how much longer a text may be before disallowed markup is removed


class CommentNotFound(ApiError):
    """No comment has the id."""

    failure, code = Failure.NOT_FOUND, "rest_comment_invalid_id"
    message = "There is no comment with the number {id}."


class CommentContentInvalid(ApiError):
    """The text is empty, or not a string."""

    code = "rest_comment_content_invalid"
    message = "A comment needs a text; send `content`."


class CommentAuthorInvalid(ApiError):
    """No account has the id."""

    code = "rest_comment_author_invalid"
    message = "There is no user {id} who could be the author."


class CommentAuthorDataRequired(ApiError):
    """An author with a name also needs an e-mail address."""

    code = "rest_comment_author_data_required"
    message = "A comment in another name needs `author_name` and `author_email`."


class CommentPostInvalid(ApiError):
    """The comment would belong to no record."""

    failure, code = Failure.FORBIDDEN, "rest_comment_invalid_post_id"
    message = "There is no record {id!r} that could be commented on."


class CommentAlreadyTrashed(ApiError):
    failure, code = Failure.GONE, "rest_already_trashed"
    message = "This comment is in the trash already; send force=true to remove it for good."


class CannotUpdateCommentMeta(PermissionDenied):
    code = "rest_cannot_update"
    message = "You may not write the extra field {name} of this comment."


class CommentFieldTooLong(ApiError):
    """A member is longer than its column."""

    code = "comment_content_column_length"
    codes = tuple(f"comment_{name}_column_length" for name in ("author", "author_email", "author_url", "content"))
    message = "{name} is too long; it may have {most} {unit}."

    def __init__(self, name: str, most: int, unit: str) -> None:
        super().__init__(name=name, most=most, unit=unit)
        self.name = name

    def body(self) -> dict[str, Any]:
        word = "author" if self.name == "author_name" else self.name
        return {**super().body(), "code": f"comment_{word}_column_length"}


_CHILDREN = Statement(select(table.c.id).where(table.c.parent == bindparam("parent")))
_MOVE_UP = Statement(update(table).where(table.c.parent == bindparam("gone")).values(parent=bindparam("above")))
_OF_POST = Statement(select(table.c.id).where(table.c.post == bindparam("post")))
_SHELVE = Statement(
    update(table)
    .where(table.c.post == bindparam("of_post"), table.c.status != SHELVED)
    .values(shelved_status=table.c.status, status=SHELVED)
)
_UNSHELVE = Statement(
    update(table)
    .where(table.c.post == bindparam("of_post"), table.c.status == SHELVED)
    .values(status=table.c.shelved_status, shelved_status="")
)


def get_comment(work: UnitOfWork, id: int) -> Comment:
    """Return the comment with this id. Raises CommentNotFound."""
    work.uses("comment")
    found = comment_model.STORE.find(work.tx, id)
    if found is None:
        raise CommentNotFound(id=id)
    return found


def create_comment(work: UnitOfWork, of: Record, type: str, given: Mapping[str, Any], ip: str, agent: str) -> Comment:
    """Store a new comment on a record and return it.

    given: the written members, typed. ip, agent: IP address and user agent of the client.
    Raises CommentAuthorInvalid, CommentContentInvalid, CommentAuthorDataRequired, CommentFieldTooLong, InvalidMeta,
    CommentDuplicate, CommentFlood.
    """
    members = _build_author_members(work, given)
    content = _build_content(work, given)
    meta = _validate_meta(work, {}, given, may_write=lambda: comment_capabilities.may_edit_commented_record(work, of))
    if not _extract_text(given) and not (type == NOTE and meta.get(_NOTE_STATUS)):
        raise CommentContentInvalid
    if not any(members.values()):
        members = _user_to_author_members(work.user)
    if work.option("require_name_email") and not (members.get("author_name") and members.get("author_email")):
        raise CommentAuthorDataRequired
    date, date_gmt = _parse_dates(work, given) or (work.local_now, work.now)
    new = Comment(
        id=0,
        post=of.id,
        parent=given.get("parent") or 0,
        author=members.get("author", 0),
        author_name=members.get("author_name", ""),
        author_email=members.get("author_email", ""),
        author_url=members.get("author_url", ""),
        author_ip=given.get("author_ip") or ip,
        author_user_agent=sanitizing.sanitize_plain_text(given.get("author_user_agent") or agent),
        date=date,
        date_gmt=date_gmt,
        content=content,
        content_html=_render_content(work, content),
        status=APPROVED,
        kept_status="",
        shelved_status="",
        type=type,
        meta=meta,
    )
    _check_lengths(new)
    if type != NOTE:
        refuse_repeats(work, new)
        new = msgspec.structs.replace(new, status=decide_comment_status(work, of, new))
    if "status" in given:
        new = apply_moderation(new, given["status"])
    new = msgspec.structs.replace(new, id=allocate_id(work.tx, "comment"))
    comment_model.STORE.insert(work.tx, new)
    work.note("comment", new.id, "created")
    return new


def update_comment(work: UnitOfWork, of: Record, old: Comment, given: Mapping[str, Any]) -> Comment:
    """Store the given members of a comment and return its new state.

    of: its record. Raises what `create_comment` raises, except for repeats, and CommentPostInvalid.
    """
    members: dict[str, Any] = _build_author_members(work, given)
    if "post" in given:
        about = record_model.find_record(work.tx, given["post"]) if given["post"] else None
        # The URL of the comment reveals the slug of its record.
        if about is None or (
            about.id != old.post and not visibility.may_read_commented_record(work, about, opened=True)
        ):
            raise CommentPostInvalid(id=given["post"])
        members["post"] = given["post"]
    if "parent" in given:
        members["parent"] = given["parent"]
    if (raw := _extract_text(given)) is not None:
        if not raw:
            raise CommentContentInvalid
        members["content"] = content = _build_content(work, given)
        members["content_html"] = _render_content(work, content)
    if given.get("author_ip") and comment_capabilities.may_moderate_comments(work):
        members["author_ip"] = given["author_ip"]
    if given.get("author_user_agent"):
        members["author_user_agent"] = sanitizing.sanitize_plain_text(given["author_user_agent"])
    if dates := _parse_dates(work, given):
        members["date"], members["date_gmt"] = dates
    members["meta"] = _validate_meta(
        work, old.meta, given, may_write=lambda: comment_capabilities.may_edit_commented_record(work, of)
    )
    new = msgspec.structs.replace(old, **members)
    _check_lengths(new)
    if "status" in given:
        new = apply_moderation(new, given["status"])
    _save_comment(work, old, new)
    if old.type == NOTE and not old.parent and (old.status == TRASH) != (new.status == TRASH):
        _move_note_answers(work, new)
    return new


def trash_comment(work: UnitOfWork, old: Comment) -> Comment:
    """Move a comment to the trash; a note takes its replies along. Raises CommentAlreadyTrashed."""
    if old.status == TRASH:
        raise CommentAlreadyTrashed
    new = apply_moderation(old, TRASH)
    _save_comment(work, old, new)
    if old.type == NOTE and not old.parent:
        _move_note_answers(work, new)
    return new


def delete_comment(work: UnitOfWork, old: Comment) -> None:
    """Delete a comment for good; its replies move up to its parent."""
    children = [row[0] for row in work.tx.all(_CHILDREN, parent=old.id)]
    if children:
        work.tx.run(_MOVE_UP, gone=old.id, above=old.parent)
    comment_model.STORE.delete(work.tx, old.id)
    for child in children:
        work.note("comment", child, "changed")
    work.note("comment", old.id, "removed")


# -- together with their record


def shelve_comments(work: UnitOfWork, post: int) -> None:
    """Set the comments of a record aside that goes to the trash."""
    if work.tx.run_and_count(_SHELVE, of_post=post):
        _note_comments(work, post, "changed")


def unshelve_comments(work: UnitOfWork, post: int) -> None:
    """Restore the statuses that the comments of a record had before it went to the trash."""
    if work.tx.run_and_count(_UNSHELVE, of_post=post):
        _note_comments(work, post, "changed")


def note_removed_comments(work: UnitOfWork, post: int) -> None:
    """Log the removal of a record's comments; their rows are deleted with the record."""
    for id in _note_comments(work, post, "removed"):
        work.hide_change("comment", id)


def _note_comments(work: UnitOfWork, post: int, action: str) -> list[int]:
    ids = [row[0] for row in work.tx.all(_OF_POST, post=post)]
    for id in ids:
        work.note("comment", id, action)
    return ids


# -- written members


def _extract_text(given: Mapping[str, Any]) -> str | None:
    """Return the written text without blanks around it; None where there is none."""
    value = given.get("content")
    if isinstance(value, Mapping):
        value = value.get("raw")
    return value.replace("\0", "").strip(" \t\n\r\v\0") if isinstance(value, str) else None


def _build_content(work: UnitOfWork, given: Mapping[str, Any]) -> str:
    text = _extract_text(given) or ""
    if len(text) > _MAX_MARKUP_FACTOR * _MAX_TEXT_BYTES:
        raise CommentFieldTooLong("content", _MAX_TEXT_BYTES, "bytes")
    return comment_text.prepare_stored_text(text, _get_host(work), may_write_unfiltered_html(work.user))


def _render_content(work: UnitOfWork, content: str) -> str:
    if len(content) > _MAX_TEXT_BYTES:
        return ""  # too long, rejected later
    work.budget.build_save_budget(content)
    return comment_text.render_comment(content, _get_host(work), work.option("use_smilies"))


def _get_host(work: UnitOfWork) -> str:
    return urlsplit(work.origin).netloc.lower()


def _user_to_author_members(user: User) -> dict[str, Any]:
    return {"author": user.id, "author_name": user.name, "author_email": user.email, "author_url": user.url}


def _build_author_members(work: UnitOfWork, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members about the author: an account with its data, or single members."""
    out: dict[str, Any] = {}
    if "author" in given:
        user = users.find_user(work.tx, given["author"]) if given["author"] > 0 else None
        if user is None:
            raise CommentAuthorInvalid(id=given["author"])
        out = _user_to_author_members(user)
    if "author_name" in given:
        out["author_name"] = sanitizing.sanitize_term_name(given["author_name"])
    if "author_email" in given:
        out["author_email"] = given["author_email"]
    if "author_url" in given:
        out["author_url"] = sanitize_url(given["author_url"])
    return out


def _parse_dates(work: UnitOfWork, given: Mapping[str, Any]) -> tuple[int, int] | None:
    zone = work.zone
    for name, settle in (("date", zone.resolve_local), ("date_gmt", zone.resolve_gmt)):
        if text := given.get(name):
            try:
                return settle(times.parse_date_time(text))
            except times.DateTimeOutOfRange:
                raise InvalidDate(value=text) from None
    return None


def _validate_meta(
    work: UnitOfWork, stored: dict[str, Any], given: Mapping[str, Any], may_write: Any
) -> dict[str, Any]:
    wanted = given.get("meta")
    value = wanted.get(_NOTE_STATUS, ABSENT) if isinstance(wanted, Mapping) else ABSENT
    if value is ABSENT:
        return stored
    if value is not None and (fault := NOTE_STATUS.fault(value, f"meta.{_NOTE_STATUS}")) is not None:
        raise InvalidMeta(fault)
    if not may_write() and not comment_capabilities.may_moderate_comments(work):
        raise CannotUpdateCommentMeta(bool(work.user), name=_NOTE_STATUS)
    return {} if value is None else {_NOTE_STATUS: value}


def _check_lengths(new: Comment) -> None:
    for name, most in _MAX_LENGTHS.items():
        if len(getattr(new, name)) > most:
            raise CommentFieldTooLong(name, most, "letters")
    if len(new.content.encode("utf-8", "surrogatepass")) > _MAX_TEXT_BYTES:
        raise CommentFieldTooLong("content", _MAX_TEXT_BYTES, "bytes")


def _save_comment(work: UnitOfWork, old: Comment, new: Comment) -> None:
    if comment_model.STORE.update(work.tx, old, new):
        work.note("comment", new.id, "changed")
        if new.status != old.status and TRASH in (old.status, new.status):
            work.describe("comment", new.id, event="trashed" if new.status == TRASH else "restored")


def _move_note_answers(work: UnitOfWork, note: Comment) -> None:
    """Trash or restore the replies of a note together with it."""
    for (id,) in work.tx.all(_CHILDREN, parent=note.id):
        child = comment_model.STORE.find(work.tx, id)
        if child is None or child.type != NOTE or (child.status == TRASH) == (note.status == TRASH):
            continue
        _save_comment(work, child, apply_moderation(child, "trash" if note.status == TRASH else "untrash"))
