"""The smaller sizes of the images that the shop shows, made anew: a job for each image.

Not here: the making itself (media/images/regeneration.py). Rules: the tool `regenerate_thumbnails` of the system
status.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import Among, listed
from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.core import media, record, term
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import Work
from vetrina.media.attachments import store as attachment_store
from vetrina.media.images import regeneration
from vetrina.media.uploads.rules import SubSize
from vetrina.shop.products import product_types

__all__ = ["REMAKE", "keep", "note_all", "remake"]

REMAKE: Final = "shop.thumbnails"  # kind of the job

_OF_PRODUCTS = Statement(
    select(record.c.featured_media, product.c.gallery).join_from(product, record, record.c.id == product.c.record)
)
_OF_GROUPS = Statement(select(term.c.meta).where(Among(term.c.taxonomy, "taxonomies"), term.c.meta != "{}"))
_IMAGES = Statement(
    select(media.c.record, media.c.file).where(Among(media.c.record, "ids"), media.c.kind == "image")
    .order_by(media.c.record)
)  # fmt: skip
_SHARING = Statement(select(media.c.record).where(media.c.file == bindparam("file")))


def note_all(work: Work) -> int:
    """Note a job for every image of a product, a variation or a group of products, and return how many there are."""
    wanted: set[int] = set()
    for own, gallery in work.tx.all(_OF_PRODUCTS):
        wanted |= {own, *(orjson.loads(gallery) if gallery != "[]" else ())}
    for (meta,) in work.tx.all(_OF_GROUPS, taxonomies=listed(product_types.TAXONOMIES)):
        wanted.add(int(orjson.loads(meta).get("image") or 0))
    wanted.discard(0)
    # Records of several languages share a file.
    files = {file: int(id) for id, file in reversed(work.tx.all(_IMAGES, ids=listed(sorted(wanted))))}
    for id in sorted(files.values()):
        job_queue.put(work.tx, REMAKE, {"image": id}, due=work.now, now=work.now, key=f"{REMAKE}:{id}")
    return len(files)


# -- the errand


def remake(work: Work, arguments: Mapping[str, Any]) -> Callable[[], dict[str, SubSize]] | None:
    """Return the call that makes the sizes of an image anew, None for one that is gone."""
    found = attachment_store.of_record(work.tx, arguments["image"])
    if found is None:
        return None
    frame = work.frame
    return lambda: regeneration.remade(frame.files, frame.profile, frame.decoding, found)


def keep(work: Work, arguments: Mapping[str, Any], sizes: Mapping[str, SubSize]) -> None:
    """Note the sizes that an image has now, on every record that shows its file."""
    found = attachment_store.of_record(work.tx, arguments["image"])
    if found is None:
        return
    for (id,) in work.tx.all(_SHARING, file=found.file):
        attachment_store.add_sizes(work, ATTACHMENT, int(id), sizes)
