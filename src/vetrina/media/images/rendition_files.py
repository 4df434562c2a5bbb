"""The stored files of renditions: their folders, and how they go, with their image or because there are too many.

Making them: media/images/renditions.py. Rules: docs/rules/pictures.md, 5.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import Final

from vetrina.backends.file_store import FileStore

RENDITIONS_FOLDER: Final = "renditions/"  # prefix of their names in the store of files


def build_rendition_folder(path: str) -> str:
    """Return the folder of a file's renditions in the store. path: in the uploads folder."""
    return f"{RENDITIONS_FOLDER}{blake2b(path.encode(), digest_size=12).hexdigest()}/"


def delete_renditions(files: FileStore, path: str) -> None:
    """Delete the renditions of a file. path: in the uploads folder."""
    for one in list(files.list_files(build_rendition_folder(path))):
        files.delete(one.name)


def sweep_renditions(files: FileStore, most: int) -> int:
    """Delete the oldest renditions but for `most`, less a tenth, so that not each one more leads to a walk."""
    found = sorted(files.list_files(RENDITIONS_FOLDER), key=lambda one: one.modified)
    if len(found) <= most:
        return 0
    gone = found[: len(found) - most + most // 10]
    for one in gone:
        files.delete(one.name)
    return len(gone)
