"""Where one sentence of a text ends and the next begins, so that tools can offer them one by one.

A sentence never ends inside a pair of tags or a shortcode. Languages differ in more than this knows; a text that is not
cut is translated as a whole, and nothing is lost by it.
"""

from __future__ import annotations

import re

from vetrina.multilingual.translations.html_tokens import TokenKind, tokens

__all__ = ["sentences"]

# A full stop with what closes beside it, a blank, and what may begin a sentence.
_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*(\s+)(?=[\"'“‘«(\[¿¡]*[^\W\d_a-zà-öø-ÿ])")
# What ends in a full stop without ending a sentence, in the languages that are met most.
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|art|avv|co|dott|dr|ecc|ed|etc|fig|ing|mr|mrs|ms|n|no|nr|pag|prof|sig|sigg|st|tel|vol|vs))\.$",
    re.IGNORECASE,
)


def sentences(text: str, shortcodes: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    """Return the sentences of a text, each with the blanks behind it; put together they are the text."""
    out: list[tuple[str, str]] = []
    start = depth = 0
    for token in tokens(text, shortcodes):
        if token.kind is TokenKind.OPEN:
            depth += 1
        elif token.kind is TokenKind.CLOSE:
            depth = max(0, depth - 1)
        elif token.kind is TokenKind.TEXT and not depth:
            for end in _END.finditer(text, token.start, token.end):
                blank = end.start(1)
                if not _ABBREVIATION.search(text, start, blank):
                    out.append((text[start:blank], end[1]))
                    start = end.end(1)
    if start < len(text) or not out:
        out.append((text[start:], ""))
    return out
