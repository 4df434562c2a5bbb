"""The kinds of widgets: what may be set on each, and what it shows.

A kind that lists something of the site shows what the block of the same purpose shows. Not here: which widgets a site
has and where (design/widgets/rules.py). Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from vetrina.access.roles.capabilities import unfiltered
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.blocks.block_types import block_type
from vetrina.content.text import rendering as text_rendering
from vetrina.content.text import sanitizing
from vetrina.core.unit_of_work import Work
from vetrina.design.widgets.menu_markup import menu_shown

__all__ = ["TYPES", "Setting", "WidgetType"]


@dataclass(frozen=True, slots=True)
class Setting:
    """One thing that may be set on a widget.

    kind: line (text without markup), markup, switch (true or false), number. label: what a form calls it.
    unasked: whether settings say nothing of it until somebody sets it. along: name of a switch that turns it on, too.
    """

    name: str
    kind: str
    label: str
    default: Any = ""
    unasked: bool = False
    along: str = ""

    def taken(self, work: Work, given: Mapping[str, Any]) -> Any:
        """Return the value that a client's settings give, typed and cleaned."""
        value = given.get(self.name)
        match self.kind:
            case "switch":
                return any(one not in (None, False, 0, "", "0", "false") for one in (value, given.get(self.along)))
            case "number":
                try:
                    return max(0, min(1_000_000, int(float(value)))) if value not in (None, "") else self.default
                except (TypeError, ValueError, OverflowError):
                    return self.default
            case "line":
                return sanitizing.plain(value) if isinstance(value, str) else self.default
            case _:
                text = value if isinstance(value, str) else self.default
                return text if unfiltered(work.user) else sanitizing.content(text)


@dataclass(frozen=True, slots=True)
class WidgetType:
    """A kind of widget.

    id: the first part of its widgets' names. css_class: of the element around one.
    show: (work, settings) -> the markup between the title and the end.
    """

    id: str
    name: str
    about: str
    css_class: str
    settings: tuple[Setting, ...]
    show: Callable[[Work, Mapping[str, Any]], str]

    def settled(self, work: Work, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings that a client gave, each with its type; those left out have their default."""
        wanted = (one for one in self.settings if not one.unasked or given.get(one.name) is not None)
        return {setting.name: setting.taken(work, given) for setting in wanted}

    def markup(self, work: Work, settings: Mapping[str, Any], before_title: str = "", after_title: str = "") -> str:
        """Return what a widget shows."""
        given = {**{setting.name: setting.default for setting in self.settings}, **settings}
        title = escape(str(given.get("title") or ""), quote=False)
        before = before_title or '<h2 class="widgettitle">'
        head = f"{before}{title}{after_title or '</h2>'}" if title else ""
        return head + self.show(work, given)

    def form(self, number: int, settings: Mapping[str, Any]) -> str:
        """Return the fields of a form that changes a widget; number: that of the widget, -1 for none."""
        return "".join(self._input(setting, number, settings) for setting in self.settings)

    def _input(self, setting: Setting, number: int, settings: Mapping[str, Any]) -> str:
        value = settings.get(setting.name, setting.default)
        id = f"widget-{self.id}-{number}-{setting.name}"
        name = f"widget-{self.id}[{number}][{setting.name}]"
        label = f'<label for="{id}">{escape(setting.label)}</label>'
        if setting.kind == "switch":
            checked = " checked" if value else ""
            return f'<p><input id="{id}" name="{name}" type="checkbox" value="on"{checked}>{label}</p>'
        if setting.kind == "markup":
            return f'<p>{label}<textarea id="{id}" name="{name}" rows="6" cols="50">{escape(str(value))}</textarea></p>'
        kind = "number" if setting.kind == "number" else "text"
        return f'<p>{label}<input id="{id}" name="{name}" type="{kind}" value="{escape(str(value))}"></p>'


_TITLE: Final = Setting("title", "line", "Title:")
_COUNT: Final = Setting("count", "switch", "Show how many", False)
_DROPDOWN: Final = Setting("dropdown", "switch", "Show as a menu", False)
_SOURCE: Final = (
    _TITLE,
    Setting("attachment_id", "number", "Number of the file:", 0),
    Setting("url", "line", "Address:"),
)


def _block(name: str, **attributes: str) -> Callable[[Work, Mapping[str, Any]], str]:
    """Return what shows a block; attributes: the setting that gives each of its attributes."""

    def show(work: Work, settings: Mapping[str, Any]) -> str:
        type = block_type(f"core/{name}")
        assert type is not None
        given = {attribute: settings[setting] for attribute, setting in attributes.items()}
        return dynamic_rendering.block_shown(work, type, given)

    return show


def _text(work: Work, settings: Mapping[str, Any]) -> str:
    text = str(settings["text"])
    if settings["filter"] or settings["visual"]:
        text = text_rendering.content(text, budget=work.budget)
    return f'<div class="textwidget">{text}</div>'


def _markup(work: Work, settings: Mapping[str, Any]) -> str:
    return f'<div class="textwidget custom-html-widget">{settings["content"]}</div>'


def _blocks(work: Work, settings: Mapping[str, Any]) -> str:
    return dynamic_rendering.rendered(work, str(settings["content"]))


def _picture(work: Work, settings: Mapping[str, Any]) -> str:
    url = str(settings["url"])
    return f'<img class="image" src="{escape(url)}" alt="{escape(str(settings["alt"]))}">' if url else ""


def _player(tag: str) -> Callable[[Work, Mapping[str, Any]], str]:
    def show(work: Work, settings: Mapping[str, Any]) -> str:
        url = str(settings["url"])
        return f'<{tag} controls preload="metadata" src="{escape(url)}"></{tag}>' if url else ""

    return show


def _gallery(work: Work, settings: Mapping[str, Any]) -> str:
    given = {name: str(settings[name]) for name in ("ids", "columns", "size") if settings[name]}
    link = {"file": "file", "none": "none"}.get(str(settings["link_type"]))
    return dynamic_rendering.shortcode_shown(work, "gallery", {**given, **({"link": link} if link else {})})


def _menu(work: Work, settings: Mapping[str, Any]) -> str:
    return menu_shown(work, int(settings["nav_menu"]))


def _links(work: Work, settings: Mapping[str, Any]) -> str:
    home = work.home()
    links = (("Log in", f"{work.origin}/admin/sign-in"), ("Entries feed", f"{home}/feed/"))
    return "<ul>" + "".join(f'<li><a href="{escape(link)}">{name}</a></li>' for name, link in links) + "</ul>"


_ALL: Final = (
    WidgetType("pages", "Pages", "All the site's pages.", "widget_pages", (_TITLE,), _block("page-list")),
    WidgetType("calendar", "Calendar", "A month of posts.", "widget_calendar", (_TITLE,), _block("calendar")),
    WidgetType(
        "archives", "Archives", "The months in which posts were published.", "widget_archive",
        (_TITLE, _COUNT, _DROPDOWN), _block("archives", showPostCounts="count", displayAsDropdown="dropdown"),
    ),
    WidgetType(
        "media_audio", "Audio", "A player for a sound file.", "widget_media_audio", _SOURCE, _player("audio")
    ),
    WidgetType(
        "media_image", "Image", "A picture.", "widget_media_image",
        (*_SOURCE, Setting("alt", "line", "What it shows:")), _picture,
    ),
    WidgetType(
        "media_gallery", "Gallery", "Several pictures.", "widget_media_gallery",
        (
            _TITLE, Setting("ids", "line", "Numbers of the pictures:"), Setting("columns", "number", "Columns:", 3),
            Setting("size", "line", "Size:", "thumbnail"), Setting("link_type", "line", "Links lead to:", "post"),
        ),
        _gallery,
    ),
    WidgetType("media_video", "Video", "A player for a film.", "widget_media_video", _SOURCE, _player("video")),
    WidgetType("meta", "Meta", "Links to sign in and to the feeds.", "widget_meta", (_TITLE,), _links),
    WidgetType("search", "Search", "A form that searches the site.", "widget_search", (_TITLE,), _block("search")),
    WidgetType(
        "text", "Text", "Any text.", "widget_text",
        (
            _TITLE, Setting("text", "markup", "Content:"),
            Setting("filter", "switch", "Add paragraphs", False, along="visual"),
            Setting("visual", "switch", "Written with signs for its looks", False, unasked=True),
        ),
        _text,
    ),
    WidgetType(
        "categories", "Categories", "The categories, as a list or a menu.", "widget_categories",
        (_TITLE, _COUNT, Setting("hierarchical", "switch", "Show which stands beneath which", False), _DROPDOWN),
        _block("categories", showPostCounts="count", showHierarchy="hierarchical", displayAsDropdown="dropdown"),
    ),
    WidgetType(
        "recent-posts", "Recent Posts", "The newest posts of the site.", "widget_recent_entries",
        (_TITLE, Setting("number", "number", "How many:", 5), Setting("show_date", "switch", "Show the dates", False)),
        _block("latest-posts", postsToShow="number", displayPostDate="show_date"),
    ),
    WidgetType(
        "recent-comments", "Recent Comments", "The newest comments of the site.", "widget_recent_comments",
        (_TITLE, Setting("number", "number", "How many:", 5)), _block("latest-comments", commentsToShow="number"),
    ),
    WidgetType(
        "rss", "RSS", "The entries of a feed.", "widget_rss",
        (
            _TITLE, Setting("url", "line", "Address of the feed:"), Setting("items", "number", "How many:", 10),
            Setting("show_summary", "switch", "Show what each is about", False),
            Setting("show_author", "switch", "Show who wrote", False),
            Setting("show_date", "switch", "Show the dates", False),
        ),
        _block("rss", feedURL="url", itemsToShow="items", displayExcerpt="show_summary", displayAuthor="show_author",
               displayDate="show_date"),
    ),
    WidgetType(
        "tag_cloud", "Tag Cloud", "The most used terms.", "widget_tag_cloud",
        (_TITLE, Setting("taxonomy", "line", "Taxonomy:", "post_tag"), _COUNT),
        _block("tag-cloud", taxonomy="taxonomy", showTagCounts="count"),
    ),
    WidgetType(
        "nav_menu", "Navigation Menu", "One of the site's menus.", "widget_nav_menu",
        (_TITLE, Setting("nav_menu", "number", "Number of the menu:", 0)), _menu,
    ),
    WidgetType(
        "custom_html", "Custom HTML", "Markup as it is written.", "widget_custom_html",
        (_TITLE, Setting("content", "markup", "Content:")), _markup,
    ),
    WidgetType(
        "block", "Block", "Any blocks.", "widget_block", (Setting("content", "markup", "Block HTML:"),), _blocks
    ),
)  # fmt: skip

TYPES: Final[Mapping[str, WidgetType]] = {type.id: type for type in _ALL}
