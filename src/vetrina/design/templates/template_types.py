"""What templates and their parts are for: the kinds that every theme may have, the areas of parts, and which template
stands in for which.

Not here: the templates themselves (design/templates/rules.py). Rules: facts of the interface, "Templates and template
parts"; the names are those that editors know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

__all__ = ["AREAS", "DEFAULT_AREA", "KINDS", "Area", "Kind", "hierarchy"]


@dataclass(frozen=True, slots=True)
class Kind:
    """A template that the site looks for by itself."""

    slug: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Area:
    """A place that parts are made for. tag: the element that holds them."""

    area: str
    label: str
    description: str
    icon: str
    tag: str


KINDS: Final = {
    kind.slug: kind
    for kind in (
        Kind("index", "Index", "Shows whatever has no template of its own."),
        Kind("home", "Blog Home", "Shows the newest posts, as the home page or as the page that is set for them."),
        Kind("front-page", "Front Page", "Shows the home page, whether it lists posts or is a page."),
        Kind("singular", "Single Entries", "Shows any single record that has no template nearer to it."),
        Kind("single", "Single Posts", "Shows a single post."),
        Kind("page", "Pages", "Shows a page."),
        Kind("archive", "All Archives", "Lists the posts of a term, an author or a time."),
        Kind("author", "Author Archives", "Lists the posts of an author."),
        Kind("category", "Category Archives", "Lists the posts of a category."),
        Kind("taxonomy", "Taxonomy", "Lists the records of a term of any taxonomy."),
        Kind("date", "Date Archives", "Lists the posts of a year, a month or a day."),
        Kind("tag", "Tag Archives", "Lists the posts of a tag."),
        Kind("attachment", "Attachment Pages", "Shows a file of the media library."),
        Kind("search", "Search Results", "Lists what a search found."),
        Kind("privacy-policy", "Privacy Policy", "Shows the page on privacy."),
        Kind("404", "Page: 404", "Shows what is said when nothing stands at an address."),
    )
}  # fmt: skip

DEFAULT_AREA: Final = "uncategorized"
AREAS: Final = {
    area.area: area
    for area in (
        Area(DEFAULT_AREA, "General", "Parts that belong to no place.", "layout", "div"),
        Area("header", "Header", "What stands above the content of a page: name, navigation.", "header", "header"),
        Area("footer", "Footer", "What stands below the content of a page.", "footer", "footer"),
    )
}

_OF_ARCHIVES: Final = frozenset({"author", "category", "date", "tag", "taxonomy"})
_SINGLE: Final = frozenset({"single", "page", "attachment"})
# Kinds whose slugs go on with a name: of a record, or of the type that an archive is of.
_NAMED: Final = frozenset({"archive", "author", "category", "tag", "page"})


def hierarchy(
    slug: str,
    *,
    is_custom: bool = False,
    prefix: str = "",
    types: Collection[str] = (),
    taxonomies: Collection[str] = (),
) -> list[str]:
    """Return the slugs of the templates that may show something, the nearest first; `index` is always the last.

    slug: the nearest one, as `single-post-hello`. is_custom: whether somebody chose it for a single record.
    prefix: its kind with what it is of, as `single-post`, where the caller knows it; else it is read from the slug.
    types, taxonomies: the names that may follow `single-` and `taxonomy-`.
    """
    if slug == "index":
        return ["index"]
    if is_custom:
        return ["page", "singular", "index"]
    if slug == "front-page":
        return ["front-page", "home", "index"]
    chain = [slug]
    kind = slug
    if prefix:
        kind = prefix.partition("-")[0]
        chain += [prefix, kind]
    elif "-" in slug:
        kind, _, rest = slug.partition("-")
        if kind in ("single", "taxonomy"):
            chain += [*_of_name(kind, rest, types if kind == "single" else taxonomies), kind]
        elif kind in _NAMED:
            chain.append(kind)
        else:
            kind = slug
    if kind in _OF_ARCHIVES:
        chain.append("archive")
    elif kind in _SINGLE:
        chain += ["single", "singular"] if kind == "attachment" else ["singular"]
    chain.append("index")
    return list(dict.fromkeys(chain))


def _of_name(kind: str, rest: str, names: Iterable[str]) -> list[str]:
    """Return the template of a type or taxonomy that `rest` begins with, such as `single-post` of `post-hello`."""
    found = next((name for name in names if rest == name or rest.startswith(name + "-")), None)
    return [f"{kind}-{found}"] if found else []
