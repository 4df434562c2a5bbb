"""The files of the administration's front end, as its build wrote them: small, many, and named by their content.

A name with a hash is kept by browsers for ever. Where a compressed copy lies beside a file (`NAME.br`, `NAME.gz`), it
is sent to those who take it. Rules: RFC 9110, 8.4, 12.5.3 and 13.1 (encodings, conditions), RFC 8246 (immutable). The
page that names them: pages/admin_page.py.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from vetrina.http.cached_responses import matches_etag
from vetrina.http.file_responses import Headers, Scope, Send

_TYPES: Final = {
    ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8", ".json": "application/json; charset=utf-8", ".map": "application/json",
    ".html": "text/html; charset=utf-8", ".txt": "text/plain; charset=utf-8", ".md": "text/plain; charset=utf-8",
    ".svg": "image/svg+xml", ".png": "image/png", ".webp": "image/webp", ".avif": "image/avif", ".gif": "image/gif",
    ".jpg": "image/jpeg", ".ico": "image/x-icon", ".woff2": "font/woff2", ".woff": "font/woff",
    ".wasm": "application/wasm",
}  # fmt: skip
# One folder deep at most, and nothing hidden: the build notes there what it does while it runs.
_NAME: Final = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9_.@-]*/)?[A-Za-z0-9_][A-Za-z0-9_.@-]*", re.ASCII)
_HASHED: Final = re.compile(r"[-.](?:[A-Z0-9]{8,}|[0-9a-f]{8,})\.[a-z0-9]+$", re.ASCII)
_ENCODINGS: Final = ((".br", "br"), (".gz", "gzip"))  # the better one first
_MAX_CACHED_BYTES: Final = 16 << 20  # bytes of files that a process keeps; the whole front end has about as many
_LASTING: Final = b"public, max-age=31536000, immutable"
_REVALIDATED: Final = b"no-cache"
# A file opened by itself runs nothing, whatever is in it; where a page loads it, the policy of the page counts.
_POLICY: Final = b"default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"


class _BuiltFile(NamedTuple):
    """The bytes of a file, and its entity tag; changed: when it was written, in nanoseconds."""

    content: bytes
    etag: bytes
    changed: int


class BuiltFileServer:
    """Sends the files of a folder below one path.

    address: begins and ends with a slash.
    """

    def __init__(self, folder: Path, address: str) -> None:
        self._folder, self.address = folder, address
        self._cached: OrderedDict[str, _BuiltFile] = OrderedDict()
        self._cached_bytes = 0

    async def __call__(self, scope: Scope, send: Send) -> None:
        """Answer one request."""
        status, headers, content = self._build_reply(scope)
        if b"content-length" not in dict(headers) and status != 304:
            headers = [*headers, (b"content-length", str(len(content)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else content})

    def _build_reply(self, scope: Scope) -> tuple[int, Headers, bytes]:
        if scope["method"] not in ("GET", "HEAD"):
            return 405, [(b"allow", b"GET, HEAD")], b""
        name = scope["path"][len(self.address) :]
        kind = _TYPES.get(Path(name).suffix)
        if kind is None or not _NAME.fullmatch(name) or name == "manifest.json":
            return _NOT_FOUND
        asked = _read_headers(scope)
        found, encoding = None, b""
        accepted = _parse_accepted_encodings(asked.get(b"accept-encoding", b"").decode("latin-1"))
        for suffix, coding in _ENCODINGS:
            if coding in accepted and (found := self._load(name + suffix)) is not None:
                encoding = coding.encode()
                break
        found = found or self._load(name)
        if found is None:
            return _NOT_FOUND
        headers: Headers = [
            (b"etag", found.etag),
            (b"cache-control", _LASTING if _HASHED.search(name) else _REVALIDATED),
            (b"vary", b"Accept-Encoding"),
            (b"x-content-type-options", b"nosniff"),
            (b"cross-origin-resource-policy", b"same-origin"),
        ]
        if not kind.startswith("text/javascript"):
            # A worker takes its policy from the script that it runs; opened by itself, a script runs nothing.
            headers.append((b"content-security-policy", _POLICY))
        if matches_etag(asked.get(b"if-none-match", b""), found.etag):
            return 304, headers, b""
        headers.append((b"content-type", kind.encode()))
        if encoding:
            headers.append((b"content-encoding", encoding))
        return 200, headers, found.content

    def _load(self, name: str) -> _BuiltFile | None:
        """Return a file as it is on the disk now, None where there is none."""
        path = self._folder / name
        try:
            changed = path.stat().st_mtime_ns
            known = self._cached.get(name)
            if known is not None and known.changed == changed:
                self._cached.move_to_end(name)
                return known
            content = path.read_bytes()
        except OSError:
            # Missing, a folder, or replaced by the build at this moment.
            return None
        self._forget(name)
        file = _BuiltFile(content, f'"{blake2b(content, digest_size=9).hexdigest()}"'.encode(), changed)
        if len(content) <= _MAX_CACHED_BYTES // 4:
            self._cached[name] = file
            self._cached_bytes += len(content)
            while self._cached_bytes > _MAX_CACHED_BYTES:
                self._forget(next(iter(self._cached)))
        return file

    def _forget(self, name: str) -> None:
        if (old := self._cached.pop(name, None)) is not None:
            self._cached_bytes -= len(old.content)


_NOT_FOUND_HEADERS: Final[Headers] = [
    (b"content-type", b"text/plain; charset=utf-8"), (b"cache-control", b"no-store"),
    (b"x-content-type-options", b"nosniff"),
]  # fmt: skip
_NOT_FOUND: Final[tuple[int, Headers, bytes]] = (404, _NOT_FOUND_HEADERS, b"There is no such file.\n")


def _read_headers(scope: dict[str, Any]) -> dict[bytes, bytes]:
    return {name: value for name, value in scope["headers"] if name in (b"accept-encoding", b"if-none-match")}


def _parse_accepted_encodings(text: str) -> frozenset[str]:
    """Return the encodings that a client takes, without those that it gives a weight of 0."""
    found = set()
    for part in text.split(","):
        coding, _, weight = part.partition(";")
        value = weight.replace(" ", "").removeprefix("q=")
        if not weight or value.strip("0.") != "":
            found.add(coding.strip().lower())
    return frozenset(found)
