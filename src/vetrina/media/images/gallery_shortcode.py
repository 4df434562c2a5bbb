"""The gallery shortcode in texts, and the gallery widget.

Images are those listed by id, or those attached to the record. Only public files are shown: those of a hidden record
stay hidden. Rules: observed on public pages: element names, classes, the order of parts. The gallery block:
content/blocks/rendering.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement
from vetrina.backends.tables.records import record as record_table
from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.wrapper import format_class_name
from vetrina.content.records import model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.content.types.registry import ATTACHMENT
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.media.attachments import store as attachment_store
from vetrina.media.attachments.store import MediaFile
from vetrina.media.images import srcset
from vetrina.media.images.blocks import get_image_size
from vetrina.media.images.pixel_sizes import PixelSize

_MAX_PICTURES: Final = 100  # images per gallery
_MAX_COLUMNS: Final = 30
_ATTACHED: Final = Statement(
    select(record_table.c.id)
    .where(record_table.c.type == ATTACHMENT.name, record_table.c.parent == bindparam("parent"))
    .order_by(record_table.c.menu_order, record_table.c.id)
    .limit(_MAX_PICTURES * 10)
)


def _render_gallery(context: BlockContext) -> str:
    given, work = context.attributes, context.work
    record = context.scene.record
    wanted = _parse_ids(given.get("ids") or given.get("include"))
    parent = _parse_id(given.get("id")) or (record.id if record is not None else 0)
    if not wanted and parent:
        left_out = set(_parse_ids(given.get("exclude")))
        wanted = [id for id in _list_attached_ids(work, parent, context.language) if id not in left_out]
    shown = _list_visible_images(work, wanted, record)
    if not shown:
        return ""
    columns = min(_MAX_COLUMNS, max(0, _parse_id(given.get("columns")) if given.get("columns") else 3))
    size = format_class_name(given.get("size") or "") or "thumbnail"
    name = f"gallery-{parent}"
    items = "".join(
        _render_gallery_item(context, one, media, size, str(given.get("link") or ""), name) for one, media in shown
    )
    return (
        f"<div id='{name}' class='gallery galleryid-{parent} gallery-columns-{columns} gallery-size-{size}'>"
        f"{items}\n\t\t</div>\n"
    )


def _list_attached_ids(work: UnitOfWork, parent: int, language: str) -> list[int]:
    """Return the files attached to a record: of a file in several languages, the one in the reader's."""
    ids = list(work.tx.column(_ATTACHED, parent=parent))
    rows, files = record_model.find_records(work.tx, ids), attachment_store.load_media_files(work.tx, ids)
    chosen: dict[str, int] = {}
    for id in ids:
        if id in files and (files[id].file not in chosen or rows[id].language == language):
            chosen[files[id].file] = id
    return list(chosen.values())


def _render_gallery_item(
    context: BlockContext, record: Record, media: MediaFile, size: str, link: str, gallery: str
) -> str:
    work = context.work
    url, width, height = get_image_size(work, media, size)
    caption = record.excerpt.strip()
    id = f"{gallery}-{record.id}"
    path = media.file.rpartition("/")[0] + "/" + media.sizes[size].file if size in media.sizes else media.file
    found = srcset.list_alternatives(media, path, PixelSize(width, height))
    sources = srcset.render_srcset(found, width, lambda file: attachment_store.build_file_url(work, file), lazy=False)
    described = f' aria-describedby="{id}"' if caption else ""
    picture = (
        f'<img width="{width}" height="{height}" src="{escape_url(url)}" class="attachment-{size} size-{size}" '
        f'alt="{escape_attribute(media.alt_text)}" decoding="async"{described}{sources} />'
    )
    if link != "none":
        whole = attachment_store.build_file_url(work, media.file)
        target = whole if link == "file" else permalinks.build_permalink(work, work.site.types[ATTACHMENT.name], record)
        picture = f"<a href='{escape_url(target)}'>{picture}</a>"
    form = "portrait" if media.height > media.width else "landscape"
    caption_html = context.live.hold(text_rendering.render_title(caption, work.budget), caption)
    words = (
        f"\n\t\t\t\t<figcaption class='wp-caption-text gallery-caption' id='{id}'>\n\t\t\t\t{caption_html}"
        "\n\t\t\t\t</figcaption>"
        if caption
        else ""
    )
    return (
        f"<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon {form}'>\n\t\t\t\t{picture}\n\t\t\t</div>"
        f"{words}</figure>"
    )


def _list_visible_images(
    work: UnitOfWork, numbers: Sequence[int], record: Record | None
) -> list[tuple[Record, MediaFile]]:
    """Return those files that are images and as public as the text, in the given order."""
    work.uses(ATTACHMENT.name)
    wanted = list(dict.fromkeys(numbers))[:_MAX_PICTURES]
    rows = record_model.find_records(work.tx, wanted)
    files = attachment_store.load_media_files(work.tx, wanted)
    parents = record_model.find_records(work.tx, sorted({row.parent for row in rows.values() if row.parent}))
    work.uses(*(row.type for row in parents.values()))

    def open_to_all(row: Record) -> bool:
        if row.type != ATTACHMENT.name or row.status != "inherit":
            return False
        above = parents.get(row.parent)
        if above is None or (record is not None and above.id == record.id):
            return True
        return above.status == "publish" and above.password in ("", "0")

    return [
        (rows[id], files[id])
        for id in wanted
        if id in rows and id in files and files[id].kind == "image" and open_to_all(rows[id])
    ]


def _parse_ids(value: Any) -> list[int]:
    parts = str(value or "").replace(",", " ").split()
    return [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 16]


def _parse_id(value: Any) -> int:
    found = _parse_ids(value)
    return found[0] if found else 0


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {"shortcode/gallery": _render_gallery}
