"""The routes of registering, of the own account and of personal data, called by all eight identities."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import ACCOUNTS, LOGINS, Client
from vetrina.account_settings import AccountSettings
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

from .rows import CALLERS, OF_SHOPS

EVERY = (*CALLERS, *OF_SHOPS)
ACCOUNT, DATA = "/access/v1/account", "/access/v1/personal-data-requests"
UNKNOWN = f"{DATA}/12345678-1234-4234-8234-123456789012"
OVER, SIGNED_OUT = "404 rest_personal_data_link_over", "401 rest_not_logged_in"
WRONG = "409 rest_no_own_password"  # these accounts have application passwords alone
PASSWORD = {"current_password": "wrong"}

# Method, path, body; what who is signed in gets, what others get, and who gets something else.
ROWS: tuple[tuple[str, str, Any, str, str, dict[str, str]], ...] = (
    ("POST", "/access/v1/registrations", {"email": "new@example.org"}, "202", "202", {}),
    ("POST", "/access/v1/registrations/confirm", {"key": "x"}, "404 rest_registration_link_over",
     "404 rest_registration_link_over", {}),
    ("POST", "/access/v1/passwords/lost", {"login": "nobody"}, "202", "202", {}),
    ("POST", "/access/v1/passwords/reset", {"account": 1, "key": "x", "password": "x"}, "404 rest_password_link_over",
     "404 rest_password_link_over", {}),
    ("GET", ACCOUNT, None, "200", SIGNED_OUT, {}),
    ("PATCH", ACCOUNT, {}, "200", SIGNED_OUT, {}),
    ("PUT", f"{ACCOUNT}/password", {**PASSWORD, "password": "x"}, WRONG, SIGNED_OUT, {}),
    ("GET", f"{ACCOUNT}/email", None, "200", SIGNED_OUT, {}),
    ("POST", f"{ACCOUNT}/email", {**PASSWORD, "email": "new@example.org"}, WRONG, SIGNED_OUT, {}),
    ("DELETE", f"{ACCOUNT}/email", None, "404 rest_no_email_change", SIGNED_OUT, {}),
    ("POST", f"{ACCOUNT}/email/confirm", {"key": "x"}, "404 rest_email_change_link_over",
     "404 rest_email_change_link_over", {}),
    ("GET", f"{ACCOUNT}/closing", None, "404 rest_no_closing", SIGNED_OUT, {}),
    ("POST", f"{ACCOUNT}/closing", PASSWORD, WRONG, SIGNED_OUT, {}),
    ("DELETE", f"{ACCOUNT}/closing", None, "404 rest_no_closing", SIGNED_OUT, {}),
    ("GET", DATA, None, "200", SIGNED_OUT, {}),
    ("POST", DATA, {"kind": "export"}, "201", "400 rest_personal_data_email", {}),
    ("POST", DATA, {"kind": "export", "email": "other@example.org"}, "403 rest_personal_data_foreign", "201",
     {"administrator": "201"}),
    ("GET", UNKNOWN, None, "404 rest_personal_data_invalid_id", SIGNED_OUT, {}),
    ("DELETE", UNKNOWN, None, "404 rest_personal_data_invalid_id", SIGNED_OUT, {}),
    ("POST", f"{UNKNOWN}/confirm", {}, OVER, OVER, {"administrator": "404 rest_personal_data_invalid_id"}),
    ("GET", f"{UNKNOWN}/file", None, "404 rest_personal_data_invalid_id", "404 rest_personal_data_invalid_id", {}),
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder: Path = tmp_path_factory.mktemp("accounts")
    accounts = msgspec.structs.replace(AccountSettings(), registration="confirmed")
    profile = msgspec.structs.replace(load_profile("second"), accounts=accounts)
    more = [InitialAccount(role, role, f"{role}@example.org", f"{role} pass word") for role in OF_SHOPS]
    made = create_stand_in_site(profile, [*ACCOUNTS, *more], folder, Settings(secret="secret of the tests"))
    yield made
    made.close()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]} {row[1]}")
def test_who_may(site: Site, row: tuple[str, str, Any, str, str, dict[str, str]]) -> None:
    method, path, body, signed, others, but = row
    answered = {}
    for caller in EVERY:
        login = "" if caller == "nobody" else LOGINS.get(caller, caller)
        client = Client(site, login, f"{login} pass word" if login else "")
        client.remote = f"10.9.{len(path)}.{EVERY.index(caller)}"
        answer = client.ask(method, path, json=body)
        answered[caller] = f"{answer.status} {answer.code}" if answer.status >= 400 else str(answer.status)
    expected = {caller: but.get(caller, others if caller == "nobody" else signed) for caller in EVERY}
    assert answered == expected


def test_no_route_is_without_a_row(site: Site) -> None:
    own = ("/access/v1/registrations", "/access/v1/passwords", ACCOUNT, DATA)
    every = {
        (method, place.pattern)
        for place in site.table.endpoints.values()
        if place.pattern.startswith(own)
        for method in place.methods
    }
    known = set()
    for method, path, *_ in ROWS:
        found = site.table.find(path, method)
        assert found is not None, path
        known.add((method, found[0].pattern))
    assert sorted(every - known) == []
