"""The worker of background jobs as a process: beside a server, alone, killed and stopped."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from vetrina.kernel.times import format_iso

from .conftest import PATIENCE, VETRINA, Made, Server


def eventually(true: Callable[[], Any]) -> bool:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.02)
    return False


def scheduled(server: Server, password: str) -> int:
    """Create a post scheduled for an hour ahead, and return its id."""
    members = {"title": "Soon", "status": "publish", "date_gmt": format_iso(int(time.time()) + 3600)}
    status, made = server.ask("POST", "/cms/v2/posts", members, "admin", password)
    assert (status, made.get("status")) == (201, "future"), made
    return int(made["id"])


def move(database: Path, id: int, date: int) -> None:
    """Set the date of a scheduled post and of its job, as if it had been chosen."""
    connection = sqlite3.connect(database, timeout=PATIENCE)
    with connection:
        connection.execute("UPDATE record SET date_gmt = ? WHERE id = ?", (date, id))
        connection.execute("UPDATE job SET due = ? WHERE key = ?", (date, f"publish:{id}"))
    connection.close()


def jobs(database: Path) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(database, timeout=PATIENCE)
    found = connection.execute("SELECT state, attempts FROM job ORDER BY id").fetchall()
    connection.close()
    return found


def shown(server: Server, id: int) -> bool:
    return server.ask("GET", f"/cms/v2/posts/{id}")[0] == 200


@pytest.fixture
def working() -> Iterator[Callable[[Path], subprocess.Popen[bytes]]]:
    """Start `vetrina work`."""
    started: list[subprocess.Popen[bytes]] = []

    def start(folder: Path) -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen([VETRINA, "work", "--site", folder]))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def test_a_served_site_publishes_at_the_date_whatever_the_number_of_workers(
    serving: Callable[..., Server], made: Made
) -> None:
    server = serving("--site", made.folder, "--workers", "2")
    assert eventually(lambda: len(server.workers()) == 2)
    assert len(server.consumers()) == 1
    id = scheduled(server, made.application_password)
    date = int(time.time()) + 2
    move(made.folder / "site.sqlite", id, date)
    assert eventually(lambda: shown(server, id))
    assert date <= time.time(), "it is not shown before its date"
    assert jobs(made.folder / "site.sqlite") == [("done", 1)]
    assert server.stop() == 0
    assert "vetrina" not in server.errors()


def test_a_stand_in_publishes_without_a_second_process(serving: Callable[..., Server], tmp_path: Path) -> None:
    server = serving("--ephemeral")
    password = server.line().rpartition(": ")[2].strip()
    assert server.consumers() == []
    id = scheduled(server, password)
    [database] = tmp_path.glob("vetrina-*/site.sqlite")
    move(database, id, int(time.time()) + 1)
    assert eventually(lambda: shown(server, id))
    assert server.stop() == 0
    assert "vetrina" not in server.errors()


def test_a_killed_consumer_is_started_again(serving: Callable[..., Server], made: Made) -> None:
    server = serving("--site", made.folder)
    [first] = server.consumers()
    os.kill(first, signal.SIGKILL)
    assert eventually(lambda: server.consumers() not in ([], [first]))
    id = scheduled(server, made.application_password)
    move(made.folder / "site.sqlite", id, int(time.time()))
    assert eventually(lambda: shown(server, id))
    assert server.stop() == 0
    assert "it is started again" in server.errors()


def test_killed_processes_are_replaced_while_the_settings_are_being_edited(
    serving: Callable[..., Server], made: Made
) -> None:
    server = serving("--site", made.folder, "--workers", "2")
    assert eventually(lambda: len(server.workers()) == 2)
    settings, [consumer] = made.folder / "vetrina.toml", server.consumers()
    settings.write_text(settings.read_text() + "half a li")
    os.kill(consumer, signal.SIGKILL)
    for worker in server.workers():
        os.kill(worker, signal.SIGKILL)
        assert eventually(lambda worker=worker: len(server.workers()) == 2 and worker not in server.workers())
    assert eventually(lambda: server.consumers() not in ([], [consumer]))
    id = scheduled(server, made.application_password)
    move(made.folder / "site.sqlite", id, int(time.time()))
    assert eventually(lambda: shown(server, id))
    assert server.stop() == 0
    assert "half a li" not in (errors := server.errors())
    assert errors.count("it is started again") == 1


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_consumer_ends_with_its_server(serving: Callable[..., Server], made: Made, end: signal.Signals) -> None:
    server = serving("--site", made.folder)
    [consumer] = server.consumers()
    server.stop(end)
    assert eventually(lambda: not Path(f"/proc/{consumer}/cmdline").exists())


def test_what_was_due_while_nothing_ran_is_published_at_the_start(
    serving: Callable[..., Server], made: Made, working: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    server = serving("--site", made.folder)
    id = scheduled(server, made.application_password)
    server.stop()
    move(made.folder / "site.sqlite", id, int(time.time()) - 500)
    process = working(made.folder)
    assert eventually(lambda: jobs(made.folder / "site.sqlite") == [("done", 1)])
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0


def test_the_consumer_loads_no_web_server_and_is_small(
    made: Made, working: Callable[[Path], subprocess.Popen[bytes]]
) -> None:
    process = working(made.folder)
    assert eventually((made.folder / "site.sqlite-jobs").exists)
    loaded = Path(f"/proc/{process.pid}/maps").read_text()
    assert "granian" not in loaded
    status = Path(f"/proc/{process.pid}/status").read_text()
    kilobytes = int(status.partition("VmRSS:")[2].split()[0])
    # The rules of every module, and no route: a worker of the server begins with ten more.
    assert kilobytes < 64 * 1024


def test_jobs_are_listed_tried_again_and_carried_out(made: Made, vetrina: Callable[..., Result]) -> None:
    database = made.folder / "site.sqlite"
    connection = sqlite3.connect(database)
    with connection:
        connection.execute(
            "INSERT INTO job (id, kind, arguments, due, state, attempts, last_error, created) VALUES "
            "(1, 'publish', '{\"record\":7}', 1800000000, 'failed', 10, 'ValueError: it\nrains', 0)"
        )
    connection.close()
    told = vetrina("jobs", "list", "--site", made.folder).output
    assert '1   failed  publish  2027-01-15T08:00:00  10        {"record":7}  ValueError: it rains' in told
    assert "it rains" not in vetrina("jobs", "list", "--state", "waiting", "--site", made.folder).output
    assert vetrina("jobs", "retry", "5", "--site", made.folder).exit_code == 1
    assert vetrina("jobs", "retry", "--site", made.folder).exit_code == 2
    assert vetrina("jobs", "retry", "--failed", "--site", made.folder).output == "1 jobs are tried again.\n"
    assert vetrina("jobs", "run", "--site", made.folder).output == "1 jobs were tried.\n"
    assert jobs(database) == [("done", 1)]
