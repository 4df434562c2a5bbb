"""What a provider says of itself: its addresses and its keys, fetched from it and kept for a while.

Requests go through the site's own client: a provider may live in a private network, because its issuer stands in the
profile; the other addresses that it names are public ones, of that same server, or named in the profile as well.
Redirects are not followed. Rules: docs/rules/single_sign_on.md, 2; OpenID Connect Discovery 1.0, 3 and 4; RFC 7517.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

import msgspec
import orjson

from vetrina.access.single_sign_on.refusals import Refusal, SignInRefused
from vetrina.account_settings import SignInProvider
from vetrina.backends.http_client import OutboundClient, OutboundResponse
from vetrina.backends.http_client_urls import OutboundError
from vetrina.core.site_context import SiteContext

_KEPT_SECONDS: Final = 3600
_MAX_BYTES: Final = 512 << 10  # bytes of a document
_MAX_KEYS: Final = 100  # keys of a provider that are looked at
_MAX_URL_LENGTH: Final = 2000  # characters

Key = Mapping[str, Any]


class ProviderDocument(msgspec.Struct, frozen=True):
    """The addresses of a provider, and what they ask for.

    userinfo, end_session: empty where it has none. secret_in_body: whether the client's secret goes into the body
    because the provider takes it nowhere else. names_itself: whether its answers to browsers name the issuer.
    """

    authorization: str
    token: str
    jwks: str
    userinfo: str
    end_session: str
    secret_in_body: bool
    names_itself: bool


class _Memory:
    """What a process knows of the providers of a site, by issuer, with the second when it was fetched."""

    def __init__(self) -> None:
        self.documents: dict[str, tuple[int, ProviderDocument]] = {}
        self.keys: dict[str, tuple[int, tuple[Key, ...]]] = {}


# Bounded by the providers of the profile. A site that is closed takes its own away.
_memories: WeakKeyDictionary[SiteContext, _Memory] = WeakKeyDictionary()
_lock = threading.Lock()


def load_document(site: SiteContext, provider: SignInProvider) -> ProviderDocument:
    """Return the addresses of a provider; not inside a transaction. Raises SignInRefused."""
    memory, now = _get_memory(site), site.clock.now()
    known = memory.documents.get(provider.issuer)
    if known is not None and 0 <= now - known[0] < _KEPT_SECONDS:
        return known[1]
    url = f"{provider.issuer.rstrip('/')}/.well-known/openid-configuration"
    document = _read_document(provider, fetch_object(site, provider, "GET", url))
    memory.documents[provider.issuer] = now, document
    return document


def find_key(site: SiteContext, provider: SignInProvider, document: ProviderDocument, id: str | None, alg: str) -> Key:
    """Return the key that a signature was made with; keys are fetched once more for an unknown one.

    id: as the token names it, None for none. Raises SignInRefused if there is none, or no telling which.
    """
    memory, now = _get_memory(site), site.clock.now()
    known = memory.keys.get(provider.issuer)
    found: list[Key] = []
    if known is not None and 0 <= now - known[0] < _KEPT_SECONDS:
        found = _select_keys(known[1], id, alg)
    if not found:
        keys = fetch_object(site, provider, "GET", document.jwks).get("keys")
        if not isinstance(keys, list):
            raise SignInRefused(Refusal.UNTRUSTED, "the provider's set of keys has no list of keys")
        fetched = tuple(one for one in keys[:_MAX_KEYS] if isinstance(one, dict))
        memory.keys[provider.issuer] = now, fetched
        found = _select_keys(fetched, id, alg)
    if len(found) != 1:
        raise SignInRefused(Refusal.UNTRUSTED, f"{len(found)} keys of the provider fit {alg} and the token's kid")
    return found[0]


def fetch_object(
    site: SiteContext,
    provider: SignInProvider,
    method: str,
    url: str,
    *,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
) -> Mapping[str, Any]:
    """Return the JSON object that an address of the provider answers. Raises SignInRefused."""
    reply = ask_provider(site, provider, method, url, body=body, headers=headers)
    if reply.status != 200:
        raise SignInRefused(Refusal.AWAY, f"{urlsplit(url).netloc} answers {reply.status}")
    return parse_object(reply)


def ask_provider(
    site: SiteContext,
    provider: SignInProvider,
    method: str,
    url: str,
    *,
    body: bytes = b"",
    headers: Mapping[str, str] | None = None,
) -> OutboundResponse:
    """Return a provider's answer of whatever status. Raises SignInRefused if there is none."""
    try:
        return _build_client(site, provider).ask(
            method, url, body=body, headers={"Accept": "application/json", **(headers or {})}
        )
    except OutboundError as error:
        raise SignInRefused(Refusal.AWAY, str(error)) from None


def parse_object(reply: OutboundResponse) -> Mapping[str, Any]:
    """Return the JSON object of an answer. Raises SignInRefused."""
    try:
        found = orjson.loads(reply.body)
    except orjson.JSONDecodeError:
        found = None
    if not isinstance(found, dict):
        raise SignInRefused(Refusal.UNTRUSTED, f"{urlsplit(reply.url).netloc} answers no JSON object")
    return found


def _build_client(site: SiteContext, provider: SignInProvider) -> OutboundClient:
    client = site.outbound.with_allowed_servers(provider.issuer, *provider.servers, most_bytes=_MAX_BYTES)
    client.redirects = 0
    return client


def _get_memory(site: SiteContext) -> _Memory:
    with _lock:
        return _memories.setdefault(site, _Memory())


def _read_document(provider: SignInProvider, found: Mapping[str, Any]) -> ProviderDocument:
    """Return what the document of a provider says. Raises SignInRefused."""
    if found.get("issuer") != provider.issuer:
        raise SignInRefused(Refusal.UNTRUSTED, "the provider's document names another issuer than the profile")
    methods = found.get("token_endpoint_auth_methods_supported")
    return ProviderDocument(
        authorization=_read_url(provider, found, "authorization_endpoint", required=True),
        token=_read_url(provider, found, "token_endpoint", required=True),
        jwks=_read_url(provider, found, "jwks_uri", required=True),
        userinfo=_read_url(provider, found, "userinfo_endpoint"),
        end_session=_read_url(provider, found, "end_session_endpoint"),
        secret_in_body=isinstance(methods, list)
        and "client_secret_basic" not in methods
        and "client_secret_post" in methods,
        names_itself=found.get("authorization_response_iss_parameter_supported") is True,
    )


def _read_url(provider: SignInProvider, found: Mapping[str, Any], name: str, *, required: bool = False) -> str:
    """Return an address of the document: under HTTPS, unless the issuer itself is not. Raises SignInRefused."""
    url = found.get(name)
    if url is None and not required:
        return ""
    schemes = ("https://",) if provider.issuer.startswith("https:") else ("https://", "http://")
    if (
        not isinstance(url, str)
        or not url.startswith(schemes)
        or not (url.isascii() and url.isprintable())
        or " " in url
        or "#" in url
        or len(url) > _MAX_URL_LENGTH
    ):
        raise SignInRefused(Refusal.UNTRUSTED, f"the provider's document has no usable {name}")
    return url


def _select_keys(keys: tuple[Key, ...], id: str | None, alg: str) -> list[Key]:
    """Return the keys that may have made a signature of an algorithm."""
    kind, curve = _KEY_KINDS[alg]
    return [
        one
        for one in keys
        if one.get("kty") == kind
        and (not curve or one.get("crv") == curve)
        and one.get("use", "sig") == "sig"
        and one.get("alg", alg) == alg
        and (id is None or one.get("kid") == id)
    ]


# By algorithm: type and curve of its keys. None but these are taken, whatever a token or a document says.
_KEY_KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "RS256": ("RSA", ""),
    "PS256": ("RSA", ""),
    "ES256": ("EC", "P-256"),
    "EdDSA": ("OKP", "Ed25519"),
}
ALGORITHMS: Final = frozenset(_KEY_KINDS)
