"""The names of a dialect: pairs of a neutral name and the one that the dialect's clients send.

Every function here is its own inverse: it translates a neutral name into the dialect's and back, and a neutral name
sent by a client of the dialect becomes a name that means nothing here. So names that authors chose come back as they
wrote them. The pairs are data (`<dialect>.json`). Where a name may stand: rest/dialects/name_positions.py.
Rules: docs/rules/requests.md, 9.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from vetrina.settings import SettingsError

_MAX_KNOWN_NAMES = 8192  # cached names; some come from clients, so their number is bounded
_SEGMENT = re.compile(r"(?<=/)[\w-]+(?=/|$)", re.ASCII)
_GROUP = re.compile(r"(?<=\(\?P<)\w+(?=>)", re.ASCII)
_PROSE_NAME = re.compile(r"(?<![\w\\-])/?[A-Za-z_][\w:/-]*[\w]", re.ASCII)


class NamePairs(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A dialect's file: neutral name → its name, by the kind of thing that is named.

    namespaces: first segments of a path. path_segments: further ones. parameters, values, words, meta: whole names.
    prefixes: beginnings of identifiers that no table has. patterns: of made keys, both ways.
    plugins: folder names. keep: names that are the same in both. headers: of requests and responses.
    link_relations: relations, and URLs that they begin with. url_prefix: segments of URLs beside the API's.
    """

    namespaces: dict[str, str]
    path_segments: dict[str, str]
    parameters: dict[str, str]
    values: dict[str, str]
    words: dict[str, str]
    prefixes: dict[str, str]
    patterns: dict[str, tuple[str, str]]
    plugins: dict[str, str]
    keep: tuple[str, ...]
    headers: dict[str, str]
    link_relations: dict[str, str]
    meta: dict[str, str]
    url_prefix: dict[str, str]


def list_dialects() -> list[str]:
    """Return the names of all dialects, the neutral one included."""
    return sorted(("neutral", *(file.stem for file in Path(__file__).parent.glob("*.json"))))


def load_name_pairs(dialect: str) -> NamePairs:
    """Return the pairs of a dialect. Raises SettingsError for an unknown one."""
    folder = Path(__file__).parent
    path = folder / f"{dialect}.json"
    if not dialect.isidentifier() or not path.is_file():
        raise SettingsError(f"there is no dialect {dialect!r}; known: {', '.join(list_dialects())}")
    return msgspec.json.decode(path.read_bytes(), type=NamePairs)


class _KnownNames(dict[str, str]):
    """Names with their counterparts, computed on first use."""

    def __init__(self, names: DialectNames) -> None:
        self._names = names

    def __missing__(self, name: str) -> str:
        found = self._names._compute_counterpart(name)
        if len(name) <= 100:
            if len(self) >= _MAX_KNOWN_NAMES:
                self.clear()
            self[name] = found
        return found


class DialectNames:
    """The names of one dialect, compiled."""

    def __init__(self, pairs: NamePairs) -> None:
        relations = {a: b for a, b in pairs.link_relations.items() if ":" in a and not a.endswith((":", "/"))}
        tables = (pairs.parameters, pairs.values, pairs.words, pairs.meta, pairs.path_segments, relations)
        self._whole = _invert_tables(*tables, pairs.namespaces)
        self._keep = frozenset(pairs.keep)
        self._prefixes = _sort_longest_first(_invert_tables(pairs.prefixes))
        self._made = [_build_literal_pattern(*patterns) for patterns in pairs.patterns.values()]
        self._plugins = _invert_tables(pairs.plugins)
        self._segments = _invert_tables(pairs.path_segments)
        self._headers = _invert_tables(pairs.headers)
        self._lower = {a.lower(): b.lower() for a, b in self._headers.items()}
        self.folders = _invert_tables(pairs.url_prefix)
        json, other = next(iter(pairs.url_prefix.items()))
        self._own, self._foreign = json.rpartition("-")[0], other.rpartition("-")[0]
        self._own_files, self._files = _build_folder_pattern(self._own), _build_folder_pattern(self._foreign)
        self._spaces: dict[str, list[tuple[str, str]]] = {}
        for space, other in _sort_longest_first(_invert_tables(pairs.namespaces)):
            self._spaces.setdefault(space.partition("/")[0], []).append((f"/{space}", f"/{other}"))
        self.relation_addresses = [(a, b) for a, b in pairs.link_relations.items() if a.endswith("/")]
        self._addresses = list(_invert_tables(dict(self.relation_addresses)).items())
        self.curie = next((a, b) for a, b in pairs.link_relations.items() if ":" not in a)
        self.pairs = pairs
        self.neutral = frozenset(
            name for table in (*tables, pairs.namespaces) for name, other in table.items() if name != other
        )
        self.words = _KnownNames(self)

    def word(self, name: str) -> str:
        """Return the counterpart of an identifier: a member, a parameter, an error code, a type, a link relation."""
        return self.words[name]

    def _compute_counterpart(self, name: str) -> str:
        found = self._find_own_counterpart(name)
        if found is not None:
            return found
        for prefix, other in self._prefixes:
            if name.startswith(prefix):
                # Where the way back would lead elsewhere, both names stay unchanged.
                candidate = other + name[len(prefix) :]
                return name if self._find_own_counterpart(candidate) is not None else candidate
        for address, other in self._addresses:
            if name.startswith(address):
                return other + name[len(address) :]
        return ".".join(self.words[part] for part in name.split(".")) if "." in name and "/" not in name else name

    def _find_own_counterpart(self, name: str) -> str | None:
        """Return the counterpart of a name that is listed by itself, whatever its prefix."""
        found = self._whole.get(name)
        if found is not None:
            return found
        if name in self._keep:
            return name
        for pattern, one, other in self._made:
            if match := pattern.fullmatch(name):
                return (other if match[1] == one else one) + match[2]
        return None

    def header(self, name: str) -> str:
        """Return the counterpart of a header's name; lower case gives lower case."""
        return self._headers.get(name) or self._lower.get(name, name)

    def translate_plugin(self, name: str) -> str:
        """Return the counterpart of a plugin: its folder, or its main file."""
        folder, slash, file = name.partition("/")
        if not slash:
            return self._plugins.get(name) or self.words[name]
        stem = file.removesuffix(".php")
        return f"{self.translate_plugin(folder)}/{self.translate_plugin(stem)}{file[len(stem) :]}"

    def path(self, path: str) -> str:
        """Return the counterpart of a route's path; values of path parameters stay unless a segment has a name here."""
        head, rest = self._translate_namespace(path)
        if self._segments and rest:
            rest = _SEGMENT.sub(lambda found: self._segments.get(found[0].lower(), found[0]), rest)
        return head + rest

    def pattern(self, pattern: str) -> str:
        """Return the counterpart of a path as the index writes it, with named groups."""
        return _GROUP.sub(lambda group: self.words[group[0]], self.path(pattern))

    def _translate_namespace(self, path: str) -> tuple[str, str]:
        low = path.lower()
        for space, other in self._spaces.get(low[1:].partition("/")[0], ()):
            if low.startswith(space) and (len(low) == len(space) or low[len(space)] == "/"):
                return other, path[len(space) :]
        return "", path

    def has_namespace(self, path: str) -> bool | None:
        """Return whether a path begins with a namespace of this dialect; None for one that both dialects have."""
        other, rest = self._translate_namespace(path)
        own = path[1 : len(path) - len(rest)].lower()
        return own not in self.pairs.namespaces if other and own != other[1:] else None

    def translate_made_keys(self, text: str) -> str:
        """Return a URL with the made keys in it translated."""
        for pattern, one, other in self._made:
            text = pattern.sub(partial(_build_other_form, {one: other, other: one}), text)
        return text

    def file(self, address: str) -> str:
        """Return the URL of one of the site's files in its own folder, whichever dialect it is written in."""
        return self._files.sub(self._own, address)

    def to_client_file(self, address: str) -> str:
        """Return the URL under which the dialect's clients look for one of the site's files."""
        return self._own_files.sub(self._foreign, address)

    def translate_prose(self, text: str) -> str:
        """Return one of our own sentences with the names in it translated."""
        return _PROSE_NAME.sub(lambda found: self._translate_match(found[0]), text)

    def _translate_match(self, found: str) -> str:
        return self.path(found) if found.startswith("/") else self.words[found]


def _invert_tables(*tables: Mapping[str, str]) -> dict[str, str]:
    """Return tables read both ways; where two names share a counterpart, it leads back to the first.

    Raises ValueError when a name has two counterparts.
    """
    out: dict[str, str] = {}
    for table in tables:
        for one, other in table.items():
            if out.setdefault(one, other) != other:
                raise ValueError(f"{one} is paired with {out[one]} and with {other}")
            out.setdefault(other, one)
    return out


def _build_folder_pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<=/){re.escape(word)}(?=-(?:content|includes)/)")


def _build_other_form(begins: dict[str, str], found: re.Match[str]) -> str:
    return begins[found[1]] + found[2]


def _sort_longest_first(pairs: Mapping[str, str]) -> list[tuple[str, str]]:
    return sorted(pairs.items(), key=lambda pair: -len(pair[0]))


def _build_literal_pattern(one: str, other: str) -> tuple[re.Pattern[str], str, str]:
    """Return a pattern for both forms of a made key, and how each begins."""
    (begin, bracket, rest), (begin_other, _, rest_other) = one.partition("["), other.partition("[")
    if rest != rest_other:
        raise ValueError(f"{one} and {other} differ in more than how they begin")
    return re.compile(f"({re.escape(begin)}|{re.escape(begin_other)})({bracket}{rest})"), begin, begin_other
