"""Collections of font families to choose from: read only, they come with the software.

Rules: facts, "Fonts". Here the list is no file of another host, so it is never empty for want of a network.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.records.listing import InvalidPage
from vetrina.content.types.registry import FONT_FAMILY
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.fonts import rules as fonts
from vetrina.design.fonts import settings as font_settings
from vetrina.design.fonts.rules import Collection
from vetrina.kernel.errors import ApiError, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context, paging
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Field, Object, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, choice

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_PATH: Final = "/cms/v2/font-collections"


class CannotRead(Refused):
    code = "rest_cannot_read"
    message = "You may not see collections of fonts."


class CollectionUnknown(ApiError):
    status, code = 404, "rest_font_collection_not_found"
    message = "There is no collection of fonts {slug!r}. GET /cms/v2/font-collections lists them."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of font collections."""
    listed: dict[str, Field] = {"context": context(), **paging()}
    del listed["search"]
    return (
        Route(READ, _PATH, _list, listed, _may_read, _schema),
        Route(READ, f"{_PATH}/{{slug:[\\/\\w-]+}}", _read, {"context": context()}, _may_read, _schema),
    )


def _may_read(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if not user.can(FONT_FAMILY.caps["edit_posts"]):
        raise CannotRead(bool(user))


def _list(call: Call) -> Result:
    page, per_page = call.args["page"], call.args["per_page"]
    found = list(fonts.collections().values())
    last = -(-len(found) // per_page)
    if page > last and found:
        raise InvalidPage(page=page, last=last)
    headers, pages = page_headers(call, len(found), per_page, page)
    body = [_shown(call, one) for one in found[(page - 1) * per_page : page * per_page]]
    return Result(body, headers=headers, links=pages)


def _read(call: Call) -> Result:
    slug = call.raw["slug"]
    found = fonts.collections().get(slug)
    if found is None:
        raise CollectionUnknown(slug=slug)
    return Result(_members(call, found), rels=_links(call.work, found))


def _shown(call: Call, one: Collection) -> dict[str, Any]:
    return {**_members(call, one), "_links": _links(call.work, one)}


def _members(call: Call, one: Collection) -> dict[str, Any]:
    return _SHAPE.members(one, None, call.args["context"], choice(call.request.raw("_fields")))


def _links(work: Work, one: Collection) -> dict[str, Any]:
    path = work.api(_PATH)
    own = {"href": f"{path}/{one.slug}", "targetHints": {"allow": ["GET"]}}
    return {"self": [own], "collection": [{"href": path}]}


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("font-collection")


_OFFER = Object(
    properties={
        "font_family_settings": font_settings.FAMILY,
        "categories": Array("Names of its categories.", items=String()),
    }
)
_CATEGORY = Object(properties={"name": String("Name as people read it."), "slug": String("Name as machines read it.")})
_SHAPE = Shape(
    {
        "slug": String("Name of the collection.", context=_ALL, readonly=True),
        "name": String("Its name as people read it.", context=_ALL, readonly=True),
        "description": String("What is in it.", context=_ALL, readonly=True),
        "font_families": Array("The families of the collection.", items=_OFFER, context=_ALL, readonly=True),
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
