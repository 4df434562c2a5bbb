"""Access tokens that prove nothing: changed, made by others, for others, or at another time."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jwt
import msgspec
import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import HealthCheck, example, given, settings
from hypothesis.strategies import binary, dictionaries, integers, sampled_from, text

from conftest import SetClock, Stand
from vetrina.access.tokens import access_tokens, signing_keys
from vetrina.access.tokens.signing_keys import load_private_key
from vetrina.access.tokens.store import find_current_key
from vetrina.core.user import NOBODY
from vetrina.settings import load_profile
from vetrina.site import Site

from .conftest import FrontEnd

ME, POSTS = "/cms/v2/users/me", "/cms/v2/posts"


def build_part(value: Any) -> str:
    """Return a part of a token."""
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


class Forger:
    """Makes tokens from a good one; it may even have the key of the site."""

    def __init__(self, front_end: FrontEnd, house: Stand) -> None:
        self.front_end, self.site = front_end, house.site
        self.good = front_end.tokens["access_token"]
        self.header = jwt.get_unverified_header(self.good)
        self.claims = jwt.decode(self.good, options={"verify_signature": False})
        with self.site.work(read=True) as work:
            stored = find_current_key(work.tx)
            assert stored is not None
            self.key = load_private_key(work.site.settings.secret, stored.kid, stored.sealed)

    def sign(self, claims: dict[str, Any] | None = None, header: dict[str, Any] | None = None, key: Any = None) -> str:
        """Return a token that a key signed, by default the site's; None leaves a claim out."""
        said = {name: value for name, value in {**self.claims, **(claims or {})}.items() if value is not None}
        headers = {"kid": self.header["kid"], "typ": "at+jwt", **(header or {})}
        return jwt.encode(said, key or self.key, "ES256", headers)

    def ask(self, token: str, path: str = ME) -> tuple[int, str | None]:
        answer = self.front_end.client.get(path, headers={"authorization": f"Bearer {token}"})
        return answer.status, answer.code


@pytest.fixture
def forger(front_end: FrontEnd, house: Stand) -> Forger:
    return Forger(front_end, house)


INVALID = (401, "rest_token_invalid")
NOBODY_THERE = (401, "rest_not_logged_in")
OTHER_KEY = ec.generate_private_key(ec.SECP256R1())


def sign_with_public_key(one: Forger) -> str:
    """Return a token whose "secret" is the public key, for verifiers that let the token choose the algorithm."""
    import hashlib
    import hmac

    public = one.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    signed = f"{build_part({**one.header, 'alg': 'HS256'})}.{build_part(one.claims)}"
    return f"{signed}.{build_part(hmac.new(public, signed.encode(), hashlib.sha256).digest())}"


def change_part(one: Forger, at: int, value: Any) -> str:
    parts = one.good.split(".")
    parts[at] = build_part(value)
    return ".".join(parts)


FORGED: dict[str, Callable[[Forger], str]] = {
    "another account": lambda one: change_part(one, 1, {**one.claims, "sub": "1"}),
    "more scopes": lambda one: change_part(one, 1, {**one.claims, "scope": "write read"}),
    "no signature": lambda one: one.good.rpartition(".")[0] + ".",
    "another signature": lambda one: change_part(one, 2, b"\1" * 64),
    "short signature": lambda one: change_part(one, 2, b"\1" * 7),
    "zero signature": lambda one: change_part(one, 2, bytes(64)),
    "algorithm none": lambda one: change_part(one, 0, {**one.header, "alg": "none"}).rpartition(".")[0] + ".",
    "algorithm None": lambda one: change_part(one, 0, {**one.header, "alg": "None"}),
    "algorithm of a list": lambda one: change_part(one, 0, {**one.header, "alg": ["ES256"]}),
    "public key as a secret": sign_with_public_key,
    "another key": lambda one: one.sign(key=OTHER_KEY),
    "key in the header": lambda one: one.sign(
        header={"jwk": jwt.algorithms.ECAlgorithm.to_jwk(OTHER_KEY.public_key(), as_dict=True)}, key=OTHER_KEY
    ),
    "key elsewhere": lambda one: one.sign(header={"jku": "https://evil.example/jwks.json"}),
    "critical header": lambda one: one.sign(header={"crit": ["exp"]}),
    "unknown kid": lambda one: one.sign(header={"kid": "unknown"}),
    "path as kid": lambda one: one.sign(header={"kid": "../../dev/null"}),
    "kid of SQL": lambda one: one.sign(header={"kid": "' OR 1=1 --"}),
    "no type": lambda one: one.sign(header={"typ": None}),
    "type of an identity token": lambda one: one.sign(header={"typ": "JWT"}),
    "another issuer": lambda one: one.sign({"iss": "https://evil.example"}),
    "no issuer": lambda one: one.sign({"iss": None}),
    "another audience": lambda one: one.sign({"aud": "https://evil.example/cms-json"}),
    "no audience": lambda one: one.sign({"aud": None}),
    "not issued yet": lambda one: one.sign({"iat": one.claims["iat"] + 3600}),
    "no end": lambda one: one.sign({"exp": None}),
    "end in words": lambda one: one.sign({"exp": "tomorrow"}),
    "no session": lambda one: one.sign({"sid": None}),
    "another account, signed": lambda one: one.sign({"sub": "1"}),
    "no scope": lambda one: one.sign({"scope": ""}),
    "unknown scope": lambda one: one.sign({"scope": "everything"}),
    "too long": lambda one: one.sign({"pad": "x" * 5000}),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_token_that_is_not_right_is_refused_on_public_routes_too(forger: Forger, name: str) -> None:
    forged = FORGED[name](forger)
    assert forger.ask(forged) == INVALID
    assert forger.ask(forged, POSTS) == INVALID
    assert forger.ask(forger.good) == (200, None)


def test_the_forger_has_the_key(forger: Forger) -> None:
    """What it signs without a change is good: the refusals above are about what was changed."""
    assert forger.ask(forger.sign()) == (200, None)


def test_a_token_of_a_session_that_never_was_has_ended(forger: Forger) -> None:
    assert forger.ask(forger.sign({"sid": "no such session"})) == (401, "rest_token_session_ended")


def test_a_token_that_ran_out_says_so(forger: Forger, clock: SetClock) -> None:
    old = forger.sign({"exp": forger.claims["iat"], "iat": forger.claims["iat"] - 600})
    assert forger.ask(old) == (401, "rest_token_expired")


@pytest.mark.parametrize(
    "text",
    [
        "abc", "a.b", "a.b.c", "..", "a..c", "a.b.c.d", "é.é.é", "x" * 9000,
        f"{build_part({'alg': 'ES256', 'typ': 'at+jwt', 'kid': 'theirs'})}.{build_part({'iss': 'https://idp.example'})}.AA",
        f"{build_part({'alg': 'none'})}.{build_part({'sub': '1'})}.",
        f"{build_part([1])}.{build_part({'sub': '1'})}.AA",
        f"{build_part(b'[' * 700)}.{build_part({'sub': '1'})}.AA",
    ],
)  # fmt: skip
def test_other_bearer_tokens_name_nobody(forger: Forger, text: str) -> None:
    """They may belong to a proxy in front of the site."""
    answer = forger.front_end.client.get(POSTS, headers={"authorization": f"Bearer {text}".encode().decode("latin-1")})
    assert answer.status == 200
    assert forger.ask(text.encode().decode("latin-1")) == NOBODY_THERE


def test_the_scheme_may_be_written_in_any_case(forger: Forger) -> None:
    for scheme in ("bearer", "BEARER", "Bearer "):
        answer = forger.front_end.client.get(ME, headers={"authorization": f"{scheme} {forger.good}"})
        assert answer.status == 200


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(at=integers(0, 5000), byte=sampled_from("ABCabc019-_.=+/~ é\0"), cut=integers(0, 3))
@example(at=0, byte="e", cut=0)
def test_a_mangled_token_never_opens_anything(forger: Forger, at: int, byte: str, cut: int) -> None:
    """A character replaced, inserted, or the rest cut off: nobody, or refused; never a failure, never the account."""
    good, place = forger.good, at % len(forger.good)
    mangled = (good[:place] + byte + good[place + 1 :], good[:place] + byte + good[place:], good[:place])[cut % 3]
    if mangled.strip() == good or _decode(mangled) == _decode(good):
        return
    status, code = forger.ask(mangled.encode().decode("latin-1"))
    assert (status, code) in (INVALID, NOBODY_THERE)


def _decode(token: str) -> list[bytes]:
    """Return what the parts of a token hold: the last character of one has bits that mean nothing."""
    try:
        return [base64.b64decode(part + "=" * (-len(part) % 4), altchars=b"-_") for part in token.split(".")]
    except ValueError:
        return [token.encode()]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(
    header=dictionaries(sampled_from(["alg", "typ", "kid", "crit", "b64", "x"]), text(max_size=8) | integers()),
    claims=dictionaries(
        sampled_from(["iss", "aud", "sub", "sid", "exp", "iat", "scope"]), text(max_size=8) | integers()
    ),
    end=binary(max_size=80),
)
def test_a_made_up_token_never_opens_anything(
    forger: Forger, header: dict[str, Any], claims: dict[str, Any], end: bytes
) -> None:
    for head in (header, {**forger.header, **header}):
        made = f"{build_part(head)}.{build_part({**forger.claims, **claims})}.{build_part(end)}"
        assert forger.ask(made) in (INVALID, NOBODY_THERE)


# -- the keys


def test_the_public_keys_verify_a_token_elsewhere(front_end: FrontEnd, house: Stand) -> None:
    """As another server does that knows the address of the site alone."""
    for answer in (house.client().get("/access/v1/keys"), house.client(root="").get("/.well-known/jwks.json")):
        assert "max-age=300" in answer.headers["cache-control"]
        (key,) = answer.json["keys"]
        assert key.keys() == {"kty", "crv", "x", "y", "kid", "use", "alg"}
        token, origin = front_end.tokens["access_token"], house.site.context.origin
        found = jwt.PyJWK(key)
        said = jwt.decode(token, found, algorithms=["ES256"], issuer=origin, audience=f"{origin}/cms-json")
        assert said["sid"] == front_end.tokens["session"]


def test_a_new_key_signs_and_the_old_one_verifies_until_its_last_token_ran_out(
    front_end: FrontEnd, house: Stand, clock: SetClock
) -> None:
    def list_kids() -> list[str]:
        return [one["kid"] for one in house.client().get("/access/v1/keys").json["keys"]]

    def rotate() -> None:
        with house.site.work() as work:
            signing_keys.rotate_old_signing_key(work)

    first = list_kids()
    clock.forward(90 * 86_400 - 700)
    later = FrontEnd(house)
    later.sign_in()
    rotate()
    assert list_kids() == first
    clock.forward(700)
    also = FrontEnd(house)
    also.sign_in()
    assert jwt.get_unverified_header(also.tokens["access_token"])["kid"] == first[0]
    rotate()
    newer = FrontEnd(house)
    newer.sign_in()
    assert [jwt.get_unverified_header(newer.tokens["access_token"])["kid"], *first] == list_kids()
    assert {one.get(ME).status for one in (also, newer)} == {200}
    clock.forward(400)
    rotate()
    assert also.get(ME).status == 200
    clock.forward(200)
    rotate()
    assert len(list_kids()) == 1
    assert also.get(ME).status == 401
    assert also.refresh().status == 200


def test_no_token_outlives_the_secret_of_the_site(
    front_end: FrontEnd, house: Stand, tmp_path: Path, clock: SetClock
) -> None:
    """Whoever knew the secret may have the private key; a new secret makes a new one."""
    changed = msgspec.structs.replace(house.site.context.settings, secret="another secret")
    later = Site(load_profile("first"), changed, tmp_path, clock=clock, durable=False)
    try:
        there = FrontEnd(Stand(later))
        there.tokens = front_end.tokens
        assert there.get(ME).code == "rest_token_invalid"
        assert there.refresh().code == "rest_refresh_token_invalid"
        assert there.sign_in().status == 200
        assert there.get(ME).status == 200
    finally:
        later.close()


@pytest.mark.every_database
def test_two_processes_that_need_a_key_at_once_make_one(house: Stand) -> None:
    front_ends = [FrontEnd(house) for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda one: one.sign_in().status, front_ends)) == [200] * 4
    assert len({jwt.get_unverified_header(one.tokens["access_token"])["kid"] for one in front_ends}) == 1
    assert len(house.client().get("/access/v1/keys").json["keys"]) == 1


def test_there_are_no_keys_before_somebody_needs_one(house: Stand) -> None:
    assert house.client(root="").get("/.well-known/jwks.json").json == {"keys": []}
    with house.site.work() as work:
        signing_keys.rotate_old_signing_key(work)
    assert house.client().get("/access/v1/keys").json == {"keys": []}


def test_10_000_guesses_open_nothing(front_end: FrontEnd, house: Stand) -> None:
    """Signatures are compared one after the other; nothing limits how many, so none may come close."""
    parts = front_end.tokens["access_token"].split(".")
    with house.site.work(NOBODY, read=True) as work:
        stored = find_current_key(work.tx)
    assert stored is not None
    site = house.site.context
    key, opened = load_private_key(site.settings.secret, stored.kid, stored.sealed), 0
    for number in range(10_000):
        guess = ".".join((*parts[:2], build_part(number.to_bytes(32, "big") + (number + 1).to_bytes(32, "big"))))
        unverified = access_tokens.read_unverified(guess)
        assert unverified is not None
        try:
            access_tokens.verify_access_token(site, guess, unverified, key)
            opened += 1
        except access_tokens.InvalidAccessToken:
            continue
    assert opened == 0


def test_headers_of_ours_are_read_alike_everywhere(front_end: FrontEnd) -> None:
    """Ours are flat and have no member twice, so that two readers cannot differ."""
    read = access_tokens.read_unverified(front_end.tokens["access_token"])
    assert read is not None
    assert orjson.dumps(read.header) == orjson.dumps(jwt.get_unverified_header(front_end.tokens["access_token"]))
