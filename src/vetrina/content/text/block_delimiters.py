"""Block delimiters in markup of users without the right to free markup: their attributes are filtered text by text.

A delimiter is a comment such as `<!-- wp:name {"a":1} -->`; the prefix is data and the same in every dialect. Not here:
parsing and rendering blocks (content/blocks/grammar.py), other comments (content/text/markup_filter.py).
Rules: docs/rules/markup.md, 6: attributes are written as JSON in which `<`, `>`, `&`, `--` and escaped quotes are `\\u`
sequences. If the attributes are no JSON object, the comment is an ordinary one.
"""

import json
import re
from collections.abc import Callable
from typing import Final, NoReturn

from vetrina.content.blocks.grammar import MAX_ATTRIBUTE_VALUES
from vetrina.kernel.json_text import has_more_values

_OPENING = re.compile(r"<!--[ \t\r\n]+(/?)wp:((?:[a-z][a-z0-9_-]*/)?[a-z][a-z0-9_-]*)[ \t\r\n]+")
_INSIDE = re.compile(r"(?:(\{.*\})[ \t\r\n]+)?(/?)", re.DOTALL)
_DASHES = re.compile(r"--+")
_SPECIAL = re.compile(r"\\[\\\"]|--|[<>&]")
_WRITTEN: Final = {
    "\\\\": "\\u005c",
    '\\"': "\\u0022",
    "--": "\\u002d\\u002d",
    "<": "\\u003c",
    ">": "\\u003e",
    "&": "\\u0026",
}
_OWN_NAMESPACE: Final = "core/"


def rewrite_delimiter(text: str, at: int, value: Callable[[str], str]) -> tuple[str, int] | None:
    """Return the delimiter that begins at `at`, its attributes filtered, and the index after it; None without one.

    value: filters one text of the attributes, keys included.
    """
    opening = _OPENING.match(text, at)
    # The first `-->` ends the comment for every browser, whatever the JSON in it says.
    end = text.find("-->", opening.end()) if opening else -1
    if opening is None or end < 0:
        return None
    inside = _INSIDE.fullmatch(text, opening.end(), end)
    if inside is None:
        return None
    # Some readers end a comment at two dashes, so they are no more allowed in a name than in other comments.
    slash, name = opening[1], _DASHES.sub("-", opening[2].removeprefix(_OWN_NAMESPACE))
    attributes = ""
    if inside[1]:
        if has_more_values(inside[1].encode("utf-8", "replace"), MAX_ATTRIBUTE_VALUES):
            return None
        try:
            found = json.loads(inside[1], parse_constant=_refuse_constant)
            written = json.dumps(
                _filter_value(found, value), ensure_ascii=False, separators=(",", ":"), allow_nan=False
            )
        except (ValueError, RecursionError):
            return None
        attributes = escape_attributes(written) + " " if found else ""
    return f"<!-- {slash}wp:{name} {attributes}{inside[2]}-->", end + 3


def escape_attributes(written: str) -> str:
    """Return JSON as a delimiter holds it: nothing in it can end the comment or begin markup."""
    return _SPECIAL.sub(lambda match: _WRITTEN[match[0]], written)


def _filter_value(node: object, value: Callable[[str], str]) -> object:
    if isinstance(node, str):
        return value(node)
    if isinstance(node, list):
        return [_filter_value(item, value) for item in node]
    if isinstance(node, dict):
        return {value(key): _filter_value(item, value) for key, item in node.items()}
    return node


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
