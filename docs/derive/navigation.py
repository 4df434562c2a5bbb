"""The map beside every page, made once for the pages that are not in it.

Most pages are those of routes, which the reference lists; the map beside them is the same for all of a folder, and
making it for each took two fifths of the build.
"""

from __future__ import annotations

from collections.abc import Callable
from posixpath import dirname
from typing import Any

from sphinx.application import Sphinx

__all__ = ["setup"]

_DEPTH = 2  # levels of pages; Sphinx would copy the headings of every page first, to leave them out then


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the map with Sphinx, before the theme asks for it."""
    made: dict[str, Any] = {}

    def limit_map(app: Sphinx, page: str, template: str, context: dict[str, Any], *_: object) -> None:
        make: Callable[..., Any] | None = context.get("toctree")
        if make is None:
            return
        shared = "orphan" in app.env.metadata.get(page, {})

        def make_limited(**options: Any) -> Any:
            folder = dirname(page)
            if not shared or folder not in made:
                found = make(**{**options, "maxdepth": _DEPTH})
                if not shared:
                    return found
                made[folder] = found
            return made[folder]

        context["toctree"] = make_limited

    app.connect("html-page-context", limit_map, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
