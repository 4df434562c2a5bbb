"""A site's dialect, compiled at startup: requests into neutral names, responses into the dialect's.

Handlers know neutral names only; the HTTP server translates on the way in and out. The pairs of names:
rest/dialects/names.py; where names may stand: rest/dialects/name_positions.py. Rules: docs/rules/requests.md, 9.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import sha1
from typing import Any, Final

import orjson

from vetrina.kernel.compact_bytes import compact_bytes
from vetrina.kernel.errors import InlineBudgetExceeded
from vetrina.kernel.json_text import serialize_json
from vetrina.rest.call import Request
from vetrina.rest.dialects.json_bytes import EncodedTranslator
from vetrina.rest.dialects.name_positions import KIND_MEMBERS, NAMED_PARAMETERS, NESTED_ROUTES
from vetrina.rest.dialects.name_translation import NameTranslator
from vetrina.rest.dialects.names import DialectNames, load_name_pairs
from vetrina.rest.dialects.prefixes import ADMIN_PREFIX, NEUTRAL_DIALECT, NEUTRAL_PREFIX
from vetrina.rest.encoded_body import EncodedBody
from vetrina.rest.route import Route
from vetrina.rest.route_descriptions import RouteIndex

_MAX_CACHED_BYTES = 12 << 20  # bytes of records that are cached with their translation
_MAX_LINKS = 1024  # values of Link that are cached with their translation
_MAX_INLINE_BYTES = 1 << 20  # bytes that are translated in the event loop
_ID_PARAMETER = r"(?P<id>[\d]+)"
_MISSING: Any = object()
_MAX_ROOTS = 16  # indexes cached as bytes; a URL may have any host
_NAMED_PARAMETER = re.compile(rf"/\(\?P<(?:{'|'.join(sorted(NAMED_PARAMETERS - {'id'}))})>[^/]*\)$")
_LINK_TARGET = re.compile(r"<([^>]*)>")


ADMIN_DIALECT: Final = "wordpress"  # that the administration speaks: its editor's packages know no other names


def compile_dialects(dialects: Sequence[str], index: RouteIndex, base_path: str = "") -> tuple[Dialect | None, ...]:
    """Return the dialects of a site, None for the neutral one. Raises SettingsError for an unknown one.

    base_path: the path that the site lives under.
    """
    return tuple(
        None if name == NEUTRAL_DIALECT else Dialect(name, index, base_path) for name in dict.fromkeys(dialects)
    )


def compile_admin_dialect(dialects: Iterable[Dialect | None], index: RouteIndex, base_path: str = "") -> Dialect:
    """Return the dialect of the administration's own root; dialects: of the site, whose names are compiled already."""
    names = next((one.names for one in dialects if one is not None and one.name == ADMIN_DIALECT), None)
    return Dialect(ADMIN_DIALECT, index, base_path, prefix=ADMIN_PREFIX, names=names)


class Dialect:
    """One dialect of one site, under one root.

    index: the descriptions of the site's routes. base_path: the path that the site lives under.
    prefix: the URL segment under which the dialect is spoken, empty for that of its names. names: its names, where
    they are compiled already.
    """

    def __init__(
        self,
        name: str,
        index: RouteIndex,
        base_path: str = "",
        *,
        prefix: str = "",
        names: DialectNames | None = None,
    ) -> None:
        self.name = name
        self.names = names or DialectNames(load_name_pairs(name))
        self.prefix = prefix or self.names.pairs.url_prefix[NEUTRAL_PREFIX]
        # Under a root of its own only the root has another name: the site may have no pages under the dialect's.
        folders = {NEUTRAL_PREFIX: prefix} if prefix else self.names.folders
        self._translator = NameTranslator(self.names, index.table, folders, base_path)
        self._named = frozenset(name.lower() for pair in self.names.pairs.headers.items() for name in pair)
        self._links: dict[str, str] = {}
        self._index = index
        self._namespaces = frozenset(f"/{space}" for space in index.namespaces)
        self._routes: dict[str, tuple[str, dict[str, Any]]] = {}
        self._indexes: OrderedDict[str, orjson.Fragment] = OrderedDict()
        self._encoders: dict[Route, EncodedTranslator | None] = {}
        self._cached_records: dict[tuple[EncodedTranslator, bytes], tuple[bytes, bytes]] = {}
        self._cached_bytes = 0
        self._cache_lock = threading.Lock()
        self._places = [at[: at.index("(?P<")] for at in index.table.endpoints if _NAMED_PARAMETER.search(at)]

    # -- names

    def pattern(self, pattern: str) -> str:
        """Return a path as the index writes it, translated."""
        return self.names.pattern(pattern)

    def arguments(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the schemas of arguments by name, translated."""
        turned: dict[str, Any] = self._translator.translate_schema(arguments, None, "")
        return turned

    def schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        """Return a record's schema, translated."""
        return self._translator.translate_record_schema(schema, "")

    def word(self, name: str) -> str:
        """Return an identifier, translated."""
        return self.names.word(name)

    def header(self, name: str) -> str:
        """Return a header's name, translated."""
        return self.names.header(name)

    # -- requests

    def to_neutral_path(self, path: str) -> str:
        """Return the neutral path of a request's path."""
        return self._translator.translate_path(path, False)

    def to_dialect_path(self, path: str) -> str:
        """Return a neutral path in this dialect."""
        return self._translator.translate_path(path, True)

    def translate_request(self, request: Request) -> None:
        """Translate the parts of a request before its body: query parameters, names of headers."""
        if request.query:
            request.query = self._translator.translate_arguments(request.query)
        if not self._named.isdisjoint(request.headers):
            request.headers = {self.names.header(name): value for name, value in request.headers.items()}

    def translate_request_body(self, request: Request) -> None:
        """Translate the members of a request's body."""
        if request.json:
            request.json = self._translate_parts(self._translator.translate_arguments(request.json))
        if request.form:
            request.form = self._translate_parts(self._translator.translate_arguments(request.form))

    def _translate_parts(self, body: dict[str, Any]) -> dict[str, Any]:
        """Translate the paths and headers of the requests in a batch."""
        parts = body.get("requests")
        for part in parts if isinstance(parts, list) else ():
            if isinstance(part, dict):
                if isinstance(path := part.get("path"), str):
                    route, mark, query = path.partition("?")
                    part["path"] = self.to_neutral_path(route) + mark + self._translator.translate_query(query)
                if isinstance(headers := part.get("headers"), dict):
                    part["headers"] = {self._translate_header_name(name): value for name, value in headers.items()}
        return body

    def _translate_header_name(self, name: str) -> str:
        plain = name.lower().replace("_", "-")
        turned = self.names.header(plain)
        return name if turned == plain else turned

    # -- responses

    def translate_headers(self, headers: dict[str, Any], root: str) -> dict[str, Any]:
        """Return the headers of a response, translated."""
        out = {}
        for name, value in headers.items():
            if name == "Link":
                value = self._links.get(value) or self._translate_link_header(value, root)
            elif name == "Location":
                value = self._translator.translate_url(value, root)
            out[self.names.header(name)] = value
        return out

    def _translate_link_header(self, value: str, root: str) -> str:
        turned = _LINK_TARGET.sub(lambda link: f"<{self._translator.translate_url(link[1], root)}>", value)
        for one, other in self.names.relation_addresses:
            turned = turned.replace(f'rel="{one}', f'rel="{other}')
        if len(self._links) >= _MAX_LINKS:
            self._links.clear()
        self._links[value] = turned
        return turned

    def translate_header_list(self, text: str) -> str:
        """Return a header's list of header names, translated."""
        return ", ".join(self.names.header(name) for name in text.split(", "))

    def encode_body(
        self, request: Request, route: Route | None, body: Any, option: int = 0, *, inline: bool = False
    ) -> tuple[bytes, str]:
        """Return the JSON text of a response body, translated, and a digest for its entity tag, empty where unknown.

        option: of orjson. inline: whether this runs in the event loop; raises InlineBudgetExceeded where it would take
        long.
        """
        encoder = self._find_encoder(request, route)
        if isinstance(body, EncodedBody):
            if encoder is None:
                body = body.parse()
            elif body.is_list:
                body = body.records
            else:
                content, key = self._encode_record(request, encoder, body.records[0])
                return content, key.hex()
        if encoder is None or not (isinstance(body, dict) or (body and type(body[0]) in (dict, bytes))):
            if inline and request.path != "/" and len(orjson.dumps(body)) > _MAX_INLINE_BYTES:
                raise InlineBudgetExceeded
            turned = self.translate_body(request, body)
            return (orjson.dumps(turned, option=option) if inline or option else serialize_json(turned)), ""
        if isinstance(body, dict):
            content, key = self._encode_record(request, encoder, body)
            return content, key.hex()
        records: list[tuple[bytes, bytes]] = []
        size = 0
        for one in body:
            record = self._encode_record(request, encoder, one)
            records.append(record)
            size += len(record[0])
            if inline and size > _MAX_INLINE_BYTES:
                raise InlineBudgetExceeded
        keys = b"".join([key for _, key in records])
        return b"[" + b",".join([content for content, _ in records]) + b"]", _hash_content(keys).hex()

    def _encode_record(
        self, request: Request, encoder: EncodedTranslator, record: dict[str, Any] | bytes
    ) -> tuple[bytes, bytes]:
        """Return the JSON text of a record, translated, and the digest of its text in neutral names.

        Lists and single records contain the same record again and again, so its translation is cached.
        """
        content = record if isinstance(record, bytes) else orjson.dumps(record)
        # The text is the key: hashing it costs less than the digest, which is computed once.
        key = (encoder, content)
        found = self._cached_records.get(key)
        if found is None:
            # Translating bytes holds the GIL until it is done.
            turned = (len(content) <= _MAX_INLINE_BYTES and encoder(content)) or orjson.dumps(
                self._translate_members(request, orjson.loads(record) if isinstance(record, bytes) else record)
            )
            found = compact_bytes(turned), _hash_content(content)
            if len(content) <= _MAX_CACHED_BYTES // 16:
                with self._cache_lock:
                    self._cache_record((encoder, compact_bytes(content)), found)
        return found

    def _cache_record(self, key: tuple[EncodedTranslator, bytes], turned: tuple[bytes, bytes]) -> None:
        if key not in self._cached_records:
            self._cached_records[key] = turned
            self._cached_bytes += len(key[1]) + len(turned[0])
        while self._cached_bytes > _MAX_CACHED_BYTES:
            oldest = next(iter(self._cached_records))
            self._cached_bytes -= len(oldest[1]) + len(self._cached_records.pop(oldest)[0])

    def _find_encoder(self, request: Request, route: Route | None) -> EncodedTranslator | None:
        if route is None or "_envelope" in request.query or "_pretty" in request.query:
            return None
        encoder = self._encoders.get(route, _MISSING)
        return self._build_encoder(route) if encoder is _MISSING else encoder

    def _build_encoder(self, route: Route) -> EncodedTranslator | None:
        """Return the translator of a route's encoded responses; None where they are not translated as bytes."""
        pattern = route.pattern
        self._encoders[route] = None
        if pattern.startswith(NESTED_ROUTES) or not ("per_page" in route.args or pattern.endswith(_ID_PARAMETER)):
            return None
        routes = self._index.table.endpoints[pattern].routes
        schema = next((one.schema for one in routes if one.schema), None)
        vocabulary = orjson.dumps(schema() if schema else self._index.list_routes("")).decode()
        # Records link to records of their own namespace and of the first one, which all others build on.
        spaces = [route.namespace, f"{self.names.curie[0]}/v2"]
        encoder = self._encoders[route] = EncodedTranslator(self.names, self.prefix, vocabulary, spaces, self._places)
        return encoder

    def translate_body(self, request: Request, body: Any) -> Any:
        """Return a response body, translated."""
        if "_envelope" in request.query and isinstance(body, dict) and {"body", "headers"} <= body.keys():
            inner, headers = (
                self._translate_members(request, body["body"]),
                self.translate_headers(body["headers"], request.root),
            )
            return {**body, "body": inner, "headers": headers}
        return self._translate_members(request, body)

    def _translate_members(self, request: Request, body: Any) -> Any:
        root = request.root
        if isinstance(body, list):
            return [self._translator.translate_item("", item, root, _find_kind_members(request.path)) for item in body]
        if not isinstance(body, dict):
            return body
        if isinstance(body.get("responses"), list):
            return {**body, "responses": [self._translate_part(part, root) for part in body["responses"]]}
        if isinstance(routes := body.get("routes"), dict) and (request.path == "/" or request.path in self._namespaces):
            rest = {name: value for name, value in body.items() if name != "routes"}
            return {**self._translator.translate_members(rest, root), "routes": self._translate_routes(request, routes)}
        return self._translator.translate_members(body, root, _find_kind_members(request.path))

    def _translate_part(self, part: Any, root: str) -> Any:
        if not (isinstance(part, dict) and {"body", "headers"} <= part.keys()):
            return part
        body = part["body"]
        return {
            **part,
            "body": self._translator.translate_members(body, root) if isinstance(body, dict) else body,
            "headers": self.translate_headers(part["headers"], root),
        }

    # -- the index

    def _translate_routes(self, request: Request, routes: dict[str, Any]) -> Any:
        """Return the entries of routes, translated; those of the whole index as cached bytes."""
        whole = request.path == "/" and len(routes) == len(self._index.table.endpoints)
        whole = whole and request.raw("_fields") is None and request.raw("context") != "help"
        if not whole or "_pretty" in request.query:
            return {
                self.names.pattern(at): self._translator.translate_members(entry, request.root)
                for at, entry in routes.items()
            }
        entries = self._indexes.get(request.root)
        if entries is None:
            entries = orjson.Fragment(
                compact_bytes(orjson.dumps(dict(self._translate_entry(at, request.root) for at in routes)))
            )
            with self._cache_lock:
                self._indexes[request.root] = entries
                if len(self._indexes) > _MAX_ROOTS:
                    self._indexes.popitem(last=False)
        return entries

    def _translate_entry(self, pattern: str, root: str) -> tuple[str, dict[str, Any]]:
        """Return a route's pattern and entry, translated."""
        known = self._routes.get(pattern)
        endpoint = self._index.table.endpoints[pattern]
        if known is None:
            entry = self._index.describe_endpoint(endpoint, "")
            entry.pop("_links", None)
            known = self._routes[pattern] = self.names.pattern(pattern), self._translator.translate_members(entry, "")
        turned, entry = known
        if endpoint.fixed:
            entry = {**entry, "_links": {"self": [{"href": root + turned}]}}
        return turned, entry


def _find_kind_members(path: str) -> frozenset[str]:
    for beginning, members in KIND_MEMBERS.items():
        if path.startswith(beginning):
            return members
    return frozenset()


def _hash_content(content: bytes) -> bytes:
    return sha1(content, usedforsecurity=False).digest()
