"""Routes that describe the site: its content types, taxonomies and statuses.

Everything is read from the site context, so a new type or taxonomy is described without a change here. Not here: the
members (content/types/schema.py). Rules: docs/rules/types.md, 1 to 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.content.types.schema import NAMESPACE, STATUS_SERIALIZER, TAXONOMY_SERIALIZER, TYPE_SERIALIZER
from vetrina.content.types.statuses import INNER_STATUSES, SHOWN_STATUSES, RecordStatus
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest import common_arguments
from vetrina.rest.call import Result
from vetrina.rest.fields import EDIT, String
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, Serializer, build_link, parse_field_selection

__all__ = ["build_routes"]

_NAME = r"[\w-]+"

# Internal types; a request for one is forbidden, not 404.
_INTERNAL_TYPES = frozenset({"revision"})
_INTERNAL_TAXONOMIES = frozenset({"post_format"})


class CannotViewKinds(PermissionDenied):
    """The editing view of the whole list is for those who edit something in it."""

    code = "rest_cannot_view"
    message = "You may not see {what} in context edit; leave `context` out."


class ForbiddenKindContext(PermissionDenied):
    """The editing view of one type or taxonomy is for those who edit its records or assign its terms."""

    code = "rest_forbidden_context"
    message = "You may not see {name} in context edit; leave `context` out."


class CannotReadType(PermissionDenied):
    code = "rest_cannot_read_type"
    message = "The type {name} is the site's own affair."


class ContentTypeNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_type_invalid"
    message = "There is no type {name!r}. GET /cms/v2/types lists them by their names, which are not those of routes."


class TaxonomyHidden(PermissionDenied):
    code = "rest_forbidden"
    message = "The taxonomy {name} is the site's own affair."


class TaxonomyNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_taxonomy_invalid"
    message = "There is no taxonomy {name!r}. GET /cms/v2/taxonomies lists them by their names."


class CannotReadStatus(PermissionDenied):
    code = "rest_cannot_read_status"
    message = "You may not see the state {name}."


class RecordStatusNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_status_invalid"
    message = "There is no state {name!r}. GET /cms/v2/statuses lists them."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes that describe types, taxonomies and statuses."""
    context = {"context": common_arguments.build_context_argument()}
    of_type = {"type": String("Only the taxonomies of this type of records.", null="keep")}
    return (
        Route(
            READ,
            "/cms/v2/types",
            _list_types,
            context,
            _require_types_list_permission,
            _make_schema_builder(TYPE_SERIALIZER, "type"),
            errors=(CannotViewKinds,),
            answers="by name",
        ),
        Route(
            READ,
            f"/cms/v2/types/{{type:{_NAME}}}",
            _read_type,
            {"type": String("Name of the type."), **context},
            schema=_make_schema_builder(TYPE_SERIALIZER, "type"),
            errors=(ContentTypeNotFound, CannotReadType, ForbiddenKindContext),
        ),
        Route(
            READ,
            "/cms/v2/statuses",
            _list_statuses,
            context,
            _require_statuses_list_permission,
            _make_schema_builder(STATUS_SERIALIZER, "status"),
            errors=(CannotViewKinds,),
            answers="by name",
        ),
        Route(
            READ,
            f"/cms/v2/statuses/{{status:{_NAME}}}",
            _read_status,
            {"status": String("Name of the state."), **context},
            _require_status_read_permission,
            _make_schema_builder(STATUS_SERIALIZER, "status"),
            errors=(RecordStatusNotFound, CannotReadStatus),
        ),
        Route(
            READ,
            "/cms/v2/taxonomies",
            _list_taxonomies,
            {**context, **of_type},
            _require_taxonomies_list_permission,
            _make_schema_builder(TAXONOMY_SERIALIZER, "taxonomy"),
            errors=(CannotViewKinds,),
            answers="by name",
        ),
        Route(
            READ,
            f"/cms/v2/taxonomies/{{taxonomy:{_NAME}}}",
            _read_taxonomy,
            {"taxonomy": String("Name of the taxonomy."), **context},
            _require_taxonomy_read_permission,
            _make_schema_builder(TAXONOMY_SERIALIZER, "taxonomy"),
            errors=(TaxonomyNotFound, TaxonomyHidden, ForbiddenKindContext),
        ),
    )


def _make_schema_builder(shape: Serializer, title: str) -> Callable[[], dict[str, Any]]:
    return lambda: shape.schema(title)


def _build_item_links(work: UnitOfWork, collection: str, items: str) -> dict[str, Any]:
    return {
        "collection": [build_link(work.api(f"/{NAMESPACE}/{collection}"))],
        "cms:items": [build_link(work.api(f"/{NAMESPACE}/{items}"))],
        "curies": CURIES,
    }


def _build_list_result(
    call: Call, shape: Serializer, shown: dict[str, Any], links: Callable[[UnitOfWork, Any], dict[str, Any]]
) -> Result:
    """Return an object with the serialized kinds by name, each with its links."""
    work, context = call.work, call.args["context"]
    return Result(
        {name: {**shape.serialize(kind, work, context), "_links": links(work, kind)} for name, kind in shown.items()}
    )


def _build_item_result(
    call: Call, shape: Serializer, kind: Any, links: Callable[[UnitOfWork, Any], dict[str, Any]]
) -> Result:
    wanted = parse_field_selection(call.request.raw("_fields"))
    return Result(shape.serialize(kind, call.work, call.args["context"], wanted), rels=links(call.work, kind))


# -- types


def _may_edit_type(user: User, type: ContentType) -> bool:
    return user.can(type.right("edit_posts"))


def _may_edit_any_type(work: UnitOfWork) -> bool:
    return any(_may_edit_type(work.user, type) for type in work.frame.types.values())


def _require_types_list_permission(call: Call) -> None:
    """Everybody; the editing view is for those who write records of any type."""
    if call.args.get("context") == EDIT and not _may_edit_any_type(call.work):
        raise CannotViewKinds(bool(call.work.user), what="the types of records")


def _list_types(call: Call) -> Result:
    work = call.work
    editing = call.args["context"] == EDIT
    shown = {
        name: type
        for name, type in work.frame.types.items()
        if type.described and (not editing or _may_edit_type(work.user, type))
    }
    return _build_list_result(call, TYPE_SERIALIZER, shown, _build_type_links)


def _read_type(call: Call) -> Result:
    work = call.work
    name = call.args["type"]
    if name in _INTERNAL_TYPES:
        raise CannotReadType(bool(work.user), name=name)
    type = work.frame.types.get(name)
    if type is None or not type.described:
        raise ContentTypeNotFound(name=name)
    if call.args["context"] == EDIT and not _may_edit_type(work.user, type):
        raise ForbiddenKindContext(bool(work.user), name=name)
    return _build_item_result(call, TYPE_SERIALIZER, type, _build_type_links)


def _build_type_links(work: UnitOfWork, type: ContentType) -> dict[str, Any]:
    return _build_item_links(work, "types", type.base)


# -- statuses


def _require_statuses_list_permission(call: Call) -> None:
    """Everybody for the public ones; the editing view is for those who write records of any type."""
    if call.args.get("context") == EDIT and not _may_edit_any_type(call.work):
        raise CannotViewKinds(bool(call.work.user), what="the states of records")


def _list_statuses(call: Call) -> Result:
    everything = _may_edit_any_type(call.work)
    shown = {name: status for name, status in SHOWN_STATUSES.items() if everything or status.public}
    return _build_list_result(call, STATUS_SERIALIZER, shown, _build_status_links)


def _require_status_read_permission(call: Call) -> None:
    """Everybody for a public one; others are for those who write records of any type."""
    work = call.work
    name = call.args.get("status")
    status = SHOWN_STATUSES.get(name) if isinstance(name, str) else None
    if status is None and name not in INNER_STATUSES:
        raise RecordStatusNotFound(name=name)
    if status is None or not (status.public or _may_edit_any_type(work)):
        raise CannotReadStatus(bool(work.user), name=name)


def _read_status(call: Call) -> Result:
    return _build_item_result(call, STATUS_SERIALIZER, SHOWN_STATUSES[call.args["status"]], _build_status_links)


def _build_status_links(work: UnitOfWork, status: RecordStatus) -> dict[str, Any]:
    path = f"/{NAMESPACE}/posts"
    return {"archives": [build_link(work.api(path if status.name == "publish" else f"{path}?status={status.name}"))]}


# -- taxonomies


def _filter_taxonomies(call: Call) -> dict[str, Taxonomy]:
    """Return the taxonomies that match the filter `type`."""
    name = call.args.get("type")
    taxonomies = call.work.frame.taxonomies
    return {key: one for key, one in taxonomies.items() if one.described and (not name or name in one.types)}


def _require_taxonomies_list_permission(call: Call) -> None:
    """Everybody; the editing view is for those who may assign terms of one of them."""
    work = call.work
    if call.args.get("context") == EDIT and not any(
        work.user.can(one.assign) for one in _filter_taxonomies(call).values()
    ):
        raise CannotViewKinds(bool(work.user), what="these taxonomies")


def _list_taxonomies(call: Call) -> Result:
    user = call.work.user
    editing = call.args["context"] == EDIT
    shown = {name: one for name, one in _filter_taxonomies(call).items() if not editing or user.can(one.assign)}
    return _build_list_result(call, TAXONOMY_SERIALIZER, shown, _build_taxonomy_links)


def _require_taxonomy_read_permission(call: Call) -> None:
    """Everybody for a public one; the editing view is for those who may assign its terms."""
    work = call.work
    name = call.args.get("taxonomy")
    if name in _INTERNAL_TAXONOMIES:
        raise TaxonomyHidden(bool(work.user), name=name)
    taxonomy = work.frame.taxonomies.get(name) if isinstance(name, str) else None
    if taxonomy is not None and call.args.get("context") == EDIT and not work.user.can(taxonomy.assign):
        raise ForbiddenKindContext(bool(work.user), name=name)


def _read_taxonomy(call: Call) -> Result:
    taxonomy = call.work.frame.taxonomies.get(call.args["taxonomy"])
    if taxonomy is None or not taxonomy.described:
        raise TaxonomyNotFound(name=call.args["taxonomy"])
    return _build_item_result(call, TAXONOMY_SERIALIZER, taxonomy, _build_taxonomy_links)


def _build_taxonomy_links(work: UnitOfWork, taxonomy: Taxonomy) -> dict[str, Any]:
    return _build_item_links(work, "taxonomies", taxonomy.base)
