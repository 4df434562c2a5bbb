"""The stand-in of the second deployment, as the shop's own tests have it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gateway_package import installed
from shop.conftest import customer, manager, prepared_postgres_shop, prepared_shop, site

__all__ = ["cards", "customer", "manager", "prepared_postgres_shop", "prepared_shop", "site"]


@pytest.fixture
def cards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A package that takes cards is installed."""
    with installed(tmp_path_factory.mktemp("package")):
        yield
