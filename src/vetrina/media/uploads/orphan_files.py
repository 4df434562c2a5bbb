"""Files that belong to no record, left behind by a process that died after storing a file and before the commit.

A file younger than an hour may belong to a running request and is left out: this may run while the site is served.
Files missing for records: media/uploads/integrity_rules.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import media, record
from vetrina.content.types.registry import FONT_FACE
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.uploads import filenames

SAFE_AGE: Final = 3600  # seconds; no request lasts that long

_FILES: Final = Statement(select(media.c.file, media.c.original, media.c.sizes))
_FACES: Final = Statement(select(record.c.meta).where(record.c.type == bindparam("type")))


def list_recorded_names(work: UnitOfWork) -> set[str]:
    """Return the names of all files that records have."""
    out: set[str] = set()
    for file, original, sizes in work.tx.all(_FILES):
        folder = file.rpartition("/")[0]
        out.update(filenames.UPLOADS_FOLDER + path for path in (file, original) if path)
        if sizes != "{}":
            out.update(f"{filenames.UPLOADS_FOLDER}{folder}/{one['file']}" for one in orjson.loads(sizes).values())
    for (meta,) in work.tx.all(_FACES, type=FONT_FACE.name):
        out.update(orjson.loads(meta).get("files", ()))
    return out


def iterate_orphaned_files(work: UnitOfWork) -> Iterator[str]:
    """Yield the names of files that no record has, except recent ones."""
    before = work.now - SAFE_AGE
    # List the files first: records committed after that own none of the old ones.
    old = [one.name for one in work.site.files.list_files(filenames.UPLOADS_FOLDER) if one.modified < before]
    if old:
        known = list_recorded_names(work)
        yield from sorted(name for name in old if name not in known)


def delete_orphaned_files(site: SiteContext, names: list[str]) -> int:
    """Delete files, and partial files of dead writers; return how many. names: from `iterate_orphaned_files`."""
    for name in names:
        site.files.delete(name)
    return len(names) + site.files.sweep(site.clock.now() - SAFE_AGE)
