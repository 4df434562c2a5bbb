"""The route that answers the menu of a location whole, as a tree.

Rules: docs/rules/menus.md, 11 and 12.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.content.menus import item_originals, public_menus, rules as menus
from vetrina.content.menus.permissions import CannotViewMenus, list_hidden_kinds, require_location_permission
from vetrina.content.menus.public_menus import MenuTreeItem
from vetrina.content.menus.routes import MenuLocationNotFound, get_menu_location
from vetrina.content.terms import store as term_store
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.site_paths import get_relative_url
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Integer, Object, String
from vetrina.rest.route import READ, Route

_PATH: Final = "/cms/v2/menu-locations/{location:[\\w-]+}/tree"
_MEMBERS: Final[dict[str, Field]] = {
    "id": Integer("Number of the item."),
    "title": String("What the link says, as HTML."),
    "url": String("Where it leads."),
    "path": String("The same from the root of the host; null where it leads to another site.", nullable=True),
    "target": String("Where it opens: `_blank`, or empty."),
    "attr_title": String("Text of the link's title attribute."),
    "description": String("What it leads to."),
    "classes": Array("Class names of the link.", items=String()),
    "xfn": Array("How this site and the link's target are related.", items=String()),
    "type": String("What it points to.", enum=("taxonomy", "post_type", "post_type_archive", "custom")),
    "object": String("Type or taxonomy of what it points to."),
    "object_id": Integer("Number of what it points to."),
    "href": String("Address of what it points to in this interface; null for none.", nullable=True),
}


def _build_item_field(depth: int) -> Object:
    """Return the schema of an item; depth: levels of items there may be below it."""
    below = Array(items=_build_item_field(depth - 1)) if depth else Array(max_items=0)
    return Object(properties={**_MEMBERS, "children": below.replace(help="The items below it, of the same form.")})


_TREE: Final = Object(
    properties={
        "location": String("Name of the place."),
        "description": String("What people read of it."),
        "lang": String("Language of the menu, empty without one."),
        "menu": Integer("Number of the menu that is shown there, 0 for none."),
        "name": String("Name of the menu."),
        "items": Array("The items at the top, in their order.", items=_build_item_field(public_menus.MAX_DEPTH - 1)),
    }
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the tree."""
    return (
        Route(
            READ, _PATH, _read_menu_tree, {"location": String("Name of the place.")}, require_location_permission,
            errors=(CannotViewMenus, MenuLocationNotFound), answers=_TREE,
        ),
    )  # fmt: skip


def _read_menu_tree(call: Call) -> Result:
    """Read the menu of a location as a tree, with what visitors see of it."""
    work, place = call.work, get_menu_location(call)
    id = menus.find_menu_id(work, place)
    menu = term_store.find_term(work.tx, id) if id else None
    found = public_menus.list_public_items(work, id, list_hidden_kinds(call)) if menu else []
    return Result(
        {
            "location": place,
            "description": work.site.profile.menu_locations[place],
            "lang": menu.language if menu else "",
            "menu": id,
            "name": menu.name if menu else "",
            "items": [_serialize_item(work, one) for one in public_menus.build_menu_tree(found)],
        }
    )


def _serialize_item(work: UnitOfWork, one: MenuTreeItem) -> dict[str, Any]:
    item, shown = one.item, one.shown
    return {
        "id": item.record.id,
        "title": shown.html,
        "url": shown.url,
        "path": get_relative_url(work.origin, shown.url),
        "target": item.target,
        "attr_title": item.record.excerpt,
        "description": item_originals.format_item_description(item.record),
        "classes": [name for name in item.classes if name],
        "xfn": [name for name in item.xfn if name],
        "type": item.kind,
        "object": item.object,
        "object_id": item.object_id,
        "href": work.api(shown.original[0]) if shown.original else None,
        "children": [_serialize_item(work, child) for child in one.children],
    }
