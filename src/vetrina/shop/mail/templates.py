"""The templates of mails: those that come with the program, and files of a site that stand for them.

A template is Jinja2 in its sandbox: it sees what shop/mail/rendering.py gives it and nothing of the program; what it
puts into HTML is escaped. A site's file of the same name in its folder `mails` is taken instead, from the next mail on;
where that cannot be used, the mail is made of what comes with the program, and the log has a line.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound
from jinja2.sandbox import ImmutableSandboxedEnvironment

__all__ = ["FOLDER", "names", "render"]

FOLDER: Final = "mails"  # in the site's folder
_LOG = logging.getLogger("vetrina.mails")
_NAME = re.compile(r"[a-z0-9_]{1,64}\.(?:html|txt)")
_MOST_CHARACTERS: Final = 1_000_000  # of a site's own file
_EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n)+")


class _Unusable(ValueError):
    """A file of the site that is no template."""


class _Files(BaseLoader):
    """Reads templates; folder: where a site's own ones are looked for first, None for nowhere."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool]]:
        if not _NAME.fullmatch(template):
            raise TemplateNotFound(template)
        own = self._folder / template if self._folder is not None else None
        mark = _mark(own)
        if own is not None and mark is not None:
            if mark[1] > _MOST_CHARACTERS:
                raise _Unusable(f"{template} is too large")
            return own.read_text(encoding="utf-8"), str(own), lambda: _mark(own) == mark
        try:
            text = (files(__package__) / "template_files" / template).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise TemplateNotFound(template) from None
        return text, None, lambda: _mark(own) is None


def _mark(path: Path | None) -> tuple[int, int] | None:
    """Return what changes with a file: its time and size; None where there is none."""
    try:
        told = path.stat() if path is not None and path.is_file() else None
    except OSError:
        return None
    return (told.st_mtime_ns, told.st_size) if told is not None else None


@lru_cache(maxsize=64)
def _environment(folder: Path | None) -> Environment:
    return ImmutableSandboxedEnvironment(
        loader=_Files(folder), autoescape=lambda name: name is None or not name.endswith(".txt"), trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True, undefined=StrictUndefined, cache_size=64,
    )  # fmt: skip


def names() -> list[str]:
    """Return the names of all templates that come with the program."""
    found = (files(__package__) / "template_files").iterdir()
    return sorted(one.name for one in found if _NAME.fullmatch(one.name))


def render(folder: Path, name: str, given: Mapping[str, Any]) -> str:
    """Return what a template makes of what it is given. folder: of the site; name: as `customer_note.html`."""
    own = folder / FOLDER
    if own.is_dir():
        try:
            return _tidy(name, _environment(own).get_template(name).render(given))
        # Whatever a site's file does wrong, the mail is worth more; what the program's does is raised below.
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            _LOG.warning("mail %s: a template of the site cannot be used, the built-in ones are: %s", name, said[:300])
    return _tidy(name, _environment(None).get_template(name).render(given))


def _tidy(name: str, text: str) -> str:
    """Return a text without runs of empty lines, which conditions leave behind; HTML stays as it is."""
    return _EMPTY_LINES.sub("\n\n", text).strip() + "\n" if name.endswith(".txt") else text
