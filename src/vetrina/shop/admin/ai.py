"""Texts and images generated for an owner, by a provider that the profile names or a plain built-in one.

Nothing is generated while the shop's option for it is off. Providers are called before the transaction. Not here: the
routes (shop/admin/ai_routes.py). Rules: docs/rules/shop_admin.md, 11.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, Protocol

from vetrina.content.site_settings import rules as site_settings
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.shop.products import model as product, rules as products

ALLOWED_OPTION: Final = "shop_blocks_allow_ai_connection"
_DESCRIPTION: Final = "shop_ai_business_description"
_PATTERNS: Final = "shop_ai_patterns"
_IMAGES: Final = "shop_ai_images"
_PLAIN: Final = "plain"
_WORD: Final = re.compile(r"[^\W\d_][\w'-]*")
_MAX_WORDS: Final = 3
_SMALL: Final = frozenset(
    {
        "a", "an", "and", "are", "at", "by", "for", "from", "i", "in", "is", "my", "of", "on", "or", "our", "sell",
        "selling", "that", "the", "to", "we", "with",
    }
)  # fmt: skip


class InvalidBusinessDescription(ApiError):
    code = "invalid_business_description"
    message = "Say in a sentence what the shop sells, as `business_description`."


class TextProvider(Protocol):
    """Writes texts."""

    def title(self, about: str) -> str:
        """Return a name for a shop with this description; empty when there is none."""

    def product(self, about: str, known: Mapping[str, Any]) -> Mapping[str, str]:
        """Return `title` and `description` for a product; missing ones stay unchanged."""

    def pattern(self, about: str) -> Mapping[str, str]:
        """Return texts for a page, by their place."""


class ImageProvider(Protocol):
    """Finds images."""

    def images(self, about: str) -> list[Mapping[str, str]]:
        """Return images with `id`, `URL` and `title`."""


class BuiltInProvider:
    """The built-in provider: makes names from the words of the description, and has no images."""

    def title(self, about: str) -> str:
        words = [word for word in _WORD.findall(about) if word.lower() not in _SMALL]
        return " ".join(word.capitalize() for word in words[:_MAX_WORDS])

    def product(self, about: str, known: Mapping[str, Any]) -> Mapping[str, str]:
        title = str(known.get("title") or "").strip()
        return {"description": f"{title}: {about.strip()}"} if title and about.strip() else {}

    def pattern(self, about: str) -> Mapping[str, str]:
        title = self.title(about)
        return {"heading": title, "text": about.strip()} if title else {}

    def images(self, about: str) -> list[Mapping[str, str]]:
        return []


def load_text_provider(site: SiteContext) -> TextProvider:
    """Return the site's text provider. Raises ValueError when the profile names one that is not installed."""
    found: TextProvider = _load_provider(site.profile.shop_services.texts)
    return found


def load_image_provider(site: SiteContext) -> ImageProvider:
    """Return the site's image provider. Raises ValueError when the profile names one that is not installed."""
    found: ImageProvider = _load_provider(site.profile.shop_services.images)
    return found


@lru_cache(maxsize=8)
def _load_provider(name: str) -> Any:
    if name == _PLAIN:
        return BuiltInProvider()
    module, _, member = name.partition(":")
    try:
        return getattr(import_module(module), member)()
    except (ImportError, AttributeError, TypeError) as error:
        raise ValueError(f"shop_services names {name!r}, which is not there: {error}") from error


def is_ai_allowed(work: UnitOfWork) -> bool:
    """Return whether the owner allows generated content."""
    return work.stored_option(ALLOWED_OPTION) in ("yes", "1")


def has_generated_content(work: UnitOfWork) -> bool:
    """Return whether anything in the shop was generated."""
    return bool(work.stored_option(_PATTERNS))


def get_description(work: UnitOfWork) -> str:
    """Return the owner's description of what the shop sells."""
    return str(work.stored_option(_DESCRIPTION) or "")


def save_description(work: UnitOfWork, text: str) -> None:
    """Store the description of what the shop sells. Raises InvalidBusinessDescription."""
    if not text.strip():
        raise InvalidBusinessDescription
    if text != get_description(work):
        work.set_option(_DESCRIPTION, text.strip())


def name_shop(work: UnitOfWork, title: str) -> bool:
    """Name the shop unless it has a name of its own; return whether it was named."""
    if not title or work.raw_option("title") not in ("", work.site.profile.title):
        return False
    site_settings.update_site_settings(work, {"title": title})
    return True


def save_patterns(work: UnitOfWork, texts: Mapping[str, str], images: object) -> bool:
    """Store generated texts and images for page patterns; return whether there are any."""
    if isinstance(images, Mapping) and images:
        work.set_option(_IMAGES, dict(images))
    if texts:
        work.set_option(_PATTERNS, dict(texts))
    return bool(texts)


def clear_patterns(work: UnitOfWork) -> None:
    """Delete the generated texts and images of page patterns."""
    for name in (_PATTERNS, _IMAGES):
        if work.stored_option(name) is not None:
            work.set_option(name, {})


def rewrite_product(work: UnitOfWork, id: object, texts: Mapping[str, str]) -> bool:
    """Store generated texts in a product; return whether there were any."""
    found = product.find_product(work, id) if isinstance(id, int) and not isinstance(id, bool) else None
    given = {own: texts[name] for own, name in (("name", "title"), ("description", "description")) if texts.get(name)}
    if found is None or found.is_variation or not given:
        return False
    products.update_product(work, found, given)
    return True
