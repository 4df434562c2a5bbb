"""Locked requirements: everything that pyproject.toml requires, hashes for every file, and no index URL."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(r"^([a-z0-9][a-z0-9.-]*)==([^ ;\\]+)", re.MULTILINE)


def pins(name: str) -> dict[str, str]:
    return dict(PIN.findall((ROOT / name).read_text()))


@pytest.mark.parametrize("name", LOCKS)
def test_every_requirement_has_a_version_and_hashes_and_no_address(name: str) -> None:
    text = (ROOT / name).read_text()
    blocks = re.split(r"\n(?=\S)", text.strip())
    requirements = [block for block in blocks if not block.startswith("#")]
    assert len(requirements) == len(PIN.findall(text))
    assert all("--hash=sha256:" in block for block in requirements)
    assert not re.search(r"://|--index|--find-links|--trusted-host|@ ", text)


def test_the_locks_hold_what_the_package_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    build = project["build-system"]["requires"]
    groups = project["dependency-groups"]
    dev = [one for one in groups["dev"] if isinstance(one, str)]
    for wanted, name in ((project["project"]["dependencies"] + build, LOCKS[0]), (dev, LOCKS[1])):
        held = pins(name)
        for requirement in wanted:
            package, _, version = re.sub(r"\[.*?\]", "", requirement).partition("==")
            assert held.get(package.lower()) == version, f"{package} in {name}; run: make lock"


def test_what_tests_run_on_is_what_sites_run_on() -> None:
    runtime, dev = pins(LOCKS[0]), pins(LOCKS[1])
    assert {name: dev.get(name) for name in runtime} == runtime
