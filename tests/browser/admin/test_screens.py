"""Every screen, on a desktop and on a phone; with VETRINA_PICTURES=1 the pictures of docs/administration.md are taken.

VETRINA_PICTURES=1 pytest -n0 tests/browser/admin/test_screens.py
"""

from __future__ import annotations

import io
import os
import re
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite

PICTURES = Path(__file__).parents[3] / "docs" / "pictures" / "administration"
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 320, "height": 640}
# By the name of its picture: the address of a screen, and a text that it shows once it has loaded.
SCREENS = {
    "dashboard": ("/", "Comments that wait"),
    "posts": ("/content/post", "The mill bridge is open again"),
    "media": ("/media", "Chestnut leaves"),
    "comments": ("/records/comments?view=all", "Can one take a pushchair"),
    "categories": ("/records/category", "Walks"),
    "people": ("/records/users", "Mara Neri"),
    "redirects": ("/records/redirects/new", "Path that leads away"),
    "menus": ("/menus", "Main menu"),
    "fonts": ("/fonts", "Fonts"),
    "settings": ("/settings", "Tagline"),
    "profile": ("/profile", "Your account"),
    "translations": ("/languages", "Steps below the chapel"),
    "strings": ("/languages/strings", "Paths of Val Serena"),
}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_every_screen_shows_what_it_has_and_reads_well(
    sign_in: Any, admin_site: AdminSite, size: dict[str, int]
) -> None:
    page = sign_in(viewport=size)
    kind = "phone" if size is PHONE else "desktop"
    faults = []
    for name, (path, text) in SCREENS.items():
        page.goto(f"{admin_site.root}/admin{path}")
        page.get_by_text(re.compile(re.escape(text))).first.wait_for(state="attached")
        faults += [f"{name}, {kind}: {one}" for one in find_violations(page)]
        width = page.evaluate("document.documentElement.scrollWidth")
        faults += [f"{name}, {kind}: {width} pixels wide"] if width > size["width"] else []
        _take_picture(page, f"{name}-{kind}")
    assert faults == []
    assert page.refused == []
    assert page.foreign == []


def test_the_editors_open_clean(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in()
    canvas = page.frame_locator("iframe[name=editor-canvas]")
    page.goto(f"{admin_site.root}/admin/content/post")
    page.get_by_role("link", name="The mill bridge is open again").click()
    canvas.get_by_text("The mill bridge is open again").first.wait_for()
    page.wait_for_load_state("load")
    _take_picture(page, "editor-desktop")
    page.goto(f"{admin_site.root}/admin/site")
    page.get_by_role("button", name="Styles").wait_for()
    page.frame_locator("iframe").first.locator("p").first.wait_for()
    _take_picture(page, "site-editor-desktop")
    assert page.refused == []
    assert page.foreign == []


def _take_picture(page: Any, name: str) -> None:
    """Write what the window shows where pictures are asked for."""
    if os.environ.get("VETRINA_PICTURES"):
        page.wait_for_timeout(600)
        PICTURES.mkdir(parents=True, exist_ok=True)
        Image.open(io.BytesIO(page.screenshot())).convert("RGB").save(PICTURES / f"{name}.webp", quality=72, method=6)
