"""What users without free markup may store: the filters for each kind of text.

Filtering twice gives what filtering once gave. Text that names things (`plain`) loses every tag; the others keep the
tags of their table and the text of all others, so that nobody loses words. Not here: who is filtered (access), when
(content/records/rules.py), how (content/text/markup_parsing.py and the tables in content/text/allowed_markup.py).
Rules: observed on saves of authors and contributors, on footnotes, and on names and descriptions of terms.
"""

import json
import re

from vetrina.content.blocks.grammar import MOST_VALUES
from vetrina.content.text.allowed_markup import CONTENT, EVERYWHERE, INLINE
from vetrina.content.text.block_delimiters import rewritten
from vetrina.content.text.markup_parsing import Filter, with_good_entities, without_controls
from vetrina.kernel.chunked_regex import replaced
from vetrina.kernel.json_text import more_values
from vetrina.kernel.tags import without_scripts, without_tags

_value = Filter(CONTENT, EVERYWHERE)
_content = Filter(CONTENT, EVERYWHERE, delimiter=lambda text, at: rewritten(text, at, _value))
_inline = Filter(INLINE)

_BLANK = re.compile(r"[ \t\r\n]")
_BRACKET = re.compile("<")
_BLANKS = re.compile(r"[ \t\r\n]+")
_UNCLOSED = re.compile(r"<(?=[^<>]*(?:<|\Z))")
_NO_KEY = re.compile(r"[^a-z0-9_-]+")


def content(html: str, media_root: str = "") -> str:
    """Return the body of a record with allowed markup only; block delimiters stay.

    media_root: address of the folder of uploads, whose PDF files an `object` may show; empty for none.
    """
    return _content(html, media_root)


def excerpt(html: str, media_root: str = "") -> str:
    """Return an excerpt, a caption or a description of media, filtered by the rules of a body."""
    return _content(html, media_root)


def title(html: str) -> str:
    """Return a title with emphasis and links only; blanks around it stay."""
    return _inline(html)


def term_description(html: str) -> str:
    """Return the description of a term or a user with emphasis and links only."""
    return _inline(html)


def comment(html: str) -> str:
    """Return the text of a comment with emphasis and links only."""
    return _inline(html)


def footnotes(text: str) -> str:
    """Return footnotes as a JSON list of `id` and `content`, the latter filtered as a body; empty for other text."""
    if more_values(text.encode("utf-8", "replace"), MOST_VALUES):
        return ""
    try:
        notes = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    if isinstance(notes, dict):
        notes = list(notes.values())
    if not isinstance(notes, list):
        return ""
    kept = [
        {"id": _NO_KEY.sub("", str(note["id"]).lower()), "content": _content(note["content"])}
        for note in notes
        if isinstance(note, dict) and note.get("id") and note.get("content") and isinstance(note["content"], str)
    ]
    return json.dumps(kept, separators=(",", ":")).replace("/", "\\/")


def plain(text: str) -> str:
    """Return `text` on one line, without tags, scripts and control characters; a `<` that opens no tag is `&lt;`."""
    return replaced(_BLANKS, " ", _untagged(text), _BLANK).strip(" ")


def plain_lines(text: str) -> str:
    """Return `text` as `plain` does, with its lines and the blanks in them."""
    return _untagged(text).strip(" \t\r\n")


def _untagged(text: str) -> str:
    text = without_controls(text)
    return without_tags(without_scripts(replaced(_UNCLOSED, "&lt;", text, _BRACKET))) if "<" in text else text


def term_name(text: str) -> str:
    """Return the name of a term or a user as it is stored: without tags, with entities for `&`, `<` and `>`."""
    return with_good_entities(plain(text)).replace("<", "&lt;").replace(">", "&gt;")
