"""Every screen, on a desktop and on a phone; with VETRINA_PICTURES=1 the pictures of docs/administration.md are taken.

VETRINA_PICTURES=1 pytest -n0 tests/browser/admin/test_screens.py
"""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.admin.accessibility import find_unreachable, find_violations
from browser.admin.conftest import AdminSite
from browser.admin.pictures import take_picture
from browser.admin.quiet import wait_until_quiet
from browser.admin.screens import list_menu, open_screen, set_theme

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 320, "height": 640}
# By the name of its picture: the address of a screen, and a text that it shows once it has loaded.
SCREENS = {
    "dashboard": ("/", "Comments that wait"),
    "posts": ("/content/post", "The mill bridge is open again"),
    "media": ("/media", "Chestnut leaves"),
    "comments": ("/records/comments?view=all", "Can one take a pushchair"),
    "categories": ("/records/category", "Walks"),
    "people": ("/records/users", "Mara Neri"),
    "redirects": ("/records/redirects/new", "The old address"),
    "menus": ("/menus", "Main menu"),
    "fonts": ("/fonts", "Fonts"),
    "settings": ("/settings", "Tagline"),
    "profile": ("/profile", "Your account"),
    "translations": ("/languages", "Steps below the chapel"),
    "strings": ("/languages/strings", "Paths of Val Serena"),
    "health": ("/health", "It was never checked yet."),
    "site-profile": ("/site-profile", "What another one would change"),
    "jobs": ("/jobs", "Publish a scheduled record"),
    "backups": ("/backups", "There is none yet."),
    "import": ("/moving", "Bring a site in"),
    "webhooks": ("/records/webhooks/new", "Add a topic"),
}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_screen_shows_what_it_has_and_reads_well(
    sign_in: Any, admin_site: AdminSite, size: dict[str, int]
) -> None:
    check_screens(sign_in(viewport=size), admin_site, SCREENS, size)


def check_screens(
    page: Any, site: AdminSite, screens: dict[str, tuple[str, str]], size: dict[str, int],
    themes: tuple[str, ...] = ("light",),
) -> None:  # fmt: skip
    """Open each screen in a window of a size, hold it to what every screen keeps, and take its picture."""
    kind = "phone" if size is PHONE else "desktop"
    # Those of the menu are walked by test_keyboard.py and test_shop_screens.py.
    walked = list_menu(page, site) if size is DESKTOP else []
    faults = []
    for name, (path, text) in screens.items():
        page.goto(f"{site.root}/admin{path}")
        page.get_by_text(re.compile(re.escape(text))).first.wait_for(state="attached")
        width = page.evaluate("document.documentElement.scrollWidth")
        faults += [f"{name}, {kind}: {width} pixels wide"] if width > size["width"] else []
        for theme in themes:
            set_theme(page, theme)
            faults += [f"{name}, {kind}, {theme}: {one}" for one in find_violations(page)]
            take_picture(page, f"{name}-dark-{kind}" if theme == "dark" else f"{name}-{kind}")
        if size is DESKTOP and path not in walked:
            # What comes while Tab walks would be passed by.
            wait_until_quiet(page)
            faults += [f"{name}: {one}" for one in find_unreachable(page)]
    assert faults == []
    assert page.refused == []
    assert page.foreign == []


def test_screens_of_the_server_read_well_in_the_dark_and_in_italian(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(viewport=PHONE, color_scheme="dark", locale="it-IT")
    faults = []
    titles = {
        "/health": "Stato di salute",
        "/site-profile": "Profilo del sito",
        "/jobs": "Attività in background",
        "/backups": "Copie di sicurezza",
        "/moving": "Importazione e confronto",
        "/records/webhooks": "Webhook",
        "/audit": "Registro di controllo",
    }
    for path, title in titles.items():
        open_screen(page, admin_site, path)
        expect(page.locator("main h1")).to_have_text(title)
        faults += [f"{path}: {one}" for one in find_violations(page)]
        width = page.evaluate("document.documentElement.scrollWidth")
        faults += [f"{path}: {width} pixels wide"] if width > PHONE["width"] else []
    assert faults == []
    assert page.refused == []


def test_the_editors_open_clean(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in()
    canvas = page.frame_locator("iframe[name=editor-canvas]")
    page.goto(f"{admin_site.root}/admin/content/post")
    page.get_by_role("link", name="The mill bridge is open again").click()
    canvas.get_by_text("The mill bridge is open again").first.wait_for()
    page.wait_for_load_state("load")
    take_picture(page, "editor-desktop")
    page.goto(f"{admin_site.root}/admin/site")
    page.get_by_role("button", name="Styles").wait_for()
    page.frame_locator("iframe").first.locator("p").first.wait_for()
    take_picture(page, "site-editor-desktop")
    assert page.refused == []
    assert page.foreign == []
