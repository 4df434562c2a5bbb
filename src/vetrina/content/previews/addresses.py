"""Where a preview link leads: the record in the interface, its public page, the site's front end.

Rules: docs/rules/previews.md, 5 and 6.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import quote

from vetrina.content.records import slugs as record_slugs
from vetrina.content.records.model import Record
from vetrina.content.types.model import ContentType
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.settings import Profile

PARAMETER: Final = "preview"  # of URLs, with the token
PLACEHOLDERS: Final = ("type", "id", "slug", "lang", "token")
_PLACEHOLDER: Final = re.compile(r"\{([^{}]*)\}")


def find_placeholders(template: str) -> list[str]:
    """Return the names in braces of the address of a front end."""
    return _PLACEHOLDER.findall(template)


def fill_placeholders(template: str, values: Mapping[str, str]) -> str:
    """Return the address of a front end with values in place of the names in braces."""
    return _PLACEHOLDER.sub(lambda match: quote(values.get(match[1], ""), safe=""), template)


def find_front_end_template(profile: Profile, type: str) -> str:
    """Return where the front end shows previews of a type, empty where the profile does not say so."""
    own = profile.types.get(type)
    return (own.preview_url if own is not None else "") or profile.preview_urls.get(type, "")


def build_api_url(work: UnitOfWork, type: ContentType, record: Record, token: str) -> str:
    """Return the URL of a record in the interface, with a token."""
    return f"{work.root}{type.path}/{record.id}?{PARAMETER}={quote(token, safe='')}"


def build_page_url(work: UnitOfWork, record: Record, token: str) -> str:
    """Return the URL of a record's public page, with a token; it does not change with the record."""
    return f"{work.home(record.language)}/?p={record.id}&{PARAMETER}={quote(token, safe='')}"


def build_front_end_url(work: UnitOfWork, type: ContentType, record: Record, token: str) -> str | None:
    """Return the URL of a preview at the site's front end, None where the profile names none."""
    template = find_front_end_template(work.site.profile, record.type)
    if not template:
        return None
    slug = record.slug or record_slugs.generate_slugs(work, type, [record])[record.id]
    values = {"type": record.type, "id": str(record.id), "slug": slug, "lang": record.language, "token": token}
    return fill_placeholders(template, values)
