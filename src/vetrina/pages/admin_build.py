"""The administration's front end as its build left it: what the page loads, or how far a build is.

The build (admin/) writes the files, and the manifest last. Sending them: http/built_files.py. Why they are in the
package: docs/decisions/administration.md.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

ADMIN_FOLDER: Final = Path(__file__).parent / "admin_files"
ADMIN_FILES_PATH: Final = "/admin/files/"
_MANIFEST: Final = "manifest.json"
_MARKER: Final = ".building"  # there while a build runs; its text says how far that is
_MAX_PROGRESS: Final = 200  # characters of the progress that a page shows


class ScreenFiles(msgspec.Struct, frozen=True):
    """What a screen loads beyond what comes with every page.

    pattern: of its path below the administration, `/content/:type`. scripts: modules. styles: sheets.
    """

    pattern: str
    scripts: tuple[str, ...] = ()
    styles: tuple[str, ...] = ()

    def matches(self, path: str) -> bool:
        """Return whether a path below the administration, without a slash at its end, leads to the screen."""
        wanted, given = self.pattern.split("/"), path.split("/")
        return len(wanted) == len(given) and all(
            one == other or (one.startswith(":") and other != "") for one, other in zip(wanted, given, strict=True)
        )


class AdminManifest(msgspec.Struct, frozen=True, rename="camel"):
    """What the page of the administration loads.

    first: the script that asks for what every screen begins with. script: its module. styles: its sheets. preload:
    modules that the first one needs. screens: in the order in which a path is compared with them. script_hashes:
    digests of the inline scripts of the editor's canvas.
    """

    script: str
    first: str
    styles: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()
    screens: tuple[ScreenFiles, ...] = ()
    script_hashes: tuple[str, ...] = ()

    def find_screen(self, path: str) -> ScreenFiles | None:
        """Return the files of the screen of a path below the administration, None where none is known."""
        return next((one for one in self.screens if one.matches(path)), None)


class AdminBuild:
    """The folder of the built front end. It may be built while the site answers."""

    def __init__(self, folder: Path = ADMIN_FOLDER) -> None:
        self._folder = folder
        self._known: tuple[int, AdminManifest] | None = None

    def load_manifest(self) -> AdminManifest | None:
        """Return what the page loads, None where nothing is built. Raises msgspec.MsgspecError for a broken one."""
        path = self._folder / _MANIFEST
        try:
            changed = path.stat().st_mtime_ns
            if self._known is None or self._known[0] != changed:
                self._known = changed, msgspec.json.decode(path.read_bytes(), type=AdminManifest)
        except FileNotFoundError:
            return None
        return self._known[1]

    def find_progress(self) -> str | None:
        """Return how far a running build is, None where none runs."""
        try:
            text = (self._folder / _MARKER).read_text(encoding="utf-8", errors="replace")
        except FileNotFoundError:
            return None
        lines = text.strip().splitlines()
        return lines[-1][:_MAX_PROGRESS] if lines else ""
