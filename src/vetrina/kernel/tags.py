"""Text without its tags: what names, slugs and word counts are made of.

Not here: the filter that keeps allowed tags (content/text/sanitizing.py).
Rules: observed on titles and names. `<` before white space is a sign, any other opens a tag; quotes inside a tag hide
its end; a tag within a tag belongs to it; a tag or comment without an end takes the rest of the text along.
"""

import re

_OPENING = re.compile(r"<(?![\s])")
_INSIDE = re.compile(r"[<>\"']")
_SCRIPT = re.compile(r"<(script|style)\b[^>]*>", re.IGNORECASE)
_SCRIPT_END = {
    "script": re.compile(r"</script[^>]*>", re.IGNORECASE),
    "style": re.compile(r"</style[^>]*>", re.IGNORECASE),
}


def without_tags(text: str) -> str:
    """Return `text` with every tag and comment removed; what stands between them stays, scripts too."""
    if "<" not in text:
        return text
    kept: list[str] = []
    at = 0
    while opening := _OPENING.search(text, at):
        kept.append(text[at : opening.start()])
        at = _end_of_tag(text, opening.start())
    kept.append(text[at:])
    return "".join(kept)


def without_scripts(text: str) -> str:
    """Return `text` without script and style elements, the text in them included; an unclosed one stays."""
    if "<" not in text:
        return text
    kept: list[str] = []
    at = searched = 0
    # A name whose end tag was once not found ahead is not searched again: hostile texts would cost squared time.
    endless: set[str] = set()
    while opening := _SCRIPT.search(text, searched):
        name = opening[1].lower()
        ending = None if name in endless else _SCRIPT_END[name].search(text, opening.end())
        searched = opening.end()
        if ending is None:
            endless.add(name)
            continue
        kept.append(text[at : opening.start()])
        at = searched = ending.end()
    kept.append(text[at:])
    return "".join(kept)


def _end_of_tag(text: str, start: int) -> int:
    for opener, closer in (("<!--", "-->"), ("<?", "?>")):
        if text.startswith(opener, start):
            end = text.find(closer, start + len(opener))
            return len(text) if end < 0 else end + len(closer)
    depth, at = 1, start + 1
    while sign := _INSIDE.search(text, at):
        at = sign.end()
        if sign[0] == "<":
            depth += 1
        elif sign[0] == ">":
            depth -= 1
            if not depth:
                return at
        else:
            closing = text.find(sign[0], at)
            if closing < 0:
                return len(text)
            at = closing + 1
    return len(text)
