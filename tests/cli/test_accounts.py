"""`vetrina user` and `vetrina app-password`."""

from __future__ import annotations

from collections.abc import Callable

import pyotp
import pytest
from click.testing import Result

from vetrina.access.passwords import hashing as password_hashing
from vetrina.access.second_factors import rules as second_factors
from vetrina.access.users import rules as users
from vetrina.rest.call import Request
from vetrina.site_factory import open_site

from .conftest import Made, basic

Vetrina = Callable[..., Result]


def signed_in(made: Made, login: str, password: str) -> str:
    """Return the login that credentials are valid for."""
    site = open_site(made.folder)
    headers = {"authorization": basic(login, password)}
    user = site.sign_in(Request("GET", "/", "http://x/cms-json", "http://x", "en", headers=headers, remote="::1"))
    site.close()
    return user.login


def stored_password_is(made: Made, login: str, password: str) -> bool:
    site = open_site(made.folder)
    with site.work(read=True) as work:
        user = users.find_user_by_login(work.tx, login)
        assert user is not None
        found = password_hashing.is_correct_password(users.load_password_hash(work.tx, user.id), password)
    site.close()
    return found


def test_an_account_is_added_with_a_role_and_a_password(vetrina: Vetrina, made: Made) -> None:
    result = vetrina("user", "add", "maria", "--email", "m@example.org", "--role", "editor", "--site", made.folder)
    assert result.exit_code == 0
    said, _, password = result.output.strip().rpartition(": ")
    assert said.startswith("The account maria is made, with the number 2 and the role editor.")
    assert stored_password_is(made, "maria", password)
    listed = vetrina("user", "list", "--site", made.folder).output.splitlines()
    assert listed[0].split() == ["id", "login", "email", "roles", "since"]
    assert listed[2].split()[:4] == ["2", "maria", "m@example.org", "editor"]


def test_a_password_comes_from_standard_input(vetrina: Vetrina, made: Made) -> None:
    result = vetrina("user", "password", "admin", "--password-stdin", "--site", made.folder, input="my own words\n")
    assert result.output == "The password of admin is changed.\n"
    assert stored_password_is(made, "admin", "my own words")


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("user", "add", "admin", "--email", "x@example.org"), 1, "The user name 'admin' is taken."),
        (("user", "add", "b", "--email", "admin@example.org"), 1, "Another account has the e-mail address"),
        (("user", "add", "b", "--email", "nowhere"), 2, "'nowhere' is no e-mail address"),
        (("user", "add", "<b>", "--email", "b@example.org"), 2, "the login '<b>' is not allowed"),
        (("user", "add", "b", "--email", "b@example.org", "--role", "boss"), 1, "There is no role 'boss' here"),
        (("user", "password", "nobody"), 1, "there is no account 'nobody'"),
        (("user", "password", "admin", "--password-stdin"), 2, "there is no password on standard input"),
        (("app-password", "create", "nobody", "x"), 1, "there is no account 'nobody'"),
        (("app-password", "create", "admin", " "), 1, "needs at least one visible character"),
        (("app-password", "revoke", "admin", "none"), 1, "admin has no application password 'none'"),
    ],
)
def test_what_cannot_be_done_is_told_and_changes_nothing(
    vetrina: Vetrina, made: Made, words: tuple[str, ...], status: int, told: str
) -> None:
    result = vetrina(*words, "--site", made.folder)
    assert result.exit_code == status
    assert told in result.stderr
    assert len(vetrina("user", "list", "--site", made.folder).output.splitlines()) == 2


def test_an_application_password_works_until_it_is_revoked(vetrina: Vetrina, made: Made) -> None:
    password = vetrina("app-password", "create", "admin", "My script", "--site", made.folder).output.splitlines()[1]
    assert signed_in(made, "admin", password) == "admin"
    *_, line = vetrina("app-password", "list", "admin", "--site", made.folder).output.splitlines()
    uuid, _, used, name = line.split(maxsplit=3)
    assert name == "My script"
    assert used != "never"
    assert password not in line
    assert vetrina("app-password", "revoke", "admin", uuid, "--site", made.folder).exit_code == 0
    with pytest.raises(Exception, match="the application password is wrong"):
        signed_in(made, "admin", password)


def test_second_factors_are_removed(vetrina: Vetrina, made: Made) -> None:
    none = vetrina("user", "remove-factors", "admin", "--site", made.folder)
    assert (none.exit_code, "admin has no second factor" in none.output) == (1, True)
    site = open_site(made.folder)
    with site.work() as work:
        user = users.find_user_by_login(work.tx, "admin")
        assert user is not None
        secret = second_factors.begin_one_time_codes(work, user).secret
        second_factors.confirm_one_time_codes(work, user, pyotp.TOTP(secret).at(work.now))
    assert vetrina("user", "remove-factors", "admin", "--site", made.folder).exit_code == 0
    with site.work(read=True) as work:
        assert not second_factors.has_second_factor(work, user)
    site.close()
