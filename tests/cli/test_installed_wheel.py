"""The wheel of `make dist`, installed by pip into an environment with nothing else, makes a site and serves it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

pytest.importorskip("hatchling")

ROOT = Path(__file__).parents[2]
_PATIENCE = 300.0  # seconds for each command


def _environment() -> dict[str, str]:
    """Return the environment of somebody who has no clone: without what this run was told."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VETRINA_"))}


def _run(folder: Path, *command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*map(str, command)], cwd=folder, env=_environment(), capture_output=True, text=True, timeout=_PATIENCE
    )


def test_the_wheel_installs_alone_and_serves_a_demonstration(tmp_path: Path) -> None:
    recipe = re.search(r"^dist:.*\n\t\$\(BIN\)/python (.+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe
    built = [sys.executable, *recipe[1].split(), "-d", str(tmp_path)]
    subprocess.run(built, cwd=ROOT, env=_environment(), check=True, capture_output=True, timeout=_PATIENCE)
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as content:
        assert {name.partition("/")[0].partition("-")[0] for name in content.namelist()} == {"vetrina"}
    venv.create(tmp_path / "env", with_pip=True)
    python, site = tmp_path / "env" / "bin" / "python", tmp_path / "site"
    done = _run(tmp_path, python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    if done.returncode and "Retrying" in done.stderr:
        pytest.skip(f"Python's registry cannot be reached: {done.stderr[-300:]}")
    assert done.returncode == 0, done.stderr
    vetrina = tmp_path / "env" / "bin" / "vetrina"
    made = _run(tmp_path, vetrina, "demo", "first", "--site", site)
    assert made.returncode == 0, made.stderr
    served = [vetrina, "serve", "--site", site, "--port", "0"]
    process = subprocess.Popen(served, cwd=tmp_path, env=_environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        with urllib.request.urlopen(f"{found[0]}cms/v2/percorso?_fields=title.rendered") as answer:
            assert len(json.load(answer)) > 1
    finally:
        process.terminate()
        process.communicate(timeout=_PATIENCE)
