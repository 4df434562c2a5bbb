"""The import of catalogues, and the writing of the site's own: some files a call, until none is left.

Files are read while no transaction is open, so that no writer waits for them; a lock keeps two imports apart. Not here:
where files lie (multilingual/strings/catalog_files.py), what an entry becomes (multilingual/strings/rules.py). Rules:
facts, 10.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Final

import msgspec
from sqlalchemy import bindparam, delete, select, update

from vetrina.access.users.text_rules import locale_of
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import upsert
from vetrina.backends.tables.strings import catalog_file, string, string_translation
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.multilingual.services import locks as service_locks
from vetrina.multilingual.strings import catalog_files, catalogs
from vetrina.multilingual.strings import rules as strings
from vetrina.multilingual.strings.catalog_files import Source
from vetrina.multilingual.strings.rules import Entry

__all__ = ["ImportRunning", "Imported", "Open", "import_files", "write_files"]

Open = Callable[[bool], AbstractContextManager[Work]]

NEW, PARTLY, IMPORTED, FINISHED, SKIPPED = "not_imported", "partly_imported", "imported", "finished", "skipped"
_LOCK, _WRITING, _LOCK_SECONDS = "import_mo_strings", "pre_generate_mo_files", 300
_MOST_ENTRIES, _READ_SECONDS = 20_000, 10.0
_MOST_WRITTEN, _WRITE_SECONDS = 20, 5.0
_WAITING: Final = (NEW, PARTLY)


class ImportRunning(ApiError):
    """One import at a time."""

    status, code = 409, "mlang_import_running"
    message = "Another import is running. Send the request again when it has ended, in five minutes at most."


class Imported(msgspec.Struct, frozen=True):
    """What an import did. total: named files that waited before; remaining: all that wait after."""

    total: int
    remaining: int
    faults: tuple[tuple[str, str], ...] = ()


_FILES = Statement(select(catalog_file).order_by(catalog_file.c.path))
_PUT = Statement(
    upsert(
        catalog_file,
        ("path",),
        {column.name: bindparam(column.name) for column in catalog_file.c},
        {name: bindparam(name) for name in ("mark", "state", "entries", "fault", "domain", "component")},
    )
)
_DROP = Statement(delete(catalog_file).where(catalog_file.c.path == bindparam("path")))
_FINISH = Statement(
    update(catalog_file)
    .where(catalog_file.c.state == IMPORTED, catalog_file.c.domain == bindparam("of"))
    .values(state=FINISHED)
)
_PAIRS = Statement(
    select(string.c.domain, string_translation.c.language)
    .distinct()
    .join_from(string_translation, string, string.c.id == string_translation.c.string)
    .where(string_translation.c.fresh)
    .order_by(string.c.domain, string_translation.c.language)
)
_OWN = Statement(
    select(string_translation.c.string)
    .join_from(string_translation, string, string.c.id == string_translation.c.string)
    .where(
        string.c.domain == bindparam("domain"),
        string_translation.c.language == bindparam("code"),
        string_translation.c.status == strings.COMPLETE,
        string_translation.c.value.is_not(None),
    )
    .order_by(string_translation.c.string)
)
_SETTLE = Statement(
    update(string_translation)
    .where(
        string_translation.c.fresh,
        string_translation.c.changed < bindparam("before_it"),
        string_translation.c.language == bindparam("code"),
        string_translation.c.string.in_(select(string.c.id).where(string.c.domain == bindparam("of"))),
    )
    .values(fresh=False)
)


class _File(msgspec.Struct):
    """A file as it is known: what it was when it was read, and how far that went."""

    path: str
    kind: str
    component: str
    domain: str
    language: str
    mark: str
    state: str
    entries: int
    fault: str


def import_files(frame: Frame, open: Open, named: Mapping[str, Collection[str]]) -> Imported:
    """Import files of the named components, as many as one call may; the others are passed over.

    named: plugin, theme, other → names. Raises ImportRunning.
    """
    here = catalog_files.sources(frame)
    with open(False) as work:
        key = service_locks.take(work, _LOCK, _LOCK_SECONDS)
        if key is None:
            raise ImportRunning
        files = _noted(work, here, named)
    try:
        waiting = [file for file in files if file.state in _WAITING]
        read = _read(waiting)
        with open(False) as work:
            for file, entries in read:
                strings.ship(work, file.domain, file.language, entries)
                work.tx.run(_PUT, **msgspec.structs.asdict(file))
    finally:
        with open(False) as work:
            service_locks.free(work, _LOCK, key)
    faults = tuple((Path(file.path).name, file.fault) for file in waiting if file.fault)
    return Imported(len(waiting), sum(file.state in _WAITING for file in files), faults)


def write_files(frame: Frame, open: Open) -> int:
    """Write files of what was translated here, as many as one call may; return how many are left. Raises NoAccess."""
    start, done = time.monotonic(), 0
    with open(False) as work:
        pairs = [(str(row[0]), str(row[1])) for row in work.tx.all(_PAIRS)]
        key = service_locks.take(work, _WRITING, _LOCK_SECONDS)
    if key is None:
        return len(pairs)
    try:
        while done < min(len(pairs), _MOST_WRITTEN) and time.monotonic() - start < _WRITE_SECONDS:
            domain, language = pairs[done]
            with open(True) as work:
                now, data = work.now, _file(work, domain, language)
            catalog_files.write_own(frame, catalog_files.own_name(domain, language), data)
            with open(False) as work:
                # What was translated since it was read stays fresh, and makes the file anew the next time.
                work.tx.run(_SETTLE, of=domain, code=language, before_it=now)
                work.tx.run(_FINISH, of=domain)
            done += 1
    finally:
        with open(False) as work:
            service_locks.free(work, _WRITING, key)
    return len(pairs) - done


def _noted(work: Work, here: Sequence[Source], named: Mapping[str, Collection[str]]) -> list[_File]:
    """Bring what is known of the files to what they are now, and return them all."""
    known = {row[0]: _File(*row) for row in work.tx.all(_FILES)}
    files = []
    for source in here:
        file = known.pop(source.path, None)
        if file is None or file.mark != source.mark:
            file = _File(**msgspec.structs.asdict(source), state=NEW, entries=0, fault="")
        if file.state in (*_WAITING, SKIPPED):
            read = PARTLY if file.entries else NEW
            file.state = read if _is_named(source, named) else SKIPPED
        work.tx.run(_PUT, **msgspec.structs.asdict(file))
        files.append(file)
    for path in known:
        work.tx.run(_DROP, path=path)
    return files


def _is_named(source: Source, named: Mapping[str, Collection[str]]) -> bool:
    """Say whether a file belongs to a named component; a module is named by its folder, or by its folder and file."""
    names = named.get(source.kind, ())
    return source.component in names or (
        source.kind == "plugin" and any(name.partition("/")[0] == source.component for name in names)
    )


def _read(files: Sequence[_File]) -> list[tuple[_File, list[Entry]]]:
    """Read files from where they were left, and note in each how far it went."""
    start, left = time.monotonic(), _MOST_ENTRIES
    out: list[tuple[_File, list[Entry]]] = []
    for file in files:
        if left <= 0 or time.monotonic() - start > _READ_SECONDS:
            break
        try:
            entries = catalogs.read(Path(file.path).read_bytes())
        except (OSError, catalogs.CannotRead) as error:
            # Not asked again until it becomes another file.
            file.state, file.fault = FINISHED, str(error)
            out.append((file, []))
            continue
        part = entries[file.entries : file.entries + left]
        left -= len(part)
        file.entries += len(part)
        file.state, file.fault = IMPORTED if file.entries >= len(entries) else PARTLY, ""
        out.append((file, part))
    return out


def _file(work: Work, domain: str, language: str) -> bytes | None:
    """Return the file of what was translated here; None where a shipped file says all of it."""
    ids = [row[0] for row in work.tx.all(_OWN, domain=domain, code=language)]
    texts = {text.id: text for text in strings.by_ids(work, ids)}
    entries = [
        (texts[id], one.value)
        for id, known in strings.translations(work, ids).items()
        for one in known
        if one.language == language and one.value is not None and one.value != one.shipped
    ]
    return catalogs.written(domain, locale_of(language), entries) if entries else None
