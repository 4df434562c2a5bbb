"""The test site of the second profile, as in the shop's own tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gateway_package import installed
from shop.conftest import customer, manager, prepared_postgres_shop, prepared_shop, site

__all__ = ["cards", "customer", "manager", "prepared_postgres_shop", "prepared_shop", "site"]


@pytest.fixture
def cards(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An installed package that accepts card payments."""
    with installed(tmp_path_factory.mktemp("package")):
        yield
