"""The own password once more: wherever it is asked for, alike, counted, and compared outside of every transaction."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from sqlalchemy import update

from conftest import Answer, Client, SetClock, Stand
from vetrina.access.passwords import hashing
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.accounts import account
from watched_calls import watch_calls

from .conftest import PASSWORD

MOST, WAIT = 20, 60  # wrong guesses at one secret from one address; seconds
NAME = "vetrina-20260101-000000.tar.gz"
# Routes that ask for it: method, path, what is sent besides.
ASKING = [
    ("PUT", "/access/v1/account/password", "current_password", {"password": "another word"}),
    ("POST", "/access/v1/account/email", "current_password", {"email": "new@example.net"}),
    ("POST", "/access/v1/account/closing", "current_password", {}),
    ("POST", "/access/v1/second-factors/one-time-codes", "password", {}),
    ("DELETE", "/access/v1/second-factors/one-time-codes", "password", {"code": "123456"}),
    ("POST", "/access/v1/second-factors/recovery-codes", "password", {}),
    ("POST", "/access/v1/passkeys/options", "password", {}),
    ("DELETE", "/access/v1/passkeys/x", "password", {}),
    ("POST", f"/cms/v2/backups/{NAME}/link", "password", {}),
]
FORGET = Statement(update(account).where(account.c.login == "admin").values(password=""))
each_route = pytest.mark.parametrize("asking", ASKING, ids=lambda one: f"{one[0]} {one[1]}")
Asking = tuple[str, str, str, dict[str, Any]]


@pytest.fixture
def owner(house: Stand) -> Client:
    """The administrator, with a backup."""
    folder = house.site.folder / "backups"
    folder.mkdir(exist_ok=True)
    (folder / NAME).write_bytes(b"no archive, but a file")
    return house.client("admin")


def ask(client: Client, asking: Asking, password: str) -> Answer:
    method, path, name, more = asking
    return client.ask(method, path, json={**more, name: password})


@each_route
def test_a_wrong_password_is_refused_alike_and_counted(owner: Client, clock: SetClock, asking: Asking) -> None:
    for number in range(MOST):
        refused = ask(owner, asking, f"guess {number}")
        assert (refused.status, refused.code) == (403, "rest_incorrect_password"), refused.json
    for one in ASKING:
        waiting = ask(owner, one, PASSWORD)
        assert (waiting.status, waiting.code) == (429, "too_many_failed_sign_ins")
    clock.forward(WAIT)
    assert ask(owner, asking, PASSWORD).code not in ("rest_incorrect_password", "too_many_failed_sign_ins")


@pytest.mark.in_process("watches the comparison")
@each_route
def test_no_transaction_is_held_while_a_password_is_compared(house: Stand, owner: Client, asking: Asking) -> None:
    held: list[bool] = []
    connection = house.site.database.connection()
    assert isinstance(connection, sqlite3.Connection)
    with watch_calls(hashing.is_correct_password, then=lambda: held.append(connection.in_transaction)):
        ask(owner, asking, PASSWORD)
    assert held == [False]


@pytest.mark.in_process("watches the comparison")
@each_route
def test_a_password_that_was_replaced_meanwhile_proves_nothing(house: Stand, owner: Client, asking: Asking) -> None:
    def replace() -> None:
        with house.site.work() as work:
            user = users.find_user_by_login(work.tx, "admin")
            assert user is not None
            users.update_user(work, user, password="of its owner, who noticed")

    with watch_calls(hashing.is_correct_password, then=replace, at="return"):
        refused = ask(owner, asking, PASSWORD)
    assert (refused.status, refused.code) == (403, "rest_incorrect_password")


@each_route
def test_an_account_without_a_password_is_told_how_to_get_one(house: Stand, owner: Client, asking: Asking) -> None:
    with house.site.work() as work:
        work.tx.run(FORGET)
    refused = ask(owner, asking, PASSWORD)
    assert (refused.status, refused.code) == (409, "rest_no_own_password")
