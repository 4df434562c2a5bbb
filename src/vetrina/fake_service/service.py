"""The fake service's HTTP server: the routes that a site calls, and some for its operator.

Sites: register, authorize, token, sync, deregister and the like. Operator: `GET /sites`, `POST /pull/ID`, `GET
/compare/ID`, `POST /mend/ID`. For local use only; a real service has accounts of its own. Rules:
docs/rules/connector.md, 12.
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

from vetrina.connector.connection import signing
from vetrina.fake_service import comparison
from vetrina.fake_service.mirror import SiteMirror
from vetrina.fake_service.sync_puller import MirrorPuller, SiteRefused, SiteUnreachable, call_site, generate_letters
from vetrina.kernel.keys import is_equal_secret

_LOG = logging.getLogger("vetrina.fake_service")
_PROOF: Final = re.compile(r'(\w+)="([^"]*)"')
_FIRST_ACCOUNT_ID: Final = 1_000_000  # first id of its own accounts
_CLOCK_TOLERANCE: Final = 600  # seconds of allowed clock difference


class _ServiceFault(Exception):
    def __init__(self, status: int, code: str, why: str = "") -> None:
        super().__init__(code)
        self.status, self.body = status, {"error": code, "error_description": why or code}


class FakeService:
    """A service at a local URL. seconds: between two pulls; 0 pulls only on request."""

    def __init__(self, host: str, port: int, mirror: SiteMirror, seconds: float) -> None:
        self.mirror, self.puller, self._seconds = mirror, MirrorPuller(mirror), seconds
        peer = self

        class Handler(_ServiceRequestHandler):
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

    # -- calls of sites

    def register(self, body: dict[str, Any]) -> dict[str, Any]:
        """Register a site and return its id and token, once it has proved that the request is its own."""
        root = str(body.get("api_root", "")).rstrip("/")
        sent = json.dumps({"secret_1": body.get("secret_1"), "state": str(body.get("state"))}).encode()
        try:
            second = call_site("POST", f"{root}/connector/v4/verify_registration", sent)
        except (SiteUnreachable, SiteRefused) as error:
            raise _ServiceFault(400, "verification_failed", str(error)) from error
        if not isinstance(second, str) or not is_equal_secret(second, str(body.get("secret_2"))):
            raise _ServiceFault(400, "verification_failed", "The site told another secret.")
        token = f"{generate_letters(32)}.{generate_letters(32)}"
        before = body.get("persistent_blog_id")
        number = self.mirror.add(
            str(body.get("home", "")), root, token, before if isinstance(before, int) else 0
        )  # fmt: skip
        return {"connector_id": number, "connector_secret": token, "connector_public": 1}

    def authorize(self, query: dict[str, str]) -> str:
        """Link the site's account; the fake grants it without consent of a user."""
        site = int(query.get("client_id") or 0)
        found = self.mirror.site(site)
        if found is None:
            raise _ServiceFault(404, "unknown_site")
        code = generate_letters(32)
        self.mirror.put_value(f"code {code}", {"site": site, "user": query.get("state"), "scope": query.get("scope")})
        body = {name: query.get(name, "") for name in ("secret", "state", "redirect_uri")}
        try:
            response = call_site(
                "POST", f"{found[1]}/connector/v4/remote_authorize", json.dumps({**body, "code": code}).encode()
            )
        except (SiteUnreachable, SiteRefused) as error:
            raise _ServiceFault(400, "authorization_failed", str(error)) from error
        return (
            f"<!doctype html><title>Connected</title><p>The account is {html.escape(str(response.get('result')))}.</p>"
        )

    def token(self, body: dict[str, Any]) -> dict[str, Any]:
        """Exchange a code for an account token."""
        grant = self.mirror.get_value(f"code {body.get('code')}")
        site = self.mirror.site(int(body.get("client_id") or 0))
        if grant is None or site is None or grant["site"] != int(body["client_id"]):
            raise _ServiceFault(400, "invalid_grant")
        if not is_equal_secret(site[2], str(body.get("client_secret"))):
            raise _ServiceFault(400, "invalid_client")
        self.mirror.put_value(f"code {body.get('code')}", None)
        token = f"{generate_letters(32)}.{generate_letters(32)}"
        self.mirror.put_value(f"user {grant['site']} {grant['user']}", token)
        return {"access_token": token, "token_type": "X_CONNECTOR", "scope": grant["scope"]}

    def verify_signature(self, handler: _ServiceRequestHandler, query: dict[str, str], body: bytes) -> tuple[int, int]:
        """Return site and account of a request with a valid signature. Raises _ServiceFault."""
        key, _, rest = query.get("token", "").partition(":")
        user = int(rest.rpartition(":")[2] or 0) if rest.rpartition(":")[2].isdecimal() else 0
        for site in self.mirror.sites():
            found = self.mirror.site(site)
            token = str(self.mirror.get_value(f"user {site} {user}") or "") if user else found[2] if found else ""
            if token.partition(".")[0] != key or not key:
                continue
            params = {name: value for name, value in query.items() if name != "signature"}
            url = self.url + urlsplit(handler.path).path
            text = signing.build_signature_base(
                query.get("token", ""), query.get("timestamp", ""), query.get("nonce", ""), query.get("body-hash", ""),
                handler.command, url, params,
            )  # fmt: skip
            fresh = (
                query.get("timestamp", "").isdecimal() and abs(time.time() - int(query["timestamp"])) < _CLOCK_TOLERANCE
            )
            whole = is_equal_secret(query.get("body-hash", ""), signing.hash_body(body))
            wanted = signing.compute_signature(token.partition(".")[2], text)
            if fresh and whole and is_equal_secret(wanted, query.get("signature", "")):
                return site, user
        raise _ServiceFault(403, "invalid_signature")

    def is_proof(self, proof: object) -> bool:
        """Return whether a text proves that a site currently has the token that it names."""
        parts = dict(_PROOF.findall(proof)) if isinstance(proof, str) else {}
        key, _, rest = parts.get("token", "").partition(":")
        user = rest.rpartition(":")[2]
        timestamp = parts.get("timestamp", "")
        if not (user.isdecimal() and timestamp.isdecimal() and abs(time.time() - int(timestamp)) < _CLOCK_TOLERANCE):
            return False
        for site in self.mirror.sites():
            found = self.mirror.site(site)
            token = str(self.mirror.get_value(f"user {site} {user}") or "") if int(user) else found[2] if found else ""
            expected = signing.build_token_proof(
                token, int(user), timestamp=int(timestamp), nonce=parts.get("nonce", "")
            )
            if key and token.partition(".")[0] == key and is_equal_secret(expected, str(proof)):
                return True
        return False

    def account(self, site: int, user: int) -> dict[str, Any]:
        """Return the account of this service linked to a site's account: one of the same name."""
        found: dict[str, str] = next((one["data"] for one in self.mirror.things(site, "users", user, user)), {})
        names = {"login": "user_login", "email": "user_email", "display_name": "display_name"}
        return {"ID": _FIRST_ACCOUNT_ID + user, **{name: found.get(column, "") for name, column in names.items()}}

    def check_home(self, site: int, query: dict[str, str]) -> dict[str, Any]:
        """Return the check of a site's home URL."""
        found = self.mirror.site(site)
        home = query.get("home", "")
        if found is None or not home or _normalize_home(home) == _normalize_home(found[0]):
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
        """Handle a signed call of a site."""
        response = self.check_home(site, query)
        if "idc_detected" in response:
            return response
        if path == "/deregister":
            self.mirror.change(site, active=0)
        elif path == "/sync":
            sent = {name: text for line in body.splitlines() if line for name, text in json.loads(line).items()}
            self.mirror.apply(site, query.get("queue", "sync"), sent)
            return {**response, "processed_items": list(sent)}
        elif path == "/refresh-blog-token":
            token = f"{generate_letters(32)}.{generate_letters(32)}"
            self.mirror.change(site, token=token)
            return {**response, "connector_secret": token}
        elif path == "/user-access-token":
            account = json.loads(body).get("user")
            token = f"{generate_letters(32)}.{generate_letters(32)}"
            self.mirror.put_value(f"user {site} {account}", token)
            return {**response, "token": f"{token}.{account}"}
        elif path == "/user":
            return {**response, **self.account(site, user)}
        elif path not in ("/switch-owner", "/heartbeat"):
            raise _ServiceFault(404, "unknown_call")
        return {**response, "ok": True}


def _normalize_home(url: str) -> str:
    parts = urlsplit(url)
    return ((parts.hostname or "").removeprefix("www.") + parts.path).rstrip("/")


class _ServiceRequestHandler(BaseHTTPRequestHandler):
    owner: FakeService
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
            response = self._dispatch(parts.path, query, body)
        except _ServiceFault as fault:
            response, status = fault.body, fault.status
        except (SiteUnreachable, SiteRefused) as error:
            response, status = {"error": "site_failed", "error_description": str(error)}, 502
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            response, status = {"error": "malformed", "error_description": str(error)}, 400
        content = response.encode() if isinstance(response, str) else json.dumps(response).encode()
        if isinstance(response, str):
            kind = "text/html; charset=utf-8"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _dispatch(self, path: str, query: dict[str, str], body: bytes) -> Any:
        peer = self.owner
        if path == "/register":
            return peer.register(json.loads(body))
        if path == "/token":
            return peer.token(json.loads(body))
        if path.startswith("/authorize"):
            return peer.authorize(query)
        if path == "/partner_provision_nonce_check":
            return "OK" if peer.mirror.get_value(f"nonce {query.get('nonce')}") else "NO"
        if path == "/token-health":
            return {name: {"is_healthy": peer.is_proof(proof)} for name, proof in json.loads(body).items()}
        if path == "/sites":
            return [{"id": one, "home": (peer.mirror.site(one) or ("",))[0], **peer.mirror.state(one)}
                    for one in peer.mirror.sites()]  # fmt: skip
        _, name, rest = (*path.split("/", 2), "", "")[:3]
        if name in _OPERATOR_COMMANDS and rest.isdecimal():
            return _OPERATOR_COMMANDS[name](peer, int(rest))
        site, user = peer.verify_signature(self, query, body)
        return peer.serve_signed(path, site, user, query, body)


_OPERATOR_COMMANDS: Final[dict[str, Callable[[FakeService, int], Any]]] = {
    "pull": lambda peer, site: {"items": peer.puller.drain(site)},
    "compare": lambda peer, site: comparison.compare_tables(peer.puller, site),
    "mend": lambda peer, site: comparison.repair_mirror(peer.puller, site),
    "state": lambda peer, site: peer.mirror.state(site),
}
