"""The documentation builds without warnings, its examples get their responses, and its links resolve."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from derive.sources import GUIDES

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.names |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.append(given["href"])
        elif "src" in given or (tag == "link" and given.get("rel") == "stylesheet"):
            self.loaded.append(given.get("src") or given["href"])


def built(folder: Path) -> Path:
    """Build the site and return its folder."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "docs"), os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(
        [sys.executable, "-m", "derive", str(folder)], env=environment, capture_output=True, text=True, timeout=1800
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
    return folder / "html"


def parsed(built: Path) -> dict[Path, _Page]:
    out = {}
    for path in built.rglob("*.html"):
        out[path] = _Page()
        out[path].feed(path.read_text(encoding="utf-8"))
    return out


def broken_links(built: Path, pages: dict[Path, _Page]) -> list[str]:
    broken = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            lost = aim.suffix == ".html" and aim not in pages
            unnamed = bool(parts.fragment) and aim in pages and unquote(parts.fragment) not in pages[aim].names
            if lost or unnamed:
                broken.append(f"{path.relative_to(built)} → {link}")
    return broken


def test_every_guide_is_named_once_among_the_chapters() -> None:
    named = [name for names in GUIDES.values() for name in names]
    assert sorted(named) == sorted(set(named))
    assert {page.stem for page in (ROOT / "docs").glob("*.md")} <= set(named)


def test_the_site_is_built_without_a_warning_and_its_links_hold(tmp_path: Path) -> None:
    # One test, because the build is slow.
    site = built(tmp_path)
    pages = parsed(site)
    assert broken_links(site, pages) == []
    assert {one for page in pages.values() for one in page.loaded if urlsplit(one).netloc} == set()
    shown = re.sub(r"<[^>]+>", "", (site / "first-hour.html").read_text(encoding="utf-8"))
    assert "market-day" in shown
    assert "{recorded}" not in shown
    assert "get-cms-v2-posts" in pages[site / "reference" / "cms-v2" / "posts.html"].names
    assert "rest_post_invalid_id" in (site / "searchindex.js").read_text(encoding="utf-8")


def test_the_papers_lead_to_files_that_are_there() -> None:
    broken = []
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        for link in LINK.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
            path = link.partition("#")[0]
            derived = (page.parent / path).resolve().is_relative_to(ROOT / "docs" / "reference")
            if path and not urlsplit(link).scheme and not derived and not (page.parent / path).exists():
                broken.append(f"{page.relative_to(ROOT)} → {link}")
    assert broken == []
