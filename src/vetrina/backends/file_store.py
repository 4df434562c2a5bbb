"""The files of a site: stored under names, atomically, in a folder or in an S3 bucket.

A name is a relative path such as `uploads/2026/11/harbour.jpg`. A file becomes visible only when it is complete, and a
name that is taken is never overwritten, even if another process wants it at the same time. Which names files get:
media/uploads/filenames.py. How they are served: http/file_responses.py.
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

from vetrina.kernel.errors import ApiError, Failure

FILE_URL_PREFIX = "/cms-content/"  # prefix of a file's name in its URL path on the site

# No hidden file, no parent directory, nothing that a shell, a URL or another system would misread.
_NAME = re.compile(r"[^/\\\0-\x1f\x7f.][^/\\\0-\x1f\x7f]*(?:/[^/\\\0-\x1f\x7f.][^/\\\0-\x1f\x7f]*)*")
_INCOMING_FOLDER = ".incoming"  # the folder of partially written files
_MAX_PART_BYTES = 255  # bytes; the limit of file systems for one path component
_LINK_UNSUPPORTED_ERRORS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})


class FileNameTaken(Exception):
    """Another file has this name."""


class FileStoreUnreachable(ApiError):
    """The file store does not respond."""

    failure, code = Failure.UNAVAILABLE, "files_unreachable"
    message = "The store of files does not answer; nothing was changed. Send the request again in a moment."


class FileEntry(NamedTuple):
    """A file in a listing. modified: seconds since 1970."""

    name: str
    modified: int


class OpenedFile(Protocol):
    """An open file: reads return the content at the time it was opened, even if it is deleted meanwhile.

    size: bytes. modified: seconds since 1970. etag: changes with the content. part: preferred read size in bytes.
    """

    size: int
    modified: int
    etag: str
    part: int

    def read(self, start: int, length: int) -> bytes:
        """Return bytes from an offset; fewer than `length` only at the end of the file."""

    def close(self) -> None:
        """Close the file."""


class FileStore(ABC):
    """Where files are stored.

    near: whether a read costs no more than disk access; if not, it waits for another machine.
    """

    near: bool = True

    @abstractmethod
    def put(self, name: str, source: Path | bytes) -> None:
        """Store a file; source: its content, or a complete local file, which is left in place. Raises FileNameTaken."""

    @abstractmethod
    def open(self, name: str) -> OpenedFile | None:
        """Open a file, None if there is none of this name."""

    @abstractmethod
    def delete(self, name: str) -> None:
        """Delete a file; a missing one is no error."""

    @abstractmethod
    def open_local_copy(self, name: str) -> AbstractContextManager[Path]:
        """Return a file as a local path, for reading only; FileNotFoundError if there is none."""

    @abstractmethod
    def list_files(self, folder: str) -> Iterator[FileEntry]:
        """Yield every file below a folder, in no order; the folder's name ends in a slash, empty for all files."""

    @abstractmethod
    def sweep(self, before: int) -> int:
        """Remove partial files left by dead writers before `before` (seconds since 1970); return how many."""

    @abstractmethod
    def check_reachable(self) -> None:
        """Return if files can be stored here. Raises FileStoreUnreachable."""

    def size(self, name: str) -> int | None:
        """Return the size of a file in bytes, None if there is none."""
        found = self.open(name)
        if found is None:
            return None
        found.close()
        return found.size

    def url(self, name: str, origin: str) -> str:
        """Return the URL of a file; origin: scheme and host of the site's URLs."""
        return f"{origin}{FILE_URL_PREFIX}{name}"


def is_file_name(name: str) -> bool:
    """Return whether a text is a valid file name."""
    return _NAME.fullmatch(name) is not None and all(len(part.encode()) <= _MAX_PART_BYTES for part in name.split("/"))


def open_file_store(url: str, folder: Path, durable: bool = True, address: str = "") -> FileStore:
    """Open the store at a URL.

    url: `s3://BUCKET/PREFIX`, with `?endpoint=…&region=…` where they are not in the environment; `folder` if empty.
    durable: whether a stored file survives a power cut. address: base URL of files for readers, empty for the site
    itself.
    Raises ValueError for any other URL, and if the extra `s3` is not installed.
    """
    if not url:
        return FolderFileStore(folder, durable, address)
    if url.startswith("s3://"):
        # Imported only where it is used: it is large, and an optional extra of the package.
        try:
            from vetrina.backends.s3_file_store import ObjectFileStore
        except ImportError as error:
            raise ValueError(f"s3:// needs its library: pip install 'vetrina[s3]' ({error})") from None
        return ObjectFileStore(url, address)
    raise ValueError(f"media {url!r} is not understood: write s3://BUCKET/PREFIX, or leave it empty for a folder")


class _LocalOpenedFile:
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


class FolderFileStore(FileStore):
    """Files in a folder of this machine, or of a mounted one."""

    def __init__(self, folder: Path, durable: bool = True, address: str = "") -> None:
        self._folder, self._durable, self._address = folder, durable, address.rstrip("/")

    def put(self, name: str, source: Path | bytes) -> None:
        target = self._path(name)
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(source, Path):
            source.chmod(0o644)
            self._sync(source)
            try:
                self._publish_file(source, target)
                return
            except OSError as error:
                if error.errno != errno.EXDEV:
                    raise
        aside = self._build_temporary_path()
        try:
            with aside.open("xb") as out:
                if isinstance(source, bytes):
                    out.write(source)
                else:
                    with source.open("rb") as read:
                        shutil.copyfileobj(read, out, 1 << 20)
            aside.chmod(0o644)
            self._sync(aside)
            self._publish_file(aside, target)
        finally:
            aside.unlink(missing_ok=True)

    def open(self, name: str) -> OpenedFile | None:
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
        return _LocalOpenedFile(descriptor)

    def delete(self, name: str) -> None:
        with suppress(FileNotFoundError, NotADirectoryError):
            self._path(name).unlink()

    @contextmanager
    def open_local_copy(self, name: str) -> Iterator[Path]:
        path = self._path(name)
        if not path.is_file():
            raise FileNotFoundError(name)
        yield path

    def list_files(self, folder: str) -> Iterator[FileEntry]:
        waiting = [folder]
        while waiting:
            below = waiting.pop()
            try:
                entries = list(os.scandir(self._path(below.rstrip("/")) if below else self._folder))
            except (FileNotFoundError, NotADirectoryError):
                continue
            for entry in entries:
                name = below + entry.name
                if not is_file_name(name):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{name}/")
                elif entry.is_file(follow_symlinks=False):
                    with suppress(FileNotFoundError):
                        yield FileEntry(name, int(entry.stat(follow_symlinks=False).st_mtime))

    def sweep(self, before: int) -> int:
        gone = 0
        for path in (self._folder / _INCOMING_FOLDER).glob("*"):
            with suppress(FileNotFoundError):
                if path.stat().st_mtime < before:
                    path.unlink()
                    gone += 1
        return gone

    def check_reachable(self) -> None:
        # The folder is created with the first file, in the folder of the site.
        there = self._folder if self._folder.exists() else self._folder.parent
        if not os.access(there, os.W_OK | os.X_OK):
            raise FileStoreUnreachable

    def url(self, name: str, origin: str) -> str:
        return f"{self._address}/{name}" if self._address else f"{origin}{FILE_URL_PREFIX}{name}"

    def _path(self, name: str) -> Path:
        if not is_file_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        return self._folder / name

    def _build_temporary_path(self) -> Path:
        """Return a path on the same file system that is never served."""
        aside = self._folder / _INCOMING_FOLDER
        aside.mkdir(exist_ok=True)
        return aside / secrets.token_hex(16)

    def _publish_file(self, complete: Path, target: Path) -> None:
        """Give a complete file its name. Raises FileNameTaken."""
        try:
            # A link, because a rename would overwrite an existing file.
            os.link(complete, target)
        except FileExistsError:
            raise FileNameTaken(str(target)) from None
        except OSError as error:
            if error.errno not in _LINK_UNSUPPORTED_ERRORS:
                raise
            self._publish_without_links(complete, target)
        self._sync(target.parent)

    def _publish_without_links(self, complete: Path, target: Path) -> None:
        """Give a complete file its name on a file system without hard links; a claim file excludes other writers."""
        claim = self._build_temporary_path().with_name("claim-" + blake2b(bytes(target), digest_size=16).hexdigest())
        try:
            os.close(os.open(claim, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        except FileExistsError:
            raise FileNameTaken(str(target)) from None
        try:
            if target.exists():
                raise FileNameTaken(str(target))
            copy = self._build_temporary_path()
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


class NullFileStore(FileStore):
    """The store of a site that was given none; using it is a programming error."""

    def put(self, name: str, source: Path | bytes) -> None:
        raise RuntimeError("this site keeps no files")

    def open(self, name: str) -> OpenedFile | None:
        return None

    def delete(self, name: str) -> None:
        return

    def open_local_copy(self, name: str) -> AbstractContextManager[Path]:
        raise FileNotFoundError(name)

    def list_files(self, folder: str) -> Iterator[FileEntry]:
        return iter(())

    def sweep(self, before: int) -> int:
        return 0

    def check_reachable(self) -> None:
        raise FileStoreUnreachable
