"""Which theme a site has: the one that was chosen at runtime, else the one of its profile; and which it could have.

Not here: what a theme's folder holds (design/themes/model.py).
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.themes.model import BUILT_IN, Theme, load_theme

_LOOKUP: Final = "active_theme"
_FOLDER: Final = "themes"  # of the themes added to a site, in its folder
_CHOICE_FILE: Final = "active"  # file in the folder of a site's themes that holds the name of the chosen one
_RELOAD_MARK_FILE: Final = ".reload"  # beside it: its inode and modification time mark when themes must be reloaded
_FOLDER_NAME = re.compile(r"[\w-][\w.-]*")


def get_active_theme(site: SiteContext) -> Theme:
    """Return the active theme of a site: the one chosen at runtime, else the profile's.

    The profile names a built-in theme, or the path of a theme's folder.
    """
    chosen, mark = _find_chosen_name(site), _read_reload_mark(site)
    if chosen:
        for folder in (_get_themes_folder(site) / chosen, BUILT_IN / chosen):
            if (folder / "style.css").is_file():
                return load_theme(folder, mark)
    return load_theme(_get_profile_folder(site.profile.theme), mark)


def load_active_theme(work: UnitOfWork) -> Theme:
    """Return the active theme as this unit of work found it first; a page asks for it a dozen times."""
    found = work.lookups.get(_LOOKUP)
    if found is None:
        found = work.lookups[_LOOKUP] = get_active_theme(work.site)
    theme: Theme = found
    return theme


def forget_active_theme(work: UnitOfWork) -> None:
    """Let a unit of work find the active theme again, which it has changed."""
    work.lookups.pop(_LOOKUP, None)


def list_installed_themes(site: SiteContext) -> dict[str, Theme]:
    """Return the installed themes by name: built-in ones, the site's own, and the active one."""
    folders = sorted(head.parent for head in BUILT_IN.glob("*/style.css"))
    if site.folder != Path():
        folders += sorted(
            head.parent for head in _get_themes_folder(site).glob("*/style.css") if head.parent.name[0] != "."
        )
    themes = {theme.name: theme for theme in map(load_theme, folders)}
    name = site.profile.theme
    profile_theme = load_theme(_get_profile_folder(name))
    now = get_active_theme(site)
    return {**themes, profile_theme.name: profile_theme, now.name: now}


def find_theme_folder(site: SiteContext, name: str) -> Path | None:
    """Return the folder of an installed theme; None for a name that no theme has."""
    if not _FOLDER_NAME.fullmatch(name):
        return None
    chosen = Path(site.profile.theme)
    own = [_get_themes_folder(site) / name] if site.folder != Path() else []
    given = [chosen] if "/" in site.profile.theme and chosen.name == name else []
    return next((folder for folder in (*given, *own, BUILT_IN / name) if (folder / "style.css").is_file()), None)


def activate_theme(site: SiteContext, name: str) -> None:
    """Activate an installed theme; every process of the site sees the change in its next response.

    Raises ValueError for a site without a folder.
    """
    if site.folder == Path():
        raise ValueError("a site without a folder has the theme of its profile")
    folder = _get_themes_folder(site)
    folder.mkdir(exist_ok=True)
    unfinished = folder / f".{_CHOICE_FILE}"
    unfinished.write_text(name, encoding="utf-8")
    unfinished.replace(folder / _CHOICE_FILE)


def invalidate_theme_cache(site: SiteContext) -> None:
    """Have every process of a site reload its theme's files for its next response.

    A site without a folder reloads them in this process only.
    """
    if site.folder == Path():
        load_theme.cache_clear()
        return
    folder = _get_themes_folder(site)
    folder.mkdir(exist_ok=True)
    unfinished = folder / f".{_RELOAD_MARK_FILE}.unfinished"
    unfinished.write_bytes(b"")
    unfinished.replace(folder / _RELOAD_MARK_FILE)


def _read_reload_mark(site: SiteContext) -> tuple[int, int]:
    """Return a value that changes each time the theme must be reloaded."""
    if site.folder == Path():
        return 0, 0
    return _stat_file(site, _RELOAD_MARK_FILE) or (0, 0)


def _get_themes_folder(site: SiteContext) -> Path:
    """Return the folder of the themes added to a site."""
    return site.folder / _FOLDER


def _find_chosen_name(site: SiteContext) -> str:
    if site.folder == Path():
        return ""
    state = _stat_file(site, _CHOICE_FILE)
    return _read_choice(_get_themes_folder(site) / _CHOICE_FILE, *state) if state is not None else ""


def _stat_file(site: SiteContext, name: str) -> tuple[int, int] | None:
    """Return inode and modification time of a file in the folder of themes, None where it is missing."""
    try:
        # Without a path object: a page asks for the theme a dozen times.
        state = os.stat(f"{site.folder}/{_FOLDER}/{name}")  # noqa: PTH116
    except OSError:
        return None
    return state.st_ino, state.st_mtime_ns


@lru_cache(maxsize=16)
def _get_profile_folder(name: str) -> Path:
    """Return the folder of the theme that a profile names."""
    return Path(name) if "/" in name else BUILT_IN / name


@lru_cache(maxsize=16)
def _read_choice(file: Path, number: int, changed: int) -> str:
    """Return the theme name in a file; its inode and modification time are part of the cache key."""
    return file.read_text(encoding="utf-8").strip()
