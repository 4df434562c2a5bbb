"""Drafts of mail settings: stored for an hour, used by previews alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.text.short_texts import sanitize_short_text
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.shop.mail import mails
from vetrina.shop.settings import rules as settings

_OPTION: Final = "shop_email_drafts"
_HOUR: Final = 3600
_STYLE_NAMES: Final = (
    "background_color", "base_color", "body_background_color", "font_family", "footer_text", "footer_text_color",
    "header_alignment", "header_image", "header_image_width", "text_color",
)  # fmt: skip
_MAIL_NAMES: Final = (
    "subject", "heading", "subject_full", "heading_full", "subject_partial", "heading_partial", "subject_paid",
    "heading_paid", "additional_content", "email_type",
)  # fmt: skip

DRAFT_KEYS: Final = frozenset(
    {
        *(f"shop_email_{name}" for name in _STYLE_NAMES),
        *(f"shop_{mail.id}_{name}" for mail in mails.MAIL_TYPES for name in _MAIL_NAMES if mail.has_setting(name)),
    }
)


def save_draft(work: UnitOfWork, key: str, given: str) -> None:
    """Store the draft of a setting for an hour, in its stored form."""
    current = {name: one for name, one in _load_stored_drafts(work).items() if one["until"] > work.now}
    work.set_option(
        _OPTION, {**current, key: {"value": sanitize_short_text(work.user, given), "until": work.now + _HOUR}}
    )


def load_drafts(work: UnitOfWork) -> dict[str, str]:
    """Return the current drafts, by setting key."""
    return {name: str(one["value"]) for name, one in _load_stored_drafts(work).items() if one["until"] > work.now}


def get_drafted_setting(work: UnitOfWork, drafts: Mapping[str, Any], id: str) -> Any:
    """Return the draft of a common mail setting, else its value."""
    return drafts[id] if id in drafts else settings.get_shop_option(work, id)


def _load_stored_drafts(work: UnitOfWork) -> dict[str, Any]:
    found = work.stored_option(_OPTION)
    return found if isinstance(found, dict) else {}
