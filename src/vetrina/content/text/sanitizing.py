"""What users without the right to free markup may store: a filter for each kind of text.

Filtering twice gives the same as filtering once. Plain texts lose every tag; the others keep the tags of their table
and the text of all others, so that no words are lost. Not here: when a text is filtered
(content/records/stored_texts.py), parsing (content/text/markup_filter.py), the tables (content/text/allowed_markup.py).
Rules: docs/rules/markup.md, 1 to 5; docs/rules/terms.md, 2.
"""

import json
import re

from vetrina.content.blocks.grammar import MAX_ATTRIBUTE_VALUES
from vetrina.content.text.allowed_markup import CONTENT_ELEMENTS, GLOBAL_ATTRIBUTES, INLINE_ELEMENTS
from vetrina.content.text.block_delimiters import rewrite_delimiter
from vetrina.content.text.markup_filter import MarkupFilter, normalize_entities, remove_controls
from vetrina.kernel.chunked_regex import replace_matches
from vetrina.kernel.json_text import has_more_values
from vetrina.kernel.tags import strip_scripts, strip_tags

_filter_value = MarkupFilter(CONTENT_ELEMENTS, GLOBAL_ATTRIBUTES)
_filter_content = MarkupFilter(
    CONTENT_ELEMENTS, GLOBAL_ATTRIBUTES, delimiter=lambda text, at: rewrite_delimiter(text, at, _filter_value)
)
_filter_inline = MarkupFilter(INLINE_ELEMENTS)

_BLANK = re.compile(r"[ \t\r\n]")
_BRACKET = re.compile("<")
_BLANKS = re.compile(r"[ \t\r\n]+")
_UNCLOSED = re.compile(r"<(?=[^<>]*(?:<|\Z))")
_NO_KEY = re.compile(r"[^a-z0-9_-]+")


def sanitize_content(html: str, media_root: str = "") -> str:
    """Return a content with allowed markup only; block delimiters stay.

    media_root: URL of the uploads folder, whose PDF files an `object` may show; empty for none.
    """
    return _filter_content(html, media_root)


def sanitize_excerpt(html: str, media_root: str = "") -> str:
    """Return an excerpt, a caption or a description of media, filtered like a content."""
    return _filter_content(html, media_root)


def sanitize_title(html: str) -> str:
    """Return a title with emphasis and links only; blanks around it stay."""
    return _filter_inline(html)


def sanitize_term_description(html: str) -> str:
    """Return the description of a term or a user with emphasis and links only."""
    return _filter_inline(html)


def sanitize_comment(html: str) -> str:
    """Return the text of a comment with emphasis and links only."""
    return _filter_inline(html)


def sanitize_footnotes(text: str) -> str:
    """Return footnotes as a JSON list of `id` and `content`, the latter filtered; empty for other text."""
    if has_more_values(text.encode("utf-8", "replace"), MAX_ATTRIBUTE_VALUES):
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
        {"id": _NO_KEY.sub("", str(note["id"]).lower()), "content": _filter_content(note["content"])}
        for note in notes
        if isinstance(note, dict) and note.get("id") and note.get("content") and isinstance(note["content"], str)
    ]
    return json.dumps(kept, separators=(",", ":")).replace("/", "\\/")


def sanitize_plain_text(text: str) -> str:
    """Return `text` on one line, without tags, scripts and control characters; a `<` that opens no tag is `&lt;`."""
    return replace_matches(_BLANKS, " ", _strip_tags(text), _BLANK).strip(" ")


def sanitize_plain_lines(text: str) -> str:
    """Return `text` as `sanitize_plain_text` does, but with its lines and the blanks in them."""
    return _strip_tags(text).strip(" \t\r\n")


def _strip_tags(text: str) -> str:
    text = remove_controls(text)
    return strip_tags(strip_scripts(replace_matches(_UNCLOSED, "&lt;", text, _BRACKET))) if "<" in text else text


def sanitize_term_name(text: str) -> str:
    """Return the name of a term or a user as it is stored: without tags, with entities for `&`, `<` and `>`."""
    return normalize_entities(sanitize_plain_text(text)).replace("<", "&lt;").replace(">", "&gt;")
