"""Galleries that a text names by their shortcode, and the widget of the same purpose.

Pictures are those that it numbers, or those attached to its record. Only what everybody may see is shown: files whose
record is hidden stay hidden. Not here: the block of galleries, which holds its images itself
(content/blocks/rendering.py). Rules: observed on public pages: element names, classes, the order of parts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.core import record as record_table
from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.blocks.wrapper import class_word
from vetrina.content.records import model as record_model
from vetrina.content.records import permalinks
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import Work
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import Media
from vetrina.media.images import srcset
from vetrina.media.images.blocks import sized
from vetrina.media.images.sizes import Size

__all__ = ["BLOCKS"]

_MOST: Final = 100  # pictures of one gallery
_MOST_COLUMNS: Final = 30
_ATTACHED: Final = Statement(
    select(record_table.c.id)
    .where(record_table.c.type == ATTACHMENT.name, record_table.c.parent == bindparam("parent"))
    .order_by(record_table.c.menu_order, record_table.c.id)
    .limit(_MOST * 10)
)


def _gallery(place: Place) -> str:
    given, work = place.attributes, place.work
    of = place.scene.record
    wanted = _numbers(given.get("ids") or given.get("include"))
    parent = _number(given.get("id")) or (of.id if of is not None else 0)
    if not wanted and parent:
        left_out = set(_numbers(given.get("exclude")))
        wanted = [id for id in _attached(work, parent, place.language) if id not in left_out]
    shown = _visible(work, wanted, of)
    if not shown:
        return ""
    columns = min(_MOST_COLUMNS, max(0, _number(given.get("columns")) if given.get("columns") else 3))
    size = class_word(given.get("size") or "") or "thumbnail"
    name = f"gallery-{parent}"
    items = "".join(_item(place, one, media, size, str(given.get("link") or ""), name) for one, media in shown)
    return (
        f"<div id='{name}' class='gallery galleryid-{parent} gallery-columns-{columns} gallery-size-{size}'>"
        f"{items}\n\t\t</div>\n"
    )


def _attached(work: Work, parent: int, language: str) -> list[int]:
    """Return what hangs on a record: of a file that belongs to several languages, the one of the reader's."""
    ids = list(work.tx.column(_ATTACHED, parent=parent))
    rows, files = record_model.by_ids(work.tx, ids), attachment_store.of_records(work.tx, ids)
    chosen: dict[str, int] = {}
    for id in ids:
        if id in files and (files[id].file not in chosen or rows[id].language == language):
            chosen[files[id].file] = id
    return list(chosen.values())


def _item(place: Place, one: Record, media: Media, size: str, link: str, gallery: str) -> str:
    work = place.work
    url, width, height = sized(work, media, size)
    caption = one.excerpt.strip()
    id = f"{gallery}-{one.id}"
    path = media.file.rpartition("/")[0] + "/" + media.sizes[size].file if size in media.sizes else media.file
    found = srcset.alternatives(media, path, Size(width, height))
    sources = srcset.listed(found, width, lambda file: attachment_store.url(work, file), lazy=False)
    described = f' aria-describedby="{id}"' if caption else ""
    picture = (
        f'<img width="{width}" height="{height}" src="{address(url)}" class="attachment-{size} size-{size}" '
        f'alt="{attribute(media.alt_text)}" decoding="async"{described}{sources} />'
    )
    if link != "none":
        whole = attachment_store.url(work, media.file)
        target = whole if link == "file" else permalinks.link(work, work.frame.types[ATTACHMENT.name], one)
        picture = f"<a href='{address(target)}'>{picture}</a>"
    form = "portrait" if media.height > media.width else "landscape"
    shown = place.live.hold(text_rendering.title(caption, work.budget), caption)
    words = (
        f"\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='{id}'>\n\t\t\t\t{shown}"
        "\n\t\t\t\t</figcaption>"
        if caption
        else ""
    )
    return (
        f"<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon {form}'>\n\t\t\t\t{picture}\n\t\t\t</div>"
        f"{words}</figure>"
    )


def _visible(work: Work, numbers: Sequence[int], of: Record | None) -> list[tuple[Record, Media]]:
    """Return those files that are pictures and that everybody may see who sees the text, in their order."""
    work.uses(ATTACHMENT.name)
    wanted = list(dict.fromkeys(numbers))[:_MOST]
    rows = record_model.by_ids(work.tx, wanted)
    files = attachment_store.of_records(work.tx, wanted)
    parents = record_model.by_ids(work.tx, sorted({row.parent for row in rows.values() if row.parent}))
    work.uses(*(row.type for row in parents.values()))

    def open_to_all(row: Record) -> bool:
        if row.type != ATTACHMENT.name or row.status != "inherit":
            return False
        above = parents.get(row.parent)
        if above is None or (of is not None and above.id == of.id):
            return True
        return above.status == "publish" and above.password in ("", "0")

    return [
        (rows[id], files[id])
        for id in wanted
        if id in rows and id in files and files[id].kind == "image" and open_to_all(rows[id])
    ]


def _numbers(value: Any) -> list[int]:
    parts = str(value or "").replace(",", " ").split()
    return [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 16]


def _number(value: Any) -> int:
    found = _numbers(value)
    return found[0] if found else 0


BLOCKS: Final[Mapping[str, Maker]] = {"shortcode/gallery": _gallery}
