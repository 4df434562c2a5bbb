"""The guide for JavaScript suites: the suite next to this file is run by node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
GUIDE = HERE.parents[1] / "docs" / "testing.md"


def test_a_suite_of_node_starts_resets_and_stops_a_stand_in(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node here")
    users = tmp_path / "users.json"
    account = {"login": "admin", "role": "administrator", "application_password": "application password"}
    users.write_text(json.dumps([account]))
    environment = {**os.environ, "USERS": str(users), "VETRINA": f"{sys.executable} -m vetrina.cli"}
    done = subprocess.run(
        [node, "--test", HERE / "posts.test.mjs"], env=environment, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# pass 3" in done.stdout.replace("ℹ", "#")


@pytest.mark.parametrize("name", ["stand-in.mjs", "posts.test.mjs"])
def test_the_guide_shows_the_files_that_are_run(name: str) -> None:
    assert (HERE / name).read_text() in GUIDE.read_text()
