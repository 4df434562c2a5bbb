"""A menu rendered as nested lists of links, for widgets.

Items of deleted or non-public content are left out, with their children. Menus: content/menus/rules.py. The target of
an item: content/menus/item_originals.py. Rules: observed on public pages: element names and classes.
"""

from __future__ import annotations

from typing import Final

from vetrina.content.menus import item_model, item_originals
from vetrina.content.menus.item_model import MenuItem
from vetrina.content.records import listing as record_listing, model as record_model
from vetrina.content.records.query import RecordQuery, TermFilter
from vetrina.content.terms import store as term_store
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import UnitOfWork

_MAX_ITEMS: Final = 500  # items per menu
_MAX_DEPTH: Final = 20


def render_menu(work: UnitOfWork, number: int) -> str:
    """Return the markup of a menu, empty if there is none or it has no visible items."""
    work.uses(MENU.name, MENU_ITEM.name)
    menu = term_store.find_term(work.tx, number) if number > 0 else None
    if menu is None or menu.taxonomy != MENU.name:
        return ""
    query = RecordQuery(
        type=MENU_ITEM.name, statuses=("publish",), per_page=_MAX_ITEMS, order="asc", orderby="menu_order",
        terms=(TermFilter(MENU.name, (number,)),),
    )  # fmt: skip
    with work.use_language(menu.language or work.language):
        rows, _ = record_listing.list_records(work, query)
        items = item_model.load_menu_items(work, rows)
        targets = item_originals.resolve_menu_items(work, list(items.values()))
    hidden = _list_hidden_items(work, list(items.values()))
    seen = [items[row.id] for row in rows if row.id in items and not targets[row.id].invalid and row.id not in hidden]
    every = {row.id for row in rows}
    below: dict[int, list[MenuItem]] = {}
    for one in seen:
        below.setdefault(one.parent if one.parent in every else 0, []).append(one)

    def level(parent: int, depth: int) -> str:
        return "".join(item(one, depth) for one in below.get(parent, ())) if depth < _MAX_DEPTH else ""

    def item(one: MenuItem, depth: int) -> str:
        id, target = one.record.id, targets[one.record.id]
        inner = level(id, depth + 1)
        names = [name for name in one.classes if name]
        names += ["menu-item", f"menu-item-type-{one.kind}", f"menu-item-object-{one.object}"]
        names += ["menu-item-has-children"] if inner else []
        words = f' title="{escape_attribute(one.record.excerpt)}"' if one.record.excerpt else ""
        words += f' target="{escape_attribute(one.target)}"' if one.target else ""
        rel = " ".join(name for name in one.xfn if name)
        words += f' rel="{escape_attribute(rel)}"' if rel else ""
        submenu = f'\n<ul class="sub-menu">\n{inner}</ul>\n' if inner else ""
        return (
            f'<li id="menu-item-{id}" class="{escape_attribute(" ".join([*names, f"menu-item-{id}"]))}">'
            f'<a{words} href="{escape_url(target.url)}">{target.html}</a>{submenu}</li>\n'
        )

    links = level(0, 0)
    name = escape_attribute(menu.slug)
    return f'<div class="menu-{name}-container"><ul id="menu-{name}" class="menu">{links}</ul></div>' if links else ""


def _list_hidden_items(work: UnitOfWork, items: list[MenuItem]) -> set[int]:
    """Return the items whose record is not public."""
    posts = record_model.find_records(work.tx, [one.object_id for one in items if one.kind == "post_type"])
    return {
        one.record.id
        for one in items
        if one.kind == "post_type" and (target := posts.get(one.object_id)) is not None
        and target.status not in ("publish", "inherit")
    }  # fmt: skip
