"""Comments and notes: create, change, moderate, remove; what becomes of them with their record.

Not here: who may (content/comments/rights.py), lists (content/comments/listing.py), markup and rendering
(content/comments/text.py), what is approved at once (content/comments/moderation.py). Rules: facts, "Comments".
Numbers: a name has 245 letters at most, an e-mail address 100, an address 200, a text 65525 bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import bindparam, select, update

from vetrina.access.roles.capabilities import unfiltered
from vetrina.access.users import rules as users
from vetrina.access.users.model import User
from vetrina.access.users.text_rules import web_address
from vetrina.backends.database import Statement
from vetrina.backends.id_sequences import next_number
from vetrina.backends.tables.core import comment as table
from vetrina.content.comments import model as comment_model
from vetrina.content.comments import rights as comment_rights
from vetrina.content.comments import text as comment_text
from vetrina.content.comments.model import APPROVED, NOTE, SHELVED, TRASH, Comment
from vetrina.content.comments.moderation import judged, moderated, refuse_repeats
from vetrina.content.records import model as record_model
from vetrina.content.records.lifecycle import InvalidDate
from vetrina.content.records.meta import InvalidMeta
from vetrina.content.records.model import Record
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.fields import ABSENT, String

__all__ = [
    "NOTE_STATUS", "AlreadyTrashed", "AuthorDataRequired", "AuthorInvalid", "CannotUpdateMeta", "CommentUnknown",
     "ContentInvalid", "PostInvalid", "change", "create", "existing", "remove",
    "remove_of", "shelve_of", "trash", "unshelve_of",
]  # fmt: skip

NOTE_STATUS: Final = String("What an answer does to its note.", enum=("resolved", "reopen"), extra={"title": ""})
_NOTE_STATUS: Final = "_cms_note_status"

_LONGEST: Final = {"author_name": 245, "author_email": 100, "author_url": 200}  # letters
_LONGEST_TEXT: Final = 65525  # bytes
_MARKUP: Final = 8  # how much longer a text may be before what is not allowed is taken out of it


class CommentUnknown(ApiError):
    """No comment has the number."""

    status, code = 404, "rest_comment_invalid_id"
    message = "There is no comment with the number {id}."


class ContentInvalid(ApiError):
    """The text is empty, or no text."""

    code = "rest_comment_content_invalid"
    message = "A comment needs a text; send `content`."


class AuthorInvalid(ApiError):
    """No account has the number."""

    code = "rest_comment_author_invalid"
    message = "There is no user {id} who could be the author."


class AuthorDataRequired(ApiError):
    """Who writes in a name of his own gives an e-mail address as well."""

    code = "rest_comment_author_data_required"
    message = "A comment in another name needs `author_name` and `author_email`."


class PostInvalid(ApiError):
    """The comment would belong to no record."""

    status, code = 403, "rest_comment_invalid_post_id"
    message = "There is no record {id!r} that could be commented on."


class AlreadyTrashed(ApiError):
    status, code = 410, "rest_already_trashed"
    message = "This comment is in the trash already; send force=true to remove it for good."


class CannotUpdateMeta(Refused):
    code = "rest_cannot_update"
    message = "You may not write the extra field {name} of this comment."


class TooLong(ApiError):
    """A member is longer than its column."""

    code = "comment_content_column_length"
    message = "{name} is too long; it may have {most} {unit}."

    def __init__(self, name: str, most: int, unit: str) -> None:
        super().__init__(name=name, most=most, unit=unit)
        self._name = name

    def body(self) -> dict[str, Any]:
        word = "author" if self._name == "author_name" else self._name
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


def existing(work: Work, id: int) -> Comment:
    """Return the comment with a number. Raises CommentUnknown."""
    work.uses("comment", "user")
    found = comment_model.by_id(work.tx, id) if id > 0 else None
    if found is None:
        raise CommentUnknown(id=id)
    return found


def create(work: Work, of: Record, type: str, given: Mapping[str, Any], ip: str, agent: str) -> Comment:
    """Store a new comment on a record and return it.

    given: the written members, typed. ip, agent: the sender's machine and program.
    Raises AuthorInvalid, ContentInvalid, AuthorDataRequired, TooLong, InvalidMeta, CommentDuplicate, CommentFlood.
    """
    members = _author_members(work, given)
    content = _content(work, given)
    meta = _meta(work, {}, given, may_write=lambda: comment_rights.edits_record(work, of))
    if not _given_text(given) and not (type == NOTE and meta.get(_NOTE_STATUS)):
        raise ContentInvalid
    if not any(members.values()):
        members = _of_user(work.user)
    if work.option("require_name_email") and not (members.get("author_name") and members.get("author_email")):
        raise AuthorDataRequired
    date, date_gmt = _dates(work, given) or (work.local_now, work.now)
    new = Comment(
        id=0, post=of.id, parent=given.get("parent") or 0, author=members.get("author", 0),
        author_name=members.get("author_name", ""), author_email=members.get("author_email", ""),
        author_url=members.get("author_url", ""), author_ip=given.get("author_ip") or ip,
        author_user_agent=sanitizing.plain(given.get("author_user_agent") or agent), date=date, date_gmt=date_gmt,
        content=content, content_html=_rendered(work, content), status=APPROVED, kept_status="", shelved_status="",
        type=type, meta=meta,
    )  # fmt: skip
    _check_lengths(new)
    if type != NOTE:
        refuse_repeats(work, new)
        new = msgspec.structs.replace(new, status=judged(work, of, new))
    if "status" in given:
        new = moderated(new, given["status"])
    new = msgspec.structs.replace(new, id=next_number(work.tx, "comment"))
    comment_model.insert_new(work.tx, new)
    work.note("comment", new.id, "created")
    return new


def change(work: Work, of: Record, old: Comment, given: Mapping[str, Any]) -> Comment:
    """Store the given members of a comment and return its new state.

    of: its record. Raises what create raises but for repeats, and PostInvalid.
    """
    members: dict[str, Any] = _author_members(work, given)
    if "post" in given:
        about = record_model.by_id(work.tx, given["post"]) if given["post"] else None
        # The comment's address tells the name of its record.
        if about is None or (about.id != old.post and not comment_rights.reads_record(work, about, opened=True)):
            raise PostInvalid(id=given["post"])
        members["post"] = given["post"]
    if "parent" in given:
        members["parent"] = given["parent"]
    if (raw := _given_text(given)) is not None:
        if not raw:
            raise ContentInvalid
        members["content"] = content = _content(work, given)
        members["content_html"] = _rendered(work, content)
    if given.get("author_ip") and comment_rights.moderates(work):
        members["author_ip"] = given["author_ip"]
    if given.get("author_user_agent"):
        members["author_user_agent"] = sanitizing.plain(given["author_user_agent"])
    if dates := _dates(work, given):
        members["date"], members["date_gmt"] = dates
    members["meta"] = _meta(work, old.meta, given, may_write=lambda: comment_rights.edits_record(work, of))
    new = msgspec.structs.replace(old, **members)
    _check_lengths(new)
    if "status" in given:
        new = moderated(new, given["status"])
    _save(work, old, new)
    if old.type == NOTE and not old.parent and (old.status == TRASH) != (new.status == TRASH):
        _follow(work, new)
    return new


def trash(work: Work, old: Comment) -> Comment:
    """Move a comment to the trash; a note takes its answers along. Raises AlreadyTrashed."""
    if old.status == TRASH:
        raise AlreadyTrashed
    new = moderated(old, TRASH)
    _save(work, old, new)
    if old.type == NOTE and not old.parent:
        _follow(work, new)
    return new


def remove(work: Work, old: Comment) -> None:
    """Remove a comment for good; its answers move up to what it answered."""
    children = [row[0] for row in work.tx.all(_CHILDREN, parent=old.id)]
    if children:
        work.tx.run(_MOVE_UP, gone=old.id, above=old.parent)
    comment_model.erase(work.tx, old.id)
    for child in children:
        work.note("comment", child, "changed")
    work.note("comment", old.id, "removed")


# -- with their record


def shelve_of(work: Work, post: int) -> None:
    """Put the comments of a record aside that goes to the trash."""
    if work.tx.run(_SHELVE, of_post=post):
        _note_all(work, post, "changed")


def unshelve_of(work: Work, post: int) -> None:
    """Give the comments of a record back what they were before it went to the trash."""
    if work.tx.run(_UNSHELVE, of_post=post):
        _note_all(work, post, "changed")


def remove_of(work: Work, post: int) -> None:
    """Note that the comments of a record go; their rows go with the record's."""
    _note_all(work, post, "removed")


def _note_all(work: Work, post: int, action: str) -> None:
    for row in work.tx.all(_OF_POST, post=post):
        work.note("comment", row[0], action)


# -- what is written


def _given_text(given: Mapping[str, Any]) -> str | None:
    """Return the text that a write carries, blanks around it cut off; None where it carries none."""
    value = given.get("content")
    if isinstance(value, Mapping):
        value = value.get("raw")
    return value.replace("\0", "").strip(" \t\n\r\v\0") if isinstance(value, str) else None


def _content(work: Work, given: Mapping[str, Any]) -> str:
    text = _given_text(given) or ""
    if len(text) > _MARKUP * _LONGEST_TEXT:
        raise TooLong("content", _LONGEST_TEXT, "bytes")
    return comment_text.stored(text, _host(work), unfiltered(work.user))


def _rendered(work: Work, content: str) -> str:
    if len(content) > _LONGEST_TEXT:
        return ""  # It is refused for its length.
    work.budget.of_save(content)
    return comment_text.rendered(content, _host(work), work.option("use_smilies"))


def _host(work: Work) -> str:
    return urlsplit(work.origin).netloc.lower()


def _of_user(user: User) -> dict[str, Any]:
    return {"author": user.id, "author_name": user.name, "author_email": user.email, "author_url": user.url}


def _author_members(work: Work, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a write says about the author: an account with its data, or single members."""
    out: dict[str, Any] = {}
    if "author" in given:
        user = users.by_id(work.tx, given["author"]) if given["author"] > 0 else None
        if user is None:
            raise AuthorInvalid(id=given["author"])
        out = _of_user(user)
    if "author_name" in given:
        out["author_name"] = sanitizing.term_name(given["author_name"])
    if "author_email" in given:
        out["author_email"] = given["author_email"]
    if "author_url" in given:
        out["author_url"] = web_address(given["author_url"])
    return out


def _dates(work: Work, given: Mapping[str, Any]) -> tuple[int, int] | None:
    zone = work.zone
    for name, settle in (("date", zone.settle), ("date_gmt", zone.settle_gmt)):
        if text := given.get(name):
            try:
                return settle(times.parse(text))
            except times.Impossible:
                raise InvalidDate(value=text) from None
    return None


def _meta(work: Work, stored: dict[str, Any], given: Mapping[str, Any], may_write: Any) -> dict[str, Any]:
    wanted = given.get("meta")
    value = wanted.get(_NOTE_STATUS, ABSENT) if isinstance(wanted, Mapping) else ABSENT
    if value is ABSENT:
        return stored
    if value is not None and (fault := NOTE_STATUS.fault(value, f"meta.{_NOTE_STATUS}")) is not None:
        raise InvalidMeta(fault)
    if not may_write() and not comment_rights.moderates(work):
        raise CannotUpdateMeta(bool(work.user), name=_NOTE_STATUS)
    return {} if value is None else {_NOTE_STATUS: value}


def _check_lengths(new: Comment) -> None:
    for name, most in _LONGEST.items():
        if len(getattr(new, name)) > most:
            raise TooLong(name, most, "letters")
    if len(new.content.encode("utf-8", "surrogatepass")) > _LONGEST_TEXT:
        raise TooLong("content", _LONGEST_TEXT, "bytes")


def _save(work: Work, old: Comment, new: Comment) -> None:
    if comment_model.store(work.tx, old, new):
        work.note("comment", new.id, "changed")


def _follow(work: Work, note: Comment) -> None:
    """Let the answers of a note go to the trash with it, or come back."""
    for (id,) in work.tx.all(_CHILDREN, parent=note.id):
        child = comment_model.by_id(work.tx, id)
        if child is None or child.type != NOTE or (child.status == TRASH) == (note.status == TRASH):
            continue
        _save(work, child, moderated(child, "trash" if note.status == TRASH else "untrash"))
