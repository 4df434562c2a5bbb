"""Routes of comments and notes: the collection and the item.

Not here: members and arguments (content/comments/schema.py), permissions (content/comments/permissions.py), what a
write does (content/comments/rules.py). Rules: docs/rules/comments.md, 2, 5, 6 and 10.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import Any

from vetrina.content.comments import (
    capabilities as comment_capabilities,
    listing as comment_listing,
    permissions as comment_permissions,
    rules as comments,
    schema as comment_schema,
    visibility,
)
from vetrina.content.comments.filters import CommentQuery
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
    compute_comment_state,
)
from vetrina.content.records import model as record_model
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure, Fault, InvalidParam
from vetrina.rest.fields import EDIT, VIEW, Boolean, Integer
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.route import Route

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


def _get_comment(call: Call) -> Comment:
    return get_addressed_comment(call)[0]


def _load_view(call: Call, found: Sequence[Comment]) -> CommentView:
    """Return the view of the comment that a call is about."""
    view = build_comment_view(call.work, found)
    # A comment that is gone has no links; they alone ask for the password, and each guess counts.
    view.opened = not call.args.get("force") and has_valid_password(call, view.posts[found[0].post])
    return view


def _list_comments(call: Call) -> ListPage[Comment]:
    work, args = call.work, call.args
    posts = _normalize_ids(args["post"])
    alone = record_model.find_record(work.tx, posts[0]) if len(posts) == 1 else None
    query = CommentQuery(
        readable=True, opened=alone is not None and has_valid_password(call, alone),
        status=_normalize_key(args["status"]), type=_normalize_key(args["type"]), post=posts,
        parent=_normalize_ids(args["parent"]), parent_exclude=_normalize_ids(args["parent_exclude"]),
        include=_normalize_ids(args["include"]), exclude=_normalize_ids(args["exclude"]),
        author=_normalize_ids(args.get("author")), author_exclude=_normalize_ids(args.get("author_exclude")),
        author_email=args.get("author_email") or "", search=args.get("search") or "",
        after=_parse_local_date(work, args.get("after"), "after"),
        before=_parse_local_date(work, args.get("before"), "before"), orderby=args["orderby"],
        descending=args["order"] == "desc", limit=args["per_page"], offset=compute_page_offset(args, zero_counts=False),
    )  # fmt: skip
    found, total = comment_listing.list_comments(work, query)
    view = build_comment_view(work, found, query.opened)
    shown = [one for one in found if visibility.may_read_comment(work, one, view.posts[one.post], view.opened)]
    return ListPage(shown, total, view=view)


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


def _create_comment(call: Call) -> Comment:
    if call.raw.get("id"):
        raise CommentExists
    type = call.raw.get("type") or "comment"
    if type not in ("comment", NOTE):
        raise UnknownCommentType(type=type)
    agent, address = call.request.headers.get("user-agent", ""), _normalize_ip_address(call.request.remote)
    made = comments.create_comment(
        call.work, call.lookups["post"], type, _extract_written_members(call), address, agent
    )
    # `Allow` is computed for the view that the response has.
    call.args["context"] = EDIT if comment_capabilities.may_moderate_comments(call.work) else VIEW
    return made


def _update_comment(call: Call, found: Comment) -> Comment:
    _, of = get_addressed_comment(call)
    type = call.raw.get("type")
    if type is not None and type != found.type:
        raise CommentTypeFixed(type=found.type)
    new = comments.update_comment(call.work, of, found, _extract_written_members(call))
    call.lookups.pop("comment", None)
    call.args["context"] = EDIT
    return new


def _delete_comment(call: Call, found: Comment) -> Comment | None:
    if call.args["force"]:
        comments.delete_comment(call.work, found)
        call.lookups.clear()
        return None
    trashed = comments.trash_comment(call.work, found)
    call.lookups.pop("comment", None)
    call.args["context"] = EDIT
    return trashed


def _extract_written_members(call: Call) -> dict[str, Any]:
    return {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}


def _normalize_ip_address(remote: str) -> str:
    try:
        return str(ipaddress.ip_address(remote))
    except ValueError:
        return "127.0.0.1"


_PASSWORD_ARGUMENT = {"password": comment_schema.PASSWORD}

COMMENTS = Resource(
    title="comment",
    path=PATH,
    key={"id": Integer("Number of the comment.")},
    serializer=COMMENT_SERIALIZER,
    load_view=_load_view,
    find=_get_comment,
    guard=WriteGuard(compute_comment_state, context=EDIT, in_links=True),
    force=Boolean("Whether to remove for good instead of moving to the trash.", default=False),
    deleted="previous",
    build_view_links=build_comment_links,
    list=Operation(
        _list_comments, comment_permissions.require_list_permission, comment_schema.build_list_arguments(),
        comment_permissions.LIST_ERRORS,
    ),
    create=Operation(
        _create_comment, comment_permissions.require_create_permission,
        comment_schema.build_write_arguments(creating=True),
        (
            *comment_permissions.CREATE_ERRORS, CommentExists, UnknownCommentType, CommentAuthorInvalid,
            CommentContentInvalid, CommentAuthorDataRequired,
        ),
    ),
    read=Operation(
        _get_comment, comment_permissions.require_read_permission, _PASSWORD_ARGUMENT, comment_permissions.READ_ERRORS
    ),
    update=Operation(
        _update_comment, comment_permissions.require_update_permission, comment_schema.build_write_arguments(),
        (
            CommentNotFound, CannotEditComment, CommentTypeFixed, CommentAuthorInvalid, CommentPostInvalid,
            CommentContentInvalid,
        ),
    ),
    delete=Operation(
        _delete_comment, comment_permissions.require_delete_permission, _PASSWORD_ARGUMENT,
        (CommentNotFound, CannotDeleteComment, CommentAlreadyTrashed),
    ),
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of comments."""
    return COMMENTS.build_routes()
