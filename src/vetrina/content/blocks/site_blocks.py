"""Blocks about the site itself: name, home link, search, sign-in link, navigations.

Not here: lists of site data (content/blocks/list_blocks.py). A navigation is plain lists of links; on public pages a
button opens it in narrow windows, or in all, as its `overlayMenu` says. Rules: docs/rules/blocks.md, 7; elements and
classes as observed on public pages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.blocks.block_context import BlockContext, BlockRenderFunction
from vetrina.content.blocks.grammar import Block, parse_blocks
from vetrina.content.blocks.rendering import BlockParts, sanitize_label
from vetrina.content.menus.navigation_fallback import build_location_markup, find_newest_navigation
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import escape_attribute, escape_url
from vetrina.kernel.tags import strip_tags

_NAVIGATION: Final = "cms_navigation"
_IN_LISTS: Final = frozenset(
    ("core/navigation-link", "core/navigation-submenu", "core/home-link", "core/site-title", "core/site-logo")
)
_WRAPPED: Final = frozenset(("core/site-title", "core/site-logo"))
_FLEX: Final = ("is-layout-flex", "wp-block-navigation-is-layout-flex")
_ALWAYS: Final = "always"  # an `overlayMenu` that is folded in windows of any width
_BARS: Final = "M4 7h16M4 12h16M4 17h16"
_CROSS: Final = "M6 6l12 12M18 6L6 18"


def render_anchor(place: BlockContext, href: str, html: str, css_class: str = "") -> str:
    """Return a link as set in the attributes of the block."""
    attributes = place.attributes
    target = "_blank" if attributes.get("linkTarget") == "_blank" else "_self"
    rel = f' rel="{escape_attribute(attributes["rel"])}"' if attributes.get("rel") else ""
    name = f'class="{css_class}" ' if css_class else ""
    return f'<a {name}href="{href}" target="{target}"{rel}>{html}</a>'


def build_alignment_classes(place: BlockContext) -> tuple[str, ...]:
    """Return the class for the text alignment of the block."""
    align = place.attributes.get("textAlign")
    return (f"has-text-align-{align}",) if align in ("left", "center", "right") else ()


def _choose_heading_tag(level: Any, none: str = "p") -> str:
    return f"h{int(level)}" if isinstance(level, (int, float)) and 1 <= level <= 6 else none


def _render_site_title(place: BlockContext) -> str:
    work, attributes = place.work, place.attributes
    title = escape_attribute(work.get_translated_option("title"))
    if not title:
        return ""
    if attributes["isLink"]:
        target = "_blank" if attributes["linkTarget"] == "_blank" else "_self"
        title = f'<a href="{escape_url(work.home())}" target="{target}" rel="home">{title}</a>'
    return place.element(_choose_heading_tag(attributes["level"]), title, *build_alignment_classes(place))


def _render_site_tagline(place: BlockContext) -> str:
    text = escape_attribute(place.work.get_translated_option("description"))
    return (
        place.element(_choose_heading_tag(place.attributes["level"]), text, *build_alignment_classes(place))
        if text
        else ""
    )


def _render_home_link(place: BlockContext) -> str:
    label = strip_tags(str(place.attributes.get("label") or "")) or "Home"
    html = (
        '<a class="wp-block-home-link__content wp-block-navigation-item__content" '
        f'href="{escape_url(place.work.home())}" rel="home">{escape_attribute(label)}</a>'
    )
    return place.element("li", html, "wp-block-navigation-item")


def _render_sign_in_link(place: BlockContext) -> str:
    work = place.work
    signed_in = bool(work.user)
    # Anonymous renderings are cached for everybody; those for an account are made for it alone.
    word, path = ("Log out", "sign-out") if signed_in else ("Log in", "sign-in")
    link = f'<a href="{escape_url(f"{work.origin}/admin/{path}")}">{place.translate(word)}</a>'
    return place.element("div", link, "logged-in" if signed_in else "logged-out")


def _render_search_form(place: BlockContext) -> str:
    attributes, home = place.attributes, f"{place.work.home()}/"
    label = strip_tags(str(attributes.get("label") or "")) or place.translate("Search")
    word = strip_tags(str(attributes.get("buttonText") or "")) or place.translate("Search")
    searched = place.scene.page.search if place.scene.page is not None else ""
    position = attributes["buttonPosition"]
    place.live.searches += 1
    field = f"wp-block-search__input-{place.live.searches}"
    classes = {
        "button-inside": "wp-block-search__button-inside", "no-button": "wp-block-search__no-button",
        "button-only": "wp-block-search__button-only",
    }.get(position, "wp-block-search__button-outside")  # fmt: skip
    hidden = "" if attributes["showLabel"] else " screen-reader-text"
    fields = "".join(
        f'<input type="hidden" name="{escape_attribute(name)}" value="{escape_attribute(str(value))}" />'
        for name, value in attributes["query"].items()
        if isinstance(value, (str, int))
    )
    button = (
        f'<button aria-label="{escape_attribute(word)}" class="wp-block-search__button '
        'wp-element-button" type="submit">'
        f"{escape_attribute(word)}</button>"
        if position != "no-button"
        else ""
    )
    html = (
        f'<label class="wp-block-search__label{hidden}" '
        f'for="{field}">{escape_attribute(label)}</label>'
        '<div class="wp-block-search__inside-wrapper">'
        f'<input class="wp-block-search__input" id="{field}" '
        f'placeholder="{escape_attribute(attributes["placeholder"])}" value="{escape_attribute(searched)}" '
        'type="search" name="s" '
        f"required />{fields}{button}"
        "</div>"
    )
    # Two forms of a page are told apart by their names.
    name = f' aria-label="{escape_attribute(label)}"' if place.scene.page is not None else ""
    own = f'role="search"{name} method="get" action="{home}"'
    return place.element("form", html, classes, "wp-block-search__text-button", own=own)


def _render_widget_group(place: BlockContext) -> str:
    title = strip_tags(str(place.attributes.get("title") or ""))
    head = f'<h2 class="widget-title">{escape_attribute(title)}</h2>' if title else ""
    html = place.inner()
    return f'{head}<div class="wp-widget-group__inner-blocks">{html}</div>' if html.strip() else ""


# -- navigations


def _render_navigation(place: BlockContext) -> str:
    work = place.work
    parts, label = _load_navigation_links(place)
    if parts is None:
        return ""
    if not any(isinstance(part, Block) for part in parts):
        html = place.inner([Block("core/page-list", "", void=True)], menu=True)
    else:
        html = _render_link_lists(place, parts)
    if not html:
        return ""
    attributes = place.attributes
    vertical = _as_mapping(attributes.get("layout")).get("orientation") == "vertical"
    own = f'aria-label="{escape_attribute(label or work.get_translated_option("title"))}"'
    if place.scene.page is not None and attributes["overlayMenu"] in ("mobile", _ALWAYS):
        html = _render_folded_menu(place, html)
    return place.element("nav", html, *(("is-vertical",) if vertical else ()), *_FLEX, own=own)


def _render_folded_menu(place: BlockContext, links: str) -> str:
    """Return links that a button shows over the page; the browser opens and closes them, without a script.

    Where there is room the style sheet shows them in their place, and no button. Browsers that know no `popover` do so
    in any window.
    """
    place.live.menus += 1
    number, always = f"menu-{place.live.menus}", place.attributes["overlayMenu"] == _ALWAYS
    shown = " always-shown" if always else ""

    def render_button(word: str, which: str, path: str, action: str) -> str:
        return (
            f'<button type="button" class="wp-block-navigation__responsive-container-{which}{shown}" '
            f'aria-label="{escape_attribute(place.translate(word))}" popovertarget="{number}" '
            f'popovertargetaction="{action}"><svg viewBox="0 0 24 24" width="24" height="24" fill="none" '
            f'stroke="currentColor" stroke-width="1.75" stroke-linecap="round" aria-hidden="true"><path d="{path}"/>'
            "</svg></button>"
        )

    # The filter of texts takes buttons of this kind away; what they say is all the server's.
    opening, closing = render_button("Menu", "open", _BARS, "show"), render_button("Close", "close", _CROSS, "hide")
    classes = f"wp-block-navigation__responsive-container{' is-always-folded' if always else ''}"
    begin = place.keep(f'{opening}<div class="{classes}" id="{number}" popover>{closing}')
    return f"{begin}{links}{place.live.nested.keep('</div>')}" if begin else links


def _load_navigation_links(place: BlockContext) -> tuple[BlockParts | None, str]:
    """Return the links of a navigation and its name; None where the named one may not be shown."""
    work = place.work
    ref, location = place.attributes.get("ref"), place.attributes.get("__unstableLocation")
    if any(True for _ in place.block.inner):
        return place.block.parts, ""
    if location and not ref:
        return parse_blocks(build_location_markup(work, location)), ""
    work.uses(_NAVIGATION)
    found: Record | None = None
    if ref:
        found = record_model.find_record(work.tx, int(ref))
        if found is None or found.type != _NAVIGATION or found.status != "publish" or found.id in place.live.open:
            return None, ""
    else:
        found = find_newest_navigation(work)
    if found and found.password not in ("", "0"):
        return None, ""
    if found is None:
        return parse_blocks(build_location_markup(work)), ""
    return parse_blocks(found.content), strip_tags(found.title)


def _render_link_lists(place: BlockContext, parts: BlockParts) -> str:
    """Return links as lists; other blocks are put between the lists."""
    out: list[str] = []
    listing = False
    for part in parts:
        if not isinstance(part, Block):
            continue
        html = place.inner([part], menu=True)
        if not html:
            continue
        in_list = part.name in _IN_LISTS
        if in_list and not listing:
            out.append('<ul class="wp-block-navigation__container  wp-block-navigation">')
        if listing and not in_list:
            out.append("</ul>")
        listing = in_list
        out.append(f'<li class="wp-block-navigation-item">{html}</li>' if part.name in _WRAPPED else html)
    return "".join(out) + ("</ul>" if listing else "")


def _render_submenu(place: BlockContext) -> str:
    attributes = place.attributes
    label = attributes.get("label")
    if not isinstance(label, str) or not label:
        return ""
    inner = "".join(place.inner([part]) for part in place.block.inner)
    words = f'href="{escape_url(attributes["url"])}"' if attributes.get("url") else ""
    words += ' target="_blank"' if attributes["opensInNewTab"] else ""
    for name in ("rel", "title"):
        if value := attributes.get(name):
            words += f' {name}="{escape_attribute(value)}"'
    text = f'<span class="wp-block-navigation-item__label">{sanitize_label(label)}</span>'
    link = f'<a class="wp-block-navigation-item__content" {words}>{text}</a>'
    if not inner:
        return place.element("li", link, "wp-block-navigation-item")
    button = (
        f'<button aria-label="{escape_attribute(strip_tags(label))} submenu" '
        'class="wp-block-navigation__submenu-icon wp-block-navigation-submenu__toggle" aria-expanded="false"></button>'
    )
    held = f'<ul class="wp-block-navigation__submenu-container wp-block-navigation-submenu">{inner}</ul>'
    return place.element("li", link + button + held, "has-child", "open-on-hover-click", "wp-block-navigation-item")


# -- links to other sites


def _render_social_link(place: BlockContext) -> str:
    attributes, around = place.attributes, place.around
    url, service = attributes.get("url"), attributes.get("service")
    if not url or not isinstance(service, str):
        return ""
    name = str(attributes.get("label") or "") or service.replace("-", " ").title()
    target = ' target="_blank"' if around.get("openInNewTab") else ""
    rel = f' rel="{escape_attribute(attributes["rel"])}"' if attributes.get("rel") else ""
    hidden = "" if around.get("showLabels") else " screen-reader-text"
    link = f"mailto:{url}" if service == "mail" and "@" in url and ":" not in url else url
    html = (
        f'<a href="{escape_url(link)}" class="wp-block-social-link-anchor"{target}{rel}>'
        f'<span class="wp-block-social-link-label{hidden}">{escape_attribute(name)}</span></a>'
    )
    word = "".join(sign for sign in service.lower() if sign.isalnum() or sign == "-")
    return place.element("li", html, "wp-social-link", f"wp-social-link-{word}")


def _as_mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


BLOCKS: Final[Mapping[str, BlockRenderFunction]] = {
    "core/home-link": _render_home_link,
    "core/loginout": _render_sign_in_link,
    "core/navigation": _render_navigation,
    "core/navigation-submenu": _render_submenu,
    "core/search": _render_search_form,
    "core/site-tagline": _render_site_tagline,
    "core/site-title": _render_site_title,
    "core/social-link": _render_social_link,
    "core/widget-group": _render_widget_group,
}
