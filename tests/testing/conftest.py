"""A test server of the second profile, from this package's own plugin, reset before each test."""

from __future__ import annotations

import pytest

from vetrina.pytest_plugin import SiteFactory
from vetrina.testing import LocalTestServer


@pytest.fixture
def site(vetrina_site: SiteFactory) -> LocalTestServer:
    return vetrina_site("second", dialects=["wordpress"])
