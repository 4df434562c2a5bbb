"""Routes of menus and of the locations where a site shows them.

A menu is a term, so its routes are those of terms, with members and rights of their own. Not here: items
(content/menus/item_routes.py). Rules: docs/rules/menus.md, 1 to 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from vetrina.content.menus import rules as menus
from vetrina.content.terms import languages as term_languages
from vetrina.content.terms.routes import TermRoutes, TermTrashUnsupported, TermView
from vetrina.content.terms.store import Term
from vetrina.content.translations import language_schema
from vetrina.content.types.registry import MENU
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, Fault, PermissionDenied
from vetrina.rest import common_arguments
from vetrina.rest.call import Result
from vetrina.rest.coercion import coerce_array
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Integer, Object, String, ValidationContext
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import CURIES, MemberGetter, Serializer, build_link, parse_field_selection

__all__ = ["CannotViewMenus", "build_routes", "require_menu_view_permission"]

_ALL = (VIEW, EMBED, EDIT)
_FULL = (VIEW, EDIT)
_LOCATIONS_PATH = "/cms/v2/menu-locations"


class CannotViewMenus(PermissionDenied):
    """Menus are for those who write content."""

    code = "rest_cannot_view"
    message = "You may not see menus."


class MenuLocationNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_menu_location_invalid"
    message = "There is no place {name!r}. GET /cms/v2/menu-locations lists them."


def require_menu_view_permission(work: UnitOfWork) -> None:
    """Raise CannotViewMenus for a caller who neither designs the site nor writes records of any type."""
    user = work.user
    if user.can("edit_theme_options") or user.can("edit_posts"):
        return
    if not any(user.can(type.caps["edit_posts"]) for type in work.frame.types.values()):
        raise CannotViewMenus(bool(user))


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of menus and of their locations."""
    context = {"context": common_arguments.build_context_argument()}
    place = {"location": String("Name of the place.")}
    return (
        *MenuRoutes(frame, MENU).build_routes(),
        Route(
            READ,
            _LOCATIONS_PATH,
            _list_menu_locations,
            context,
            _require_locations_permission,
            _build_location_schema,
            errors=(CannotViewMenus,),
            answers="by name",
        ),
        Route(
            READ,
            f"{_LOCATIONS_PATH}/{{location:[\\w-]+}}",
            _read_menu_location,
            {**place, **context},
            _require_locations_permission,
            _build_location_schema,
            errors=(CannotViewMenus, MenuLocationNotFound),
        ),
    )


# -- menus


def _check_locations(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Return the fault of a list with a location that the site does not have."""
    wanted = coerce_array(value)

    def question(work: UnitOfWork) -> str | None:
        known = work.frame.profile.menu_locations
        return next((str(place) for place in wanted or () if place not in known), None)

    unknown = context.query_store(question)
    if unknown is None:
        return None
    return Fault("rest_invalid_menu_location", "Invalid menu location.", {"location": unknown})


class MenuRoutes(TermRoutes):
    """The routes of menus."""

    def build_getters(self) -> Mapping[str, MemberGetter]:
        """Return the getter of each member of a response."""
        return _GETTERS

    def build_view(self, work: UnitOfWork, found: Sequence[Term]) -> TermView:
        """Return what the getters need besides a menu."""
        work.uses("option")
        return TermView(work, self.taxonomy, found, {})

    def _build_fields(self) -> dict[str, Field]:
        return {
            "id": Integer("Number of the menu.", context=_ALL, readonly=True),
            "description": String("What the menu is for, as HTML.", context=_FULL),
            "name": String("Name of the menu, as HTML.", context=_ALL, required=True),
            "slug": String("Name of the menu in addresses; follows the name.", context=_ALL),
            "meta": Object("Extra fields.", context=_FULL),
            "locations": Array("Places where the menu is shown.", items=String(), context=_FULL),
            "auto_add": Boolean("Whether new pages at the top of their tree join the menu.", context=_FULL),
            **language_schema.build_language_fields(self.languages),
        }

    def _build_write_arguments(self, creating: bool = False) -> dict[str, Field]:
        places = Array("Places where the menu is shown.", items=String(), check=_check_locations)
        return {
            **super()._build_write_arguments(creating),
            "locations": places,
            "auto_add": Boolean("Whether new pages at the top of their tree join the menu."),
        }

    def require_list_permission(self, call: Call) -> None:
        """Those who write records of any type or design the site; the editing view is for designers."""
        super().require_list_permission(call)
        require_menu_view_permission(call.work)

    def require_read_permission(self, call: Call) -> None:
        """Those who write records of any type or design the site; the editing view is for designers."""
        super().require_read_permission(call)
        require_menu_view_permission(call.work)

    def create_term(self, call: Call) -> Result:
        work = call.work
        args = call.args
        self._check_parent(call)
        language = term_languages.choose_term_language(work, self.taxonomy, args)
        menu = menus.create_menu(work, args["name"], args.get("description") or "", language)
        menu = term_languages.link_term(work, self.taxonomy, menu, args)
        self._save_menu_options(call, menu)
        args["context"] = EDIT
        result = self._build_term_result(call, menu, EDIT)
        result.status = 201
        result.headers["Location"] = work.api(f"{self.taxonomy.path}/{menu.id}")
        return result

    def update_term(self, call: Call) -> Result:
        menu = self.get_term(call)
        self._check_parent(call)
        menu = term_languages.apply_term_language(call.work, self.taxonomy, menu, call.args)
        menus.move_items_to_language(call.work, menu)
        menu = menus.update_menu(call.work, menu, call.args.get("name"), call.args.get("description"))
        self._save_menu_options(call, menu)
        call.lookups["term"] = (call.args["id"], menu)
        call.args["context"] = EDIT
        return self._build_term_result(call, menu, EDIT)

    def delete_term(self, call: Call) -> Result:
        work = call.work
        menu = self.get_term(call)
        if not call.args["force"]:
            raise TermTrashUnsupported
        previous = self.serializer.serialize(menu, self.build_view(work, (menu,)), EDIT)
        menus.delete_menu(work, menu)
        call.lookups.clear()
        return Result({"deleted": True, "previous": previous})

    def _save_menu_options(self, call: Call, menu: Term) -> None:
        """Set the locations of a menu and whether it takes new pages, where the client sent them."""
        if "locations" in call.args.given_names:
            menus.set_menu_locations(call.work, menu, call.args["locations"])
        if "auto_add" in call.args.given_names:
            menus.set_auto_add(call.work, menu, call.args["auto_add"])

    def _build_links(self, work: UnitOfWork, term: Term) -> dict[str, Any]:
        links = super()._build_links(work, term)
        if places := menus.list_menu_locations(work, term):
            links["cms:menu-location"] = [
                build_link(work.api(f"{_LOCATIONS_PATH}/{place}"), embeddable=True) for place in places
            ]
        return links


_GETTERS: dict[str, MemberGetter] = {
    "id": lambda menu, view: menu.id,
    "description": lambda menu, view: menu.description,
    "name": lambda menu, view: menu.name,
    "slug": lambda menu, view: menu.slug,
    "meta": lambda menu, view: menu.meta,
    "locations": lambda menu, view: menus.list_menu_locations(view.work, menu),
    "auto_add": lambda menu, view: menus.has_auto_add(view.work, menu),
    **language_schema.TERM_GETTERS,
}


# -- locations

_LOCATION_SERIALIZER = Serializer(
    {
        "name": String("Name of the place.", context=_ALL, readonly=True),
        "description": String("What people read of it.", context=_ALL, readonly=True),
        "menu": Integer("Number of the menu that is shown there, 0 for none.", context=_ALL, readonly=True),
    },
    {
        "name": lambda place, view: place,
        "description": lambda place, work: work.frame.profile.menu_locations[place],
        "menu": lambda place, work: menus.find_menu_id(work, place),
    },
)


def _build_location_schema() -> dict[str, Any]:
    return _LOCATION_SERIALIZER.schema("menu-location")


def _require_locations_permission(call: Call) -> None:
    """Those who write records of any type or design the site."""
    require_menu_view_permission(call.work)


def _list_menu_locations(call: Call) -> Result:
    """List the locations where the theme shows menus."""
    work = call.work
    context = call.args["context"]
    return Result(
        {
            place: {
                **_LOCATION_SERIALIZER.serialize(place, work, context),
                "_links": _build_location_links(work, place),
            }
            for place in work.frame.profile.menu_locations
        }
    )


def _read_menu_location(call: Call) -> Result:
    """Read one menu location, with the menu that is assigned to it."""
    work = call.work
    place = call.args["location"]
    if place not in work.frame.profile.menu_locations:
        raise MenuLocationNotFound(name=place)
    wanted = parse_field_selection(call.request.raw("_fields"))
    return Result(
        _LOCATION_SERIALIZER.serialize(place, work, call.args["context"], wanted),
        rels=_build_location_links(work, place),
    )


def _build_location_links(work: UnitOfWork, place: str) -> dict[str, Any]:
    out: dict[str, Any] = {
        "self": [build_link(work.api(f"{_LOCATIONS_PATH}/{place}"), targetHints={"allow": ["GET"]})],
        "collection": [build_link(work.api(_LOCATIONS_PATH))],
    }
    if menu := menus.find_menu_id(work, place):
        out["cms:menu"] = [build_link(work.api(f"{MENU.path}/{menu}"), embeddable=True)]
        out["curies"] = CURIES
    return out
