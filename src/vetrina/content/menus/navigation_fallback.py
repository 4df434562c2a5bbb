"""The navigation of a page that names none: the newest one, a menu at a public location, or all pages.

Rules: docs/rules/blocks.md, 9; docs/rules/menus.md, 11.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from vetrina.content.menus import public_menus, rules as menus
from vetrina.content.menus.public_menus import MenuTreeItem
from vetrina.content.records import listing as record_listing, rules as records
from vetrina.content.records.model import Record
from vetrina.content.records.query import RecordQuery
from vetrina.content.text.block_delimiters import escape_attributes
from vetrina.content.types.registry import MENU, MENU_ITEM, NAVIGATION
from vetrina.core.unit_of_work import UnitOfWork

_PAGES: Final = "<!-- wp:page-list /-->"


def find_newest_navigation(work: UnitOfWork) -> Record | None:
    """Return the newest published navigation in the language of the work, None where there is none."""
    query = RecordQuery(type=NAVIGATION.name, statuses=("publish",), per_page=1)
    return next(iter(record_listing.list_records(work, query)[0]), None)


def get_or_create_navigation(work: UnitOfWork) -> Record:
    """Return the newest published navigation; the first call on a site without one creates one with all pages."""
    found = find_newest_navigation(work)
    if found is not None:
        return found
    return records.create_record(work, NAVIGATION, {"title": "Navigation", "content": _PAGES, "status": "publish"})


def build_location_markup(work: UnitOfWork, location: str = "") -> str:
    """Return the menu at a public location as the blocks of a navigation, empty where there is none.

    location: empty for the first one that has a menu.
    """
    work.uses(MENU.name, MENU_ITEM.name)
    public = public_menus.list_public_locations(work)
    wanted = [place for place in public if not location or place == location]
    id = next(filter(None, (menus.find_menu_id(work, place) for place in wanted)), 0)
    return _build_links(public_menus.build_menu_tree(public_menus.list_public_items(work, id))) if id else ""


def _build_links(items: Iterable[MenuTreeItem]) -> str:
    return "".join(map(_build_link, items))


def _build_link(entry: MenuTreeItem) -> str:
    one, below = entry.item, _build_links(entry.children)
    members: dict[str, Any] = {
        "label": entry.shown.html, "url": entry.shown.url, "opensInNewTab": one.target == "_blank",
        "rel": " ".join(filter(None, one.xfn)), "title": one.record.excerpt,
        "className": " ".join(filter(None, one.classes)),
    }  # fmt: skip
    given = escape_attributes(json.dumps({name: value for name, value in members.items() if value}))
    if below:
        return f"<!-- wp:navigation-submenu {given} -->{below}<!-- /wp:navigation-submenu -->"
    return f"<!-- wp:navigation-link {given} /-->"
