"""Template types, areas of template parts, and the template hierarchy.

Rules: docs/rules/templates.md, 9 and 10; the names are those that editors know.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class TemplateKind:
    """A template of the hierarchy."""

    slug: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class TemplatePartArea:
    """An area for template parts. tag: the HTML element that wraps them."""

    area: str
    label: str
    description: str
    icon: str
    tag: str


TEMPLATE_KINDS: Final = {
    kind.slug: kind
    for kind in (
        TemplateKind("index", "Index", "Shows whatever has no template of its own."),
        TemplateKind(
            "home", "Blog Home", "Shows the newest posts, as the home page or as the page that is set for them."
        ),
        TemplateKind("front-page", "Front Page", "Shows the home page, whether it lists posts or is a page."),
        TemplateKind("singular", "Single Entries", "Shows any single record that has no template nearer to it."),
        TemplateKind("single", "Single Posts", "Shows a single post."),
        TemplateKind("page", "Pages", "Shows a page."),
        TemplateKind("archive", "All Archives", "Lists the posts of a term, an author or a time."),
        TemplateKind("author", "Author Archives", "Lists the posts of an author."),
        TemplateKind("category", "Category Archives", "Lists the posts of a category."),
        TemplateKind("taxonomy", "Taxonomy", "Lists the records of a term of any taxonomy."),
        TemplateKind("date", "Date Archives", "Lists the posts of a year, a month or a day."),
        TemplateKind("tag", "Tag Archives", "Lists the posts of a tag."),
        TemplateKind("attachment", "Attachment Pages", "Shows a file of the media library."),
        TemplateKind("search", "Search Results", "Lists what a search found."),
        TemplateKind("privacy-policy", "Privacy Policy", "Shows the page on privacy."),
        TemplateKind("404", "Page: 404", "Shows what is said when nothing stands at an address."),
    )
}

DEFAULT_AREA: Final = "uncategorized"
PART_AREAS: Final = {
    area.area: area
    for area in (
        TemplatePartArea(DEFAULT_AREA, "General", "Parts that belong to no place.", "layout", "div"),
        TemplatePartArea(
            "header", "Header", "What stands above the content of a page: name, navigation.", "header", "header"
        ),
        TemplatePartArea("footer", "Footer", "What stands below the content of a page.", "footer", "footer"),
    )
}

_ARCHIVE_KINDS: Final = frozenset({"author", "category", "date", "tag", "taxonomy"})
_SINGULAR_KINDS: Final = frozenset({"single", "page", "attachment"})
# Types whose slugs continue with a name: of a record, or of the type that an archive is for.
_NAMED_KINDS: Final = frozenset({"archive", "author", "category", "tag", "page"})


def build_template_hierarchy(
    slug: str,
    *,
    is_custom: bool = False,
    prefix: str = "",
    types: Collection[str] = (),
    taxonomies: Collection[str] = (),
) -> list[str]:
    """Return the slugs of the templates that may be used, the most specific first; `index` is always the last.

    slug: the most specific one, as `single-post-hello`. is_custom: whether it was chosen for a single record.
    prefix: its type with what it is of, as `single-post`, if the caller knows it; otherwise it is taken from the slug.
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
            chain += [*_find_named_template(kind, rest, types if kind == "single" else taxonomies), kind]
        elif kind in _NAMED_KINDS:
            chain.append(kind)
        else:
            kind = slug
    if kind in _ARCHIVE_KINDS:
        chain.append("archive")
    elif kind in _SINGULAR_KINDS:
        chain += ["single", "singular"] if kind == "attachment" else ["singular"]
    chain.append("index")
    return list(dict.fromkeys(chain))


def _find_named_template(kind: str, rest: str, names: Iterable[str]) -> list[str]:
    """Return the template of a type or taxonomy that `rest` begins with, such as `single-post` of `post-hello`."""
    found = next((name for name in names if rest == name or rest.startswith(name + "-")), None)
    return [f"{kind}-{found}"] if found else []
