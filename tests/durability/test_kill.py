"""A server is killed while many clients write: whatever it acknowledged is there afterwards, whole."""

from __future__ import annotations

import base64
import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from vetrina.backends import schema
from vetrina.domain import integrity
from vetrina.domain.content import record
from vetrina.domain.content.revisions import RevisionQuery, listed_of
from vetrina.domain.content.taxonomy import terms
from vetrina.domain.founding import Account, found
from vetrina.settings import load_profile, read_settings
from vetrina.site import Site, open_site

PASSWORD = "pass word of the tests"
CLIENTS = 6
WRITING = 0.8  # seconds until the kill
PATIENCE = 30.0  # seconds that the server may take to begin


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site with an administrator, as `vetrina init` leaves it: durable."""
    (tmp_path / "vetrina.toml").write_text('profile = "first"\nsecret = "secret of the tests"\n')
    site = Site(load_profile("first"), read_settings(tmp_path), tmp_path)
    schema.create(site.database)
    with site.work() as work:
        found(work, [Account("admin", "administrator", application_password=PASSWORD)])
    site.close()
    return tmp_path


class Server:
    """`vetrina serve` of a folder, in processes of its own."""

    def __init__(self, folder: Path, workers: int) -> None:
        command = [Path(sys.executable).with_name("vetrina"), "serve", "--site", folder, "--port", "0"]
        self.process = subprocess.Popen(
            [*command, "--workers", str(workers)], stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        assert self.process.stdout is not None
        found = re.search(r"http://([^:/]+):(\d+)", self.process.stdout.readline())
        assert found, "the server did not say where it answers"
        self.host, self.port = found[1], int(found[2])

    def kill(self) -> None:
        """End every process of the server at once, as a power cut would; none may tidy up."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.kill()


class Writer(threading.Thread):
    """A client that writes without a pause and keeps what the server acknowledged."""

    def __init__(self, server: Server, name: str, round: int) -> None:
        super().__init__(daemon=True)
        self.server, self.client, self.round = server, name, round
        pair = base64.b64encode(f"admin:{PASSWORD}".encode()).decode()
        self.headers = {"Authorization": f"Basic {pair}", "Content-Type": "application/json"}
        self.acknowledged: dict[int, dict[str, Any]] = {}
        self.refused: list[tuple[int, bytes]] = []

    def run(self) -> None:
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=PATIENCE)
        try:
            for number in range(10_000):
                self.write(connection, number)
        except (OSError, http.client.HTTPException, ValueError):
            return  # the server is gone; what it did not acknowledge may or may not be there

    def write(self, connection: http.client.HTTPConnection, number: int) -> None:
        text = f"{self.client} {self.round} {number}"
        tag = self.ask(connection, "/cms/v2/tags", {"name": f"Tag {text}"})["id"]
        post = self.ask(
            connection,
            "/cms/v2/posts",
            {
                "title": text,
                "content": f"Text of {text}",
                "status": "publish",
                "tags": [tag],
                "meta": {"_ext_changed": True},
            },
        )
        kept = self.acknowledged[post["id"]] = {"title": text, "content": f"Text of {text}", "tag": tag, "revisions": 0}
        changed = f"Changed text of {text}"
        self.ask(connection, f"/cms/v2/posts/{post['id']}", {"content": changed})
        kept.update(content=changed, revisions=1)
        if number % 5 == 4:
            self.ask(connection, f"/cms/v2/posts/{post['id']}?force=true&_method=DELETE", {})
            kept["removed"] = True

    def ask(self, connection: http.client.HTTPConnection, path: str, members: dict[str, Any]) -> dict[str, Any]:
        connection.request("POST", f"/en/cms-json{path}", json.dumps(members), self.headers)
        response = connection.getresponse()
        content = response.read()
        if response.status not in (200, 201):
            self.refused.append((response.status, content))
            raise ValueError(content)
        found: dict[str, Any] = json.loads(content)
        return found


# The second kill meets what the first one left.
@pytest.mark.parametrize(("workers", "kills"), [(1, 1), (2, 2)], ids=["one process", "two processes, twice"])
def test_what_was_acknowledged_survives_a_kill(folder: Path, workers: int, kills: int) -> None:
    acknowledged: dict[int, dict[str, Any]] = {}
    for round in range(kills):
        with Server(folder, workers) as server:
            writers = [Writer(server, f"client {number}", round) for number in range(CLIENTS)]
            for writer in writers:
                writer.start()
            time.sleep(WRITING)
            server.kill()
        for writer in writers:
            writer.join(PATIENCE)
            assert writer.refused == []
            assert not acknowledged.keys() & writer.acknowledged.keys(), "a number was given out twice"
            acknowledged |= writer.acknowledged
    assert len(acknowledged) > 5 * kills
    site = open_site(folder)
    try:
        compare(site, acknowledged)
    finally:
        site.close()


def compare(site: Site, acknowledged: dict[int, dict[str, Any]]) -> None:
    wrong = []
    with site.work(read=True) as work:
        for number, wanted in acknowledged.items():
            stored = record.by_id(work.tx, number)
            if wanted.get("removed"):
                if stored is not None:
                    wrong.append(f"{number}: removed, and there")
                continue
            if stored is None:
                # Its removal may have been carried out and not acknowledged.
                if not wanted["title"].endswith(("4", "9")):
                    wrong.append(f"{number}: acknowledged, and not there")
                continue
            # A change that was sent and not acknowledged may have been kept.
            states = {wanted["content"], f"Changed text of {wanted['title']}"}
            if stored.title != wanted["title"] or stored.content not in states or not stored.meta.get("_ext_changed"):
                wrong.append(f"{number}: {stored.title!r}, {stored.content!r}, {stored.meta}; wanted {wanted}")
            held = [term.id for term in terms.of_records(work.tx, [number]).get(number, [])]
            if wanted["tag"] not in held:
                wrong.append(f"{number}: has the terms {held}, wanted {wanted['tag']}")
            _, revisions = listed_of(work, number, RevisionQuery())
            if revisions != int(stored.content.startswith("Changed")) or revisions < wanted["revisions"]:
                wrong.append(f"{number}: has {revisions} revisions, wanted {wanted['revisions']}")
        wrong += [f"{rule.says} {line}" for rule in integrity.RULES for line in rule.broken(work)]
    assert not wrong, "\n".join(wrong)
