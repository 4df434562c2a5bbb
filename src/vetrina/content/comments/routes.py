"""Comments and notes on records: the collection and the item.

Not here: members and arguments (content/comments/schema.py), who may (content/comments/permissions.py), what a write
does (content/comments/rules.py). Rules: facts, "Comments".
"""

from __future__ import annotations

import ipaddress
import re
from typing import Any

from vetrina.content.comments import listing as comment_listing
from vetrina.content.comments import permissions as comment_permissions
from vetrina.content.comments import rights as comment_rights
from vetrina.content.comments import rules as comments
from vetrina.content.comments import schema as comment_schema
from vetrina.content.comments.listing import CommentQuery
from vetrina.content.comments.model import NOTE, Comment
from vetrina.content.comments.permissions import CannotDelete, CannotEdit, addressed, opens
from vetrina.content.comments.rules import (
    AlreadyTrashed,
    AuthorDataRequired,
    AuthorInvalid,
    CommentUnknown,
    ContentInvalid,
    PostInvalid,
)
from vetrina.content.comments.schema import PATH, SHAPE, View, links, view_of
from vetrina.content.records import model as record_model
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Fault, InvalidParam
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, VIEW
from vetrina.rest.paging import page_headers
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import choice

__all__ = ["routes"]

_NO_KEY = re.compile(r"[^a-z0-9_-]+")


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


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of comments."""
    item = f"{PATH}/{{id}}"
    return (
        Route(READ, PATH, _listed, comment_schema.filters(), comment_permissions.may_list, _schema,
              errors=comment_permissions.LISTING),
        Route(WRITE, PATH, _created, comment_schema.members(creating=True), comment_permissions.may_create, _schema,
              errors=(*comment_permissions.CREATING, CommentExists, UnknownType, AuthorInvalid, ContentInvalid,
                      AuthorDataRequired)),
        Route(READ, item, _read, comment_schema.single(), comment_permissions.may_see, _schema,
              errors=comment_permissions.SEEING),
        Route(CHANGE, item, _changed, comment_schema.members(), comment_permissions.may_change, _schema,
              errors=(CommentUnknown, CannotEdit, TypeFixed, AuthorInvalid, PostInvalid, ContentInvalid)),
        Route(REMOVE, item, _removed, comment_schema.removal(), comment_permissions.may_remove, _schema,
              errors=(CommentUnknown, CannotDelete, AlreadyTrashed)),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return SHAPE.schema("comment")


def _listed(call: Call) -> Result:
    work: Work = call.work
    args = call.args
    size, page = args["per_page"], args["page"]
    start = (page - 1) * size
    if offset := args.get("offset"):
        start = abs(offset)
    posts = _positive(args["post"])
    alone = record_model.by_id(work.tx, posts[0]) if len(posts) == 1 else None
    query = CommentQuery(
        readable=True,
        opened=alone is not None and opens(call, alone),
        status=_key(args["status"]),
        type=_key(args["type"]),
        post=posts,
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
    found, total = comment_listing.listed_page(work, query)
    view = view_of(work, found, query.opened)
    found = [one for one in found if comment_rights.may_read(work, one, view.posts[one.post], view.opened)]
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
    found, _ = addressed(call)
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
    found, of = addressed(call)
    type = call.raw.get("type")
    if type is not None and type != found.type:
        raise TypeFixed(type=found.type)
    new = comments.change(call.work, of, found, _given(call))
    return _after(call, new)


def _removed(call: Call) -> Result:
    found, _ = addressed(call)
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
    view: View = view_of(call.work, [one])
    view.opened = opens(call, view.posts[one.post])
    wanted = choice(call.request.raw("_fields"))
    return Result(SHAPE.members(one, view, context, wanted), rels=links(view, one))


def _given(call: Call) -> dict[str, Any]:
    return {name: call.args[name] for name in call.args.given if name not in ("id", "mlang_language")}


def _machine(remote: str) -> str:
    try:
        return str(ipaddress.ip_address(remote))
    except ValueError:
        return "127.0.0.1"
