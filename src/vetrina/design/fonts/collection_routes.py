"""Collections of font families to choose from: read only, shipped with the software.

Rules: docs/rules/fonts.md, 8. The list is not fetched from another host, so it never depends on a network.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.listing import InvalidRecordPage
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.design.fonts import rules as fonts, settings as font_settings
from vetrina.design.fonts.rules import FontCollection
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument, build_paging_arguments
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Field, Object, String
from vetrina.rest.paging import build_page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, parse_field_selection

__all__ = ["build_routes"]

_ALL = (VIEW, EDIT, EMBED)
_PATH: Final = "/cms/v2/font-collections"


class CannotReadFontCollections(PermissionDenied):
    code = "rest_cannot_read"
    message = "You may not see collections of fonts."


class FontCollectionNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_font_collection_not_found"
    message = "There is no collection of fonts {slug!r}. GET /cms/v2/font-collections lists them."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of font collections."""
    listed: dict[str, Field] = {"context": build_context_argument(), **build_paging_arguments()}
    del listed["search"]
    return (
        Route(READ, _PATH, _list_font_collections, listed, _require_read_permission, _build_font_collection_schema),
        Route(
            READ,
            f"{_PATH}/{{slug:[\\/\\w-]+}}",
            _read_font_collection,
            {"context": build_context_argument()},
            _require_read_permission,
            _build_font_collection_schema,
        ),
    )


def _require_read_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if not user.can(FONT_FAMILY.caps["edit_posts"]):
        raise CannotReadFontCollections(bool(user))


def _list_font_collections(call: Call) -> Result:
    page, per_page = call.args["page"], call.args["per_page"]
    found = list(fonts.list_collections().values())
    last = -(-len(found) // per_page)
    if page > last and found:
        raise InvalidRecordPage(page=page, last=last)
    headers, pages = build_page_headers(call, len(found), per_page, page)
    body = [_serialize_linked_collection(call, one) for one in found[(page - 1) * per_page : page * per_page]]
    return Result(body, headers=headers, links=pages)


def _read_font_collection(call: Call) -> Result:
    slug = call.raw["slug"]
    found = fonts.list_collections().get(slug)
    if found is None:
        raise FontCollectionNotFound(slug=slug)
    return Result(_serialize_collection(call, found), rels=_build_links(call.work, found))


def _serialize_linked_collection(call: Call, collection: FontCollection) -> dict[str, Any]:
    return {**_serialize_collection(call, collection), "_links": _build_links(call.work, collection)}


def _serialize_collection(call: Call, collection: FontCollection) -> dict[str, Any]:
    return _SERIALIZER.serialize(
        collection, None, call.args["context"], parse_field_selection(call.request.raw("_fields"))
    )


def _build_links(work: UnitOfWork, collection: FontCollection) -> dict[str, Any]:
    path = work.api(_PATH)
    own = {"href": f"{path}/{collection.slug}", "targetHints": {"allow": ["GET"]}}
    return {"self": [own], "collection": [{"href": path}]}


def _build_font_collection_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("font-collection")


_FAMILY_OFFER = Object(
    properties={
        "font_family_settings": font_settings.FAMILY_SETTINGS,
        "categories": Array("Names of its categories.", items=String()),
    }
)
_CATEGORY = Object(properties={"name": String("Name as people read it."), "slug": String("Name as machines read it.")})
_SERIALIZER = Serializer(
    {
        "slug": String("Name of the collection.", context=_ALL, readonly=True),
        "name": String("Its name as people read it.", context=_ALL, readonly=True),
        "description": String("What is in it.", context=_ALL, readonly=True),
        "font_families": Array("The families of the collection.", items=_FAMILY_OFFER, context=_ALL, readonly=True),
        "categories": Array("How its families are grouped.", items=_CATEGORY, context=_ALL, readonly=True),
    },
    {
        "slug": lambda one, view: one.slug,
        "name": lambda one, view: one.name,
        "description": lambda one, view: one.description,
        "font_families": lambda one, view: list(one.families),
        "categories": lambda one, view: list(one.categories),
    },
)
