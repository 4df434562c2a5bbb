"""Files that belong to no record, which a process that died between keeping a file and noting it leaves behind.

A file younger than an hour may belong to a request that is still at work, so it is none of them: this may run while the
site is served. Not here: files that records miss (media/uploads/checks.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import media, record
from vetrina.content.types.registry import FONT_FACE
from vetrina.core.unit_of_work import Frame, Work
from vetrina.media.uploads import filenames

__all__ = ["SAFE_AGE", "kept_names", "orphans", "sweep"]

SAFE_AGE: Final = 3600  # seconds; no request lasts that long

_FILES: Final = Statement(select(media.c.file, media.c.original, media.c.sizes))
_FACES: Final = Statement(select(record.c.meta).where(record.c.type == bindparam("type")))


def kept_names(work: Work) -> set[str]:
    """Return the names of all files that records have."""
    out: set[str] = set()
    for file, original, sizes in work.tx.all(_FILES):
        folder = file.rpartition("/")[0]
        out.update(filenames.FOLDER + path for path in (file, original) if path)
        if sizes != "{}":
            out.update(f"{filenames.FOLDER}{folder}/{one['file']}" for one in orjson.loads(sizes).values())
    for (meta,) in work.tx.all(_FACES, type=FONT_FACE.name):
        out.update(orjson.loads(meta).get("files", ()))
    return out


def orphans(work: Work) -> Iterator[str]:
    """Give the names of files that no record has, the young ones left out."""
    before = work.now - SAFE_AGE
    # The files first: what is noted after they were listed belongs to none of the old ones.
    old = [one.name for one in work.frame.files.listed(filenames.FOLDER) if one.modified < before]
    if old:
        known = kept_names(work)
        yield from sorted(name for name in old if name not in known)


def sweep(frame: Frame, names: list[str]) -> int:
    """Remove files, and what writers that died left half-written; return how many. names: as `orphans` gives them."""
    for name in names:
        frame.files.delete(name)
    return len(names) + frame.files.sweep(frame.clock.now() - SAFE_AGE)
