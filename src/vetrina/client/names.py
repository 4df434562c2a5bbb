"""The names of a client's dialect: API root, headers, path prefixes.

The table is dialects.json. Fields of records, parameters and codes are passed through unchanged; only what the client
itself needs is translated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

__all__ = ["DIALECTS", "Names", "names"]


@dataclass(frozen=True)
class Names:
    """The names of one dialect.

    root: last segment of the API root. total, pages, nonce: headers. language: the language parameter. namespaces:
    neutral path prefix → the dialect's, where they differ.
    """

    root: str
    total: str
    pages: str
    nonce: str
    language: str
    namespaces: Mapping[str, str]

    def path(self, path: str) -> str:
        """Translate a path that begins with a neutral namespace into this dialect; any other is left alone."""
        for neutral, other in self.namespaces.items():
            if path == f"/{neutral}" or path.startswith(f"/{neutral}/"):
                return f"/{other}{path[len(neutral) + 1 :]}"
        return path


def names(dialect: str) -> Names:
    """Return the names of a dialect. Raises ValueError for an unknown one."""
    known = _known()
    if dialect not in known:
        raise ValueError(f"there is no dialect {dialect!r}; known: {', '.join(known)}")
    return known[dialect]


@cache
def _known() -> dict[str, Names]:
    text = resources.files(__package__).joinpath("dialects.json").read_text(encoding="utf-8")
    return {name: Names(**words) for name, words in json.loads(text).items()}


DIALECTS = ("neutral", "wordpress")
