"""Renditions: pictures in the size and format that a URL asks for, made once and kept among the site's files.

A rendition's name follows from what it shows, so requests that lead to the same pixels share one file. One process
makes it while others wait for it. The oldest are deleted when there are more than the profile allows. What may be asked
for: media/images/rendition_parameters.py. How it is sent: http/file_responses.py. Rules: docs/rules/pictures.md, 5.
"""

from __future__ import annotations

import fcntl
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.file_store import FILE_URL_PREFIX, FileNameTaken
from vetrina.backends.tables.records import media as media_table
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images import rendition_parameters
from vetrina.media.images.processing import create_rendition
from vetrina.media.images.rendition_cuts import FocalPoint, RenditionCut, compute_rendition_cut
from vetrina.media.images.rendition_files import build_rendition_folder, sweep_renditions
from vetrina.media.images.rendition_parameters import AUTO_FORMAT, TYPE_OF_FORMAT, RenditionParameters
from vetrina.media.uploads import filenames
from vetrina.media.uploads.filetypes import EDITABLE_TYPES, EXTENSION_OF_TYPE, TYPE_OF_EXTENSION

_LOCKS_FOLDER: Final = ".renditions"  # in the site's folder
_LOCKS: Final = 4  # renditions that all processes of a site make at once
_SWEEP_EVERY: Final = 50  # renditions that a process makes between two looks at how many there are
_MAX_QUERY_LENGTH: Final = 2000  # characters
_REFUSED: Final = ("q=0", "q=0.0", "q=0.00", "q=0.000")  # weights of types that a client does not take
_OF_FILE: Final = Statement(
    select(media_table.c.record).where(media_table.c.file == bindparam("file")).order_by(media_table.c.record).limit(1)
)


class NoRendition(ApiError):
    """Only images as they were uploaded have renditions."""

    failure, code = Failure.INVALID, "rest_no_rendition"
    message = (
        "Sizes are made of a picture at its own address (`source_url`), not of this file; leave the parameters out."
    )


class Rendition(NamedTuple):
    """A rendition that was asked for. name: in the store of files. version: of what its URL shows.

    lasting: whether its URL names that version. negotiated: whether its format was chosen by what the client accepts.
    """

    name: str
    source: str
    cut: RenditionCut
    mime_type: str
    quality: int
    lasting: bool
    negotiated: bool


class RenditionStore:
    """Finds and makes the renditions of a site.

    folder: the site's, for locks. read: opens a unit of work that reads.
    """

    def __init__(self, site: SiteContext, folder: Path, read: Callable[[], AbstractContextManager[UnitOfWork]]) -> None:
        self._site, self._folder, self._read = site, folder / _LOCKS_FOLDER, read
        self._made = 0
        self._sweeping = threading.Lock()

    def find_rendition(self, name: str, query_string: str, accept: str) -> Rendition | None:
        """Return the rendition that the URL of a file asks for, None if it asks for the file itself.

        name: of the file in the store. Raises InvalidParam and NoRendition.
        """
        query = dict(parse_qsl(query_string[:_MAX_QUERY_LENGTH], keep_blank_values=True))
        if not rendition_parameters.asks_for_rendition(query):
            return None
        path = name.removeprefix(filenames.UPLOADS_FOLDER)
        if path == name or TYPE_OF_EXTENSION.get(name.rpartition(".")[2].lower(), "").partition("/")[0] != "image":
            return None
        settings = self._site.profile.images.renditions
        wanted = rendition_parameters.parse_parameters(query, path, self._site.settings.secret, settings)
        with self._read() as work:
            media = find_media_of_file(work, path)
        if media is None or (mime := _get_file_type(media)) not in EDITABLE_TYPES:
            raise NoRendition
        kind = choose_type(wanted.format, mime, accept, settings.formats)
        quality = wanted.quality or self._site.profile.images.quality
        cut = compute_rendition_cut(media.size, wanted, get_focal_point(media))
        what = f"{media.record} {media.filesize} {cut} {kind} {quality}"
        digest = blake2b(what.encode(), digest_size=16).hexdigest()
        return Rendition(
            f"{build_rendition_folder(path)}{digest}.{EXTENSION_OF_TYPE[kind]}", name, cut, kind, quality,
            query.get("v") == compute_version(media), wanted.format == AUTO_FORMAT,
        )  # fmt: skip

    def make_rendition(self, rendition: Rendition) -> None:
        """Make a rendition unless another thread or process has made it meanwhile.

        Raises NoRendition where its image is gone, and FileRefused where it cannot be decoded.
        """
        files = self._site.files
        with self._lock(rendition.name):
            if (found := files.open(rendition.name)) is not None:
                found.close()
                return
            try:
                with files.open_local_copy(rendition.source) as path:
                    mime = TYPE_OF_EXTENSION[rendition.source.rpartition(".")[2].lower()]
                    content = create_rendition(
                        path, mime, rendition.cut.cut, rendition.cut.canvas, rendition.mime_type, rendition.quality,
                        self._site.decoding,
                    )  # fmt: skip
            except FileNotFoundError:
                raise NoRendition from None
            # A site of several machines has no common lock; the same pixels were made twice then.
            with suppress(FileNameTaken):
                files.put(rendition.name, content)
        self._sweep_sometimes()

    @contextmanager
    def _lock(self, name: str) -> Iterator[None]:
        """Hold one of a few locks, which other threads and processes wait for."""
        self._folder.mkdir(exist_ok=True)
        stripe = blake2b(name.encode(), digest_size=1).digest()[0] % _LOCKS
        descriptor = os.open(self._folder / f"{stripe}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def _sweep_sometimes(self) -> None:
        """Delete the oldest renditions when there are more than the profile allows."""
        self._made += 1
        if self._made % _SWEEP_EVERY == 1 and self._sweeping.acquire(blocking=False):
            try:
                sweep_renditions(self._site.files, self._site.profile.images.renditions.most_files)
            finally:
                self._sweeping.release()


def find_media_of_file(work: UnitOfWork, path: str) -> MediaFile | None:
    """Return the data of a file by its path, of its first record where several share it."""
    id = work.tx.value(_OF_FILE, file=path)
    return attachment_store.find_media_file(work.tx, id) if id is not None else None


def get_focal_point(media: MediaFile) -> FocalPoint:
    """Return the focal point of an image, its middle where none was chosen."""
    found: dict[str, Any] | None = media.details.get("focal_point")
    return FocalPoint(found["x"], found["y"]) if found else FocalPoint()


def compute_version(media: MediaFile) -> str:
    """Return what changes whenever a URL of a file's rendition shows something else."""
    text = f"{media.record} {media.filesize} {get_focal_point(media)}"
    return blake2b(text.encode(), digest_size=5).hexdigest()


def choose_type(format: str, own: str, accept: str, formats: tuple[str, ...]) -> str:
    """Return the type that a rendition has. own: the image's. accept: the types that the client takes."""
    if format == AUTO_FORMAT:
        parts = [one.lower().replace(" ", "").partition(";") for one in accept.split(",")]
        taken = {kind for kind, _, weight in parts if weight not in _REFUSED}
        made = [TYPE_OF_FORMAT[name] for name in ("avif", "webp") if name in formats]
        return next((kind for kind in made if kind in taken), own)
    return TYPE_OF_FORMAT[format] if format else own


def build_own_url(work: UnitOfWork, media: MediaFile) -> str:
    """Return the URL of an image at the site itself: where files have another one, only stored files are known."""
    return f"{work.origin}{FILE_URL_PREFIX}{filenames.UPLOADS_FOLDER}{media.file}"


def build_rendition_query(media: MediaFile, wanted: RenditionParameters, secret: str) -> dict[str, str]:
    """Return the signed query of a rendition's URL."""
    query = {
        "w": str(wanted.width or ""), "h": str(wanted.height or ""), "fit": wanted.fit, "format": wanted.format,
        "q": str(wanted.quality or ""), "dpr": f"{wanted.ratio:g}" if wanted.ratio != 1 else "",
    }  # fmt: skip
    query = {name: value for name, value in query.items() if value}
    return {**query, "s": rendition_parameters.sign_query(query, media.file, secret), "v": compute_version(media)}


def _get_file_type(media: MediaFile) -> str:
    return TYPE_OF_EXTENSION.get(media.file.rpartition(".")[2].lower(), "")
