"""Routes of menus and of the locations where a site shows them.

A menu is a term, so its routes are those of terms, with members and rights of their own. Not here: items
(content/menus/item_routes.py). Rules: docs/rules/menus.md, 1 and 3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from vetrina.content.menus import public_menus, rules as menus
from vetrina.content.menus.permissions import (
    CannotViewMenus,
    may_view_all_menus,
    require_location_permission,
    require_menu_view_permission,
)
from vetrina.content.terms import saved_language as term_language
from vetrina.content.terms.routes import TermRoutes, TermView
from vetrina.content.terms.store import Term
from vetrina.content.translations import language_schema
from vetrina.content.types.registry import MENU
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, Fault
from vetrina.rest import common_arguments
from vetrina.rest.coercion import coerce_array
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Integer, Object, String, ValidationContext
from vetrina.rest.preconditions import build_state_word
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import Route
from vetrina.rest.serializer import CURIES, MemberGetter, Serializer, build_link, read_attributes

_ALL = (VIEW, EMBED, EDIT)
_FULL = (VIEW, EDIT)
_LOCATIONS_PATH = "/cms/v2/menu-locations"


class MenuLocationNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_menu_location_invalid"
    message = "There is no place {name!r}. GET /cms/v2/menu-locations lists them."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of menus and of their locations."""
    return (*MenuRoutes(site, MENU).build_routes(), *LOCATIONS.build_routes())


# -- menus


def _check_locations(value: Any, name: str, context: ValidationContext) -> Fault | None:
    """Return the fault of a list with a location that the site does not have."""
    wanted = coerce_array(value)

    def question(work: UnitOfWork) -> str | None:
        known = work.site.profile.menu_locations
        return next((str(place) for place in wanted or () if place not in known), None)

    unknown = context.query_store(question)
    if unknown is None:
        return None
    return Fault("rest_invalid_menu_location", "Invalid menu location.", {"location": unknown})


@dataclass(slots=True)
class MenuView(TermView):
    """What serializing menus needs besides them. whole: whether the caller may see all of them."""

    whole: bool = False


class MenuRoutes(TermRoutes):
    """The routes of menus."""

    links_tell_state = False

    def build_getters(self) -> Mapping[str, MemberGetter]:
        """Return the getter of each member of a response."""
        return _GETTERS

    def load_view(self, call: Call, found: Sequence[Term]) -> MenuView:
        """Return what the getters need besides a menu."""
        call.work.uses("option")
        return MenuView(call.work, self.taxonomy, found, {}, whole=may_view_all_menus(call.work))

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
        """Those who write records of any type or design the site, everybody for public ones; editing: designers."""
        super().require_list_permission(call)
        require_menu_view_permission(call.work, public=bool(public_menus.list_public_locations(call.work)))

    def require_read_permission(self, call: Call) -> None:
        """Those who write records of any type or design the site, everybody for public ones; editing: designers."""
        super().require_read_permission(call)
        public = self.get_term(call).id in public_menus.list_public_menu_ids(call.work)
        require_menu_view_permission(call.work, public)

    def list_terms(self, call: Call) -> ListPage[Term]:
        if not may_view_all_menus(call.work):
            public, asked = public_menus.list_public_menu_ids(call.work), call.args["include"]
            # No menu has the number 0, and an empty list would ask for all.
            call.args["include"] = [id for id in asked or sorted(public) if id in public] or [0]
        return super().list_terms(call)

    def create_term(self, call: Call) -> Term:
        work, args = call.work, call.args
        self.check_parent(call)
        language = term_language.choose_term_language(work, self.taxonomy, args)
        menu = menus.create_menu(work, args["name"], args.get("description") or "", language)
        menu = term_language.link_term(work, self.taxonomy, menu, args)
        self._save_menu_options(call, menu)
        args["context"] = EDIT
        return menu

    def update_term(self, call: Call, menu: Term) -> Term:
        self.check_parent(call)
        menu = term_language.apply_term_language(call.work, self.taxonomy, menu, call.args)
        menus.move_items_to_language(call.work, menu)
        menu = menus.update_menu(call.work, menu, call.args.get("name"), call.args.get("description"))
        self._save_menu_options(call, menu)
        call.lookups["term"] = (call.args["id"], menu)
        call.args["context"] = EDIT
        return menu

    def delete_term(self, call: Call, menu: Term) -> None:
        menus.delete_menu(call.work, menu)
        call.lookups.clear()

    def _save_menu_options(self, call: Call, menu: Term) -> None:
        """Set the locations of a menu and whether it takes new pages, where the client sent them."""
        if "locations" in call.args.given_names:
            menus.set_menu_locations(call.work, menu, call.args["locations"])
        if "auto_add" in call.args.given_names:
            menus.set_auto_add(call.work, menu, call.args["auto_add"])

    def compute_state(self, term: Term, view: Any) -> str:
        """Return the state of a menu: its members, its places, and every save of its items."""
        work = view.work
        return build_state_word(
            term.id,
            (term.name, term.description, term.meta, term.language),
            (sorted(menus.list_menu_locations(work, term)), menus.has_auto_add(work, term)),
            menus.list_item_versions(work, term),
        )

    def build_links(self, call: Call, term: Term) -> Links:
        links = super().build_links(call, term)
        if places := _list_shown_locations(call.work, term, may_view_all_menus(call.work)):
            links["cms:menu-location"] = [
                build_link(call.work.api(f"{_LOCATIONS_PATH}/{place}"), embeddable=True) for place in places
            ]
        return links


def _list_shown_locations(work: UnitOfWork, menu: Term, whole: bool) -> list[str]:
    found, public = menus.list_menu_locations(work, menu), public_menus.list_public_locations(work)
    return [place for place in found if whole or place in public]


# Visitors are not told what only those who look after a menu need: its description and whether it takes new pages.
_GETTERS: dict[str, MemberGetter] = {
    **read_attributes("id", "name", "slug", "meta"),
    "description": lambda menu, view: menu.description if view.whole else "",
    "locations": lambda menu, view: _list_shown_locations(view.work, menu, view.whole),
    "auto_add": lambda menu, view: view.whole and menus.has_auto_add(view.work, menu),
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
        "description": lambda place, work: work.site.profile.menu_locations[place],
        "menu": lambda place, work: menus.find_menu_id(work, place),
    },
)


def _list_menu_locations(call: Call) -> ListPage[str]:
    work = call.work
    whole = may_view_all_menus(work)
    return ListPage(list(work.site.profile.menu_locations if whole else public_menus.list_public_locations(work)))


def get_menu_location(call: Call) -> str:
    """Return the location that the call addresses. Raises MenuLocationNotFound."""
    place: str = call.args["location"]
    if place not in call.work.site.profile.menu_locations:
        raise MenuLocationNotFound(name=place)
    return place


def _build_location_links(call: Call, place: str) -> Links:
    work = call.work
    out: Links = {
        "self": [build_link(work.api(f"{_LOCATIONS_PATH}/{place}"), targetHints={"allow": ["GET"]})],
        "collection": [build_link(work.api(_LOCATIONS_PATH))],
    }
    if menu := menus.find_menu_id(work, place):
        out["cms:menu"] = [build_link(work.api(f"{MENU.path}/{menu}"), embeddable=True)]
        out["curies"] = CURIES
    return out


LOCATIONS = Resource(
    title="menu-location",
    path=_LOCATIONS_PATH,
    item=r"{location:[\w-]+}",
    key={"location": String("Name of the place.")},
    identify=str,
    serializer=_LOCATION_SERIALIZER,
    find=get_menu_location,
    by_name=True,
    build_links=_build_location_links,
    list=Operation(
        _list_menu_locations, require_location_permission, {"context": common_arguments.build_context_argument()},
        (CannotViewMenus,), summary="List the locations where the theme shows menus.",
    ),
    read=Operation(
        get_menu_location, require_location_permission, errors=(CannotViewMenus, MenuLocationNotFound),
        summary="Read one menu location, with the menu that is assigned to it.",
    ),
)  # fmt: skip
