"""How an item of a menu is shown and written: its members, their getters, its links, the arguments of its routes.

Not here: the routes and who may (content/menus/item_routes.py). Rules: interface.md, "Menu item writable fields";
facts, "Menu items".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vetrina.access.roles.capabilities import may_publish, unfiltered
from vetrina.access.users.text_rules import web_address
from vetrina.content.menus import item_model, item_originals
from vetrina.content.menus.item_model import MenuItem
from vetrina.content.menus.item_originals import Shown
from vetrina.content.records import lifecycle
from vetrina.content.records import meta as record_meta
from vetrina.content.records import schema as record_schema
from vetrina.content.records.model import Record
from vetrina.content.records.views import methods
from vetrina.content.terms import store as term_store
from vetrina.content.translations import language_schema
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import Fault
from vetrina.rest.coercion import array
from vetrina.rest.fields import ABSENT, EDIT, EMBED, VIEW, Array, Asked, Boolean, Field, Integer, Object, String
from vetrina.rest.serializer import CURIES, Getter, Shape, link

__all__ = ["SHAPE", "View", "links", "list_arguments", "schema", "view_of", "write_arguments"]

_ALL = (VIEW, EDIT, EMBED)
_FULL = (VIEW, EDIT)

# With an order of its own, as pages have one: that is what its list can be narrowed to and sorted by.
_LISTED = replace(MENU_ITEM, supports=frozenset({"title", "page-attributes"}))


@dataclass(slots=True)
class View:
    """What showing the items of one answer needs to know beside them: what each shows, and its menu; by number."""

    work: Work
    context: str
    items: Mapping[int, MenuItem]
    shown: Mapping[int, Shown]
    menus: Mapping[int, int]
    groups: dict[int, dict[str, dict[str, Any]]] | None = None

    def translations(self, of: Record) -> dict[str, dict[str, Any]]:
        """Return an item's group; the first time it is asked for those of all that are shown."""
        if self.groups is None:
            shown = [item.record for item in self.items.values()]
            links = {id: one.url for id, one in self.shown.items()}
            self.groups = language_schema.translations_of(self.work, MENU_ITEM, shown, links)
        return self.groups.get(of.translations, {})


def view_of(work: Work, records: Sequence[Record], context: str) -> View:
    """Return the view of some items; what they point to is read at once."""
    items = item_model.of_records(work, records)
    held = term_store.of_records(work.tx, list(items))
    menus = {id: found[0].id for id, found in held.items() if found}
    return View(work, context, items, item_originals.shown(work, list(items.values())), menus)


def links(view: View, of: Record) -> dict[str, Any]:
    """Return the `_links` of an item."""
    work = view.work
    path, api = MENU_ITEM.path, work.root
    href = f"{api}{path}/{of.id}"
    out: dict[str, Any] = {
        "self": [link(href, targetHints={"allow": methods(work, MENU_ITEM, of)})],
        "collection": [link(f"{api}{path}")],
        "about": [link(f"{api}/cms/v2/types/{MENU_ITEM.name}")],
        "cms:term": [link(f"{api}{MENU.path}?post={of.id}", embeddable=True, taxonomy=MENU.name)],
    }
    if original := view.shown[of.id].original:
        place, relation, name = original
        out["cms:menu-item-object"] = [link(f"{api}{place}", embeddable=True, **{relation: name})]
    if view.context == EDIT:
        out.update({f"cms:action-{action}": [link(href)] for action in _actions(work)})
    out["curies"] = CURIES
    return out


def _actions(work: Work) -> list[str]:
    user = work.user
    out = ["publish"] if may_publish(user, MENU_ITEM) else []
    if unfiltered(user):
        out.append("unfiltered-html")
    if user.can(MENU.assign):
        out += [f"create-{MENU.base}", f"assign-{MENU.base}"]
    return out


# -- members


def _good_address(value: Any, name: str, asked: Asked) -> Fault | None:
    if not isinstance(value, str) or value == "" or web_address(value):
        return None
    return Fault("rest_invalid_url", "Invalid URL.")


def _object(value: Any, name: str, asked: Asked) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


_NAMES = String()
_FIELDS: dict[str, Field] = {
    "title": Object(
        "Title of the item; that of its original where it has none.",
        {
            "raw": String("Title as it is stored.", context=(EDIT,)),
            "rendered": String("Title as it is shown, as HTML.", context=_ALL, readonly=True),
        },
        context=_ALL,
        extra={"type": ["string", "object"]},
    ),
    "id": Integer("Number of the item.", context=_ALL, readonly=True),
    "type_label": String("What people call the kind of its original.", context=_ALL, readonly=True),
    "type": String(
        "What it points to.", enum=("taxonomy", "post_type", "post_type_archive", "custom"), default="custom",
        context=_ALL,
    ),
    "status": String("Named status of the item.", enum=lifecycle.WRITABLE, default="publish", context=_ALL),
    "parent": Integer("Number of the item above.", default=0, minimum=0, context=_ALL),
    "attr_title": String("Text of the link's title attribute.", context=_ALL),
    "classes": Array("Class names of the link.", items=_NAMES, context=_ALL),
    "description": String("What the link leads to.", context=_ALL),
    "menu_order": Integer("Place among the items of its menu.", default=1, minimum=1, context=_ALL),
    "object": String("Type or taxonomy of the original.", context=_ALL),
    "object_id": Integer("Number of the original.", default=0, minimum=0, context=_ALL),
    "target": String("Where the link opens.", enum=("_blank", ""), context=_ALL),
    "url": String("Address that it leads to.", format="uri", context=_ALL),
    "xfn": Array("How the site and the link's target are related.", items=_NAMES, context=_ALL),
    "invalid": Boolean("Whether it leads nowhere.", context=_ALL, readonly=True),
    "menus": Integer("Number of its menu.", context=_FULL),
    "meta": Object("Registered extra fields.", record_meta.fields_of(MENU_ITEM), context=_FULL),
    **language_schema.fields(),
}  # fmt: skip

_GETTERS: dict[str, Getter] = {
    "title": lambda r, v: {"raw": v.shown[r.id].title, "rendered": v.shown[r.id].html},
    "id": lambda r, v: r.id,
    "type_label": lambda r, v: v.shown[r.id].type_label,
    "type": lambda r, v: v.items[r.id].kind,
    "status": lambda r, v: r.status,
    "parent": lambda r, v: v.items[r.id].parent,
    "attr_title": lambda r, v: r.excerpt,
    "classes": lambda r, v: v.items[r.id].classes,
    "description": lambda r, v: item_originals.description(r),
    "menu_order": lambda r, v: r.menu_order,
    "object": lambda r, v: v.items[r.id].object,
    "object_id": lambda r, v: v.items[r.id].object_id,
    "target": lambda r, v: v.items[r.id].target,
    "url": lambda r, v: v.shown[r.id].url,
    "xfn": lambda r, v: v.items[r.id].xfn,
    "invalid": lambda r, v: v.shown[r.id].invalid,
    "menus": lambda r, v: v.menus.get(r.id),
    "meta": lambda r, v: record_meta.shown(MENU_ITEM, r.meta),
    "lang": lambda r, v: r.language,
    "translations": lambda r, v: v.translations(r),
}

SHAPE = Shape(_FIELDS, _GETTERS)


def schema() -> dict[str, Any]:
    """Return the schema of an item, as OPTIONS shows it."""
    return SHAPE.schema(MENU_ITEM.name)


# -- arguments


def _listed_names(value: Any, name: str, asked: Asked) -> Fault | None:
    """Return why a value is no list of names; text is cut at its blanks."""
    return Array(items=_NAMES).fault(array(value) if isinstance(value, str) else value, name)


def write_arguments(creating: bool = False) -> dict[str, Field]:
    """Return the arguments that write an item."""
    out: dict[str, Field] = {}
    for name, one in _FIELDS.items():
        if one.readonly:
            continue
        one = one.but(context=(), early=True, **({} if creating else {"default": ABSENT}))
        if name == "title":
            one = one.but(lenient=True)
        elif name == "url":
            one = one.but(check=_good_address)
        elif name == "meta":
            one = one.but(check=_object, lenient=True)
        elif name in language_schema.MEMBERS:
            one = one.but(null="keep")
        out[name] = one
    return out


def list_arguments(frame: Frame) -> dict[str, Field]:
    """Return the arguments that list items: a hundred of a page, in the order of their menus."""
    out = dict(record_schema.list_arguments(frame, _LISTED))
    out["per_page"] = out["per_page"].but(default=100)
    out["order"] = out["order"].but(default="asc")
    out["orderby"] = out["orderby"].but(default="menu_order")
    return out
