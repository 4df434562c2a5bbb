"""Embedding this site's records elsewhere: the oEmbed data and its markup.

Rules: oembed.com, version 1.0; docs/rules/oembed.md, 1, 3 and 4.
"""

from __future__ import annotations

from html import escape, unescape
from typing import Any, Final

from vetrina.access.roles.capabilities import may_read_record
from vetrina.access.users import rules as users
from vetrina.content.records import permalinks, url_lookup
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import INHERIT_STATUS, load_parents
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import NOBODY
from vetrina.kernel.keys import generate_key
from vetrina.kernel.tags import strip_tags
from vetrina.media.attachments import store as attachment_store
from vetrina.media.images.blocks import get_image_size

_MIN_WIDTH, _MAX_WIDTH, _MIN_HEIGHT = 200, 600, 200  # pixels
_SECRET_BYTES: Final = 9

# A page may be embedded several times in one document: each frame is identified by the secret in its URL fragment,
# reports its height with it, and the embedding page sets that height within bounds.
_SCRIPT: Final = (
    "<script>(function(){if(window.cmsEmbeds)return;window.cmsEmbeds=1;"
    "addEventListener('message',function(e){var d=e.data;"
    "if(!d||typeof d.secret!=='string'||!/^[\\w-]+$/.test(d.secret)||d.message!=='height')return;"
    "document.querySelectorAll('iframe.cms-embedded-content[data-secret=\"'+d.secret+'\"]').forEach(function(f){"
    "if(f.contentWindow===e.source)f.height=Math.min(1000,Math.max(200,parseInt(d.value,10)||0));});});"
    "})();</script>"
)


def build_embed_data(work: UnitOfWork, address: str, max_width: int, max_height: int = 0) -> dict[str, Any] | None:
    """Return the embed data of the published record at a URL of this site, None for none.

    max_width: pixels, clamped to the allowed range. max_height: pixels, 0 for the height that follows from the width.
    """
    found = url_lookup.find_record_by_url(work, address)
    type = work.site.types.get(found.type) if found is not None else None
    if found is None or type is None or not _is_published(work, type, found):
        return None
    work.uses(found.type, "user")
    return _build_embed_members(work, type, found, max(_MIN_WIDTH, min(_MAX_WIDTH, abs(max_width))), max_height)


def _is_published(work: UnitOfWork, type: ContentType, record: Record) -> bool:
    """Return whether a record is public, whoever the caller is; a file is as visible as its parent."""
    if record.status != INHERIT_STATUS:
        return record.status == "publish" and may_read_record(NOBODY, type, record)
    above = load_parents(work, [record]).get(record.parent)
    return above is None or above.status == "publish"


def _build_embed_members(
    work: UnitOfWork, type: ContentType, record: Record, width: int, max_height: int
) -> dict[str, Any]:
    site, home = work.get_translated_option("title"), work.home()
    author = users.find_user(work.tx, record.author)
    title = record.title_html
    if record.password not in ("", "0"):
        title = f"Protected: {title}"
    height = max(_MIN_HEIGHT, -(-width * 9 // 16))
    height = min(height, max_height) if max_height else height
    out = {
        "version": "1.0",
        "provider_name": site,
        "provider_url": home,
        "author_name": author.name if author else site,
        "author_url": f"{home}/author/{author.slug}/" if author else home,
        "title": title,
        "type": "rich",
        "width": width,
        "height": height,
        "html": _render_embed(permalinks.build_permalink(work, type, record), title, site, width, height),
    }
    return {**out, **_build_thumbnail_members(work, record, width)}


def _build_thumbnail_members(work: UnitOfWork, record: Record, width: int) -> dict[str, Any]:
    """Return the thumbnail members: the smallest image that fills the width; none without a featured image."""
    number = record.id if record.status == INHERIT_STATUS else record.featured_media
    work.uses("attachment")
    media = attachment_store.find_media_file(work.tx, number) if number else None
    if media is None or media.kind != "image" or record.password not in ("", "0"):
        return {}
    wide = sorted((one.width, name) for name, one in media.sizes.items() if one.width >= width)
    url, actual_width, tall = get_image_size(work, media, wide[0][1] if wide else "")
    return {"thumbnail_url": url, "thumbnail_width": actual_width, "thumbnail_height": tall}


def _render_embed(link: str, title: str, site: str, width: int, height: int) -> str:
    """Return the markup to embed: a quotation as the fallback, the frame, and the script that sizes it."""
    secret, address = generate_key(_SECRET_BYTES), escape(link)
    plain = escape(unescape(strip_tags(f"{title} — {escape(site)}")))
    # The record's own page refuses to be framed; its embed page is made for it.
    framed = f"{address}&amp;embed=true" if "?" in address else f"{address}embed/"
    return (
        f'<blockquote class="cms-embedded-content" data-secret="{secret}"><a href="{address}">{title}</a></blockquote>'
        f'<iframe sandbox="allow-scripts" security="restricted" src="{framed}#?secret={secret}" width="{width}" '
        f'height="{height}" title="{plain}" data-secret="{secret}" frameborder="0" marginwidth="0" marginheight="0" '
        f'scrolling="no" loading="lazy" class="cms-embedded-content"></iframe>{_SCRIPT}'
    )
