"""Opening records in the post editor, and what a person does in its window again and again."""

from __future__ import annotations

import time
from typing import Any

from playwright.sync_api import expect

from browser.admin.interface import call
from browser.conftest import PATIENCE

OLD_PATH = "<!-- wp:paragraph --><p>The old path.</p><!-- /wp:paragraph -->"


def create_draft(page: Any, base: str = "posts", **members: Any) -> int:
    """Return the id of a new draft of the person of a window. base: of its collection."""
    body = {"title": "A walk", "content": OLD_PATH, "status": "draft", **members}
    found: int = call(page, "POST", f"/wp/v2/{base}", body)["id"]
    return found


def read_record(page: Any, id: int, base: str = "posts") -> Any:
    """Return a record as it is stored."""
    return call(page, "GET", f"/wp/v2/{base}/{id}?context=edit")


def open_record(page: Any, root: str, id: int, type: str = "post") -> Any:
    """Open a record in the editor, wait until its writes are guarded, and return the canvas with its blocks."""
    with page.expect_response(lambda answer: f"/{id}?context=edit&_fields=id" in answer.url):
        page.goto(f"{root}/admin/content/{type}/{id}")
    return wait_for_canvas(page)


def wait_for_canvas(page: Any) -> Any:
    canvas = page.frame_locator("iframe[name=editor-canvas]")
    canvas.locator(".editor-post-title").wait_for()
    return canvas


def append_to_title(page: Any, canvas: Any, text: str) -> None:
    canvas.locator(".editor-post-title").click()
    page.keyboard.press("End")
    page.keyboard.type(text)


# Whether what is kept in the browser has a text; a promise, for which `wait_for_function` would not wait.
_KEPT = """text => new Promise((resolve, reject) => {
    const opening = indexedDB.open('vetrina-admin', 1);
    // It is not there yet, and not to be made here.
    opening.onupgradeneeded = () => opening.transaction.abort();
    opening.onerror = () => resolve(false);
    opening.onsuccess = () => {
        const asked = opening.result.transaction('drafts').objectStore('drafts').getAll();
        asked.onsuccess = () => {
            opening.result.close();
            resolve(JSON.stringify(asked.result).includes(text));
        };
        asked.onerror = () => reject(asked.error);
    };
})"""


def wait_for_kept_draft(page: Any, text: str) -> None:
    """Wait until the browser has unsaved words, as it does after a moment of rest."""
    until = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(_KEPT, text):
        assert time.monotonic() < until, f"{text!r} is not kept"
        page.wait_for_timeout(50)


def save_draft(page: Any) -> None:
    """Save, and wait until the editor says that it is saved."""
    page.get_by_role("button", name="Save draft").click()
    expect(page.get_by_role("button", name="Saved", exact=True)).to_be_visible()


def find_sidebar(page: Any) -> Any:
    """Return the panels of the record."""
    return page.get_by_role("region", name="Editor settings")


def close_popover(page: Any) -> None:
    page.locator(".components-popover").get_by_role("button", name="Close", exact=True).click()
