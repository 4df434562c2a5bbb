"""Opening a screen of the administration, and asking the interface beside it."""

from __future__ import annotations

from typing import Any

from browser.admin.conftest import AdminSite
from browser.admin.quiet import wait_until_quiet

_READ = """path => fetch(path, {
    headers: { 'X-WP-Nonce': JSON.parse(document.getElementById('boot').textContent).nonce },
}).then(one => one.json())"""


def open_screen(page: Any, site: AdminSite, path: str) -> None:
    """Open a screen and wait until it shows what it has."""
    page.goto(f"{site.root}/admin{path}")
    page.wait_for_selector("main h1")
    wait_until_quiet(page)


def read(page: Any, path: str) -> Any:
    """Return what the interface answers to whoever is signed in. path: as in its index, `/wp/v2/posts`."""
    return page.evaluate(_READ, f"/admin-json{path}")
