"""Uploaded files over HTTP: ranges, conditions and caches, and never as something a browser would run.

Rules: RFC 9110 (conditions, ranges), RFC 9111 (caches). Files of unknown types are sent as downloads. Where files are
stored is passed in as a `FileSource`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from email.utils import formatdate, parsedate_to_datetime
from typing import Any, Final, Protocol

import orjson

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.error_statuses import build_error_response

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Headers = list[tuple[bytes, bytes]]

# Types that a browser may display; every other file is saved. HTML, SVG and XML are left out on purpose.
_INLINE_TYPES: Final = {
    "jpg": "image/jpeg", "jpeg": "image/jpeg", "jpe": "image/jpeg", "png": "image/png", "gif": "image/gif",
    "webp": "image/webp", "avif": "image/avif", "bmp": "image/bmp", "ico": "image/x-icon", "heic": "image/heic",
    "heif": "image/heif", "tif": "image/tiff", "tiff": "image/tiff", "mp4": "video/mp4", "m4v": "video/mp4",
    "mov": "video/quicktime", "webm": "video/webm", "ogv": "video/ogg", "mpeg": "video/mpeg", "mpg": "video/mpeg",
    "mkv": "video/x-matroska", "mp3": "audio/mpeg", "m4a": "audio/mp4", "m4b": "audio/mp4", "aac": "audio/aac",
    "wav": "audio/wav", "ogg": "audio/ogg", "oga": "audio/ogg", "opus": "audio/ogg", "flac": "audio/flac",
    "pdf": "application/pdf", "txt": "text/plain; charset=UTF-8", "asc": "text/plain; charset=UTF-8",
    "srt": "text/plain; charset=UTF-8", "vtt": "text/vtt; charset=UTF-8", "woff2": "font/woff2",
    "woff": "font/woff", "ttf": "font/ttf", "otf": "font/otf",
}  # fmt: skip
_DOWNLOAD_TYPE: Final = "application/octet-stream"
_FONT_PREFIX: Final = "font/"
_RANGE: Final = re.compile(rb"bytes=(\d*)-(\d*)")
_FILE_HEADERS: Final[Headers] = [
    (b"x-content-type-options", b"nosniff"),
    (b"accept-ranges", b"bytes"),
]
# Whatever a file turns out to be, it runs nothing and loads nothing. PDF viewers would not open it like that.
_INERT_POLICY = (
    b"content-security-policy",
    b"default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
)
_PDF_TYPE: Final = "application/pdf"
_RENDITION_THREADS: Final = 2  # renditions that a process makes at once
_MAX_WAITING_RENDITIONS: Final = 64  # requests of a process that wait for a new one; further ones are told to come back
_LASTING_CACHE_CONTROL: Final = b"public, max-age=31536000, immutable"
_BUSY_STATUS: Final = 503


class _ServedFile(Protocol):
    size: int
    modified: int
    etag: str
    part: int

    def read(self, start: int, length: int) -> bytes: ...

    def close(self) -> None: ...


class FileSource(Protocol):
    """Where files are stored. near: whether a read waits for nothing but a local disk."""

    near: bool

    def open(self, name: str) -> _ServedFile | None:
        """Open a file. Raises ValueError for an invalid name."""


class RenditionSource(Protocol):
    """What makes other sizes and formats of stored images."""

    def find_rendition(self, name: str, query_string: str, accept: str) -> Any:
        """Return the rendition that a URL asks for, None if it asks for the file itself. Raises ApiError."""

    def make_rendition(self, rendition: Any) -> None:
        """Make a rendition that is not stored yet. Raises ApiError."""


class RenditionsBusy(ApiError):
    """More new pictures are asked for at once than a process takes."""

    failure, code = Failure.UNAVAILABLE, "rest_renditions_busy"
    message = "Too many new pictures are being made at the moment; ask again in a few seconds."


class FileServer:
    """Sends the files of a source below one path.

    address: begins and ends with a slash. cache_control: the Cache-Control of files, empty for none.
    renditions: makes other sizes and formats of images, None for nothing.
    generate_missing: (name) → type and bytes of a generated file where there is none of that name, None for nothing.
    """

    def __init__(
        self, source: FileSource, address: str, cache_control: str = "", threads: int = 2,
        generate_missing: Callable[[str], tuple[str, bytes] | None] = lambda name: None,
        renditions: RenditionSource | None = None,
    ) -> None:  # fmt: skip
        self._source, self.address, self._generate_missing = source, address, generate_missing
        self._cache_control = cache_control.encode()
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="files")
        self._renditions = renditions
        self._rendition_pool = ThreadPoolExecutor(_RENDITION_THREADS, thread_name_prefix="renditions")
        self._waiting_renditions = 0

    def close(self) -> None:
        self._pool.shutdown(wait=True)
        self._rendition_pool.shutdown(wait=True, cancel_futures=True)

    async def __call__(self, scope: Scope, send: Send) -> None:
        """Answer one request."""
        method = scope["method"]
        if method not in ("GET", "HEAD"):
            await _send_response(send, 405, [(b"allow", b"GET, HEAD"), (b"content-length", b"0")])
            return
        name = scope["path"][len(self.address) :]
        if self._renditions is not None and scope["query_string"]:
            try:
                rendition = await self._find_rendition(self._renditions, name, scope)
            except ApiError as error:
                await _send_error(send, error, head=method == "HEAD")
                return
            if rendition is not None:
                await self._send_rendition(scope, send, rendition)
                return
        found = await self._open_file(name)
        if found is None and (picture := self._generate_missing(name)) is not None:
            await self._send_generated(send, *picture, head=method == "HEAD")
            return
        if found is None:
            text = b"There is no such file.\n"
            headers = [(b"content-type", b"text/plain; charset=UTF-8"), (b"content-length", str(len(text)).encode())]
            await _send_response(send, 404, headers, b"" if method == "HEAD" else text)
            return
        try:
            await self._send_file(scope, send, name, found, method == "HEAD", self._cache_control, [])
        finally:
            found.close()

    async def _send_generated(self, send: Send, kind: str, content: bytes, *, head: bool) -> None:
        headers: Headers = [
            (b"x-content-type-options", b"nosniff"), _INERT_POLICY, (b"content-type", kind.encode()),
            (b"content-length", str(len(content)).encode()),
        ]  # fmt: skip
        if self._cache_control:
            headers.append((b"cache-control", self._cache_control))
        await _send_response(send, 200, headers, b"" if head else content)

    async def _find_rendition(self, renditions: RenditionSource, name: str, scope: Scope) -> Any:
        """Return a rendition, which is stored then; None if the URL asks for the file itself. Raises ApiError."""
        loop = asyncio.get_running_loop()
        accept = next((value.decode("latin-1") for key, value in scope["headers"] if key == b"accept"), "")
        query = scope["query_string"].decode("latin-1")
        found = await loop.run_in_executor(self._pool, renditions.find_rendition, name, query, accept)
        if found is None:
            return None
        if (stored := await self._open_file(found.name)) is not None:
            stored.close()
            return found
        if self._waiting_renditions >= _MAX_WAITING_RENDITIONS:
            raise RenditionsBusy
        self._waiting_renditions += 1
        try:
            await loop.run_in_executor(self._rendition_pool, renditions.make_rendition, found)
        finally:
            self._waiting_renditions -= 1
        return found

    async def _send_rendition(self, scope: Scope, send: Send, rendition: Any) -> None:
        stored = await self._open_file(rendition.name)
        if stored is None:
            # Deleted with its image, between two lines.
            await _send_response(send, 404, [(b"content-length", b"0")])
            return
        more: Headers = [(b"vary", b"Accept")] if rendition.negotiated else []
        cache = _LASTING_CACHE_CONTROL if rendition.lasting else self._cache_control
        try:
            await self._send_file(scope, send, rendition.name, stored, scope["method"] == "HEAD", cache, more)
        finally:
            stored.close()

    async def _open_file(self, name: str) -> _ServedFile | None:
        try:
            if self._source.near:
                return self._source.open(name)
            return await asyncio.get_running_loop().run_in_executor(self._pool, self._source.open, name)
        except ValueError:
            return None

    async def _send_file(
        self, scope: Scope, send: Send, name: str, found: _ServedFile, head: bool, cache: bytes, more: Headers
    ) -> None:
        conditions = {key: value for key, value in scope["headers"] if key in _CONDITION_HEADERS}
        etag = f'"{found.etag}"'.encode()
        headers: Headers = [
            *_FILE_HEADERS,
            (b"etag", etag),
            (b"last-modified", formatdate(found.modified, usegmt=True).encode()),
            *more,
        ]
        if cache:
            headers.append((b"cache-control", cache))
        if _is_unchanged(conditions, etag, found.modified):
            await _send_response(send, 304, headers)
            return
        headers += _build_type_headers(name)
        start, end, status = 0, found.size, 200
        if (wanted := conditions.get(b"range")) is not None and _is_range_current(
            conditions.get(b"if-range"), etag, found.modified
        ):
            part = _parse_range(wanted, found.size)
            if part is not None and part[0] == part[1]:
                headers += [(b"content-range", f"bytes */{found.size}".encode()), (b"content-length", b"0")]
                await _send_response(send, 416, headers)
                return
            if part is not None:
                start, end = part
                status = 206
                headers.append((b"content-range", f"bytes {start}-{end - 1}/{found.size}".encode()))
        headers.append((b"content-length", str(end - start).encode()))
        if head or start == end:
            await _send_response(send, status, headers)
            return
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await self._send_parts(send, found, start, end)

    async def _send_parts(self, send: Send, found: _ServedFile, start: int, end: int) -> None:
        loop = asyncio.get_running_loop()
        near = self._source.near
        while start < end:
            length = min(found.part, end - start)
            # The first part of a local file is read at once; a long file lets others run in between.
            if near:
                content = found.read(start, length)
                near = False
            else:
                content = await loop.run_in_executor(self._pool, found.read, start, length)
            if not content:
                # Truncated on disk: the length was promised, so the connection must not look complete.
                raise ConnectionError("the file became shorter while it was sent")
            start += len(content)
            await send({"type": "http.response.body", "body": content, "more_body": start < end})


_CONDITION_HEADERS: Final = frozenset({b"if-none-match", b"if-modified-since", b"range", b"if-range"})


async def _send_response(send: Send, status: int, headers: Headers, content: bytes = b"") -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def _send_error(send: Send, error: ApiError, *, head: bool) -> None:
    answer = build_error_response(error)
    content = orjson.dumps(answer.body)
    headers: Headers = [
        (b"content-type", b"application/json; charset=UTF-8"), (b"content-length", str(len(content)).encode()),
        (b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"),
    ]  # fmt: skip
    if answer.status == _BUSY_STATUS:
        headers.append((b"retry-after", b"5"))
    await _send_response(send, answer.status, headers, b"" if head else content)


def _build_type_headers(name: str) -> Headers:
    """Return the headers for a file's type and disposition, by its name."""
    kind = _INLINE_TYPES.get(name.rpartition(".")[2].lower())
    out: Headers = [(b"content-type", (kind or _DOWNLOAD_TYPE).encode())]
    if kind != _PDF_TYPE:
        out.append(_INERT_POLICY)
    if kind is None:
        out.append((b"content-disposition", b"attachment"))
    elif kind.startswith(_FONT_PREFIX):
        # Browsers load fonts of another origin only with this.
        out.append((b"access-control-allow-origin", b"*"))
    return out


def _is_unchanged(conditions: dict[bytes, bytes], etag: bytes, modified: int) -> bool:
    """Return whether the client has the file already (RFC 9110, 13.2.2: a tag wins over a date)."""
    tags = conditions.get(b"if-none-match")
    if tags is not None:
        return tags.strip() == b"*" or any(tag.strip().removeprefix(b"W/") == etag for tag in tags.split(b","))
    since = conditions.get(b"if-modified-since")
    return since is not None and (date := _parse_http_date(since)) is not None and modified <= date


def _is_range_current(condition: bytes | None, etag: bytes, modified: int) -> bool:
    """Return whether a range is meant for the current version of the file (RFC 9110, 13.1.5)."""
    if condition is None:
        return True
    if condition.startswith(b'"'):
        return condition == etag
    return _parse_http_date(condition) == modified


def _parse_http_date(value: bytes) -> int | None:
    try:
        date = parsedate_to_datetime(value.decode("latin-1"))
    except (ValueError, OverflowError):
        return None
    return int((date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp())


def _parse_range(wanted: bytes, size: int) -> tuple[int, int] | None:
    """Return start and end of a range, an empty one when it is outside the file, None to send the whole file.

    Several ranges at once are answered with the whole file, as the standard allows.
    """
    match = _RANGE.fullmatch(wanted.strip())
    if match is None or not (match[1] or match[2]) or len(wanted) > 64:
        return None
    if not match[1]:
        last = int(match[2])
        return (max(0, size - last), size) if last else (size, size)
    start = int(match[1])
    if match[2] and int(match[2]) < start:
        return None
    end = min(size, int(match[2]) + 1) if match[2] else size
    return (start, end) if start < size else (size, size)
