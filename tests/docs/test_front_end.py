"""The JavaScript of docs/headless.md runs unchanged against a served site."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from served import Server
from vetrina.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "headless.md"
BLOCK = re.compile(r"^```js\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_scripts_of_the_guide_run_as_they_stand(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here")
    folder = tmp_path / "site"
    assert CliRunner().invoke(main, ["init", str(folder)]).exit_code == 0
    script = tmp_path / "page.mjs"
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert len(blocks) > 5
    with Server(folder) as server:
        root = f"http://{server.host}:{server.port}/en/cms-json"
        script.write_text(f"globalThis.API = {root!r};\n" + "\n".join(blocks), encoding="utf-8")
        done = subprocess.run([node, script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "three-books-for-a-long-train-ride by admin" in done.stdout
    assert "\n304\n" in done.stdout
    assert 'hreflang="it"' in done.stdout


SOURCE = re.compile(r"^`(tests/clients/[^`]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", ["next", "astro"])
def test_a_guide_shows_every_file_of_its_front_end_as_it_is_tested(name: str) -> None:
    root = PAGE.parents[1]
    shown = dict(SOURCE.findall((PAGE.parent / f"{name}.md").read_text(encoding="utf-8")))
    assert shown == {file: (root / file).read_text(encoding="utf-8") for file in shown}
    programs = {file for end in ("*.js", "*.mjs", "*.astro") for file in (root / "tests/clients" / name).rglob(end)}
    # The frame around the pages says nothing of a site.
    assert {str(file.relative_to(root)) for file in programs} - set(shown) <= {"tests/clients/next/app/layout.js"}
