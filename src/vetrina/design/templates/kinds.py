"""The kinds of templates that have a meaning, and the areas of template parts; of which kind a template is.

Rules: docs/rules/templates.md, 3 and 10; the names are those that editors know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from vetrina.content.records.model import Record
from vetrina.design.themes.model import ThemeTemplateFile


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


@dataclass(frozen=True, slots=True)
class BlockTemplate:
    """A template or a part: a file, or a record over it.

    file: the theme's file of the same slug, None if there is none. stored: the record, None for a bare file.
    """

    theme: str
    slug: str
    title: str
    description: str
    content: str
    area: str
    file: ThemeTemplateFile | None
    stored: Record | None
    post_types: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """The id among all templates: theme and slug."""
        return f"{self.theme}//{self.slug}"

    @property
    def is_custom(self) -> bool:
        """Whether it is chosen by name, not found through the template hierarchy."""
        suggested = self.stored is not None and self.stored.meta.get("suggested", False)
        of_module = self.file is not None and bool(self.file.module)
        return self.slug not in TEMPLATE_KINDS and not suggested and not of_module

    @property
    def origin(self) -> str | None:
        """The origin of a record, None for a file or a record that was not copied from one."""
        return self.stored.meta.get("origin") if self.stored else None
