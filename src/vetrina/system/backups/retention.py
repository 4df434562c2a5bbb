"""How many backups of those that were made over the interface are kept."""

from __future__ import annotations

from pathlib import Path

from vetrina.system.backups.folder import delete_backup, list_backups


def delete_old_backups(folder: Path, keep: int) -> None:
    """Delete the oldest backups beyond a number. Files without a manifest are somebody's, and stay."""
    own = [one for one in list_backups(folder) if one.manifest is not None]
    for one in own[keep:]:
        delete_backup(folder, one.name)
