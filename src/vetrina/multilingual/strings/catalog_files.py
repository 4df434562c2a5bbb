"""Paths of catalog files: of themes and modules, of the site's own folder, and those that the site writes.

In the site's folder `languages/`: `plugins/DOMAIN-LOCALE.mo`, `themes/DOMAIN-LOCALE.mo`, and `DOMAIN-LOCALE.mo` or
`LOCALE.mo` for the rest; `mlang/` has the files that the site writes. A theme or module has its own folder `languages`.
Not here: the contents of files (multilingual/strings/catalogs.py), their import
(multilingual/strings/catalog_import.py), which of the site's own are written
(multilingual/strings/catalog_writing.py). Rules: docs/rules/strings.md, 4 (names and folder).
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

from vetrina.access.users.text_rules import language_to_locale
from vetrina.core.site_context import SiteContext
from vetrina.design.themes import active_theme

GROUP: Final = "vetrina.modules"  # entry points of installed modules, by module name
_FILE_NAME = re.compile(r"(?:(?P<domain>.+)-)?(?P<locale>[a-z]{2,3}(?:_[A-Za-z0-9]+)*)\.mo", re.ASCII)
_UNSAFE = re.compile(r"[^a-z0-9_.-]+", re.ASCII)
_DEFAULT: Final = "default"


class CatalogFolderNotWritable(OSError):
    """The folder of the site's own catalog files is not writable."""


class CatalogSource(msgspec.Struct, frozen=True):
    """A catalog file. kind: plugin, theme or other; component: its plugin or theme; mark: changes with the file."""

    path: str
    kind: str
    component: str
    domain: str
    language: str
    mark: str


def list_catalog_sources(site: SiteContext) -> list[CatalogSource]:
    """Return every catalog file in a language of the site."""
    languages = site.folder / "languages"
    out = list(_iterate_folder(site, languages, "other", "", ""))
    out += _iterate_folder(site, languages / "plugins", "plugin", "", "")
    out += _iterate_folder(site, languages / "themes", "theme", "", "")
    for theme in active_theme.list_installed_themes(site).values():
        domain = theme.head.get("Text Domain") or theme.name
        out += _iterate_folder(site, theme.folder / "languages", "theme", theme.name, domain)
    for name, folder in _list_modules():
        out += _iterate_folder(site, folder / "languages", "plugin", name, name)
    return out


def find_language(site: SiteContext, locale: str) -> str:
    """Return the site's language that a locale belongs to, empty for none."""
    for code in site.profile.languages:
        if locale in (code, language_to_locale(code)):
            return code
    head = locale.partition("_")[0]
    return head if head in site.profile.languages else ""


def build_own_name(domain: str, language: str) -> str:
    """Return the name of the site's own file for a domain; no domain leads out of the folder."""
    return f"{_UNSAFE.sub('_', domain.lower()).lstrip('.') or _DEFAULT}-{language_to_locale(language)}.mo"


def write_own_file(site: SiteContext, name: str, data: bytes | None) -> None:
    """Write one of the site's own files atomically, or delete it (None). Raises CatalogFolderNotWritable."""
    folder = site.folder / "languages" / "mlang"
    unfinished = folder / f"{name}.{os.getpid()}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if data is None:
            (folder / name).unlink(missing_ok=True)
            return
        unfinished.write_bytes(data)
        unfinished.replace(folder / name)
    except OSError as error:
        raise CatalogFolderNotWritable(str(error)) from error


def _iterate_folder(site: SiteContext, folder: Path, kind: str, component: str, domain: str) -> Iterator[CatalogSource]:
    if not folder.is_dir():
        return
    for file in sorted(folder.glob("*.mo")):
        named = _FILE_NAME.fullmatch(file.name)
        language = find_language(site, named["locale"]) if named else ""
        if named is None or not language or not file.is_file():
            continue
        own = named["domain"] or domain or _DEFAULT
        stat = file.stat()
        mark = f"{stat.st_size}.{stat.st_mtime_ns}"
        yield CatalogSource(str(file), kind, component or own, own, language, mark)


@cache
def _list_modules() -> tuple[tuple[str, Path], ...]:
    """Return the installed modules with their folders, without importing any."""
    out = []
    for entry in metadata.entry_points(group=GROUP):
        found = util.find_spec(entry.module.partition(".")[0])
        if found is not None and found.submodule_search_locations:
            out.append((entry.name, Path(found.submodule_search_locations[0])))
    return tuple(out)
