"""Routes of comments and notes: the collection and the item.

Not here: members and arguments (content/comments/schema.py), permissions (content/comments/permissions.py), what a
write does (content/comments/rules.py). Rules: docs/rules/comments.md, 2, 5, 6 and 10.
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from vetrina.content.comments import (
    listing as comment_listing,
    permissions as comment_permissions,
    rights as comment_rights,
    rules as comments,
    schema as comment_schema,
)
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.comments.model import NOTE, Comment
from vetrina.content.comments.permissions import (
    CannotDeleteComment,
    CannotEditComment,
    get_addressed_comment,
    has_valid_password,
)
from vetrina.content.comments.rules import (
    CommentAlreadyTrashed,
    CommentAuthorDataRequired,
    CommentAuthorInvalid,
    CommentContentInvalid,
    CommentNotFound,
    CommentPostInvalid,
)
from vetrina.content.comments.schema import (
    COMMENT_SERIALIZER,
    PATH,
    CommentView,
    build_comment_links,
    build_comment_view,
)
from vetrina.content.records import model as record_model
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, VIEW
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import parse_field_selection

__all__ = ["build_routes"]

_NON_KEY_CHARACTERS = re.compile(r"[^a-z0-9_-]+")


class CommentExists(ApiError):
    """A creation contains an id."""

    code = "rest_comment_exists"
    message = "A new comment has no `id` yet; to change one, send to its own address."


class UnknownCommentType(ApiError):
    """There are two types of comments."""

    code = "rest_invalid_comment_type"
    message = "A comment is a `comment` or a `note`, not {type!r}."


class CommentTypeFixed(ApiError):
    """The type of a comment never changes."""

    failure, code = Failure.NOT_FOUND, "rest_comment_invalid_type"
    message = "This is a {type}; that cannot be changed."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of comments."""
    item = f"{PATH}/{{id}}"
    return (
        Route(
            READ,
            PATH,
            _list_comments,
            comment_schema.build_list_arguments(),
            comment_permissions.require_list_permission,
            _build_comment_schema,
            errors=comment_permissions.LIST_ERRORS,
        ),
        Route(
            WRITE,
            PATH,
            _create_comment,
            comment_schema.build_write_arguments(creating=True),
            comment_permissions.require_create_permission,
            _build_comment_schema,
            errors=(
                *comment_permissions.CREATE_ERRORS,
                CommentExists,
                UnknownCommentType,
                CommentAuthorInvalid,
                CommentContentInvalid,
                CommentAuthorDataRequired,
            ),
        ),
        Route(
            READ,
            item,
            _read_comment,
            comment_schema.build_item_arguments(),
            comment_permissions.require_read_permission,
            _build_comment_schema,
            errors=comment_permissions.READ_ERRORS,
        ),
        Route(
            CHANGE,
            item,
            _update_comment,
            comment_schema.build_write_arguments(),
            comment_permissions.require_update_permission,
            _build_comment_schema,
            errors=(
                CommentNotFound,
                CannotEditComment,
                CommentTypeFixed,
                CommentAuthorInvalid,
                CommentPostInvalid,
                CommentContentInvalid,
            ),
        ),
        Route(
            REMOVE,
            item,
            _delete_comment,
            comment_schema.build_delete_arguments(),
            comment_permissions.require_delete_permission,
            _build_comment_schema,
            errors=(CommentNotFound, CannotDeleteComment, CommentAlreadyTrashed),
        ),
    )


def _build_comment_schema() -> dict[str, Any]:
    return COMMENT_SERIALIZER.schema("comment")


def _list_comments(call: Call) -> Result:
    work = call.work
    args = call.args
    size, page = args["per_page"], args["page"]
    start = (page - 1) * size
    if offset := args.get("offset"):
        start = abs(offset)
    posts = _normalize_ids(args["post"])
    alone = record_model.find_record(work.tx, posts[0]) if len(posts) == 1 else None
    query = CommentQuery(
        readable=True,
        opened=alone is not None and has_valid_password(call, alone),
        status=_normalize_key(args["status"]),
        type=_normalize_key(args["type"]),
        post=posts,
        parent=_normalize_ids(args["parent"]),
        parent_exclude=_normalize_ids(args["parent_exclude"]),
        include=_normalize_ids(args["include"]),
        exclude=_normalize_ids(args["exclude"]),
        author=_normalize_ids(args.get("author")),
        author_exclude=_normalize_ids(args.get("author_exclude")),
        author_email=args.get("author_email") or "",
        search=args.get("search") or "",
        after=_parse_local_date(work, args.get("after"), "after"),
        before=_parse_local_date(work, args.get("before"), "before"),
        orderby=args["orderby"],
        descending=args["order"] == "desc",
        size=size,
        start=start,
    )
    found, total = comment_listing.list_comments(work, query)
    view = build_comment_view(work, found, query.opened)
    found = [one for one in found if comment_rights.may_read_comment(work, one, view.posts[one.post], view.opened)]
    wanted = parse_field_selection(call.request.raw("_fields"))
    with_links = wanted is None or wanted.has_links()
    body = []
    for one in found:
        shown = COMMENT_SERIALIZER.serialize(one, view, args["context"], wanted)
        if with_links:
            shown["_links"] = build_comment_links(view, one)
        body.append(shown)
    headers, pages = build_page_headers(call, total, size, page)
    return Result(body, headers=headers, links=pages)


def _normalize_key(text: str) -> str:
    return _NON_KEY_CHARACTERS.sub("", text.lower())


def _normalize_ids(values: Any) -> tuple[int, ...]:
    return tuple(dict.fromkeys(abs(value) for value in values or ()))


def _parse_local_date(work: UnitOfWork, text: str | None, name: str) -> int | None:
    try:
        return work.zone.resolve_local(times.parse_date_time(text))[0] if text else None
    except times.DateTimeOutOfRange:
        fault = Fault("rest_invalid_date", f"{name} lies outside the years 1 to 9999.")
        raise InvalidParam({name: fault}) from None


def _read_comment(call: Call) -> Result:
    found, _ = get_addressed_comment(call)
    return _build_comment_result(call, found, call.args["context"])


def _create_comment(call: Call) -> Result:
    work = call.work
    if call.raw.get("id"):
        raise CommentExists
    type = call.raw.get("type") or "comment"
    if type not in ("comment", NOTE):
        raise UnknownCommentType(type=type)
    agent = call.request.headers.get("user-agent", "")
    made = comments.create_comment(
        work,
        call.lookups["post"],
        type,
        _extract_written_members(call),
        _normalize_ip_address(call.request.remote),
        agent,
    )
    context = EDIT if comment_rights.may_moderate_comments(work) else VIEW
    # `Allow` is computed for the view that the response has.
    call.args["context"] = context
    result = _build_comment_result(call, made, context)
    result.status = 201
    result.headers["Location"] = work.api(f"{PATH}/{made.id}")
    return result


def _update_comment(call: Call) -> Result:
    found, of = get_addressed_comment(call)
    type = call.raw.get("type")
    if type is not None and type != found.type:
        raise CommentTypeFixed(type=found.type)
    new = comments.update_comment(call.work, of, found, _extract_written_members(call))
    return _build_updated_result(call, new)


def _delete_comment(call: Call) -> Result:
    found, _ = get_addressed_comment(call)
    work = call.work
    if not call.args["force"]:
        return _build_updated_result(call, comments.trash_comment(work, found))
    previous = COMMENT_SERIALIZER.serialize(found, build_comment_view(work, [found]), EDIT)
    comments.delete_comment(work, found)
    call.lookups.clear()
    return Result({"deleted": True, "previous": previous})


def _build_updated_result(call: Call, new: Comment) -> Result:
    call.lookups.pop("comment", None)
    call.args["context"] = EDIT
    return _build_comment_result(call, new, EDIT)


def _build_comment_result(call: Call, comment: Comment, context: str) -> Result:
    view: CommentView = build_comment_view(call.work, [comment])
    view.opened = has_valid_password(call, view.posts[comment.post])
    wanted = parse_field_selection(call.request.raw("_fields"))
    return Result(COMMENT_SERIALIZER.serialize(comment, view, context, wanted), rels=build_comment_links(view, comment))


def _extract_written_members(call: Call) -> dict[str, Any]:
    return {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}


def _normalize_ip_address(remote: str) -> str:
    try:
        return str(ipaddress.ip_address(remote))
    except ValueError:
        return "127.0.0.1"
