"""The files of a site: kept under names, whole or not at all, in a folder or in a store that speaks S3.

A name is a relative path such as `uploads/2026/11/harbour.jpg`. A file is seen only when it is complete, and a name
that is taken is never overwritten, whatever other process wants it at the same moment.
Not here: which names files get (media/uploads/filenames.py), how they are sent to readers (http/file_responses.py).
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Protocol

from vetrina.kernel.errors import ApiError

__all__ = ["ADDRESS", "Files", "FilesUnreachable", "FolderFiles", "Kept", "NameTaken", "NoFiles", "Stored", "is_name",
           "open_files"]  # fmt: skip

ADDRESS = "/cms-content/"  # in front of a name, the address under which a site sends the file

# No hidden file, no way up, nothing that a shell, an address or another system reads as something else.
_NAME = re.compile(r"[^/\\\0-\x1f\x7f.][^/\\\0-\x1f\x7f]*(?:/[^/\\\0-\x1f\x7f.][^/\\\0-\x1f\x7f]*)*")
_ASIDE = ".incoming"  # the folder of what is being written
_LONGEST_PART = 255  # bytes that file systems take for one part of a path
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})


class NameTaken(Exception):
    """Another file has the name."""


class FilesUnreachable(ApiError):
    """The store of files does not answer."""

    status, code = 503, "files_unreachable"
    message = "The store of files does not answer; nothing was changed. Send the request again in a moment."


class Kept(NamedTuple):
    """A file in a list of those that are kept. modified: seconds since 1970."""

    name: str
    modified: int


class Stored(Protocol):
    """A file that was opened: what it was then is what is read, even when it is removed meanwhile.

    size: bytes. modified: seconds since 1970. etag: changes with the content. part: bytes that are best read at once.
    """

    size: int
    modified: int
    etag: str
    part: int

    def read(self, start: int, length: int) -> bytes:
        """Return bytes from a place; fewer only at the end of the file."""

    def close(self) -> None:
        """Let go of the file."""


class Files(ABC):
    """Where files are kept.

    near: whether reading costs no more than a disk; where not, it waits for another machine.
    """

    near: bool = True

    @abstractmethod
    def put(self, name: str, source: Path | bytes) -> None:
        """Keep a file; source: a complete local file, which stays, or its content. Raises NameTaken."""

    @abstractmethod
    def open(self, name: str) -> Stored | None:
        """Open a file, None when there is none of this name."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Remove a file; one that is not there is no error."""

    @abstractmethod
    def local(self, name: str) -> AbstractContextManager[Path]:
        """Give a file as a path of this machine, to read only; FileNotFoundError when there is none."""

    @abstractmethod
    def listed(self, folder: str) -> Iterator[Kept]:
        """Give every file below a folder, which ends in a stroke and is empty for all of them, in no order."""

    @abstractmethod
    def sweep(self, before: int) -> int:
        """Remove what writers that died left half-written before a moment, which nobody sees; return how many."""

    @abstractmethod
    def reach(self) -> None:
        """Return when files can be kept here. Raises FilesUnreachable."""

    def size(self, name: str) -> int | None:
        """Return the bytes of a file, None when there is none."""
        found = self.open(name)
        if found is None:
            return None
        found.close()
        return found.size

    def url(self, name: str, origin: str) -> str:
        """Return the address of a file; origin: scheme and host of the site's addresses."""
        return f"{origin}{ADDRESS}{name}"


def is_name(name: str) -> bool:
    """Say whether a text may be the name of a file."""
    return _NAME.fullmatch(name) is not None and all(len(part.encode()) <= _LONGEST_PART for part in name.split("/"))


def open_files(url: str, folder: Path, durable: bool = True, address: str = "") -> Files:
    """Open the store that a URL names.

    url: `s3://BUCKET/PREFIX`, with `?endpoint=…&region=…` where they are not in the environment; empty: `folder`.
    durable: whether a kept file survives a power cut. address: where readers get the files, empty for the site itself.
    Raises ValueError for any other URL, and where the extra `s3` is not installed.
    """
    if not url:
        return FolderFiles(folder, durable, address)
    if url.startswith("s3://"):
        # Loaded only where it is used: it is large, and an extra of the package.
        try:
            from vetrina.backends.s3_file_store import ObjectFiles
        except ImportError as error:
            raise ValueError(f"s3:// needs its library: pip install 'vetrina[s3]' ({error})") from None
        return ObjectFiles(url, address)
    raise ValueError(f"media {url!r} is not understood: write s3://BUCKET/PREFIX, or leave it empty for a folder")


class _OpenFile:
    part = 256 << 10

    def __init__(self, descriptor: int) -> None:
        facts = os.fstat(descriptor)
        self.size, self.modified = facts.st_size, int(facts.st_mtime)
        self.etag = f"{facts.st_mtime_ns:x}-{facts.st_size:x}"
        self._descriptor = descriptor

    def read(self, start: int, length: int) -> bytes:
        return os.pread(self._descriptor, length, start)

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def __del__(self) -> None:
        self.close()


class FolderFiles(Files):
    """Files in a folder of this machine, or of one that is mounted here."""

    def __init__(self, folder: Path, durable: bool = True, address: str = "") -> None:
        self._folder, self._durable, self._address = folder, durable, address.rstrip("/")

    def put(self, name: str, source: Path | bytes) -> None:
        target = self._path(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, Path):
            source.chmod(0o644)
            self._sync(source)
            try:
                self._show(source, target)
                return
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        aside = self._aside()
        try:
            with aside.open("xb") as out:
                if isinstance(source, bytes):
                    out.write(source)
                else:
                    with source.open("rb") as read:
                        shutil.copyfileobj(read, out, 1 << 20)
            aside.chmod(0o644)
            self._sync(aside)
            self._show(aside, target)
        finally:
            aside.unlink(missing_ok=True)

    def open(self, name: str) -> Stored | None:
        try:
            descriptor = os.open(self._path(name), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENAMETOOLONG):
                return None
            raise
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            return None
        return _OpenFile(descriptor)

    def delete(self, name: str) -> None:
        with suppress(FileNotFoundError, NotADirectoryError):
            self._path(name).unlink()

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        path = self._path(name)
        if not path.is_file():
            raise FileNotFoundError(name)
        yield path

    def listed(self, folder: str) -> Iterator[Kept]:
        waiting = [folder]
        while waiting:
            below = waiting.pop()
            try:
                entries = list(os.scandir(self._path(below.rstrip("/")) if below else self._folder))
            except (FileNotFoundError, NotADirectoryError):
                continue
            for entry in entries:
                name = below + entry.name
                if not is_name(name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{name}/")
                elif entry.is_file(follow_symlinks=False):
                    with suppress(FileNotFoundError):
                        yield Kept(name, int(entry.stat(follow_symlinks=False).st_mtime))

    def sweep(self, before: int) -> int:
        gone = 0
        for path in (self._folder / _ASIDE).glob("*"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < before:
                    path.unlink()
                    gone += 1
        return gone

    def reach(self) -> None:
        # It is made with the first file, in the folder of the site.
        there = self._folder if self._folder.exists() else self._folder.parent
        if not os.access(there, os.W_OK | os.X_OK):
            raise FilesUnreachable

    def url(self, name: str, origin: str) -> str:
        return f"{self._address}/{name}" if self._address else f"{origin}{ADDRESS}{name}"

    def _path(self, name: str) -> Path:
        if not is_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        return self._folder / name

    def _aside(self) -> Path:
        """Return a path on the same file system that no reader is sent."""
        aside = self._folder / _ASIDE
        aside.mkdir(exist_ok=True)
        return aside / secrets.token_hex(16)

    def _show(self, complete: Path, target: Path) -> None:
        """Give a complete file its name. Raises NameTaken."""
        try:
            # A link, because a rename would overwrite what has the name already.
            os.link(complete, target)
        except FileExistsError:
            raise NameTaken(str(target)) from None
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            self._show_without_links(complete, target)
        self._sync(target.parent)

    def _show_without_links(self, complete: Path, target: Path) -> None:
        """Give a complete file its name where the file system knows no links: a claim keeps others off meanwhile."""
        claim = self._aside().with_name("claim-" + blake2b(bytes(target), digest_size=16).hexdigest())
        try:
            os.close(os.open(claim, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            raise NameTaken(str(target)) from None
        try:
            if target.exists():
                raise NameTaken(str(target))
            copy = self._aside()
            shutil.copyfile(complete, copy)
            self._sync(copy)
            copy.replace(target)
        finally:
            claim.unlink(missing_ok=True)

    def _sync(self, path: Path) -> None:
        if self._durable:
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


class NoFiles(Files):
    """The store of a frame that was given none: to ask it is a mistake of the program."""

    def put(self, name: str, source: Path | bytes) -> None:
        raise RuntimeError("this frame keeps no files")

    def open(self, name: str) -> Stored | None:
        return None

    def delete(self, name: str) -> None:
        return

    def local(self, name: str) -> AbstractContextManager[Path]:
        raise FileNotFoundError(name)

    def listed(self, folder: str) -> Iterator[Kept]:
        return iter(())

    def sweep(self, before: int) -> int:
        return 0

    def reach(self) -> None:
        raise FilesUnreachable
