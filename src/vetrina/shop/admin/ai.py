"""Texts and images that are made up for an owner: by a provider that the profile names, or a plain built-in one.

Nothing is asked while the shop's option for it is off. Whoever is asked is asked before the transaction.
Not here: the routes (shop/admin/ai_routes.py). Rules: facts, "Routes that the reference lacks".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, Protocol

from vetrina.content.site_settings import rules as site_settings
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.shop.products import model as product
from vetrina.shop.products import rules as products

__all__ = [
    "ALLOWED", "Images", "InvalidDescription", "Texts", "describe", "description", "forget", "images_of", "is_allowed",
    "keep_patterns", "name_shop", "rewrite", "store_info", "texts_of",
]  # fmt: skip

ALLOWED: Final = "shop_blocks_allow_ai_connection"
_DESCRIPTION: Final = "shop_ai_business_description"
_PATTERNS: Final = "shop_ai_patterns"
_IMAGES: Final = "shop_ai_images"
_PLAIN: Final = "plain"
_WORD: Final = re.compile(r"[^\W\d_][\w'-]*")
_MOST_WORDS: Final = 3
_SMALL: Final = frozenset(
    {
        "a", "an", "and", "are", "at", "by", "for", "from", "i", "in", "is", "my", "of", "on", "or", "our", "sell",
        "selling", "that", "the", "to", "we", "with",
    }
)  # fmt: skip


class InvalidDescription(ApiError):
    code = "invalid_business_description"
    message = "Say in a sentence what the shop sells, as `business_description`."


class Texts(Protocol):
    """Writes texts."""

    def title(self, about: str) -> str:
        """Return a name for a shop that is described so; empty when it has no idea."""

    def product(self, about: str, known: Mapping[str, Any]) -> Mapping[str, str]:
        """Return `title` and `description` for a product; what is missing stays as it is."""

    def pattern(self, about: str) -> Mapping[str, str]:
        """Return texts for a page, by their place."""


class Images(Protocol):
    """Finds images."""

    def images(self, about: str) -> list[Mapping[str, str]]:
        """Return images with `id`, `URL` and `title`."""


class Plain:
    """The built-in provider: it makes names of the words that it is given, and knows no images."""

    def title(self, about: str) -> str:
        words = [word for word in _WORD.findall(about) if word.lower() not in _SMALL]
        return " ".join(word.capitalize() for word in words[:_MOST_WORDS])

    def product(self, about: str, known: Mapping[str, Any]) -> Mapping[str, str]:
        title = str(known.get("title") or "").strip()
        return {"description": f"{title}: {about.strip()}"} if title and about.strip() else {}

    def pattern(self, about: str) -> Mapping[str, str]:
        title = self.title(about)
        return {"heading": title, "text": about.strip()} if title else {}

    def images(self, about: str) -> list[Mapping[str, str]]:
        return []


def texts_of(frame: Frame) -> Texts:
    """Return who writes texts for a site. Raises ValueError when the profile names nobody that is there."""
    found: Texts = _provider(frame.profile.shop_services.texts)
    return found


def images_of(frame: Frame) -> Images:
    """Return who finds images for a site. Raises ValueError when the profile names nobody that is there."""
    found: Images = _provider(frame.profile.shop_services.images)
    return found


@lru_cache(maxsize=8)
def _provider(name: str) -> Any:
    if name == _PLAIN:
        return Plain()
    module, _, member = name.partition(":")
    try:
        return getattr(import_module(module), member)()
    except (ImportError, AttributeError, TypeError) as error:
        raise ValueError(f"shop_services names {name!r}, which is not there: {error}") from error


def is_allowed(work: Work) -> bool:
    """Say whether the owner wants this at all."""
    return work.stored_option(ALLOWED) in ("yes", "1")


def store_info(work: Work) -> bool:
    """Say whether anything in the shop was made up."""
    return bool(work.stored_option(_PATTERNS))


def description(work: Work) -> str:
    """Return what the owner said that the shop sells."""
    return str(work.stored_option(_DESCRIPTION) or "")


def describe(work: Work, text: str) -> None:
    """Keep what the shop sells. Raises InvalidDescription."""
    if not text.strip():
        raise InvalidDescription
    if text != description(work):
        work.set_option(_DESCRIPTION, text.strip())


def name_shop(work: Work, title: str) -> bool:
    """Give the shop a name while it has none of its own; say whether it got one."""
    if not title or work.raw_option("title") not in ("", work.frame.profile.title):
        return False
    site_settings.change(work, {"title": title})
    return True


def keep_patterns(work: Work, made: Mapping[str, str], images: object) -> bool:
    """Keep texts and images that pages are begun with; say whether there is anything."""
    if isinstance(images, Mapping) and images:
        work.set_option(_IMAGES, dict(images))
    if made:
        work.set_option(_PATTERNS, dict(made))
    return bool(made)


def forget(work: Work) -> None:
    """Forget what was made up for pages."""
    for name in (_PATTERNS, _IMAGES):
        if work.stored_option(name) is not None:
            work.set_option(name, {})


def rewrite(work: Work, id: object, made: Mapping[str, str]) -> bool:
    """Give a product the texts that were made up for it; say whether it got any."""
    found = product.by_id(work, id) if isinstance(id, int) and not isinstance(id, bool) else None
    given = {own: made[name] for own, name in (("name", "title"), ("description", "description")) if made.get(name)}
    if found is None or found.is_variation or not given:
        return False
    products.change(work, found, given)
    return True
