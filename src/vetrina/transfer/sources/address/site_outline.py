"""What a site's index tells of it: which paths can be read, with which parameters, in which languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

_GROUP: Final = re.compile(r"\(\?P<(\w+)>")
_LANGUAGE_PARAMETERS: Final = ("mlang_language", "lang")


class SiteOutline:
    """A site's index, read. index: as `/` answers it, in neutral names."""

    def __init__(self, index: Mapping[str, Any]) -> None:
        self.title = str(index.get("name") or "")
        self.url = str(index.get("url") or "").rstrip("/")
        self.home = str(index.get("home") or "").rstrip("/")
        self._arguments: dict[str, Mapping[str, Any]] = {}
        routes = index.get("routes")
        for pattern, route in get_objects(routes):
            endpoints = route.get("endpoints")
            for endpoint in endpoints if isinstance(endpoints, list) else ():
                if isinstance(endpoint, dict) and _is_read(endpoint.get("methods")):
                    arguments = dict(get_objects(endpoint.get("args")))
                    self._arguments.setdefault(write_template(pattern), arguments)
        self.language_parameter, self.languages = self._find_languages()

    def has_path(self, template: str) -> bool:
        """Return whether a path can be read; its parameters may have any names."""
        return self._find_arguments(template) is not None

    def get_arguments(self, template: str) -> Mapping[str, Any]:
        """Return the schemas of the parameters of a path, by name."""
        return self._find_arguments(template) or {}

    def _find_arguments(self, template: str) -> Mapping[str, Any] | None:
        return self._arguments.get(re.sub(r"\{\w+\}", "{}", template))

    def _find_languages(self) -> tuple[str, tuple[str, ...]]:
        """Return the parameter that chooses the language, and the codes, the default first; empty for one."""
        posts = self.get_arguments("/cms/v2/posts")
        for name in _LANGUAGE_PARAMETERS:
            enum = posts.get(name, {}).get("enum")
            codes = [code for code in enum if isinstance(code, str) and code] if isinstance(enum, list) else []
            if len(codes) > 1:
                default = self.home.rpartition("/")[2]
                return name, tuple(sorted(codes, key=lambda code: code != default))
        return "", ()


def _is_read(methods: Any) -> bool:
    return isinstance(methods, list) and "GET" in methods


def get_objects(value: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return the objects in an object with their names; a site may put anything else there, too."""
    return [(name, one) for name, one in value.items() if isinstance(one, dict)] if isinstance(value, dict) else []


def write_template(pattern: str) -> str:
    """Return a path of the index with `{}` for each named group, whatever the group matches."""
    out, at = "", 0
    while match := _GROUP.search(pattern, at):
        out += pattern[at : match.start()] + "{}"
        at = _find_group_end(pattern, match.start())
    return out + pattern[at:]


def _find_group_end(pattern: str, start: int) -> int:
    depth, at, in_class = 0, start, False
    while at < len(pattern):
        mark = pattern[at]
        if mark == "\\":
            at += 1
        elif in_class:
            in_class = mark != "]"
        elif mark == "[":
            in_class = True
        elif mark in "()":
            depth += 1 if mark == "(" else -1
            if depth == 0:
                return at + 1
        at += 1
    return len(pattern)
