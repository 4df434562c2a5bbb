"""The words of a search: splitting the text, which words count, folding.

Not here: the SQL (content/records/filters.py). Rules: docs/rules/lists.md, 11 and 12.
"""

from __future__ import annotations

import re

import msgspec

from vetrina.content.text.sanitizing import sanitize_plain_text
from vetrina.kernel.folding import fold_text

_PARTS = re.compile(r'"([^"]*)"?|([^\s",+]+)')
_MAX_TERMS = 9  # terms; a longer text is searched as a whole
_STOP_WORDS = frozenset(
    [
        "about",
        "an",
        "are",
        "as",
        "at",
        "be",
        "by",
        "com",
        "for",
        "from",
        "how",
        "in",
        "is",
        "it",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "was",
        "what",
        "when",
        "where",
        "who",
        "will",
        "with",
        "www",
    ]
)


class SearchTerms(msgspec.Struct, frozen=True):
    """The folded terms of a search. sentence: the whole text; wanted: all must occur; unwanted: none may."""

    sentence: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def parse_search(text: str) -> SearchTerms | None:
    """Return the terms of a search text, None when it filters nothing."""
    sentence = sanitize_plain_text(text).replace("\r", "").replace("\n", "").strip()
    if not sentence:
        return None
    terms = [match[1] if match[1] is not None else match[2] for match in _PARTS.finditer(sentence)]
    phrases = [match[1] is not None for match in _PARTS.finditer(sentence)]
    kept = [term for term, phrase in zip(terms, phrases, strict=True) if term and (phrase or not _is_trivial(term))]
    if not kept or len(kept) > _MAX_TERMS:
        kept = [sentence]
    wanted = tuple(fold_text(term) for term in kept if not _is_negated(term))
    unwanted = tuple(fold_text(term[1:]) for term in kept if _is_negated(term))
    return SearchTerms(fold_text(sentence), wanted, unwanted)


def _is_negated(term: str) -> bool:
    return len(term) > 1 and term.startswith("-")


def _is_trivial(term: str) -> bool:
    return term == "-" or (len(term) == 1 and term.isascii() and term.isalpha()) or term.lower() in _STOP_WORDS
