"""Block delimiters in markup of users without free markup: their attributes are filtered as markup, text by text.

A delimiter is a comment such as `<!-- wp:name {"a":1} -->`; the prefix is data and the same in every dialect. Not here:
the tree of blocks and their rendering (content/blocks/grammar.py), comments that are no delimiters
(content/text/markup_parsing.py). Rules: observed on authors' saves: attributes are written as JSON without `<`, `>`,
`&`, `--` and escaped quotes, each as its `\\u` sequence. Attributes that are no JSON object make the comment an
ordinary one.
"""

import json
import re
from collections.abc import Callable
from typing import Final, NoReturn

from vetrina.content.blocks.grammar import MOST_VALUES
from vetrina.kernel.json_text import more_values

_OPENING = re.compile(r"<!--[ \t\r\n]+(/?)wp:((?:[a-z][a-z0-9_-]*/)?[a-z][a-z0-9_-]*)[ \t\r\n]+")
_INSIDE = re.compile(r"(?:(\{.*\})[ \t\r\n]+)?(/?)", re.DOTALL)
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


def rewritten(text: str, at: int, value: Callable[[str], str]) -> tuple[str, int] | None:
    """Return (the delimiter that begins at `at`, its attributes filtered; the place behind it), or None without one.

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
    slash, name = opening[1], opening[2].removeprefix(_OWN_NAMESPACE)
    attributes = ""
    if inside[1]:
        if more_values(inside[1].encode("utf-8", "replace"), MOST_VALUES):
            return None
        try:
            found = json.loads(inside[1], parse_constant=_refused)
            written = json.dumps(_filtered(found, value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except (ValueError, RecursionError):
            return None
        attributes = escaped(written) + " " if found else ""
    return f"<!-- {slash}wp:{name} {attributes}{inside[2]}-->", end + 3


def escaped(written: str) -> str:
    """Return JSON as a delimiter holds it: nothing in it can end the comment or begin markup."""
    return _SPECIAL.sub(lambda match: _WRITTEN[match[0]], written)


def _filtered(found: object, value: Callable[[str], str]) -> object:
    if isinstance(found, str):
        return value(found)
    if isinstance(found, list):
        return [_filtered(item, value) for item in found]
    if isinstance(found, dict):
        return {value(key): _filtered(item, value) for key, item in found.items()}
    return found


def _refused(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")
