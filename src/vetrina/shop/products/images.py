"""The images of products and of groups of them: numbers of attachments, and what answers show of each.

Not here: taking in an image from an address (namespaces/shop/image_sources.py). Rules: facts, "Create and defaults".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import Media

__all__ = ["Image", "InvalidImage", "by_ids", "shown", "written"]

Image = tuple[Record, Media]


class InvalidImage(ApiError):
    """A product shows an image that there is not."""

    code = "shop_product_invalid_image_id"
    message = "#{id} is an invalid image ID."


def by_ids(work: Work, ids: Iterable[int]) -> dict[int, Image]:
    """Return the images with some numbers, by number; asks twice at most."""
    wanted = sorted(set(ids))
    if not wanted:
        return {}
    work.uses(ATTACHMENT.name)
    files = attachment_store.of_records(work.tx, wanted)
    rows = record_model.by_ids(work.tx, list(files))
    return {id: (rows[id], files[id]) for id in files if id in rows}


def shown(work: Work, id: int, known: Mapping[int, Image]) -> dict[str, Any] | None:
    """Return an image as answers list it, None where it is gone."""
    found = known.get(id)
    if found is None:
        return None
    own, file = found
    return {
        "id": id,
        "date_created": times.iso(own.date),
        "date_created_gmt": times.iso(own.date_gmt),
        "date_modified": times.iso(own.modified),
        "date_modified_gmt": times.iso(own.modified_gmt),
        "src": attachment_store.url(work, file.file),
        "name": own.title,
        "alt": file.alt_text,
    }


def written(work: Work, given: Sequence[Any]) -> list[int]:
    """Return the numbers of the images that a client gave, and store the names and texts that came with them.

    Raises InvalidImage.
    """
    asked = [one for one in given if isinstance(one, Mapping) and one.get("id")]
    known = by_ids(work, (one["id"] for one in asked if isinstance(one["id"], int)))
    out = []
    for one in asked:
        found = known.get(one["id"])
        if found is None or found[1].kind != "image":
            raise InvalidImage(id=one["id"])
        changes = {}
        if one.get("alt") is not None and one["alt"] != found[1].alt_text:
            changes["alt_text"] = one["alt"]
        if one.get("name") and one["name"] != found[0].title:
            changes["title"] = one["name"]
        if changes:
            attachment_store.change(work, ATTACHMENT, *found, changes)
        out.append(one["id"])
    return list(dict.fromkeys(out))
