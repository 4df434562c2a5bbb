"""Mail templates: the built-in ones, and a site's files that override them.

A template is Jinja2 in its sandbox: it sees the data from shop/mail/rendering.py and nothing else; values in HTML are
escaped. A file of the same name in the site's folder `mails` is used instead, from the next mail on; where that fails,
the mail is rendered from the built-in template, and a line is logged.
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

MAILS_FOLDER: Final = "mails"  # in the site's folder
_LOG = logging.getLogger("vetrina.mails")
_NAME = re.compile(r"[a-z0-9_]{1,64}\.(?:html|txt)")
_MAX_CHARACTERS: Final = 1_000_000  # of a site's own file
_EMPTY_LINES = re.compile(r"\n(?:[ \t]*\n)+")


class _UnusableTemplate(ValueError):
    """The site's file is not a usable template."""


class _MailTemplateLoader(BaseLoader):
    """Loads templates; folder: searched first for the site's own ones, None for none."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def get_source(self, environment: Environment, template: str) -> tuple[str, str | None, Callable[[], bool]]:
        if not _NAME.fullmatch(template):
            raise TemplateNotFound(template)
        own = self._folder / template if self._folder is not None else None
        mark = _get_file_version(own)
        if own is not None and mark is not None:
            if mark[1] > _MAX_CHARACTERS:
                raise _UnusableTemplate(f"{template} is too large")
            return own.read_text(encoding="utf-8"), str(own), lambda: _get_file_version(own) == mark
        try:
            text = (files(__package__) / "template_files" / template).read_text(encoding="utf-8")
        except FileNotFoundError:
            raise TemplateNotFound(template) from None
        return text, None, lambda: _get_file_version(own) is None


def _get_file_version(path: Path | None) -> tuple[int, int] | None:
    """Return a file's mtime and size, which change with it; None where it does not exist."""
    try:
        stat = path.stat() if path is not None and path.is_file() else None
    except OSError:
        return None
    return (stat.st_mtime_ns, stat.st_size) if stat is not None else None


@lru_cache(maxsize=64)
def _build_environment(folder: Path | None) -> Environment:
    return ImmutableSandboxedEnvironment(
        loader=_MailTemplateLoader(folder),
        autoescape=lambda name: name is None or not name.endswith(".txt"),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=StrictUndefined,
        cache_size=64,
    )


def render_template(folder: Path, name: str, given: Mapping[str, Any]) -> str:
    """Render a template. folder: of the site; name: as `customer_note.html`."""
    own = folder / MAILS_FOLDER
    if own.is_dir():
        try:
            return _collapse_empty_lines(name, _build_environment(own).get_template(name).render(given))
        # Any failure of a site's file falls back to the built-in template; failures of that one are raised below.
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            _LOG.warning("mail %s: a template of the site cannot be used, the built-in ones are: %s", name, said[:300])
    return _collapse_empty_lines(name, _build_environment(None).get_template(name).render(given))


def _collapse_empty_lines(name: str, text: str) -> str:
    """Return a text without runs of empty lines, which conditions leave behind; HTML is returned unchanged."""
    return _EMPTY_LINES.sub("\n\n", text).strip() + "\n" if name.endswith(".txt") else text
