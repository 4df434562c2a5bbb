"""Import of catalog files: some per call, until none is left.

Files are read while no transaction is open, so that no writer waits for them; a lock prevents two imports at once. Not
here: paths of files (multilingual/strings/catalog_files.py), what an entry becomes (multilingual/strings/rules.py),
writing the site's own files (multilingual/strings/catalog_writing.py).
Rules: docs/rules/strings.md, 3.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, select

from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import build_upsert
from vetrina.backends.tables.strings import mlang_catalog_file
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.multilingual.services import locks as service_locks
from vetrina.multilingual.strings import catalog_files, catalogs, rules as strings
from vetrina.multilingual.strings.catalog_files import CatalogSource
from vetrina.multilingual.strings.rules import CatalogEntry

OpenUnitOfWork = Callable[[bool], AbstractContextManager[UnitOfWork]]

NEW, PARTLY, IMPORTED, FINISHED, SKIPPED = "not_imported", "partly_imported", "imported", "finished", "skipped"
_LOCK, _LOCK_SECONDS = "import_mo_strings", 300
_MOST_ENTRIES, _READ_SECONDS = 20_000, 10.0
_WAITING: Final = (NEW, PARTLY)


class CatalogImportRunning(ApiError):
    """Another import is running."""

    failure, code = Failure.CONFLICT, "mlang_import_running"
    message = "Another import is running. Send the request again when it has ended, in five minutes at most."


class CatalogImportResult(msgspec.Struct, frozen=True):
    """The result of an import. total: named files that waited before; remaining: all that still wait."""

    total: int
    remaining: int
    faults: tuple[tuple[str, str], ...] = ()


_FILES = Statement(select(mlang_catalog_file).order_by(mlang_catalog_file.c.path))
_PUT = Statement(
    build_upsert(
        mlang_catalog_file,
        ("path",),
        {column.name: bindparam(column.name) for column in mlang_catalog_file.c},
        {name: bindparam(name) for name in ("mark", "state", "entries", "fault", "domain", "component")},
    )
)
_DROP = Statement(delete(mlang_catalog_file).where(mlang_catalog_file.c.path == bindparam("path")))


class _CatalogFileState(msgspec.Struct):
    """The stored state of a file: its mark when it was read, and how far reading got."""

    path: str
    kind: str
    component: str
    domain: str
    language: str
    mark: str
    state: str
    entries: int
    fault: str


def import_catalog_files(
    site: SiteContext,
    open: OpenUnitOfWork,
    named: Mapping[str, Collection[str]],
    most_entries: int = _MOST_ENTRIES,
) -> CatalogImportResult:
    """Import files of the named components, as many as fit into one call; other files are skipped.

    named: plugin, theme, other → names. most_entries: of all files that one call imports. Raises CatalogImportRunning.
    """
    here = catalog_files.list_catalog_sources(site)
    with open(False) as work:
        key = service_locks.acquire_lock(work, _LOCK, _LOCK_SECONDS)
        if key is None:
            raise CatalogImportRunning
        files = _record_files(work, here, named)
    try:
        waiting = [file for file in files if file.state in _WAITING]
        read = _read_entries(waiting, most_entries)
        with open(False) as work:
            for file, entries in read:
                strings.save_catalog_entries(work, file.domain, file.language, entries)
                work.tx.run(_PUT, **msgspec.structs.asdict(file))
    finally:
        with open(False) as work:
            service_locks.release_lock(work, _LOCK, key)
    faults = tuple((Path(file.path).name, file.fault) for file in waiting if file.fault)
    return CatalogImportResult(len(waiting), sum(file.state in _WAITING for file in files), faults)


def _record_files(
    work: UnitOfWork, sources: Sequence[CatalogSource], named: Mapping[str, Collection[str]]
) -> list[_CatalogFileState]:
    """Update the stored states from the files that exist now, and return them all."""
    known = {row[0]: _CatalogFileState(*row) for row in work.tx.all(_FILES)}
    files = []
    for source in sources:
        file = known.pop(source.path, None)
        if file is None or file.mark != source.mark:
            file = _CatalogFileState(**msgspec.structs.asdict(source), state=NEW, entries=0, fault="")
        if file.state in (*_WAITING, SKIPPED):
            read = PARTLY if file.entries else NEW
            file.state = read if _is_named_component(source, named) else SKIPPED
        work.tx.run(_PUT, **msgspec.structs.asdict(file))
        files.append(file)
    for path in known:
        work.tx.run(_DROP, path=path)
    return files


def _is_named_component(source: CatalogSource, named: Mapping[str, Collection[str]]) -> bool:
    """Say whether a file belongs to a named component; a module is named by its folder, or by its folder and file."""
    names = named.get(source.kind, ())
    return source.component in names or (
        source.kind == "plugin" and any(name.partition("/")[0] == source.component for name in names)
    )


def _read_entries(files: Sequence[_CatalogFileState], most: int) -> list[tuple[_CatalogFileState, list[CatalogEntry]]]:
    """Read files from where the last call stopped, and store in each state how far reading got."""
    start, left = time.monotonic(), most
    out: list[tuple[_CatalogFileState, list[CatalogEntry]]] = []
    for file in files:
        if left <= 0 or time.monotonic() - start > _READ_SECONDS:
            break
        try:
            entries = catalogs.parse_catalog(Path(file.path).read_bytes())
        except (OSError, catalogs.CannotReadCatalog) as error:
            # Skipped until the file changes.
            file.state, file.fault = FINISHED, str(error)
            out.append((file, []))
            continue
        part = entries[file.entries : file.entries + left]
        left -= len(part)
        file.entries += len(part)
        file.state, file.fault = IMPORTED if file.entries >= len(entries) else PARTLY, ""
        out.append((file, part))
    return out
