"""Opening a screen of the administration, and asking the interface beside it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from browser.admin.accessibility import find_unreachable, find_violations
from browser.admin.conftest import AdminSite
from browser.admin.quiet import wait_until_quiet

_READ = """path => fetch(path, {
    headers: { 'X-WP-Nonce': JSON.parse(document.getElementById('boot').textContent).nonce },
}).then(one => one.json())"""

_LIST_MENU = """without => [...document.querySelectorAll('#menu a')]
    .filter((one) => !without.includes(one.closest('section')?.getAttribute('aria-label')))
    .map((one) => one.pathname.slice('/admin'.length) || '/')"""
# Screens that take the whole window: test_editor_accessibility.py.
WHOLE = frozenset({"/site"})


def open_screen(page: Any, site: AdminSite, path: str) -> None:
    """Open a screen and wait until it shows what it has."""
    page.goto(f"{site.root}/admin{path}")
    page.wait_for_selector("main h1")
    wait_until_quiet(page)


def set_theme(page: Any, theme: str) -> None:
    """Let the person's system be light or dark, and wait until the screen follows."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_selector(f"html[data-theme={theme}]")


def list_menu(page: Any, site: AdminSite, without: Collection[str] = ()) -> list[str]:
    """Return the paths of the screens that the menu offers to the person of a window.

    without: sections to leave out, by their labels.
    """
    open_screen(page, site, "/")
    return [str(one) for one in page.evaluate(_LIST_MENU, list(without))]


def walk_menu(page: Any, site: AdminSite, without: Collection[str] = ()) -> list[str]:
    """Return what is wrong with the screens of the menu by the rules of axe, in both themes, and for the keyboard."""
    faults = []
    for path in list_menu(page, site, without):
        if path in WHOLE:
            continue
        open_screen(page, site, path)
        for theme in ("dark", "light"):
            set_theme(page, theme)
            faults += [f"{path}, {theme}: {one}" for one in find_violations(page)]
        faults += [f"{path}: {one}" for one in find_unreachable(page)]
    return faults


def read(page: Any, path: str) -> Any:
    """Return what the interface answers to whoever is signed in. path: as in its index, `/wp/v2/posts`."""
    return page.evaluate(_READ, f"/admin-json{path}")
