"""The pages of both demonstrations: nothing that axe-core finds, nothing wider than the window, little to load."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator

import pytest

from browser.admin.accessibility import AXE, find_violations
from browser.conftest import Served, serve_new_site

_MOST_BYTES = 60_000  # of a page with its style sheet as they are sent, without pictures


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return str(answer.read().decode())


def list_pages(root: str) -> list[str]:
    """Return the pages that the maps of the site name, a search in each language, and what is not there."""
    maps = re.findall("<loc>([^<]+)</loc>", read(f"{root}/sitemap.xml"))
    named = [page for one in maps for page in re.findall("<loc>([^<]+)</loc>", read(one))]
    return [*named, f"{root}/en/?s=val", f"{root}/it/?s=val", f"{root}/en/nothing/", f"{root}/it/niente/"]


def pick_kinds(pages: list[str]) -> list[str]:
    """Return the last page of each kind and language."""
    return list({tuple(page.split("/")[3:5]): page for page in pages}.values())


@pytest.fixture(scope="module", params=["first", "second"])
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: run `npm ci` in admin/")
    with serve_new_site(tmp_path_factory.mktemp("pages") / "site", "demo", request.param, "--site") as site:
        yield site


def test_every_page_reads_well_in_any_window(tab, demo):
    """Each page in a wide window in the light, or in a narrow one in the dark: of each kind there are both."""
    looks, faults = [("light", 1280), ("dark", 320)], []
    for at, url in enumerate(list_pages(demo.root)):
        scheme, width = looks[at % len(looks)]
        tab.emulate_media(color_scheme=scheme)
        tab.set_viewport_size({"width": width, "height": 800})
        tab.goto(url)
        faults += [f"{url}, {scheme}: {one}" for one in find_violations(tab)]
        wide = tab.evaluate("document.documentElement.scrollWidth")
        faults += [f"{url} is {wide} pixels wide"] if wide > width else []
    assert at > 50
    assert faults == []
    assert [one for one in tab.refused if "404" not in one] == []


def test_a_page_is_light_and_asks_nobody_else(tab, demo):
    loaded: dict[str, int] = {}

    def note(answer) -> None:
        is_picture = answer.request.resource_type == "image"
        loaded[answer.url] = 0 if is_picture else answer.request.sizes()["responseBodySize"]

    tab.on("requestfinished", lambda request: note(request.response()))
    for url in pick_kinds(list_pages(demo.root)):
        loaded.clear()
        tab.goto(url, wait_until="networkidle")
        assert sum(loaded.values()) < _MOST_BYTES, url
        assert {one for one in loaded if not one.startswith((demo.root, "data:"))} == set(), url
