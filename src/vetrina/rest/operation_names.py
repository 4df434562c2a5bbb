"""The names of operations: `listPosts`, `getPost`, `createPost`, from method and path alone, so that they stay.

Names of `cms/v2` stand alone, those of every other namespace begin with it: `listShopProducts`,
`getShopV2Order`. They are the same in every dialect. Rules: OpenAPI 3.1, "Operation Object".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from vetrina.rest.openapi_records import build_type_name
from vetrina.rest.route import READ, REMOVE, WRITE, Route

# Namespaces whose version is the usual one.
_PREFIXES: Final = {"cms/v2": "", "shop/v3": "Shop", "": ""}
_PARAMETER: Final = re.compile(r"\{(\w+)\}")
_SINGULARS: Final = (("ies", "y"), ("sses", "ss"), ("xes", "x"), ("uses", "us"), ("ss", "ss"), ("us", "us"), ("s", ""))
_UPDATE_VERBS: Final = {"POST": "update", "PUT": "put", "PATCH": "patch"}


def build_operation_name(route: Route, method: str, path: str, space: str) -> str:
    """Return the name of an operation. path: the neutral one, as OpenAPI writes it; space: its namespace."""
    parts = [part for part in path.removeprefix(f"/{space}").split("/") if part]
    verb, single = _find_verb(route, method, parts)
    words = "".join(_iterate_words(parts, single))
    if not words:
        return f"{verb}{build_type_name(space)}Index"
    return verb + _PREFIXES.get(space, build_type_name(space)) + words


def _find_verb(route: Route, method: str, parts: list[str]) -> tuple[str, bool]:
    """Return what an operation does, and whether its path leads to one record of several."""
    one = bool(parts) and _PARAMETER.search(parts[-1]) is not None
    if method in REMOVE:
        return "delete", one
    if method in READ:
        many = route.answers in ("many", "by name") or (not route.answers and "per_page" in route.args)
        return "list" if many else "get", one and not many
    if route.methods == WRITE and not one:
        return (
            ("create", True) if route.schema is not None and not route.answers and not route.status else ("post", False)
        )
    return _UPDATE_VERBS[method], one


def _iterate_words(parts: list[str], single: bool) -> Iterable[str]:
    """Yield the words of a path: what a parameter follows in the singular, and the last where it is one record."""
    for at, part in enumerate(parts):
        following = parts[at + 1] if at + 1 < len(parts) else ""
        if named := _PARAMETER.findall(part):
            # Where no plural stands before it, it has no word of its own but its name.
            before = parts[at - 1] if at else "{"
            if _PARAMETER.search(before) or (named != ["id"] and _get_singular(before) == before):
                yield "By" + build_type_name(*named)
            continue
        counted = _PARAMETER.fullmatch(following) if following else single
        yield build_type_name(_get_singular(part) if counted else part)


def _get_singular(word: str) -> str:
    for ending, singular in _SINGULARS:
        if word.endswith(ending):
            return word[: len(word) - len(ending)] + singular
    return word
