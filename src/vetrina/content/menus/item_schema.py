"""Schema of menu items: members, their getters, links, and the arguments of the routes.

Not here: routes and permissions (content/menus/item_routes.py). Rules: docs/rules/menus.md, 4, 5 and 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from vetrina.access.roles.capabilities import may_publish_records, may_write_unfiltered_html
from vetrina.access.users.text_rules import sanitize_url
from vetrina.content.menus import item_model, item_originals
from vetrina.content.menus.item_model import MenuItem
from vetrina.content.menus.item_originals import ResolvedMenuItem
from vetrina.content.records import list_arguments, meta as record_meta, statuses as record_statuses
from vetrina.content.records.model import Record
from vetrina.content.records.views import list_allowed_methods
from vetrina.content.terms import store as term_store
from vetrina.content.translations import language_schema
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault
from vetrina.rest.fields import (
    ABSENT,
    EDIT,
    EMBED,
    VIEW,
    Array,
    Boolean,
    Field,
    Integer,
    Object,
    String,
    ValidationContext,
)  # fmt: skip
from vetrina.rest.serializer import CURIES, MemberGetter, Serializer, build_link

_ALL = (VIEW, EDIT, EMBED)
_FULL = (VIEW, EDIT)

# With page attributes, so that the list can be filtered and sorted by `menu_order`.
_LISTED_TYPE = replace(MENU_ITEM, supports=frozenset({"title", "page-attributes"}))


@dataclass(slots=True)
class MenuItemRecordView:
    """What serializing the items of one response needs besides them: what each shows, and its menu; by id."""

    work: UnitOfWork
    context: str
    items: Mapping[int, MenuItem]
    shown: Mapping[int, ResolvedMenuItem]
    menus: Mapping[int, int]
    groups: dict[int, dict[str, dict[str, Any]]] | None = None

    def get_translations(self, of: Record) -> dict[str, dict[str, Any]]:
        """Return an item's translation group; the first call loads those of all shown items."""
        if self.groups is None:
            shown = [item.record for item in self.items.values()]
            links = {id: one.url for id, one in self.shown.items()}
            self.groups = language_schema.build_record_translations(self.work, MENU_ITEM, shown, links)
        return self.groups.get(of.translations, {})


def build_menu_item_view(work: UnitOfWork, records: Sequence[Record], context: str) -> MenuItemRecordView:
    """Return the view of some items; their originals are read at once."""
    items = item_model.load_menu_items(work, records)
    held = term_store.list_terms_by_record(work.tx, list(items))
    menus = {id: found[0].id for id, found in held.items() if found}
    return MenuItemRecordView(
        work, context, items, item_originals.resolve_menu_items(work, list(items.values())), menus
    )


def build_menu_item_links(view: MenuItemRecordView, of: Record) -> dict[str, Any]:
    """Return the `_links` of an item."""
    work = view.work
    path, api = MENU_ITEM.path, work.root
    href = f"{api}{path}/{of.id}"
    out: dict[str, Any] = {
        "self": [build_link(href, targetHints={"allow": list_allowed_methods(work, MENU_ITEM, of)})],
        "collection": [build_link(f"{api}{path}")],
        "about": [build_link(f"{api}/cms/v2/types/{MENU_ITEM.name}")],
        "cms:term": [build_link(f"{api}{MENU.path}?post={of.id}", embeddable=True, taxonomy=MENU.name)],
    }
    if original := view.shown[of.id].original:
        place, relation, name = original
        out["cms:menu-item-object"] = [build_link(f"{api}{place}", embeddable=True, **{relation: name})]
    if view.context == EDIT:
        out.update({f"cms:action-{action}": [build_link(href)] for action in _list_actions(work)})
    out["curies"] = CURIES
    return out


def _list_actions(work: UnitOfWork) -> list[str]:
    user = work.user
    out = ["publish"] if may_publish_records(user, MENU_ITEM, None) else []
    if may_write_unfiltered_html(user):
        out.append("unfiltered-html")
    if user.can(MENU.assign):
        out += [f"create-{MENU.base}", f"assign-{MENU.base}"]
    return out


# -- members


def _check_url(value: Any, name: str, context: ValidationContext) -> Fault | None:
    if not isinstance(value, str) or value == "" or sanitize_url(value):
        return None
    return Fault("rest_invalid_url", "Invalid URL.")


def _check_object(value: Any, name: str, context: ValidationContext) -> Fault | None:
    return None if isinstance(value, (dict, list)) else Fault("", "Invalid parameter.")


_NAMES = String()
_FIELDS: dict[str, Field] = {
    "title": Object(
        "Title of the item; that of its original where it has none.",
        {
            "raw": String("Title as it is stored.", context=(EDIT,), optional=True),
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
    "status": String(
        "Named status of the item.", enum=record_statuses.WRITABLE_STATUSES, default="publish", context=_ALL
    ),
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
    "menus": Integer("Number of its menu.", context=_FULL, optional=True),
    "meta": Object("Registered extra fields.", context=_FULL),
    **language_schema.build_language_fields(),
}  # fmt: skip

_GETTERS: dict[str, MemberGetter] = {
    "title": lambda r, v: {"raw": v.shown[r.id].title, "rendered": v.shown[r.id].html},
    "id": lambda r, v: r.id,
    "type_label": lambda r, v: v.shown[r.id].type_label,
    "type": lambda r, v: v.items[r.id].kind,
    "status": lambda r, v: r.status,
    "parent": lambda r, v: v.items[r.id].parent,
    "attr_title": lambda r, v: r.excerpt,
    "classes": lambda r, v: v.items[r.id].classes,
    "description": lambda r, v: item_originals.format_item_description(r),
    "menu_order": lambda r, v: r.menu_order,
    "object": lambda r, v: v.items[r.id].object,
    "object_id": lambda r, v: v.items[r.id].object_id,
    "target": lambda r, v: v.items[r.id].target,
    "url": lambda r, v: v.shown[r.id].url,
    "xfn": lambda r, v: v.items[r.id].xfn,
    "invalid": lambda r, v: v.shown[r.id].invalid,
    "menus": lambda r, v: v.menus.get(r.id),
    "meta": lambda r, v: record_meta.serialize_meta(v.work.site, MENU_ITEM, r.meta),
    "lang": lambda r, v: r.language,
    "translations": lambda r, v: v.get_translations(r),
}


def build_menu_item_serializer(site: SiteContext) -> Serializer:
    """Return the serializer of a site's menu items."""
    return Serializer(_build_fields(site), _GETTERS)


def _build_fields(site: SiteContext) -> dict[str, Field]:
    meta = _FIELDS["meta"].replace(properties=record_meta.build_meta_fields(site, MENU_ITEM))
    return {**_FIELDS, "meta": meta}


# -- arguments


def build_write_arguments(site: SiteContext, creating: bool = False) -> dict[str, Field]:
    """Return the arguments that write an item."""
    out: dict[str, Field] = {}
    for name, one in _build_fields(site).items():
        if one.readonly:
            continue
        one = one.replace(context=(), early=True, **({} if creating else {"default": ABSENT}))
        if name == "title":
            one = one.replace(lenient=True)
        elif name == "url":
            one = one.replace(check=_check_url)
        elif name == "meta":
            one = one.replace(check=_check_object, lenient=True)
        elif name in language_schema.MEMBERS:
            one = one.replace(null="keep")
        out[name] = one
    return out


def build_list_arguments(site: SiteContext) -> dict[str, Field]:
    """Return the arguments that list items: a hundred per page, in the order of their menus."""
    out = dict(list_arguments.build_list_arguments(site, _LISTED_TYPE))
    out["per_page"] = out["per_page"].replace(default=100)
    out["order"] = out["order"].replace(default="asc")
    out["orderby"] = out["orderby"].replace(default="menu_order")
    return out
