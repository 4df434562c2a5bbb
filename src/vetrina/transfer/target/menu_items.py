"""Menu items of the source: the menu, the item above and the original of each are those here."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from vetrina.content.menus import item_rules
from vetrina.content.menus.item_model import CUSTOM_KIND, MenuItem, load_menu_items
from vetrina.content.records import model as record_model
from vetrina.content.types.registry import MENU_ITEM

from .addresses import rewrite_addresses
from .content import build_dates, choose_record_id, find_earlier, find_slug, link_translations
from .incoming_record import IncomingRecord, RecordSkipped
from .journal import RECORD, TERM
from .outcome import Written

_KINDS: Final = (CUSTOM_KIND, "post_type", "taxonomy", "post_type_archive")
_TEXTS: Final = ("title", "attr_title", "description", "target", "object")


def write_menu_item(one: IncomingRecord) -> Written:
    """Write a menu item. Raises ReferenceMissing, RecordSkipped, MenuItemTitleRequired, MenuItemUrlRequired."""
    work, type = one.work, one.work.site.types[MENU_ITEM.name]
    given = _build_given(one)
    record = find_earlier(one, type)
    old: MenuItem | None = load_menu_items(work, [record])[record.id] if record else None
    if old is None:
        written = item_rules.create_menu_item(work, given, choose_record_id(one))
    else:
        written = item_rules.update_menu_item(work, old, given)
    new = written.record
    dates = build_dates(one, new.status, new)
    placed = msgspec.structs.replace(new, **dates)
    placed = msgspec.structs.replace(placed, slug=find_slug(one, type, placed, new.slug), floating=False)
    record_model.update_record_row(work, new, placed)
    placed = msgspec.structs.replace(placed, version=new.version + 1)
    return Written(link_translations(one, placed).id)


def _build_given(one: IncomingRecord) -> dict[str, Any]:
    kind = one.get_text("type") or CUSTOM_KIND
    if kind not in _KINDS:
        raise RecordSkipped(f"there are no menu items of the type {kind!r}")
    menus = one.values.get("menus")
    menu = one.require(TERM, menus[0] if isinstance(menus, list) and menus else menus, "menu")
    given: dict[str, Any] = {name: one.get_text(name) for name in _TEXTS}
    given |= {"type": kind, "menus": menu, "menu_order": max(1, one.get_number("menu_order"))}
    given["status"] = one.get_text("status") or "publish"
    given["parent"] = one.resolve(RECORD, one.values.get("parent"), "parent")
    for name in ("classes", "xfn"):
        given[name] = [str(part) for part in one.list_ids(name)]
    if kind == CUSTOM_KIND:
        given["url"] = rewrite_addresses(one, one.get_text("url"))
    elif kind != "post_type_archive":
        given["object_id"] = one.require(TERM if kind == "taxonomy" else RECORD, one.values.get("object_id"), "object")
    return given
