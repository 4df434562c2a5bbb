"""The kinds of templates that have a meaning, and the areas of template parts; of which kind a template is.

Rules: docs/rules/templates.md, 3 and 10; the names are those that editors know.
"""

from __future__ import annotations

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


def is_chosen_by_name(slug: str, *, suggested: bool = False, module: str = "") -> bool:
    """Return whether a template is chosen by name, not found through the template hierarchy.

    suggested: whether it was made for a slug of the hierarchy, such as one page's. module: whose template of a theme.
    """
    return slug not in TEMPLATE_KINDS and not suggested and not module
