"""A commit is on disk before it is acknowledged, and one fsync covers several commits."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import bindparam, insert

from conftest import exchange
from vetrina.backends import database_schema
from vetrina.backends.database import Database, Statement, open_database
from vetrina.backends.group_commit import WriteAheadLog
from vetrina.backends.tables.options import option
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.system.bootstrap import InitialAccount, bootstrap_site

PUT = Statement(insert(option).values(name=bindparam("name"), value=bindparam("value")))


class Disk:
    """The fsync of a disk, which records its begin and its end, and can be slowed down and held."""

    def __init__(self) -> None:
        self.syncs = 0
        self.pause = 0.0
        self.begun, self.goes_on = threading.Event(), threading.Event()
        self.goes_on.set()
        self.fault: OSError | None = None

    def __call__(self, descriptor: int) -> None:
        assert Path(f"/proc/self/fd/{descriptor}").readlink().name.endswith("-wal")
        self.begun.set()
        assert self.goes_on.wait(60)
        time.sleep(self.pause)
        if self.fault is not None:
            raise self.fault
        os.fsync(descriptor)
        self.syncs += 1


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    if not Path("/proc/self/fd").is_dir():
        pytest.skip("this system does not tell which file a descriptor is of")
    disk = Disk()
    monkeypatch.setattr(os, "fdatasync", disk)
    return disk


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = open_database(f"sqlite:///{tmp_path / 'site.sqlite'}")
    database_schema.create_schema(database)
    yield database
    database.close()


def write(database: Database, name: str) -> None:
    with database.begin_write() as tx:
        tx.run(PUT, name=name, value="1")


def test_a_commit_is_on_the_disk_when_its_block_ends(disk: Disk, database: Database) -> None:
    before = disk.syncs
    write(database, "one")
    assert disk.syncs == before + 1


def test_what_is_gathered_is_left_to_the_caller(disk: Disk, database: Database) -> None:
    before = disk.syncs
    with database.open_group_commit() as gathered:
        write(database, "one")
        write(database, "two")
    assert (gathered.made, disk.syncs) == (True, before)
    gathered.keep()
    assert disk.syncs == before + 1
    with database.open_group_commit() as gathered, database.begin_write():
        pass
    assert not gathered.made


def test_one_sync_serves_all_that_wait(disk: Disk, database: Database) -> None:
    write(database, "first")
    log = WriteAheadLog(Path(f"{database.path}-wal"))
    before, told, first, all_told = disk.syncs, [], threading.Event(), threading.Event()
    disk.begun.clear()
    disk.goes_on.clear()

    def then(fault: OSError | None) -> None:
        told.append((fault, disk.syncs - before))
        if len(told) == 40:
            all_told.set()

    log.keep_soon(lambda fault: first.set())
    assert disk.begun.wait(60)  # later commits are covered by the next one
    for _ in range(40):
        log.keep_soon(then)
    disk.goes_on.set()
    assert first.wait(60)
    assert all_told.wait(60)
    log.close()
    assert told == [(None, 2)] * 40


def test_a_log_that_came_back_is_another_file(disk: Disk, tmp_path: Path) -> None:
    path = tmp_path / "x-wal"
    path.write_bytes(b"1")
    log = WriteAheadLog(path)
    log.keep()
    path.unlink()
    path.write_bytes(b"2")
    log.keep()
    assert os.fstat(log._open_log()).st_ino == path.stat().st_ino
    log.close()


@pytest.fixture
def durable(tmp_path: Path) -> Iterator[Site]:
    site = Site(load_profile("first"), Settings(secret="secret of the tests", host="vetrina.test", port=80), tmp_path)
    database_schema.create_schema(site.database)
    with site.work() as work:
        bootstrap_site(work, [InitialAccount("admin", "administrator", application_password="pass word")])
    yield site
    site.close()


@pytest.mark.parametrize("pause", [0.0, 0.01])
def test_an_answer_to_a_write_waits_for_the_disk(disk: Disk, durable: Site, pause: float) -> None:
    disk.pause = pause
    headers = {"authorization": "Basic YWRtaW46cGFzcyB3b3Jk", "content-type": "application/json"}
    for _ in range(3):
        before = disk.syncs
        status, _, _ = exchange(durable, "POST", "/cms-json/cms/v2/posts", body=b'{"title":"x"}', headers=headers)
        assert (status, disk.syncs > before) == (201, True)
    before = disk.syncs
    assert exchange(durable, "GET", "/cms-json/cms/v2/posts", headers=headers)[0] == 200
    assert disk.syncs == before


@pytest.mark.parametrize("pause", [0.0, 0.01])
def test_nobody_is_told_of_a_write_that_the_disk_refused(disk: Disk, durable: Site, pause: float) -> None:
    headers = {"authorization": "Basic YWRtaW46cGFzcyB3b3Jk", "content-type": "application/json"}
    disk.pause = pause
    assert exchange(durable, "POST", "/cms-json/cms/v2/posts", body=b'{"title":"x"}', headers=headers)[0] == 201
    disk.fault = OSError(5, "the disk is broken")
    assert exchange(durable, "POST", "/cms-json/cms/v2/posts", body=b'{"title":"x"}', headers=headers)[0] == 500
    disk.fault = None
