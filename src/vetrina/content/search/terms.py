"""The words of a search: how its text is split, which of them count, in what form they are compared.

Not here: the statement that looks for them (content/records/listing.py). Rules: facts of the interface, "Lists"
(search).
"""

from __future__ import annotations

import re

import msgspec

from vetrina.content.text.sanitizing import plain
from vetrina.kernel.folding import fold

__all__ = ["SearchTerms", "parse"]

_PARTS = re.compile(r'"([^"]*)"?|([^\s",+]+)')
_MOST = 9  # terms; a longer text is looked for as it stands
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
    """What a search looks for, folded. sentence: the whole text; wanted: all must occur; unwanted: none may."""

    sentence: str
    wanted: tuple[str, ...]
    unwanted: tuple[str, ...]


def parse(text: str) -> SearchTerms | None:
    """Return the terms of a search text, None when it filters nothing."""
    sentence = plain(text).replace("\r", "").replace("\n", "").strip()
    if not sentence:
        return None
    terms = [match[1] if match[1] is not None else match[2] for match in _PARTS.finditer(sentence)]
    phrases = [match[1] is not None for match in _PARTS.finditer(sentence)]
    kept = [term for term, phrase in zip(terms, phrases, strict=True) if term and (phrase or not _trivial(term))]
    if not kept or len(kept) > _MOST:
        kept = [sentence]
    wanted = tuple(fold(term) for term in kept if not _negated(term))
    unwanted = tuple(fold(term[1:]) for term in kept if _negated(term))
    return SearchTerms(fold(sentence), wanted, unwanted)


def _negated(term: str) -> bool:
    return len(term) > 1 and term.startswith("-")


def _trivial(term: str) -> bool:
    return term == "-" or (len(term) == 1 and term.isascii() and term.isalpha()) or term.lower() in _STOP_WORDS
