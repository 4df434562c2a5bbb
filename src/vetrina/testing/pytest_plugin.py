"""Fixtures of pytest: stand-ins of either profile, started once a run, at their start before each test.

pytest loads this in every project that has the package installed, so nothing is imported here before a fixture is
asked for. Guide: docs/testing.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Protocol

import pytest

if TYPE_CHECKING:
    from vetrina.testing import StandIn

__all__ = ["Sites", "vetrina_first", "vetrina_second", "vetrina_site", "vetrina_sites"]


class Sites(Protocol):
    """What gives the stand-in of these arguments, those of StandIn; the same ones give the same stand-in."""

    def __call__(self, profile: str = "first", **words: Any) -> StandIn: ...


@pytest.fixture(scope="session")
def vetrina_sites() -> Iterator[Sites]:
    """Stand-ins as they are left, for fixtures of a session: each is started once in a process of the run."""
    from vetrina.testing import StandIn

    found: dict[str, StandIn] = {}
    with ExitStack() as stack:

        def give(profile: str = "first", **words: Any) -> StandIn:
            key = repr((str(profile), sorted(words.items())))
            if key not in found:
                found[key] = stack.enter_context(StandIn(profile, **words))
            return found[key]

        yield give


@pytest.fixture
def vetrina_site(vetrina_sites: Sites) -> Sites:
    """Stand-ins at their start: `vetrina_site("second", dialects=["wordpress"])`."""

    def give(profile: str = "first", **words: Any) -> StandIn:
        site = vetrina_sites(profile, **words)
        site.reset()
        return site

    return give


@pytest.fixture
def vetrina_first(vetrina_site: Sites) -> StandIn:
    """A stand-in of the first profile, at its start: content in two languages."""
    return vetrina_site("first")


@pytest.fixture
def vetrina_second(vetrina_site: Sites) -> StandIn:
    """A stand-in of the second profile, at its start: the shop beside content."""
    return vetrina_site("second")
