"""Tags and their attributes as a browser's tokenizer reads them: position and value of each.

Code that changes an attribute locates it here: a search for `class=` in the text of a tag also finds the words of a
title. Not here: which ones may be written (content/text/allowed_markup.py) or sent (content/text/output_filter.py).
Rules: the tokenizer of the HTML living standard, from its tag open state to its attribute value states.
"""

import re
from typing import Final, NamedTuple

# Passes over a text treat each of these as one token: a comment, a CDATA section, a tag.
MARKUP_TOKEN: Final = re.compile(r"<!(?=--)(?s:.*?)(?:-->|\Z)|<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<[^>]*>?")

_ATTRIBUTE: Final = re.compile(
    r"[\t\n\f\r /]*+(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    r"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)|(?=>)|([\"'])))?)"
)
_NAME: Final = re.compile(r"</?([a-zA-Z][^\t\n\f\r />]*+)")
_UNQUOTED: Final = re.compile(r"[\t\n\f\r \"'`=<>]")
_OPENING: Final = re.compile(r"<(?=[a-zA-Z/!?])")
_COMMENT_END: Final = re.compile(r"--!?>")


class TagAttribute(NamedTuple):
    """One attribute of a tag.

    start, end: its position in the text, value and quotes included. quote: the character around the value, empty for
    none.
    value: as written, its entities not decoded; None without a value. at: where the value begins, after the quote.
    """

    name: str  # in lower case
    start: int
    end: int
    quote: str
    value: str | None
    at: int


class HtmlTag(NamedTuple):
    """A tag with its attributes, each name once: of several the first counts. end: after its `>`."""

    name: str  # as written
    closing: bool
    attributes: list[TagAttribute]
    end: int
    repeats: bool  # whether an attribute occurs twice

    def find_attribute(self, name: str) -> TagAttribute | None:
        """Return the attribute that browsers use for a name in lower case."""
        return next((one for one in self.attributes if one.name == name), None)


def read_tag(text: str, start: int) -> HtmlTag | None:
    """Return the tag that begins with the `<` at `start`; None where none begins, or the text ends within it."""
    opening = _NAME.match(text, start)
    if opening is None:
        return None
    found: list[TagAttribute] = []
    seen: set[str] = set()
    repeats = False
    at = opening.end()
    while match := _ATTRIBUTE.match(text, at):
        at = match.end()
        group = match.lastindex
        if group == 1:
            return HtmlTag(opening[1], text[start + 1] == "/", found, at, repeats)
        if group == 6:
            return None  # an unclosed quote
        name = lowercase_ascii(match[2])
        if name in seen:
            repeats = True
            continue
        seen.add(name)
        begins = match.start(2)
        if group == 2:
            # An empty value is a `=` with nothing up to the `>`.
            value = "" if at > match.end(2) else None
            found.append(TagAttribute(name, begins, at, "", value, at))
        else:
            assert group is not None
            quote = "" if group == 5 else text[at - 1]
            found.append(TagAttribute(name, begins, at, quote, match[group], match.start(group)))
    return None


def lowercase_ascii(name: str) -> str:
    """Return a name as browsers compare it: they lower-case ASCII only."""
    return name.lower() if name.isascii() else name


def replace_value(text: str, attribute: TagAttribute, value: str) -> str:
    """Return `text` with another value of one attribute, quoted so that nothing in it can end it."""
    return f"{text[: attribute.start]}{write_attribute(text, attribute, value)}{text[attribute.end :]}"


def write_attribute(text: str, attribute: TagAttribute, value: str) -> str:
    """Return the text of an attribute with another value, under its own name."""
    quote = attribute.quote or '"'
    if not attribute.quote and attribute.value is not None and value and not _UNQUOTED.search(value):
        quote = ""
    elif quote in value:
        value = value.replace(quote, "&quot;" if quote == '"' else "&#039;")
    name = text[attribute.start : attribute.start + len(attribute.name)]
    return f"{name}={quote}{value}{quote}"


def find_unclosed_tag(text: str) -> int:
    """Return where an unclosed tag or comment begins, -1 when there is none."""
    at = 0
    while opening := _OPENING.search(text, at):
        start = opening.start()
        if text.startswith("<!--", start):
            if text.startswith((">", "->"), start + 4):
                at = text.index(">", start) + 1
                continue
            ending = _COMMENT_END.search(text, start + 4)
            if ending is None:
                return start
            at = ending.end()
            continue
        tag = read_tag(text, start)
        if tag is not None:
            at = tag.end
            continue
        closing = -1 if _NAME.match(text, start) else text.find(">", start)
        if closing < 0:
            return start
        at = closing + 1
    return -1
