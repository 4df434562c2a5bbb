"""A test site of the second profile, with a shop, and a client for each of its accounts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from conftest import ACCOUNTS, Client, Stand, standing
from postgres_server import Postgres
from vetrina.settings import Settings, load_profile
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

_SECRET = "secret of the tests"
_SHOP = [
    InitialAccount(role, role, f"{role}@example.org", f"{role} pass word") for role in ("shop_manager", "customer")
]  # fmt: skip


@pytest.fixture(scope="session")
def prepared_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a test site that is copied for others."""
    folder = tmp_path_factory.mktemp("shop")
    site = create_stand_in_site(load_profile("second"), [*ACCOUNTS, *_SHOP], folder, Settings(secret=_SECRET))
    site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    return folder


@pytest.fixture(scope="session")
def prepared_postgres_shop(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The name of a database with a test site, used as a template."""
    settings = Settings(secret=_SECRET, database=postgres.new())
    site = create_stand_in_site(load_profile("second"), [*ACCOUNTS, *_SHOP], tmp_path_factory.mktemp("shop"), settings)
    site.close()
    return postgres.newest


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    with standing(request, load_profile("second"), "_shop") as stand:
        yield stand


@pytest.fixture
def manager(site: Stand) -> Client:
    return site.client("shop_manager")


@pytest.fixture
def customer(site: Stand) -> Client:
    return site.client("customer")
