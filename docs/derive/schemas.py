"""Schemas in words: the type of a value in one phrase, and the members of an object as a nested list.

Takes the spelling of the index (`type`, `enum`, `required: true`) and that of OpenAPI alike.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

__all__ = ["argument", "members", "phrase"]

Link = Callable[[str], str]  # name of a shared schema → how a page names it

_BOUNDS: Final = (
    ("minimum", "{} or more"), ("maximum", "{} at most"), ("exclusiveMinimum", "more than {}"),
    ("exclusiveMaximum", "less than {}"), ("minLength", "{} characters or more"),
    ("maxLength", "{} characters at most"), ("minItems", "{} items or more"), ("maxItems", "{} items at most"),
)  # fmt: skip
_DEEPEST: Final = 3  # levels of members that are written out
_LONGEST: Final = 24  # words of an enumeration that are written out


def argument(name: str, schema: Mapping[str, Any], required: bool) -> Iterator[str]:
    """Yield the lines of one argument; members of an object stand beneath it."""
    facts = [phrase(schema)]
    if required:
        facts.append("required")
    if "default" in schema:
        facts.append(f"default {_code(schema['default'])}")
    yield _entry(name, facts, schema.get("description", ""))
    yield from _inside(schema, 1, str)


def members(schema: Mapping[str, Any], link: Link, depth: int = 0) -> Iterator[str]:
    """Yield the lines of an object's members. link: how a page names a shared schema."""
    for name, one in schema.get("properties", {}).items():
        if name in ("_links", "_embedded"):
            continue
        facts = [phrase(one, link)]
        if contexts := one.get("x-context"):
            facts.append(f"in {', '.join(contexts)}")
        if one.get("readOnly"):
            facts.append("read only")
        yield "  " * depth + _entry(name, facts, one.get("description", ""))
        yield from _inside(one, depth + 1, link)


def phrase(schema: Mapping[str, Any], link: Link = str) -> str:
    """Return what kind of value a schema takes, with its bounds and choices."""
    if reference := schema.get("$ref"):
        return link(str(reference).rpartition("/")[2])
    for word in ("oneOf", "anyOf"):
        if forms := [phrase(form, link) for form in schema.get(word, ())]:
            return " or ".join(dict.fromkeys(forms))
    kinds = schema.get("type", "any value")
    kinds = [kinds] if isinstance(kinds, str) else [str(kind) for kind in kinds]
    text = " or ".join(kind for kind in kinds if kind != "null") or "null"
    items = schema.get("items")
    if "array" in kinds and isinstance(items, Mapping) and items:
        text = text.replace("array", f"list of {phrase(items, link)}")
    if form := schema.get("format"):
        text += f" ({form})"
    for word, told in _BOUNDS:
        if word in schema and not isinstance(schema[word], bool):
            text += f", {told.format(schema[word])}"
    if choices := schema.get("enum"):
        shown = ", ".join(_code(choice) for choice in choices[:_LONGEST])
        text += f": one of {shown}{' …' if choices[_LONGEST:] else ''}"
    if pattern := schema.get("pattern"):
        text += f", matching {_code(pattern)}"
    return text


def _inside(schema: Mapping[str, Any], depth: int, link: Link) -> Iterator[str]:
    """Yield the members of an object, or of the objects of a list."""
    if depth > _DEEPEST:
        return
    items = schema.get("items")
    for held in (schema, items if isinstance(items, Mapping) else {}):
        if isinstance(held.get("properties"), Mapping):
            yield from members(held, link, depth)


def _entry(name: str, facts: list[str], description: Any) -> str:
    said = f": {plain(str(description))}" if description else ""
    return f"- {_code(name)} ({'; '.join(facts)}){said}"


def plain(text: str) -> str:
    """Return prose so that nothing of it is taken for markup, in one line."""
    text = " ".join(text.split())
    parts = text.split("`")
    for at in range(0, len(parts), 2):
        for sign in "\\*_<>[]{}$|#":
            parts[at] = parts[at].replace(sign, f"\\{sign}")
    return "`".join(parts) if len(parts) % 2 else text.replace("`", "").translate({ord(s): f"\\{s}" for s in "*_<>[]"})


def _code(value: Any) -> str:
    """Return a value as code."""
    text = value if isinstance(value, str) and value else json.dumps(value, ensure_ascii=False)
    text = " ".join(text.split())
    fence = "``" if "`" in text else "`"
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"
