"""A stand-in that speaks both dialects, and a client for each."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from conftest import Client, SetClock, Stand
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

BRAND = "/en/wp-json"


@pytest.fixture
def both(prepared: Path, tmp_path: Path, clock: SetClock) -> Iterator[Stand]:
    shutil.copy(prepared / "site.sqlite", tmp_path / "site.sqlite")
    profile = msgspec.structs.replace(load_profile("first"), dialects=("neutral", "wordpress"))
    site = Site(profile, Settings(secret="secret of the tests"), tmp_path, clock=clock, durable=False)
    yield Stand(site)
    site.close()


@pytest.fixture
def admin(both: Stand) -> Client:
    """The administrator, in neutral names."""
    return both.client("admin")


@pytest.fixture
def foreign(both: Stand) -> Client:
    """The administrator, in the other dialect's names."""
    return both.client("admin", root=BRAND)


@pytest.fixture
def stranger(both: Stand) -> Client:
    """Nobody, in the other dialect's names."""
    return both.client(root=BRAND)
