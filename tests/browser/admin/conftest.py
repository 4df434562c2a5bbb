"""A served site with demo content and the built administration, and windows of people who are signed in."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from admin.built import build_administration
from browser.conftest import PATIENCE, VETRINA
from vetrina.cli import main


@dataclass
class AdminSite:
    """A running site of the profile `first` with its demo content. root: scheme and host. folder: its path."""

    root: str
    login: str
    password: str
    folder: Path


@contextmanager
def serve_new_site(folder: Path, *command: str) -> Iterator[AdminSite]:
    """Make a site with a command (`demo first --site`, `init`), whose last argument is the folder, and serve it."""
    build_administration()
    made = CliRunner().invoke(main, [*command, str(folder)], catch_exceptions=False).output
    password = re.search(r"^ +password +(.+)$", made, re.MULTILINE)
    assert password, made
    process = subprocess.Popen(
        [VETRINA, "serve", "--port", "0", "--site", str(folder)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://[^/\s]+", line)
        assert found, line
        yield AdminSite(found[0], "admin", password[1], folder)
    finally:
        process.terminate()
        process.communicate(timeout=20)


@pytest.fixture(scope="module")
def admin_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AdminSite]:
    with serve_new_site(tmp_path_factory.mktemp("administration") / "site", "demo", "first", "--site") as site:
        yield site


@pytest.fixture
def sign_in(chromium: Any, admin_site: AdminSite) -> Iterator[Callable[..., Any]]:
    """Return a window in which somebody is signed in; what its console refuses and whom it asks is recorded."""
    contexts: list[Any] = []

    def open_window(login: str = admin_site.login, password: str = admin_site.password, **options: Any) -> Any:
        context = chromium.new_context(**{"locale": "en-GB", "viewport": {"width": 1280, "height": 800}, **options})
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        page = context.new_page()
        page.refused, page.foreign = [], []
        page.on("console", lambda said: page.refused.append(said.text) if said.type == "error" else None)
        page.on("pageerror", lambda error: page.refused.append(str(error)))
        page.on("request", lambda asked: _note_foreign(page, admin_site.root, asked.url))
        page.goto(f"{admin_site.root}/admin/sign-in")
        page.fill("input[name=login]", login)
        page.fill("input[name=password]", password)
        page.click("form[method=post] button")
        page.wait_for_url("**/admin/")
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
