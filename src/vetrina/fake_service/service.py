"""The peer's own HTTP: what a site asks of a service, and a few words for whoever runs the peer.

Sites: register, authorize, token, sync, deregister and the like. Those who run it: `GET /sites`, `POST /pull/ID`,
`GET /compare/ID`, `POST /mend/ID`. It is for one's own machine; a real service has accounts of its own.
"""

from __future__ import annotations

import html
import json
import logging
import re
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

from vetrina.fake_service import comparison
from vetrina.fake_service.mirror import Mirror
from vetrina.fake_service.sync_puller import Puller, Refused, Unreachable, call, letters
from vetrina.kernel import signing
from vetrina.kernel.keys import same

__all__ = ["Peer"]

_LOG = logging.getLogger("vetrina.fake_service")
_PROOF: Final = re.compile(r'(\w+)="([^"]*)"')
_ACCOUNTS: Final = 1_000_000  # from which on its own accounts are numbered
_NEAR: Final = 600  # seconds by which a site's clock may differ


class _Fault(Exception):
    def __init__(self, status: int, code: str, why: str = "") -> None:
        super().__init__(code)
        self.status, self.body = status, {"error": code, "error_description": why or code}


class Peer:
    """A service at an address of this machine. seconds: between two pulls; 0 pulls only when told."""

    def __init__(self, host: str, port: int, mirror: Mirror, seconds: float) -> None:
        self.mirror, self.puller, self._seconds = mirror, Puller(mirror), seconds
        peer = self

        class Handler(_Handler):
            owner = peer

        self.server = ThreadingHTTPServer((host, port), Handler)
        self.url = f"http://{host}:{self.server.server_address[1]}"

    def run(self) -> None:
        """Serve until stopped."""
        if self._seconds > 0:
            threading.Thread(target=self.puller.run, args=(self._seconds,), daemon=True).start()
        self.server.serve_forever()

    def stop(self) -> None:
        """Stop serving and pulling."""
        self.puller.stop()
        self.server.shutdown()

    # -- what sites ask

    def register(self, body: dict[str, Any]) -> dict[str, Any]:
        """Give a site a number and a token, once it has proved that the request is its own."""
        root = str(body.get("api_root", "")).rstrip("/")
        sent = json.dumps({"secret_1": body.get("secret_1"), "state": str(body.get("state"))}).encode()
        try:
            second = call("POST", f"{root}/connector/v4/verify_registration", sent)
        except (Unreachable, Refused) as error:
            raise _Fault(400, "verification_failed", str(error)) from error
        if not isinstance(second, str) or not same(second, str(body.get("secret_2"))):
            raise _Fault(400, "verification_failed", "The site told another secret.")
        token = f"{letters(32)}.{letters(32)}"
        before = body.get("persistent_blog_id")
        number = self.mirror.add(
            str(body.get("home", "")), root, token, before if isinstance(before, int) else 0
        )  # fmt: skip
        return {"connector_id": number, "connector_secret": token, "connector_public": 1}

    def authorize(self, query: dict[str, str]) -> str:
        """Let the site's account be linked; there is nobody here whom one would have to ask."""
        site = int(query.get("client_id") or 0)
        found = self.mirror.site(site)
        if found is None:
            raise _Fault(404, "unknown_site")
        code = letters(32)
        self.mirror.keep(f"code {code}", {"site": site, "user": query.get("state"), "scope": query.get("scope")})
        body = {name: query.get(name, "") for name in ("secret", "state", "redirect_uri")}
        try:
            told = call(
                "POST", f"{found[1]}/connector/v4/remote_authorize", json.dumps({**body, "code": code}).encode()
            )
        except (Unreachable, Refused) as error:
            raise _Fault(400, "authorization_failed", str(error)) from error
        return f"<!doctype html><title>Connected</title><p>The account is {html.escape(str(told.get('result')))}.</p>"

    def token(self, body: dict[str, Any]) -> dict[str, Any]:
        """Exchange a code for a token of an account."""
        kept = self.mirror.kept(f"code {body.get('code')}")
        site = self.mirror.site(int(body.get("client_id") or 0))
        if kept is None or site is None or kept["site"] != int(body["client_id"]):
            raise _Fault(400, "invalid_grant")
        if not same(site[2], str(body.get("client_secret"))):
            raise _Fault(400, "invalid_client")
        self.mirror.keep(f"code {body.get('code')}", None)
        token = f"{letters(32)}.{letters(32)}"
        self.mirror.keep(f"user {kept['site']} {kept['user']}", token)
        return {"access_token": token, "token_type": "X_CONNECTOR", "scope": kept["scope"]}

    def signed(self, handler: _Handler, query: dict[str, str], body: bytes) -> tuple[int, int]:
        """Return site and account of a request whose signature is right. Raises _Fault."""
        key, _, rest = query.get("token", "").partition(":")
        user = int(rest.rpartition(":")[2] or 0) if rest.rpartition(":")[2].isdecimal() else 0
        for site in self.mirror.sites():
            found = self.mirror.site(site)
            token = str(self.mirror.kept(f"user {site} {user}") or "") if user else found[2] if found else ""
            if token.partition(".")[0] != key or not key:
                continue
            params = {name: value for name, value in query.items() if name != "signature"}
            url = self.url + urlsplit(handler.path).path
            text = signing.normalised(
                query.get("token", ""), query.get("timestamp", ""), query.get("nonce", ""), query.get("body-hash", ""),
                handler.command, url, params,
            )  # fmt: skip
            fresh = query.get("timestamp", "").isdecimal() and abs(time.time() - int(query["timestamp"])) < _NEAR
            whole = same(query.get("body-hash", ""), signing.body_hash(body))
            wanted = signing.signature(token.partition(".")[2], text)
            if fresh and whole and same(wanted, query.get("signature", "")):
                return site, user
        raise _Fault(403, "invalid_signature")

    def is_proof(self, proof: object) -> bool:
        """Say whether a text proves that a site has the token that it names, just now."""
        said = dict(_PROOF.findall(proof)) if isinstance(proof, str) else {}
        key, _, rest = said.get("token", "").partition(":")
        user = rest.rpartition(":")[2]
        timestamp = said.get("timestamp", "")
        if not (user.isdecimal() and timestamp.isdecimal() and abs(time.time() - int(timestamp)) < _NEAR):
            return False
        for site in self.mirror.sites():
            found = self.mirror.site(site)
            token = str(self.mirror.kept(f"user {site} {user}") or "") if int(user) else found[2] if found else ""
            made = signing.proof(token, int(user), timestamp=int(timestamp), nonce=said.get("nonce", ""))
            if key and token.partition(".")[0] == key and same(made, str(proof)):
                return True
        return False

    def account(self, site: int, user: int) -> dict[str, Any]:
        """Return the account of this service that a site's account is connected with: one of the same name."""
        found: dict[str, str] = next((one["data"] for one in self.mirror.things(site, "users", user, user)), {})
        names = {"login": "user_login", "email": "user_email", "display_name": "display_name"}
        return {"ID": _ACCOUNTS + user, **{name: found.get(column, "") for name, column in names.items()}}

    def about_home(self, site: int, query: dict[str, str]) -> dict[str, Any]:
        """Return what a site has to hear about its address."""
        found = self.mirror.site(site)
        home = query.get("home", "")
        if found is None or not home or _plain(home) == _plain(found[0]):
            return {}
        if query.get("migrate_for_idc"):
            self.mirror.change(site, home=home)
            return {"migrated_for_idc": True}
        return {
            "idc_detected": {
                "error_code": "connector_home_url_mismatch", "wpcom_home": found[0], "wpcom_siteurl": found[0],
            }
        }  # fmt: skip

    def serve_signed(self, path: str, site: int, user: int, query: dict[str, str], body: bytes) -> dict[str, Any]:
        """Answer a signed call of a site."""
        heard = self.about_home(site, query)
        if "idc_detected" in heard:
            return heard
        if path == "/deregister":
            self.mirror.change(site, active=0)
        elif path == "/sync":
            sent = {name: text for line in body.splitlines() if line for name, text in json.loads(line).items()}
            self.mirror.apply(site, query.get("queue", "sync"), sent)
            return {**heard, "processed_items": list(sent)}
        elif path == "/refresh-blog-token":
            token = f"{letters(32)}.{letters(32)}"
            self.mirror.change(site, token=token)
            return {**heard, "connector_secret": token}
        elif path == "/user-access-token":
            account = json.loads(body).get("user")
            token = f"{letters(32)}.{letters(32)}"
            self.mirror.keep(f"user {site} {account}", token)
            return {**heard, "token": f"{token}.{account}"}
        elif path == "/user":
            return {**heard, **self.account(site, user)}
        elif path not in ("/switch-owner", "/heartbeat"):
            raise _Fault(404, "unknown_call")
        return {**heard, "ok": True}


def _plain(url: str) -> str:
    parts = urlsplit(url)
    return ((parts.hostname or "").removeprefix("www.") + parts.path).rstrip("/")


class _Handler(BaseHTTPRequestHandler):
    owner: Peer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve()

    def do_POST(self) -> None:
        self._serve()

    def log_message(self, format: str, *args: Any) -> None:
        _LOG.debug(format, *args)

    def _serve(self) -> None:
        size = self.headers.get("Content-Length", "0")
        body = self.rfile.read(int(size)) if size.isdecimal() else b""
        parts = urlsplit(self.path)
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        kind, status = "application/json", 200
        try:
            told = self._told(parts.path, query, body)
        except _Fault as fault:
            told, status = fault.body, fault.status
        except (Unreachable, Refused) as error:
            told, status = {"error": "site_failed", "error_description": str(error)}, 502
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            told, status = {"error": "malformed", "error_description": str(error)}, 400
        content = told.encode() if isinstance(told, str) else json.dumps(told).encode()
        if isinstance(told, str):
            kind = "text/html; charset=utf-8"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _told(self, path: str, query: dict[str, str], body: bytes) -> Any:
        peer = self.owner
        if path == "/register":
            return peer.register(json.loads(body))
        if path == "/token":
            return peer.token(json.loads(body))
        if path.startswith("/authorize"):
            return peer.authorize(query)
        if path == "/partner_provision_nonce_check":
            return "OK" if peer.mirror.kept(f"nonce {query.get('nonce')}") else "NO"
        if path == "/token-health":
            return {name: {"is_healthy": peer.is_proof(proof)} for name, proof in json.loads(body).items()}
        if path == "/sites":
            return [{"id": one, "home": (peer.mirror.site(one) or ("",))[0], **peer.mirror.state(one)}
                    for one in peer.mirror.sites()]  # fmt: skip
        _, name, rest = (*path.split("/", 2), "", "")[:3]
        if name in _WORDS and rest.isdecimal():
            return _WORDS[name](peer, int(rest))
        site, user = peer.signed(self, query, body)
        return peer.serve_signed(path, site, user, query, body)


_WORDS: Final[dict[str, Callable[[Peer, int], Any]]] = {
    "pull": lambda peer, site: {"items": peer.puller.drain(site)},
    "compare": lambda peer, site: comparison.compared(peer.puller, site),
    "mend": lambda peer, site: comparison.mend(peer.puller, site),
    "state": lambda peer, site: peer.mirror.state(site),
}
