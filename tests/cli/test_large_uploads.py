"""Uploads to a server process: its peak memory as the system counts it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pictures import huge_claim, picture

from .conftest import Server, basic

LARGE = 200 << 20  # bytes
MOST = 200 << 10  # kilobytes


@pytest.fixture
def server(serving: Callable[..., Server], tmp_path: Path) -> Server:
    users = tmp_path / "users.json"
    users.write_text(json.dumps([{"login": "admin", "role": "administrator", "application_password": "open sesame"}]))
    return serving("--ephemeral", "--users", users)


def highest(server: Server) -> int:
    """Return the highest peak memory of the processes, in kilobytes."""
    pids = [server.process.pid, *server.children()]
    told = [re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()) for pid in pids]
    return max(int(one[1]) for one in told if one)


def upload(server: Server, name: str, parts: Iterator[bytes], size: int, kind: str = "") -> int:
    connection = server.connect()
    headers = {"authorization": basic("admin", "open sesame"), "content-length": str(size)}
    headers |= {"content-type": kind} if kind else {"content-disposition": f"attachment; filename={name}"}
    connection.request("POST", urlsplit(server.root).path + "/cms/v2/media", body=parts, headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def filled(size: int) -> Iterator[bytes]:
    yield b"PK\3\4" + bytes((1 << 20) - 4)
    for _ in range((size >> 20) - 1):
        yield bytes(1 << 20)


def test_two_hundred_megabytes_come_in_without_being_held(server: Server) -> None:
    assert upload(server, "large.zip", filled(LARGE), LARGE) == 201
    assert highest(server) < MOST


def test_neither_are_those_of_a_form(server: Server) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="large.zip"\r\n\r\n'

    def parts() -> Iterator[bytes]:
        yield head
        yield from filled(LARGE)
        yield b"\r\n--x--\r\n"

    size = len(head) + LARGE + len(b"\r\n--x--\r\n")
    assert upload(server, "", parts(), size, "multipart/form-data; boundary=x") == 201
    assert highest(server) < MOST


def test_a_claim_of_very_many_pixels_costs_nothing(server: Server) -> None:
    one = picture(64, 64, "PNG")
    assert upload(server, "a.png", iter([one]), len(one)) == 201
    before = highest(server)
    claim = huge_claim(30_000, 30_000)
    assert upload(server, "bomb.png", iter([claim]), len(claim)) == 400
    assert highest(server) - before < 4 << 10


def test_sixty_one_true_megapixels_are_taken(server: Server) -> None:
    one = picture(9504, 6336, quality=60)
    assert upload(server, "large.jpg", iter([one]), len(one)) == 201
