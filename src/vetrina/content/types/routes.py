"""Routes that describe the site: its content types, taxonomies and statuses.

Everything is read from the site context, so a new type or taxonomy is described without a change here. Not here: the
members (content/types/schema.py). Rules: docs/rules/types.md, 1 to 4.
"""

from __future__ import annotations

from operator import attrgetter

from vetrina.access.roles.capabilities import may_assign_any_terms, may_edit_records
from vetrina.content.types.model import ContentType, Taxonomy
from vetrina.content.types.schema import NAMESPACE, STATUS_SERIALIZER, TAXONOMY_SERIALIZER, TYPE_SERIALIZER
from vetrina.content.types.statuses import INNER_STATUSES, SHOWN_STATUSES, RecordStatus
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import CURIES, build_link

_CONTEXT = {"context": build_context_argument()}

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


def _build_item_links(work: UnitOfWork, collection: str, items: str) -> Links:
    return {
        "collection": [build_link(work.api(f"/{NAMESPACE}/{collection}"))],
        "cms:items": [build_link(work.api(f"/{NAMESPACE}/{items}"))],
        "curies": CURIES,
    }


# -- types


def _may_edit_type(user: User, type: ContentType) -> bool:
    return may_edit_records(user, type)


def _may_edit_any_type(work: UnitOfWork) -> bool:
    return any(_may_edit_type(work.user, type) for type in work.site.types.values())


def _require_types_list_permission(call: Call) -> None:
    """Everybody; the editing view is for those who write records of any type."""
    if call.args.get("context") == EDIT and not _may_edit_any_type(call.work):
        raise CannotViewKinds(bool(call.work.user), what="the types of records")


def _list_types(call: Call) -> ListPage[ContentType]:
    work, editing = call.work, call.args["context"] == EDIT
    return ListPage([
        type for type in work.site.types.values()
        if type.described and (not editing or _may_edit_type(work.user, type))
    ])  # fmt: skip


def _get_type(call: Call) -> ContentType:
    work, name = call.work, call.args["type"]
    if name in _INTERNAL_TYPES:
        raise CannotReadType(bool(work.user), name=name)
    type = work.site.types.get(name)
    if type is None or not type.described:
        raise ContentTypeNotFound(name=name)
    if call.args["context"] == EDIT and not _may_edit_type(work.user, type):
        raise ForbiddenKindContext(bool(work.user), name=name)
    return type


def _build_type_links(call: Call, type: ContentType) -> Links:
    return _build_item_links(call.work, "types", type.base)


TYPES = Resource(
    title="type",
    path=f"/{NAMESPACE}/types",
    item=r"{type:[\w-]+}",
    key={"type": String("Name of the type.")},
    identify=attrgetter("name"),
    serializer=TYPE_SERIALIZER,
    find=_get_type,
    by_name=True,
    build_links=_build_type_links,
    list=Operation(_list_types, _require_types_list_permission, _CONTEXT, (CannotViewKinds,)),
    read=Operation(_get_type, errors=(ContentTypeNotFound, CannotReadType, ForbiddenKindContext)),
)


# -- statuses


def _require_statuses_list_permission(call: Call) -> None:
    """Everybody for the public ones; the editing view is for those who write records of any type."""
    if call.args.get("context") == EDIT and not _may_edit_any_type(call.work):
        raise CannotViewKinds(bool(call.work.user), what="the states of records")


def _list_statuses(call: Call) -> ListPage[RecordStatus]:
    everything = _may_edit_any_type(call.work)
    return ListPage([status for status in SHOWN_STATUSES.values() if everything or status.public])


def _require_status_read_permission(call: Call) -> None:
    """Everybody for a public one; others are for those who write records of any type."""
    work = call.work
    name = call.args.get("status")
    status = SHOWN_STATUSES.get(name) if isinstance(name, str) else None
    if status is None and name not in INNER_STATUSES:
        raise RecordStatusNotFound(name=name)
    if status is None or not (status.public or _may_edit_any_type(work)):
        raise CannotReadStatus(bool(work.user), name=name)


def _get_status(call: Call) -> RecordStatus:
    return SHOWN_STATUSES[call.args["status"]]


def _build_status_links(call: Call, status: RecordStatus) -> Links:
    path = call.work.api(f"/{NAMESPACE}/posts")
    return {"archives": [build_link(path if status.name == "publish" else f"{path}?status={status.name}")]}


STATUSES = Resource(
    title="status",
    path=f"/{NAMESPACE}/statuses",
    item=r"{status:[\w-]+}",
    key={"status": String("Name of the state.")},
    identify=attrgetter("name"),
    serializer=STATUS_SERIALIZER,
    find=_get_status,
    by_name=True,
    build_links=_build_status_links,
    list=Operation(_list_statuses, _require_statuses_list_permission, _CONTEXT, (CannotViewKinds,)),
    read=Operation(_get_status, _require_status_read_permission, errors=(RecordStatusNotFound, CannotReadStatus)),
)


# -- taxonomies


def _filter_taxonomies(call: Call) -> list[Taxonomy]:
    """Return the taxonomies that match the filter `type`."""
    name = call.args.get("type")
    taxonomies = call.work.site.taxonomies.values()
    return [one for one in taxonomies if one.described and (not name or name in one.types)]


def _require_taxonomies_list_permission(call: Call) -> None:
    """Everybody; the editing view is for those who may assign terms of one of them."""
    work = call.work
    if call.args.get("context") == EDIT and not any(
        may_assign_any_terms(work.user, one) for one in _filter_taxonomies(call)
    ):
        raise CannotViewKinds(bool(work.user), what="these taxonomies")


def _list_taxonomies(call: Call) -> ListPage[Taxonomy]:
    user, editing = call.work.user, call.args["context"] == EDIT
    return ListPage([one for one in _filter_taxonomies(call) if not editing or may_assign_any_terms(user, one)])


def _require_taxonomy_read_permission(call: Call) -> None:
    """Everybody for a public one; the editing view is for those who may assign its terms."""
    work = call.work
    name = call.args.get("taxonomy")
    if name in _INTERNAL_TAXONOMIES:
        raise TaxonomyHidden(bool(work.user), name=name)
    taxonomy = work.site.taxonomies.get(name) if isinstance(name, str) else None
    if taxonomy is not None and call.args.get("context") == EDIT and not may_assign_any_terms(work.user, taxonomy):
        raise ForbiddenKindContext(bool(work.user), name=name)


def _get_taxonomy(call: Call) -> Taxonomy:
    taxonomy = call.work.site.taxonomies.get(call.args["taxonomy"])
    if taxonomy is None or not taxonomy.described:
        raise TaxonomyNotFound(name=call.args["taxonomy"])
    return taxonomy


def _build_taxonomy_links(call: Call, taxonomy: Taxonomy) -> Links:
    return _build_item_links(call.work, "taxonomies", taxonomy.base)


TAXONOMIES = Resource(
    title="taxonomy",
    path=f"/{NAMESPACE}/taxonomies",
    item=r"{taxonomy:[\w-]+}",
    key={"taxonomy": String("Name of the taxonomy.")},
    identify=attrgetter("name"),
    serializer=TAXONOMY_SERIALIZER,
    find=_get_taxonomy,
    by_name=True,
    build_links=_build_taxonomy_links,
    list=Operation(
        _list_taxonomies, _require_taxonomies_list_permission,
        {**_CONTEXT, "type": String("Only the taxonomies of this type of records.", null="keep")}, (CannotViewKinds,),
    ),
    read=Operation(
        _get_taxonomy, _require_taxonomy_read_permission,
        errors=(TaxonomyNotFound, TaxonomyHidden, ForbiddenKindContext),
    ),
)  # fmt: skip


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes that describe types, statuses and taxonomies."""
    return (*TYPES.build_routes(), *STATUSES.build_routes(), *TAXONOMIES.build_routes())
