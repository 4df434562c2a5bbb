"""A test server with both dialects, from this package's own plugin, and a client for each."""

from __future__ import annotations

import pytest

from vetrina.client import Client
from vetrina.pytest_plugin import SiteFactory
from vetrina.testing import LocalTestServer


@pytest.fixture
def site(vetrina_site: SiteFactory) -> LocalTestServer:
    return vetrina_site("second", dialects=["wordpress"])


@pytest.fixture(params=["neutral", "wordpress"])
def client(request: pytest.FixtureRequest, site: LocalTestServer) -> Client:
    return site.client(dialect=request.param)
