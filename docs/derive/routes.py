"""The routes of the built-in profiles as pages: one entry a route, a page a resource.

What a route takes, who may call it and which codes it answers come from the declared `Route`; what it answers comes
from the OpenAPI document that is made of the same routes. A route that both profiles have is written once.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from vetrina.rest import summaries
from vetrina.rest.openapi import SiteDescription, build_openapi_document, split_pattern
from vetrina.rest.route import Route
from vetrina.settings import Settings, load_profile
from vetrina.site import Site

from .schemas import argument, members, phrase, plain

__all__ = ["PROFILES", "Entry", "anchor", "entries", "error_anchor", "pages"]

PROFILES: Final = ("first", "second")
_LARGE: Final = 45  # routes of a page past which it is split by the next segment
_SMALL: Final = 10  # routes of a namespace that fit on one page
_ALWAYS: Final = "mlang_language"  # every route of a namespace takes it: told once
_EVERYWHERE: Final = frozenset({"rest_invalid_param", "rest_missing_callback_param", "rest_no_route"})  # told once
# Older and parallel versions of a namespace have what the newer has, but for a few members.
_ALIKE: Final = {
    "shop/v2": "shop/v3", "shop/v1": "shop/v3", "shop-analytics": "shop/v3", "shop/store/v1": "shop/store",
}  # fmt: skip
_WORD: Final = re.compile(r"[^a-z0-9]+")
_WRITES: Final = frozenset({"POST", "PUT", "PATCH"})


@dataclass(frozen=True)
class Entry:
    """One route. path: with plain holes. pattern: as the index writes it. answers: by method, from the document."""

    route: Route
    namespace: str
    path: str
    pattern: str
    profiles: tuple[str, ...]
    operation: Mapping[str, Any]
    schemas: Mapping[str, Any]

    @property
    def anchor(self) -> str:
        return anchor(self.route.methods[0], self.path)

    @property
    def codes(self) -> dict[str, list[int]]:
        """The codes of its refusals, with their statuses."""
        found: dict[str, set[int]] = {}
        for one in self.operation["x-codes"]:
            found.setdefault(one["code"], set()).update(one["status"])
        return {code: sorted(statuses) for code, statuses in found.items()}


def anchor(method: str, path: str) -> str:
    """Return the name by which pages link to a route: `get-cms-v2-posts-id`."""
    return f"{method.lower()}-{_WORD.sub('-', path.lower()).strip('-') or 'index'}"


def error_anchor(code: str) -> str:
    """Return the name by which pages link to an error code."""
    return f"error-{_WORD.sub('-', code.lower()).strip('-')}"


def entries() -> list[Entry]:
    """Return every route of the built-in profiles, once."""
    found: dict[tuple[tuple[str, ...], str], Entry] = {}
    for name in PROFILES:
        with tempfile.TemporaryDirectory() as folder:
            site = Site(load_profile(name), Settings(), Path(folder))
            site.close()
        index = site.index
        described = build_openapi_document(index, SiteDescription(name, "", {}))
        for place in index.table.endpoints.values():
            path = split_pattern(place.pattern)[0]
            for route in place.routes:
                key = (route.methods, place.pattern)
                if key in found:
                    known = found[key]
                    found[key] = Entry(**{**vars(known), "profiles": (*known.profiles, name)})
                    continue
                operation = _operation(described["paths"], path, route.methods[0])
                found[key] = Entry(
                    route, place.namespace, path, place.pattern, (name,), operation, described["components"]["schemas"]
                )
    return list(found.values())


def _operation(paths: Mapping[str, Any], path: str, method: str) -> Mapping[str, Any]:
    """Return an operation of the document, where paths that differ in the names of their holes are one."""
    wanted = re.sub(r"\{[^{}]*\}", "{}", path)
    for known, item in paths.items():
        if re.sub(r"\{[^{}]*\}", "{}", known) == wanted and method.lower() in item:
            operation: Mapping[str, Any] = item[method.lower()]
            return operation
    raise LookupError(f"the document has no {method} {path}")


# -- pages


@dataclass
class Page:
    """One page of the reference. name: its path without suffix."""

    name: str
    title: str
    namespace: str
    entries: list[Entry] = field(default_factory=list)


def pages(every: Iterable[Entry]) -> list[Page]:
    """Return the pages in the order of the index."""
    spaces: dict[str, list[Entry]] = {}
    for entry in every:
        spaces.setdefault(entry.namespace, []).append(entry)
    found: list[Page] = []
    for space, inside in spaces.items():
        slug = _WORD.sub("-", space) or "site"
        if len(inside) <= _SMALL or not space:
            found.append(Page(f"reference/{slug}/index", space or "The site itself", space, inside))
            continue
        groups: dict[str, Page] = {}
        sizes: dict[str, int] = {}
        for entry in inside:
            sizes[_resource(entry, 1)] = sizes.get(_resource(entry, 1), 0) + 1
        seconds: dict[str, int] = {}
        for entry in inside:
            seconds[_resource(entry, 2)] = seconds.get(_resource(entry, 2), 0) + 1
        for entry in inside:
            first, second = _resource(entry, 1), _resource(entry, 2)
            name = second if sizes[first] > _LARGE and seconds[second] > 2 else first
            title = f"{space} {name}" if name else space
            path = f"reference/{slug}/{_WORD.sub('-', name.lower()).strip('-') or 'index'}"
            groups.setdefault(name, Page(path, title, space)).entries.append(entry)
        found += groups.values()
    return found


def _resource(entry: Entry, depth: int) -> str:
    """Return the first fixed segments of a path after its namespace."""
    parts = entry.path.removeprefix(f"/{entry.namespace}").strip("/").split("/")
    out: list[str] = []
    for part in parts[:depth]:
        if "{" in part:
            break
        out.append(part)
    return "/".join(out)


class Writer:
    """Writes pages; a schema that several pages share is written on the first of them."""

    def __init__(self, every: Iterable[Entry]) -> None:
        self._known = {(entry.route.methods, entry.path): entry for entry in every}
        self._schemas: dict[str, str] = {}  # text of a schema → its anchor
        self._anchors: set[str] = set()
        self._all_alone = False
        self._waiting: dict[str, tuple[str, Mapping[str, Any], Mapping[str, Any]]] = {}

    def page(self, page: Page) -> str:
        """Return a page as Markdown."""
        self._waiting = {}
        lines = [f"# {plain(page.title)}", ""]
        alone = {entry.profiles for entry in page.entries}
        self._all_alone = len(alone) == 1 and alone != {PROFILES}
        if self._all_alone:
            own = page.entries[0].profiles[0]
            lines += [f"Only in the profile `{own}`, and in profiles with the same modules and types.", ""]
        for entry in page.entries:
            lines += [*self._entry(entry), ""]
        while self._waiting:
            own, (name, schema, all) = self._waiting.popitem()
            lines += [f"({own})=", f"## Fields of {_shown(name)}", ""]
            lines += [*members(schema, partial(self._link, all=all)), ""]
        return "\n".join(lines)

    def _entry(self, entry: Entry) -> Iterator[str]:
        route = entry.route
        for method in route.methods:
            own = anchor(method, entry.path)
            while own in self._anchors:
                own += "-too"
            self._anchors.add(own)
            yield f"({own})="
        yield f"## {', '.join(route.methods)} `{entry.path}`"
        yield ""
        yield plain(summaries.describe_route(route))
        yield ""
        facts = [f"**Who may:** {plain(summaries.describe_permission(route))}"]
        if entry.profiles != PROFILES and not self._all_alone:
            facts.append(f"**Only in the profile** `{entry.profiles[0]}`.")
        if route.batch:
            facts.append("**In a batch:** yes.")
        if route.files:
            facts.append("**Files:** a part of a form, or the body itself.")
        yield " ".join(facts)
        yield ""
        yield from self._arguments(entry)
        yield from self._answer(entry)
        yield from self._errors(entry)

    def _arguments(self, entry: Entry) -> Iterator[str]:
        own = _argument_lines(entry)
        like = _ALIKE.get(entry.namespace, "")
        alike = self._known.get((entry.route.methods, entry.path.replace(f"/{entry.namespace}/", f"/{like}/", 1)))
        if like and alike is not None and own:
            theirs = _argument_lines(alike)
            other = {name: lines for name, lines in own.items() if theirs.get(name) != lines}
            gone = [f"`{name}`" for name in theirs if name not in own]
            if len(other) < len(own) / 2:
                like = f"[{'/'.join(alike.route.methods)} `{alike.path}`](#{alike.anchor})"
                less = f", without {', '.join(gone)}" if gone else ""
                yield f"**Arguments** as for {like}{less}{', and:' if other else '.'}"
                own = other
            else:
                yield "**Arguments**"
        elif own:
            yield "**Arguments**"
        yield ""
        for lines in own.values():
            yield from lines
        yield ""

    def _answer(self, entry: Entry) -> Iterator[str]:
        for status, answer in entry.operation["responses"].items():
            if not status.startswith("2"):
                continue
            schema = answer.get("content", {}).get("application/json", {}).get("schema")
            told = phrase(schema, lambda name: self._link(name, entry.schemas)) if schema else "no body"
            yield f"**Answers** `{status}`: {told}."
            if headers := answer.get("headers"):
                yield f"Headers: {', '.join(f'`{name}`' for name in headers)}."
            yield ""
            if schema and schema.get("properties"):
                yield from members(schema, lambda name: self._link(name, entry.schemas))
                yield ""

    def _errors(self, entry: Entry) -> Iterator[str]:
        found = {code: statuses for code, statuses in entry.codes.items() if code not in _EVERYWHERE}
        if found:
            told = (f"{{err}}`{code}` ({', '.join(map(str, found[code]))})" for code in sorted(found))
            yield f"**Errors:** {', '.join(told)}"

    def _link(self, name: str, all: Mapping[str, Any]) -> str:
        """Return a link to the fields of a shared schema; they are written at the end of this page if nowhere yet."""
        schema = all[name]
        if not schema.get("properties"):
            return phrase(schema, lambda other: self._link(other, all))
        key = repr(schema)
        if key not in self._schemas:
            own = f"fields-{_WORD.sub('-', name.lower()).strip('-')}"
            while own in self._anchors:
                own += "-too"
            self._anchors.add(own)
            self._schemas[key] = own
            self._waiting[own] = (name, schema, all)
        return f"[{_shown(name)}](#{self._schemas[key]})"


def _shown(name: str) -> str:
    """Return the name of a shared schema without the number that tells it from others of its name."""
    return plain(re.sub(r"-\d+$", "", name))


def _argument_lines(entry: Entry) -> dict[str, list[str]]:
    """Return the lines of each argument of a route."""
    holes = dict(split_pattern(entry.pattern)[1])
    lines: dict[str, list[str]] = {}
    for name, one in entry.route.args.items():
        if one.written and name != _ALWAYS:
            schema = one.argument()
            lines[name] = list(argument(name, schema, name in holes or bool(schema.get("required"))))
    for name, pattern in holes.items():
        if name not in entry.route.args:
            lines[name] = [f"- `{name}` (required): a part of the path, matching `{pattern}`"]
    return lines
