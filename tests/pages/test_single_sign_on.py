"""Signing in by a provider, over HTTP, against a stand-in that can lie: who gets in, as whom, and who does not."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import jwt
import msgspec
import pytest

from conftest import ORIGIN, Stand, standing
from identity_provider import ALGORITHMS, CLIENT, SECRET, IdentityProvider, Json, make_key, public_jwk
from vetrina.access.passkeys import store as passkeys
from vetrina.access.passkeys.model import Passkey
from vetrina.access.single_sign_on import store
from vetrina.access.single_sign_on.model import Identity
from vetrina.access.users import rules as users
from vetrina.account_settings import AccountSettings, SignInProvider
from vetrina.core.user import User
from vetrina.rest.call import Request, Response
from vetrina.settings import Profile, load_profile

from .conftest import Page, Visitor

BEGIN = "/admin/sign-in/house"
SECRETS = {"house": SECRET, "other": SECRET}
ADA: Json = {
    "sub": "ada-1", "email": "ada@example.com", "email_verified": True, "name": "Ada Rossi", "given_name": "Ada",
    "family_name": "Rossi", "preferred_username": "ada",
}  # fmt: skip


@pytest.fixture
def provider() -> Iterator[IdentityProvider]:
    made = IdentityProvider()
    made.person = dict(ADA)
    yield made
    made.close()


def profiled(provider: IdentityProvider, *others: SignInProvider, **words: Any) -> Profile:
    words = {"create_accounts": True, **words}
    own = SignInProvider(name="house", issuer=provider.url, client_id=CLIENT, label="The House", **words)
    return msgspec.structs.replace(load_profile("first"), accounts=AccountSettings(providers=(own, *others)))


@pytest.fixture
def words() -> dict[str, Any]:
    """What a test sets of the provider in the profile."""
    return {}


@pytest.fixture
def stand(
    request: pytest.FixtureRequest, kind: str, provider: IdentityProvider, words: dict[str, Any], clock: Any
) -> Iterator[Stand]:
    with standing(request, profiled(provider, **words), provider_secrets=SECRETS) as made:
        provider.ahead = lambda: clock.ahead
        yield made


def configured(**words: Any) -> Any:
    return pytest.mark.parametrize("words", [words], ids=["-".join(words)])


def begun(visitor: Visitor, target: str = BEGIN) -> str:
    """Begin a sign-in and return the address at the provider."""
    page = visitor.get(target)
    assert page.status == 303, page.text
    return page.location


def came_back(visitor: Visitor, provider: IdentityProvider, target: str = BEGIN) -> Page:
    """Sign in at the provider and come back."""
    return visitor.get(local(provider.authorize(begun(visitor, target))))


def local(url: str) -> str:
    assert url.startswith(f"{ORIGIN}/"), url
    return url.removeprefix(ORIGIN)


def is_signed_in(visitor: Visitor) -> bool:
    return visitor.get("/admin/nonce").status == 200


def account_of(stand: Stand, subject: str = "ada-1", provider: str = "house") -> User | None:
    """Return the account that an identity signs in to."""
    with stand.site.work(read=True) as work:
        issuer = next(one.issuer for one in stand.site.context.profile.accounts.providers if one.name == provider)
        found = store.find_identity(work.tx, provider, issuer, subject)
        return users.find_user(work.tx, found.account) if found else None


def accounts(stand: Stand) -> list[str]:
    return sorted(one["name"] for one in stand.client("admin").get("/cms/v2/users?per_page=100").json)


@pytest.mark.every_database
def test_somebody_signs_in_and_gets_an_account_once(stand: Stand, provider: IdentityProvider) -> None:
    visitor, before = Visitor(stand), accounts(stand)
    home = came_back(visitor, provider)
    assert (home.status, home.location) == (303, "/")
    assert is_signed_in(visitor)
    user = account_of(stand)
    assert user is not None
    assert (user.login, user.email, user.name, user.first_name) == ("ada", "ada@example.com", "Ada Rossi", "Ada")
    assert user.roles == ("subscriber",)
    again = Visitor(stand)
    assert came_back(again, provider).status == 303
    assert is_signed_in(again)
    assert len(accounts(stand)) == len(before) + 1


def test_what_the_provider_is_asked(stand: Stand, provider: IdentityProvider) -> None:
    url = begun(Visitor(stand))
    query = dict(parse_qsl(urlsplit(url).query))
    assert query["redirect_uri"] == f"{ORIGIN}/admin/sign-in/house/callback"
    assert query["scope"] == "openid email profile"
    assert len({query["state"], query["nonce"], query["code_challenge"]}) == 3
    assert SECRET not in url


@pytest.mark.parametrize("alg", ALGORITHMS)
def test_every_algorithm_that_is_taken(stand: Stand, provider: IdentityProvider, alg: str) -> None:
    provider.alg = alg
    provider.rotate()
    visitor = Visitor(stand)
    assert came_back(visitor, provider).status == 303
    assert is_signed_in(visitor)


def test_keys_are_kept_and_fetched_once_more_after_a_rotation(stand: Stand, provider: IdentityProvider) -> None:
    for _ in range(3):
        assert came_back(Visitor(stand), provider).status == 303
    assert (provider.asked_for("/keys"), provider.asked_for("/.well-known/openid-configuration")) == (1, 1)
    provider.rotate()
    assert came_back(Visitor(stand), provider).status == 303
    assert provider.asked_for("/keys") == 2
    provider.sign = lambda claims: provider.sign_honestly(claims, kid="unknown")
    assert came_back(Visitor(stand), provider).status == 502
    assert provider.asked_for("/keys") == 3


def test_documents_are_fetched_again_after_an_hour(stand: Stand, provider: IdentityProvider, clock: Any) -> None:
    came_back(Visitor(stand), provider)
    clock.forward(3601)
    assert came_back(Visitor(stand), provider).status == 303
    assert (provider.asked_for("/keys"), provider.asked_for("/.well-known/openid-configuration")) == (2, 2)


@configured(scopes=("email",))
def test_a_person_without_a_name_is_called_by_the_address(stand: Stand, provider: IdentityProvider) -> None:
    provider.person = {"sub": "x", "email": "Bea.Verdi@example.com", "email_verified": "true"}
    assert came_back(Visitor(stand), provider).status == 303
    user = account_of(stand, "x")
    assert user is not None
    assert (user.login, user.name) == ("Bea.Verdi", "Bea.Verdi")


def test_a_login_that_is_taken_gets_a_number(stand: Stand, provider: IdentityProvider) -> None:
    provider.person = {**ADA, "preferred_username": "Editor", "name": "<b>Ada</b>\x00 Rossi"}
    assert came_back(Visitor(stand), provider).status == 303
    user = account_of(stand)
    assert user is not None
    assert (user.login, user.name) == ("Editor2", "bAda/b Rossi")


def test_a_provider_that_takes_the_secret_in_the_body(stand: Stand, provider: IdentityProvider) -> None:
    provider.document = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
    assert came_back(Visitor(stand), provider).status == 303


def test_what_the_token_lacks_is_asked_of_userinfo(stand: Stand, provider: IdentityProvider) -> None:
    provider.token_claims = ("sub",)
    assert came_back(Visitor(stand), provider).status == 303
    assert provider.asked_for("/userinfo") == 1
    user = account_of(stand)
    assert user is not None
    assert user.email == "ada@example.com"
    provider.told = {**ADA, "sub": "somebody else"}
    assert came_back(Visitor(stand), provider).status == 502


# -- lies


def changed(**claims: Any) -> Callable[[Json], Json]:
    return lambda honest: {name: value for name, value in {**honest, **claims}.items() if value is not None}


LIES: dict[str, Callable[[Json], Json]] = {
    "another audience": changed(aud="another client"),
    "audiences without azp": changed(aud=[CLIENT, "another client"]),
    "azp of another": changed(azp="another client"),
    "another issuer": changed(iss="https://evil.example"),
    "no issuer": changed(iss=None),
    "another nonce": changed(nonce="of another sign-in"),
    "no nonce": changed(nonce=None),
    "expired": lambda honest: {**honest, "exp": honest["iat"] - 120},
    "no end": changed(exp=None),
    "an end that is no number": changed(exp="tomorrow"),
    "an endless end": changed(exp=True),
    "made long ago": lambda honest: {**honest, "iat": honest["iat"] - 3600},
    "made tomorrow": lambda honest: {**honest, "iat": honest["iat"] + 86400},
    "not yet": lambda honest: {**honest, "nbf": honest["iat"] + 3600},
    "another access token": changed(at_hash="AAAAAAAAAAAAAAAAAAAAAA"),
    "nobody": changed(sub=None),
    "an empty name": changed(sub=""),
    "a number as name": changed(sub=7),
    "a name without end": changed(sub="x" * 256),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_token_that_lies_signs_nobody_in(stand: Stand, provider: IdentityProvider, lie: str) -> None:
    provider.change_claims = LIES[lie]
    visitor = Visitor(stand)
    page = came_back(visitor, provider)
    assert (page.status, "cannot be trusted" in page.text, is_signed_in(visitor)) == (502, True, False)
    assert account_of(stand) is None


def forged(kind: str, provider: IdentityProvider) -> Callable[[Json], str]:
    """Return what signs claims in a way that must not be believed."""
    key, kid = provider.key, provider.kid
    assert key is not None
    match kind:
        case "none":
            return lambda claims: jwt.encode(claims, None, algorithm="none", headers={"kid": kid})
        case "no signature":
            return lambda claims: provider.sign_honestly(claims).rpartition(".")[0] + "."
        case "the public key as a shared secret":
            from cryptography.hazmat.primitives import serialization

            public = key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
            import base64
            import hashlib
            import hmac
            import json

            def sign(claims: Json) -> str:
                parts = [
                    base64.urlsafe_b64encode(json.dumps(one).encode()).rstrip(b"=").decode()
                    for one in ({"alg": "HS256", "kid": kid}, claims)
                ]
                made = hmac.new(public, ".".join(parts).encode(), hashlib.sha256).digest()
                return ".".join([*parts, base64.urlsafe_b64encode(made).rstrip(b"=").decode()])

            return sign
        case "the client's secret":
            return lambda claims: jwt.encode(claims, SECRET.ljust(32), algorithm="HS256", headers={"kid": kid})
        case "a foreign key":
            return lambda claims: jwt.encode(claims, make_key("RS256"), algorithm="RS256", headers={"kid": kid})
        case "a key of its own":
            own = make_key("RS256")
            return lambda claims: jwt.encode(
                claims, own, algorithm="RS256", headers={"kid": "mine", "jwk": public_jwk(own, "RS256", "mine")}
            )
        case "an algorithm that the key is not for":
            return lambda claims: jwt.encode(claims, key, algorithm="PS256", headers={"kid": kid})
        case "an algorithm that is not taken":
            return lambda claims: jwt.encode(claims, key, algorithm="RS384", headers={"kid": kid})
        case "other claims":

            def swap(claims: Json) -> str:
                head, _, signature = provider.sign_honestly(claims).split(".")
                body = provider.sign_honestly({**claims, "sub": "admin"}).split(".")[1]
                return f"{head}.{body}.{signature}"

            return swap
        case "a part that must be understood":
            return lambda claims: provider.sign_honestly(claims, crit=["cnf"], cnf={})
        case "no token":
            return lambda claims: ""
        case "no JSON":
            return lambda claims: "e30.e30"
        case _:
            return lambda claims: "x" * 40_000


FORGERIES = (
    "none", "no signature", "the public key as a shared secret", "the client's secret", "a foreign key",
    "a key of its own", "an algorithm that the key is not for", "an algorithm that is not taken", "other claims",
    "a part that must be understood", "no token", "no JSON", "a token without end",
)  # fmt: skip


@pytest.mark.parametrize("kind_of_forgery", FORGERIES)
def test_a_forged_token_signs_nobody_in(stand: Stand, provider: IdentityProvider, kind_of_forgery: str) -> None:
    provider.sign = forged(kind_of_forgery, provider)
    visitor = Visitor(stand)
    page = came_back(visitor, provider)
    assert (page.status, "cannot be trusted" in page.text, is_signed_in(visitor)) == (502, True, False)
    # The same person, honestly: what was refused is the signature.
    provider.sign = None
    assert came_back(visitor, provider).status == 303
    assert is_signed_in(visitor)


def test_a_small_key_is_refused(stand: Stand, provider: IdentityProvider) -> None:
    from cryptography.hazmat.primitives.asymmetric import rsa

    provider.key = rsa.generate_private_key(public_exponent=65537, key_size=1024)
    provider.keys = [public_jwk(provider.key, "RS256", provider.kid)]
    with pytest.warns(jwt.warnings.InsecureKeyLengthWarning):
        assert came_back(Visitor(stand), provider).status == 502


@pytest.mark.parametrize(
    "lie",
    [
        {"issuer": "https://evil.example"},
        {"issuer": None},
        {"token_endpoint": "file:///etc/passwd"},
        {"jwks_uri": None},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "https://provider.example/a\r\nSet-Cookie: x=1"},
    ],
    ids=str,
)  # fmt: skip
def test_a_document_that_lies_is_not_followed(stand: Stand, provider: IdentityProvider, lie: Json) -> None:
    provider.document = lie
    page = Visitor(stand).get(BEGIN)
    assert (page.status, "location" in page.headers) == (502, False)


def test_a_document_cannot_lead_into_the_private_network(stand: Stand, provider: IdentityProvider) -> None:
    other = IdentityProvider()
    try:
        provider.document = {"token_endpoint": f"{other.url}/token"}
        page = came_back(Visitor(stand), provider)
        assert (page.status, other.asked) == (503, [])
    finally:
        other.close()


# -- browsers


def test_the_state_of_another_browser_opens_nothing(stand: Stand, provider: IdentityProvider) -> None:
    mallory, victim = Visitor(stand), Visitor(stand)
    address = local(provider.authorize(begun(mallory)))
    page = victim.get(address)
    assert (page.status, is_signed_in(victim), "not begun in this browser" in page.text) == (403, False, True)
    begun(victim)
    assert victim.get(address).status == 403
    assert not is_signed_in(victim)
    assert provider.asked_for("/token") == 0
    # Who was lured there goes on with the own sign-in.
    assert came_back(victim, provider).status == 303


def test_a_lure_does_not_end_the_own_sign_in(stand: Stand, provider: IdentityProvider) -> None:
    visitor = Visitor(stand)
    own = local(provider.authorize(begun(visitor)))
    assert visitor.get("/admin/sign-in/house/callback?code=x&state=y").status == 403
    assert visitor.get(own).status == 303


def test_an_answer_counts_once(stand: Stand, provider: IdentityProvider) -> None:
    visitor = Visitor(stand)
    address = local(provider.authorize(begun(visitor)))
    kept = dict(visitor.cookies)
    assert visitor.get(address).status == 303
    assert visitor.get(address).status == 403
    # Not even with a copy of the cookie, since the provider gives nothing for a code twice.
    thief = Visitor(stand)
    thief.cookies = kept
    page = thief.get(address)
    assert (page.status, "refused the sign-in" in page.text, is_signed_in(thief)) == (502, True, False)


def test_a_token_of_another_sign_in_is_refused_even_if_the_provider_hands_it_out(
    stand: Stand, provider: IdentityProvider
) -> None:
    provider.accepts_codes_again = True
    first, second = Visitor(stand), Visitor(stand)
    used = dict(parse_qsl(urlsplit(provider.authorize(begun(first))).query))
    state = dict(parse_qsl(urlsplit(begun(second)).query))["state"]
    page = second.get(f"/admin/sign-in/house/callback?code={used['code']}&state={state}")
    # PKCE: the verifier is of another sign-in than the code.
    assert (page.status, is_signed_in(second)) == (502, False)


def test_a_sign_in_ends_after_ten_minutes(stand: Stand, provider: IdentityProvider, clock: Any) -> None:
    visitor = Visitor(stand)
    address = local(provider.authorize(begun(visitor)))
    clock.forward(601)
    page = visitor.get(address)
    assert (page.status, "took too long" in page.text, is_signed_in(visitor)) == (403, True, False)


def test_the_cookie_is_sealed_and_hidden(stand: Stand, provider: IdentityProvider) -> None:
    visitor = Visitor(stand)
    page = visitor.get(BEGIN)
    [cookie] = [value for name, value in page.pairs if name == "set-cookie"]
    assert all(word in cookie for word in ("HttpOnly", "SameSite=Lax", "Max-Age=600"))
    assert dict(parse_qsl(urlsplit(page.location).query))["state"] not in cookie
    visitor.cookies = {name: value[:-4] + "AAAA" for name, value in visitor.cookies.items()}
    assert visitor.get(local(provider.authorize(page.location))).status == 403


@pytest.mark.parametrize(
    ("asked", "led"),
    [
        ("/it/notizie?x=1", "/it/notizie?x=1"),
        ("https://evil.example/", "/"),
        ("//evil.example/", "/"),
        ("/\\evil.example/", "/"),
        ("javascript:alert(1)", "/"),
    ],
)
def test_signing_in_leads_to_addresses_of_this_site_alone(
    stand: Stand, provider: IdentityProvider, asked: str, led: str
) -> None:
    from urllib.parse import quote

    assert came_back(Visitor(stand), provider, f"{BEGIN}?redirect_to={quote(asked, safe='')}").location == led


def test_the_answer_of_another_provider_is_refused(request: pytest.FixtureRequest, kind: str, clock: Any) -> None:
    honest, evil = IdentityProvider(), IdentityProvider()
    honest.person = dict(ADA)
    other = SignInProvider(name="other", issuer=evil.url, client_id=CLIENT, create_accounts=True)
    try:
        with standing(request, profiled(honest, other), provider_secrets=SECRETS) as stand:
            visitor = Visitor(stand)
            # Begun with the evil one, finished with a code of the honest one: its token endpoint would get that code.
            state = dict(parse_qsl(urlsplit(begun(visitor, "/admin/sign-in/other")).query))["state"]
            code = dict(parse_qsl(urlsplit(honest.authorize(begun(Visitor(stand)))).query))["code"]
            assert visitor.get(f"/admin/sign-in/house/callback?code={code}&state={state}").status == 403
            assert honest.asked_for("/token") == evil.asked_for("/token") == 0
            # With the word of RFC 9207 even when everything else fits.
            page = visitor.get(f"/admin/sign-in/other/callback?code={code}&state={state}&iss={honest.url}")
            assert (page.status, evil.asked_for("/token")) == (502, 0)
            # The same subject at another provider is another person.
            evil.person = {**ADA, "email": "other@example.com"}
            assert (
                came_back(Visitor(stand), honest).status
                == came_back(Visitor(stand), evil, "/admin/sign-in/other").status
                == 303
            )
            one, two = account_of(stand), account_of(stand, provider="other")
            assert one is not None
            assert two is not None
            assert one.id != two.id
    finally:
        honest.close()
        evil.close()


def test_a_provider_that_names_itself_must_do_so(stand: Stand, provider: IdentityProvider) -> None:
    provider.document = {"authorization_response_iss_parameter_supported": True}
    assert came_back(Visitor(stand), provider).status == 502
    provider.extra_answer = {"iss": provider.url}
    assert came_back(Visitor(stand), provider).status == 303


@pytest.mark.every_database
def test_two_callbacks_at_once_make_one_account(stand: Stand, provider: IdentityProvider) -> None:
    barrier, before = threading.Barrier(4), len(accounts(stand))
    provider.pause = lambda: (barrier.wait(60), None)[1]
    visitors = [Visitor(stand) for _ in range(4)]
    addresses = [local(provider.authorize(begun(one))) for one in visitors]
    # The pages themselves, as the threads of a process run them; the tests' client has a loop for each request.
    pages = stand.site._build_pages()

    def run(visitor: Visitor, address: str) -> Response:
        parts = urlsplit(address)
        cookie = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
        query: dict[str, Any] = dict(parse_qsl(parts.query))
        return pages.answer(
            Request("GET", parts.path, origin=ORIGIN, query=query, headers={"cookie": cookie}, remote="127.0.0.1")
        )

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(run, visitors, addresses))
    assert [one.status for one in answers] == [303] * 4
    assert len(accounts(stand)) == before + 1


def test_codes_that_are_guessed_make_the_address_wait(stand: Stand, provider: IdentityProvider) -> None:
    visitor = Visitor(stand)
    most = stand.site.context.profile.limits.sign_in_failures
    statuses = []
    for number in range(most + 1):
        state = dict(parse_qsl(urlsplit(begun(visitor)).query))["state"]
        statuses.append(visitor.get(f"/admin/sign-in/house/callback?code=guess{number}&state={state}").status)
    assert statuses == [502] * most + [429]
    assert provider.asked_for("/token") == most


# -- refusals that people read


@pytest.mark.parametrize(
    ("language", "said"), [("en", "was cancelled at The House"), ("it", "è stato annullato presso The House")]
)
def test_who_cancels_is_told(stand: Stand, provider: IdentityProvider, language: str, said: str) -> None:
    provider.answer = {"error": "access_denied", "error_description": "<script>alert(1)</script>"}
    visitor = Visitor(stand)
    page = visitor.get(local(provider.authorize(begun(visitor))), **{"accept-language": language})
    assert (page.status, said in page.text, "alert(1)" in page.text) == (403, True, False)
    assert f'href="{BEGIN}"' in page.text


def test_an_error_of_the_provider_is_told(stand: Stand, provider: IdentityProvider) -> None:
    provider.answer = {"error": "server_error"}
    assert came_back(Visitor(stand), provider).status == 502
    provider.answer = {"nothing": "at all"}
    assert came_back(Visitor(stand), provider).status == 502
    provider.answer, provider.secret = {}, "another one"
    assert came_back(Visitor(stand), provider).status == 502


@pytest.mark.parametrize(
    ("path", "status"),
    [("/.well-known/openid-configuration", 503), ("/token", 503), ("/keys", 503), ("/userinfo", 503)],
)
def test_a_provider_that_is_away_is_a_page(
    stand: Stand, provider: IdentityProvider, path: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    provider.statuses[path], provider.token_claims = 503, ("sub",)
    visitor = Visitor(stand)
    begin = visitor.get(BEGIN)
    page = begin if begin.status != 303 else visitor.get(local(provider.authorize(begin.location)))
    assert (page.status, "does not answer at the moment" in page.text) == (status, True)
    assert page.headers["content-type"].startswith("text/html")


def test_a_provider_that_is_gone_is_a_page(stand: Stand, provider: IdentityProvider) -> None:
    address = provider.authorize(begun(visitor := Visitor(stand)))
    provider.close()
    assert visitor.get(local(address)).status == 503


def test_the_log_has_the_reason_and_no_secret(
    stand: Stand, provider: IdentityProvider, caplog: pytest.LogCaptureFixture
) -> None:
    provider.change_claims = LIES["another audience"]
    address = provider.authorize(begun(visitor := Visitor(stand)))
    visitor.get(local(address))
    said = "\n".join(record.getMessage() for record in caplog.records)
    assert "another client" in said
    code = dict(parse_qsl(urlsplit(address).query))["code"]
    assert code not in said
    assert SECRET not in said
    assert "eyJ" not in said


def test_there_is_no_such_provider(stand: Stand) -> None:
    assert Visitor(stand).get("/admin/sign-in/unknown").status == 404
    assert Visitor(stand).get("/admin/sign-in/unknown/callback").status == 404
    assert Visitor(stand).post(BEGIN, {}).status == 405


# -- who it is


@configured(create_accounts=False)
def test_without_an_account_nobody_gets_in_unless_one_may_be_made(stand: Stand, provider: IdentityProvider) -> None:
    visitor = Visitor(stand)
    page = came_back(visitor, provider)
    assert (page.status, "No account of this site belongs" in page.text, is_signed_in(visitor)) == (403, True, False)


@pytest.mark.parametrize(
    "person",
    [{"sub": "x"}, {**ADA, "email_verified": False}, {"sub": "x", "email": "a@example.com"}, {**ADA, "email": "no"}],
    ids=["no address", "not verified", "nothing said", "no mail address"],
)
def test_no_account_is_made_for_an_address_that_nobody_vouches_for(
    stand: Stand, provider: IdentityProvider, person: Json
) -> None:
    provider.person = person
    page = came_back(Visitor(stand), provider)
    assert (page.status, "does not vouch" in page.text) == (403, True)


@configured(trust_addresses=True)
def test_the_addresses_of_a_trusted_directory_are_believed_for_new_accounts_alone(
    stand: Stand, provider: IdentityProvider
) -> None:
    provider.person = {"sub": "x", "email": "bea@example.com"}
    assert came_back(Visitor(stand), provider).status == 303
    provider.person = {"sub": "y", "email": "subscriber@example.org"}
    assert came_back(Visitor(stand), provider).status == 409


@configured(mail_domains=("Example.org",))
def test_accounts_are_made_for_the_domains_of_the_profile_alone(stand: Stand, provider: IdentityProvider) -> None:
    assert came_back(Visitor(stand), provider).status == 403
    for email, status in (("a@sub.example.org", 403), ("a@example.org.evil.example", 403), ("a@EXAMPLE.ORG", 303)):
        provider.person = {**ADA, "sub": email, "email": email}
        assert came_back(Visitor(stand), provider).status == status, email


def test_an_address_that_is_taken_joins_nothing_by_itself(stand: Stand, provider: IdentityProvider) -> None:
    provider.person = {**ADA, "email": "subscriber@example.org"}
    visitor = Visitor(stand)
    page = came_back(visitor, provider)
    assert (page.status, "already" in page.text, is_signed_in(visitor)) == (409, True, False)
    # Somebody whose address is not verified learns nothing of it.
    provider.person = {**ADA, "email": "subscriber@example.org", "email_verified": False}
    assert came_back(Visitor(stand), provider).status == 403


@configured(link_by_verified_email=True)
def test_a_reader_is_joined_by_a_verified_address_and_others_are_shut_out(
    stand: Stand, provider: IdentityProvider
) -> None:
    squatter = Visitor(stand)
    set_password(stand, "subscriber", "squatter's password")
    assert squatter.sign_in("subscriber", "squatter's password").status == 303
    with stand.site.work() as work:
        own = users.find_user_by_login(work.tx, "subscriber")
        assert own is not None
        passkey = Passkey("one", own.id, "credential", "key", 0, "a phone", (), work.now, None)
        passkeys.STORE.insert(work.tx, passkey)
        there = Identity("two", "house", "https://id.example", "squatter", own.id, "", work.now, work.now, False)
        store.add_identity(work, there)
    provider.person = {**ADA, "email": "Subscriber@example.org", "email_verified": False}
    assert came_back(Visitor(stand), provider).status == 403
    provider.person["email_verified"] = True
    visitor = Visitor(stand)
    assert came_back(visitor, provider).status == 303
    assert is_signed_in(visitor)
    user = account_of(stand)
    assert user is not None
    assert user.login == "subscriber"
    # Nobody had proved the address before: neither their session nor their passwords open it any more.
    assert not is_signed_in(squatter)
    assert Visitor(stand).sign_in("subscriber", "squatter's password").status == 403
    assert stand.client("subscriber").get("/cms/v2/users/me").status == 401
    with stand.site.work(read=True) as work:
        assert passkeys.list_passkeys(work.tx, user.id) == []
        assert [one.subject for one in store.list_identities(work.tx, user.id)] == [provider.person["sub"]]
    for role in ("contributor", "editor", "admin"):
        provider.person = {**ADA, "sub": role, "email": f"{role}@example.org"}
        assert came_back(Visitor(stand), provider).status == 409, role


@configured(link_by_verified_email=True, link_privileged=True)
def test_an_editor_is_joined_only_if_the_profile_says_so(stand: Stand, provider: IdentityProvider) -> None:
    provider.person = {**ADA, "email": "editor@example.org"}
    visitor = Visitor(stand)
    assert came_back(visitor, provider).location == "/admin/"
    user = account_of(stand)
    assert user is not None
    assert user.login == "editor"
    # An administrator made the account and its passwords.
    assert stand.client("editor").get("/cms/v2/users/me").status == 200


def set_password(stand: Stand, login: str, password: str) -> None:
    with stand.site.work() as work:
        user = users.find_user_by_login(work.tx, login)
        assert user is not None
        users.update_user(work, user, password=password)


# -- roles


ROLES = {"role_claim": "realm.roles", "roles": {"staff": "editor", "writers": "author"}}


@configured(**ROLES)
def test_roles_follow_the_claim_at_each_sign_in(stand: Stand, provider: IdentityProvider) -> None:
    for given, roles in (
        (["staff"], ("editor",)),
        (["writers", "staff", "unknown"], ("editor", "author")),
        ("writers", ("author",)),
        (["administrator"], ("subscriber",)),
        ([], ("subscriber",)),
        (7, ("subscriber",)),
    ):
        provider.person = {**ADA, "realm": {"roles": given}}
        assert came_back(Visitor(stand), provider).status == 303
        user = account_of(stand)
        assert user is not None
        assert user.roles == roles, given
    changes = [one for one in logged(stand) if one[0] == "user"]
    assert changes[-1][2] == "changed"


@configured(**ROLES)
def test_a_role_that_is_gone_is_gone_in_sessions_that_go_on(stand: Stand, provider: IdentityProvider) -> None:
    provider.person = {**ADA, "realm": {"roles": ["staff"]}}
    first = Visitor(stand)
    assert came_back(first, provider).location == "/admin/"
    nonce = first.get("/admin/nonce").text
    assert first.get("/en/cms-json/cms/v2/users?context=edit&roles=editor", **{"x-cms-nonce": nonce}).status == 403
    path = "/en/cms-json/cms/v2/posts?context=edit"
    assert first.get(path, **{"x-cms-nonce": nonce}).status == 200
    provider.person = {**ADA, "realm": {"roles": []}}
    came_back(Visitor(stand), provider)
    assert first.get(path, **{"x-cms-nonce": nonce}).status == 403


@configured(**ROLES, default_role="contributor", link_by_verified_email=True)
def test_roles_of_accounts_that_were_there_before_are_left_alone(stand: Stand, provider: IdentityProvider) -> None:
    assert came_back(Visitor(stand), provider).status == 303
    user = account_of(stand)
    assert user is not None
    assert user.roles == ("contributor",)
    provider.person = {**ADA, "sub": "s", "email": "subscriber@example.org", "realm": {"roles": ["staff"]}}
    for _ in range(2):
        assert came_back(Visitor(stand), provider).status == 303
        user = account_of(stand, "s")
        assert user is not None
        assert user.roles == ("subscriber",)


def logged(stand: Stand) -> list[tuple[str, str, str]]:
    from sqlalchemy import select

    from vetrina.backends.database import Statement
    from vetrina.backends.tables.change_log import change

    with stand.site.database.begin_read() as tx:
        rows = tx.all(Statement(select(change.c.kind, change.c.item, change.c.action).order_by(change.c.sequence)))
    return [(str(row[0]), str(row[1]), str(row[2])) for row in rows]
