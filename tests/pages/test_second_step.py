"""Signing in on the site's pages with a second factor: the step after the password, passkeys, and what a role asks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import orjson
import pyotp
import pytest

from access.authenticator import Authenticator
from conftest import SetClock, Stand, standing
from vetrina.access.passkeys import rules as passkeys
from vetrina.access.second_factors import rules as second_factors, store
from vetrina.access.users import rules as users
from vetrina.account_settings import AccountSettings
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.settings import load_profile

from .conftest import PASSWORD, Page, Visitor

ORIGIN = "http://vetrina.test"
STEP = "/admin/second-step"


def find_author(work: UnitOfWork) -> User:
    found = users.find_user_by_login(work.tx, "author")
    assert found is not None
    return found


def set_up(house: Stand, clock: SetClock) -> tuple[str, tuple[str, ...]]:
    """Turn on the author's one-time codes, and return the secret and the recovery codes."""
    with house.site.work() as work:
        user = find_author(work)
        secret = second_factors.begin_one_time_codes(work, user).secret
        codes = second_factors.confirm_one_time_codes(work, user, pyotp.TOTP(secret).at(clock.now()))
    clock.forward(30)
    return secret, codes


def code_of(secret: str, clock: SetClock) -> str:
    return pyotp.TOTP(secret).at(clock.now())


@pytest.mark.every_database
def test_a_code_follows_the_password(house: Stand, visitor: Visitor, clock: SetClock) -> None:
    secret, _ = set_up(house, clock)
    answer = visitor.sign_in(back="/en/?p=1")
    assert answer.location == f"{ORIGIN}{STEP}?redirect_to=%2Fen%2F%3Fp%3D1"
    assert "cms_session" not in visitor.cookies
    cookie = next(value for name, value in answer.pairs if name == "set-cookie" and "cms_second_step" in value)
    assert "HttpOnly" in cookie
    assert "Max-Age=300" in cookie
    page = visitor.follow(answer)
    assert "That was right" in page.text
    wrong = visitor.post(STEP, {**page.form, "code": "000000"})
    assert wrong.status == 403
    assert "The code is wrong" in wrong.text
    done = visitor.post(STEP, {**wrong.form, "code": code_of(secret, clock)})
    assert (done.status, done.location) == (303, "/en/?p=1")
    assert set(visitor.cookies) == {"cms_session"}
    assert "Signed in as author" in visitor.get("/en/").text


def test_a_recovery_code_will_do_once(house: Stand, visitor: Visitor, clock: SetClock) -> None:
    _, codes = set_up(house, clock)
    page = visitor.follow(visitor.sign_in())
    assert visitor.post(STEP, {**page.form, "code": codes[0]}).location == "/"
    other = Visitor(house)
    page = other.follow(other.sign_in())
    assert other.post(STEP, {**page.form, "code": codes[0]}).status == 403


def test_without_the_password_there_is_no_second_step(house: Stand, visitor: Visitor, clock: SetClock) -> None:
    secret, _ = set_up(house, clock)
    assert "/sign-in" in visitor.get(STEP).location
    with house.site.work(read=True) as work:
        author = find_author(work).id
    visitor.cookies["cms_second_step"] = f"{author}.{clock.now() + 100}.{'0' * 64}"
    assert "/sign-in" in visitor.post(STEP, {"code": code_of(secret, clock)}).location


def test_the_step_is_over_after_five_minutes_and_with_another_password(
    house: Stand, visitor: Visitor, clock: SetClock
) -> None:
    secret, _ = set_up(house, clock)
    page = visitor.follow(visitor.sign_in())
    clock.forward(301)
    assert "/sign-in" in visitor.post(STEP, {**page.form, "code": code_of(secret, clock)}).location
    page = visitor.follow(visitor.sign_in())
    with house.site.work() as work:
        users.update_user(work, find_author(work), password="another word")
    assert "/sign-in" in visitor.post(STEP, {**page.form, "code": code_of(secret, clock)}).location
    assert "cms_session" not in visitor.cookies


def test_a_form_of_another_site_takes_no_step(house: Stand, visitor: Visitor, clock: SetClock) -> None:
    secret, _ = set_up(house, clock)
    page = visitor.follow(visitor.sign_in())
    assert visitor.post(STEP, {**page.form, "_cmsnonce": "0" * 20, "code": code_of(secret, clock)}).status == 403
    assert "cms_session" not in visitor.cookies


def test_wrong_codes_are_slowed(house: Stand, visitor: Visitor, clock: SetClock) -> None:
    secret, _ = set_up(house, clock)
    page = visitor.follow(visitor.sign_in())
    for number in range(5):
        assert visitor.post(STEP, {**page.form, "code": f"{number}" * 7}).status == 403
    slowed = visitor.post(STEP, {**page.form, "code": code_of(secret, clock)})
    assert slowed.status == 429
    assert 50 < int(slowed.headers["retry-after"]) <= 60


def test_the_form_of_public_pages_leads_by_the_second_step(house: Stand, visitor: Visitor, clock: SetClock) -> None:
    secret, _ = set_up(house, clock)
    form = {"_form": "sign-in", "login": "author", "password": PASSWORD, "redirect_to": "/en/"}
    answer = visitor.post("/en/", form, **{"sec-fetch-site": "same-origin"})
    assert answer.location == f"{ORIGIN}{STEP}?redirect_to=%2Fen%2F"
    page = visitor.follow(answer)
    assert visitor.post(STEP, {**page.form, "code": code_of(secret, clock)}).location == "/en/"
    assert "cms_session" in visitor.cookies


def test_application_passwords_need_no_second_step(house: Stand, clock: SetClock) -> None:
    set_up(house, clock)
    assert house.client("author").get("/cms/v2/users/me").status == 200


# -- passkeys


@pytest.fixture
def named(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """The site at an address for which browsers have passkeys."""
    with standing(request, load_profile("first"), url="http://localhost") as stand:
        give_passwords(stand)
        yield stand


@pytest.fixture
def person(named: Stand) -> Visitor:
    """A visitor of that site."""
    return Visitor(named)


def give_passwords(stand: Stand) -> None:
    with stand.site.work() as work:
        for login in ("author", "editor"):
            user = users.find_user_by_login(work.tx, login)
            assert user is not None
            users.update_user(work, user, password=PASSWORD)


def add_passkey(named: Stand) -> Authenticator:
    device = Authenticator("http://localhost")
    with named.site.work() as work:
        user = find_author(work)
        passkeys.register_passkey(work, user, "Phone", device.create(passkeys.begin_registration(work, user)))
    return device


def read_options(page: Page) -> dict[str, Any]:
    found = re.search(r'data-options="([^"]+)"', page.text)
    assert found, page.text
    return dict(orjson.loads(html.unescape(found[1])))


def test_a_passkey_signs_in_without_a_password(named: Stand, person: Visitor) -> None:
    device = add_passkey(named)
    page = person.get("/admin/sign-in?redirect_to=/en/")
    policy = page.headers["content-security-policy"]
    assert re.search(r"script-src http://[\w.]+/scripts/;", policy), policy
    options = read_options(page)
    assert options["allowCredentials"] == []
    form = {**page.form, "passkey": orjson.dumps(device.sign(options)).decode()}
    other = Visitor(named)
    assert other.post("/admin/sign-in", form).status == 403
    assert person.post("/admin/sign-in", form).location == "/en/"
    assert "Signed in as author" in person.get("/en/").text


def test_a_passkey_that_proves_nothing_is_told(named: Stand, person: Visitor) -> None:
    page = person.get("/admin/sign-in")
    for junk in ("", "{}", "[]", "x", "1" * 20_000):
        answer = person.post("/admin/sign-in", {**page.form, "passkey": junk})
        assert answer.status == 403
        assert "The passkey was not accepted" in answer.text


def test_a_passkey_is_the_second_step_of_its_own_account(named: Stand, person: Visitor) -> None:
    device = add_passkey(named)
    page = person.follow(person.sign_in())
    assert "Use your passkey" in page.text
    options = read_options(page)
    assert len(options["allowCredentials"]) == 1
    signed = orjson.dumps(device.sign(options)).decode()
    assert person.post(STEP, {**page.form, "passkey": signed}).location == "/"


def test_the_passkey_of_somebody_else_is_no_second_step(named: Stand, person: Visitor, clock: SetClock) -> None:
    device = add_passkey(named)
    with named.site.work() as work:
        editor = users.find_user_by_login(work.tx, "editor")
        assert editor is not None
        mine = Authenticator("http://localhost")
        passkeys.register_passkey(work, editor, "x", mine.create(passkeys.begin_registration(work, editor)))
    page = person.follow(person.sign_in("editor"))
    signed = orjson.dumps(device.sign(read_options(page))).decode()
    assert person.post(STEP, {**page.form, "passkey": signed}).status == 403
    assert "cms_session" not in person.cookies


def test_a_site_without_a_name_offers_no_passkeys(visitor: Visitor) -> None:
    page = visitor.get("/admin/sign-in")
    assert "passkey" not in page.text
    assert "script-src" not in page.headers["content-security-policy"]


# -- required by role


@pytest.fixture
def strict(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """A site that requires a second factor of authors."""
    settings = AccountSettings(second_factor_roles=("author",))
    with standing(request, msgspec.structs.replace(load_profile("first"), accounts=settings)) as stand:
        give_passwords(stand)
        yield stand


@pytest.mark.every_database
def test_a_role_that_requires_a_factor_reaches_only_its_set_up(strict: Stand, clock: SetClock) -> None:
    visitor = Visitor(strict)
    visitor.sign_in(back="/admin/")
    assert "cms_session" in visitor.cookies
    to_sign_in = visitor.get("/admin/posts")
    setup = visitor.follow(to_sign_in)
    assert setup.location == f"{ORIGIN}/admin/second-factor?redirect_to=%2Fadmin%2Fposts"
    assert "Signed in as" not in visitor.get("/en/").text
    nonce = {"x-cms-nonce": visitor.get("/admin/nonce").text}
    root = "/en/cms-json"
    for path in ("/cms/v2/users/me", "/cms/v2/posts", "/", "/access/v1", "/access/v1/users/1/second-factors"):
        refused = visitor.get(f"{root}{path}", **nonce)
        assert refused.status == 403, path
        assert orjson.loads(refused.content)["code"] == "rest_second_factor_setup_required"
    assert visitor.get(f"{root}/access/v1/second-factors", **nonce).status == 200
    # Its programs go on working: each has a password that no person types.
    assert strict.client("author").get("/cms/v2/users/me").status == 200

    page = visitor.follow(setup)
    assert visitor.post("/admin/second-factor", {**page.form, "password": "wrong"}).status == 403
    page = visitor.post("/admin/second-factor", {**page.form, "password": PASSWORD})
    assert "data:image/svg+xml" in page.text
    found = re.search(r'id="key">([A-Z2-7]+)<', page.text)
    assert found
    wrong = visitor.post("/admin/second-factor", {**page.form, "code": "000000"})
    assert wrong.status == 403
    assert found[1] not in wrong.text
    done = visitor.post("/admin/second-factor", {**wrong.form, "code": code_of(found[1], clock)})
    assert done.status == 200
    assert len(re.findall(r"<li><code>[a-z0-9-]{19}</code>", done.text)) == 10
    assert 'href="/admin/posts"' in done.text
    assert visitor.get("/admin/posts").status != 302
    assert visitor.get(f"{root}/cms/v2/users/me", **nonce).status == 200
    assert visitor.get("/admin/second-factor").location == "/admin/"


def test_other_roles_are_not_asked(strict: Stand) -> None:
    visitor = Visitor(strict)
    visitor.sign_in("editor")
    assert "Signed in as editor" in visitor.get("/en/").text


def test_a_program_signs_in_with_a_password_only_after_the_set_up(strict: Stand) -> None:
    with strict.site.work() as work, pytest.raises(second_factors.SecondFactorSetupRequired) as refused:
        second_factors.require_second_factor(work, find_author(work), "")
    assert "/admin/second-factor" in refused.value.text


def test_who_must_set_up_a_factor_can_sign_out(strict: Stand) -> None:
    visitor = Visitor(strict)
    visitor.sign_in()
    form = visitor.get("/admin/sign-out").form
    assert visitor.post("/admin/sign-out", form).status == 303
    assert "cms_session" not in visitor.cookies


def test_what_was_begun_is_shown_to_the_password_alone(strict: Stand) -> None:
    visitor = Visitor(strict)
    visitor.sign_in()
    page = visitor.get("/admin/second-factor")
    visitor.post("/admin/second-factor", {**page.form, "password": PASSWORD})
    with strict.site.work(read=True) as work:
        stored = store.find_one_time_codes(work.tx, find_author(work).id)
        assert stored is not None
        secret = store.read_secret(strict.site.context, stored)
    assert secret not in visitor.get("/admin/second-factor").text
