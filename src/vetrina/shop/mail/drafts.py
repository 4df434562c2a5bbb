"""Settings of mails that an owner tries out before they are saved: kept for an hour, shown by previews alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.text.short_texts import allowed_text
from vetrina.core.unit_of_work import Work
from vetrina.shop.mail import mails
from vetrina.shop.settings import rules as settings

__all__ = ["KEYS", "held", "keep", "value"]

_OPTION: Final = "shop_email_drafts"
_HOUR: Final = 3600
_LOOK: Final = (
    "background_color", "base_color", "body_background_color", "font_family", "footer_text", "footer_text_color",
    "header_alignment", "header_image", "header_image_width", "text_color",
)  # fmt: skip
_OF_A_MAIL: Final = (
    "subject", "heading", "subject_full", "heading_full", "subject_partial", "heading_partial", "subject_paid",
    "heading_paid", "additional_content", "email_type",
)  # fmt: skip

KEYS: Final = frozenset(
    {
        *(f"shop_email_{name}" for name in _LOOK),
        *(f"shop_{mail.id}_{name}" for mail in mails.MAILS for name in _OF_A_MAIL if mail.has(name)),
    }
)


def keep(work: Work, key: str, given: str) -> None:
    """Keep a value for an hour, as it would be stored."""
    kept = {name: one for name, one in _stored(work).items() if one["until"] > work.now}
    work.set_option(_OPTION, {**kept, key: {"value": allowed_text(work.user, given), "until": work.now + _HOUR}})


def held(work: Work) -> dict[str, str]:
    """Return the values that are tried at this moment, by their keys."""
    return {name: str(one["value"]) for name, one in _stored(work).items() if one["until"] > work.now}


def value(work: Work, drafts: Mapping[str, Any], id: str) -> Any:
    """Return what is tried for a setting of all mails, else its value."""
    return drafts[id] if id in drafts else settings.shop_option(work, id)


def _stored(work: Work) -> dict[str, Any]:
    found = work.stored_option(_OPTION)
    return found if isinstance(found, dict) else {}
