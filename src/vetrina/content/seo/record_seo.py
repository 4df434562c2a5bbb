"""What the pages of records say in their heads; what several of them need is read at once.

Rules: docs/rules/seo.md, 3 to 5.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from vetrina.access.users import rules as users
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records import ancestry, model as record_model, permalinks
from vetrina.content.records.model import Record
from vetrina.content.records.passwords import is_password_protected
from vetrina.content.records.visibility import INHERIT_STATUS
from vetrina.content.seo.computed import ComputedSeo, SeoSubject, ShareImage, compute_seo, to_plain_text
from vetrina.content.seo.fields import get_seo_fields
from vetrina.content.seo.site_image import get_site_image_id
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.times import format_iso

_CONTENT_IMAGE: Final = re.compile(r"\bwp-image-(\d{1,15})\b", re.ASCII)


class RecordSeo:
    """What some records of a type say.

    get_link: the URL of a record. load_images: the images with these ids, by id.
    """

    def __init__(
        self,
        work: UnitOfWork,
        type: ContentType,
        records: Sequence[Record],
        get_link: Callable[[Record], str],
        load_images: Callable[[Sequence[int]], Mapping[int, ShareImage]],
    ) -> None:
        self._work, self._type, self._get_link = work, type, get_link
        self._logo = get_site_image_id(work)
        wanted = {self._logo, *(_get_image_id(one) for one in records)} - {0}
        work.uses_items("attachment", wanted)
        self._images = load_images(sorted(wanted)) if wanted else {}
        self._authors: dict[int, str] = {}
        trails = ancestry.load_ancestor_trails(work, [one.parent for one in records]) if type.hierarchical else {}
        self._trails = {parent: [above.id for above in trail[::-1]] for parent, trail in trails.items()}
        self._above = record_model.find_records(
            work.tx, sorted({id for trail in self._trails.values() for id in trail})
        )

    def compute(self, record: Record) -> ComputedSeo:
        """Return what the page of a record says."""
        work, type = self._work, self._type
        language = permalinks.get_shown_language(work, record)
        summary = ""
        if not is_password_protected(record) and (type.has("excerpt") or type.has("editor")):
            summary = to_plain_text(dynamic_rendering.render_record_excerpt(work, record))
        subject = SeoSubject(
            "Article" if type.address == "dated" else "WebPage",
            to_plain_text(record.title_html) or f"#{record.id}",
            self._get_link(record),
            language,
            summary,
            record.status in ("publish", INHERIT_STATUS),
            self._images.get(_get_image_id(record)),
            self._build_trail(record),
            self._get_author(record) if type.has("author") and type.address == "dated" else "",
            f"{format_iso(record.date_gmt)}Z",
            f"{format_iso(record.modified_gmt)}Z",
            self._images.get(self._logo),
        )
        return compute_seo(work, get_seo_fields(record.meta), subject)

    def _build_trail(self, record: Record) -> list[tuple[str, str]]:
        """Return titles and URLs of the published records above one, the topmost first."""
        found = [self._above[id] for id in self._trails.get(record.parent, ()) if id in self._above]
        types = self._work.site.types
        return [
            (to_plain_text(one.title_html), permalinks.build_permalink(self._work, types[one.type], one))
            for one in found
            if one.status == "publish" and one.type in types
        ]

    def _get_author(self, record: Record) -> str:
        self._work.uses_items("user", (record.author,))
        if record.author not in self._authors:
            user = users.find_user(self._work.tx, record.author)
            name = self._work.get_translated_member(user, "name") if user is not None else ""
            self._authors[record.author] = name
        return self._authors[record.author]


def _get_image_id(record: Record) -> int:
    """Return the id of the written image, the featured one, or the first one in the content that everybody reads."""
    chosen = get_seo_fields(record.meta).image or record.featured_media
    if chosen or is_password_protected(record):
        return chosen
    found = _CONTENT_IMAGE.search(record.content)
    return int(found[1]) if found else 0
