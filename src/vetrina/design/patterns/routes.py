"""Block patterns of the theme and of packages, their categories, and the two directories that an editor asks for.

Patterns of the site's owner are records (blocks). The directory of patterns is what the site's themes and packages
bring (design/patterns/directory.py); that of blocks is empty, for no package brings blocks.
Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.patterns import directory as pattern_directory
from vetrina.design.patterns.directory import Query
from vetrina.design.themes import rules as themes
from vetrina.kernel.errors import Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context, paging
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Integer, Number, String
from vetrina.rest.paging import page_headers
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import Shape, choice

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_NOTHING = Array("No package brings blocks.", max_items=0)
_PATH: Final = "/cms/v2/block-patterns"
_PREVIEW_WIDTH: Final = 1200  # pixels, of a pattern that names none

# The categories that every editor knows, in its order: name, label, description.
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


# Categories of older themes, and where their patterns stand now.
_RENAMED: Final = {"buttons": "call-to-action", "columns": "text", "query": "posts"}


class CannotView(Refused):
    code = "rest_cannot_view"
    message = "You may not see the block patterns of this site."


class CannotViewBlocks(Refused):
    code = "rest_block_directory_cannot_view"
    message = "You may not look for blocks to install."


class CannotViewPatterns(Refused):
    code = "rest_pattern_directory_cannot_view"
    message = "You may not look for patterns of other sites."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of block patterns, of their categories and of the directories."""
    term: dict[str, Field] = {"term": String("What to look for.", required=True, min_length=1)}
    blocks: dict[str, Field] = {"context": context(VIEW), **paging(), **term}
    del blocks["search"]
    patterns: dict[str, Field] = {
        "context": context(), **paging(per_page=100),
        "category": Integer("Only patterns of this category: the CRC-32 of its name.", minimum=1, null="keep"),
        "keyword": Integer("Only patterns with this keyword: the CRC-32 of the word.", minimum=1, null="keep"),
        "slug": Array("Only patterns with these slugs.", items=String(), null="keep"),
        "offset": Integer("How many to leave out at the start.", null="keep"),
        "order": String("Order of the patterns.", default="desc", enum=("asc", "desc"), null="keep"),
        "orderby": String("Sort the patterns by this.", default="date", null="keep", enum=pattern_directory.ORDERS),
    }  # fmt: skip
    return (
        Route(READ, f"{_PATH}/patterns", _list_patterns, {}, _may_view, lambda: _PATTERN.schema("block-pattern"),
              answers="many"),
        Route(READ, f"{_PATH}/categories", _list_categories, {}, _may_view,
              lambda: _CATEGORY.schema("block-pattern-category"), answers="many"),
        Route(READ, "/cms/v2/block-directory/search", _empty_page, blocks, _may_view_blocks, answers=_NOTHING),
        Route(READ, "/cms/v2/pattern-directory/patterns", _search_patterns, patterns, _may_view_directory,
              lambda: _ENTRY.schema("pattern-directory-item"), answers="many"),
    )  # fmt: skip


def _edits(work: Work) -> bool:
    return any(work.user.can(type.caps["edit_posts"]) for type in work.frame.types.values())


def _may_view(call: Call) -> None:
    """Those who write records of any type."""
    if not _edits(call.work):
        raise CannotView(bool(call.work.user))


def _may_view_blocks(call: Call) -> None:
    """Those who install and activate modules (`install_plugins`, `activate_plugins`)."""
    user = call.work.user
    if not (user.can("install_plugins") and user.can("activate_plugins")):
        raise CannotViewBlocks(bool(user))


def _may_view_directory(call: Call) -> None:
    """Those who write records of any type."""
    if not _edits(call.work):
        raise CannotViewPatterns(bool(call.work.user))


def _list_patterns(call: Call) -> Result:
    """List the block patterns of the theme, and those that packages bring."""
    wanted = choice(call.request.raw("_fields"))
    found = (*themes.active(call.work.frame).patterns, *pattern_directory.packaged())
    return Result([_PATTERN.members(one, call.work, VIEW, wanted) for one in found])


def _list_categories(call: Call) -> Result:
    """List the categories of block patterns."""
    own = themes.active(call.work.frame).pattern_categories
    rows = [*_CATEGORIES, *((name, one["label"], one.get("description", "")) for name, one in own.items())]
    wanted = choice(call.request.raw("_fields"))
    return Result([_CATEGORY.members(row, call.work, VIEW, wanted) for row in rows])


def _empty_page(call: Call) -> Result:
    """Answer an empty list: this site takes no blocks from a directory."""
    headers, pages = page_headers(call, 0, call.args["per_page"], call.args["page"])
    return Result([], headers=headers, links=pages)


def _search_patterns(call: Call) -> Result:
    """Look for patterns among those of all themes that the site has, and of its packages."""
    args = call.args
    found = pattern_directory.search(
        call.work.frame,
        Query(
            args.get("search") or "", args.get("category") or 0, args.get("keyword") or 0, args.get("slug") or (),
            args["orderby"], args["order"] == "desc",
        ),
    )  # fmt: skip
    per_page, page = args["per_page"], args["page"]
    start = abs(args.get("offset") or 0) or (page - 1) * per_page
    headers, links = page_headers(call, len(found), per_page, page)
    wanted = choice(call.request.raw("_fields"))
    rows = [_ENTRY.members(one, call.work, args["context"], wanted) for one in found[start:][:per_page]]
    return Result(rows, headers=headers, links=links)


# -- how they are shown


def _words(help: str) -> Array:
    return Array(help, items=String(), context=_ALL, readonly=True)


def _text(help: str) -> String:
    return String(help, context=_ALL, readonly=True)


def _list_of(name: str) -> Any:
    return lambda pattern, work: list(getattr(pattern, name))


_PATTERN = Shape(
    {
        "name": _text("Name of the pattern, with that of its theme."),
        "title": _text("Its title."),
        "content": _text("Its blocks."),
        "description": _text("What it is."),
        "viewport_width": Number("Width that a preview needs, in pixels.", context=_ALL, readonly=True),
        "inserter": Boolean("Whether an editor offers it.", context=_ALL, readonly=True),
        "categories": _words("Its categories."),
        "keywords": _words("Words by which it is found."),
        "block_types": _words("Blocks that it may be changed into or stand for."),
        "post_types": _words("Types of records that it is for; none for all."),
        "template_types": _words("Kinds of templates that it is for."),
        "source": _text("Where it comes from."),
    },
    {
        "name": lambda pattern, work: pattern.name,
        "title": lambda pattern, work: pattern.title,
        "content": lambda pattern, work: pattern.content,
        "description": lambda pattern, work: pattern.description,
        "viewport_width": lambda pattern, work: pattern.viewport_width,
        "inserter": lambda pattern, work: pattern.inserter,
        "categories": lambda pattern, work: list(dict.fromkeys(_RENAMED.get(one, one) for one in pattern.categories)),
        "keywords": _list_of("keywords"),
        "block_types": _list_of("block_types"),
        "post_types": _list_of("post_types"),
        "template_types": _list_of("template_types"),
        "source": lambda pattern, work: "plugin" if pattern in pattern_directory.packaged() else "theme",
    },
)
_ENTRY = Shape(
    {
        "id": Integer("Number of the pattern, which follows from its name.", context=_ALL, readonly=True),
        "title": _text("Its title."),
        "content": _text("Its blocks."),
        "categories": _words("Its categories."),
        "keywords": _words("Words by which it is found."),
        "description": _text("What it is."),
        "viewport_width": Integer("Width that a preview needs, in pixels.", context=_ALL, readonly=True),
        "block_types": _words("Blocks that it may be changed into or stand for."),
    },
    {
        "id": lambda pattern, work: pattern_directory.number(pattern.name),
        "title": lambda pattern, work: pattern.title,
        "content": lambda pattern, work: pattern.content,
        "categories": _list_of("categories"),
        "keywords": _list_of("keywords"),
        "description": lambda pattern, work: pattern.description,
        "viewport_width": lambda pattern, work: pattern.viewport_width or _PREVIEW_WIDTH,
        "block_types": _list_of("block_types"),
    },
)
_CATEGORY = Shape(
    {"name": _text("Name of the category."), "label": _text("Its label."), "description": _text("What is in it.")},
    {
        "name": lambda row, work: row[0],
        "label": lambda row, work: row[1],
        "description": lambda row, work: row[2],
    },
)
