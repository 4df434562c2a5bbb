"""A test site of the second profile that is registered with a service, and a client that signs as that service."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import orjson
import pytest

from conftest import ACCOUNTS, ORIGIN, Answer, Stand, exchange, standing
from connector.service_stand_in import ServiceStandIn
from vetrina.connector import stored_values
from vetrina.connector.connection import state as connection_state
from vetrina.connector.connection.signing import sign_url
from vetrina.connector.identity import rules as identity
from vetrina.connector.sync import buffers, queue as sync_queue, site_values
from vetrina.kernel.keys import generate_letters
from vetrina.service_settings import ConnectorService
from vetrina.settings import Profile, Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site

SECRET = "secret of the tests"
SITE_TOKEN = "KEYKEYKEY1.SECRETSECRETSECRET"
SERVICE_URL = "http://127.0.0.1:9"  # nothing listens there


def profile(service_url: str = SERVICE_URL) -> Profile:
    return msgspec.structs.replace(load_profile("second"), connector=ConnectorService(service_url, seconds=1.0))


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps checkouts from waiting long for a locked queue."""
    monkeypatch.setattr(buffers, "PATIENCE", 0.05)


@pytest.fixture(scope="session")
def prepared_connector(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("connector")
    site = create_stand_in_site(profile(), ACCOUNTS, folder, Settings(secret=SECRET))
    site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()
    return folder


@pytest.fixture(scope="session")
def prepared_postgres_connector(postgres: Any, tmp_path_factory: pytest.TempPathFactory) -> str:
    settings = Settings(secret=SECRET, database=postgres.new())
    create_stand_in_site(profile(), ACCOUNTS, tmp_path_factory.mktemp("connector"), settings).close()
    newest: str = postgres.newest
    return newest


@pytest.fixture
def remote() -> ServiceStandIn:
    """The fake of the service that the site calls; it responds only as a test says."""
    return ServiceStandIn()


@pytest.fixture
def site(request: pytest.FixtureRequest, kind: str, remote: ServiceStandIn) -> Iterator[Stand]:
    with standing(request, profile(), "_connector", outbound=remote) as stand:
        yield stand


class Service:
    """The service as it calls a site; `user` signs with the token of an account."""

    root = "/en/cms-json"

    def __init__(self, site: Site, token: str = SITE_TOKEN, user: int = 0) -> None:
        self.site, self.token, self.user = site, token, user

    def target(self, method: str, path: str, body: bytes = b"", **words: Any) -> str:
        """Return a signed target. words: timestamp, nonce, query."""
        query = urlencode(words.pop("query", {}))
        url = f"{ORIGIN}{self.root}{path}" + (f"?{query}" if query else "")
        timestamp, nonce = words.get("timestamp", int(time.time())), words.get("nonce") or generate_letters(10)
        signed = sign_url(url, self.token, self.user, method, body, timestamp=timestamp, nonce=nonce)
        return signed.removeprefix(ORIGIN)

    def send(self, method: str, target: str, body: bytes = b"", **named: str) -> Answer:
        headers = {"content-type": "application/json"} if body else {}
        headers |= {name.replace("_", "-"): value for name, value in named.items()}
        status, pairs, content = exchange(self.site, method, target, body, headers)
        return Answer(status, {name.lower(): value for name, value in pairs}, content)

    def get(self, path: str, **words: Any) -> Answer:
        return self.send("GET", self.target("GET", path, **words))

    def post(self, path: str, json: Any = None, **words: Any) -> Answer:
        body = b"" if json is None else orjson.dumps(json)
        return self.send("POST", self.target("POST", path, body, **words), body)

    def drained(self, most: int = 500) -> list[tuple[str, Any]]:
        """Return all waiting items in order, acknowledged."""
        out: list[tuple[str, Any]] = []
        while True:
            answer = self.post(
                "/connector/v4/sync/checkout", {"queue": "sync", "number_of_items": most, "encode": False}
            )
            if answer.code == "queue_size":
                return out
            assert answer.status == 200, answer.json
            found = answer.json["items"] or {}
            out += found.items()
            names = [*found, *answer.json["skipped_items"]]
            closed = self.post(
                "/connector/v4/sync/close",
                {"queue": "sync", "buffer_id": answer.json["buffer_id"], "item_ids": names},
            )
            assert closed.json["success"] is True


@pytest.fixture
def service(site: Stand) -> Service:
    """The service of a site that is registered and owned by its administrator."""
    with site.site.work() as work:
        stored_values.save_value(work, "id", 42)
        stored_values.save_encrypted_value(work, "blog_token", SITE_TOKEN)
        identity.save_registered_home(work)
        connection_state.save_user_token(work, 1, "USERKEY.USERSECRET.1")
        stored_values.save_value(work, "master_user", 1)
        sync_queue.begin_queue(work)
        site_values.save_checksums(work)
    return Service(site.site)
