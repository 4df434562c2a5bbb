"""The editors by the rules of axe-core, and their windows in the dark theme."""

from __future__ import annotations

import io
from typing import Any

import pytest
from PIL import Image, ImageStat
from playwright.sync_api import expect

from browser.admin.accessibility import find_violations
from browser.admin.conftest import AdminSite
from browser.admin.editors import create_draft, find_sidebar, open_record

# Elements that the editor's packages draw, without a way to change them from outside.
KNOWN = (
    # The name says what the button does, the text beside it the present value.
    ("label-content-name-mismatch", ".components-dropdown-menu__toggle, .editor-post-discussion__panel-toggle"),
    # The small view of the site is one button as a whole; pressing it opens the canvas.
    ("aria-allowed-role", "iframe.edit-site-visual-editor__editor-canvas"),
    # That view, and the handle between it and the list, stand beside the landmarks.
    ("region", "button.edit-site-resizable-frame__handle, button[role='separator'], .edit-site-layout__canvas"),
    # What the packages say to screen readers alone, beside all landmarks.
    ("region", "#a11y-speak-intro-text"),
    # The foot of the list, within a landmark.
    ("landmark-contentinfo-is-top-level", "footer.edit-site-sidebar-navigation-screen__footer"),
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_post_editor_breaks_no_rule(sign_in: Any, admin_site: AdminSite, scheme: str) -> None:
    page = sign_in(color_scheme=scheme)
    canvas = open_record(page, admin_site.root, create_draft(page))
    expect(page.get_by_text("Preview links")).to_be_visible()
    faults = find_violations(page, known=KNOWN)
    canvas.get_by_text("The old path.").click()
    page.get_by_role("button", name="Block Inserter", exact=True).click()
    page.get_by_role("option", name="Heading", exact=True).wait_for()
    faults += find_violations(page, known=KNOWN)
    page.get_by_role("button", name="Close Block Inserter").click()
    page.get_by_role("tab", name="Post", exact=True).click()
    find_sidebar(page).get_by_role("button", name="Set featured image").click()
    page.locator(".media-picker-grid button").first.wait_for()
    faults += find_violations(page, known=KNOWN)
    assert faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_site_editor_breaks_no_rule(sign_in: Any, admin_site: AdminSite, scheme: str) -> None:
    page = sign_in(color_scheme=scheme)
    faults = []
    for path, text in (("styles", "Typography"), ("pattern", "Add Pattern"), ("template", "Add Template")):
        page.goto(f"{admin_site.root}/admin/site?p=%2F{path}")
        page.get_by_role("button", name=text).first.wait_for()
        faults += [f"{path}: {fault}" for fault in find_violations(page, known=KNOWN)]
    assert faults == []


def test_the_windows_are_dark_and_the_canvas_is_as_the_site(sign_in: Any, admin_site: AdminSite) -> None:
    page = sign_in(color_scheme="dark")
    canvas = open_record(page, admin_site.root, create_draft(page))
    header = page.get_by_role("region", name="Editor top bar")
    assert _read_brightness(page, header) < 80
    assert _read_brightness(page, find_sidebar(page)) < 80
    find_sidebar(page).get_by_role("button", name="Change date: Immediately").click()
    assert _read_brightness(page, page.locator(".components-popover:has-text('Publish')").last) < 80
    assert _read_brightness(page, canvas.locator("body")) > 200


def _read_brightness(page: Any, locator: Any) -> int:
    """Return how bright most of an element is, 0 to 255."""
    pixels = Image.open(io.BytesIO(locator.screenshot())).convert("L")
    return ImageStat.Stat(pixels).median[0]
