"""Collections of font families to choose from: read only, shipped with the software.

Rules: docs/rules/fonts.md, 8. The list is not fetched from another host, so it never depends on a network.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.records.listing import InvalidRecordPage
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.design.fonts import collections as font_collections, permissions, settings as font_settings
from vetrina.design.fonts.collections import FontCollection
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.common_arguments import build_context_argument, build_paging_arguments
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Field, Object, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import Serializer, read_attributes

_ALL = (VIEW, EDIT, EMBED)


class FontCollectionNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_font_collection_not_found"
    message = "There is no collection of fonts {slug!r}. GET /cms/v2/font-collections lists them."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of font collections."""
    return FONT_COLLECTIONS.build_routes()


_require_read_permission = permissions.build_font_permission(permissions.CannotReadFontCollections)


def _list_font_collections(call: Call) -> ListPage[FontCollection]:
    page, per_page = call.args["page"], call.args["per_page"]
    found = list(font_collections.list_collections().values())
    last = -(-len(found) // per_page)
    if page > last and found:
        raise InvalidRecordPage(page=page, last=last)
    return ListPage(found[(page - 1) * per_page : page * per_page], len(found))


def _get_font_collection(call: Call) -> FontCollection:
    slug = call.raw["slug"]
    found = font_collections.list_collections().get(slug)
    if found is None:
        raise FontCollectionNotFound(slug=slug)
    return found


def _build_links(call: Call, collection: FontCollection) -> Links:
    path = call.work.api(FONT_COLLECTIONS.path)
    own = {"href": f"{path}/{collection.slug}", "targetHints": {"allow": ["GET"]}}
    return {"self": [own], "collection": [{"href": path}]}


def _build_list_arguments() -> dict[str, Field]:
    return {
        name: field
        for name, field in {"context": build_context_argument(), **build_paging_arguments()}.items()
        if name != "search"
    }


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
        **read_attributes("slug", "name", "description"),
        "font_families": lambda one, view: list(one.families),
        "categories": lambda one, view: list(one.categories),
    },
)

FONT_COLLECTIONS: Final = Resource(
    title="font-collection",
    path="/cms/v2/font-collections",
    item="{slug:[\\/\\w-]+}",
    serializer=_SERIALIZER,
    build_links=_build_links,
    find=_get_font_collection,
    list=Operation(_list_font_collections, _require_read_permission, _build_list_arguments()),
    read=Operation(_get_font_collection, _require_read_permission),
)
