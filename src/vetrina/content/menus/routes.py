"""Menus and the places where a site shows them.

A menu is a term, so its routes are those of terms with members and rights of their own. Not here: items
(content/menus/item_routes.py). Rules: facts, "Menus, menu items, places".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.content.menus import rules as menus
from vetrina.content.terms import languages as term_languages
from vetrina.content.terms.routes import NoTrash, TermRoutes, TermView
from vetrina.content.terms.store import Term
from vetrina.content.translations import language_schema
from vetrina.content.types.registry import MENU
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Fault, Refused
from vetrina.rest import common_arguments
from vetrina.rest.call import Call, Result
from vetrina.rest.coercion import array
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Asked, Boolean, Field, Integer, Object, String
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, Getter, Shape, choice, link

__all__ = ["CannotView", "check_view", "routes"]

_ALL = (VIEW, EMBED, EDIT)
_FULL = (VIEW, EDIT)
_PLACES = "/cms/v2/menu-locations"


class CannotView(Refused):
    """Menus are for those who write something."""

    code = "rest_cannot_view"
    message = "You may not see menus."


class PlaceUnknown(ApiError):
    status, code = 404, "rest_menu_location_invalid"
    message = "There is no place {name!r}. GET /cms/v2/menu-locations lists them."


def check_view(work: Work) -> None:
    """Raise CannotView for a caller who neither designs the site nor writes any type of its records."""
    user = work.user
    if user.can("edit_theme_options") or user.can("edit_posts"):
        return
    if not any(user.can(type.caps["edit_posts"]) for type in work.frame.types.values()):
        raise CannotView(bool(user))


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of menus and of their places."""
    context = {"context": common_arguments.context()}
    place = {"location": String("Name of the place.")}
    return (
        *MenuRoutes(frame, MENU).routes(),
        Route(READ, _PLACES, _list_places, context, _may_see_places, _places_schema, errors=(CannotView,),
              answers="by name"),
        Route(READ, f"{_PLACES}/{{location:[\\w-]+}}", _read_place, {**place, **context}, _may_see_places,
              _places_schema, errors=(CannotView, PlaceUnknown)),
    )  # fmt: skip


# -- menus


def _known_places(value: Any, name: str, asked: Asked) -> Fault | None:
    """Return why a list names a place that the site does not have."""
    wanted = array(value)

    def question(work: Work) -> str | None:
        known = work.frame.profile.menu_locations
        return next((str(place) for place in wanted or () if place not in known), None)

    unknown = asked.look(question)
    if unknown is None:
        return None
    return Fault("rest_invalid_menu_location", "Invalid menu location.", {"location": unknown})


class MenuRoutes(TermRoutes):
    """The routes of menus."""

    def getters(self) -> Mapping[str, Getter]:
        """Return where each member of an answer comes from."""
        return _GETTERS

    def view(self, work: Work, found: Sequence[Term]) -> TermView:
        """Return what the getters need beside a menu."""
        work.uses("option")
        return TermView(work, self.taxonomy, found, {})

    def _fields(self) -> dict[str, Field]:
        return {
            "id": Integer("Number of the menu.", context=_ALL, readonly=True),
            "description": String("What the menu is for, as HTML.", context=_FULL),
            "name": String("Name of the menu, as HTML.", context=_ALL, required=True),
            "slug": String("Name of the menu in addresses; follows the name.", context=_ALL),
            "meta": Object("Extra fields.", context=_FULL),
            "locations": Array("Places where the menu is shown.", items=String(), context=_FULL),
            "auto_add": Boolean("Whether new pages at the top of their tree join the menu.", context=_FULL),
            **language_schema.fields(self.languages),
        }

    def _members(self, creating: bool = False) -> dict[str, Field]:
        places = Array("Places where the menu is shown.", items=String(), check=_known_places)
        return {
            **super()._members(creating),
            "locations": places,
            "auto_add": Boolean("Whether new pages at the top of their tree join the menu."),
        }

    def may_list(self, call: Call) -> None:
        """Those who write records of any type or design the site; the editing view is for designers."""
        super().may_list(call)
        check_view(call.work)

    def may_see(self, call: Call) -> None:
        """Those who write records of any type or design the site; the editing view is for designers."""
        super().may_see(call)
        check_view(call.work)

    def created(self, call: Call) -> Result:
        work: Work = call.work
        args = call.args
        self._refuse_parent(call)
        language = term_languages.of_new(work, self.taxonomy, args)
        menu = menus.create(work, args["name"], args.get("description") or "", language)
        menu = term_languages.linked(work, self.taxonomy, menu, args)
        self._settle(call, menu)
        args["context"] = EDIT
        result = self._item(call, menu, EDIT)
        result.status = 201
        result.headers["Location"] = work.api(f"{self.taxonomy.path}/{menu.id}")
        return result

    def changed(self, call: Call) -> Result:
        menu = self._term(call)
        self._refuse_parent(call)
        menu = term_languages.placed(call.work, self.taxonomy, menu, call.args)
        menus.take_items_along(call.work, menu)
        menu = menus.change(call.work, menu, call.args.get("name"), call.args.get("description"))
        self._settle(call, menu)
        call.kept["term"] = (call.args["id"], menu)
        call.args["context"] = EDIT
        return self._item(call, menu, EDIT)

    def removed(self, call: Call) -> Result:
        work: Work = call.work
        menu = self._term(call)
        if not call.args["force"]:
            raise NoTrash
        previous = self.shape.members(menu, self.view(work, (menu,)), EDIT)
        menus.remove(work, menu)
        call.kept.clear()
        return Result({"deleted": True, "previous": previous})

    def _settle(self, call: Call, menu: Term) -> None:
        """Set the places of a menu and whether it takes new pages, where the client says so."""
        if "locations" in call.args.given:
            menus.put_at(call.work, menu, call.args["locations"])
        if "auto_add" in call.args.given:
            menus.set_adds_pages(call.work, menu, call.args["auto_add"])

    def _links(self, work: Work, term: Term) -> dict[str, Any]:
        links = super()._links(work, term)
        if places := menus.places_of(work, term):
            links["cms:menu-location"] = [link(work.api(f"{_PLACES}/{place}"), embeddable=True) for place in places]
        return links


_GETTERS: dict[str, Getter] = {
    "id": lambda menu, view: menu.id,
    "description": lambda menu, view: menu.description,
    "name": lambda menu, view: menu.name,
    "slug": lambda menu, view: menu.slug,
    "meta": lambda menu, view: menu.meta,
    "locations": lambda menu, view: menus.places_of(view.work, menu),
    "auto_add": lambda menu, view: menus.adds_pages(view.work, menu),
    **language_schema.TERM_GETTERS,
}


# -- places

_PLACE = Shape(
    {
        "name": String("Name of the place.", context=_ALL, readonly=True),
        "description": String("What people read of it.", context=_ALL, readonly=True),
        "menu": Integer("Number of the menu that is shown there, 0 for none.", context=_ALL, readonly=True),
    },
    {
        "name": lambda place, view: place,
        "description": lambda place, work: work.frame.profile.menu_locations[place],
        "menu": lambda place, work: menus.menu_at(work, place),
    },
)


def _places_schema() -> dict[str, Any]:
    return _PLACE.schema("menu-location")


def _may_see_places(call: Call) -> None:
    """Those who write records of any type or design the site."""
    check_view(call.work)


def _list_places(call: Call) -> Result:
    """List the places where the theme shows menus."""
    work: Work = call.work
    context = call.args["context"]
    return Result(
        {
            place: {**_PLACE.members(place, work, context), "_links": _place_links(work, place)}
            for place in work.frame.profile.menu_locations
        }
    )


def _read_place(call: Call) -> Result:
    """Read one place for a menu, with the menu that stands there."""
    work: Work = call.work
    place = call.args["location"]
    if place not in work.frame.profile.menu_locations:
        raise PlaceUnknown(name=place)
    wanted = choice(call.request.raw("_fields"))
    return Result(_PLACE.members(place, work, call.args["context"], wanted), rels=_place_links(work, place))


def _place_links(work: Work, place: str) -> dict[str, Any]:
    out: dict[str, Any] = {
        "self": [link(work.api(f"{_PLACES}/{place}"), targetHints={"allow": ["GET"]})],
        "collection": [link(work.api(_PLACES))],
    }
    if menu := menus.menu_at(work, place):
        out["cms:menu"] = [link(work.api(f"{MENU.path}/{menu}"), embeddable=True)]
        out["curies"] = CURIES
    return out
