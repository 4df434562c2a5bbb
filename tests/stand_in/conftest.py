"""A stand-in of the second profile, from this package's own plugin, at its start before each test."""

from __future__ import annotations

import pytest

from vetrina.testing import StandIn
from vetrina.testing.pytest_plugin import Sites


@pytest.fixture
def site(vetrina_site: Sites) -> StandIn:
    return vetrina_site("second", dialects=["wordpress"])
