"""Registering over the interface: a mail, one account, the same answer for every address."""

from __future__ import annotations

import threading
from statistics import median
from time import perf_counter
from typing import Any

import pytest
from sqlalchemy import select

from conftest import Answer, SetClock, Stand
from vetrina.access.passwords import hashing
from vetrina.access.registration import rules as registrations
from vetrina.access.registration.rules import NewRegistration
from vetrina.access.users import rules as users
from vetrina.backends.database import Statement
from vetrina.backends.tables.registration import registration as table

from .account_mails import get_link, get_text, read_mails
from .conftest import PASSWORD

REGISTRATIONS = "/access/v1/registrations"
ADA = "ada@example.org"


def register(stand: Stand, email: str = ADA, remote: str = "127.0.0.1", **more: Any) -> Answer:
    client = stand.client()
    client.remote = remote
    return client.post(REGISTRATIONS, {"email": email, **more})


def get_key(stand: Stand, email: str = ADA) -> str:
    return get_link(read_mails(stand, email)[-1], "confirm-registration")["key"]


def confirm(stand: Stand, key: str, **more: Any) -> Answer:
    return stand.client().post(f"{REGISTRATIONS}/confirm", {"key": key, **more})


def find(stand: Stand, login: str) -> Any:
    with stand.site.work(read=True) as work:
        return users.find_user_by_login(work.tx, login)


@pytest.mark.every_database
def test_an_account_is_there_after_its_mail_was_answered(house: Stand) -> None:
    answer = register(house, login="ada", name="Ada <b>Neri</b>", password=PASSWORD, locale="it_IT")
    assert (answer.status, answer.json) == (202, {"accepted": True, "confirmation": True})
    [mail] = read_mails(house)
    assert mail["To"] == ADA
    assert find(house, ADA) is None
    key = get_key(house)
    made = confirm(house, key)
    assert made.status == 200, made.json
    assert (made.json["username"], made.json["email"]) == ("ada", ADA)
    ada = find(house, "ada")
    assert (ada.name, ada.locale, ada.roles) == ("Ada Neri", "it_IT", ("subscriber",))
    # The link is used up, and its key was never stored.
    assert (confirm(house, key).status, confirm(house, key).code) == (404, "rest_registration_link_over")
    with house.site.database.begin_read() as tx:
        assert not tx.all(Statement(select(table)))


@pytest.mark.every_database
def test_every_address_is_answered_alike_and_its_owner_is_told(house: Stand) -> None:
    answers = {
        (one.status, one.content)
        for email in (ADA, "author@example.org", "AUTHOR@example.org")
        if (one := register(house, email, password=PASSWORD))
    }  # fmt: skip
    assert len(answers) == 1
    assert "confirm-registration" in get_text(read_mails(house, ADA)[0])
    told = [get_text(one) for one in read_mails(house) if one["To"].lower() == "author@example.org"]
    assert len(told) == 2
    assert all("You have one already: author" in one and "key=" not in one for one in told)


def test_the_key_is_stored_as_a_digest_only(house: Stand) -> None:
    register(house, password=PASSWORD)
    key = get_key(house)
    assert key not in str(dump(house))
    assert PASSWORD not in str(dump(house))


def dump(stand: Stand) -> list[Any]:
    with stand.site.database.begin_read() as tx:
        return [tuple(row) for row in tx.all(Statement(select(table)))]


def test_a_link_is_over_after_a_day(house: Stand, clock: SetClock) -> None:
    register(house, password=PASSWORD)
    key = get_key(house)
    clock.forward(24 * 3600 + 1)
    assert confirm(house, key).status == 404
    assert find(house, ADA) is None


def test_a_password_may_be_chosen_with_the_link_and_replaces_that_of_somebody_else(house: Stand) -> None:
    register(house)
    key = get_key(house)
    assert (confirm(house, key).status, confirm(house, key).code) == (400, "rest_registration_password")
    assert confirm(house, key, password="a\\b").status == 400
    assert confirm(house, key, password=PASSWORD).status == 200
    register(house, "eve@example.org", password="chosen by a stranger")
    assert confirm(house, get_key(house, "eve@example.org"), password=PASSWORD).status == 200
    eve = find(house, "eve")
    with house.site.work(read=True) as work:
        stored = users.load_password_hash(work.tx, eve.id)
    assert hashing.is_correct_password(stored, PASSWORD)
    assert not hashing.is_correct_password(stored, "chosen by a stranger")


@pytest.mark.parametrize("settings", [{"registration": "closed"}, {}])
def test_nobody_registers_where_it_is_closed(house: Stand) -> None:
    for path, body in ((REGISTRATIONS, {"email": ADA}), (f"{REGISTRATIONS}/confirm", {"key": "x"})):
        answer = house.client().post(path, body)
        assert (answer.status, answer.code) == (401, "rest_registration_closed")
        assert house.client("author").post(path, body).status == 403


@pytest.mark.parametrize(
    "settings",
    [{"registration": "confirmed", "registration_domains": ("example.org", "Example.com"),
      "registration_refused_domains": ("mail.example.org",)}],
)  # fmt: skip
def test_domains_may_be_named_or_refused(house: Stand) -> None:
    told = {
        email: register(house, email).status
        for email in (
            "a@example.org", "a@EXAMPLE.com", "a@sub.example.com", "a@mail.example.org", "a@x.mail.example.org",
            "a@badexample.org", "a@example.net",
        )
    }  # fmt: skip
    assert list(told.values()) == [202, 202, 202, 400, 400, 400, 400]
    assert register(house, "a@example.net").code == "rest_registration_domain"
    assert register(house, "nothing").status == 400


@pytest.mark.parametrize("settings", [{"registration": "open", "registration_role": "contributor"}])
def test_an_open_site_makes_the_account_at_once_and_confirms_its_address_later(house: Stand) -> None:
    answer = register(house, password=PASSWORD)
    assert answer.json == {"accepted": True, "confirmation": False}
    [mail] = read_mails(house)
    assert find(house, ADA).roles == ("contributor",)
    assert "Your user name is ada" in get_text(mail)
    assert confirm(house, get_key(house)).json["username"] == "ada"
    # The owner of a known address gets a mail without a key.
    assert register(house, password="another").status == 202
    assert "You have one already" in get_text(read_mails(house)[-1])


def test_a_taken_name_gets_a_number(house: Stand) -> None:
    register(house, login="author", password=PASSWORD)
    assert confirm(house, get_key(house)).json["username"] == "author2"


def test_nobody_takes_the_address_of_another_as_a_name(house: Stand) -> None:
    """Signing in and lost passwords would take it for the account of its owner."""
    register(house, "eve@example.org", login="author@example.org", password=PASSWORD)
    assert confirm(house, get_key(house, "eve@example.org")).json["username"] == "eve"


def test_registrations_are_counted_and_one_address_gets_three_mails(house: Stand) -> None:
    most = house.site.context.profile.limits.sign_in_failures
    for at in range(most):
        assert register(house, f"a{at}@example.org", remote="10.1.1.1").status == 202
    last = [register(house, ADA, remote="10.1.1.2").status for _ in range(most + 1)]
    assert last == [202] * most + [429]
    assert len(read_mails(house, ADA)) == 3
    for at in range(most * 2):
        assert confirm(house, f"wrong{at}").status == 404 if at < most else True
    assert confirm(house, "wrong").status == 429


@pytest.mark.every_database
@pytest.mark.parametrize("same", [True, False])
def test_of_confirmations_at_once_one_wins(house: Stand, same: bool) -> None:
    """same: one key twice, or the keys of two registrations of the same address."""
    register(house, login="one", password=PASSWORD)
    register(house, login="two", password=PASSWORD)
    keys = [get_link(mail, "confirm-registration")["key"] for mail in read_mails(house, ADA)]
    assert len(set(keys)) == 2
    told = run_together(house, [keys[0], keys[0 if same else 1]] * 3)
    assert sorted(told) == ["made", *["over"] * 5]
    assert [bool(find(house, login)) for login in ("one", "two")].count(True) == 1


def run_together(stand: Stand, keys: list[str]) -> list[str]:
    """Confirm in as many threads as there are keys, at once."""
    barrier, told = threading.Barrier(len(keys)), []

    def run(key: str) -> None:
        barrier.wait()
        try:
            with stand.site.work() as work:
                registrations.confirm_registration(work, key)
            told.append("made")
        except registrations.RegistrationLinkOver:
            told.append("over")

    threads = [threading.Thread(target=run, args=(key,)) for key in keys]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return told


@pytest.mark.every_database
@pytest.mark.parametrize("settings", [{"registration": "open"}])
def test_of_registrations_of_one_address_at_once_one_makes_the_account(house: Stand) -> None:
    barrier = threading.Barrier(3)

    def run(number: int) -> None:
        barrier.wait()
        with house.site.work() as work:
            registrations.register(work, NewRegistration(ADA, f"ada{number}", password="hash"))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    subjects = [str(mail["Subject"]) for mail in read_mails(house, ADA)]
    assert sorted("already" in one for one in subjects) == [False, True, True]


@pytest.mark.in_process("times are compared")
def test_known_and_unknown_addresses_take_the_same_time(house: Stand) -> None:
    """The medians differ by less than the noise: half of the middle spread of either."""
    times: dict[str, list[float]] = {"known": [], "unknown": []}
    for at in range(40):
        for name, email in (("known", "author@example.org"), ("unknown", f"a{at}@example.org")):
            started = perf_counter()
            assert register(house, email, remote=f"10.{len(name)}.0.{at}").status == 202
            times[name].append(perf_counter() - started)
    known, unknown = (sorted(one) for one in times.values())
    spread = max(one[30] - one[10] for one in (known, unknown))
    assert abs(median(known) - median(unknown)) < max(spread, 0.25 * median(known))
