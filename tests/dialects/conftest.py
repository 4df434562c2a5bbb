"""A test site with both dialects, and a client for each."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from conftest import Client, Stand, standing
from vetrina.settings import load_profile

BRAND = "/en/wp-json"


@pytest.fixture
def both(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, msgspec.structs.replace(load_profile("first"), dialects=("neutral", "wordpress"))) as stand:
        yield stand


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
    """An anonymous client, in the other dialect's names."""
    return both.client(root=BRAND)
