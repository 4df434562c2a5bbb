"""A stand-in that speaks both dialects, from this package's own plugin, and a client in each."""

from __future__ import annotations

import pytest

from vetrina.client import Client
from vetrina.testing import StandIn
from vetrina.testing.pytest_plugin import Sites


@pytest.fixture
def site(vetrina_site: Sites) -> StandIn:
    return vetrina_site("second", dialects=["wordpress"])


@pytest.fixture(params=["neutral", "wordpress"])
def client(request: pytest.FixtureRequest, site: StandIn) -> Client:
    return site.client(dialect=request.param)
