"""Comments and notes on records: the collection and the item.

Not here: members and arguments (comment_schema.py), what a write does (domain/content/comments.py).
Rules: facts, "Comments"; who may create is asked in the order in which clients meet the refusals.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from vetrina.declare.call import Call, Result
from vetrina.declare.coerce import array, integer
from vetrina.declare.fields import EDIT, VIEW
from vetrina.declare.listing import page_headers
from vetrina.declare.present import choice
from vetrina.declare.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.domain.content import comment_list, comment_rights, comments, record
from vetrina.domain.content.comment import NOTE, Comment
from vetrina.domain.content.comment_list import CommentQuery
from vetrina.domain.content.comments import (
    AlreadyTrashed,
    AuthorDataRequired,
    AuthorInvalid,
    CommentUnknown,
    ContentInvalid,
    PostInvalid,
)
from vetrina.domain.content.record import Record
from vetrina.domain.work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Fault, InvalidParam, Refused

from . import comment_schema
from .comment_schema import PATH, SHAPE, View, links, view_of

__all__ = ["routes"]

_NO_KEY = re.compile(r"[^a-z0-9_-]+")
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


class CommentExists(ApiError):
    """A creation names a number."""

    code = "rest_comment_exists"
    message = "A new comment has no `id` yet; to change one, send to its own address."


class UnknownType(ApiError):
    """Comments are of two types."""

    code = "rest_invalid_comment_type"
    message = "A comment is a `comment` or a `note`, not {type!r}."


class TypeFixed(ApiError):
    """The type of a comment never changes."""

    status, code = 404, "rest_comment_invalid_type"
    message = "This is a {type}; that cannot be changed."


class CannotEdit(Refused):
    code = "rest_cannot_edit"
    message = "You may not change this comment."


class CannotDelete(Refused):
    code = "rest_cannot_delete"
    message = "You may not remove this comment."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of comments."""
    item = f"{PATH}/{{id}}"
    return (
        Route(READ, PATH, _listed, comment_schema.filters(), _may_list, _schema,
              errors=(CannotReadPost, CannotReadOrphans, NotesUnsupported, ForbiddenContext, ForbiddenParam)),
        Route(WRITE, PATH, _created, comment_schema.members(creating=True), _may_create, _schema,
              errors=(LoginRequired, InvalidAuthor, InvalidAuthorIp, CannotCreateNote, InvalidStatus, PostInvalid,
                      NotesUnsupported, DraftPost, TrashedPost, CannotReadPost, CommentsClosed, CommentExists,
                      UnknownType, AuthorInvalid, ContentInvalid, AuthorDataRequired)),
        Route(READ, item, _read, comment_schema.single(), _may_see, _schema,
              errors=(CommentUnknown, ForbiddenContext, CannotRead, CannotReadPost)),
        Route(CHANGE, item, _changed, comment_schema.members(), _may_change, _schema,
              errors=(CommentUnknown, CannotEdit, TypeFixed, AuthorInvalid, PostInvalid, ContentInvalid)),
        Route(REMOVE, item, _removed, comment_schema.removal(), _may_remove, _schema,
              errors=(CommentUnknown, CannotDelete, AlreadyTrashed)),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return SHAPE.schema("comment")


# -- rights


def _found(call: Call) -> tuple[Comment, Record]:
    """Return the comment that the call names, and its record. Raises CommentUnknown."""
    id = call.args.get("id")
    kept: tuple[Any, Comment, Record] | None = call.kept.get("comment")
    if kept is not None and kept[0] == id:
        return kept[1], kept[2]
    work: Work = call.work
    found = comments.existing(work, id if isinstance(id, int) else 0)
    of = record.by_id(work.tx, found.post)
    if of is None:
        raise CommentUnknown(id=id)
    call.kept["comment"] = (id, found, of)
    return found, of


def _password(call: Call) -> str:
    password = call.raw.get("password")
    return password if isinstance(password, str) else ""


def _asked(call: Call, name: str) -> Any:
    """Return a filter of the list; a write has no defaults of the list's."""
    return call.raw.get(name) if call.request.method in ("POST", "PUT", "PATCH", "DELETE") else call.args.get(name)


def _numbers(value: Any) -> list[int]:
    values = array(value) or []
    return [number for one in values if (number := integer(one)) is not None]


def _may_list(call: Call) -> None:
    work: Work = call.work
    user, notes = work.user, _asked(call, "type") == NOTE
    editing = call.args.get("context") == EDIT
    asked = call.args.get("post")
    posts = _numbers(asked) if asked else []
    for id in posts:
        of = record.by_id(work.tx, id) if id > 0 else None
        if of is None:
            if id == 0 and not comment_rights.moderates(work):
                raise CannotReadOrphans(bool(user))
            continue
        password = _password(call) if len(posts) == 1 else ""
        if not comment_rights.reads_record(work, of, password):
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


def _may_see(call: Call) -> None:
    found, of = _found(call)
    work: Work = call.work
    user = work.user
    if call.args.get("context") == EDIT:
        allowed = comment_rights.edits_record(work, of) if found.type == NOTE else comment_rights.moderates(work)
        if not allowed:
            raise ForbiddenContext(bool(user))
    password = _password(call)
    if not comment_rights.may_read(work, found, of, password):
        raise CannotRead(bool(user))
    if not comment_rights.reads_record(work, of, password):
        raise CannotReadPost(bool(user), id=of.id)


def _may_create(call: Call) -> None:
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
    of = record.by_id(work.tx, id) if isinstance(id, int) and id > 0 else None
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
    if not comment_rights.reads_record(work, of, _password(call)):
        raise CannotReadPost(True, id=id)
    if of.comment_status != "open" and not notes:
        raise CommentsClosed(id=id)
    call.kept["post"] = of


def _may_change(call: Call) -> None:
    found, of = _found(call)
    if not comment_rights.may_change(call.work, found, of):
        raise CannotEdit(bool(call.work.user))


def _may_remove(call: Call) -> None:
    found, of = _found(call)
    if not comment_rights.may_change(call.work, found, of):
        raise CannotDelete(bool(call.work.user))


# -- handlers


def _listed(call: Call) -> Result:
    work: Work = call.work
    args = call.args
    size, page = args["per_page"], args["page"]
    start = (page - 1) * size
    if offset := args.get("offset"):
        start = abs(offset)
    query = CommentQuery(
        status=_key(args["status"]),
        type=_key(args["type"]),
        post=_positive(args["post"]),
        parent=_positive(args["parent"]),
        parent_exclude=_positive(args["parent_exclude"]),
        include=_positive(args["include"]),
        exclude=_positive(args["exclude"]),
        author=_positive(args.get("author")),
        author_exclude=_positive(args.get("author_exclude")),
        author_email=args.get("author_email") or "",
        search=args.get("search") or "",
        after=_local(work, args.get("after"), "after"),
        before=_local(work, args.get("before"), "before"),
        orderby=args["orderby"],
        descending=args["order"] == "desc",
        size=size,
        start=start,
    )
    found, total = comment_list.listed_page(work, query)
    password = _password(call) if len(query.post) == 1 else ""
    view = view_of(work, found, password)
    found = [one for one in found if comment_rights.may_read(work, one, view.posts[one.post], password)]
    wanted = choice(call.request.raw("_fields"))
    with_links = wanted is None or wanted.names_links()
    body = []
    for one in found:
        shown = SHAPE.members(one, view, args["context"], wanted)
        if with_links:
            shown["_links"] = links(view, one)
        body.append(shown)
    headers, pages = page_headers(call, total, size, page)
    return Result(body, headers=headers, links=pages)


def _key(text: str) -> str:
    return _NO_KEY.sub("", text.lower())


def _positive(values: Any) -> tuple[int, ...]:
    return tuple(dict.fromkeys(abs(value) for value in values or ()))


def _local(work: Work, text: str | None, name: str) -> int | None:
    try:
        return work.zone.settle(times.parse(text))[0] if text else None
    except times.Impossible:
        fault = Fault("rest_invalid_date", f"{name} lies outside the years 1 to 9999.")
        raise InvalidParam({name: fault}) from None


def _read(call: Call) -> Result:
    found, _ = _found(call)
    return _item(call, found, call.args["context"])


def _created(call: Call) -> Result:
    work: Work = call.work
    if call.raw.get("id"):
        raise CommentExists
    type = call.raw.get("type") or "comment"
    if type not in ("comment", NOTE):
        raise UnknownType(type=type)
    agent = call.request.headers.get("user-agent", "")
    made = comments.create(work, call.kept["post"], type, _given(call), _machine(call.request.remote), agent)
    context = EDIT if comment_rights.moderates(work) else VIEW
    # What may be done next is asked about the view that the answer has.
    call.args["context"] = context
    result = _item(call, made, context)
    result.status = 201
    result.headers["Location"] = work.api(f"{PATH}/{made.id}")
    return result


def _changed(call: Call) -> Result:
    found, of = _found(call)
    type = call.raw.get("type")
    if type is not None and type != found.type:
        raise TypeFixed(type=found.type)
    new = comments.change(call.work, of, found, _given(call))
    return _after(call, new)


def _removed(call: Call) -> Result:
    found, _ = _found(call)
    work: Work = call.work
    if not call.args["force"]:
        return _after(call, comments.trash(work, found))
    previous = SHAPE.members(found, view_of(work, [found]), EDIT)
    comments.remove(work, found)
    call.kept.clear()
    return Result({"deleted": True, "previous": previous})


def _after(call: Call, new: Comment) -> Result:
    call.kept.pop("comment", None)
    call.args["context"] = EDIT
    return _item(call, new, EDIT)


def _item(call: Call, one: Comment, context: str) -> Result:
    view: View = view_of(call.work, [one], _password(call))
    wanted = choice(call.request.raw("_fields"))
    return Result(SHAPE.members(one, view, context, wanted), rels=links(view, one))


def _given(call: Call) -> dict[str, Any]:
    return {name: call.args[name] for name in call.args.given if name not in ("id", "mlang_language")}


def _machine(remote: str) -> str:
    try:
        return str(ipaddress.ip_address(remote))
    except ValueError:
        return "127.0.0.1"
