"""Themes uploaded as zip archives: checked before anything is written, then unpacked beside the others.

A theme is data, so only file types of a theme are extracted, never programs. No name leads out of the theme's folder,
no member is a link, and sizes are counted while unpacking, never trusted. What a theme is:
design/themes/model.py.
"""

from __future__ import annotations

import re
import shutil
import stat
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from vetrina.core.site_context import SiteContext
from vetrina.design.themes import active_theme, model as themes

_MAX_MEMBERS: Final = 2_000
_MAX_BYTES: Final = 64 << 20  # bytes of all files together, unpacked
_CHUNK: Final = 64 << 10
_ALLOWED_SUFFIXES: Final = frozenset(
    {
        ".css", ".html", ".json", ".txt", ".md", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".woff", ".woff2",
        ".ttf", ".otf",
    }
)  # fmt: skip
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}", re.ASCII)


class InvalidThemePackage(ValueError):
    """The archive holds no theme that can be accepted; the message says why."""


class ThemeAlreadyInstalled(ValueError):
    """The site already has a theme of that name."""


@dataclass(frozen=True, slots=True)
class ThemePackage:
    """An unpacked and checked theme. folder: its temporary location until it is installed."""

    name: str
    title: str
    folder: Path


@contextmanager
def unpack_theme(site: SiteContext, archive: Path) -> Iterator[ThemePackage]:
    """Unpack a theme for the duration of the context. Raises InvalidThemePackage, ThemeAlreadyInstalled."""
    if site.folder == Path():
        raise InvalidThemePackage("this site has no folder that a theme could be put into")
    home = site.folder / "themes"
    home.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=home) as folder:
        yield _unpack_archive(site, archive, Path(folder))


def install_theme(site: SiteContext, package: ThemePackage) -> None:
    """Move an unpacked theme to the site's themes. Raises ThemeAlreadyInstalled."""
    target = site.folder / "themes" / package.name
    try:
        # Within one file system a rename is atomic; it fails for an installed theme, whose folder is not empty.
        package.folder.rename(target)
    except OSError:
        raise ThemeAlreadyInstalled(package.name) from None


def _unpack_archive(site: SiteContext, archive: Path, temporary: Path) -> ThemePackage:
    try:
        with zipfile.ZipFile(archive) as box:
            members = _list_archive_members(box)
            top = {member.parts[0] for member in members.values()}
            if len(top) != 1 or not _NAME.fullmatch(name := next(iter(top)).lower()):
                raise InvalidThemePackage(
                    "the archive must hold one folder, named with small letters, digits and strokes"
                )
            if name in active_theme.list_installed_themes(site):
                raise ThemeAlreadyInstalled(name)
            folder = temporary / name
            _extract_members(box, members, folder)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        shutil.rmtree(temporary, ignore_errors=True)
        raise InvalidThemePackage(f"the file is no zip archive that can be read: {error}") from None
    try:
        theme = themes.load_theme_uncached(folder)
    except ValueError as error:
        raise InvalidThemePackage(str(error).replace(str(temporary), "")) from None
    return ThemePackage(name, theme.title, folder)


def _list_archive_members(box: zipfile.ZipFile) -> dict[zipfile.ZipInfo, PurePosixPath]:
    """Return an archive's theme files with their paths. Raises InvalidThemePackage."""
    infos = box.infolist()
    if len(infos) > _MAX_MEMBERS:
        raise InvalidThemePackage(f"the archive holds more than {_MAX_MEMBERS} files")
    if sum(info.file_size for info in infos) > _MAX_BYTES:
        raise InvalidThemePackage(f"the archive holds more than {_MAX_BYTES} bytes")
    found = {}
    for info in infos:
        path = PurePosixPath(info.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in info.filename or ":" in info.filename:
            raise InvalidThemePackage(f"{info.filename!r} would lead out of the theme's folder")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise InvalidThemePackage(f"{info.filename!r} is a link")
        if info.flag_bits & 1:
            raise InvalidThemePackage("the archive is locked with a password")
        hidden = any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
        if not info.is_dir() and len(path.parts) > 1 and not hidden and path.suffix.lower() in _ALLOWED_SUFFIXES:
            found[info] = path
    if not found:
        raise InvalidThemePackage("the archive holds no file of a theme")
    return found


def _extract_members(box: zipfile.ZipFile, members: dict[zipfile.ZipInfo, PurePosixPath], folder: Path) -> None:
    """Extract the files of a theme. Raises InvalidThemePackage if they are larger than the archive claims."""
    left = _MAX_BYTES
    for info, path in members.items():
        target = folder.joinpath(*path.parts[1:])
        target.parent.mkdir(parents=True, exist_ok=True)
        with box.open(info) as source, target.open("wb") as out:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise InvalidThemePackage(f"the archive holds more than {_MAX_BYTES} bytes")
                out.write(chunk)
