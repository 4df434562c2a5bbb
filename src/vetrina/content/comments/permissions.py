"""Permissions of the comment routes: who may list, see, create, change and remove comments, and the errors.

Of several errors of a creation the first is reported, in the order that clients know. Not here: the rights themselves
(content/comments/visibility.py, content/comments/capabilities.py), the routes (content/comments/routes.py). Rules:
docs/rules/comments.md, 2, 5, 10 and 11.
"""

from __future__ import annotations

from typing import Any

from vetrina.content.comments import capabilities as comment_capabilities, openness, rules as comments, visibility
from vetrina.content.comments.model import NOTE, Comment
from vetrina.content.comments.openness import CommentLoginRequired, CommentsClosed, takes_comments
from vetrina.content.comments.rules import CommentNotFound, CommentPostInvalid
from vetrina.content.records import model as record_model, passwords as record_passwords
from vetrina.content.records.model import Record
from vetrina.core.call import Call
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.coercion import coerce_array, coerce_integer
from vetrina.rest.fields import EDIT

_MODERATOR_FILTERS = ("author", "author_exclude", "author_email")


class CannotReadCommentedRecord(PermissionDenied):
    code = "rest_cannot_read_post"
    message = "You may not read record {id}, so its comments are not for you."


class CannotReadOrphanComments(PermissionDenied):
    code = "rest_cannot_read"
    message = "You may not read comments without a record."


class CannotReadComment(PermissionDenied):
    code = "rest_cannot_read"
    message = "You may not read this comment."


class ForbiddenCommentContext(PermissionDenied):
    code = "rest_forbidden_context"
    message = "You may not edit comments, so the context edit is not for you."


class ForbiddenCommentFilter(PermissionDenied):
    code = "rest_forbidden_param"
    message = "You may not filter by: {names}."


class NotesUnsupported(ApiError):
    """Records of this type have no notes."""

    failure, code = Failure.FORBIDDEN, "rest_comment_not_supported_post_type"
    message = "Records of this type have no notes."


class InvalidCommentAuthor(PermissionDenied):
    code = "rest_comment_invalid_author"
    message = "You may not comment as another user."


class InvalidCommentAuthorIp(PermissionDenied):
    code = "rest_comment_invalid_author_ip"
    message = "You may not choose the address of your machine."


class InvalidCommentStatus(PermissionDenied):
    code = "rest_comment_invalid_status"
    message = "You may not choose the state of a comment."


class CannotCreateNote(PermissionDenied):
    code = "rest_cannot_create_note"
    message = "Notes are for those who may edit the record."


class CannotEditComment(PermissionDenied):
    code = "rest_cannot_edit"
    message = "You may not change this comment."


class CannotDeleteComment(PermissionDenied):
    code = "rest_cannot_delete"
    message = "You may not remove this comment."


# The errors of each permission.
LIST_ERRORS = (
    CannotReadCommentedRecord,
    CannotReadOrphanComments,
    NotesUnsupported,
    ForbiddenCommentContext,
    ForbiddenCommentFilter,
)
READ_ERRORS = (CommentNotFound, ForbiddenCommentContext, CannotReadComment, CannotReadCommentedRecord)
CREATE_ERRORS = (
    CommentLoginRequired,
    InvalidCommentAuthor,
    InvalidCommentAuthorIp,
    CannotCreateNote,
    InvalidCommentStatus,
    CommentPostInvalid,
    NotesUnsupported,
    openness.CannotCommentOnDraft,
    openness.CannotCommentOnTrashed,
    CannotReadCommentedRecord,
    CommentsClosed,
)


def get_addressed_comment(call: Call) -> tuple[Comment, Record]:
    """Return the comment that the call addresses, and its record. Raises CommentNotFound."""
    id = call.args.get("id")
    kept: tuple[Any, Comment, Record] | None = call.lookups.get("comment")
    if kept is not None and kept[0] == id:
        return kept[1], kept[2]
    work = call.work
    found = comments.get_comment(work, id if isinstance(id, int) else 0)
    of = record_model.find_record(work.tx, found.post)
    if of is None:
        raise CommentNotFound(id=id)
    call.lookups["comment"] = (id, found, of)
    return found, of


def has_valid_password(call: Call, of: Record) -> bool:
    """Return whether the password of a request is that of a record. Raises TooManyGuesses."""
    password = call.raw.get("password")
    if not isinstance(password, str) or not password or not record_passwords.is_password_protected(of):
        return False
    return record_passwords.is_record_password(call.work, of, password)


def _get_list_filter(call: Call, name: str) -> Any:
    """Return a filter of the list; on a write the defaults of the list do not apply."""
    return call.raw.get(name) if call.request.method in ("POST", "PUT", "PATCH", "DELETE") else call.args.get(name)


def _parse_numbers(value: Any) -> list[int]:
    values = coerce_array(value) or []
    return [number for one in values if (number := coerce_integer(one)) is not None]


def require_list_permission(call: Call) -> None:
    """Everybody, for records that they may read; other statuses and the editing view are for moderators."""
    work = call.work
    user, notes = work.user, _get_list_filter(call, "type") == NOTE
    editing = call.args.get("context") == EDIT
    post_filter = call.args.get("post")
    posts = _parse_numbers(post_filter) if post_filter else []
    for id in posts:
        of = record_model.find_record(work.tx, id) if id > 0 else None
        if of is None:
            if id == 0 and not comment_capabilities.may_moderate_comments(work):
                raise CannotReadOrphanComments(bool(user))
            continue
        if not visibility.may_read_commented_record(work, of, len(posts) == 1 and has_valid_password(call, of)):
            raise CannotReadCommentedRecord(bool(user), id=id)
        if notes and not _supports_notes(work, of):
            if comment_capabilities.may_edit_commented_record(work, of):
                raise NotesUnsupported
            raise ForbiddenCommentFilter(bool(user), names="type")
        if notes and editing and not comment_capabilities.may_edit_commented_record(work, of):
            raise ForbiddenCommentContext(bool(user))
    if editing and not (notes and posts) and not comment_capabilities.may_moderate_comments(work):
        raise ForbiddenCommentContext(bool(user))
    if not user.can_somewhere("edit_posts"):
        forbidden = [name for name in _MODERATOR_FILTERS if call.args.get(name)]
        forbidden += [
            name for name, free in (("status", "approve"), ("type", "comment")) if _get_list_filter(call, name) != free
        ]
        if forbidden:
            raise ForbiddenCommentFilter(bool(user), names=", ".join(forbidden))


def _supports_notes(work: UnitOfWork, of: Record) -> bool:
    type = work.site.types.get(of.type)
    return type is not None and type.has("notes")


def require_read_permission(call: Call) -> None:
    """Everybody, for an approved comment on a record that they may read; others are for moderators and its author."""
    found, of = get_addressed_comment(call)
    work = call.work
    user = work.user
    if call.args.get("context") == EDIT:
        allowed = (
            comment_capabilities.may_edit_commented_record(work, of)
            if found.type == NOTE
            else comment_capabilities.may_moderate_comments(work)
        )
        if not allowed:
            raise ForbiddenCommentContext(bool(user))
    opened = has_valid_password(call, of)
    if not visibility.may_read_comment(work, found, of, opened):
        raise CannotReadComment(bool(user))
    if not visibility.may_read_commented_record(work, of, opened):
        raise CannotReadCommentedRecord(bool(user), id=of.id)


def require_create_permission(call: Call) -> None:
    """Everybody who is signed in and may read the record, while it takes comments."""
    work = call.work
    args, user = call.args, work.user
    notes, moderates = call.raw.get("type") == NOTE, comment_capabilities.may_moderate_comments(work)
    if not user:
        raise CommentLoginRequired(False)
    if "author" in args and args["author"] != user.id and not moderates:
        raise InvalidCommentAuthor(True)
    if "author_ip" in args and not moderates and args["author_ip"] != call.request.remote:
        raise InvalidCommentAuthorIp(True)
    id = args.get("post")
    if isinstance(id, list) and id:
        # Several records: called for the `Allow` of a list. Clients take it for the right to comment at all.
        if notes and not user.can_somewhere("edit_others_posts"):
            raise CannotCreateNote(True)
        if "status" in args and not moderates:
            raise InvalidCommentStatus(True)
        return
    of = record_model.find_record(work.tx, id) if isinstance(id, int) and id > 0 else None
    if notes and id and not comment_capabilities.may_edit_commented_record(work, of):
        raise CannotCreateNote(True)
    if "status" in args and not (comment_capabilities.may_edit_commented_record(work, of) if notes else moderates):
        raise InvalidCommentStatus(True)
    if of is None:
        raise CommentPostInvalid(id=id)
    if notes and not _supports_notes(work, of):
        raise NotesUnsupported
    openness.require_past_draft(of, notes)
    if not visibility.may_read_commented_record(work, of, has_valid_password(call, of)):
        raise CannotReadCommentedRecord(True, id=id)
    if not notes and not takes_comments(work, of):
        raise CommentsClosed(id=id)
    call.lookups["post"] = of


def require_update_permission(call: Call) -> None:
    """Those who moderate comments or may change the record that it is on."""
    found, of = get_addressed_comment(call)
    if not comment_capabilities.may_edit_comment(call.work, found, of):
        raise CannotEditComment(bool(call.work.user))


def require_delete_permission(call: Call) -> None:
    """Those who moderate comments or may change the record that it is on."""
    found, of = get_addressed_comment(call)
    if not comment_capabilities.may_edit_comment(call.work, found, of):
        raise CannotDeleteComment(bool(call.work.user))


def list_comment_methods(work: UnitOfWork, comment: Comment, of: Record, opened: bool = False) -> list[str]:
    """Return the methods that the caller may use on a comment. of: its record."""
    out = (
        ["GET"]
        if visibility.may_read_comment(work, comment, of, opened)
        and visibility.may_read_commented_record(work, of, opened)
        else []
    )
    if comment_capabilities.may_edit_comment(work, comment, of):
        out += ["POST", "PUT", "PATCH", "DELETE"]
    return out
