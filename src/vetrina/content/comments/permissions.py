"""Who may list, see, create, change and remove comments: the rights of their routes, and how they are refused.

A creation is refused for the first of several reasons, in the order in which clients know them. Not here: the rights
themselves (content/comments/rights.py), the routes (content/comments/routes.py). Rules: facts, "Comments".
"""

from __future__ import annotations

from typing import Any

from vetrina.content.comments import rights as comment_rights
from vetrina.content.comments import rules as comments
from vetrina.content.comments.model import NOTE, Comment
from vetrina.content.comments.rules import CommentUnknown, PostInvalid
from vetrina.content.records import model as record_model
from vetrina.content.records import passwords as record_passwords
from vetrina.content.records.model import Record
from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call
from vetrina.rest.coercion import array, integer
from vetrina.rest.fields import EDIT

__all__ = [
    "CREATING", "LISTING", "SEEING", "CannotDelete", "CannotEdit", "addressed", "may_change", "may_create", "may_list",
    "may_remove", "may_see", "opens",
]  # fmt: skip

_PROTECTED = ("author", "author_exclude", "author_email")


class CannotReadPost(Refused):
    code = "rest_cannot_read_post"
    message = "You may not read record {id}, so its comments are not for you."


class CannotReadOrphans(Refused):
    code = "rest_cannot_read"
    message = "You may not read comments without a record."


class CannotRead(Refused):
    code = "rest_cannot_read"
    message = "You may not read this comment."


class ForbiddenContext(Refused):
    code = "rest_forbidden_context"
    message = "You may not edit comments, so the context edit is not for you."


class ForbiddenParam(Refused):
    code = "rest_forbidden_param"
    message = "You may not filter by: {names}."


class NotesUnsupported(ApiError):
    """Records of this type have no notes."""

    status, code = 403, "rest_comment_not_supported_post_type"
    message = "Records of this type have no notes."


class LoginRequired(Refused):
    code = "rest_comment_login_required"
    message = "Sign in to comment."


class InvalidAuthor(Refused):
    code = "rest_comment_invalid_author"
    message = "You may not comment as another user."


class InvalidAuthorIp(Refused):
    code = "rest_comment_invalid_author_ip"
    message = "You may not choose the address of your machine."


class InvalidStatus(Refused):
    code = "rest_comment_invalid_status"
    message = "You may not choose the state of a comment."


class CannotCreateNote(Refused):
    code = "rest_cannot_create_note"
    message = "Notes are for those who may edit the record."


class DraftPost(ApiError):
    """Nobody comments on a draft."""

    status, code = 403, "rest_comment_draft_post"
    message = "The record {id} is a draft; publish it first."


class TrashedPost(ApiError):
    """Nobody comments on what is in the trash."""

    status, code = 403, "rest_comment_trash_post"
    message = "The record {id} is in the trash."


class CommentsClosed(ApiError):
    """The record takes no comments."""

    status, code = 403, "rest_comment_closed"
    message = "The record {id} takes no comments."


class CannotEdit(Refused):
    code = "rest_cannot_edit"
    message = "You may not change this comment."


class CannotDelete(Refused):
    code = "rest_cannot_delete"
    message = "You may not remove this comment."


# What each of the rights refuses with.
LISTING = (CannotReadPost, CannotReadOrphans, NotesUnsupported, ForbiddenContext, ForbiddenParam)
SEEING = (CommentUnknown, ForbiddenContext, CannotRead, CannotReadPost)
CREATING = (
    LoginRequired, InvalidAuthor, InvalidAuthorIp, CannotCreateNote, InvalidStatus, PostInvalid, NotesUnsupported,
    DraftPost, TrashedPost, CannotReadPost, CommentsClosed,
)  # fmt: skip


def addressed(call: Call) -> tuple[Comment, Record]:
    """Return the comment that the call names, and its record. Raises CommentUnknown."""
    id = call.args.get("id")
    kept: tuple[Any, Comment, Record] | None = call.kept.get("comment")
    if kept is not None and kept[0] == id:
        return kept[1], kept[2]
    work: Work = call.work
    found = comments.existing(work, id if isinstance(id, int) else 0)
    of = record_model.by_id(work.tx, found.post)
    if of is None:
        raise CommentUnknown(id=id)
    call.kept["comment"] = (id, found, of)
    return found, of


def opens(call: Call, of: Record) -> bool:
    """Say whether the password that came with a call is that of a record. Raises TooManyGuesses."""
    password = call.raw.get("password")
    if not isinstance(password, str) or not password or not record_passwords.protects(of):
        return False
    return record_passwords.opens(call.work, of, password)


def _asked(call: Call, name: str) -> Any:
    """Return a filter of the list; a write has no defaults of the list's."""
    return call.raw.get(name) if call.request.method in ("POST", "PUT", "PATCH", "DELETE") else call.args.get(name)


def _numbers(value: Any) -> list[int]:
    values = array(value) or []
    return [number for one in values if (number := integer(one)) is not None]


def may_list(call: Call) -> None:
    """Everybody, of records that he may read; other statuses and the editing view are for moderators."""
    work: Work = call.work
    user, notes = work.user, _asked(call, "type") == NOTE
    editing = call.args.get("context") == EDIT
    asked = call.args.get("post")
    posts = _numbers(asked) if asked else []
    for id in posts:
        of = record_model.by_id(work.tx, id) if id > 0 else None
        if of is None:
            if id == 0 and not comment_rights.moderates(work):
                raise CannotReadOrphans(bool(user))
            continue
        if not comment_rights.reads_record(work, of, len(posts) == 1 and opens(call, of)):
            raise CannotReadPost(bool(user), id=id)
        if notes and not _has_notes(work, of):
            if comment_rights.edits_record(work, of):
                raise NotesUnsupported
            raise ForbiddenParam(bool(user), names="type")
        if notes and editing and not comment_rights.edits_record(work, of):
            raise ForbiddenContext(bool(user))
    if editing and not (notes and posts) and not comment_rights.moderates(work):
        raise ForbiddenContext(bool(user))
    if not user.can("edit_posts"):
        forbidden = [name for name in _PROTECTED if call.args.get(name)]
        forbidden += [name for name, free in (("status", "approve"), ("type", "comment")) if _asked(call, name) != free]
        if forbidden:
            raise ForbiddenParam(bool(user), names=", ".join(forbidden))


def _has_notes(work: Work, of: Record) -> bool:
    type = work.frame.types.get(of.type)
    return type is not None and type.has("notes")


def may_see(call: Call) -> None:
    """Everybody, an approved comment on a record that he may read; others are for moderators and its author."""
    found, of = addressed(call)
    work: Work = call.work
    user = work.user
    if call.args.get("context") == EDIT:
        allowed = comment_rights.edits_record(work, of) if found.type == NOTE else comment_rights.moderates(work)
        if not allowed:
            raise ForbiddenContext(bool(user))
    opened = opens(call, of)
    if not comment_rights.may_read(work, found, of, opened):
        raise CannotRead(bool(user))
    if not comment_rights.reads_record(work, of, opened):
        raise CannotReadPost(bool(user), id=of.id)


def may_create(call: Call) -> None:
    """Everybody who is signed in and may read the record, while it takes comments."""
    work: Work = call.work
    args, user = call.args, work.user
    notes, moderates = call.raw.get("type") == NOTE, comment_rights.moderates(work)
    if not user:
        raise LoginRequired(False)
    if "author" in args and args["author"] != user.id and not moderates:
        raise InvalidAuthor(True)
    if "author_ip" in args and not moderates and args["author_ip"] != call.request.remote:
        raise InvalidAuthorIp(True)
    id = args.get("post")
    if isinstance(id, list) and id:
        # Asked for the sake of `Allow` by a list of several records: clients take it for the right to comment at all.
        if notes and not user.can("edit_others_posts"):
            raise CannotCreateNote(True)
        if "status" in args and not moderates:
            raise InvalidStatus(True)
        return
    of = record_model.by_id(work.tx, id) if isinstance(id, int) and id > 0 else None
    if notes and id and not comment_rights.edits_record(work, of):
        raise CannotCreateNote(True)
    if "status" in args and not (comment_rights.edits_record(work, of) if notes else moderates):
        raise InvalidStatus(True)
    if of is None:
        raise PostInvalid(id=id)
    if notes and not _has_notes(work, of):
        raise NotesUnsupported
    if of.status == "draft" and not notes:
        raise DraftPost(id=id)
    if of.status == "trash":
        raise TrashedPost(id=id)
    if not comment_rights.reads_record(work, of, opens(call, of)):
        raise CannotReadPost(True, id=id)
    if not notes and not (of.comment_status == "open" and _is_admitted(work, of)):
        raise CommentsClosed(id=id)
    call.kept["post"] = of


def _is_admitted(work: Work, of: Record) -> bool:
    type = work.frame.types.get(of.type)
    return type is None or type.admits_comment is None or type.admits_comment(work, of)


def may_change(call: Call) -> None:
    """Those who moderate comments or may change the record that it is on."""
    found, of = addressed(call)
    if not comment_rights.may_change(call.work, found, of):
        raise CannotEdit(bool(call.work.user))


def may_remove(call: Call) -> None:
    """Those who moderate comments or may change the record that it is on."""
    found, of = addressed(call)
    if not comment_rights.may_change(call.work, found, of):
        raise CannotDelete(bool(call.work.user))
