"""A menu as nested lists of links, as widgets show it.

Items of what is gone or is not public are left out, with all beneath them. Not here: menus themselves
(content/menus/rules.py), what an item shows (content/menus/item_originals.py). Rules: observed on public pages: element
names and classes.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.menus import item_model, item_originals
from vetrina.content.menus.item_model import MenuItem
from vetrina.content.records import listing as record_listing
from vetrina.content.records import model as record_model
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.terms import store as term_store
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import Work

__all__ = ["menu_shown"]

_MOST: Final = 500  # items of one menu
_DEEPEST: Final = 20


def menu_shown(work: Work, number: int) -> str:
    """Return the links of a menu, empty where there is none or it has nothing to show."""
    work.uses(MENU.name, MENU_ITEM.name)
    menu = term_store.by_id(work.tx, number) if number > 0 else None
    if menu is None or menu.taxonomy != MENU.name:
        return ""
    query = RecordQuery(
        type=MENU_ITEM.name, statuses=("publish",), per_page=_MOST, order="asc", orderby="menu_order",
        terms=(TermFilter(MENU.name, (number,)),),
    )  # fmt: skip
    with work.speaking(menu.language or work.language):
        rows, _ = record_listing.listed_page(work, query)
        items = item_model.of_records(work, rows)
        shown = item_originals.shown(work, list(items.values()))
    hidden = _hidden(work, list(items.values()))
    seen = [items[row.id] for row in rows if row.id in items and not shown[row.id].invalid and row.id not in hidden]
    every = {row.id for row in rows}
    below: dict[int, list[MenuItem]] = {}
    for one in seen:
        below.setdefault(one.parent if one.parent in every else 0, []).append(one)

    def level(parent: int, deep: int) -> str:
        return "".join(item(one, deep) for one in below.get(parent, ())) if deep < _DEEPEST else ""

    def item(one: MenuItem, deep: int) -> str:
        id, told = one.record.id, shown[one.record.id]
        inner = level(id, deep + 1)
        names = [name for name in one.classes if name]
        names += ["menu-item", f"menu-item-type-{one.kind}", f"menu-item-object-{one.object}"]
        names += ["menu-item-has-children"] if inner else []
        words = f' title="{attribute(one.record.excerpt)}"' if one.record.excerpt else ""
        words += f' target="{attribute(one.target)}"' if one.target else ""
        rel = " ".join(name for name in one.xfn if name)
        words += f' rel="{attribute(rel)}"' if rel else ""
        held = f'\n<ul class="sub-menu">\n{inner}</ul>\n' if inner else ""
        return (
            f'<li id="menu-item-{id}" class="{attribute(" ".join([*names, f"menu-item-{id}"]))}">'
            f'<a{words} href="{address(told.url)}">{told.html}</a>{held}</li>\n'
        )

    links = level(0, 0)
    name = attribute(menu.slug)
    return f'<div class="menu-{name}-container"><ul id="menu-{name}" class="menu">{links}</ul></div>' if links else ""


def _hidden(work: Work, items: list[MenuItem]) -> set[int]:
    """Return the items whose record is not public."""
    posts = record_model.by_ids(work.tx, [one.object_id for one in items if one.kind == "post_type"])
    return {
        one.record.id
        for one in items
        if one.kind == "post_type" and (of := posts.get(one.object_id)) is not None
        and of.status not in ("publish", "inherit")
    }  # fmt: skip
