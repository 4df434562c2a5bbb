"""The names of a foreign site's dialect, out of and into neutral ones.

Its records are translated as requests of that dialect's clients are: names are their own inverse (rest/dialects).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.rest.dialects.name_positions import KIND_MEMBERS
from vetrina.rest.dialects.name_translation import NameTranslator
from vetrina.rest.dialects.names import DialectNames, load_name_pairs
from vetrina.rest.dialects.prefixes import NEUTRAL_DIALECT
from vetrina.rest.route_table import RouteTable

_TOTAL: Final = "X-CMS-Total"
_PAGES: Final = "X-CMS-TotalPages"
_NAMED_BELOW: Final = "/shop/v3/settings/"  # path below which the segments are names


class SourceNames:
    """The names of one dialect: `neutral`, or one of rest/dialects. Raises SettingsError for an unknown one."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self._names = None if dialect == NEUTRAL_DIALECT else DialectNames(load_name_pairs(dialect))
        # The paths of the site aren't known here, and links are left out of records anyway.
        self._translator = None if self._names is None else NameTranslator(self._names, RouteTable(()), {})

    @property
    def total_header(self) -> str:
        """Name of the header with the length of a list, in lower case."""
        return self._translate_header(_TOTAL)

    @property
    def pages_header(self) -> str:
        """Name of the header with the number of pages, in lower case."""
        return self._translate_header(_PAGES)

    def _translate_header(self, name: str) -> str:
        return (name if self._names is None else self._names.header(name)).lower()

    def translate_path(self, path: str) -> str:
        """Return a neutral path in the dialect."""
        if self._names is None:
            return path
        head, slash, named = path.partition(_NAMED_BELOW) if path.startswith(_NAMED_BELOW) else (path, "", "")
        words = self._names.words
        return self._names.path(head + slash) + "/".join(words[segment] for segment in named.split("/"))

    def translate_query(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Return parameters in the dialect."""
        if self._names is None or self._translator is None:
            return dict(query)
        words = self._names.words
        return {words[name]: self._translator.translate_argument(name, value) for name, value in query.items()}

    def translate_word(self, word: str) -> str:
        """Return an identifier of the dialect in neutral names."""
        return word if self._names is None else self._names.word(word)

    def translate_answer(self, path: str, value: Any) -> Any:
        """Return the decoded answer of a neutral path in neutral names."""
        if self._names is None or self._translator is None:
            return value
        if path == "/" and isinstance(value, dict) and isinstance(routes := value.get("routes"), dict):
            rest = self._translator.translate_members({**value, "routes": {}}, "")
            named = {self._names.pattern(at): self._translator.translate_item("", one, "", frozenset())
                     for at, one in routes.items()}  # fmt: skip
            return {**rest, "routes": named}
        also = next((members for start, members in KIND_MEMBERS.items() if path.startswith(start)), frozenset())
        return self._translator.translate_item("", value, "", also)
