"""Images that a client names by their address: fetched from another server, or found among the site's own files.

Fetching is slow, so it is done before the transaction; storing the attachment belongs to it.
Rules: facts, "Create and defaults"; the interface takes `src` where it takes an image.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from sqlalchemy import bindparam, or_, select

from vetrina.backends.database import Statement
from vetrina.backends.http_client import AddressRefused, NoAnswer, TooLarge
from vetrina.backends.tables.core import media
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.media.attachments import store as attachment_store
from vetrina.media.uploads import filenames
from vetrina.media.uploads import rules as uploads
from vetrina.media.uploads.filetypes import FileRefused
from vetrina.media.uploads.rules import Kept

__all__ = ["ImageNotFetched", "fetched", "is_own", "stored"]

_MOST_BYTES: Final = 32 << 20  # of an image
_SECONDS: Final = 15.0  # for one image
_OK: Final = 200


class ImageNotFetched(ApiError):
    """An image that an address names could not be had, or is none."""

    code = "shop_product_image_upload_error"
    message = "The image {url} cannot be taken: {reason}"


_BY_FILE = Statement(
    select(media.c.record).where(
        or_(media.c.file == bindparam("file"), media.c.original == bindparam("file")), media.c.kind == "image"
    )
)


def is_own(frame: Frame, origin: str, url: str) -> bool:
    """Say whether an address is that of a file of this site."""
    return url.startswith(_base(frame, origin))


def _base(frame: Frame, origin: str) -> str:
    return frame.files.url(filenames.FOLDER, origin)


@contextmanager
def fetched(frame: Frame, url: str, local_date: str) -> Iterator[Kept]:
    """Keep the image of an address; its files are removed again when the block is left by an error.

    Raises ImageNotFetched.
    """
    with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
        try:
            reply = frame.outbound.get(url, accept="image/*", most_bytes=_MOST_BYTES, seconds=_SECONDS)
        except (AddressRefused, NoAnswer, TooLarge) as error:
            raise ImageNotFetched(url=url, reason=error) from None
        if reply.status != _OK:
            raise ImageNotFetched(url=url, reason=f"the server answered {reply.status}")
        Path(copy.name).write_bytes(reply.body)
        name = unquote(urlsplit(reply.url).path.rpartition("/")[2]) or "image"
        # It waits for its turn, and for the others of the request, on the disk alone.
        del reply
        try:
            path = Path(copy.name)
            with uploads.receive(frame.files, frame.profile, frame.decoding, path, name, local_date) as kept:
                if not kept.mime_type.startswith("image/"):
                    raise ImageNotFetched(url=url, reason=f"it is {kept.mime_type}")
                yield kept
        except FileRefused as error:
            raise ImageNotFetched(url=url, reason=error) from None


def stored(work: Work, image: Mapping[str, Any], kept: Mapping[str, Kept]) -> dict[str, Any]:
    """Return an image by its number: as it was given, found among the site's files, or stored from what was fetched.

    kept: what was fetched, by address. Raises ImageNotFetched.
    """
    url = image.get("src")
    if image.get("id") or not url:
        return dict(image)
    if url in kept:
        file = kept[url]
        given = {"alt_text": image.get("alt") or ""}
        id = attachment_store.create(work, ATTACHMENT, file, given, image.get("name") or file.stem).id
    else:
        id = work.tx.value(_BY_FILE, file=unquote(url.removeprefix(_base(work.frame, work.origin))))
        if id is None:
            raise ImageNotFetched(url=url, reason="the site has no such image")
    return {**image, "id": id}
