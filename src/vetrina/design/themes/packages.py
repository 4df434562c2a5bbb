"""Themes that come as zip archives: looked through before anything is written, then unpacked beside the others.

A theme is data, so only files of the kinds that a theme is made of are taken; programs in an archive stay there. No
name leads out of the theme's folder, no member is a link, and sizes are counted while unpacking, never believed.
Not here: what a theme is (design/themes/rules.py), the route (namespaces/shop_admin).
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

from vetrina.core.unit_of_work import Frame
from vetrina.design.themes import rules as themes

__all__ = ["BadPackage", "Package", "ThemeThere", "keep", "unpacked"]

_MOST_MEMBERS: Final = 2_000
_MOST_BYTES: Final = 64 << 20  # of all files together, unpacked
_CHUNK: Final = 64 << 10
_KINDS: Final = frozenset(
    {
        ".css", ".html", ".json", ".txt", ".md", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".woff", ".woff2",
        ".ttf", ".otf",
    }
)  # fmt: skip
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}", re.ASCII)


class BadPackage(ValueError):
    """The archive holds no theme that may be taken; the message says why."""


class ThemeThere(ValueError):
    """The site has a theme of that name already."""


@dataclass(frozen=True, slots=True)
class Package:
    """A theme that was unpacked and looked through. folder: where it lies until it is kept."""

    name: str
    title: str
    folder: Path


@contextmanager
def unpacked(frame: Frame, archive: Path) -> Iterator[Package]:
    """Unpack a theme for as long as the context lasts. Raises BadPackage, ThemeThere."""
    if frame.folder == Path():
        raise BadPackage("this site has no folder that a theme could be put into")
    home = frame.folder / "themes"
    home.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".incoming-", dir=home) as place:
        yield _unpack(frame, archive, Path(place))


def keep(frame: Frame, package: Package) -> None:
    """Put an unpacked theme among those of the site. Raises ThemeThere."""
    target = frame.folder / "themes" / package.name
    try:
        # Within one folder a rename is whole or not at all; a theme that is there already is not empty.
        package.folder.rename(target)
    except OSError:
        raise ThemeThere(package.name) from None


def _unpack(frame: Frame, archive: Path, place: Path) -> Package:
    try:
        with zipfile.ZipFile(archive) as box:
            members = _members(box)
            top = {member.parts[0] for member in members.values()}
            if len(top) != 1 or not _NAME.fullmatch(name := next(iter(top)).lower()):
                raise BadPackage("the archive must hold one folder, named with small letters, digits and strokes")
            if name in themes.installed(frame):
                raise ThemeThere(name)
            folder = place / name
            _extract(box, members, folder)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        shutil.rmtree(place, ignore_errors=True)
        raise BadPackage(f"the file is no zip archive that can be read: {error}") from None
    try:
        theme = themes.read_anew(folder)
    except ValueError as error:
        raise BadPackage(str(error).replace(str(place), "")) from None
    return Package(name, theme.title, folder)


def _members(box: zipfile.ZipFile) -> dict[zipfile.ZipInfo, PurePosixPath]:
    """Return the files of an archive that a theme is made of, with their paths. Raises BadPackage."""
    infos = box.infolist()
    if len(infos) > _MOST_MEMBERS:
        raise BadPackage(f"the archive holds more than {_MOST_MEMBERS} files")
    if sum(info.file_size for info in infos) > _MOST_BYTES:
        raise BadPackage(f"the archive holds more than {_MOST_BYTES} bytes")
    found = {}
    for info in infos:
        path = PurePosixPath(info.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in info.filename or ":" in info.filename:
            raise BadPackage(f"{info.filename!r} would lead out of the theme's folder")
        if stat.S_ISLNK(info.external_attr >> 16):
            raise BadPackage(f"{info.filename!r} is a link")
        if info.flag_bits & 1:
            raise BadPackage("the archive is locked with a password")
        hidden = any(part.startswith(".") or part == "__MACOSX" for part in path.parts)
        if not info.is_dir() and len(path.parts) > 1 and not hidden and path.suffix.lower() in _KINDS:
            found[info] = path
    if not found:
        raise BadPackage("the archive holds no file of a theme")
    return found


def _extract(box: zipfile.ZipFile, members: dict[zipfile.ZipInfo, PurePosixPath], folder: Path) -> None:
    """Write the files of a theme. Raises BadPackage when they are more than their archive says."""
    left = _MOST_BYTES
    for info, path in members.items():
        target = folder.joinpath(*path.parts[1:])
        target.parent.mkdir(parents=True, exist_ok=True)
        with box.open(info) as source, target.open("wb") as out:
            while chunk := source.read(_CHUNK):
                left -= len(chunk)
                if left < 0:
                    raise BadPackage(f"the archive holds more than {_MOST_BYTES} bytes")
                out.write(chunk)
