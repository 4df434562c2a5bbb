"""Passkeys: the two ceremonies with an authenticator in software, and what is refused of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

from conftest import Client, SetClock, Stand, standing
from vetrina.access.passkeys import rules as passkeys
from vetrina.access.passkeys.model import PasskeyRefused, PasskeysUnavailable, RelyingParty
from vetrina.access.second_factors import rules as second_factors
from vetrina.access.second_factors.model import SecondFactorRequired
from vetrina.access.users import rules as users
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User
from vetrina.settings import load_profile

from .authenticator import PRESENT, Authenticator, tampered

PATH = "/access/v1/passkeys"
PASSWORD = "a word that people keep"
PROOF = {"password": PASSWORD}
ADDRESS = "https://shop.example:8443"
BROWSER = "what only this browser has"


@pytest.fixture
def house(request: pytest.FixtureRequest, kind: str) -> Iterator[Stand]:
    """A site at an address for which browsers have passkeys, whose author and editor have passwords."""
    with standing(request, load_profile("first"), url=ADDRESS) as stand:
        with stand.site.work() as work:
            for login in ("author", "editor"):
                users.update_user(work, find_account(work, login), password=PASSWORD)
        yield stand


@pytest.fixture
def device() -> Authenticator:
    return Authenticator(ADDRESS)


def find_account(work: UnitOfWork, login: str = "author") -> User:
    found = users.find_user_by_login(work.tx, login)
    assert found is not None
    return found


def ask_options(client: Client) -> dict[str, Any]:
    answer = client.post(f"{PATH}/options", PROOF)
    assert answer.status == 200, answer.json
    return dict(answer.json)


def register(client: Client, device: Authenticator, name: str = "My phone") -> dict[str, Any]:
    answer = client.post(PATH, {"name": name, "credential": device.create(ask_options(client))})
    assert answer.status == 201, answer.json
    return dict(answer.json)


def begin(house: Stand, browser: str = BROWSER) -> dict[str, Any]:
    with house.site.work(read=True) as work:
        return passkeys.begin_sign_in(work, browser)


def enter(house: Stand, credential: dict[str, Any], browser: str = BROWSER) -> str:
    """Sign in with a passkey and return the login of its account."""
    with house.site.work() as work:
        return passkeys.authenticate_by_passkey(work, browser, credential).login


@pytest.mark.every_database
def test_a_passkey_is_registered_and_signs_in(house: Stand, device: Authenticator, clock: SetClock) -> None:
    author = house.client("author")
    options = ask_options(author)
    assert options["rp"] == {"id": "shop.example", "name": "Vetrina"}
    assert options["authenticatorSelection"]["userVerification"] == "required"
    assert options["authenticatorSelection"]["residentKey"] == "required"
    made = author.post(PATH, {"name": " My phone ", "credential": device.create(options)})
    assert made.status == 201, made.json
    assert (made.json["name"], made.json["last_used_gmt"], len(made.json["recovery_codes"])) == ("My phone", None, 10)
    clock.forward(1)
    assert register(author, Authenticator(ADDRESS), "Another")["recovery_codes"] == []
    assert ask_options(author)["excludeCredentials"][0]["id"] == bytes_to_base64url(device.credential)
    clock.forward(7)
    assert enter(house, device.sign(begin(house))) == "author"
    listed = author.get(PATH).json
    assert [one["name"] for one in listed] == ["My phone", "Another"]
    assert listed[0]["last_used_gmt"] is not None
    assert author.get("/access/v1/second-factors").json["passkeys"] == 2


def test_a_passkey_makes_its_account_ask_for_a_second_factor(house: Stand, device: Authenticator) -> None:
    codes = register(house.client("author"), device)["recovery_codes"]
    with house.site.work() as work, pytest.raises(SecondFactorRequired):
        second_factors.require_second_factor(work, find_account(work), "")
    with house.site.work() as work:
        second_factors.require_second_factor(work, find_account(work), codes[0])


def of_another_site(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    device.origin = "https://evil.example"
    return device.sign(options)


def of_another_host(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    return device.sign(options, rp="evil.example")


def of_another_challenge(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    return device.sign({**options, "challenge": bytes_to_base64url(bytes(56))})


def with_a_changed_challenge(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    # Its time moved on: the proof at its end covers it.
    challenge = bytearray(base64url_to_bytes(options["challenge"]))
    challenge[7] ^= 255
    return device.sign({**options, "challenge": bytes_to_base64url(bytes(challenge))})


def with_a_changed_signature(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    return tampered(device.sign(options), "signature")


def with_changed_data(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    return tampered(device.sign(options), "authenticatorData")


def without_a_person(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    device.flags = PRESENT
    return device.sign(options)


def with_the_counter_back(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    device.count = -1
    return device.sign(options)


def with_the_same_counter(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    device.count -= 1
    return device.sign(options)


def of_another_device(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    return Authenticator(device.origin).sign(options)


def with_the_key_of_another_device(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    return Authenticator(device.origin, credential=device.credential, count=5).sign(options)


def of_a_registration(device: Authenticator, options: dict[str, Any]) -> dict[str, Any]:
    made = device.create({"rp": {"id": options["rpId"]}, "challenge": options["challenge"]})
    signed = device.sign(options)
    members = {**signed["response"], "clientDataJSON": made["response"]["clientDataJSON"]}
    return {**signed, "response": members}


@pytest.mark.parametrize(
    "attack",
    [
        of_another_site, of_another_host, of_another_challenge, with_a_changed_challenge, with_a_changed_signature,
        with_changed_data, without_a_person, with_the_counter_back, with_the_same_counter, of_another_device,
        with_the_key_of_another_device, of_a_registration,
    ],
)  # fmt: skip
def test_what_proves_nothing_is_refused(
    house: Stand, device: Authenticator, attack: Callable[[Authenticator, dict[str, Any]], dict[str, Any]]
) -> None:
    register(house.client("author"), device)
    enter(house, device.sign(begin(house)))
    with pytest.raises(PasskeyRefused):
        enter(house, attack(device, begin(house)))
    device.origin, device.flags, device.count = ADDRESS, 5, 10
    assert enter(house, device.sign(begin(house))) == "author"


@pytest.mark.every_database
@pytest.mark.parametrize("counts", [True, False])
def test_an_answer_counts_once(house: Stand, counts: bool) -> None:
    device = Authenticator(ADDRESS, counts=counts)
    register(house.client("author"), device)
    signed = device.sign(begin(house))
    assert enter(house, signed) == "author"
    with pytest.raises(PasskeyRefused):
        enter(house, signed)


def test_a_challenge_is_good_for_ten_minutes_and_in_its_browser(
    house: Stand, device: Authenticator, clock: SetClock
) -> None:
    register(house.client("author"), device)
    options = begin(house)
    with pytest.raises(PasskeyRefused):
        enter(house, device.sign(options), "another browser")
    clock.forward(601)
    with pytest.raises(PasskeyRefused):
        enter(house, device.sign(options))


@pytest.mark.parametrize(
    "junk",
    [
        {}, {"id": "x"}, {"response": None}, {"response": {"clientDataJSON": "!"}}, {"response": {"clientDataJSON": 7}},
        {"response": {"clientDataJSON": bytes_to_base64url(b"[]")}},
        {"response": {"clientDataJSON": bytes_to_base64url(b'{"challenge":"AA","type":"webauthn.get","origin":""}')}},
    ],
)  # fmt: skip
def test_junk_is_refused(house: Stand, junk: dict[str, Any]) -> None:
    with pytest.raises(PasskeyRefused):
        enter(house, junk)
    answer = house.client("author").post(PATH, {"name": "x", "credential": junk})
    assert (answer.status, answer.code) == (403, "rest_passkey_refused")


def test_a_registration_is_refused_where_it_proves_nothing(house: Stand, device: Authenticator) -> None:
    author, editor = house.client("author"), house.client("editor")
    options = ask_options(author)
    for made in (
        Authenticator("https://evil.example").create(options),
        Authenticator(ADDRESS, flags=PRESENT).create(options),
        tampered(device.create(options), "clientDataJSON"),
        device.create({**options, "rp": {"id": "evil.example"}}),
        device.create(begin(house) | {"rp": options["rp"]}),
    ):
        assert author.post(PATH, {"name": "x", "credential": made}).code == "rest_passkey_refused"
    made = device.create(options)
    assert editor.post(PATH, {"name": "x", "credential": made}).code == "rest_passkey_refused"
    assert author.post(PATH, {"name": "x", "credential": made}).status == 201
    assert author.post(PATH, {"name": "x", "credential": made}).code == "rest_passkey_refused"
    again = device.create(ask_options(author))
    answer = author.post(PATH, {"name": "x", "credential": again})
    assert (answer.status, answer.code) == (409, "rest_passkey_exists")


def test_own_passkeys_are_renamed_and_removed(house: Stand, device: Authenticator) -> None:
    author, editor = house.client("author"), house.client("editor")
    made = register(author, device)
    of = f"{PATH}/{made['id']}"
    assert editor.patch(of, {"name": "mine"}).code == "rest_passkey_not_found"
    assert editor.delete(of, json=PROOF).code == "rest_passkey_not_found"
    assert author.patch(of, {"name": "  "}).status == 400
    assert author.patch(of, {"name": "<b>Key</b>"}).json["name"] == "<b>Key</b>"
    gone = author.delete(of, json=PROOF)
    assert (gone.json["deleted"], gone.json["previous"]["id"]) == (True, made["id"])
    with pytest.raises(PasskeyRefused):
        enter(house, device.sign(begin(house)))
    assert author.get("/access/v1/second-factors").json["recovery_codes"] == 0


@pytest.mark.parametrize(
    "url, found",
    [
        ("https://shop.example", RelyingParty("shop.example", "https://shop.example")),
        ("https://shop.example:443/base", RelyingParty("shop.example", "https://shop.example")),
        ("https://Shop.example:8443/", RelyingParty("shop.example", "https://shop.example:8443")),
        ("http://localhost:9650", RelyingParty("localhost", "http://localhost:9650")),
        ("http://shop.example", None),
        ("https://192.0.2.1", None),
        ("https://[2001:db8::1]", None),
        ("", None),
    ],
)
def test_the_address_of_the_site_says_who_it_is(site: Stand, url: str, found: RelyingParty | None) -> None:
    context = site.site.context
    at_url = replace(context, settings=msgspec.structs.replace(context.settings, url=url))
    assert passkeys.find_relying_party(at_url) == found


def test_nobody_signs_in_with_a_passkey_where_there_are_none(site: Stand) -> None:
    with site.site.work(read=True) as work, pytest.raises(PasskeysUnavailable):
        passkeys.begin_sign_in(work, BROWSER)


def test_a_site_without_a_name_has_no_passkeys(site: Stand) -> None:
    with site.site.work() as work:
        users.update_user(work, find_account(work), password=PASSWORD)
    answer = site.client("author").post(f"{PATH}/options", PROOF)
    assert (answer.status, answer.code) == (409, "rest_passkeys_unavailable")


def test_tokens_for_an_account_with_passkeys_alone_say_what_to_do(house: Stand, device: Authenticator) -> None:
    codes = register(house.client("author"), device)["recovery_codes"]
    anyone, given = house.client(), {"login": "author", "password": PASSWORD}
    refused = anyone.post("/access/v1/tokens", given)
    assert (refused.status, refused.code) == (401, "rest_passkey_required")
    assert f"{ADDRESS}/admin/sign-in" in refused.json["message"]
    assert anyone.post("/access/v1/tokens", {**given, "password": "wrong"}).code == "rest_wrong_credentials"
    assert anyone.post("/access/v1/tokens", {**given, "code": codes[0]}).status == 200
