"""What the site has: its types of records, its taxonomies, the states of records.

Everything is read from the site's frame, so a new type or taxonomy describes itself here. Not here: their members
(content/types/schema.py), the records and terms (content/records/routes.py, content/terms/routes.py).
Rules: facts, "Settings, kinds, states, taxonomies, search".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vetrina.access.users.model import User
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.content.types.schema import NAMESPACE, STATUS, TAXONOMY, TYPE
from vetrina.content.types.statuses import INNER, SHOWN, Status
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest import common_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import EDIT, String
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, Shape, choice, link

__all__ = ["routes"]

_NAME = r"[\w-]+"

# Kinds that exist inside the site only; who asks is told so instead of hearing that there are none.
_INNER_TYPES = frozenset({"revision"})
_INNER_TAXONOMIES = frozenset({"post_format"})


class CannotView(Refused):
    """The editing view of a whole list is for those who edit something of it."""

    code = "rest_cannot_view"
    message = "You may not see {what} in context edit; leave `context` out."


class CannotEditHere(Refused):
    """The editing view of one is for those who edit its records or assign its terms."""

    code = "rest_forbidden_context"
    message = "You may not see {name} in context edit; leave `context` out."


class CannotReadType(Refused):
    code = "rest_cannot_read_type"
    message = "The type {name} is the site's own affair."


class TypeUnknown(ApiError):
    status, code = 404, "rest_type_invalid"
    message = "There is no type {name!r}. GET /cms/v2/types lists them by their names, which are not those of routes."


class TaxonomyHidden(Refused):
    code = "rest_forbidden"
    message = "The taxonomy {name} is the site's own affair."


class TaxonomyUnknown(ApiError):
    status, code = 404, "rest_taxonomy_invalid"
    message = "There is no taxonomy {name!r}. GET /cms/v2/taxonomies lists them by their names."


class CannotReadStatus(Refused):
    code = "rest_cannot_read_status"
    message = "You may not see the state {name}."


class StatusUnknown(ApiError):
    status, code = 404, "rest_status_invalid"
    message = "There is no state {name!r}. GET /cms/v2/statuses lists them."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes that describe types, taxonomies and states."""
    context = {"context": common_arguments.context()}
    of_type = {"type": String("Only the taxonomies of this type of records.", null="keep")}
    return (
        Route(READ, "/cms/v2/types", _list_types, context, _may_list_types, _schema(TYPE, "type"),
              errors=(CannotView,), answers="by name"),
        Route(READ, f"/cms/v2/types/{{type:{_NAME}}}", _read_type, {"type": String("Name of the type."), **context},
              schema=_schema(TYPE, "type"), errors=(TypeUnknown, CannotReadType, CannotEditHere)),
        Route(READ, "/cms/v2/statuses", _list_statuses, context, _may_list_statuses, _schema(STATUS, "status"),
              errors=(CannotView,), answers="by name"),
        Route(READ, f"/cms/v2/statuses/{{status:{_NAME}}}", _read_status,
              {"status": String("Name of the state."), **context}, _may_read_status, _schema(STATUS, "status"),
              errors=(StatusUnknown, CannotReadStatus)),
        Route(READ, "/cms/v2/taxonomies", _list_taxonomies, {**context, **of_type}, _may_list_taxonomies,
              _schema(TAXONOMY, "taxonomy"), errors=(CannotView,), answers="by name"),
        Route(READ, f"/cms/v2/taxonomies/{{taxonomy:{_NAME}}}", _read_taxonomy,
              {"taxonomy": String("Name of the taxonomy."), **context}, _may_read_taxonomy,
              _schema(TAXONOMY, "taxonomy"), errors=(TaxonomyUnknown, TaxonomyHidden, CannotEditHere)),
    )  # fmt: skip


def _schema(shape: Shape, title: str) -> Callable[[], dict[str, Any]]:
    return lambda: shape.schema(title)


def _item_links(work: Work, collection: str, items: str) -> dict[str, Any]:
    return {
        "collection": [link(work.api(f"/{NAMESPACE}/{collection}"))],
        "cms:items": [link(work.api(f"/{NAMESPACE}/{items}"))],
        "curies": CURIES,
    }


def _many(call: Call, shape: Shape, shown: dict[str, Any], links: Callable[[Work, Any], dict[str, Any]]) -> Result:
    """Return an object of what is shown, by name, each with its links."""
    work, context = call.work, call.args["context"]
    return Result(
        {name: {**shape.members(kind, work, context), "_links": links(work, kind)} for name, kind in shown.items()}
    )


def _one(call: Call, shape: Shape, kind: Any, links: Callable[[Work, Any], dict[str, Any]]) -> Result:
    wanted = choice(call.request.raw("_fields"))
    return Result(shape.members(kind, call.work, call.args["context"], wanted), rels=links(call.work, kind))


# -- types


def _may_edit_type(user: User, type: ContentType) -> bool:
    return user.can(type.right("edit_posts"))


def _edits_any(work: Work) -> bool:
    return any(_may_edit_type(work.user, type) for type in work.frame.types.values())


def _may_list_types(call: Call) -> None:
    """Everybody; the editing view is for those who write records of any type."""
    if call.args.get("context") == EDIT and not _edits_any(call.work):
        raise CannotView(bool(call.work.user), what="the types of records")


def _list_types(call: Call) -> Result:
    work: Work = call.work
    editing = call.args["context"] == EDIT
    shown = {
        name: type
        for name, type in work.frame.types.items()
        if type.described and (not editing or _may_edit_type(work.user, type))
    }
    return _many(call, TYPE, shown, _type_links)


def _read_type(call: Call) -> Result:
    work: Work = call.work
    name = call.args["type"]
    if name in _INNER_TYPES:
        raise CannotReadType(bool(work.user), name=name)
    type = work.frame.types.get(name)
    if type is None or not type.described:
        raise TypeUnknown(name=name)
    if call.args["context"] == EDIT and not _may_edit_type(work.user, type):
        raise CannotEditHere(bool(work.user), name=name)
    return _one(call, TYPE, type, _type_links)


def _type_links(work: Work, type: ContentType) -> dict[str, Any]:
    return _item_links(work, "types", type.base)


# -- states


def _may_list_statuses(call: Call) -> None:
    """Everybody, the public ones; the editing view is for those who write records of any type."""
    if call.args.get("context") == EDIT and not _edits_any(call.work):
        raise CannotView(bool(call.work.user), what="the states of records")


def _list_statuses(call: Call) -> Result:
    everything = _edits_any(call.work)
    shown = {name: status for name, status in SHOWN.items() if everything or status.public}
    return _many(call, STATUS, shown, _status_links)


def _may_read_status(call: Call) -> None:
    """Everybody, a public one; others are for those who write records of any type."""
    work: Work = call.work
    name = call.args.get("status")
    status = SHOWN.get(name) if isinstance(name, str) else None
    if status is None and name not in INNER:
        raise StatusUnknown(name=name)
    if status is None or not (status.public or _edits_any(work)):
        raise CannotReadStatus(bool(work.user), name=name)


def _read_status(call: Call) -> Result:
    return _one(call, STATUS, SHOWN[call.args["status"]], _status_links)


def _status_links(work: Work, status: Status) -> dict[str, Any]:
    path = f"/{NAMESPACE}/posts"
    return {"archives": [link(work.api(path if status.name == "publish" else f"{path}?status={status.name}"))]}


# -- taxonomies


def _of_type(call: Call) -> dict[str, Taxonomy]:
    """Return the taxonomies that the filter `type` leaves."""
    name = call.args.get("type")
    taxonomies = call.work.frame.taxonomies
    return {key: one for key, one in taxonomies.items() if one.described and (not name or name in one.types)}


def _may_list_taxonomies(call: Call) -> None:
    """Everybody; the editing view is for those who may assign terms of one of them."""
    work: Work = call.work
    if call.args.get("context") == EDIT and not any(work.user.can(one.assign) for one in _of_type(call).values()):
        raise CannotView(bool(work.user), what="these taxonomies")


def _list_taxonomies(call: Call) -> Result:
    user = call.work.user
    editing = call.args["context"] == EDIT
    shown = {name: one for name, one in _of_type(call).items() if not editing or user.can(one.assign)}
    return _many(call, TAXONOMY, shown, _taxonomy_links)


def _may_read_taxonomy(call: Call) -> None:
    """Everybody, a public one; the editing view is for those who may assign its terms."""
    work: Work = call.work
    name = call.args.get("taxonomy")
    if name in _INNER_TAXONOMIES:
        raise TaxonomyHidden(bool(work.user), name=name)
    taxonomy = work.frame.taxonomies.get(name) if isinstance(name, str) else None
    if taxonomy is not None and call.args.get("context") == EDIT and not work.user.can(taxonomy.assign):
        raise CannotEditHere(bool(work.user), name=name)


def _read_taxonomy(call: Call) -> Result:
    taxonomy = call.work.frame.taxonomies.get(call.args["taxonomy"])
    if taxonomy is None or not taxonomy.described:
        raise TaxonomyUnknown(name=call.args["taxonomy"])
    return _one(call, TAXONOMY, taxonomy, _taxonomy_links)


def _taxonomy_links(work: Work, taxonomy: Taxonomy) -> dict[str, Any]:
    return _item_links(work, "taxonomies", taxonomy.base)
