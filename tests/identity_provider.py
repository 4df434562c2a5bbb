"""A stand-in for a provider of OpenID Connect: it signs people in over HTTP on this machine, and lies when it is told.

It has discovery, an authorization endpoint, a token endpoint with PKCE, keys that it can rotate, and userinfo. A code
is good once, for the redirect address, the client and the challenge that it was asked with. What it lies about is set
by the test. Source: OpenID Connect Core 1.0 and Discovery 1.0, RFC 6749, RFC 7636.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

Json = dict[str, Any]
CLIENT, SECRET = "vetrina-client", "s3cret: of the tests/+"
ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA")


def make_key(alg: str) -> Any:
    """Return a private key for an algorithm."""
    if alg in ("RS256", "PS256"):
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return ec.generate_private_key(ec.SECP256R1()) if alg == "ES256" else ed25519.Ed25519PrivateKey.generate()


def public_jwk(key: Any, alg: str, kid: str) -> Json:
    """Return the public half of a key as a provider publishes it."""
    made: Json = json.loads(jwt.get_algorithm_by_name(alg).to_jwk(key.public_key()))
    return {key: value for key, value in made.items() if key != "key_ops"} | {"kid": kid, "alg": alg, "use": "sig"}


class IdentityProvider:
    """The state of a provider.

    person: the claims of whoever signs in there. answer: what the browser brings back instead of a code, such as
    `{"error": "access_denied"}`. change_claims: (claims) → those that are signed. sign: (claims) → the token, in place
    of an honest signature. document: members of the discovery document that differ. told: the claims of userinfo, None
    for those of the person. statuses: by path, what it answers instead of doing something. asked: the paths so far.
    """

    def __init__(self, alg: str = "RS256") -> None:
        self.alg, self.person = alg, {"sub": "248289761001"}
        self.answer: dict[str, str] = {}
        self.document: Json = {}
        self.extra_answer: dict[str, str] = {}
        self.change_claims: Callable[[Json], Json] = lambda claims: claims
        self.sign: Callable[[Json], str] | None = None
        self.told: Json | None = None
        self.token_claims: tuple[str, ...] | None = None
        self.statuses: dict[str, int] = {}
        self.asked: list[str] = []
        self.secret = SECRET
        self.ahead: Callable[[], int] = lambda: 0
        self.pause: Callable[[], None] = lambda: None
        self.accepts_codes_again = False
        self.kid, self.key, self.keys = "", None, []
        self._codes: dict[str, Json] = {}
        self._tokens: dict[str, Json] = {}
        self._lock = threading.Lock()
        self.rotate()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    # -- what tests do

    def rotate(self) -> None:
        """Sign with a new key, and publish it alone."""
        self.kid, self.key = secrets.token_hex(4), make_key(self.alg)
        self.keys = [public_jwk(self.key, self.alg, self.kid)]

    def authorize(self, url: str) -> str:
        """Do what a browser and its owner do there; return the address that it leads back to."""
        query = dict(parse_qsl(urlsplit(url).query))
        assert url.startswith(f"{self.url}/authorize?"), url
        assert (query["response_type"], query["client_id"]) == ("code", CLIENT)
        assert query["code_challenge_method"] == "S256"
        assert len(query["code_challenge"]) == 43
        assert "openid" in query["scope"].split()
        answer = dict(self.answer)
        if not answer:
            code = secrets.token_urlsafe(16)
            self._codes[code] = {**query, "person": dict(self.person)}
            answer = {"code": code}
        return f"{query['redirect_uri']}?{urlencode({**answer, 'state': query['state'], **self.extra_answer})}"

    def asked_for(self, path: str) -> int:
        return self.asked.count(path)

    # -- what it answers

    def respond(self, method: str, path: str, form: dict[str, str], headers: Any) -> tuple[int, Json]:
        self.asked.append(path)
        if path in self.statuses:
            return self.statuses[path], {}
        if path == "/.well-known/openid-configuration":
            return 200, self._describe()
        if path == "/keys":
            return 200, {"keys": self.keys}
        if path == "/token" and method == "POST":
            return self._exchange(form, headers)
        if path == "/userinfo":
            found = self._tokens.get(headers.get("authorization", "").removeprefix("Bearer "))
            return (401, {}) if found is None else (200, self.told if self.told is not None else found)
        return 404, {}

    def _describe(self) -> Json:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "jwks_uri": f"{self.url}/keys",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "end_session_endpoint": f"{self.url}/end",
            **self.document,
        }

    def _exchange(self, form: dict[str, str], headers: Any) -> tuple[int, Json]:
        self.pause()
        client, secret = form.get("client_id", ""), form.get("client_secret", "")
        if (scheme := headers.get("authorization", "")).startswith("Basic "):
            client, _, secret = base64.b64decode(scheme.removeprefix("Basic ")).decode().partition(":")
            client, secret = unquote(client), unquote(secret)
        if (client, secret) != (CLIENT, self.secret):
            return 401, {"error": "invalid_client"}
        code = form.get("code", "")
        with self._lock:
            asked = self._codes.get(code) if self.accepts_codes_again else self._codes.pop(code, None)
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form.get("code_verifier", "").encode()).digest())
        if (
            asked is None
            or asked["redirect_uri"] != form.get("redirect_uri")
            or challenge.rstrip(b"=").decode() != asked["code_challenge"]
        ):
            return 400, {"error": "invalid_grant"}
        access_token, person = secrets.token_urlsafe(16), asked["person"]
        self._tokens[access_token] = person
        now = int(time.time()) + self.ahead()
        shown = person if self.token_claims is None else {k: person[k] for k in self.token_claims}
        half = (hashlib.sha512 if self.alg == "EdDSA" else hashlib.sha256)(access_token.encode()).digest()
        claims = self.change_claims(
            {
                "iss": self.url,
                "aud": CLIENT,
                "iat": now,
                "exp": now + 300,
                "nonce": asked["nonce"],
                "at_hash": base64.urlsafe_b64encode(half[: len(half) // 2]).rstrip(b"=").decode(),
                **shown,
            }
        )
        token = self.sign(claims) if self.sign else self.sign_honestly(claims)
        return 200, {"access_token": access_token, "token_type": "Bearer", "id_token": token}

    def sign_honestly(self, claims: Json, **header: Any) -> str:
        return jwt.encode(claims, self.key, algorithm=self.alg, headers={"kid": self.kid, **header})


def _handler(provider: IdentityProvider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._respond("GET", {})

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            self._respond("POST", {name: values[-1] for name, values in parse_qs(body).items()})

        def _respond(self, method: str, form: dict[str, str]) -> None:
            path = urlsplit(self.path).path
            if path == "/authorize":
                # Of a browser, which is led on.
                self.send_response(303)
                self.send_header("Location", provider.authorize(f"{provider.url}{self.path}"))
                self.end_headers()
                return
            status, answer = provider.respond(method, path, form, self.headers)
            content = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *words: Any) -> None:
            return None

    return Handler
