"""Every file store gives the same guarantees; S3 is moto's, where it is installed."""

from __future__ import annotations

import errno
import itertools
import os
import threading
import time
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

import pytest

import object_store
from vetrina.backends.file_store import FileNameTaken, FileStore, FolderFileStore, is_file_name, open_file_store

NUMBERS = itertools.count()
NAME = "uploads/2026/11/harbour.txt"


@pytest.fixture(scope="module")
def s3_address() -> Iterator[str]:
    """The URL of an S3 of the test run, with a bucket."""
    with object_store.bucket() as address:
        yield address


@pytest.fixture(params=["folder", "s3"])
def files(request: pytest.FixtureRequest, tmp_path: Path) -> FileStore:
    if request.param == "folder":
        return open_file_store("", tmp_path / "media")
    address = request.getfixturevalue("s3_address")
    prefix = f"site-{next(NUMBERS)}"
    return open_file_store(object_store.store(address, prefix), tmp_path / "media")


def content(files: FileStore, name: str) -> bytes | None:
    found = files.open(name)
    if found is None:
        return None
    read = b"".join(found.read(start, found.part) for start in range(0, found.size, found.part))
    found.close()
    return read


def test_what_is_put_is_read(files: FileStore, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"from a file")
    files.put(NAME, source)
    files.put("uploads/a.txt", b"from memory")
    assert content(files, NAME) == b"from a file"
    assert content(files, "uploads/a.txt") == b"from memory"
    assert source.exists()


def test_a_file_has_size_time_and_tag(files: FileStore) -> None:
    files.put(NAME, b"0123456789")
    found = files.open(NAME)
    assert found is not None
    assert (found.size, files.size(NAME)) == (10, 10)
    assert abs(found.modified - time.time()) < 60
    assert found.etag
    assert '"' not in found.etag
    found.close()


def test_a_range_is_read(files: FileStore) -> None:
    files.put(NAME, b"0123456789")
    found = files.open(NAME)
    assert found is not None
    assert found.read(2, 3) == b"234"
    assert found.read(8, 100) == b"89"
    assert found.read(10, 5) == b""
    found.close()


def test_a_taken_name_is_not_overwritten(files: FileStore, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(b"second")
    files.put(NAME, b"first")
    for second in (source, b"second"):
        with pytest.raises(FileNameTaken):
            files.put(NAME, second)
    assert content(files, NAME) == b"first"


def test_of_many_who_want_a_name_one_gets_it(files: FileStore) -> None:
    got: list[int] = []
    start = threading.Barrier(6)

    def want(number: int) -> None:
        start.wait()
        try:
            files.put(NAME, bytes([number]) * 1000)
        except FileNameTaken:
            return
        got.append(number)

    threads = [threading.Thread(target=want, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1
    assert content(files, NAME) == bytes([got[0]]) * 1000


def test_a_large_file_is_kept_and_not_overwritten(files: FileStore, tmp_path: Path) -> None:
    """Larger than an object store accepts in one request."""
    source = tmp_path / "source"
    source.write_bytes(os.urandom(1 << 20) * 10)
    files.put(NAME, source)
    assert content(files, NAME) == source.read_bytes()
    with pytest.raises(FileNameTaken):
        files.put(NAME, source)


def test_what_is_deleted_is_gone_and_its_name_is_free(files: FileStore) -> None:
    files.put(NAME, b"first")
    files.delete(NAME)
    files.delete(NAME)
    assert files.open(NAME) is None
    assert files.size(NAME) is None
    files.put(NAME, b"second")
    assert content(files, NAME) == b"second"


def test_a_file_is_given_as_a_path(files: FileStore) -> None:
    files.put(NAME, b"words")
    with files.open_local_copy(NAME) as path:
        assert path.read_bytes() == b"words"
    with pytest.raises(FileNotFoundError), files.open_local_copy("uploads/none.txt"):
        pass


def test_a_file_has_an_address(files: FileStore) -> None:
    assert files.url(NAME, "https://site.example") == f"https://site.example/cms-content/{NAME}"


def test_files_may_have_an_address_of_their_own(tmp_path: Path) -> None:
    files = open_file_store("", tmp_path, address="https://cdn.example/x/")
    assert files.url(NAME, "https://site.example") == f"https://cdn.example/x/{NAME}"


@pytest.mark.parametrize(
    "name", ["", "/a", "a/", "a//b", "../a", "a/../b", ".hidden", "a/.hidden", "a\\b", "a\0b", "a\nb", "x" * 256]
)
def test_no_name_leads_out_of_the_store(files: FileStore, name: str) -> None:
    assert not is_file_name(name)
    with pytest.raises(ValueError, match="cannot be the name"):
        files.put(name, b"x")
    with pytest.raises(ValueError, match="cannot be the name"):
        files.open(name)


def test_neither_folders_nor_links_are_files(tmp_path: Path) -> None:
    files = open_file_store("", tmp_path / "media")
    files.put(NAME, b"x")
    (tmp_path / "secret").write_bytes(b"secret")
    (tmp_path / "media/uploads/link.txt").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "media/uploads/pipe.txt")
    assert files.open("uploads/2026") is None
    assert files.open("uploads/link.txt") is None
    assert files.open("uploads/pipe.txt") is None
    assert files.open(f"{NAME}/below") is None


def test_files_are_listed_with_their_folders(files: FileStore) -> None:
    before = int(time.time()) - 2
    names = {f"uploads/{path}" for path in ("a.txt", "2026/11/b.txt", "2026/12/c d.txt")}
    for name in (*names, "other/d.txt"):
        files.put(name, b"x")
    found = list(files.list_files("uploads/"))
    assert {one.name for one in found} == names
    assert all(before <= one.modified <= time.time() + 2 for one in found)
    assert list(files.list_files("nothing/")) == []


def test_what_writers_that_died_left_is_swept_away(tmp_path: Path) -> None:
    files = FolderFileStore(tmp_path)
    files.put("uploads/a.txt", b"x")
    for name, age in (("old", 7200), ("young", 10)):
        path = tmp_path / ".incoming" / name
        path.write_bytes(b"half")
        os.utime(path, (time.time() - age,) * 2)
    assert files.sweep(int(time.time()) - 3600) == 1
    assert [path.name for path in (tmp_path / ".incoming").iterdir()] == ["young"]
    assert content(files, "uploads/a.txt") == b"x"


def test_a_claim_that_was_left_keeps_nobody_off_for_ever(s3_address: str, tmp_path: Path) -> None:
    files = open_file_store(object_store.store(s3_address, "claims"), tmp_path)
    large, name = tmp_path / "large", "uploads/large.bin"
    large.write_bytes(bytes(9 << 20))
    files._create(f".claims/{blake2b(name.encode(), digest_size=16).hexdigest()}", b"", name)  # type: ignore[attr-defined]
    with pytest.raises(FileNameTaken):
        files.put(name, large)
    assert files.sweep(int(time.time()) - 3600) == 0
    assert files.sweep(int(time.time()) + 60) == 1
    files.put(name, large)
    assert files.size(name) == 9 << 20


def test_an_open_file_is_read_to_its_end_when_it_is_deleted_meanwhile(tmp_path: Path) -> None:
    files = open_file_store("", tmp_path)
    files.put(NAME, b"0123456789")
    found = files.open(NAME)
    assert found is not None
    files.delete(NAME)
    assert found.read(0, 10) == b"0123456789"


def test_a_file_that_is_half_written_is_seen_by_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the link the name does not exist, after it the file is complete."""
    files = open_file_store("", tmp_path)
    link = os.link
    seen: list[int | None] = []

    def watched(source: Path, target: Path) -> None:
        seen.append(files.size(NAME))
        link(source, target)

    monkeypatch.setattr(os, "link", watched)
    files.put(NAME, b"x" * 100_000)
    assert seen == [None]
    assert files.size(NAME) == 100_000


@pytest.mark.parametrize("from_file", [True, False])
def test_a_file_system_without_links_serves_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, from_file: bool
) -> None:
    files = FolderFileStore(tmp_path / "media")
    source = tmp_path / "source"
    source.write_bytes(b"first")

    def refuse(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", refuse)
    files.put(NAME, source if from_file else b"first")
    with pytest.raises(FileNameTaken):
        files.put(NAME, b"second")
    assert content(files, NAME) == b"first"
    assert not list((tmp_path / "media/.incoming").iterdir())


def test_a_source_on_another_file_system_is_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = FolderFileStore(tmp_path / "media")
    source = tmp_path / "source"
    source.write_bytes(b"words")
    link = os.link

    def far(complete: Path, target: Path) -> None:
        if complete == source:
            raise OSError(errno.EXDEV, "another file system")
        link(complete, target)

    monkeypatch.setattr(os, "link", far)
    files.put(NAME, source)
    assert content(files, NAME) == b"words"
    assert not list((tmp_path / "media/.incoming").iterdir())


def test_another_url_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="s3://BUCKET"):
        open_file_store("ftp://somewhere/", tmp_path)
