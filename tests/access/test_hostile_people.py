"""What somebody tries with an account or an address of their own to reach, bother or rob others."""

from __future__ import annotations

import pytest

from conftest import Answer, Client, SetClock, Stand
from pages.conftest import Visitor
from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.users import rules as users
from vetrina.backends import job_queue
from vetrina.core.unit_of_work import UnitOfWork

from .account_mails import get_link, read_mails, run_jobs
from .conftest import PASSWORD, set_passwords
from .stored_rows import find_traces
from .test_account_pages import follow, send
from .test_personal_data import CLOSING, REQUESTS, ask
from .test_registrations import confirm, get_key, register

DAY = 24 * 3600
# What the format of an address does not take: look-alikes that become a Latin letter when made small, and lists.
ODD_ADDRESSES = (
    "mar\u212a@example.org", "mark@example.or\u212a", "mark@example.org, eve@example.net", "Mark <mark@example.org>",
    "(1)mark@example.org", "mark@example.org;eve@example.net", "mark @example.org", "mark@localhost",
)  # fmt: skip


@pytest.fixture
def mark(house: Stand) -> int:
    with house.site.work() as work:
        return users.create_user(work, "mark", "mark@example.org").id


@pytest.mark.parametrize("page", ["/admin/register", "/admin/my-data"])
def test_a_page_takes_what_is_an_address_alone(house: Stand, mark: int, page: str) -> None:
    """The mail to a look-alike would open the account of somebody else, and one to a list would bother anybody."""
    for email in ODD_ADDRESSES:
        assert send(Visitor(house), page, email=email).status == 400, email
    assert read_mails(house) == []


@pytest.mark.parametrize("settings", [{"registration": "open"}])
def test_who_proves_the_address_takes_the_account_from_whom_made_it(house: Stand) -> None:
    """Where accounts are made at once, a stranger may have made it, knows its password, and waits signed in."""
    ada = "ada@example.org"
    register(house, ada, password="chosen by a stranger")
    link = follow(house, ada, "confirm-registration")
    stranger = Visitor(house)
    assert stranger.sign_in("ada", "chosen by a stranger").status == 303
    tokens = house.client().post("/access/v1/tokens", {"login": "ada", "password": "chosen by a stranger"}).json
    assert "Your user name is ada" in send(Visitor(house), link, password=PASSWORD).text
    again = house.client().post("/access/v1/tokens", {"login": "ada", "password": "chosen by a stranger"})
    assert (again.status, again.code) == (401, "rest_wrong_credentials")
    assert Visitor(house).sign_in("ada", PASSWORD).status == 303
    used = house.client().post("/access/v1/tokens/refresh", {"refresh_token": tokens["refresh_token"]})
    assert used.status == 401
    assert "ada@" not in stranger.get("/admin/my-data").text


@pytest.mark.parametrize("settings", [{"registration": "open"}])
def test_the_owner_of_an_account_made_at_once_confirms_without_another_password(house: Stand) -> None:
    register(house, "ada@example.org", password=PASSWORD)
    tokens = house.client().post("/access/v1/tokens", {"login": "ada@example.org", "password": PASSWORD})
    assert tokens.status == 401  # the job has not made it yet
    key = get_key(house, "ada@example.org")
    tokens = house.client().post("/access/v1/tokens", {"login": "ada", "password": PASSWORD}).json
    assert confirm(house, key).status == 200
    used = house.client().post("/access/v1/tokens/refresh", {"refresh_token": tokens["refresh_token"]})
    assert used.status == 200


@pytest.mark.parametrize("kind", ["export", "erasure"])
def test_a_link_about_data_ends_with_the_address_that_it_went_to(house: Stand, kind: str) -> None:
    """An address is given up because others read it; what was sent there opens the account no longer."""
    ask(house.client("author"), kind)
    link = get_link(read_mails(house, "author@example.org")[-1], "confirm-personal-data")
    with house.site.work() as work:
        author = users.find_user_by_login(work.tx, "author")
        assert author is not None
        users.update_user(work, author, "safe@example.org")
    told = house.client().post(f"{REQUESTS}/{link['request']}/confirm", {"key": link["key"]})
    assert (told.status, told.code) == (404, "rest_personal_data_link_over")
    # Those who were shown who it is confirm it in the person's place.
    assert house.client("admin").post(f"{REQUESTS}/{link['request']}/confirm").status == 200


@pytest.mark.parametrize("settings", [{"closing_days": 0}])
@pytest.mark.parametrize("login", ["language", "en", "mail", "request"])
def test_a_name_that_stands_in_the_jobs_of_others_deletes_none(house: Stand, login: str) -> None:
    with house.site.work() as work:
        users.create_user(work, login, "eve@example.org")
        word = make_word(work, login)
    set_passwords(house, login)
    eve = Client(house.site, login, word)
    assert eve.post(CLOSING, {"current_password": PASSWORD}).status == 202
    with house.site.work() as work:
        later = {"due": work.now + DAY, "now": work.now}
        others = {"mail": "request_export", "request": "en", "language": "en"}
        job_queue.enqueue_job(work.tx, "access.account_mail", others, **later)
        job_queue.enqueue_job(work.tx, "access.lost_password", {"login": "author", "language": "en"}, **later)
        job_queue.enqueue_job(work.tx, "access.lost_password", {"login": login, "language": "it"}, **later)
        job_queue.enqueue_job(work.tx, "access.account_notice", {"to": "Eve@example.org", "language": "it"}, **later)
    run_jobs(house)
    assert eve.get("/access/v1/account").status == 401
    waiting = find_traces(house, '"language":"en"')["job"]
    assert len([row for row in waiting if "request_export" in row or '"author"' in row]) == 2
    assert find_traces(house, '"language":"it"').get("job") is None


def make_word(work: UnitOfWork, login: str) -> str:
    user = users.find_user_by_login(work.tx, login)
    assert user is not None
    return app_passwords.create_app_password(work, user.id, "test", "")[1]


def change_address(stand: Stand, email: str) -> Answer:
    return stand.client("author").post(
        "/access/v1/account/email", {"email": email, "current_password": PASSWORD}
    )  # fmt: skip


@pytest.mark.parametrize("to", ["stranger@example.net", "editor@example.org"])
def test_changes_of_an_address_do_not_flood_somebody(house: Stand, to: str) -> None:
    """Each asks the new address; whoever has an account could send any number of mails to anybody."""
    told = []
    for _ in range(30):
        told.append(change_address(house, to).status)
        run_jobs(house)
    assert told[0] == 202
    assert told[-1] == 429
    assert len(read_mails(house, to)) <= 10


def test_notices_do_not_flood_somebody(house: Stand) -> None:
    """Whoever gives an address of somebody else to an account and takes it away again tells its owner each time."""
    author = house.client("author")
    for number in range(15):
        for email in ("stranger@example.net", f"mine{number}@example.net"):
            assert author.post("/cms/v2/users/me", {"email": email}).status == 200
    told = len(read_mails(house, "stranger@example.net"))
    assert 1 <= told <= 10
    # Another kind of mail still comes, and so does one to another address.
    assert author.post("/cms/v2/users/me", {"password": "another word to keep"}).status == 200
    assert len(read_mails(house, "mine14@example.net")) == 1


def test_who_waits_for_a_change_of_an_address_waits_no_longer_than_a_minute(house: Stand, clock: SetClock) -> None:
    told = [change_address(house, "stranger@example.net").status for _ in range(20)]
    assert (told[0], told[-1]) == (202, 429)
    clock.forward(61)
    assert change_address(house, "stranger@example.net").status == 202
