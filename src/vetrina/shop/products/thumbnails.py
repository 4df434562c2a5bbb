"""Regenerates the smaller sizes of the images that the shop shows: a job for each image.

Not here: the images themselves (media/images/regeneration.py). Rules: docs/rules/shop_settings.md, 6 (the tool
`regenerate_thumbnails`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends import job_queue
from vetrina.backends.database import Statement
from vetrina.backends.statement_cache import InList, encode_list
from vetrina.backends.tables.catalogue import product
from vetrina.backends.tables.records import media, record
from vetrina.backends.tables.terms import term
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.attachments import rules as attachment_rules, store as attachment_store
from vetrina.media.images import regeneration
from vetrina.media.images.pixel_sizes import SubSize
from vetrina.shop.products import product_types

THUMBNAIL_JOB: Final = "shop.thumbnails"  # kind of the job

_PRODUCT_IMAGES = Statement(
    select(record.c.featured_media, product.c.gallery).join_from(product, record, record.c.id == product.c.record)
)
_TERM_IMAGES = Statement(select(term.c.meta).where(InList(term.c.taxonomy, "taxonomies"), term.c.meta != "{}"))
_IMAGE_FILES = Statement(
    select(media.c.record, media.c.file).where(InList(media.c.record, "ids"), media.c.kind == "image")
    .order_by(media.c.record)
)  # fmt: skip
_RECORDS_BY_FILE = Statement(select(media.c.record).where(media.c.file == bindparam("file")))


def enqueue_thumbnail_jobs(work: UnitOfWork) -> int:
    """Enqueue a job for every image of a product, a variation or a product term, and return how many there are."""
    wanted: set[int] = set()
    for own, gallery in work.tx.all(_PRODUCT_IMAGES):
        wanted |= {own, *(orjson.loads(gallery) if gallery != "[]" else ())}
    for (meta,) in work.tx.all(_TERM_IMAGES, taxonomies=encode_list(product_types.TAXONOMIES)):
        wanted.add(int(orjson.loads(meta).get("image") or 0))
    wanted.discard(0)
    # Records in several languages share a file.
    files = {file: int(id) for id, file in reversed(work.tx.all(_IMAGE_FILES, ids=encode_list(sorted(wanted))))}
    for id in sorted(files.values()):
        job_queue.enqueue_job(
            work.tx, THUMBNAIL_JOB, {"image": id}, due=work.now, now=work.now, key=f"{THUMBNAIL_JOB}:{id}"
        )
    return len(files)


# -- the external task


def build_thumbnail_call(work: UnitOfWork, arguments: Mapping[str, Any]) -> Callable[[], dict[str, SubSize]] | None:
    """Return the call that regenerates the sizes of an image, None for one that no longer exists."""
    found = attachment_store.find_media_file(work.tx, arguments["image"])
    if found is None:
        return None
    site = work.site
    return lambda: regeneration.recreate_sub_sizes(site.files, site.profile, site.decoding, found)


def save_thumbnail_sizes(work: UnitOfWork, arguments: Mapping[str, Any], sizes: Mapping[str, SubSize]) -> None:
    """Store the new sizes of an image on every record that shows its file."""
    found = attachment_store.find_media_file(work.tx, arguments["image"])
    if found is None:
        return
    for (id,) in work.tx.all(_RECORDS_BY_FILE, file=found.file):
        attachment_rules.add_sub_sizes(work, ATTACHMENT, int(id), sizes)
