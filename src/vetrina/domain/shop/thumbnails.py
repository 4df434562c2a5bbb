"""The smaller sizes of the images that the shop shows, made anew: a job for each image.

Not here: the making itself (media/remaking.py). Rules: the tool `regenerate_thumbnails` of the system status.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import orjson
from sqlalchemy import bindparam, select

from vetrina.backends import queue
from vetrina.backends.database import Statement
from vetrina.backends.shapes import Among, listed
from vetrina.backends.tables import media, record, term
from vetrina.backends.tables_catalogue import product
from vetrina.domain.content.site_types import ATTACHMENT
from vetrina.domain.media import attachments, remaking
from vetrina.domain.media.uploads import SubSize
from vetrina.domain.work import Work

from . import kinds

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
    for (meta,) in work.tx.all(_OF_GROUPS, taxonomies=listed(kinds.TAXONOMIES)):
        wanted.add(int(orjson.loads(meta).get("image") or 0))
    wanted.discard(0)
    # Records of several languages share a file.
    files = {file: int(id) for id, file in reversed(work.tx.all(_IMAGES, ids=listed(sorted(wanted))))}
    for id in sorted(files.values()):
        queue.put(work.tx, REMAKE, {"image": id}, due=work.now, now=work.now, key=f"{REMAKE}:{id}")
    return len(files)


# -- the errand


def remake(work: Work, arguments: Mapping[str, Any]) -> Callable[[], dict[str, SubSize]] | None:
    """Return the call that makes the sizes of an image anew, None for one that is gone."""
    found = attachments.of_record(work.tx, arguments["image"])
    if found is None:
        return None
    frame = work.frame
    return lambda: remaking.remade(frame.files, frame.profile, frame.decoding, found)


def keep(work: Work, arguments: Mapping[str, Any], sizes: Mapping[str, SubSize]) -> None:
    """Note the sizes that an image has now, on every record that shows its file."""
    found = attachments.of_record(work.tx, arguments["image"])
    if found is None:
        return
    for (id,) in work.tx.all(_SHARING, file=found.file):
        attachments.add_sizes(work, ATTACHMENT, int(id), sizes)
