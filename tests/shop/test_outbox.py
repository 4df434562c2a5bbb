"""Outgoing mails about orders: to a folder, to a server, retried, reported when stuck."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conftest import Client, SetClock, Stand
from vetrina.backends import job_queue
from vetrina.backends.mail import MailNotSent, compose_message, send_message
from vetrina.system import job_runner
from vetrina.system.integrity_rules import find_rule

from .background import work_off

ORDERS = "/shop/v3/orders"


def order(client: Client, **members: Any) -> int:
    answer = client.post(ORDERS, {"billing": {"email": "ada@example.com"}, **members})
    assert answer.status == 201, answer.json
    return int(answer.json["id"])


class Server:
    """A mail server that accepts everything and offers no extensions."""

    def __init__(self) -> None:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self.got: list[bytes] = []
        self.said: list[bytes] = []  # commands before and after the mails
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            with connection, connection.makefile("rwb") as lines:
                self._talk(lines)

    def _talk(self, lines: Any) -> None:
        def say(text: bytes) -> None:
            lines.write(text + b"\r\n")
            lines.flush()

        say(b"220 here")
        while line := lines.readline():
            self.said.append(line)
            if line.upper().startswith(b"DATA"):
                say(b"354 go on")
                body = b""
                while (part := lines.readline()) != b".\r\n":
                    body += part
                self.got.append(body)
            if line.upper().startswith(b"QUIT"):
                say(b"221 bye")
                return
            say(b"250 fine")

    def close(self) -> None:
        self._listening.close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.mark.every_database
def test_mails_go_into_the_folder_of_the_site(site: Stand, manager: Client, tmp_path: Path) -> None:
    id = order(manager, status="completed")
    work_off(site)
    to_shop, message = (
        message_from_bytes(file.read_bytes(), policy=policy.default)
        for file in sorted((tmp_path / "outbox").glob("*.eml"))
    )
    assert f"#{id}" in to_shop["Subject"]
    assert message["To"] == "ada@example.com"
    body = message.get_body(("plain",))
    assert body is not None
    assert f"#{id}" in body.get_content()
    work_off(site)
    assert len(list((tmp_path / "outbox").iterdir())) == 2


def test_mails_go_to_the_server_that_is_named(site: Stand, manager: Client, server: Server, tmp_path: Path) -> None:
    order(manager, status="completed")
    settings = msgspec.structs.replace(site.site.context.settings, smtp_url=f"smtp://127.0.0.1:{server.port}")
    job_runner.build_consumer(replace(site.site.context, settings=settings), site.site.database).run_due_jobs()
    assert len(server.got) == 2
    assert b"To: ada@example.com" in server.got[1]
    assert not (tmp_path / "outbox").exists()


def test_who_gets_a_blind_copy_is_not_named_to_others(server: Server, tmp_path: Path) -> None:
    message = compose_message(
        sender="shop@example.com", recipients=["ada@example.com"], subject="One", text="Hello", html="<p>Hello</p>",
        cc=["cc@example.com"], bcc=["bcc@example.com"],
    )  # fmt: skip
    send_message(message, f"smtp://127.0.0.1:{server.port}", tmp_path, "one")
    assert b"bcc@example.com" not in server.got[0]
    assert b"Cc: cc@example.com" in server.got[0]
    assert b"<bcc@example.com>" in b"".join(server.said)


def test_a_mail_that_cannot_go_is_tried_again(site: Stand, manager: Client, clock: SetClock) -> None:
    order(manager, status="completed")
    settings = msgspec.structs.replace(site.site.context.settings, smtp_url="smtp://127.0.0.1:1")
    consumer = job_runner.build_consumer(replace(site.site.context, settings=settings), site.site.database)
    consumer.run_due_jobs()
    mails = find_rule("mails")
    assert mails is not None
    with site.site.work(read=True) as work:
        waiting = [job for job in job_queue.list_jobs(work.tx, "waiting") if job.kind == "shop.mail"]
        assert len(waiting) == 2
        assert all("MailNotSent" in job.last_error for job in waiting)
        assert list(mails.broken(work)) == []
    clock.forward(90_000)
    with site.site.work(read=True) as work:
        assert ["new_order" in said or "customer_completed_order" in said for said in mails.broken(work)] == [True] * 2


def test_an_order_that_is_refused_sends_no_mail(site: Stand, manager: Client, tmp_path: Path) -> None:
    refused = {"status": "completed", "line_items": [{"product_id": 0, "quantity": 1}]}
    assert manager.post(ORDERS, refused).status == 400
    work_off(site)
    assert not (tmp_path / "outbox").exists()


def test_no_line_of_a_subject_becomes_a_header(tmp_path: Path) -> None:
    message = compose_message(
        sender="shop@example.com", recipients=["ada@example.com\nBcc: eve@example.com"],
        subject="Order\r\nBcc: eve@example.com", text="Hello", name='The "Shop"\nX-Evil: 1',
    )  # fmt: skip
    send_message(message, "", tmp_path, "one")
    read = message_from_bytes((tmp_path / "one.eml").read_bytes(), policy=policy.default)
    assert read["Bcc"] is None
    assert read["X-Evil"] is None


def test_a_password_is_sent_over_no_open_line(server: Server, tmp_path: Path) -> None:
    message = compose_message(sender="shop@example.com", recipients=["ada@example.com"], subject="One", text="Hello")
    with pytest.raises(MailNotSent) as refusal:
        send_message(message, f"smtp://me:pass%20word@127.0.0.1:{server.port}", tmp_path, "one")
    assert "pass word" not in str(refusal.value)
    assert server.got == []
