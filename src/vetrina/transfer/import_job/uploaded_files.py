"""The file that an import from a browser reads: one at a time, in a folder that only the server's account may read.

Rules: docs/rules/server.md, 8.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.system.jobs.long_jobs import SITE_IMPORT_JOB, find_long_job, is_under_way

TABLE_ENDING: Final = ".csv"
ENDINGS: Final = (".xml", TABLE_ENDING)
_KEPT_SECONDS: Final = 7 * 86400  # seconds after which a file that nobody needed is deleted
_FOLDER: Final = "transfers"
_FOLDER_MODE, _FILE_MODE = 0o700, 0o600
_NOT_IN_NAMES: Final = re.compile(r"[^\w. -]")
_LONGEST: Final = 100


class UploadedExport(NamedTuple):
    """A file that is there. size: bytes. sent: seconds since 1970."""

    path: Path
    size: int
    sent: int


class ExportFileMissing(ApiError):
    failure, code = Failure.INVALID, "rest_import_file_missing"
    message = "Send the file as the field `file` of a form, not empty, or choose an address."


class ExportFileUnknown(ApiError):
    failure, code = Failure.INVALID, "rest_import_file_unknown"
    message = "{name!r} is neither an export file (.xml) nor a table of products (.csv)."


def get_transfer_folder(site_folder: Path) -> Path:
    """Return the folder of files that were sent, which need not exist yet."""
    return site_folder / _FOLDER


def find_uploaded_file(folder: Path) -> UploadedExport | None:
    """Return the file that was sent last, None where there is none."""
    found = [path for path in folder.glob("*") if path.suffix in ENDINGS and path.is_file()] if folder.is_dir() else []
    if not found:
        return None
    newest = max(found, key=lambda path: path.stat().st_mtime)
    facts = newest.stat()
    return UploadedExport(newest, facts.st_size, int(facts.st_mtime))


def choose_file_name(name: str) -> str:
    """Return the name under which a file is kept. Raises ExportFileUnknown."""
    plain = PurePosixPath(name.replace("\\", "/"))
    ending = plain.suffix.lower()
    if ending not in ENDINGS:
        raise ExportFileUnknown(name=plain.name)
    return f"{_NOT_IN_NAMES.sub('_', plain.stem).strip('. ')[:_LONGEST] or 'export'}{ending}"


def keep_file(folder: Path, name: str, sent: Path, now: int) -> None:
    """Keep a file under a name, in the place of what was there. sent: where it lies. now: seconds since 1970."""
    folder.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    part = folder / f"{name}.part"
    part.unlink(missing_ok=True)
    try:
        os.link(sent, part)
    except OSError:
        shutil.copyfile(sent, part)
    part.chmod(_FILE_MODE)
    os.utime(part, (now, now))
    delete_files(folder, before=None, but=part)
    part.rename(folder / name)


def delete_files(folder: Path, *, before: int | None, but: Path | None = None) -> None:
    """Delete what was sent, all of it or only what is older. before: seconds since 1970, None for all."""
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        if path != but and path.is_file() and (before is None or path.stat().st_mtime < before):
            path.unlink(missing_ok=True)


def delete_old_uploads(work: UnitOfWork) -> None:
    """Delete files that were sent and that nobody has brought in for days."""
    if not is_under_way(find_long_job(work, SITE_IMPORT_JOB)):
        delete_files(get_transfer_folder(work.site.folder), before=work.now - _KEPT_SECONDS)
