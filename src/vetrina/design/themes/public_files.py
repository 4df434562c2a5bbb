"""The pictures and fonts of themes as readers ask for them, beside the files of the site: `themes/{theme}/{path}`.

Templates, settings and whatever else is in the folder of a theme are sent to nobody. Rules: docs/rules/themes.md, 12.
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Final, Protocol

from vetrina.backends.file_store import FILE_URL_PREFIX, FolderFileStore, OpenedFile
from vetrina.core.site_context import SiteContext
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import Theme

_FOLDER: Final = "themes/"
_SUFFIXES: Final = frozenset((".woff2", ".woff", ".ttf", ".otf", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"))


class _FileOpener(Protocol):
    near: bool

    def open(self, name: str) -> OpenedFile | None: ...


class ThemeFileSource:
    """The files of a site, and those of its themes. files: the former."""

    def __init__(self, files: _FileOpener, site: SiteContext) -> None:
        self._files, self._site = files, site
        self.near = files.near

    def open(self, name: str) -> OpenedFile | None:
        """Open a file; raises ValueError for an invalid name."""
        if not name.startswith(_FOLDER):
            return self._files.open(name)
        theme, _, path = name.removeprefix(_FOLDER).partition("/")
        if PurePosixPath(path).suffix.lower() not in _SUFFIXES:
            return None
        folder = active_theme.find_theme_folder(self._site, theme)
        return FolderFileStore(folder).open(path) if folder is not None else None


def build_theme_url(theme: Theme, origin: str) -> str:
    """Return the address of a theme's folder, without a slash at its end; origin: scheme and host of the site."""
    return f"{origin}{FILE_URL_PREFIX}{_FOLDER}{theme.name}"
