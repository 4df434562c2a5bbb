"""Decoded values from one dialect into the other: members, names among their values, schemas, URLs.

The same walk translates requests and responses, in either direction, since names are their own inverse
(rest/dialects/names.py). Bytes: rest/dialects/json_bytes.py. Which parts are translated: rest/dialects/dialect.py.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote_plus, unquote_plus

from vetrina.rest.dialects.name_positions import (
    AUTHORED_MEMBERS,
    FIELD_SELECTION_PARAMETERS,
    FILE_MEMBERS,
    NAME_MEMBERS,
    NAMED_PARAMETERS,
    PLUGIN_MEMBERS,
    PLUGIN_OBJECT_MEMBERS,
    SCHEMA_MEMBERS,
    URL_MEMBERS,
)
from vetrina.rest.dialects.names import DialectNames
from vetrina.rest.route_table import RouteTable

_MAX_PATHS = 4096  # cached paths, and pairs of a query; they come from clients, so their number is bounded
_NO_MEMBERS: frozenset[str] = frozenset()
_LIST_ITEM = re.compile(r"[^,\s]+")
_PATH_PART = re.compile(r"[^,.\s]+")
_OPENING_BRACKET = re.compile(r"\[|%5B", re.IGNORECASE)
_PROSE_KEYWORDS = frozenset({"description"})
_UNTRANSLATED_KEYWORDS = frozenset({"$schema", "format", "pattern", "title", *_PROSE_KEYWORDS})


class NameTranslator:
    """Translates the values of one site.

    table: its routes, by their neutral paths. folders: the counterparts of first segments of URLs that are no route's.
    base_path: the path that the site lives under.
    """

    def __init__(self, names: DialectNames, table: RouteTable, folders: Mapping[str, str], base_path: str = "") -> None:
        self._base, self._folders = base_path.split("/")[1:], folders
        self._names, self._table, self._words = names, table, names.words
        self._paths: dict[tuple[str, bool], str] = {}
        self._pairs: dict[str, str] = {}

    # -- members

    def translate_members(self, value: dict[str, Any], root: str, also: frozenset[str] = _NO_MEMBERS) -> dict[str, Any]:
        """Return an object translated.

        root: the API root, at the start of URLs. also: members whose text is a name, beside the usual ones.
        """
        words, out = self._words, {}
        for name, item in value.items():
            kind = type(item)
            if kind is dict:
                if name in AUTHORED_MEMBERS:
                    pass
                elif name in SCHEMA_MEMBERS:
                    item = (
                        self.translate_schema(item, None, root)
                        if name == "args"
                        else self.translate_record_schema(item, root)
                    )
                else:
                    item = self.translate_members(item, root, also)
                    if name in PLUGIN_OBJECT_MEMBERS:
                        item = self._translate_plugin(item)
            elif kind is list:
                if name == "curies":
                    item = [self._translate_curie(one) for one in item]
                elif item and name not in AUTHORED_MEMBERS:
                    item = [self.translate_item(name, one, root, also) for one in item]
            elif kind is str:
                item = self._translate_text(name, item, root, also)
            out[words[name]] = item
        return self._translate_error(value, out) if "code" in value and "message" in value else out

    def translate_item(self, name: str, item: Any, root: str, also: frozenset[str]) -> Any:
        kind = type(item)
        if kind is dict:
            return self.translate_members(item, root, also)
        if kind is list:
            return [self.translate_item(name, one, root, also) for one in item]
        return self._translate_text(name, item, root, also) if kind is str else item

    def _translate_text(self, name: str, text: str, root: str, also: frozenset[str]) -> str:
        if root and text.startswith(root):
            # A URL of this site is one wherever it stands.
            return self.translate_url(text, root)
        if name in NAME_MEMBERS or name in also:
            return self._words[text]
        if name in URL_MEMBERS:
            return self.translate_url(text, root)
        return self._names.translate_plugin(text) if name in PLUGIN_MEMBERS else text

    def _translate_plugin(self, plugin: dict[str, Any]) -> dict[str, Any]:
        """Return the description of a plugin with its folder and its main file translated."""
        turn = self._names.translate_plugin
        return {
            name: turn(item) if name in ("file", "slug") and isinstance(item, str) else item
            for name, item in plugin.items()
        }

    def _translate_error(self, value: dict[str, Any], out: dict[str, Any]) -> dict[str, Any]:
        """Translate an error: its code, its message, the parameters that it names."""
        code, message, data = value["code"], value["message"], value.get("data")
        if isinstance(code, str) and isinstance(message, str):
            out["code"], out["message"] = self._words[code], self._names.translate_prose(message)
            if isinstance(data, dict) and "params" in data:
                params = data["params"]
                if isinstance(params, dict):
                    out["data"]["params"] = {
                        self.translate_place(at): self._names.translate_prose(text) for at, text in params.items()
                    }
                elif isinstance(params, list):
                    out["data"]["params"] = [self.translate_place(at) if isinstance(at, str) else at for at in params]
                if isinstance(details := data.get("details"), dict):
                    places = [self.translate_place(at) for at in details]
                    out["data"]["details"] = dict(zip(places, out["data"]["details"].values(), strict=True))
        return out

    def translate_place(self, text: str) -> str:
        """Return a position inside a parameter, translated: `meta._x[y]`."""
        return _PATH_PART.sub(lambda part: self._translate_part(part[0]), text)

    def _translate_part(self, part: str) -> str:
        return self._names.pattern(part) if part.startswith("/") else self._words[part]

    def _translate_curie(self, curie: dict[str, Any]) -> dict[str, Any]:
        one, other = self._names.curie
        name = {one: other, other: one}.get(curie["name"], curie["name"])
        return {**curie, "name": name, "href": self._words[curie["href"]]}

    # -- schemas

    def translate_record_schema(self, schema: dict[str, Any], root: str) -> dict[str, Any]:
        """Return the schema of a record type, translated; its title is the name of the type."""
        turned: dict[str, Any] = self.translate_schema(schema, "", root)
        if isinstance(title := turned.get("title"), str):
            turned["title"] = self._words[title]
        return turned

    def translate_schema(self, value: Any, key: str | None, root: str) -> Any:
        """Return a JSON schema, or arguments by name, translated.

        key: the keyword that the value belongs to; None for arguments by name.
        """
        if isinstance(value, dict):
            named = key in (None, "properties", "default", "enum")
            inner = "" if named and key != "enum" else None
            return {
                self._words[name] if named else name: self._translate_keyword(
                    item, name if inner is None else inner, root
                )
                for name, item in value.items()
            }
        return self._translate_keyword(value, key or "", root)

    def _translate_keyword(self, value: Any, key: str, root: str) -> Any:
        if isinstance(value, dict):
            return self.translate_schema(value, key, root)
        if isinstance(value, list):
            if key == "links":
                return [self.translate_members(link, root) if isinstance(link, dict) else link for link in value]
            return [self._translate_keyword(item, key, root) for item in value]
        if not isinstance(value, str) or key in _UNTRANSLATED_KEYWORDS:
            return self._names.translate_prose(value) if key in _PROSE_KEYWORDS and isinstance(value, str) else value
        return self._words[value]

    # -- paths and URLs

    def translate_path(self, path: str, neutral: bool) -> str:
        """Return a route's path, translated; neutral: whether it is a neutral one."""
        known = (path, neutral)
        found = self._paths.get(known)
        if found is None:
            if len(self._paths) >= _MAX_PATHS:
                self._paths.clear()
            found = self._compute_path(path, neutral)
            if len(path) < 200:
                self._paths[known] = found
        return found

    def _compute_path(self, path: str, neutral: bool) -> str:
        turned = self._names.path(path)
        words = self._words
        named = [part for part in path.split("/") if not part.isdigit() and words[part] != part]
        if named:
            found = self._table.find(path if neutral else turned)
            for parameter, value in found[1].items() if found is not None else ():
                if parameter in NAMED_PARAMETERS and value in named:
                    turned = turned.replace(f"/{value}", f"/{words[value]}")
        return turned

    def translate_url(self, text: str, root: str) -> str:
        """Return a URL of this site translated, or a URL that link relations begin with."""
        if root and text.startswith(root):
            path, mark, query = text[len(root) :].partition("?")
            return root + self.translate_path(path, True) + mark + self.translate_query(query)
        if not text.startswith(("http://", "https://")):
            return text
        turned = self._words[text] if len(text) < 100 else text
        if turned != text:
            return turned
        scheme, _, host, *parts = text.split("/")
        first = len(self._base)
        if len(parts) > first and parts[:first] == self._base:
            parts[first] = self._folders.get(parts[first], parts[first])
        return self._names.translate_made_keys("/".join((scheme, "", host, *parts)))

    def translate_query(self, text: str) -> str:
        """Return a query string, translated."""
        return "&".join(self._find_pair(pair) for pair in text.split("&")) if text else text

    def _find_pair(self, pair: str) -> str:
        found = self._pairs.get(pair)
        if found is None:
            if len(self._pairs) >= _MAX_PATHS:
                self._pairs.clear()
            found = self._translate_pair(pair)
            if len(pair) < 100:
                self._pairs[pair] = found
        return found

    def _translate_pair(self, pair: str) -> str:
        name, mark, value = pair.partition("=")
        bracket = _OPENING_BRACKET.search(name)
        base, rest = (name[: bracket.start()], name[bracket.start() :]) if bracket else (name, "")
        known = unquote_plus(base)
        turned = self._words[known]
        if value and (known in NAME_MEMBERS or known in FIELD_SELECTION_PARAMETERS or known in PLUGIN_MEMBERS):
            plain = unquote_plus(value)
            if (changed := self.translate_argument(known, plain)) != plain:
                value = quote_plus(changed, safe=",:-_.")
        return (base if turned == known else quote_plus(turned)) + rest + mark + value

    # -- parameters

    def translate_arguments(self, values: dict[str, Any]) -> dict[str, Any]:
        """Return the parameters of a request, translated: a query, a form, the members of a JSON body."""
        out = {}
        for name, value in values.items():
            turned = self._words[name]
            out[turned] = self.translate_argument(turned, value)
        return out

    def translate_argument(self, name: str, value: Any) -> Any:
        """Return the value of the parameter with a neutral name, translated."""
        if isinstance(value, str):
            turn = self._find_translation(name)
            return turn(value) if turn is not None else value
        if isinstance(value, list):
            return [self.translate_argument(name, item) for item in value]
        if not isinstance(value, dict) or name in AUTHORED_MEMBERS:
            return value
        turned = self.translate_arguments(value)
        return self._translate_plugin(turned) if name in PLUGIN_OBJECT_MEMBERS else turned

    def _find_translation(self, name: str) -> Callable[[str], str] | None:
        if name in NAME_MEMBERS:
            return lambda text: _LIST_ITEM.sub(lambda item: self._words[item[0]], text)
        if name in FIELD_SELECTION_PARAMETERS:
            return self.translate_field_selection
        if name in FILE_MEMBERS:
            return self._names.file
        return self._names.translate_plugin if name in PLUGIN_MEMBERS else None

    def translate_field_selection(self, text: str) -> str:
        """Return a list of members or links, translated: `meta._x,_links.x:y`."""
        return _LIST_ITEM.sub(
            lambda item: self._words[item[0]] if "://" in item[0] else self.translate_place(item[0]), text
        )
