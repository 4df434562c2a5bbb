"""The data of uploaded files beside their records, and the addresses of the files.

Not here: what a write makes of them (media/attachments/rules.py). Rules: docs/rules/media.md, 10.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.store import JSON, ColumnCodec, Store
from vetrina.backends.tables.records import media as table
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.images.pixel_sizes import PixelSize, SubSize
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import TYPE_OF_EXTENSION
from vetrina.media.uploads.replacement import FileNames


class MediaFile(msgspec.Struct, frozen=True):
    """The data of a file beside its record."""

    record: int
    file: str
    original: str
    kind: str
    mime_type: str
    width: int
    height: int
    filesize: int
    alt_text: str
    sizes: dict[str, SubSize]
    details: dict[str, Any]

    @property
    def size(self) -> PixelSize:
        return PixelSize(self.width, self.height)

    @property
    def original_path(self) -> str:
        """The path of the file as it was uploaded."""
        return self.original or self.file

    @property
    def source_path(self) -> str:
        """The path of the largest file in its own format, from which others are made."""
        ending = self.original.rpartition(".")[2].lower()
        return self.original if TYPE_OF_EXTENSION.get(ending) == self.mime_type else self.file

    @property
    def names(self) -> FileNames:
        """The names of its files, for another one that takes them."""
        sizes = {one.file: PixelSize(one.width, one.height) for one in self.sizes.values()}
        return FileNames(self.file, self.original, self.mime_type, sizes)

    @property
    def paths(self) -> list[str]:
        """The paths of all its files in the uploads folder."""
        folder = self.file.rpartition("/")[0]
        paths = (self.file, self.original, *(f"{folder}/{one.file}" for one in self.sizes.values()))
        return [path for path in dict.fromkeys(paths) if path]


def _encode_sizes(sizes: Mapping[str, SubSize]) -> str:
    return orjson.dumps({name: msgspec.structs.asdict(one) for name, one in sizes.items()}).decode()


_SIZES: Final = ColumnCodec(msgspec.json.Decoder(dict[str, SubSize]).decode, _encode_sizes)
_STORE: Final = Store(table, MediaFile, {"sizes": _SIZES, "details": JSON}, key="record")
_OTHER_OF_FILE = Statement(
    select(table.c.record).where(table.c.file == bindparam("file"), table.c.record != bindparam("of")).limit(1)
)
_OF_FILE = Statement(select(table.c.record).where(table.c.file == bindparam("file")))


def load_media_files(tx: Transaction, ids: Sequence[int]) -> dict[int, MediaFile]:
    """Return the data of some records' files by record id, with one query."""
    return _STORE.load_by_ids(tx, ids) if ids else {}


def find_media_file(tx: Transaction, id: int) -> MediaFile | None:
    """Return the file data of a record."""
    return _STORE.find(tx, id)


def insert_media_file(tx: Transaction, media: MediaFile) -> None:
    """Store the data of a new record's file."""
    _STORE.insert(tx, media)


def update_media_file(tx: Transaction, old: MediaFile, new: MediaFile) -> None:
    """Store changed data of a file."""
    _STORE.update(tx, old, new)


def list_records_of_file(tx: Transaction, path: str) -> list[int]:
    """Return the records that share a file. path: in the uploads folder."""
    return [id for (id,) in tx.all(_OF_FILE, file=path)]


def is_file_shared(tx: Transaction, path: str, of: int) -> bool:
    """Return whether another record has the same file. path: in the uploads folder."""
    return tx.value(_OTHER_OF_FILE, file=path, of=of) is not None


def build_file_url(work: UnitOfWork, path: str) -> str:
    """Return the URL of a file; path: in the uploads folder."""
    return work.site.files.url(filenames.UPLOADS_FOLDER + path, work.origin)
