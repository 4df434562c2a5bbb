"""One-time codes and recovery codes of the own account, over HTTP and as the rule that sign-in asks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pyotp
import pytest
from sqlalchemy import select

from conftest import Answer, Client, SetClock, Stand
from pages.test_account_notices import mails, text_of
from vetrina.access.second_factors import rules
from vetrina.access.second_factors.model import (
    IncorrectCode,
    SecondFactorRequired,
)
from vetrina.access.sign_in.guess_limiter import GuessCounter, TooManyGuesses
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.second_factors import one_time_code, recovery_code
from vetrina.backends.transaction_retries import run_with_retries
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

PATH = "/access/v1/second-factors"
CODES = f"{PATH}/one-time-codes"
PASSWORD = "a word that people keep"
PROOF = {"password": PASSWORD}


@pytest.fixture
def person(site: Stand) -> Client:
    """The author, whose account has a password of its own."""
    with site.site.work() as work:
        users.update_user(work, find_author(work), password=PASSWORD)
    return site.client("author")


def find_author(work: UnitOfWork) -> User:
    found = users.find_user_by_login(work.tx, "author")
    assert found is not None
    return found


def code_of(secret: str, clock: SetClock, ahead: int = 0) -> str:
    return pyotp.TOTP(secret).at(clock.now() + ahead)


def set_up(person: Client, clock: SetClock) -> tuple[str, list[str]]:
    """Turn on one-time codes, and return the secret and the recovery codes."""
    secret = person.post(CODES, PROOF).json["secret"]
    answer = person.post(f"{CODES}/confirm", {"code": code_of(secret, clock)})
    assert answer.status == 200, answer.json
    clock.forward(30)
    return secret, answer.json["recovery_codes"]


def ask_code(site: Stand, code: str, remote: str = "") -> None:
    """Ask for the second factor as a sign-in does. remote: the client's address, empty for no client outside."""
    guesses = GuessCounter(site.site.context, remote) if remote else None
    try:
        with site.site.work() as work:
            work.guesses = guesses
            rules.require_second_factor(work, find_author(work), code)
    finally:
        if guesses is not None:
            guesses.store(site.site.database)


@pytest.mark.every_database
def test_one_time_codes_are_on_with_the_first_code(person: Client, clock: SetClock) -> None:
    assert person.get(PATH).json == {
        "required": False, "one_time_codes": False, "one_time_codes_since": None, "recovery_codes": 0, "passkeys": 0,
        "passkeys_available": False,
    }  # fmt: skip
    begun = person.post(CODES, PROOF)
    assert begun.status == 200
    assert begun.json["uri"] == f"otpauth://totp/Vetrina:author?secret={begun.json['secret']}&issuer=Vetrina"
    assert begun.json["qr_code"].startswith("<svg")
    assert person.get(PATH).json["one_time_codes"] is False
    wrong = person.post(f"{CODES}/confirm", {"code": "000000"})
    assert (wrong.status, wrong.code) == (403, "rest_incorrect_code")
    done = person.post(f"{CODES}/confirm", {"code": code_of(begun.json["secret"], clock)})
    assert done.status == 200
    assert len(set(done.json["recovery_codes"])) == 10
    shown = person.get(PATH).json
    assert (shown["one_time_codes"], shown["recovery_codes"]) == (True, 10)
    assert person.post(CODES, PROOF).code == "rest_one_time_codes_in_use"
    again = person.post(f"{CODES}/confirm", {"code": code_of(begun.json["secret"], clock, 30)})
    assert (again.status, again.code) == (409, "rest_no_one_time_codes_begun")


def test_what_was_begun_waits_an_hour(person: Client, clock: SetClock) -> None:
    secret = person.post(CODES, PROOF).json["secret"]
    clock.forward(3601)
    answer = person.post(f"{CODES}/confirm", {"code": code_of(secret, clock)})
    assert answer.code == "rest_no_one_time_codes_begun"


@pytest.mark.parametrize(
    "ask",
    [
        lambda person, proof: person.post(CODES, proof),
        lambda person, proof: person.delete(CODES, json={**proof, "code": "1"}),
        lambda person, proof: person.post(f"{PATH}/recovery-codes", proof),
        lambda person, proof: person.post("/access/v1/passkeys/options", proof),
        lambda person, proof: person.delete("/access/v1/passkeys/x", json=proof),
    ],
)
def test_each_change_asks_for_the_password(
    site: Stand, person: Client, ask: Callable[[Client, dict[str, str]], Answer]
) -> None:
    wrong = ask(person, {"password": "author pass word"})
    assert (wrong.status, wrong.code) == (403, "rest_incorrect_password")
    assert ask(person, {}).code == "rest_missing_callback_param"
    without = ask(site.client("editor"), {"password": "x"})
    assert (without.status, without.code) == (409, "rest_no_own_password")
    nobody = ask(site.client(), PROOF)
    assert (nobody.status, nobody.code) == (401, "rest_not_logged_in")


def test_wrong_passwords_are_slowed_as_at_signing_in(person: Client) -> None:
    answers = [person.post(CODES, {"password": f"wrong {number}"}).status for number in range(20)]
    assert set(answers) == {403}
    assert person.post(CODES, PROOF).status == 429


@pytest.mark.every_database
def test_the_second_factor_is_asked_for(site: Stand, person: Client, clock: SetClock) -> None:
    ask_code(site, "")
    secret, _ = set_up(person, clock)
    with pytest.raises(SecondFactorRequired):
        ask_code(site, " ")
    for wrong in ("000000", "12345", "abcd-efgh-jkmn-pqrs", "٠٠٠٠٠٠", code_of(secret, clock, 90)):
        with pytest.raises(IncorrectCode):
            ask_code(site, wrong)
    ask_code(site, code_of(secret, clock, 30))
    for used in (code_of(secret, clock, 30), code_of(secret, clock), code_of(secret, clock, -30)):
        with pytest.raises(IncorrectCode):
            ask_code(site, used)
    clock.forward(60)
    shown = code_of(secret, clock)
    ask_code(site, f"{shown[:3]} {shown[3:]}")


@pytest.mark.every_database
def test_a_recovery_code_is_good_once(site: Stand, person: Client, clock: SetClock) -> None:
    _, codes = set_up(person, clock)
    ask_code(site, codes[3].upper())
    with pytest.raises(IncorrectCode):
        ask_code(site, codes[3])
    assert person.get(PATH).json["recovery_codes"] == 9
    new = person.post(f"{PATH}/recovery-codes", PROOF).json["recovery_codes"]
    with pytest.raises(IncorrectCode):
        ask_code(site, codes[0])
    ask_code(site, new[0].replace("-", " "))


@pytest.mark.every_database
@pytest.mark.parametrize("recovery", [False, True])
def test_the_same_code_twice_at_once_has_one_winner(
    site: Stand, person: Client, clock: SetClock, recovery: bool
) -> None:
    secret, codes = set_up(person, clock)
    code = codes[0] if recovery else code_of(secret, clock)
    outcomes: list[bool] = []
    begin = threading.Barrier(4)

    def enter() -> None:
        begin.wait()
        try:
            run_with_retries(lambda: ask_code(site, code))
            outcomes.append(True)
        except IncorrectCode:
            outcomes.append(False)

    threads = [threading.Thread(target=enter) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(outcomes) == [False, False, False, True]


def test_ten_thousand_guesses_open_nothing(site: Stand, person: Client, clock: SetClock) -> None:
    secret, _ = set_up(person, clock)
    compared = 0
    for number in range(10_000):
        # Even if one of them is right: all but the first five wait.
        guess = f"{number:06}" if number > 5 else "x" * 6
        try:
            ask_code(site, guess, f"10.{number >> 8 & 255}.{number & 255}.1")
        except IncorrectCode:
            compared += 1
        except TooManyGuesses:
            pass
    assert compared == 5
    with pytest.raises(TooManyGuesses):
        ask_code(site, code_of(secret, clock), "192.0.2.7")
    clock.forward(61)
    ask_code(site, code_of(secret, clock), "192.0.2.7")


def test_patient_guesses_wait_until_the_next_day(site: Stand, person: Client, clock: SetClock) -> None:
    secret, _ = set_up(person, clock)
    clock.forward(86_400 - clock.now() % 86_400)
    compared = 0
    for _ in range(20):
        for number in range(6):
            try:
                ask_code(site, f"{'x' * 5}{number}", f"198.51.100.{compared}")
            except IncorrectCode:
                compared += 1
            except TooManyGuesses:
                pass
        clock.forward(61)
    assert compared == 50
    with pytest.raises(TooManyGuesses) as refused:
        ask_code(site, code_of(secret, clock), "192.0.2.7")
    clock.forward(refused.value.wait + 1)
    ask_code(site, code_of(secret, clock), "192.0.2.7")


@pytest.mark.every_database
def test_tokens_are_given_for_password_and_code(site: Stand, person: Client, clock: SetClock) -> None:
    anyone, path = site.client(), "/access/v1/tokens"
    secret, codes = set_up(person, clock)
    given = {"login": "author", "password": PASSWORD}
    wanting = anyone.post(path, given)
    assert (wanting.status, wanting.code) == (401, "rest_second_factor_required")
    wrong = anyone.post(path, {**given, "code": "000000"})
    assert (wrong.status, wrong.code) == (403, "rest_incorrect_code")
    # Without the password nothing tells that there is a second factor.
    assert anyone.post(path, {**given, "password": "x", "code": codes[0]}).code == "rest_wrong_credentials"
    assert anyone.post(path, {**given, "code": code_of(secret, clock)}).status == 200
    assert anyone.post(path, {**given, "code": code_of(secret, clock)}).code == "rest_incorrect_code"
    assert anyone.post(path, {**given, "code": codes[0]}).status == 200


def test_one_time_codes_are_removed_with_password_and_code(site: Stand, person: Client, clock: SetClock) -> None:
    secret, codes = set_up(person, clock)
    assert person.delete(CODES, json={**PROOF, "code": "000000"}).code == "rest_incorrect_code"
    assert person.get(PATH).json["one_time_codes"] is True
    gone = person.delete(CODES, json={**PROOF, "code": code_of(secret, clock)})
    assert gone.status == 200
    assert (gone.json["one_time_codes"], gone.json["recovery_codes"]) == (False, 0)
    assert person.delete(CODES, json={**PROOF, "code": codes[0]}).code == "rest_no_second_factor"
    assert person.post(f"{PATH}/recovery-codes", PROOF).code == "rest_no_second_factor"
    ask_code(site, "")


@pytest.mark.every_database
def test_an_administrator_removes_the_factors_of_somebody_else_only(
    site: Stand, person: Client, admin: Client, clock: SetClock
) -> None:
    with site.site.work(read=True) as work:
        of = f"/access/v1/users/{find_author(work).id}/second-factors"
    set_up(person, clock)
    for client in (site.client("editor"), person):
        refused = client.delete(of)
        assert (refused.status, refused.code) == (403, "rest_cannot_edit")
    assert site.client().delete(of).status == 401
    own = admin.delete(f"/access/v1/users/{admin.get('/cms/v2/users/me').json['id']}/second-factors")
    assert (own.status, own.code) == (403, "rest_cannot_edit")
    assert admin.get(of).json["one_time_codes"] is True
    assert admin.delete(of).json["one_time_codes"] is False
    assert admin.delete(of).code == "rest_no_second_factor"
    assert admin.delete("/access/v1/users/987654/second-factors").code == "rest_user_invalid_id"
    ask_code(site, "")


def test_secrets_are_sealed_and_codes_are_digests(site: Stand, person: Client, clock: SetClock) -> None:
    secret, codes = set_up(person, clock)
    with site.site.work(read=True) as work:
        stored: list[Any] = [
            *work.tx.all(Statement(select(one_time_code.c.secret))),
            *work.tx.all(Statement(select(recovery_code.c.digest))),
        ]
    assert len(stored) == 11
    text = str(stored)
    assert secret not in text
    assert not any(code in text or code.replace("-", "") in text for code in codes)


def test_the_rows_go_with_the_account(site: Stand, person: Client, clock: SetClock) -> None:
    set_up(person, clock)
    with site.site.work() as work:
        users.delete_user(work, find_author(work))
        assert work.tx.all(Statement(select(one_time_code.c.account))) == []
        assert work.tx.all(Statement(select(recovery_code.c.account))) == []


def test_no_secret_is_taken_from_an_address(person: Client) -> None:
    for path, query in ((CODES, {"password": PASSWORD}), (f"{CODES}/confirm", {"code": "000000"})):
        answer = person.ask("POST", path, query=query)
        assert (answer.status, answer.code) == (400, "rest_secret_in_url")


def test_the_owner_is_told_of_a_factor_that_came_or_went(
    site: Stand, admin: Client, person: Client, clock: SetClock
) -> None:
    me = person.get("/cms/v2/users/me").json["id"]
    set_up(person, clock)
    (told,) = mails(site)
    assert told["To"] == site.client("admin").get(f"/cms/v2/users/{me}", query={"context": "edit"}).json["email"]
    assert str(told["Subject"]).endswith("what is asked for beside your password was changed")
    assert "Address: " in text_of(told)
    assert admin.delete(f"/access/v1/users/{me}/second-factors").status == 200
    (told,) = mails(site)
    assert "somebody who manages the accounts" in text_of(told)
