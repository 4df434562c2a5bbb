"""Sentence segmentation, so that tools can show the sentences of a text one by one.

A sentence never ends inside a pair of tags or a shortcode. Languages differ in more than this covers; a text that is
not split is translated as a whole, which loses nothing.
"""

from __future__ import annotations

import re

from vetrina.multilingual.translations.html_tokens import HtmlTokenKind, tokenize_html

# A sentence end with closing punctuation, whitespace, and a possible start of a sentence.
_END = re.compile(r"[.!?…。！？][\"'”’»)\]]*(\s+)(?=[\"'“‘«(\[¿¡]*[^\W\d_a-zà-öø-ÿ])")
# Common abbreviations that end in a full stop without ending a sentence, in the most frequent languages.
_ABBREVIATION = re.compile(
    r"(?:\b(?:[A-Z]|art|avv|co|dott|dr|ecc|ed|etc|fig|ing|mr|mrs|ms|n|no|nr|pag|prof|sig|sigg|st|tel|vol|vs))\.$",
    re.IGNORECASE,
)


def split_sentences(text: str, shortcodes: frozenset[str] = frozenset()) -> list[tuple[str, str]]:
    """Return the sentences of a text, each with the whitespace after it; joined they equal the text."""
    out: list[tuple[str, str]] = []
    start = depth = 0
    for token in tokenize_html(text, shortcodes):
        if token.kind is HtmlTokenKind.OPEN:
            depth += 1
        elif token.kind is HtmlTokenKind.CLOSE:
            depth = max(0, depth - 1)
        elif token.kind is HtmlTokenKind.TEXT and not depth:
            for end in _END.finditer(text, token.start, token.end):
                blank = end.start(1)
                if not _ABBREVIATION.search(text, start, blank):
                    out.append((text[start:blank], end[1]))
                    start = end.end(1)
    if start < len(text) or not out:
        out.append((text[start:], ""))
    return out
