"""Demo sites as the command makes them, each once per process of the test run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conftest import Client
from vetrina.cli import main
from vetrina.site import Site
from vetrina.site_factory import open_site

Vetrina = Callable[..., Result]
# Scheduled content is still ahead of today, and no run ends earlier in the day than another.
UNTIL = str(date.today() - timedelta(days=1))
# Slightly more than are created one by one, so that both ways of creating orders are covered.
SHOP = ("demo", "second", "--until", UNTIL, "--seed", "7", "--orders", "260")


def run(*words: object) -> Result:
    """Run a command, and return its result."""
    return CliRunner().invoke(main, [str(word) for word in words], catch_exceptions=False)


@dataclass
class Demo:
    """A site, its profile and a client with all rights."""

    folder: Path
    profile: str
    site: Site
    admin: Client


def opened(folder: Path, profile: str, key: str) -> Demo:
    site = open_site(folder, durable=False)
    return Demo(folder, profile, site, Client(site, "admin", key))


def key_in(told: str) -> str:
    """Return the application password that a command printed."""
    found = re.search(r"application password +(.+)", told)
    assert found, told
    return found[1]


@pytest.fixture(scope="session")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A site that was made empty and then filled."""
    folder = tmp_path_factory.mktemp("demo") / "first"
    made = run("init", folder, "--empty")
    filled = run("demo", "first", "--site", folder, "--until", UNTIL)
    assert (made.exit_code, filled.exit_code) == (0, 0), filled.output
    demo = opened(folder, "first", key_in(made.output))
    yield demo
    demo.site.close()


@pytest.fixture(scope="session")
def second(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """A shop that the command made whole."""
    folder = tmp_path_factory.mktemp("demo") / "second"
    made = run(*SHOP, "--site", folder)
    assert made.exit_code == 0, made.output
    demo = opened(folder, "second", key_in(made.output))
    yield demo
    demo.site.close()


@pytest.fixture(params=["first", "second"])
def demo(request: pytest.FixtureRequest) -> Demo:
    found: Demo = request.getfixturevalue(request.param)
    return found
