"""A served site with demo content and the built administration, and windows of people who are signed in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from admin.built import build_administration
from browser.admin.quiet import COUNT_REQUESTS
from browser.conftest import PATIENCE, Served, serve_new_site as serve_site

AdminSite = Served


@contextmanager
def serve_new_site(folder: Path, *command: str) -> Iterator[AdminSite]:
    """Serve a new site, as `browser.conftest.serve_new_site` does, with the built administration."""
    build_administration()
    with serve_site(folder, *command) as site:
        yield site


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_new_site(tmp_path_factory.mktemp("administration") / "site", "demo", "first", "--site") as site:
        yield site


@pytest.fixture(scope="module")
def sessions() -> dict[tuple[str, str], Any]:
    """What a browser keeps of those who have signed in, by login and password."""
    return {}


@pytest.fixture
def sign_in(chromium: Any, admin_site: AdminSite, sessions: dict[tuple[str, str], Any]) -> Iterator[Callable[..., Any]]:
    """Return a window in which somebody is signed in; what its console refuses and whom it asks is recorded."""
    contexts: list[Any] = []

    def open_window(login: str = admin_site.login, password: str = admin_site.password, **options: Any) -> Any:
        kept = sessions.get((login, password))
        context = chromium.new_context(
            **{"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, "storage_state": kept, **options}
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(COUNT_REQUESTS)
        page = context.new_page()
        page.refused, page.foreign = [], []
        page.on("console", lambda said: page.refused.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: page.refused.append(str(error)))
        page.on("request", lambda asked: _note_foreign(page, admin_site.root, asked.url))
        page.goto(f"{admin_site.root}/admin/")
        # A session of an earlier test may have ended with it.
        if page.locator("input[name=login]").count():
            page.fill("input[name=login]", login)
            page.fill("input[name=password]", password)
            page.click("form[method=post] button")
            page.wait_for_url("**/admin/")
            sessions[login, password] = {"cookies": context.cookies(), "origins": []}
        return page

    yield open_window
    for context in contexts:
        context.close()


@pytest.fixture
def admin(sign_in: Callable[..., Any]) -> Any:
    """A window of the administrator."""
    return sign_in()


def _note_foreign(page: Any, root: str, url: str) -> None:
    if not url.startswith((root, "data:", "blob:", "about:")):
        page.foreign.append(url)
