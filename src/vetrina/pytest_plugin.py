"""Fixtures of pytest: test servers of either profile, started once per run and reset before each test.

pytest loads this in every project that has the package installed, so nothing is imported here before a fixture is used.
Guide: docs/testing.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from vetrina.testing import LocalTestServer

__all__ = ["SiteFactory", "vetrina_first", "vetrina_second", "vetrina_site", "vetrina_sites"]


class SiteFactory(Protocol):
    """Returns the test server for the arguments of LocalTestServer; equal arguments return the same one."""

    def __call__(self, profile: str = "first", **words: Any) -> LocalTestServer: ...


@pytest.fixture(scope="session")
def vetrina_sites() -> Iterator[SiteFactory]:
    """Test servers without a reset, for session fixtures: each is started once per process of the run."""
    from vetrina.testing import LocalTestServer

    found: dict[str, LocalTestServer] = {}
    with ExitStack() as stack:

        def give(profile: str = "first", **words: Any) -> LocalTestServer:
            key = repr((str(profile), sorted(words.items())))
            if key not in found:
                found[key] = stack.enter_context(LocalTestServer(profile, **words))
            return found[key]

        yield give


@pytest.fixture
def vetrina_site(vetrina_sites: SiteFactory) -> SiteFactory:
    """Test servers in their initial state: `vetrina_site("second", dialects=["wordpress"])`."""

    def give(profile: str = "first", **words: Any) -> LocalTestServer:
        site = vetrina_sites(profile, **words)
        site.reset()
        return site

    return give


@pytest.fixture
def vetrina_first(vetrina_site: SiteFactory) -> LocalTestServer:
    """A test server of the first profile in its initial state: content in two languages."""
    return vetrina_site("first")


@pytest.fixture
def vetrina_second(vetrina_site: SiteFactory) -> LocalTestServer:
    """A test server of the second profile in its initial state: a shop beside content."""
    return vetrina_site("second")
