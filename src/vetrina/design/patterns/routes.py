"""Block patterns of the theme and of packages, their categories, and the two directories that an editor queries.

Patterns of the site's owner are records (blocks). The pattern directory is design/patterns/directory.py; the block
directory is empty, because no package provides blocks. Rules: docs/rules/themes.md, 6.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from vetrina.access.roles.capabilities import may_edit_records
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.patterns import directory as pattern_directory
from vetrina.design.patterns.directory import PATTERN_ORDERS, PatternQuery
from vetrina.design.themes import active_theme
from vetrina.design.themes.model import BlockPattern
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument, build_paging_arguments
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Integer, Number, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource, build_no_links
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Serializer, read_attributes

_ALL = (VIEW, EDIT, EMBED)
_EMPTY_LIST = Array("No package brings blocks.", max_items=0)
_PATH: Final = "/cms/v2/block-patterns"
_PREVIEW_WIDTH: Final = 1200  # pixels, for a pattern without a width

# The categories of every editor, in its order: name, label, description.
_CATEGORIES: Final = (
    ("banner", "Banners", "Strips that catch the eye."),
    ("buttons", "Buttons", "Buttons, alone and together."),
    ("columns", "Columns", "Things side by side."),
    ("text", "Text", "Mostly words."),
    ("query", "Posts", "Posts that are looked up."),
    ("featured", "Featured", "What a page wants to be seen first."),
    ("call-to-action", "Call to action", "What a visitor is to do next."),
    ("team", "Team", "The people behind the site."),
    ("testimonials", "Testimonials", "What others say."),
    ("services", "Services", "What is offered."),
    ("contact", "Contact", "How to reach somebody."),
    ("about", "About", "Who and what and why."),
    ("portfolio", "Portfolio", "Work to show."),
    ("gallery", "Gallery", "Pictures in rows."),
    ("media", "Media", "Pictures, films and words beside them."),
    ("videos", "Videos", "Films."),
    ("audio", "Audio", "Sound."),
    ("posts", "Posts", "Posts in many forms."),
    ("footer", "Footers", "What stands at the end of a page."),
    ("header", "Headers", "What stands at the beginning of a page."),
)


# Categories of older themes, and their current names.
_RENAMED: Final = {"buttons": "call-to-action", "columns": "text", "query": "posts"}


class _PatternCategory(NamedTuple):
    name: str
    label: str
    description: str


class CannotViewBlockPatterns(PermissionDenied):
    code = "rest_cannot_view"
    message = "You may not see the block patterns of this site."


class CannotViewBlockDirectory(PermissionDenied):
    code = "rest_block_directory_cannot_view"
    message = "You may not look for blocks to install."


class CannotViewPatternDirectory(PermissionDenied):
    code = "rest_pattern_directory_cannot_view"
    message = "You may not look for patterns of other sites."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of block patterns, of their categories and of the directories."""
    term = String("What to look for.", required=True, min_length=1)
    blocks: dict[str, Field] = {"context": build_context_argument(VIEW), **build_paging_arguments(), "term": term}
    del blocks["search"]
    block_directory = Route(
        READ, "/cms/v2/block-directory/search", _list_directory_blocks, blocks, _require_block_directory_permission,
        answers=_EMPTY_LIST,
    )  # fmt: skip
    return (
        *BLOCK_PATTERNS.build_routes(), *PATTERN_CATEGORIES.build_routes(), block_directory,
        *PATTERN_DIRECTORY.build_routes(),
    )  # fmt: skip


def _may_edit_any_type(work: UnitOfWork) -> bool:
    return any(may_edit_records(work.user, type) for type in work.site.types.values())


def _require_view_permission(call: Call) -> None:
    """Those who write records of any type."""
    if not _may_edit_any_type(call.work):
        raise CannotViewBlockPatterns(bool(call.work.user))


def _require_block_directory_permission(call: Call) -> None:
    """Those who install and activate modules (`install_plugins`, `activate_plugins`)."""
    user = call.work.user
    if not (user.can("install_plugins") and user.can("activate_plugins")):
        raise CannotViewBlockDirectory(bool(user))


def _require_pattern_directory_permission(call: Call) -> None:
    """Those who write records of any type."""
    if not _may_edit_any_type(call.work):
        raise CannotViewPatternDirectory(bool(call.work.user))


def _list_patterns(call: Call) -> ListPage[BlockPattern]:
    return ListPage(
        (*active_theme.get_active_theme(call.work.site).patterns, *pattern_directory.list_packaged_patterns())
    )


def _list_categories(call: Call) -> ListPage[_PatternCategory]:
    own = active_theme.get_active_theme(call.work.site).pattern_categories
    added = (_PatternCategory(name, one["label"], one.get("description", "")) for name, one in own.items())
    return ListPage([*map(_PatternCategory._make, _CATEGORIES), *added])


def _list_directory_blocks(call: Call) -> Result:
    """Return an empty list: this site installs no blocks from a directory."""
    headers, pages = build_page_headers(call, 0, call.args["per_page"], call.args["page"])
    return Result([], headers=headers, links=pages)


def _search_patterns(call: Call) -> ListPage[BlockPattern]:
    args = call.args
    query = PatternQuery(
        args.get("search") or "", args.get("category") or 0, args.get("keyword") or 0, args.get("slug") or (),
        args["orderby"], args["order"] == "desc",
    )  # fmt: skip
    found = pattern_directory.search_patterns(call.work.site, query)
    start = compute_page_offset(args, zero_counts=False)
    return ListPage(found[start:][: args["per_page"]], len(found))


# -- responses


def _build_words_field(help: str) -> Array:
    return Array(help, items=String(), context=_ALL, readonly=True)


def _build_text_field(help: str) -> String:
    return String(help, context=_ALL, readonly=True)


def _make_list_getter(name: str) -> Any:
    return lambda pattern, work: list(getattr(pattern, name))


_PATTERN_SERIALIZER = Serializer(
    {
        "name": _build_text_field("Name of the pattern, with that of its theme."),
        "title": _build_text_field("Its title."),
        "content": _build_text_field("Its blocks."),
        "description": _build_text_field("What it is."),
        "viewport_width": Number("Width that a preview needs, in pixels.", context=_ALL, readonly=True, unset=(None,)),
        "inserter": Boolean("Whether an editor offers it.", context=_ALL, readonly=True),
        "categories": _build_words_field("Its categories."),
        "keywords": _build_words_field("Words by which it is found."),
        "block_types": _build_words_field("Blocks that it may be changed into or stand for."),
        "post_types": _build_words_field("Types of records that it is for; none for all."),
        "template_types": _build_words_field("Kinds of templates that it is for."),
        "source": _build_text_field("Where it comes from."),
    },
    {
        **read_attributes("name", "title", "content", "description", "viewport_width", "inserter"),
        "categories": lambda pattern, work: list(dict.fromkeys(_RENAMED.get(one, one) for one in pattern.categories)),
        "keywords": _make_list_getter("keywords"),
        "block_types": _make_list_getter("block_types"),
        "post_types": _make_list_getter("post_types"),
        "template_types": _make_list_getter("template_types"),
        "source": lambda pattern, work: "plugin" if pattern in pattern_directory.list_packaged_patterns() else "theme",
    },
)
_DIRECTORY_SERIALIZER = Serializer(
    {
        "id": Integer("Number of the pattern, which follows from its name.", context=_ALL, readonly=True),
        "title": _build_text_field("Its title."),
        "content": _build_text_field("Its blocks."),
        "categories": _build_words_field("Its categories."),
        "keywords": _build_words_field("Words by which it is found."),
        "description": _build_text_field("What it is."),
        "viewport_width": Integer("Width that a preview needs, in pixels.", context=_ALL, readonly=True),
        "block_types": _build_words_field("Blocks that it may be changed into or stand for."),
    },
    {
        "id": lambda pattern, work: pattern_directory.compute_word_id(pattern.name),
        **read_attributes("title", "content", "description"),
        "categories": _make_list_getter("categories"),
        "keywords": _make_list_getter("keywords"),
        "viewport_width": lambda pattern, work: pattern.viewport_width or _PREVIEW_WIDTH,
        "block_types": _make_list_getter("block_types"),
    },
)
_CATEGORY_SERIALIZER = Serializer(
    {
        "name": _build_text_field("Name of the category."),
        "label": _build_text_field("Its label."),
        "description": _build_text_field("What is in it."),
    },
    read_attributes("name", "label", "description"),
)

BLOCK_PATTERNS: Final = Resource(
    title="block-pattern",
    path=f"{_PATH}/patterns",
    serializer=_PATTERN_SERIALIZER,
    build_links=build_no_links,
    list=Operation(
        _list_patterns, _require_view_permission, summary="List the block patterns of the theme and of packages."
    ),
)
PATTERN_CATEGORIES: Final = Resource(
    title="block-pattern-category",
    path=f"{_PATH}/categories",
    serializer=_CATEGORY_SERIALIZER,
    build_links=build_no_links,
    list=Operation(_list_categories, _require_view_permission, summary="List the categories of block patterns."),
)
PATTERN_DIRECTORY: Final = Resource(
    title="pattern-directory-item",
    path="/cms/v2/pattern-directory/patterns",
    serializer=_DIRECTORY_SERIALIZER,
    build_links=build_no_links,
    list=Operation(
        _search_patterns,
        _require_pattern_directory_permission,
        {
            "context": build_context_argument(),
            **build_paging_arguments(per_page=100),
            "category": Integer("Only patterns of this category: the CRC-32 of its name.", minimum=1, null="keep"),
            "keyword": Integer("Only patterns with this keyword: the CRC-32 of the word.", minimum=1, null="keep"),
            "slug": Array("Only patterns with these slugs.", items=String(), null="keep"),
            "offset": Integer("How many to leave out at the start.", null="keep"),
            "order": String("Order of the patterns.", default="desc", enum=("asc", "desc"), null="keep"),
            "orderby": String("Sort the patterns by this.", default="date", null="keep", enum=PATTERN_ORDERS),
        },
        summary="Search the patterns of all installed themes and of packages.",
    ),
)
