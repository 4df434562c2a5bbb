"""A wheel contains the administration that was built before it, and serves it where it is installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[2]
NEEDED = ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what a wheel is built from, with a built administration."""
    folder = tmp_path_factory.mktemp("tree")
    for name in NEEDED:
        shutil.copy(ROOT / name, folder / name)
    (folder / ".gitignore").write_text((ROOT / ".gitignore").read_text())
    ignored = shutil.ignore_patterns("__pycache__", "admin_files")
    shutil.copytree(ROOT / "src" / "vetrina", folder / "src" / "vetrina", ignore=ignored)
    built = folder / "src" / "vetrina" / "pages" / "admin_files"
    built.mkdir()
    files = {
        "manifest.json": json.dumps({"script": "main-ABCD1234.js", "first": "first-ABCD1234.js"}),
        "main-ABCD1234.js": "0", "licenses.txt": "MIT",
        "main-ABCD1234.js.br": "0", ".building": "x", ".stamp": "x", "build.log": "x",
    }  # fmt: skip
    for name, content in files.items():
        (built / name).write_text(content)
    return folder


@pytest.mark.parametrize("which", ["", "server"])
def test_an_installed_wheel_serves_the_administration(tree: Path, tmp_path: Path, which: str) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    environment = {**os.environ, "VETRINA_WHEEL": which, "PYTHONPATH": str(tmp_path / "installed")}
    subprocess.run(command, cwd=tree, env=environment, check=True, capture_output=True, timeout=120)
    [wheel] = tmp_path.glob("*.whl")
    shutil.unpack_archive(wheel, tmp_path / "installed", "zip")
    packed = {file.name for file in (tmp_path / "installed" / "vetrina" / "pages" / "admin_files").iterdir()}
    assert packed == {"manifest.json", "main-ABCD1234.js", "main-ABCD1234.js.br", "licenses.txt"}
    serve = [sys.executable, "-m", "vetrina.cli", "serve", "--ephemeral", "--port", "0"]
    process = subprocess.Popen(serve, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"(http://[^/]+)/", process.stdout.readline())
        assert found
        with urllib.request.urlopen(f"{found[1]}/admin/files/main-ABCD1234.js") as answer:
            assert (answer.read(), answer.headers["Content-Type"]) == (b"0", "text/javascript; charset=utf-8")
        with urllib.request.urlopen(f"{found[1]}/admin/content/post") as answer:
            assert answer.url == f"{found[1]}/admin/sign-in?redirect_to=%2Fadmin%2Fcontent%2Fpost"
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"{found[1]}/admin/files/build.log")
    finally:
        process.terminate()
        process.communicate(timeout=60)
