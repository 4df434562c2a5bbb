"""The images of products and product terms: attachment ids, and their serialized form.

Not here: fetching an image from a URL (shop/products/image_sources.py). Rules: docs/rules/products.md, 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.media.attachments import rules as attachment_rules, store as attachment_store
from vetrina.media.attachments.store import MediaFile

ProductImage = tuple[Record, MediaFile]


class InvalidProductImage(ApiError):
    """The image of a product does not exist."""

    code = "shop_product_invalid_image_id"
    message = "#{id} is an invalid image ID."


def load_product_images_by_id(work: UnitOfWork, ids: Iterable[int]) -> dict[int, ProductImage]:
    """Return images by id, in at most two queries."""
    wanted = sorted(set(ids))
    if not wanted:
        return {}
    work.uses(ATTACHMENT.name)
    files = attachment_store.load_media_files(work.tx, wanted)
    rows = record_model.find_records(work.tx, list(files))
    return {id: (rows[id], files[id]) for id in files if id in rows}


def serialize_product_image(work: UnitOfWork, id: int, known: Mapping[int, ProductImage]) -> dict[str, Any] | None:
    """Return a serialized image, None where it no longer exists."""
    found = known.get(id)
    if found is None:
        return None
    own, file = found
    return {
        "id": id,
        "date_created": times.format_iso(own.date),
        "date_created_gmt": times.format_iso(own.date_gmt),
        "date_modified": times.format_iso(own.modified),
        "date_modified_gmt": times.format_iso(own.modified_gmt),
        "src": attachment_store.build_file_url(work, file.file),
        "name": own.title,
        "alt": file.alt_text,
    }


def save_product_images(work: UnitOfWork, given: Sequence[Any]) -> list[int]:
    """Return the ids of the images in a write, and store the names and texts given with them.

    Raises InvalidProductImage.
    """
    images = [one for one in given if isinstance(one, Mapping) and one.get("id")]
    known = load_product_images_by_id(work, (one["id"] for one in images if isinstance(one["id"], int)))
    out = []
    for one in images:
        found = known.get(one["id"])
        if found is None or found[1].kind != "image":
            raise InvalidProductImage(id=one["id"])
        changes = {}
        if one.get("alt") is not None and one["alt"] != found[1].alt_text:
            changes["alt_text"] = one["alt"]
        if one.get("name") and one["name"] != found[0].title:
            changes["title"] = one["name"]
        if changes:
            attachment_rules.update_attachment(work, ATTACHMENT, *found, changes)
        out.append(one["id"])
    return list(dict.fromkeys(out))
