"""The account that credentials identify, and the effect of wrong ones."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.sign_in.credentials import IncorrectPassword, InvalidSessionNonce, UnknownLogin
from vetrina.access.sign_in.guess_limiter import TooManyFailedSignIns
from vetrina.access.sign_in.request_sign_in import authenticate_request
from vetrina.access.users import rules as users
from vetrina.backends.sqlite import SqliteDatabase
from vetrina.backends.tables.all_tables import METADATA
from vetrina.content.types.registry import build_profile_types
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.kernel.times import load_time_zone
from vetrina.rest.call import Request
from vetrina.settings import Profile, Settings, SiteLimits

PASSWORD = "abcd efgh ijkl mnop qrst uvwx"


class SetClock:
    """A clock that tests move forward."""

    def __init__(self) -> None:
        self.at = 1_800_000_000

    def now(self) -> int:
        return self.at


class House:
    """A database with one account, `ann`, which has one application password."""

    def __init__(self, path: Path, **profile: object) -> None:
        engine = create_engine(f"sqlite:///{path}")
        METADATA.create_all(engine)
        engine.dispose()
        self.clock = SetClock()
        self.database = SqliteDatabase(path, durable=False)
        settled = Profile(limits=SiteLimits(sign_in_failures=3, sign_in_wait=60), **profile)  # type: ignore[arg-type]
        self.site = SiteContext(
            settled, Settings(secret="s"), load_time_zone("UTC"), self.clock, build_profile_types(settled), {}
        )
        with self.work() as work:
            self.ann = users.create_user(work, "ann", "ann@example.org", roles=("author",))
            self.key, _ = app_passwords.create_app_password(work, self.ann.id, "test", password=PASSWORD)

    @contextmanager
    def work(self) -> Iterator[UnitOfWork]:
        with self.database.begin_write() as tx:
            yield UnitOfWork(self.site, tx)

    def enter(self, login: str = "ann", password: str = PASSWORD, remote: str = "10.0.0.1") -> users.User:
        pair = base64.b64encode(f"{login}:{password}".encode()).decode()
        return self.present(f"Basic {pair}", remote=remote)

    def present(self, header: str, remote: str = "10.0.0.1") -> users.User:
        return authenticate_request(
            self.site, self.database, Request("GET", "/", headers={"authorization": header}, remote=remote)
        )

    def stored(self) -> app_passwords.AppPassword | None:
        with self.database.begin_read() as tx:
            return app_passwords.find_app_password(tx, self.ann.id, self.key.uuid)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "site.sqlite")
    yield house
    house.database.close()


@pytest.mark.parametrize("login", ["ann", "ANN", "ann@example.org", "Ann@Example.org"])
def test_an_account_is_named_by_its_login_or_its_address(house, login):
    user = house.enter(login)
    assert (user.id, user.app_password) == (house.ann.id, house.key.uuid)
    assert user.can("publish_posts")


@pytest.mark.parametrize("written", [PASSWORD.replace(" ", ""), f" {PASSWORD}  "])
def test_blanks_in_a_password_do_not_count(house, written):
    assert house.enter(password=written).id == house.ann.id


@pytest.mark.parametrize("header", ["", "Bearer abc", "Digest username=ann", "Basics YTpi"])
def test_another_scheme_names_nobody(house, header):
    assert house.present(header) is NOBODY


def test_a_request_without_credentials_is_nobodys(house):
    assert authenticate_request(house.site, house.database, Request("GET", "/")) is NOBODY


@pytest.mark.parametrize("credentials", ["", "!!!!", "YTp", base64.b64encode(b":").decode(), "/////"])
def test_credentials_that_cannot_be_read_are_refused(house, credentials):
    with pytest.raises(UnknownLogin):
        house.present(f"Basic {credentials}")


def test_an_unknown_login_and_a_wrong_password_are_told_apart(house):
    with pytest.raises(UnknownLogin):
        house.enter("bob")
    with pytest.raises(IncorrectPassword):
        house.enter(password="wrong")
    with pytest.raises(IncorrectPassword):
        house.present(f"Basic {base64.b64encode(b'ann').decode()}")


def test_a_profile_may_have_them_told_alike(tmp_path):
    house = House(tmp_path / "site.sqlite", one_sign_in_error=True)
    with pytest.raises(IncorrectPassword):
        house.enter("bob")
    house.database.close()


def test_too_many_failures_must_wait_and_good_credentials_with_them(house):
    house.enter()
    for _ in range(3):
        with pytest.raises(IncorrectPassword):
            house.enter(password="wrong")
    house.clock.at += 20
    for password in ("wrong", PASSWORD):
        with pytest.raises(TooManyFailedSignIns) as refused:
            house.enter(password=password)
        assert refused.value.headers["Retry-After"] == "40"
    house.clock.at += 40
    assert house.enter().id == house.ann.id


def test_login_and_address_are_counted_as_one(house):
    for login in ("ann", "ann@example.org", "ANN"):
        with pytest.raises(IncorrectPassword):
            house.enter(login, "wrong")
    with pytest.raises(TooManyFailedSignIns):
        house.enter()


def test_another_address_and_another_login_need_not_wait(house):
    for _ in range(3):
        with pytest.raises(IncorrectPassword):
            house.enter(password="wrong")
    assert house.enter(remote="10.0.0.2").id == house.ann.id
    with pytest.raises(UnknownLogin):
        house.enter("bob")


def test_a_password_that_was_revoked_is_refused_at_once(house):
    house.enter()
    with house.work() as work:
        app_passwords.revoke_app_password(work, house.key)
    with pytest.raises(IncorrectPassword):
        house.enter()


def test_new_roles_count_from_the_next_request(house):
    house.enter()
    with house.work() as work:
        users.update_user(work, house.ann, roles=("subscriber",))
    assert not house.enter().can("publish_posts")


def test_what_another_process_wrote_counts_too(house):
    house.enter()
    other = SqliteDatabase(house.database.path, durable=False)
    with other.begin_write() as tx:
        users.delete_user(UnitOfWork(house.site, tx), house.ann)
    other.close()
    with pytest.raises(UnknownLogin):
        house.enter()


def test_a_change_elsewhere_does_not_sign_anybody_out(house):
    before = house.enter()
    with house.work() as work:
        work.note("post", 1, "changed")
    assert house.enter() is before


def test_the_use_of_a_password_is_kept_once_a_day(house):
    assert house.stored().last_used is None
    first = house.clock.at
    house.enter()
    house.clock.at += 86_399
    house.enter(remote="10.0.0.2")
    assert (house.stored().last_used, house.stored().last_ip) == (first, "10.0.0.1")
    house.clock.at += 1
    house.enter(remote="10.0.0.2")
    assert (house.stored().last_used, house.stored().last_ip) == (first + 86_400, "10.0.0.2")


def test_a_nonce_without_credentials_is_refused_even_when_it_is_empty(house):
    for request in (
        Request("GET", "/", headers={"x-cms-nonce": ""}),
        Request("GET", "/", query={"_cmsnonce": "abc"}),
        Request("GET", "/", headers={"authorization": "Bearer x", "x-cms-nonce": "abc"}),
    ):
        with pytest.raises(InvalidSessionNonce):
            authenticate_request(house.site, house.database, request)


def test_a_nonce_beside_good_credentials_is_passed_over(house):
    pair = base64.b64encode(f"ann:{PASSWORD}".encode()).decode()
    request = Request("GET", "/", headers={"authorization": f"basic {pair}", "x-cms-nonce": "abc"})
    assert authenticate_request(house.site, house.database, request).id == house.ann.id
