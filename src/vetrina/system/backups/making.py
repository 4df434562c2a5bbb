"""A backup made over the interface: asked for, written by the consumer of jobs, kept among the last few.

Rules: docs/rules/server.md, 4. The file: system/backups/archive.py; where it lies: system/backups/folder.py.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.core.change_source import Told
from vetrina.core.disk_usage import compute_site_sizes
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.system.backups import archive, folder as backup_folder, retention
from vetrina.system.backups.folder import BACKUP_KIND, StoredBackup, get_backup_folder
from vetrina.system.jobs.long_jobs import (
    SITE_BACKUP_JOB,
    LongJobCancelled,
    ProgressNotes,
    open_own_database,
    save_report,
    start_long_job,
)
from vetrina.system.jobs.rules import BackgroundJob

_LOG = logging.getLogger("vetrina.backups")
_SPARE_BYTES: Final = 64 << 20  # bytes that stay free beside a backup


class BackupNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_backup_invalid_name"
    message = "There is no backup {name!r}; the oldest are deleted when new ones are made."


class NoRoomForBackup(ApiError):
    failure, code = Failure.CONFLICT, "rest_backup_no_room"
    message = (
        "A backup may need {needed} MB, and {free} MB are free. "
        "Delete older backups, leave the media out, or make room on the disk."
    )


def list_backups(work: UnitOfWork) -> list[StoredBackup]:
    """Return the backups that there are, the newest first."""
    work.forbid_storing()
    return backup_folder.list_backups(get_backup_folder(work.site.folder))


def get_backup(work: UnitOfWork, name: str) -> StoredBackup:
    """Return a backup. Raises BackupNotFound."""
    work.forbid_storing()
    found = backup_folder.find_backup(get_backup_folder(work.site.folder), name)
    if found is None:
        raise BackupNotFound(name=name)
    return found


def delete_backup(work: UnitOfWork, backup: StoredBackup) -> None:
    """Delete a backup once this transaction is committed."""
    place = get_backup_folder(work.site.folder)
    _LOG.info("account %s deletes the backup %s", work.user.id, backup.name)
    work.run_after_commit(lambda: backup_folder.delete_backup(place, backup.name))
    work.tell(BACKUP_KIND, backup.name, "removed")


def start_backup(work: UnitOfWork, *, media: bool, secrets: bool) -> BackgroundJob:
    """Let a backup be made in the background. Raises LongJobRunning, NoRoomForBackup."""
    _require_room(work, media)
    _LOG.info("account %s asks for a backup", work.user.id)
    job = start_long_job(work, SITE_BACKUP_JOB, {"media": media, "secrets": secrets})
    work.tell(BACKUP_KIND, f"job {job.id}", "created")
    work.describe(BACKUP_KIND, f"job {job.id}", members={"media": Told(None, media), "secrets": Told(None, secrets)})
    return job


def prepare_backup(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], str | None]:
    """Return the call that writes a backup; it returns the name of its file, None where the job was taken away.

    Raises NoRoomForBackup.
    """
    media, secrets = bool(arguments.get("media", True)), bool(arguments.get("secrets", False))
    _require_room(work, media)
    site, now = work.site, work.now

    def write_backup() -> str | None:
        place = get_backup_folder(site.folder)
        with open_own_database(site) as database:
            note = ProgressNotes(database, SITE_BACKUP_JOB, arguments)
            source = archive.ArchivedSite(site.folder, site.settings.profile, database, site.files)
            try:
                with (
                    backup_folder.write_into_folder(place, now) as (part, whole),
                    part.open("wb") as out,
                ):
                    archive.write_backup(
                        out, source, place, lambda step: note(step.name, step.done, step.of),
                        secrets=secrets, media=media,
                    )  # fmt: skip
                    out.flush()
                    os.fsync(out.fileno())
            except LongJobCancelled:
                _LOG.info("a backup was called off")
                return None
        retention.delete_old_backups(place, site.settings.backups_kept)
        return whole.name

    return write_backup


def save_backup(work: UnitOfWork, arguments: Mapping[str, Any], name: str | None) -> None:
    """Note which file the job has made."""
    if name is not None:
        save_report(work, SITE_BACKUP_JOB, arguments, {"name": name})


def _require_room(work: UnitOfWork, media: bool) -> None:
    """Raise NoRoomForBackup where the disk cannot take a backup and the copy of the database that it is made of."""
    sizes = compute_site_sizes(work)
    needed = 2 * sizes.database + (sizes.uploads if media else 0) + _SPARE_BYTES
    free = shutil.disk_usage(work.site.folder).free
    if free < needed:
        raise NoRoomForBackup(needed=-(-needed // 10**6), free=free // 10**6)
