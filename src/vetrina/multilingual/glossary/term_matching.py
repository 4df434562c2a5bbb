"""Which terms of the glossary a text has. Rules: docs/rules/glossary.md, 4."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.multilingual.glossary import store
from vetrina.multilingual.glossary.rules import MAX_ENTRIES
from vetrina.multilingual.glossary.store import GlossaryEntry


def find_matches(entries: Iterable[GlossaryEntry], text: str) -> list[GlossaryEntry]:
    """Return the entries whose term stands in a text as a word of its own, longer terms first."""
    folded = text.casefold()
    # Most terms are told apart by their first word, which is much cheaper to look for.
    likely = (one for one in entries if one.term.split(" ", 1)[0].casefold() in folded)
    found = [one for one in likely if _compile_term(one.term, one.case_sensitive).search(text)]
    return sorted(found, key=lambda one: (-len(one.term), one.term))


def build_term_finder(work: UnitOfWork, source: str, target: str) -> Callable[[Sequence[str]], dict[str, str]]:
    """Return a function from texts to the terms in them with their translations; it needs no transaction."""
    entries = store.list_entries_of_pair(work, source, target)
    return lambda texts: {one.term: one.translation for one in find_matches(entries, "\n".join(texts))}


@lru_cache(maxsize=MAX_ENTRIES)
def _compile_term(term: str, case_sensitive: bool) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in term.split())
    return re.compile(rf"(?<!\w){words}(?!\w)", 0 if case_sensitive else re.IGNORECASE)
