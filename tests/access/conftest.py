"""Sites on which people may register, and accounts with passwords of their own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from conftest import Stand, made, standing
from vetrina.access.users import rules as users
from vetrina.account_settings import AccountSettings
from vetrina.settings import Profile, load_profile

PASSWORD = "a word that people keep"


def build_profile(name: str = "first", **settings: object) -> Profile:
    """Return a built-in profile whose accounts have these settings."""
    return msgspec.structs.replace(load_profile(name), accounts=msgspec.structs.replace(AccountSettings(), **settings))


def set_passwords(stand: Stand, *logins: str) -> None:
    """Give accounts the password that people sign in with."""
    with stand.site.work() as work:
        for login in logins:
            user = users.find_user_by_login(work.tx, login)
            assert user is not None
            users.update_user(work, user, password=PASSWORD)


@pytest.fixture(scope="session")
def prepared_shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("prepared")
    site = made(folder, load_profile("second"), secret="secret of the tests")
    site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    return folder


@pytest.fixture(scope="session")
def prepared_postgres_shop(postgres, tmp_path_factory: pytest.TempPathFactory) -> str:
    site = made(
        tmp_path_factory.mktemp("prepared"), load_profile("second"), secret="secret of the tests",
        database=postgres.new(),
    )  # fmt: skip
    site.close()
    return postgres.newest


@pytest.fixture
def settings() -> dict[str, object]:
    """What the profile says of accounts; a test may replace it."""
    return {"registration": "confirmed"}


@pytest.fixture
def house(request: pytest.FixtureRequest, kind: str, settings: dict[str, object]) -> Iterator[Stand]:
    """A site without a shop; author and editor have passwords of their own."""
    with standing(request, build_profile(**settings)) as stand:
        set_passwords(stand, "author", "editor", "admin")
        yield stand


@pytest.fixture
def shop(request: pytest.FixtureRequest, kind: str, settings: dict[str, object]) -> Iterator[Stand]:
    """A site with a shop, with reports and with three languages."""
    with standing(request, build_profile("second", **settings), "_shop") as stand:
        set_passwords(stand, "author", "editor", "admin")
        yield stand
