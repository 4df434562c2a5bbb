"""A menu rendered as nested lists of links, for widgets.

Which items visitors see: content/menus/public_menus.py. Rules: observed on public pages: element names and classes.
"""

from __future__ import annotations

from collections.abc import Iterable

from vetrina.content.menus import public_menus
from vetrina.content.menus.public_menus import MenuTreeItem
from vetrina.content.terms import store as term_store
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.content.types.registry import MENU, MENU_ITEM
from vetrina.core.unit_of_work import UnitOfWork


def render_menu(work: UnitOfWork, number: int) -> str:
    """Return the markup of a menu, empty if there is none or it has no visible items."""
    work.uses(MENU.name, MENU_ITEM.name)
    menu = term_store.find_term(work.tx, number) if number > 0 else None
    if menu is None or menu.taxonomy != MENU.name:
        return ""
    with work.use_language(menu.language or work.language):
        links = _render_items(public_menus.build_menu_tree(public_menus.list_public_items(work, number)))
    name = escape_attribute(menu.slug)
    return f'<div class="menu-{name}-container"><ul id="menu-{name}" class="menu">{links}</ul></div>' if links else ""


def _render_items(items: Iterable[MenuTreeItem]) -> str:
    return "".join(map(_render_item, items))


def _render_item(entry: MenuTreeItem) -> str:
    one, id = entry.item, entry.item.record.id
    inner = _render_items(entry.children)
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
        f'<a{words} href="{escape_url(entry.shown.url)}">{entry.shown.html}</a>{submenu}</li>\n'
    )
