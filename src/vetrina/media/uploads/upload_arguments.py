"""What a request must bring to upload a file: the file itself with its name in a header, or a form with a file.

Not here: what becomes of the file (media/uploads/rules.py). Rules: facts, "Upload".
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.kernel.tags import without_tags
from vetrina.media.uploads import filenames
from vetrina.media.uploads import rules as uploads
from vetrina.media.uploads.filetypes import FileRefused
from vetrina.media.uploads.rules import Kept
from vetrina.rest.call import Request, Upload

__all__ = ["ERRORS", "Received", "received"]

_FIELD = "file"


class NoData(ApiError):
    code = "rest_upload_no_data"
    message = "There is no file: send it as the body, or as the field `file` of a multipart form."


class NoDisposition(ApiError):
    code = "rest_upload_no_content_disposition"
    message = 'Name the file in a header: Content-Disposition: attachment; filename="harbour.jpg".'


class InvalidDisposition(ApiError):
    code = "rest_upload_invalid_disposition"
    message = 'Content-Disposition names no file; write: attachment; filename="harbour.jpg".'


class HashMismatch(ApiError):
    """What arrived is not what was sent."""

    status, code = 412, "rest_upload_hash_mismatch"
    message = "The file is not the one whose MD5 the header Content-MD5 gives ({found} arrived); send it again."


class FormFileRefused(FileRefused):
    """The file of a form cannot be kept."""

    code = "rest_upload_unknown_error"


ERRORS = (NoData, NoDisposition, InvalidDisposition, HashMismatch, FormFileRefused)


@dataclass(frozen=True)
class Received:
    """An uploaded file that is kept. title: of its record where the client gives none."""

    kept: Kept
    title: str


@contextmanager
def received(frame: Frame, request: Request, local_date: str) -> Iterator[Received]:
    """Keep the file of a request; it is removed again when the block is left by an error.

    Raises the ERRORS, FileRefused.
    """
    in_form = bool(request.files)
    upload, name = _of_form(request) if in_form else _of_body(request)
    _check_hash(request, upload.path)
    try:
        with uploads.receive(frame.files, frame.profile, frame.decoding, upload.path, name, local_date) as kept:
            yield Received(kept, _title(name) if in_form else kept.stem)
    except FileRefused as error:
        raise FormFileRefused(reason=error.reason) if in_form else error from None


def _of_form(request: Request) -> tuple[Upload, str]:
    upload = request.files.get(_FIELD)
    if upload is None:
        raise FormFileRefused(reason=f"the form has no file in the field `{_FIELD}`")
    if not upload.size or not upload.name:
        raise FormFileRefused(reason="it is empty" if upload.name else "it has no name")
    return upload, upload.name


def _of_body(request: Request) -> tuple[Upload, str]:
    upload = request.upload
    if upload is None or not upload.size:
        raise NoData
    header = request.headers.get("content-disposition", "")
    if not header:
        raise NoDisposition
    name = filenames.disposed(header)
    if name is None:
        raise InvalidDisposition
    return upload, name


def _check_hash(request: Request, path: Path) -> None:
    told = request.headers.get("content-md5", "").strip()
    if told:
        with path.open("rb") as source:
            found = hashlib.file_digest(source, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
        if found != told.lower():
            raise HashMismatch(found=found)


def _title(name: str) -> str:
    """Return the title that the name of a form's file gives: without folders and ending, its blanks kept."""
    stem, _ = filenames.stem_and_ending(name)
    return " ".join(without_tags(stem).split())
