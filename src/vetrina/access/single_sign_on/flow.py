"""The way to a provider and back: an authorization code with PKCE, bound to the browser that began.

What the browser keeps meanwhile is sealed: `state`, `nonce` and the verifier of PKCE are random, of this one sign-in,
and under the name of the one provider, so that the answer of another is worth nothing. What follows from who somebody
is: access/single_sign_on/rules.py; the pages: pages/provider_page.py. Rules: docs/rules/single_sign_on.md, 1; OpenID
Connect Core 1.0, 3.1; RFC 7636 (PKCE), RFC 9207 (mix-up).
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

import msgspec

from vetrina.access.single_sign_on import discovery
from vetrina.access.single_sign_on.discovery import ProviderDocument
from vetrina.access.single_sign_on.id_token import read_id_token
from vetrina.access.single_sign_on.model import ProvedPerson, find_claim, read_person
from vetrina.access.single_sign_on.refusals import Refusal, SignInRefused
from vetrina.account_settings import SignInProvider
from vetrina.core.site_context import SiteContext
from vetrina.kernel.encryption import CannotDecrypt, decrypt_text, encrypt_text
from vetrina.kernel.keys import generate_key, is_equal_secret

LIFETIME_SECONDS: Final = 600  # seconds in which somebody must come back from the provider
_KEY_BYTES: Final = 32
_MAX_CODE_LENGTH: Final = 4096  # characters
_MAX_SEALED_LENGTH: Final = 8192
_SIGN_OUT_SEAL: Final = "sign-out at a provider"


class BegunSignIn(msgspec.Struct, frozen=True):
    """What a browser keeps while its owner is at the provider.

    verifier: of PKCE. back: the local URL that signing in leads to, empty for the usual one. until: seconds since 1970.
    link: the account that the identity is to be connected with, 0 to sign in.
    """

    state: str
    nonce: str
    verifier: str
    back: str
    until: int
    link: int


def find_provider(site: SiteContext, name: str) -> SignInProvider | None:
    """Return a provider of the profile by its name."""
    return next((one for one in site.profile.accounts.providers if one.name == name), None)


def build_callback_url(origin: str, provider: SignInProvider) -> str:
    """Return the address that the provider leads back to; it is registered there."""
    return f"{origin}/admin/sign-in/{provider.name}/callback"


def begin_sign_in(
    site: SiteContext, provider: SignInProvider, origin: str, back: str, link: int = 0
) -> tuple[str, str]:
    """Return the URL at the provider, and the sealed text that the browser keeps. Raises SignInRefused.

    It may ask the provider, so it is called outside of transactions.
    """
    document = discovery.load_document(site, provider)
    state, nonce, verifier = (generate_key(_KEY_BYTES) for _ in range(3))
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    asked = {
        "response_type": "code",
        "client_id": provider.client_id,
        "redirect_uri": build_callback_url(origin, provider),
        "scope": " ".join(dict.fromkeys(("openid", *provider.scopes))),
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    begun = BegunSignIn(state, nonce, verifier, back, site.clock.now() + LIFETIME_SECONDS, link)
    sealed = encrypt_text(site.settings.secret, _name_seal(provider), msgspec.json.encode(begun).decode())
    url = document.authorization
    return f"{url}{'&' if '?' in url else '?'}{urlencode(asked, quote_via=quote)}", sealed


def read_begun(site: SiteContext, provider: SignInProvider, sealed: str, state: str) -> BegunSignIn:
    """Return the sign-in that a browser began with this provider. Raises SignInRefused."""
    try:
        if not sealed or len(sealed) > _MAX_SEALED_LENGTH:
            raise CannotDecrypt("there is none")
        text = decrypt_text(site.settings.secret, _name_seal(provider), sealed)
    except CannotDecrypt:
        raise SignInRefused(Refusal.STALE, "this browser began no sign-in with the provider") from None
    begun = msgspec.json.decode(text, type=BegunSignIn)
    if not is_equal_secret(begun.state, state):
        raise SignInRefused(Refusal.STALE, "the state is of another sign-in")
    if begun.until <= site.clock.now():
        raise SignInRefused(Refusal.EXPIRED, "the sign-in was begun too long ago")
    return begun


def finish_sign_in(
    site: SiteContext, provider: SignInProvider, origin: str, begun: BegunSignIn, answer: Mapping[str, str]
) -> tuple[ProvedPerson, str]:
    """Return who came back from the provider, and the address where its own session ends, empty for none.

    answer: the query that the browser brought. It asks the provider, so it is called outside of transactions.
    Raises SignInRefused.
    """
    document = discovery.load_document(site, provider)
    given = answer.get("iss")
    if given != provider.issuer if given is not None else document.names_itself:
        raise SignInRefused(Refusal.UNTRUSTED, "the answer is of another provider")
    if "error" in answer:
        said = answer["error"][:60]
        cancelled = said in ("access_denied", "consent_required", "login_required", "interaction_required")
        raise SignInRefused(Refusal.CANCELLED if cancelled else Refusal.REFUSED_THERE, f"the provider says {said!r}")
    code = answer.get("code", "")
    if not code or len(code) > _MAX_CODE_LENGTH:
        raise SignInRefused(Refusal.REFUSED_THERE, "the answer has no code")
    tokens = _exchange_code(site, provider, document, origin, code, begun.verifier)
    access_token = tokens.get("access_token")
    access_token = access_token if isinstance(access_token, str) else ""
    claims = read_id_token(site, provider, document, tokens.get("id_token"), begun.nonce, access_token)
    claims = _add_userinfo(site, provider, document, claims, access_token)
    return read_person(claims, provider.role_claim), document.end_session


def _exchange_code(
    site: SiteContext, provider: SignInProvider, document: ProviderDocument, origin: str, code: str, verifier: str
) -> Mapping[str, Any]:
    """Return what the provider gives for a code. Raises SignInRefused."""
    sent = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": build_callback_url(origin, provider),
        "code_verifier": verifier,
    }
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    secret = site.settings.provider_secrets.get(provider.name, "")
    if secret and not document.secret_in_body:
        # Each half is encoded as in a form before they are joined: RFC 6749, 2.3.1.
        pair = f"{quote(provider.client_id, safe='')}:{quote(secret, safe='')}"
        headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
    else:
        sent["client_id"] = provider.client_id
        if secret:
            sent["client_secret"] = secret
    reply = discovery.ask_provider(
        site, provider, "POST", document.token, body=urlencode(sent).encode(), headers=headers
    )
    if reply.status == 200:
        return discovery.parse_object(reply)
    if reply.status >= 500 or reply.status == 429:
        raise SignInRefused(Refusal.AWAY, f"the provider's token endpoint answers {reply.status}")
    said = str(discovery.parse_object(reply).get("error", ""))[:60]
    raise SignInRefused(Refusal.REFUSED_THERE, f"the provider's token endpoint answers {reply.status} {said!r}")


def _add_userinfo(
    site: SiteContext,
    provider: SignInProvider,
    document: ProviderDocument,
    claims: Mapping[str, Any],
    access_token: str,
) -> Mapping[str, Any]:
    """Return the claims with what the provider tells of the person elsewhere, if the token lacks what is needed."""
    has_roles = not provider.role_claim or find_claim(claims, provider.role_claim) is not None
    if not document.userinfo or not access_token or ("email" in claims and has_roles):
        return claims
    told = discovery.fetch_object(
        site, provider, "GET", document.userinfo, headers={"Authorization": f"Bearer {access_token}"}
    )
    if told.get("sub") != claims["sub"]:
        raise SignInRefused(Refusal.UNTRUSTED, "the provider tells of somebody else than the ID token")
    # An address and the word that it is verified belong together, from one source.
    source = claims if "email" in claims else told
    return {**told, **claims, "email_verified": source.get("email_verified")}


def _name_seal(provider: SignInProvider) -> str:
    return f"sign-in by {provider.name}\n{provider.issuer}"


def seal_sign_out(site: SiteContext, provider: SignInProvider, end_session: str) -> str:
    """Return what a browser keeps so that signing out here ends the provider's session, too."""
    asked = urlencode({"client_id": provider.client_id})
    url = f"{end_session}{'&' if '?' in end_session else '?'}{asked}"
    return encrypt_text(site.settings.secret, _SIGN_OUT_SEAL, url)


def read_sign_out_url(site: SiteContext, sealed: str, back: str) -> str:
    """Return the URL at which the provider ends its session, empty for none; back: where it then leads."""
    if not sealed or len(sealed) > _MAX_SEALED_LENGTH:
        return ""
    try:
        url = decrypt_text(site.settings.secret, _SIGN_OUT_SEAL, sealed)
    except CannotDecrypt:
        return ""
    return f"{url}&{urlencode({'post_logout_redirect_uri': back})}"
