"""`vetrina theme`: a new theme shows a site, and what is wrong in one is said."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from conftest import Stand, exchange, made
from vetrina.cli import main
from vetrina.design.themes.model import BUILT_IN
from vetrina.settings import load_profile


def run(*command: str, status: int = 0) -> str:
    answer = CliRunner().invoke(main, ["theme", *command])
    assert answer.exit_code == status, answer.output
    return answer.output


@pytest.fixture
def theme(tmp_path: Path) -> Path:
    run("new", str(tmp_path / "my-theme"))
    return tmp_path / "my-theme"


def test_a_new_theme_is_sound_and_shows_a_site(theme: Path, tmp_path: Path) -> None:
    assert "can be used" in run("check", str(theme))
    (tmp_path / "site").mkdir()
    site = made(tmp_path / "site", msgspec.structs.replace(load_profile("first"), theme=str(theme)))
    try:
        post = Stand(site).client("admin").post("/cms/v2/posts", {"title": "Of boats", "status": "publish"}).json
        pages = [
            exchange(site, "GET", url)[2].decode() for url in ("/en/", re.sub("^https?://[^/]*", "", post["link"]))
        ]
    finally:
        site.close()
    assert "Of boats</a></h2>" in pages[0]
    assert "Of boats</h1>" in pages[1]
    assert all(page.count("<main ") == page.count("<header ") == page.count("<footer ") == 1 for page in pages)


def test_the_built_in_theme_is_sound() -> None:
    assert "can be used" in run("check", str(BUILT_IN / "portico"))


@pytest.mark.parametrize(
    "file, text, fault",
    [
        ("theme.json", "{", "theme.json: is no JSON"),
        ("theme.json", '{"version": 1}', "theme.json: has the version 1; write 3"),
        ("theme.json", '{"version": 3, "styles": []}', "theme.json: 'styles' is no object"),
        ("languages/it.json", '{"Search": 1}', "languages/it.json: holds something else than texts"),
        ("style.css", "body{}", "style.css: its header has no 'Theme Name'"),
        ("style.css", "/*\nTheme Name: A\nDark Variation: night\n*/", "'night', which no file of styles/"),
        ("templates/page.html", "<!-- wp:group --><div>", "templates/page.html: a block is not closed"),
        ("templates/page.html", '<!-- wp:template-part {"slug":"side"} /-->', "there is no part 'side'"),
        ("parts/side.html", '<!-- wp:pattern {"slug":"my-theme/gone"} /-->', "there is no pattern 'my-theme/gone'"),
    ],
)
def test_what_is_wrong_is_said(theme: Path, file: str, text: str, fault: str) -> None:
    (theme / file).parent.mkdir(exist_ok=True)
    (theme / file).write_text(text, encoding="utf-8")
    assert fault in run("check", str(theme), status=1)


@pytest.mark.parametrize("file", ["style.css", "theme.json", "templates/index.html"])
def test_what_is_missing_is_said(theme: Path, file: str) -> None:
    (theme / file).unlink()
    assert f"{file}: is missing" in run("check", str(theme), status=1)


def test_nothing_is_written_over(theme: Path) -> None:
    assert "is there already" in run("new", str(theme), status=1)
    assert "is no name of a theme" in run("new", str(theme.parent / "My Theme"), status=2)
