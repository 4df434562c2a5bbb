"""Files in a store that speaks S3: the same promises as a folder gives (backends/file_store.py).

Credentials, region and address come from the environment as every program of that world reads them (`AWS_…`), or from
the URL's query. Not here: what a name is, who may read.
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

from vetrina.backends.file_store import ADDRESS, Files, FilesUnreachable, Kept, NameTaken, Stored, is_name

__all__ = ["ObjectFiles"]

T = TypeVar("T")

_AT_ONCE = 8 << 20  # bytes that are sent in one request; larger files are sent in parts
_PART = 8 << 20  # bytes of one part of a read or a write; stores refuse smaller ones than 5 MiB
_CLAIMS = ".claims/"  # objects by which writers keep each other off a name
_AT_A_TIME = 1000  # names of one request for a list
_TOGETHER = 3  # parts that are sent at the same time, each of them in memory


class _OpenObject:
    part = _PART

    def __init__(self, store: S3Store, name: str, facts: Any) -> None:
        self._store, self._name = store, name
        self.size = int(facts["size"])
        self.modified = int(facts["last_modified"].timestamp())
        self.etag = (facts.get("e_tag") or f"{self.modified:x}-{self.size:x}").strip('"').removeprefix("W/").strip('"')

    def read(self, start: int, length: int) -> bytes:
        length = min(length, self.size - start)
        if length <= 0:
            return b""
        return _asked(lambda: bytes(obstore.get_range(self._store, self._name, start=start, length=length)))

    def close(self) -> None:
        return


class ObjectFiles(Files):
    """Files as objects of one bucket, below a prefix.

    url: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`. address: where readers get the files, empty for the site itself.
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
        if not is_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        size = len(source) if isinstance(source, bytes) else source.stat().st_size
        if size <= _AT_ONCE:
            content = source if isinstance(source, bytes) else source.read_bytes()
            self._create(name, content, name)
            return
        # The store takes no condition for what is sent in parts: a claim keeps others off the name meanwhile.
        claim = f"{_CLAIMS}{blake2b(name.encode(), digest_size=16).hexdigest()}"
        self._create(claim, b"", name)
        try:
            if self.size(name) is not None:
                raise NameTaken(name)
            _asked(lambda: obstore.put(self._store, name, source, chunk_size=_PART, max_concurrency=_TOGETHER))
        finally:
            self._remove(claim)

    def open(self, name: str) -> Stored | None:
        if not is_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        try:
            facts = _asked(lambda: obstore.head(self._store, name))
        except FileNotFoundError:
            return None
        return _OpenObject(self._store, name, facts)

    def delete(self, name: str) -> None:
        if not is_name(name):
            raise ValueError(f"{name!r} cannot be the name of a file")
        self._remove(name)

    @contextmanager
    def local(self, name: str) -> Iterator[Path]:
        found = self.open(name)
        if found is None:
            raise FileNotFoundError(name)
        with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
            for start in range(0, found.size, _PART):
                copy.write(found.read(start, _PART))
            copy.flush()
            yield Path(copy.name)

    def listed(self, folder: str) -> Iterator[Kept]:
        return self._below(folder)

    def sweep(self, before: int) -> int:
        left = [claim.name for claim in self._below(_CLAIMS) if claim.modified < before]
        for name in left:
            self._remove(name)
        return len(left)

    def reach(self) -> None:
        try:
            next(iter(obstore.list(self._store, _CLAIMS.rstrip("/"), chunk_size=1)), None)
        except (BaseError, FileNotFoundError) as error:
            raise FilesUnreachable from error

    def _below(self, folder: str) -> Iterator[Kept]:
        pages = iter(_asked(lambda: obstore.list(self._store, folder.rstrip("/"), chunk_size=_AT_A_TIME)))
        while page := _asked(lambda: next(pages, None)):
            for one in page:
                yield Kept(one["path"], int(one["last_modified"].timestamp()))

    def url(self, name: str, origin: str) -> str:
        return f"{self._address}/{name}" if self._address else f"{origin}{ADDRESS}{name}"

    def _create(self, path: str, content: bytes, name: str) -> None:
        try:
            obstore.put(self._store, path, content, mode="create")
        except AlreadyExistsError:
            raise NameTaken(name) from None
        except BaseError as error:
            raise FilesUnreachable from error

    def _remove(self, path: str) -> None:
        try:
            _asked(lambda: obstore.delete(self._store, path))
        except FileNotFoundError:
            return


def _asked(ask: Callable[[], T]) -> T:
    """Return what the store answers. Raises FileNotFoundError, FilesUnreachable."""
    try:
        return ask()
    except (NotFoundError, FileNotFoundError):
        raise FileNotFoundError from None
    except BaseError as error:
        raise FilesUnreachable from error
