"""Decoded values from one dialect into the other: members, names among their values, schemas, addresses.

The same walk turns requests and answers, in either direction, since names are their own inverse
(rest/dialects/names.py). Not here: bytes (rest/dialects/json_bytes.py), and what of a request or an answer is turned
(rest/dialects/dialect.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote_plus, unquote_plus

from vetrina.rest.dialects.name_positions import (
    ADDRESSES,
    CHOICES,
    FILES,
    HOLES,
    NAMES,
    PEOPLE,
    PLUGIN_OBJECTS,
    PLUGINS,
    SCHEMAS,
)
from vetrina.rest.dialects.names import Names
from vetrina.rest.route_table import Table

__all__ = ["Turning"]

_MOST_PATHS = (
    4096  # paths, and pairs of a query, kept with their counterpart; they come from clients, so their number is bounded
)
_NOTHING: frozenset[str] = frozenset()
_ITEM = re.compile(r"[^,\s]+")
_PART = re.compile(r"[^,.\s]+")
_BRACKET = re.compile(r"\[|%5B", re.IGNORECASE)
_PROSE = frozenset({"description"})
_NOT_NAMES = frozenset({"$schema", "format", "pattern", "title", *_PROSE})


class Turning:
    """Turns the values of one site.

    table: its routes, by their neutral paths.
    """

    def __init__(self, names: Names, table: Table) -> None:
        self._names, self._table, self._words = names, table, names.words
        self._paths: dict[tuple[str, bool], str] = {}
        self._pairs: dict[str, str] = {}

    # -- members

    def members(self, value: dict[str, Any], root: str, also: frozenset[str] = _NOTHING) -> dict[str, Any]:
        """Return an object turned.

        root: the API root, in front of addresses. also: members whose text is a name, beside the usual ones.
        """
        words, out = self._words, {}
        for name, item in value.items():
            kind = type(item)
            if kind is dict:
                if name in PEOPLE:
                    pass
                elif name in SCHEMAS:
                    item = self.schema(item, None, root) if name == "args" else self.record_schema(item, root)
                else:
                    item = self.members(item, root, also)
                    if name in PLUGIN_OBJECTS:
                        item = self._described_plugin(item)
            elif kind is list:
                if name == "curies":
                    item = [self._curie(one) for one in item]
                elif item and name not in PEOPLE:
                    item = [self.item(name, one, root, also) for one in item]
            elif kind is str:
                item = self._text(name, item, root, also)
            out[words[name]] = item
        return self._error(value, out) if "code" in value and "message" in value else out

    def item(self, name: str, item: Any, root: str, also: frozenset[str]) -> Any:
        kind = type(item)
        if kind is dict:
            return self.members(item, root, also)
        if kind is list:
            return [self.item(name, one, root, also) for one in item]
        return self._text(name, item, root, also) if kind is str else item

    def _text(self, name: str, text: str, root: str, also: frozenset[str]) -> str:
        if root and text.startswith(root):
            # An address of this site is one wherever it stands.
            return self.address(text, root)
        if name in NAMES or name in also:
            return self._words[text]
        if name in ADDRESSES:
            return self.address(text, root)
        return self._names.plugin(text) if name in PLUGINS else text

    def _described_plugin(self, plugin: dict[str, Any]) -> dict[str, Any]:
        """Return what describes a plugin with its folder and its main file turned."""
        turn = self._names.plugin
        return {
            name: turn(item) if name in ("file", "slug") and isinstance(item, str) else item
            for name, item in plugin.items()
        }

    def _error(self, value: dict[str, Any], out: dict[str, Any]) -> dict[str, Any]:
        """Turn what an error says: its code, its sentences, the parameters that it names."""
        code, message, data = value["code"], value["message"], value.get("data")
        if isinstance(code, str) and isinstance(message, str):
            out["code"], out["message"] = self._words[code], self._names.prose(message)
            if isinstance(data, dict) and "params" in data:
                params = data["params"]
                if isinstance(params, dict):
                    out["data"]["params"] = {self.place(at): self._names.prose(text) for at, text in params.items()}
                elif isinstance(params, list):
                    out["data"]["params"] = [self.place(at) if isinstance(at, str) else at for at in params]
                if isinstance(details := data.get("details"), dict):
                    places = [self.place(at) for at in details]
                    out["data"]["details"] = dict(zip(places, out["data"]["details"].values(), strict=True))
        return out

    def place(self, text: str) -> str:
        """Return a place inside a parameter turned: `meta._x[y]`."""
        return _PART.sub(lambda part: self._part(part[0]), text)

    def _part(self, part: str) -> str:
        return self._names.pattern(part) if part.startswith("/") else self._words[part]

    def _curie(self, curie: dict[str, Any]) -> dict[str, Any]:
        one, other = self._names.curie
        name = {one: other, other: one}.get(curie["name"], curie["name"])
        return {**curie, "name": name, "href": self._words[curie["href"]]}

    # -- schemas

    def record_schema(self, schema: dict[str, Any], root: str) -> dict[str, Any]:
        """Return the schema of a kind of record turned; its title is the name of the kind."""
        turned: dict[str, Any] = self.schema(schema, "", root)
        if isinstance(title := turned.get("title"), str):
            turned["title"] = self._words[title]
        return turned

    def schema(self, value: Any, key: str | None, root: str) -> Any:
        """Return a JSON schema, or arguments by name, turned.

        key: the keyword that the value is of; None for arguments by name.
        """
        if isinstance(value, dict):
            named = key in (None, "properties", "default", "enum")
            inner = "" if named and key != "enum" else None
            return {
                self._words[name] if named else name: self._keyword(item, name if inner is None else inner, root)
                for name, item in value.items()
            }
        return self._keyword(value, key or "", root)

    def _keyword(self, value: Any, key: str, root: str) -> Any:
        if isinstance(value, dict):
            return self.schema(value, key, root)
        if isinstance(value, list):
            if key == "links":
                return [self.members(link, root) if isinstance(link, dict) else link for link in value]
            return [self._keyword(item, key, root) for item in value]
        if not isinstance(value, str) or key in _NOT_NAMES:
            return self._names.prose(value) if key in _PROSE and isinstance(value, str) else value
        return self._words[value]

    # -- paths and addresses

    def path(self, path: str, neutral: bool) -> str:
        """Return a route's path turned; neutral: whether it is a neutral one."""
        known = (path, neutral)
        found = self._paths.get(known)
        if found is None:
            if len(self._paths) >= _MOST_PATHS:
                self._paths.clear()
            found = self._path(path, neutral)
            if len(path) < 200:
                self._paths[known] = found
        return found

    def _path(self, path: str, neutral: bool) -> str:
        turned = self._names.path(path)
        words = self._words
        named = [part for part in path.split("/") if not part.isdigit() and words[part] != part]
        if named:
            found = self._table.find(path if neutral else turned)
            for hole, value in found[1].items() if found is not None else ():
                if hole in HOLES and value in named:
                    turned = turned.replace(f"/{value}", f"/{words[value]}")
        return turned

    def address(self, text: str, root: str) -> str:
        """Return an address of this site turned, or an address that link relations begin with."""
        if root and text.startswith(root):
            path, mark, query = text[len(root) :].partition("?")
            return root + self.path(path, True) + mark + self.query(query)
        if not text.startswith(("http://", "https://")):
            return text
        turned = self._words[text] if len(text) < 100 else text
        if turned != text:
            return turned
        scheme, _, host, *parts = text.split("/")
        if parts:
            parts[0] = self._names.folder(parts[0])
        return self._names.made("/".join((scheme, "", host, *parts)))

    def query(self, text: str) -> str:
        """Return the text of a query turned."""
        return "&".join(self._pair(pair) for pair in text.split("&")) if text else text

    def _pair(self, pair: str) -> str:
        found = self._pairs.get(pair)
        if found is None:
            if len(self._pairs) >= _MOST_PATHS:
                self._pairs.clear()
            found = self._turned_pair(pair)
            if len(pair) < 100:
                self._pairs[pair] = found
        return found

    def _turned_pair(self, pair: str) -> str:
        name, mark, value = pair.partition("=")
        bracket = _BRACKET.search(name)
        base, rest = (name[: bracket.start()], name[bracket.start() :]) if bracket else (name, "")
        known = unquote_plus(base)
        turned = self._words[known]
        if value and (known in NAMES or known in CHOICES or known in PLUGINS):
            plain = unquote_plus(value)
            if (changed := self.argument(known, plain)) != plain:
                value = quote_plus(changed, safe=",:-_.")
        return (base if turned == known else quote_plus(turned)) + rest + mark + value

    # -- parameters

    def arguments(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of a request turned: a query, a form, the members of a JSON body."""
        out = {}
        for name, value in values.items():
            turned = self._words[name]
            out[turned] = self.argument(turned, value)
        return out

    def argument(self, name: str, value: Any) -> Any:
        """Return the value of the parameter of a neutral name, turned."""
        if isinstance(value, str):
            turn = self._turn_of(name)
            return turn(value) if turn is not None else value
        if isinstance(value, list):
            return [self.argument(name, item) for item in value]
        if not isinstance(value, dict) or name in PEOPLE:
            return value
        turned = self.arguments(value)
        return self._described_plugin(turned) if name in PLUGIN_OBJECTS else turned

    def _turn_of(self, name: str) -> Callable[[str], str] | None:
        if name in NAMES:
            return lambda text: _ITEM.sub(lambda item: self._words[item[0]], text)
        if name in CHOICES:
            return self.choices
        if name in FILES:
            return self._names.file
        return self._names.plugin if name in PLUGINS else None

    def choices(self, text: str) -> str:
        """Return a list of members or links turned: `meta._x,_links.x:y`."""
        return _ITEM.sub(lambda item: self._words[item[0]] if "://" in item[0] else self.place(item[0]), text)
