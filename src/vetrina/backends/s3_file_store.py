"""Files in an S3 bucket, with the same guarantees as a folder (backends/file_store.py).

Credentials, region and endpoint come from the usual environment variables (`AWS_…`), or from the URL's query.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast
from urllib.parse import parse_qsl, urlsplit

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError, NotFoundError
from obstore.store import S3Store

if TYPE_CHECKING:
    from obstore.store import S3Config

from vetrina.backends.file_store import (
    FILE_URL_PREFIX,
    FileEntry,
    FileNameTaken,
    FileStore,
    FileStoreUnreachable,
    OpenedFile,
    is_file_name,
)

T = TypeVar("T")

_SINGLE_PUT_BYTES = 8 << 20  # bytes of the largest upload in one request; larger files are sent in parts
_PART_BYTES = 8 << 20  # bytes of one part of a read or a write; stores refuse parts below 5 MiB
_CLAIMS = ".claims/"  # objects by which writers exclude each other from a name
_LIST_PAGE_SIZE = 1000  # names per list request
_MAX_CONCURRENT_PARTS = 3  # parts sent concurrently, each of them in memory


class _OpenedObject:
    part = _PART_BYTES

    def __init__(self, store: S3Store, name: str, facts: Any) -> None:
        self._store, self._name = store, name
        self.size = int(facts["size"])
        self.modified = int(facts["last_modified"].timestamp())
        self.etag = (facts.get("e_tag") or f"{self.modified:x}-{self.size:x}").strip('"').removeprefix("W/").strip('"')

    def read(self, start: int, length: int) -> bytes:
        length = min(length, self.size - start)
        if length <= 0:
            return b""
        return _ask_store(lambda: bytes(obstore.get_range(self._store, self._name, start=start, length=length)))

    def close(self) -> None:
        return


class ObjectFileStore(FileStore):
    """Files as objects of one bucket, below a prefix.

    url: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`. address: base URL of files for readers, empty for the site
    itself.
    """

    near = False

    def __init__(self, url: str, address: str = "") -> None:
        parts = urlsplit(url)
        config: dict[str, Any] = dict(parse_qsl(parts.query))
        endpoint = config.get("endpoint", "")
        self._address = address.rstrip("/")
        self._store = S3Store(
            parts.netloc,
            prefix=parts.path.strip("/") or None,
            client_options={"allow_http": endpoint.startswith("http://"), "timeout": "60s"},
            config=cast("S3Config | None", config or None),
        )

    def put(self, name: str, source: Path | bytes) -> None:
        if not is_file_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        if size <= _SINGLE_PUT_BYTES:
            content = source if isinstance(source, bytes) else source.read_bytes()
            self._create(name, content, name)
            return
        # Multipart uploads take no condition, so a claim object excludes other writers from the name.
        claim = f"{_CLAIMS}{blake2b(name.encode(), digest_size=16).hexdigest()}"
        self._create(claim, b"", name)
        try:
            if self.size(name) is not None:
                raise FileNameTaken(name)
            _ask_store(
                lambda: obstore.put(
                    self._store, name, source, chunk_size=_PART_BYTES, max_concurrency=_MAX_CONCURRENT_PARTS
                )
            )
        finally:
            self._remove(claim)

    def open(self, name: str) -> OpenedFile | None:
        if not is_file_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        try:
            facts = _ask_store(lambda: obstore.head(self._store, name))
        except FileNotFoundError:
            return None
        return _OpenedObject(self._store, name, facts)

    def delete(self, name: str) -> None:
        if not is_file_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        self._remove(name)

    @contextmanager
    def open_local_copy(self, name: str) -> Iterator[Path]:
        found = self.open(name)
        if found is None:
            raise FileNotFoundError(name)
        with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
            for start in range(0, found.size, _PART_BYTES):
                copy.write(found.read(start, _PART_BYTES))
            copy.flush()
            yield Path(copy.name)

    def list_files(self, folder: str) -> Iterator[FileEntry]:
        return self._iterate_entries(folder)

    def sweep(self, before: int) -> int:
        left = [claim.name for claim in self._iterate_entries(_CLAIMS) if claim.modified < before]
        for name in left:
            self._remove(name)
        return len(left)

    def check_reachable(self) -> None:
        try:
            next(iter(obstore.list(self._store, _CLAIMS.rstrip("/"), chunk_size=1)), None)
        except (BaseError, FileNotFoundError) as error:
            raise FileStoreUnreachable from error

    def _iterate_entries(self, folder: str) -> Iterator[FileEntry]:
        pages = iter(_ask_store(lambda: obstore.list(self._store, folder.rstrip("/"), chunk_size=_LIST_PAGE_SIZE)))
        while page := _ask_store(lambda: next(pages, None)):
            for one in page:
                yield FileEntry(one["path"], int(one["last_modified"].timestamp()))

    def url(self, name: str, origin: str) -> str:
        return f"{self._address}/{name}" if self._address else f"{origin}{FILE_URL_PREFIX}{name}"

    def _create(self, path: str, content: bytes, name: str) -> None:
        try:
            obstore.put(self._store, path, content, mode="create")
        except AlreadyExistsError:
            raise FileNameTaken(name) from None
        except BaseError as error:
            raise FileStoreUnreachable from error

    def _remove(self, path: str) -> None:
        try:
            _ask_store(lambda: obstore.delete(self._store, path))
        except FileNotFoundError:
            return


def _ask_store(ask: Callable[[], T]) -> T:
    """Return the store's response. Raises FileNotFoundError, FileStoreUnreachable."""
    try:
        return ask()
    except (NotFoundError, FileNotFoundError):
        raise FileNotFoundError from None
    except BaseError as error:
        raise FileStoreUnreachable from error
