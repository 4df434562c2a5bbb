"""A copy of what is stored about a person, and its erasure, on a site without a shop."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import orjson
import pytest

from conftest import Answer, Client, SetClock, Stand
from vetrina.access.app_passwords import rules as app_passwords
from vetrina.access.personal_data.export import collect_personal_data
from vetrina.access.registration import confirmed_emails
from vetrina.access.users import rules as users
from vetrina.core.account_part import DataSubject

from .account_mails import get_link, get_text, read_mails, run_jobs
from .conftest import PASSWORD, set_passwords
from .stored_rows import find_traces

REQUESTS = "/access/v1/personal-data-requests"
CLOSING = "/access/v1/account/closing"
DAY = 24 * 3600
ADA = "ada.neri@example.org"


def ask(client: Client, kind: str = "export", **more: Any) -> Answer:
    return client.post(REQUESTS, {"kind": kind, **more})


def confirm(stand: Stand, to: str, client: Client | None = None) -> Answer:
    """Follow the link of the newest mail to an address."""
    link = get_link(read_mails(stand, to)[-1], "confirm-personal-data")
    return (client or stand.client()).post(f"{REQUESTS}/{link['request']}/confirm", {"key": link["key"]})


def unpack(answer: Answer) -> dict[str, Any]:
    assert answer.status == 200, answer.json
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def commented(stand: Stand, client: Client, **more: Any) -> int:
    post = stand.client("editor").post("/cms/v2/posts", {"title": "A", "status": "publish"}).json["id"]
    made = client.post("/cms/v2/comments", {"post": post, "content": "What I think.", **more})
    assert made.status == 201, made.json
    return int(made.json["id"])


@pytest.mark.every_database
def test_the_owner_gets_a_copy_after_the_mail_was_answered(house: Stand, clock: SetClock) -> None:
    author = house.client("author")
    commented(house, author)
    asked = ask(author)
    assert (asked.status, asked.json["state"], asked.json["email"]) == (201, "unconfirmed", "author@example.org")
    id = asked.json["id"]
    assert author.get(f"{REQUESTS}/{id}/file").code == "rest_personal_data_no_file"
    done = confirm(house, "author@example.org")
    assert (done.status, done.json["state"]) == (200, "confirmed")
    [*_, mail] = read_mails(house, "author@example.org")
    assert "the copy of your data" in str(mail["Subject"])
    key = get_link(mail, "personal-data")["key"]
    files = unpack(house.client().get(f"{REQUESTS}/{id}/file", query={"key": key}))
    assert {"account.json", "comments.json", "index.html"} <= set(files)
    [account] = orjson.loads(files["account.json"])
    assert (account["login"], account["email_confirmed"]) == ("author", True)
    assert orjson.loads(files["comments.json"])[0]["content"] == "What I think."
    assert b'<h2 id="comments">' in files["index.html"]
    # The owner and administrators need no key; others do, and theirs does not help.
    assert [house.client(login).get(f"{REQUESTS}/{id}/file").status for login in ("author", "admin")] == [200, 200]
    assert [house.client(login).get(f"{REQUESTS}/{id}/file").status for login in ("editor", "")] == [404, 404]
    assert house.client("editor").get(f"{REQUESTS}/{id}/file", query={"key": "wrong"}).status == 404
    assert key not in str(find_traces(house, "personal_data"))
    clock.forward(7 * DAY + 60)
    assert house.client().get(f"{REQUESTS}/{id}/file", query={"key": key}).status == 404
    run_jobs(house)
    assert find_traces(house, id).keys() <= {"change", "job", "audit_entry"}


def test_the_copy_shows_markup_as_text(house: Stand) -> None:
    author = house.client("author")
    commented(house, author)
    author.patch("/access/v1/account", {"description": "<script>alert(1)</script> & more"})
    with house.site.work() as work:
        user = users.find_user_by_login(work.tx, "author")
        assert user is not None
        users.update_user(work, user, nickname="<script>alert(2)</script>")
    id = ask(author).json["id"]
    confirm(house, "author@example.org")
    run_jobs(house)
    page = unpack(author.get(f"{REQUESTS}/{id}/file"))["index.html"].decode()
    assert "<script>" not in page
    assert "&lt;script&gt;alert(2)" in page


@pytest.mark.every_database
def test_who_has_no_account_confirms_by_mail(house: Stand) -> None:
    commented(house, house.client("admin"), author_name="Ada", author_email=ADA)
    guest = house.client()
    assert ask(guest).code == "rest_personal_data_email"
    asked = ask(guest, email=ADA)
    assert asked.status == 201
    assert guest.get(f"{REQUESTS}/{asked.json['id']}").status == 401
    assert confirm(house, ADA).json["state"] == "confirmed"
    link = get_link(read_mails(house, ADA)[-1], "personal-data")
    files = unpack(guest.get(f"{REQUESTS}/{link['request']}/file", query={"key": link["key"]}))
    assert set(files) == {"comments.json", "index.html"}


def test_known_and_unknown_addresses_are_answered_alike(house: Stand) -> None:
    told = [ask(house.client(), email=email) for email in ("author@example.org", "nobody@example.org")]
    shapes = [{name: value for name, value in one.json.items() if name in ("kind", "state")} for one in told]
    assert told[0].status == told[1].status == 201
    assert shapes[0] == shapes[1]
    assert told[0].json.keys() == told[1].json.keys()
    assert [len(read_mails(house, email)) for email in ("author@example.org", "nobody@example.org")] == [1, 1]


def test_who_sees_and_confirms_what(house: Stand) -> None:
    author, editor, admin = (house.client(login) for login in ("author", "editor", "admin"))
    assert ask(author, email="editor@example.org").code == "rest_personal_data_foreign"
    mine = ask(author).json["id"]
    theirs = ask(admin, email=ADA).json["id"]
    assert {one["id"] for one in author.get(REQUESTS).json} == {mine}
    assert {one["id"] for one in admin.get(REQUESTS).json} == {mine, theirs}
    assert editor.get(f"{REQUESTS}/{mine}").code == "rest_personal_data_invalid_id"
    assert editor.post(f"{REQUESTS}/{mine}/confirm").code == "rest_personal_data_link_over"
    # Not even the owner confirms without the key: the mail proves the address.
    assert author.post(f"{REQUESTS}/{mine}/confirm").status == 404
    assert author.post(f"{REQUESTS}/{mine}/confirm", {"key": "wrong"}).status == 404
    assert admin.post(f"{REQUESTS}/{theirs}/confirm").json["state"] == "confirmed"
    assert admin.post(f"{REQUESTS}/{theirs}/confirm").code == "rest_personal_data_over"
    run_jobs(house)
    assert author.delete(f"{REQUESTS}/{mine}").json["state"] == "withdrawn"
    assert author.delete(f"{REQUESTS}/{mine}").status == 409
    assert confirm(house, "author@example.org").status == 404


def test_requests_are_counted_and_one_address_gets_three_mails(house: Stand) -> None:
    guest, most = house.client(), house.site.context.profile.limits.sign_in_failures
    told = [ask(guest, email=ADA).status for _ in range(most + 1)]
    assert told[-1] == 429
    assert len(read_mails(house, ADA)) <= 3


@pytest.mark.every_database
def test_a_closed_account_is_gone_without_a_trace(house: Stand, clock: SetClock) -> None:
    ada = register_ada(house)
    comment = commented(house, ada)
    guest = commented(house, house.client("admin"), author_name="Ada Neri", author_email=ADA)
    confirm_address(house)
    refused = ada.post(CLOSING, {"current_password": "wrong"})
    assert refused.status == 403
    told = ada.post(CLOSING, {"current_password": PASSWORD})
    assert told.status == 202, told.json
    assert ada.get(CLOSING).json == told.json
    assert "about to be closed" in str(read_mails(house, ADA)[-1]["Subject"])
    clock.forward(13 * DAY)
    run_jobs(house)
    assert ada.get("/access/v1/account").status == 200
    clock.forward(DAY + 60)
    run_jobs(house)
    assert ada.get("/access/v1/account").status == 401
    assert "your data is erased" in str(read_mails(house, ADA)[-1]["Subject"])
    run_jobs(house)
    assert find_traces(house, ADA, "neri", '"ada"') == {}
    told = [house.client("admin").get(f"/cms/v2/comments/{id}").json for id in (comment, guest)]
    assert [(one["author"], one["author_name"], one["content"]["rendered"]) for one in told] == [
        (0, "", "<p>What I think.</p>\n")
    ] * 2
    [request] = house.client("admin").get(REQUESTS).json
    assert (request["state"], request["email"]) == ("done", "")


def register_ada(house: Stand) -> Client:
    """Make an account with a name that is found wherever it stands."""
    with house.site.work() as work:
        ada = users.create_user(work, "ada", ADA, name="Ada Neri", first_name="Ada", last_name="Neri")
        _, word = app_passwords.create_app_password(work, ada.id, "test", "")
    set_passwords(house, "ada")
    return Client(house.site, "ada", word)


def confirm_address(house: Stand) -> None:
    with house.site.work() as work:
        ada = users.find_user_by_login(work.tx, "ada")
        assert ada is not None
        confirmed_emails.confirm_email(work, ada)


def test_an_account_that_is_to_be_closed_can_be_kept(house: Stand, clock: SetClock) -> None:
    author = house.client("author")
    author.post(CLOSING, {"current_password": PASSWORD})
    assert author.delete(CLOSING).status == 204
    assert (author.delete(CLOSING).status, author.get(CLOSING).code) == (404, "rest_no_closing")
    clock.forward(15 * DAY)
    run_jobs(house)
    assert author.get("/access/v1/account").status == 200
    # Wished again, it is closed.
    author.post(CLOSING, {"current_password": PASSWORD})
    clock.forward(15 * DAY)
    run_jobs(house)
    assert author.get("/access/v1/account").status == 401


def test_those_who_manage_accounts_cannot_close_theirs(house: Stand) -> None:
    admin = house.client("admin")
    assert admin.post(CLOSING, {"current_password": PASSWORD}).code == "rest_cannot_close_account"
    asked = ask(admin, "erasure", email="admin@example.org").json["id"]
    assert admin.post(f"{REQUESTS}/{asked}/confirm").status == 409


@pytest.mark.parametrize("settings", [{"erasure_heir": "editor", "closing_days": 0}, {"closing_days": 0}])
def test_records_go_to_an_heir(house: Stand, settings: dict[str, Any]) -> None:
    author = house.client("author")
    post = author.post("/cms/v2/posts", {"title": "Mine", "status": "publish"}).json["id"]
    author.post(CLOSING, {"current_password": PASSWORD})
    run_jobs(house)
    heir = settings.get("erasure_heir", "admin")
    wanted = house.client(heir).get("/access/v1/account").json["id"]
    assert house.client().get(f"/cms/v2/posts/{post}").json["author"] == wanted


def test_an_unproven_address_opens_nothing_of_others(house: Stand) -> None:
    """Whoever has an account with the address of somebody else gets no copy of what they wrote without one."""
    commented(house, house.client("admin"), author_name="Ada", author_email="author@example.org")
    author = house.client("author")
    author.post(CLOSING, {"current_password": PASSWORD})
    with house.site.work(read=True) as work:
        user = users.find_user_by_login(work.tx, "author")
        assert user is not None
        subject = DataSubject(user.id, user.email, user.login)
        names = {
            proven: {one.name for one in collect_personal_data(work, subject._replace(proven=proven))}
            for proven in (True, False)
        }
    assert names[True] - names[False] == {"comments"}
    assert "the account" in get_text(read_mails(house, "author@example.org")[-1])
