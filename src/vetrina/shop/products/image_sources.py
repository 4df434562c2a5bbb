"""Images that a client gives by URL: fetched from another server, or found among the site's own files.

Fetching is slow and happens before the transaction; storing the attachment is part of it. Rules:
docs/rules/products.md, 5; the interface takes `src` where it takes an image.
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
from vetrina.backends.http_client import NoOutboundResponse, OutboundResponseTooLarge
from vetrina.backends.http_client_urls import OutboundAddressRefused
from vetrina.backends.tables.records import media
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.media.attachments import rules as attachment_rules
from vetrina.media.uploads import filenames, rules as uploads
from vetrina.media.uploads.filetypes import FileRefused
from vetrina.media.uploads.rules import StoredUpload

_MOST_BYTES: Final = 32 << 20  # per image
_SECONDS: Final = 15.0  # per image
_OK: Final = 200


class ImageNotFetched(ApiError):
    """The image of a URL could not be fetched, or is not an image."""

    code = "shop_product_image_upload_error"
    message = "The image {url} cannot be taken: {reason}"


_BY_FILE = Statement(
    select(media.c.record).where(
        or_(media.c.file == bindparam("file"), media.c.original == bindparam("file")), media.c.kind == "image"
    )
)


def is_site_file(site: SiteContext, origin: str, url: str) -> bool:
    """Return whether a URL is that of a file of this site."""
    return url.startswith(_build_files_url(site, origin))


def _build_files_url(site: SiteContext, origin: str) -> str:
    return site.files.url(filenames.UPLOADS_FOLDER, origin)


@contextmanager
def fetch_image(site: SiteContext, url: str, local_date: str) -> Iterator[StoredUpload]:
    """Store the file of an image URL; its files are deleted again when the block is left by an error.

    Raises ImageNotFetched.
    """
    with tempfile.NamedTemporaryFile(prefix="vetrina-") as copy:
        try:
            reply = site.outbound.get(url, accept="image/*", most_bytes=_MOST_BYTES, seconds=_SECONDS)
        except (OutboundAddressRefused, NoOutboundResponse, OutboundResponseTooLarge) as error:
            raise ImageNotFetched(url=url, reason=error) from None
        if reply.status != _OK:
            raise ImageNotFetched(url=url, reason=f"the server answered {reply.status}")
        Path(copy.name).write_bytes(reply.body)
        name = unquote(urlsplit(reply.url).path.rpartition("/")[2]) or "image"
        # It waits for its turn, and for the others of the request, on disk only.
        del reply
        try:
            path = Path(copy.name)
            with uploads.receive_upload(site.files, site.profile, site.decoding, path, name, local_date) as kept:
                if not kept.mime_type.startswith("image/"):
                    raise ImageNotFetched(url=url, reason=f"it is {kept.mime_type}")
                yield kept
        except FileRefused as error:
            raise ImageNotFetched(url=url, reason=error) from None


def store_image(work: UnitOfWork, image: Mapping[str, Any], fetched: Mapping[str, StoredUpload]) -> dict[str, Any]:
    """Return an image by id: as given, found among the site's files, or stored from what was fetched.

    fetched: the fetched images, by URL. Raises ImageNotFetched.
    """
    url = image.get("src")
    if image.get("id") or not url:
        return dict(image)
    if url in fetched:
        file = fetched[url]
        given = {"alt_text": image.get("alt") or ""}
        id = attachment_rules.create_attachment(work, ATTACHMENT, file, given, image.get("name") or file.stem).id
    else:
        id = work.tx.value(_BY_FILE, file=unquote(url.removeprefix(_build_files_url(work.site, work.origin))))
        if id is None:
            raise ImageNotFetched(url=url, reason="the site has no such image")
    return {**image, "id": id}
