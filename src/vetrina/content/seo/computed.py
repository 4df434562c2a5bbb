"""What a page says in its head: what editors wrote for it, and what follows from the content where they wrote nothing.

Not here: where it is written (content/seo/fields.py), the elements (pages/seo_head.py). Rules: docs/rules/seo.md, 3 to
5; schema.org, the Open Graph protocol.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import unescape
from typing import Any, Final

import msgspec

from vetrina.access.users.text_rules import language_to_locale
from vetrina.content.seo.fields import SeoFields
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.tags import strip_tags

_MAX_DESCRIPTION: Final = 160  # characters of a description that is made of an excerpt
_MIN_CUT: Final = 100


class ShareImage(msgspec.Struct, frozen=True):
    """The image that stands for a page. Sizes are in pixels."""

    url: str
    width: int
    height: int
    alt: str


class SeoSubject(msgspec.Struct, frozen=True):
    """What a page is about. title, summary: as text. trail: titles and URLs of what is above it, the topmost first.

    kind: its type in schema.org. image: that stands for it; logo: for the site. public: whether everybody sees it.
    published, modified: with their zone.
    """

    kind: str
    title: str
    url: str
    language: str
    summary: str = ""
    public: bool = True
    image: ShareImage | None = None
    trail: Sequence[tuple[str, str]] = ()
    author: str = ""
    published: str = ""
    modified: str = ""
    logo: ShareImage | None = None


class ComputedSeo(msgspec.Struct, frozen=True):
    """What a page says in its head. canonical: empty for none."""

    title: str
    description: str
    canonical: str
    robots: str
    open_graph: dict[str, Any]
    twitter: dict[str, str]
    json_ld: list[dict[str, Any]]


def compute_seo(work: UnitOfWork, written: SeoFields, subject: SeoSubject) -> ComputedSeo:
    """Return what the page of a subject says in its head."""
    site = str(work.get_translated_option("title"))
    title = written.title or " – ".join(filter(None, (subject.title, site)))
    description = written.description or cut_description(subject.summary)
    canonical = _resolve_url(work, written.canonical) or (subject.url if subject.public else "")
    image = subject.image or subject.logo
    indexed = subject.public and not written.noindex
    robots = f"{'index' if indexed else 'noindex'}, {'nofollow' if written.nofollow else 'follow'}"
    shared = {
        "title": written.og_title or written.title or subject.title or site,
        "description": written.og_description or description,
    }
    graph: dict[str, Any] = {
        **shared, "url": canonical, "type": "article" if subject.kind == "Article" else "website", "site_name": site,
        "locale": language_to_locale(subject.language),
    }  # fmt: skip
    twitter = {"card": "summary_large_image" if subject.image else "summary", **shared}
    if image is not None:
        graph |= {"image": image.url, "image:width": image.width, "image:height": image.height}
        twitter["image"] = image.url
        if image.alt:
            graph["image:alt"] = twitter["image:alt"] = image.alt
    return ComputedSeo(
        title, description, canonical, robots, _drop_empty(graph), _drop_empty(twitter),
        _build_json_ld(work, subject, canonical, description, site) if subject.public else [],
    )  # fmt: skip


def to_plain_text(html: str) -> str:
    """Return markup as one line of text."""
    return " ".join(unescape(strip_tags(html)).split())


def cut_description(text: str) -> str:
    """Return the start of a text, cut between words."""
    if len(text) <= _MAX_DESCRIPTION:
        return text
    start = text[:_MAX_DESCRIPTION]
    end = start.rfind(" ")
    return f"{start[: end if end >= _MIN_CUT else _MAX_DESCRIPTION - 1].rstrip(' ,;:–-')}…"


def _resolve_url(work: UnitOfWork, url: str) -> str:
    return work.origin + url if url.startswith("/") else url


def _build_json_ld(
    work: UnitOfWork, subject: SeoSubject, canonical: str, description: str, site: str
) -> list[dict[str, Any]]:
    home = f"{work.home(subject.language)}/"
    article, of_site = subject.kind == "Article", subject.kind == "WebSite"
    organization = _drop_empty(
        {"@type": "Organization", "name": site, "url": home, "logo": subject.logo.url if subject.logo else ""}
    )
    about = {
        "@context": "https://schema.org",
        "@type": subject.kind,
        "@id": canonical,
        "url": canonical,
        "headline" if article else "name": subject.title or site,
        "description": description,
        "inLanguage": subject.language,
        "datePublished": subject.published,
        "dateModified": subject.modified,
        "author": {"@type": "Person", "name": subject.author} if subject.author else None,
        "image": subject.image.url if subject.image else "",
        "isPartOf": None if of_site else {"@type": "WebSite", "name": site, "url": home},
        "publisher": organization if article else None,
        "potentialAction": _build_search_action(home) if of_site else None,
    }
    trail = [(site, home), *subject.trail, (subject.title, canonical)]
    crumbs = [
        {"@type": "ListItem", "position": at, "name": name, "item": url} for at, (name, url) in enumerate(trail, 1)
    ]
    out = [_drop_empty(about)]
    if canonical == home:
        out.append({"@context": "https://schema.org", **organization})
    else:
        out.append({"@context": "https://schema.org", "@type": "BreadcrumbList", "itemListElement": crumbs})
    return out


def _build_search_action(home: str) -> dict[str, str]:
    """Return how the site is searched."""
    return {
        "@type": "SearchAction", "target": f"{home}?s={{search_term_string}}",
        "query-input": "required name=search_term_string",
    }  # fmt: skip


def _drop_empty(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value not in ("", None)}
