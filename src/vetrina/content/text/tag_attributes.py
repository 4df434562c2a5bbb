"""Tags and their attributes as a browser's tokenizer reads them: where each begins and ends, and what its value is.

Whoever changes an attribute asks here where it stands: to look for `class=` in the text of a tag finds the words of a
title as well. Not here: which of them may be written (content/text/allowed_markup.py) and which may leave
(content/text/output_filter.py). Rules: the tokenizer of the HTML living standard, from its tag open state to its
attribute value states.
"""

import re
from typing import Final, NamedTuple

# What passes over a text treat as one sign: a comment, a section of character data, a tag.
TOKEN: Final = re.compile(r"<!(?=--)(?s:.*?)(?:-->|\Z)|<!\[CDATA\[(?s:.*?)(?:\]\]>|\Z)|<[^>]*>?")

_ATTRIBUTE: Final = re.compile(
    r"[\t\n\f\r /]*+(?:(>)|([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    r"(?:[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\t\n\f\r >\"'][^\t\n\f\r >]*+)|(?=>)|([\"'])))?)"
)
_NAME: Final = re.compile(r"</?([a-zA-Z][^\t\n\f\r />]*+)")
_UNQUOTED: Final = re.compile(r"[\t\n\f\r \"'`=<>]")
_OPENING: Final = re.compile(r"<(?=[a-zA-Z/!?])")
_COMMENT_END: Final = re.compile(r"--!?>")


class Attribute(NamedTuple):
    """One attribute of a tag.

    start, end: where it stands in the text, its value and quotes included. quote: the sign around the value, empty for
    none. value: as it is written, its entities unread; None for a name alone. at: where the value begins, behind the
    quote.
    """

    name: str  # in lower case
    start: int
    end: int
    quote: str
    value: str | None
    at: int


class Tag(NamedTuple):
    """A tag with its attributes, each name once: of several the first counts. end: behind its `>`."""

    name: str  # as it is written
    closing: bool
    attributes: list[Attribute]
    end: int
    repeats: bool  # whether it names an attribute again

    def attribute(self, name: str) -> Attribute | None:
        """Return the attribute that browsers take for a name in lower case."""
        return next((one for one in self.attributes if one.name == name), None)


def read_tag(text: str, start: int) -> Tag | None:
    """Return the tag that begins with the `<` at `start`; None where none begins, or the text ends within it."""
    opening = _NAME.match(text, start)
    if opening is None:
        return None
    found: list[Attribute] = []
    seen: set[str] = set()
    repeats = False
    at = opening.end()
    while match := _ATTRIBUTE.match(text, at):
        at = match.end()
        group = match.lastindex
        if group == 1:
            return Tag(opening[1], text[start + 1] == "/", found, at, repeats)
        if group == 6:
            return None  # a quote that nothing closes
        name = ascii_lower(match[2])
        if name in seen:
            repeats = True
            continue
        seen.add(name)
        begins = match.start(2)
        if group == 2:
            # An empty value stands behind a `=` with nothing up to the `>`.
            value = "" if at > match.end(2) else None
            found.append(Attribute(name, begins, at, "", value, at))
        else:
            assert group is not None
            quote = "" if group == 5 else text[at - 1]
            found.append(Attribute(name, begins, at, quote, match[group], match.start(group)))
    return None


def ascii_lower(name: str) -> str:
    """Return a name as browsers compare it: they know the capitals of ASCII alone."""
    return name.lower() if name.isascii() else name


def replace_value(text: str, one: Attribute, value: str) -> str:
    """Return `text` with another value of one attribute, quoted so that nothing in it can end it."""
    return f"{text[: one.start]}{write_attribute(text, one, value)}{text[one.end :]}"


def write_attribute(text: str, one: Attribute, value: str) -> str:
    """Return an attribute with another value as it stands in a tag, under its own name."""
    quote = one.quote or '"'
    if not one.quote and one.value is not None and value and not _UNQUOTED.search(value):
        quote = ""
    elif quote in value:
        value = value.replace(quote, "&quot;" if quote == '"' else "&#039;")
    name = text[one.start : one.start + len(one.name)]
    return f"{name}={quote}{value}{quote}"


def open_end(text: str) -> int:
    """Return where a tag or comment begins that does not end in the text, -1 when none does."""
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
