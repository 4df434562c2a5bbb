"""Bodies with files: written to disk as they arrive, so that no upload is ever held in memory.

The files of a multipart body are split while it arrives; a body that is the file itself is written as it is. Rules:
RFC 7578; docs/rules/media.md, 1. Not here: where the files lie and when they are deleted (http/upload_spool.py), bodies
without files (http/body_decoding.py).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from vetrina.http import body_decoding
from vetrina.http.upload_spool import UploadSpool
from vetrina.rest import query_strings
from vetrina.rest.call import Request, UploadedFile

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartParser


DecodeBody = Callable[[bytes], Awaitable[None]]

_MAX_FILES = 32


async def receive_body(
    request: Request, chunks: AsyncIterator[bytes], spool: UploadSpool, member_bytes: int, decode: DecodeBody
) -> None:  # fmt: skip
    """Put the files and the members of a body into the request, as it arrives.

    member_bytes: bytes of all members together. decode: puts the members of an undivided body into the request.
    Raises RequestTooLarge; other faults are kept in `request.body_fault` until the route is known.
    """
    taker = _build_receiver(request, spool, member_bytes, decode)
    async for chunk in chunks:
        if chunk:
            taker.feed(chunk)
    await taker.finish()


class _BodyReceiver(Protocol):
    def feed(self, chunk: bytes) -> None: ...

    async def finish(self) -> None: ...


def _build_receiver(request: Request, spool: UploadSpool, member_bytes: int, decode: DecodeBody) -> _BodyReceiver:
    from python_multipart.exceptions import FormParserError
    from python_multipart.multipart import parse_options_header

    kind, options = parse_options_header(request.headers.get("content-type", ""))
    boundary = options.get(b"boundary")
    if kind == b"multipart/form-data" and boundary:
        try:
            return _MultipartReceiver(request, spool, boundary, member_bytes)
        except FormParserError as error:
            request.body_fault = body_decoding.InvalidMultipart(reason=error)
            return _DiscardingReceiver()
    return _WholeBodyReceiver(request, spool, member_bytes, decode)


class _DiscardingReceiver:
    def feed(self, chunk: bytes) -> None:
        return

    async def finish(self) -> None:
        return


class _WholeBodyReceiver:
    """A body that is the file itself; when it is JSON, its members are read too."""

    def __init__(self, request: Request, spool: UploadSpool, member_bytes: int, decode: DecodeBody) -> None:
        self._request, self._decode, self._member_bytes = request, decode, member_bytes
        self._file, self._path = spool.create_file()
        self._size = 0

    def feed(self, chunk: bytes) -> None:
        _write_all(self._file, chunk)
        self._size += len(chunk)

    async def finish(self) -> None:
        request = self._request
        request.upload = UploadedFile("", self._path, self._size)
        self._file.close()
        if self._size <= self._member_bytes and body_decoding.has_members(request):
            await self._decode(self._path.read_bytes())


class _MultipartReceiver:
    """A multipart body: its fields in memory, its files on disk."""

    def __init__(self, request: Request, spool: UploadSpool, boundary: bytes, member_bytes: int) -> None:
        from python_multipart.multipart import MultipartParser

        self._request, self._spool = request, spool
        self._left, self._limit = member_bytes, member_bytes
        self._pairs: list[tuple[str, str]] = []
        self._fields = self._files = 0
        self._header = [bytearray(), bytearray()]
        self._disposition = b""
        self._name = ""
        self._value: bytearray | None = None
        self._file: BinaryIO | None = None
        self._upload: UploadedFile | None = None
        self._ended = False
        self._parser: MultipartParser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin,
                "on_header_field": lambda data, start, end: self._header[0].extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._header[1].extend(data[start:end]),
                "on_header_end": self._keep_header,
                "on_headers_finished": self._open,
                "on_part_data": self._keep_data,
                "on_part_end": self._close,
                "on_end": self._end,
            },
        )

    def feed(self, chunk: bytes) -> None:
        from python_multipart.exceptions import FormParserError

        if self._request.body_fault is None:
            try:
                self._parser.write(chunk)
            except FormParserError as error:
                self._request.body_fault = body_decoding.InvalidMultipart(reason=error)

    async def finish(self) -> None:
        if self._request.body_fault is None and not self._ended:
            self._request.body_fault = body_decoding.InvalidMultipart(reason="it ends before its last boundary")
        self._request.form = query_strings.nest_pairs(self._pairs)

    def _begin(self) -> None:
        self._disposition = b""

    def _keep_header(self) -> None:
        name, value = (bytes(part) for part in self._header)
        self._header = [bytearray(), bytearray()]
        if name.lower() == b"content-disposition":
            self._disposition = value

    def _open(self) -> None:
        from python_multipart.multipart import parse_options_header

        _, options = parse_options_header(self._disposition)
        self._name = _decode_text(options.get(b"name", b""))
        if b"filename" in options:
            self._files += 1
            if self._files > _MAX_FILES:
                raise body_decoding.InvalidMultipart(reason=f"it holds more than {_MAX_FILES} files")
            self._file, path = self._spool.create_file()
            self._upload = UploadedFile(_decode_text(options[b"filename"]), path, 0)
        else:
            self._fields += 1
            if self._fields > body_decoding.MAX_FIELDS:
                raise body_decoding.InvalidMultipart(reason=f"it holds more than {body_decoding.MAX_FIELDS} fields")
            self._value = bytearray()

    def _keep_data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None and self._upload is not None:
            _write_all(self._file, memoryview(data)[start:end])
            self._upload.size += end - start
        elif self._value is not None:
            self._left -= end - start
            if self._left < 0:
                raise body_decoding.RequestTooLarge(limit=self._limit)
            self._value.extend(data[start:end])

    def _close(self) -> None:
        if self._file is not None and self._upload is not None:
            self._file.close()
            self._request.files[self._name] = self._upload
            self._request.parts.append((self._name, None))
        elif self._value is not None:
            pair = self._name, _decode_text(bytes(self._value))
            self._pairs.append(pair)
            self._request.parts.append(pair)
        self._file = self._upload = self._value = None

    def _end(self) -> None:
        self._ended = True


def _write_all(file: BinaryIO, data: Any) -> None:
    rest = memoryview(data)
    while len(rest):
        rest = rest[file.write(rest) or 0 :]


def _decode_text(value: bytes) -> str:
    return value.decode("utf-8", "replace")
