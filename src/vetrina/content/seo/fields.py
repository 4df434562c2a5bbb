"""What editors write for search engines and social networks: kept with the record or term, in each language its own.

Not here: what follows where nothing is written (content/seo/computed.py). Rules: docs/rules/seo.md, 1 and 2.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import bindparam, select

from vetrina.backends.database import Statement, Transaction
from vetrina.backends.tables.records import media
from vetrina.content.records import model as record_model
from vetrina.content.records.visibility import may_view_record
from vetrina.content.redirects.paths import InvalidPath, parse_target
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault, InvalidParam

SEO_MEMBER: Final = "_seo"  # in the extra fields of records and terms, where no route shows it
# How a stored record says that it is not to be found; `noindex` stands first in what is stored.
NOINDEX_MARK: Final = f'"{SEO_MEMBER}":{{"noindex":true'
MAX_LENGTHS: Final = {"title": 300, "description": 1_000, "canonical": 2_000, "og_title": 300, "og_description": 1_000}


class SeoFields(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was written. noindex stands first (NOINDEX_MARK). image: id of the share image, 0 for none."""

    noindex: bool = False
    nofollow: bool = False
    title: str = ""
    description: str = ""
    canonical: str = ""
    image: int = 0
    og_title: str = ""
    og_description: str = ""


NO_SEO: Final = SeoFields()
MEMBERS: Final = SeoFields.__struct_fields__
_IS_IMAGE = Statement(select(media.c.record).where(media.c.record == bindparam("id"), media.c.kind == "image"))


def get_seo_fields(meta: Mapping[str, Any]) -> SeoFields:
    """Return what was written, of the extra fields of a record or term."""
    stored = meta.get(SEO_MEMBER) if meta else None
    return msgspec.convert(stored, SeoFields) if stored else NO_SEO


def remove_seo_fields(meta: Mapping[str, Any]) -> dict[str, Any]:
    """Return extra fields as they are shown, without what search engines are told."""
    return {name: value for name, value in meta.items() if name != SEO_MEMBER} if SEO_MEMBER in meta else dict(meta)


def merge_seo_fields(work: UnitOfWork, meta: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return extra fields with the given members written; absent ones stay.

    Raises InvalidParam for a canonical URL that is none and for an image that is not there.
    """
    old = get_seo_fields(meta)
    members: dict[str, Any] = {}
    faults: list[tuple[str, str, str]] = []  # member, code, what is wrong
    for name in MEMBERS:
        if name not in given:
            continue
        value = given[name]
        if name in MAX_LENGTHS:
            value = value.strip() if name == "canonical" else _sanitize_line(value)
        members[name] = value
    if members.get("canonical"):
        try:
            members["canonical"] = parse_target(members["canonical"], prefix=False)
        except InvalidPath as error:
            faults.append(("canonical", "rest_invalid_url", str(error).replace("A target", "A canonical address")))
    if members.get("image") and members["image"] != old.image and not _is_visible_image(work, members["image"]):
        faults.append(("image", "rest_invalid_image", f"There is no image {members['image']}."))
    if faults:
        message = " ".join(f"seo.{member}: {told}" for member, _, told in faults)
        raise InvalidParam({"seo": Fault(faults[0][1], message, {"param": f"seo.{faults[0][0]}"})})
    new = msgspec.structs.replace(old, **members)
    out = remove_seo_fields(meta)
    return out if new == NO_SEO else {**out, SEO_MEMBER: msgspec.to_builtins(new)}


def is_image(tx: Transaction, id: int) -> bool:
    """Return whether an id is that of an image."""
    return bool(tx.value(_IS_IMAGE, id=id))


def _sanitize_line(text: str) -> str:
    # It is shown as text and never as markup, so that a lone bracket needs no entity.
    return sanitizing.sanitize_plain_text(text).replace("&lt;", "<")


def _is_visible_image(work: UnitOfWork, id: int) -> bool:
    found = record_model.find_record(work.tx, id) if id > 0 else None
    type = work.site.types.get(found.type) if found is not None else None
    return found is not None and type is not None and may_view_record(work, type, found) and is_image(work.tx, id)
