"""The built wheel contains everything from the source, and runs a test server that its own client can read."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = """
import sys, vetrina
from vetrina.testing import LocalTestServer

with LocalTestServer("first") as site:
    post = site.client("author").posts.create(title="Harbour")
    site.client().media.upload(b"note", "note.txt")
    site.reset()
    print(vetrina.__file__, post["status"], site.client().posts.list(status="any").all())
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [made] = folder.glob("*.whl")
    return made


def test_every_file_of_the_source_is_in_the_wheel(wheel: Path) -> None:
    source = ROOT / "src"
    files = {str(file.relative_to(source)) for file in (source / "vetrina").rglob("*") if file.is_file()}
    # What the administration's build notes for itself stays here.
    notes = ("admin_files/.building", "admin_files/.stamp", "admin_files/build.log")
    files = {name for name in files if "__pycache__" not in name and not name.endswith(notes)}
    with zipfile.ZipFile(wheel) as packed:
        assert files - set(packed.namelist()) == set()


def test_what_the_wheel_holds_serves_a_stand_in(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    command = [sys.executable, "-c", PROGRAM]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    place, status, posts = done.stdout.split()
    assert place.startswith(str(tmp_path))
    assert (status, posts) == ("draft", "[]")
