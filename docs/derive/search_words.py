"""The words that the search of the documentation knows, each reduced to its stem once.

Sphinx forgets the stems of a page at the next one and computes them again, ninety thousand times in a build.
"""

from __future__ import annotations

from sphinx.application import Sphinx
from sphinx.search.en import SearchEnglish

__all__ = ["setup"]


class _RememberingEnglish(SearchEnglish):
    def __init__(self, options: dict[str, str]) -> None:
        super().__init__(options)
        self._stems: dict[str, str] = {}

    def stem(self, word: str) -> str:
        found = self._stems.get(word)
        if found is None:
            found = self._stems[word] = super().stem(word)
        return found


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the language with Sphinx, in place of its own English."""
    app.add_search_language(_RememberingEnglish)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
