"""Where catalogues lie: those of themes and modules, those of the site's own folder, and those that the site writes.

In the site's folder `languages/`: `plugins/DOMAIN-LOCALE.mo`, `themes/DOMAIN-LOCALE.mo`, and `DOMAIN-LOCALE.mo` or
`LOCALE.mo` for the rest; `mlang/` has what the site wrote. A theme and a module have a folder `languages` of their own.
Not here: what is in a file (multilingual/strings/catalogs.py), how it is imported
(multilingual/strings/catalog_import.py).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from importlib import metadata, util
from pathlib import Path
from typing import Final

import msgspec

from vetrina.access.users.text_rules import locale_of
from vetrina.core.unit_of_work import Frame
from vetrina.design.themes import rules as themes

__all__ = ["GROUP", "NoAccess", "Source", "language_of", "own_name", "sources", "write_own"]

GROUP: Final = "vetrina.modules"  # entry points of installed modules; the name of one is the module's
_NAMED = re.compile(r"(?:(?P<domain>.+)-)?(?P<locale>[a-z]{2,3}(?:_[A-Za-z0-9]+)*)\.mo", re.ASCII)
_UNSAFE = re.compile(r"[^a-z0-9_.-]+", re.ASCII)
_DEFAULT: Final = "default"


class NoAccess(OSError):
    """The folder of the written files cannot be written to."""


class Source(msgspec.Struct, frozen=True):
    """A file of translations. kind: plugin, theme or other; component: whose it is; mark: changes with the file."""

    path: str
    kind: str
    component: str
    domain: str
    language: str
    mark: str


def sources(frame: Frame) -> list[Source]:
    """Return every file in a language of the site."""
    languages = frame.folder / "languages"
    out = list(_in_folder(frame, languages, "other", "", ""))
    out += _in_folder(frame, languages / "plugins", "plugin", "", "")
    out += _in_folder(frame, languages / "themes", "theme", "", "")
    for theme in themes.installed(frame).values():
        domain = theme.head.get("Text Domain") or theme.name
        out += _in_folder(frame, theme.folder / "languages", "theme", theme.name, domain)
    for name, folder in _modules():
        out += _in_folder(frame, folder / "languages", "plugin", name, name)
    return out


def language_of(frame: Frame, locale: str) -> str:
    """Return the site's language that a locale is one of, empty for none."""
    for code in frame.profile.languages:
        if locale in (code, locale_of(code)):
            return code
    head = locale.partition("_")[0]
    return head if head in frame.profile.languages else ""


def own_name(domain: str, language: str) -> str:
    """Return the name of the file that the site writes for a domain; no domain leads out of the folder."""
    return f"{_UNSAFE.sub('_', domain.lower()).lstrip('.') or _DEFAULT}-{locale_of(language)}.mo"


def write_own(frame: Frame, name: str, data: bytes | None) -> None:
    """Write a file of the site's own as a whole, or (None) remove it. Raises NoAccess."""
    folder = frame.folder / "languages" / "mlang"
    unfinished = folder / f"{name}.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if data is None:
            (folder / name).unlink(missing_ok=True)
            return
        unfinished.write_bytes(data)
        unfinished.replace(folder / name)
    except OSError as error:
        raise NoAccess(str(error)) from error


def _in_folder(frame: Frame, folder: Path, kind: str, component: str, domain: str) -> Iterator[Source]:
    if not folder.is_dir():
        return
    for file in sorted(folder.glob("*.mo")):
        named = _NAMED.fullmatch(file.name)
        language = language_of(frame, named["locale"]) if named else ""
        if named is None or not language or not file.is_file():
            continue
        own = named["domain"] or domain or _DEFAULT
        told = file.stat()
        mark = f"{told.st_size}.{told.st_mtime_ns}"
        yield Source(str(file), kind, component or own, own, language, mark)


@cache
def _modules() -> tuple[tuple[str, Path], ...]:
    """Return the installed modules with their folders; none of them is loaded for it."""
    out = []
    for entry in metadata.entry_points(group=GROUP):
        found = util.find_spec(entry.module.partition(".")[0])
        if found is not None and found.submodule_search_locations:
            out.append((entry.name, Path(found.submodule_search_locations[0])))
    return tuple(out)
