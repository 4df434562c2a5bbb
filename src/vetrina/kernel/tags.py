"""Text without its tags, for names, slugs and word counts; the filter of allowed tags is content/text/sanitizing.py.

`<` before white space is a character, any other opens a tag; quotes inside a tag hide its end; a tag within a tag
belongs to it; a tag or comment without an end swallows the rest of the text. Rules: docs/rules/markup.md, 2.
"""

import re

_OPENING = re.compile(r"<(?![\s])")
_INSIDE = re.compile(r"[<>\"']")
_SCRIPT = re.compile(r"<(script|style)\b[^>]*>", re.IGNORECASE)
_SCRIPT_END = {
    "script": re.compile(r"</script[^>]*>", re.IGNORECASE),
    "style": re.compile(r"</style[^>]*>", re.IGNORECASE),
}


def strip_tags(text: str) -> str:
    """Return `text` with every tag and comment removed; what stands between them stays, scripts too."""
    if "<" not in text:
        return text
    parts: list[str] = []
    at = 0
    while opening := _OPENING.search(text, at):
        parts.append(text[at : opening.start()])
        at = _find_tag_end(text, opening.start())
    parts.append(text[at:])
    return "".join(parts)


def strip_scripts(text: str) -> str:
    """Return `text` without script and style elements and their content; an unclosed one stays."""
    if "<" not in text:
        return text
    parts: list[str] = []
    at = searched = 0
    # An end tag that was not found once is not searched again: hostile texts would take quadratic time.
    endless: set[str] = set()
    while opening := _SCRIPT.search(text, searched):
        name = opening[1].lower()
        ending = None if name in endless else _SCRIPT_END[name].search(text, opening.end())
        searched = opening.end()
        if ending is None:
            endless.add(name)
            continue
        parts.append(text[at : opening.start()])
        at = searched = ending.end()
    parts.append(text[at:])
    return "".join(parts)


def _find_tag_end(text: str, start: int) -> int:
    for opener, closer in (("<!--", "-->"), ("<?", "?>")):
        if text.startswith(opener, start):
            end = text.find(closer, start + len(opener))
            return len(text) if end < 0 else end + len(closer)
    depth, at = 1, start + 1
    while token := _INSIDE.search(text, at):
        at = token.end()
        if token[0] == "<":
            depth += 1
        elif token[0] == ">":
            depth -= 1
            if not depth:
                return at
        else:
            closing = text.find(token[0], at)
            if closing < 0:
                return len(text)
            at = closing + 1
    return len(text)
