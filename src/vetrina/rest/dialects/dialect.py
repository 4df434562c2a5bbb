"""A dialect of one site, compiled when it starts: requests into neutral names, answers out of them.

Whoever answers knows neutral names only; the edge asks this room on the way in and on the way out. Rules:
rest/dialects/names.py (the pairs), rest/dialects/name_positions.py (where names stand); DESIGN, "Names are a dialect".
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Sequence
from hashlib import sha1
from typing import Any

import orjson

from vetrina.kernel.compact_bytes import compact
from vetrina.kernel.errors import TakesLong
from vetrina.kernel.json_text import written
from vetrina.rest.call import Request
from vetrina.rest.dialects.json_bytes import Encoded
from vetrina.rest.dialects.name_positions import HOLES, NESTED, OF_KINDS
from vetrina.rest.dialects.name_translation import Turning
from vetrina.rest.dialects.names import Names, read
from vetrina.rest.index import Index
from vetrina.rest.route import Route

__all__ = ["Dialect", "compiled"]

_MOST_TURNED = 12 << 20  # bytes of records that are kept with what they were turned into
_MOST_LINKS = 1024  # values of Link that are kept turned
_MOST_INLINE = 1 << 20  # bytes that are turned while others wait
_NUMBERED = r"(?P<id>[\d]+)"
_UNSEEN: Any = object()
_MOST_ROOTS = 16  # indexes kept as bytes; an address may have any host
_NAMED = re.compile(rf"/\(\?P<(?:{'|'.join(sorted(HOLES - {'id'}))})>[^/]*\)$")
_IN_LINK = re.compile(r"<([^>]*)>")


def compiled(dialects: Sequence[str], index: Index) -> tuple[Dialect | None, ...]:
    """Return the dialects of a site, None for the neutral one. Raises SettingsError for one that nobody knows."""
    return tuple(None if name == "neutral" else Dialect(name, index) for name in dict.fromkeys(dialects))


class Dialect:
    """One dialect of one site.

    index: what the site's routes say about themselves. prefix: the segment of an address under which it is spoken.
    """

    def __init__(self, name: str, index: Index) -> None:
        self.name = name
        self.names = Names(read(name))
        self.prefix = self.names.pairs.url_prefix["cms-json"]
        self._turning = Turning(self.names, index.table)
        self._named = frozenset(name.lower() for pair in self.names.pairs.headers.items() for name in pair)
        self._links: dict[str, str] = {}
        self._index = index
        self._namespaces = frozenset(f"/{space}" for space in index.namespaces)
        self._routes: dict[str, tuple[str, dict[str, Any]]] = {}
        self._indexes: OrderedDict[str, orjson.Fragment] = OrderedDict()
        self._encoded: dict[Route, Encoded | None] = {}
        self._turned: dict[tuple[Encoded, bytes], tuple[bytes, bytes]] = {}
        self._bytes = 0
        self._keeping = threading.Lock()
        self._places = [at[: at.index("(?P<")] for at in index.table.places if _NAMED.search(at)]

    # -- names

    def pattern(self, pattern: str) -> str:
        """Return a path as the index writes it, turned."""
        return self.names.pattern(pattern)

    def arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the schemas of arguments by name, turned."""
        turned: dict[str, Any] = self._turning.schema(arguments, None, "")
        return turned

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a record's schema turned."""
        return self._turning.record_schema(schema, "")

    def word(self, name: str) -> str:
        """Return an identifier turned."""
        return self.names.word(name)

    def header(self, name: str) -> str:
        """Return a header's name turned."""
        return self.names.header(name)

    # -- requests

    def path(self, path: str) -> str:
        """Return the neutral path that a request's path means."""
        return self._turning.path(path, False)

    def spoken(self, path: str) -> str:
        """Return what a neutral path is called here."""
        return self._turning.path(path, True)

    def read(self, request: Request) -> None:
        """Turn what is known of a request before its body: parameters of its address, names of headers."""
        if request.query:
            request.query = self._turning.arguments(request.query)
        if not self._named.isdisjoint(request.headers):
            request.headers = {self.names.header(name): value for name, value in request.headers.items()}

    def read_body(self, request: Request) -> None:
        """Turn the members of a request's body."""
        if request.json:
            request.json = self._read_parts(self._turning.arguments(request.json))
        if request.form:
            request.form = self._read_parts(self._turning.arguments(request.form))

    def _read_parts(self, body: dict[str, Any]) -> dict[str, Any]:
        """Turn the addresses and headers of the requests that a batch brings."""
        parts = body.get("requests")
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict):
                if isinstance(path := part.get("path"), str):
                    route, mark, query = path.partition("?")
                    part["path"] = self.path(route) + mark + self._turning.query(query)
                if isinstance(headers := part.get("headers"), dict):
                    part["headers"] = {self._written(name): value for name, value in headers.items()}
        return body

    def _written(self, name: str) -> str:
        plain = name.lower().replace("_", "-")
        turned = self.names.header(plain)
        return name if turned == plain else turned

    # -- answers

    def headers(self, headers: dict[str, Any], root: str) -> dict[str, Any]:
        """Return the headers of an answer turned."""
        out = {}
        for name, value in headers.items():
            if name == "Link":
                value = self._links.get(value) or self._link(value, root)
            elif name == "Location":
                value = self._turning.address(value, root)
            out[self.names.header(name)] = value
        return out

    def _link(self, value: str, root: str) -> str:
        turned = _IN_LINK.sub(lambda link: f"<{self._turning.address(link[1], root)}>", value)
        for one, other in self.names.relation_addresses:
            turned = turned.replace(f'rel="{one}', f'rel="{other}')
        if len(self._links) >= _MOST_LINKS:
            self._links.clear()
        self._links[value] = turned
        return turned

    def words(self, text: str) -> str:
        """Return a header's list of header names turned."""
        return ", ".join(self.names.header(name) for name in text.split(", "))

    def encoded(
        self, request: Request, route: Route | None, body: Any, option: int = 0, *, inline: bool = False
    ) -> tuple[bytes, str]:
        """Return the JSON text of an answer's body turned, and what tells it apart from others, empty where unknown.

        option: of orjson. inline: whether others wait meanwhile; raises TakesLong where they would wait long then.
        """
        encoder = self._encoder_of(request, route)
        if encoder is None or not (isinstance(body, dict) or (body and type(body[0]) is dict)):
            if inline and request.path != "/" and len(orjson.dumps(body)) > _MOST_INLINE:
                raise TakesLong
            turned = self.turned(request, body)
            return (orjson.dumps(turned, option=option) if inline or option else written(turned)), ""
        if isinstance(body, dict):
            content, key = self._record(request, encoder, body)
            return content, key.hex()
        records: list[tuple[bytes, bytes]] = []
        size = 0
        for one in body:
            record = self._record(request, encoder, one)
            records.append(record)
            size += len(record[0])
            if inline and size > _MOST_INLINE:
                raise TakesLong
        keys = b"".join([key for _, key in records])
        return b"[" + b",".join([content for content, _ in records]) + b"]", _digest(keys).hex()

    def _record(self, request: Request, encoder: Encoded, record: dict[str, Any]) -> tuple[bytes, bytes]:
        """Return the JSON text of a record turned, and the digest of its text in neutral names.

        Lists and single records show the same record again and again, so what it was turned into is kept.
        """
        content = orjson.dumps(record)
        # The text is the key: hashing it so costs less than the digest, which is made once.
        key = (encoder, content)
        found = self._turned.get(key)
        if found is None:
            # What turns bytes lets nobody else in before it is done.
            turned = (len(content) <= _MOST_INLINE and encoder(content)) or orjson.dumps(self._body(request, record))
            found = compact(turned), _digest(content)
            if len(content) <= _MOST_TURNED // 16:
                with self._keeping:
                    self._keep((encoder, compact(content)), found)
        return found

    def _keep(self, key: tuple[Encoded, bytes], turned: tuple[bytes, bytes]) -> None:
        if key not in self._turned:
            self._turned[key] = turned
            self._bytes += len(key[1]) + len(turned[0])
        while self._bytes > _MOST_TURNED:
            oldest = next(iter(self._turned))
            self._bytes -= len(oldest[1]) + len(self._turned.pop(oldest)[0])

    def _encoder_of(self, request: Request, route: Route | None) -> Encoded | None:
        if route is None or "_envelope" in request.query or "_pretty" in request.query:
            return None
        encoder = self._encoded.get(route, _UNSEEN)
        return self._encoder(route) if encoder is _UNSEEN else encoder

    def _encoder(self, route: Route) -> Encoded | None:
        """Return what turns the answers of a route in their bytes; None where they are not to be turned so."""
        pattern = route.pattern
        self._encoded[route] = None
        if pattern.startswith(NESTED) or not ("per_page" in route.args or pattern.endswith(_NUMBERED)):
            return None
        routes = self._index.table.places[pattern].routes
        schema = next((one.schema for one in routes if one.schema), None)
        vocabulary = orjson.dumps(schema() if schema else self._index.routes("")).decode()
        # Records lead to those of their own namespace and of the first one, which all others build on.
        spaces = [route.namespace, f"{self.names.curie[0]}/v2"]
        encoder = self._encoded[route] = Encoded(self.names, self.prefix, vocabulary, spaces, self._places)
        return encoder

    def turned(self, request: Request, body: Any) -> Any:
        """Return an answer's body turned."""
        if "_envelope" in request.query and isinstance(body, dict) and {"body", "headers"} <= body.keys():
            inner, headers = self._body(request, body["body"]), self.headers(body["headers"], request.root)
            return {**body, "body": inner, "headers": headers}
        return self._body(request, body)

    def _body(self, request: Request, body: Any) -> Any:
        root = request.root
        if isinstance(body, list):
            return [self._turning.item("", item, root, _kinds(request.path)) for item in body]
        if not isinstance(body, dict):
            return body
        if isinstance(body.get("responses"), list):
            return {**body, "responses": [self._part(part, root) for part in body["responses"]]}
        if isinstance(routes := body.get("routes"), dict) and (request.path == "/" or request.path in self._namespaces):
            rest = {name: value for name, value in body.items() if name != "routes"}
            return {**self._turning.members(rest, root), "routes": self._described(request, routes)}
        return self._turning.members(body, root, _kinds(request.path))

    def _part(self, part: Any, root: str) -> Any:
        if not (isinstance(part, dict) and {"body", "headers"} <= part.keys()):
            return part
        body = part["body"]
        return {
            **part,
            "body": self._turning.members(body, root) if isinstance(body, dict) else body,
            "headers": self.headers(part["headers"], root),
        }

    # -- the index

    def _described(self, request: Request, routes: dict[str, Any]) -> Any:
        """Return the entries of routes turned; those of the whole index as bytes, which are kept."""
        whole = request.path == "/" and len(routes) == len(self._index.table.places)
        whole = whole and request.raw("_fields") is None and request.raw("context") != "help"
        if not whole or "_pretty" in request.query:
            return {self.names.pattern(at): self._turning.members(entry, request.root) for at, entry in routes.items()}
        kept = self._indexes.get(request.root)
        if kept is None:
            kept = orjson.Fragment(compact(orjson.dumps(dict(self._entry(at, request.root) for at in routes))))
            with self._keeping:
                self._indexes[request.root] = kept
                if len(self._indexes) > _MOST_ROOTS:
                    self._indexes.popitem(last=False)
        return kept

    def _entry(self, pattern: str, root: str) -> tuple[str, dict[str, Any]]:
        """Return a route's pattern and entry turned."""
        known = self._routes.get(pattern)
        place = self._index.table.places[pattern]
        if known is None:
            entry = self._index.described(place, "")
            entry.pop("_links", None)
            known = self._routes[pattern] = self.names.pattern(pattern), self._turning.members(entry, "")
        turned, entry = known
        if place.fixed:
            entry = {**entry, "_links": {"self": [{"href": root + turned}]}}
        return turned, entry


def _kinds(path: str) -> frozenset[str]:
    for beginning, members in OF_KINDS.items():
        if path.startswith(beginning):
            return members
    return frozenset()


def _digest(content: bytes) -> bytes:
    return sha1(content, usedforsecurity=False).digest()
