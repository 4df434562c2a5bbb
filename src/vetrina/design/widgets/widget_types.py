"""Widget types: the settings of each, and how it is rendered.

A type that lists content of the site renders the same as the corresponding block. Which widgets a site has and where:
design/widgets/rules.py. Rules: docs/rules/themes.md, 11.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any, Final

from vetrina.access.roles.capabilities import may_write_unfiltered_html
from vetrina.content.blocks import dynamic_rendering
from vetrina.content.blocks.block_types import find_block_type
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.design.widgets.menu_markup import render_menu


@dataclass(frozen=True, slots=True)
class WidgetSetting:
    """One setting of a widget.

    kind: line (text without markup), markup, switch (true or false), number. label: in the form.
    unasked: whether it is omitted from the settings until it is set. along: name of a switch that turns it on, too.
    """

    name: str
    kind: str
    label: str
    default: Any = ""
    unasked: bool = False
    along: str = ""

    def clean_value(self, work: UnitOfWork, given: Mapping[str, Any]) -> Any:
        """Return the value in a client's settings, typed and sanitized."""
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
                return sanitizing.sanitize_plain_text(value) if isinstance(value, str) else self.default
            case _:
                text = value if isinstance(value, str) else self.default
                return text if may_write_unfiltered_html(work.user) else sanitizing.sanitize_content(text)


@dataclass(frozen=True, slots=True)
class WidgetType:
    """A widget type.

    id: the first part of its widgets' ids. css_class: of the wrapping element.
    show: (work, settings) -> the markup between the title and the end.
    """

    id: str
    name: str
    about: str
    css_class: str
    settings: tuple[WidgetSetting, ...]
    show: Callable[[UnitOfWork, Mapping[str, Any]], str]

    def clean_settings(self, work: UnitOfWork, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return a client's settings, typed; omitted ones have their default."""
        wanted = (one for one in self.settings if not one.unasked or given.get(one.name) is not None)
        return {setting.name: setting.clean_value(work, given) for setting in wanted}

    def render(
        self, work: UnitOfWork, settings: Mapping[str, Any], before_title: str = "", after_title: str = ""
    ) -> str:
        """Return the markup of a widget."""
        given = {**{setting.name: setting.default for setting in self.settings}, **settings}
        title = escape(str(given.get("title") or ""), quote=False)
        before = before_title or '<h2 class="widgettitle">'
        head = f"{before}{title}{after_title or '</h2>'}" if title else ""
        return head + self.show(work, given)

    def render_form(self, number: int, settings: Mapping[str, Any]) -> str:
        """Return the form fields to edit a widget; number: of the widget, -1 for none."""
        return "".join(self._render_input(setting, number, settings) for setting in self.settings)

    def _render_input(self, setting: WidgetSetting, number: int, settings: Mapping[str, Any]) -> str:
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


_TITLE: Final = WidgetSetting("title", "line", "Title:")
_COUNT: Final = WidgetSetting("count", "switch", "Show how many", False)
_DROPDOWN: Final = WidgetSetting("dropdown", "switch", "Show as a menu", False)
_SOURCE: Final = (
    _TITLE,
    WidgetSetting("attachment_id", "number", "Number of the file:", 0),
    WidgetSetting("url", "line", "Address:"),
)


def _make_block_renderer(name: str, **attributes: str) -> Callable[[UnitOfWork, Mapping[str, Any]], str]:
    """Return a function that renders a block; attributes: the setting for each of its attributes."""

    def show(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
        type = find_block_type(f"core/{name}")
        assert type is not None
        given = {attribute: settings[setting] for attribute, setting in attributes.items()}
        return dynamic_rendering.render_single_block(work, type, given)

    return show


def _render_text(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
    text = str(settings["text"])
    if settings["filter"] or settings["visual"]:
        text = text_rendering.render_content(text, budget=work.budget)
    return f'<div class="textwidget">{text}</div>'


def _render_html(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
    return f'<div class="textwidget custom-html-widget">{settings["content"]}</div>'


def _render_blocks(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
    return dynamic_rendering.render_live_content(work, str(settings["content"]))


def _render_image(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
    url = str(settings["url"])
    return f'<img class="image" src="{escape(url)}" alt="{escape(str(settings["alt"]))}">' if url else ""


def _make_player_renderer(tag: str) -> Callable[[UnitOfWork, Mapping[str, Any]], str]:
    def show(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
        url = str(settings["url"])
        return f'<{tag} controls preload="metadata" src="{escape(url)}"></{tag}>' if url else ""

    return show


def _render_gallery(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
    given = {name: str(settings[name]) for name in ("ids", "columns", "size") if settings[name]}
    link = {"file": "file", "none": "none"}.get(str(settings["link_type"]))
    return dynamic_rendering.render_file_shortcode(work, "gallery", {**given, **({"link": link} if link else {})})


def _render_menu(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
    return render_menu(work, int(settings["nav_menu"]))


def _render_meta_links(work: UnitOfWork, settings: Mapping[str, Any]) -> str:
    home = work.home()
    links = (("Log in", f"{work.origin}/admin/sign-in"), ("Entries feed", f"{home}/feed/"))
    return "<ul>" + "".join(f'<li><a href="{escape(link)}">{name}</a></li>' for name, link in links) + "</ul>"


_ALL: Final = (
    WidgetType("pages", "Pages", "All the site's pages.", "widget_pages", (_TITLE,), _make_block_renderer("page-list")),
    WidgetType(
        "calendar", "Calendar", "A month of posts.", "widget_calendar", (_TITLE,), _make_block_renderer("calendar")
    ),
    WidgetType(
        "archives",
        "Archives",
        "The months in which posts were published.",
        "widget_archive",
        (_TITLE, _COUNT, _DROPDOWN),
        _make_block_renderer("archives", showPostCounts="count", displayAsDropdown="dropdown"),
    ),
    WidgetType(
        "media_audio",
        "Audio",
        "A player for a sound file.",
        "widget_media_audio",
        _SOURCE,
        _make_player_renderer("audio"),
    ),
    WidgetType(
        "media_image",
        "Image",
        "A picture.",
        "widget_media_image",
        (*_SOURCE, WidgetSetting("alt", "line", "What it shows:")),
        _render_image,
    ),
    WidgetType(
        "media_gallery",
        "Gallery",
        "Several pictures.",
        "widget_media_gallery",
        (
            _TITLE,
            WidgetSetting("ids", "line", "Numbers of the pictures:"),
            WidgetSetting("columns", "number", "Columns:", 3),
            WidgetSetting("size", "line", "Size:", "thumbnail"),
            WidgetSetting("link_type", "line", "Links lead to:", "post"),
        ),
        _render_gallery,
    ),
    WidgetType(
        "media_video", "Video", "A player for a film.", "widget_media_video", _SOURCE, _make_player_renderer("video")
    ),
    WidgetType("meta", "Meta", "Links to sign in and to the feeds.", "widget_meta", (_TITLE,), _render_meta_links),
    WidgetType(
        "search", "Search", "A form that searches the site.", "widget_search", (_TITLE,), _make_block_renderer("search")
    ),
    WidgetType(
        "text",
        "Text",
        "Any text.",
        "widget_text",
        (
            _TITLE,
            WidgetSetting("text", "markup", "Content:"),
            WidgetSetting("filter", "switch", "Add paragraphs", False, along="visual"),
            WidgetSetting("visual", "switch", "Written with signs for its looks", False, unasked=True),
        ),
        _render_text,
    ),
    WidgetType(
        "categories",
        "Categories",
        "The categories, as a list or a menu.",
        "widget_categories",
        (_TITLE, _COUNT, WidgetSetting("hierarchical", "switch", "Show which stands beneath which", False), _DROPDOWN),
        _make_block_renderer(
            "categories", showPostCounts="count", showHierarchy="hierarchical", displayAsDropdown="dropdown"
        ),
    ),
    WidgetType(
        "recent-posts",
        "Recent Posts",
        "The newest posts of the site.",
        "widget_recent_entries",
        (
            _TITLE,
            WidgetSetting("number", "number", "How many:", 5),
            WidgetSetting("show_date", "switch", "Show the dates", False),
        ),
        _make_block_renderer("latest-posts", postsToShow="number", displayPostDate="show_date"),
    ),
    WidgetType(
        "recent-comments",
        "Recent Comments",
        "The newest comments of the site.",
        "widget_recent_comments",
        (_TITLE, WidgetSetting("number", "number", "How many:", 5)),
        _make_block_renderer("latest-comments", commentsToShow="number"),
    ),
    WidgetType(
        "rss",
        "RSS",
        "The entries of a feed.",
        "widget_rss",
        (
            _TITLE,
            WidgetSetting("url", "line", "Address of the feed:"),
            WidgetSetting("items", "number", "How many:", 10),
            WidgetSetting("show_summary", "switch", "Show what each is about", False),
            WidgetSetting("show_author", "switch", "Show who wrote", False),
            WidgetSetting("show_date", "switch", "Show the dates", False),
        ),
        _make_block_renderer(
            "rss",
            feedURL="url",
            itemsToShow="items",
            displayExcerpt="show_summary",
            displayAuthor="show_author",
            displayDate="show_date",
        ),
    ),
    WidgetType(
        "tag_cloud",
        "Tag Cloud",
        "The most used terms.",
        "widget_tag_cloud",
        (_TITLE, WidgetSetting("taxonomy", "line", "Taxonomy:", "post_tag"), _COUNT),
        _make_block_renderer("tag-cloud", taxonomy="taxonomy", showTagCounts="count"),
    ),
    WidgetType(
        "nav_menu",
        "Navigation Menu",
        "One of the site's menus.",
        "widget_nav_menu",
        (_TITLE, WidgetSetting("nav_menu", "number", "Number of the menu:", 0)),
        _render_menu,
    ),
    WidgetType(
        "custom_html",
        "Custom HTML",
        "Markup as it is written.",
        "widget_custom_html",
        (_TITLE, WidgetSetting("content", "markup", "Content:")),
        _render_html,
    ),
    WidgetType(
        "block",
        "Block",
        "Any blocks.",
        "widget_block",
        (WidgetSetting("content", "markup", "Block HTML:"),),
        _render_blocks,
    ),
)

WIDGET_TYPES: Final[Mapping[str, WidgetType]] = {type.id: type for type in _ALL}
