"""How this site's own records are embedded elsewhere: the data of oEmbed and the markup in it.

Not here: embedding what others have (media/oembed/consumer.py), routes and XML (media/oembed/routes.py).
Rules: oembed.com, version 1.0; facts of the interface, "oEmbed".
"""

from __future__ import annotations

from html import escape, unescape
from typing import Any, Final

from vetrina.access.roles.capabilities import may_read
from vetrina.access.users import rules as users
from vetrina.access.users.model import NOBODY
from vetrina.content.records import permalinks, url_lookup
from vetrina.content.records.model import Record
from vetrina.content.records.visibility import INHERITED, parents_of
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import Work
from vetrina.kernel.keys import random_key
from vetrina.kernel.tags import without_tags
from vetrina.media.attachments import store as attachment_store
from vetrina.media.images.blocks import sized

__all__ = ["of_address"]

_NARROWEST, _WIDEST, _LOWEST = 200, 600, 200  # pixels
_SECRET_BYTES: Final = 9

# Pages may be embedded several times in one document: each frame knows its own by the secret in its fragment, tells
# its height with it, and the page around gives it that height within bounds.
_SCRIPT: Final = (
    "<script>(function(){if(window.cmsEmbeds)return;window.cmsEmbeds=1;"
    "addEventListener('message',function(e){var d=e.data;"
    "if(!d||typeof d.secret!=='string'||!/^[\\w-]+$/.test(d.secret)||d.message!=='height')return;"
    "document.querySelectorAll('iframe.cms-embedded-content[data-secret=\"'+d.secret+'\"]').forEach(function(f){"
    "if(f.contentWindow===e.source)f.height=Math.min(1000,Math.max(200,parseInt(d.value,10)||0));});});"
    "})();</script>"
)


def of_address(work: Work, address: str, max_width: int, max_height: int = 0) -> dict[str, Any] | None:
    """Return the embed data of the published record that an address of this site names, None for none.

    max_width: pixels; what lies outside the widths that are possible counts as the nearest. max_height: pixels, 0 for
    as tall as its width makes it.
    """
    found = url_lookup.named_by(work, address)
    type = work.frame.types.get(found.type) if found is not None else None
    if found is None or type is None or not _published(work, type, found):
        return None
    work.uses(found.type, "user")
    return _described(work, type, found, max(_NARROWEST, min(_WIDEST, abs(max_width))), max_height)


def _published(work: Work, type: ContentType, record: Record) -> bool:
    """Say whether everybody may see a record, whoever asks; a file is as visible as what it hangs on."""
    if record.status != INHERITED:
        return record.status == "publish" and may_read(NOBODY, type, record)
    above = parents_of(work, [record]).get(record.parent)
    return above is None or above.status == "publish"


def _described(work: Work, type: ContentType, record: Record, width: int, max_height: int) -> dict[str, Any]:
    site, home = work.shown("title"), work.home()
    author = users.by_id(work.tx, record.author)
    title = record.title_html
    if record.password not in ("", "0"):
        title = f"Protected: {title}"
    height = max(_LOWEST, -(-width * 9 // 16))
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
        "html": _markup(permalinks.link(work, type, record), title, site, width, height),
    }
    return {**out, **_thumbnail(work, record, width)}


def _thumbnail(work: Work, record: Record, width: int) -> dict[str, Any]:
    """Return the members about the picture of a record: the smallest that fills the width; none without a picture."""
    number = record.id if record.status == INHERITED else record.featured_media
    work.uses("attachment")
    media = attachment_store.of_record(work.tx, number) if number else None
    if media is None or media.kind != "image" or record.password not in ("", "0"):
        return {}
    wide = sorted((one.width, name) for name, one in media.sizes.items() if one.width >= width)
    url, shown, tall = sized(work, media, wide[0][1] if wide else "")
    return {"thumbnail_url": url, "thumbnail_width": shown, "thumbnail_height": tall}


def _markup(link: str, title: str, site: str, width: int, height: int) -> str:
    """Return what a page puts in: a quotation for those who have no frame, the frame, and the script that fits it."""
    secret, address = random_key(_SECRET_BYTES), escape(link)
    plain = escape(unescape(without_tags(f"{title} — {escape(site)}")))
    # The record's own page refuses to be framed; this one is made for it.
    framed = f"{address}&amp;embed=true" if "?" in address else f"{address}embed/"
    return (
        f'<blockquote class="cms-embedded-content" data-secret="{secret}"><a href="{address}">{title}</a></blockquote>'
        f'<iframe sandbox="allow-scripts" security="restricted" src="{framed}#?secret={secret}" width="{width}" '
        f'height="{height}" title="{plain}" data-secret="{secret}" frameborder="0" marginwidth="0" marginheight="0" '
        f'scrolling="no" loading="lazy" class="cms-embedded-content"></iframe>{_SCRIPT}'
    )
