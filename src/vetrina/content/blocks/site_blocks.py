"""Blocks about the site itself: its name, the way home, search, signing in, navigations.

Not here: lists of what it has (content/blocks/list_blocks.py). A navigation is shown as plain lists of links: the menu
that opens over the page on small screens is a matter of whoever shows the page. Rules: observed on public pages; facts,
"Reusable blocks, pattern categories, navigation".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from vetrina.content.blocks.dynamic_rendering import Maker, Place
from vetrina.content.blocks.grammar import Block, parse
from vetrina.content.blocks.rendering import Parts, harmless
from vetrina.content.menus.navigations import newest
from vetrina.content.records import model as record_model
from vetrina.content.records.model import Record
from vetrina.content.text.media_shortcodes import address, attribute
from vetrina.kernel.tags import without_tags

__all__ = ["BLOCKS", "aligned"]

_NAVIGATION: Final = "cms_navigation"
_IN_LISTS: Final = frozenset(
    ("core/navigation-link", "core/navigation-submenu", "core/home-link", "core/site-title", "core/site-logo")
)
_WRAPPED: Final = frozenset(("core/site-title", "core/site-logo"))
_FLEX: Final = ("is-layout-flex", "wp-block-navigation-is-layout-flex")


def aligned(place: Place) -> tuple[str, ...]:
    """Return the class for how the block's text is aligned."""
    align = place.attributes.get("textAlign")
    return (f"has-text-align-{align}",) if align in ("left", "center", "right") else ()


def _heading(level: Any, none: str = "p") -> str:
    return f"h{int(level)}" if isinstance(level, (int, float)) and 1 <= level <= 6 else none


def _site_title(place: Place) -> str:
    work, asked = place.work, place.attributes
    title = attribute(work.shown("title"))
    if not title:
        return ""
    if asked["isLink"]:
        target = "_blank" if asked["linkTarget"] == "_blank" else "_self"
        title = f'<a href="{address(work.home())}" target="{target}" rel="home">{title}</a>'
    return place.element(_heading(asked["level"]), title, *aligned(place))


def _site_tagline(place: Place) -> str:
    text = attribute(place.work.shown("description"))
    return place.element(_heading(place.attributes["level"]), text, *aligned(place)) if text else ""


def _home_link(place: Place) -> str:
    label = without_tags(str(place.attributes.get("label") or "")) or "Home"
    html = (
        '<a class="wp-block-home-link__content wp-block-navigation-item__content" '
        f'href="{address(place.work.home())}" rel="home">{attribute(label)}</a>'
    )
    return place.element("li", html, "wp-block-navigation-item")


def _loginout(place: Place) -> str:
    work = place.work
    signed_in = bool(work.user)
    # What is read by nobody is kept for everybody; what an account reads is made for it alone.
    word, path = ("Log out", "sign-out") if signed_in else ("Log in", "sign-in")
    link = f'<a href="{address(f"{work.origin}/admin/{path}")}">{word}</a>'
    return place.element("div", link, "logged-in" if signed_in else "logged-out")


def _search(place: Place) -> str:
    asked, home = place.attributes, f"{place.work.home()}/"
    label = without_tags(str(asked.get("label") or "")) or "Search"
    word = without_tags(str(asked.get("buttonText") or "")) or "Search"
    position = asked["buttonPosition"]
    classes = {
        "button-inside": "wp-block-search__button-inside", "no-button": "wp-block-search__no-button",
        "button-only": "wp-block-search__button-only",
    }.get(position, "wp-block-search__button-outside")  # fmt: skip
    hidden = "" if asked["showLabel"] else " screen-reader-text"
    fields = "".join(
        f'<input type="hidden" name="{attribute(name)}" value="{attribute(str(value))}" />'
        for name, value in asked["query"].items()
        if isinstance(value, (str, int))
    )
    button = (
        f'<button aria-label="{attribute(word)}" class="wp-block-search__button wp-element-button" type="submit">'
        f"{attribute(word)}</button>"
        if position != "no-button"
        else ""
    )
    html = (
        f'<label class="wp-block-search__label{hidden}" for="wp-block-search__input-1">{attribute(label)}</label>'
        '<div class="wp-block-search__inside-wrapper">'
        '<input class="wp-block-search__input" id="wp-block-search__input-1" '
        f'placeholder="{attribute(asked["placeholder"])}" value="" type="search" name="s" required />{fields}{button}'
        "</div>"
    )
    return place.element(
        "form", html, classes, "wp-block-search__text-button", own=f'role="search" method="get" action="{home}"'
    )


def _widgets(place: Place) -> str:
    title = without_tags(str(place.attributes.get("title") or ""))
    head = f'<h2 class="widget-title">{attribute(title)}</h2>' if title else ""
    html = place.inner()
    return f'{head}<div class="wp-widget-group__inner-blocks">{html}</div>' if html.strip() else ""


# -- navigations


def _navigation(place: Place) -> str:
    work = place.work
    parts, label = _links(place)
    if parts is None:
        return ""
    if not any(isinstance(part, Block) for part in parts):
        html = place.inner([Block("core/page-list", "", void=True)], menu=True)
    else:
        html = _listed(place, parts)
    if not html:
        return ""
    asked = place.attributes
    vertical = _mapping(asked.get("layout")).get("orientation") == "vertical"
    own = f'aria-label="{attribute(label or work.shown("title"))}"'
    return place.element("nav", html, *(("is-vertical",) if vertical else ()), *_FLEX, own=own)


def _links(place: Place) -> tuple[Parts | None, str]:
    """Return the links of a navigation and its name; None where the one that is named is not shown."""
    work = place.work
    ref = place.attributes.get("ref")
    if any(True for _ in place.block.inner):
        return place.block.parts, ""
    work.uses(_NAVIGATION)
    found: Record | None = None
    if ref:
        found = record_model.by_id(work.tx, int(ref))
        if found is None or found.type != _NAVIGATION or found.status != "publish" or found.id in place.live.open:
            return None, ""
    else:
        found = newest(work)
    if found and found.password not in ("", "0"):
        return None, ""
    return (parse(found.content), without_tags(found.title)) if found else ([], "")


def _listed(place: Place, parts: Parts) -> str:
    """Return links as lists; what is no link stands between the lists."""
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


def _submenu(place: Place) -> str:
    asked = place.attributes
    label = asked.get("label")
    if not isinstance(label, str) or not label:
        return ""
    inner = "".join(place.inner([part]) for part in place.block.inner)
    words = f'href="{address(asked["url"])}"' if asked.get("url") else ""
    words += ' target="_blank"' if asked["opensInNewTab"] else ""
    for name in ("rel", "title"):
        if value := asked.get(name):
            words += f' {name}="{attribute(value)}"'
    text = f'<span class="wp-block-navigation-item__label">{harmless(label)}</span>'
    link = f'<a class="wp-block-navigation-item__content" {words}>{text}</a>'
    if not inner:
        return place.element("li", link, "wp-block-navigation-item")
    button = (
        f'<button aria-label="{attribute(without_tags(label))} submenu" '
        'class="wp-block-navigation__submenu-icon wp-block-navigation-submenu__toggle" aria-expanded="false"></button>'
    )
    held = f'<ul class="wp-block-navigation__submenu-container wp-block-navigation-submenu">{inner}</ul>'
    return place.element("li", link + button + held, "has-child", "open-on-hover-click", "wp-block-navigation-item")


# -- pages elsewhere


def _social_link(place: Place) -> str:
    asked, around = place.attributes, place.around
    url, service = asked.get("url"), asked.get("service")
    if not url or not isinstance(service, str):
        return ""
    name = str(asked.get("label") or "") or service.replace("-", " ").title()
    target = ' target="_blank"' if around.get("openInNewTab") else ""
    rel = f' rel="{attribute(asked["rel"])}"' if asked.get("rel") else ""
    hidden = "" if around.get("showLabels") else " screen-reader-text"
    link = f"mailto:{url}" if service == "mail" and "@" in url and ":" not in url else url
    html = (
        f'<a href="{address(link)}" class="wp-block-social-link-anchor"{target}{rel}>'
        f'<span class="wp-block-social-link-label{hidden}">{attribute(name)}</span></a>'
    )
    word = "".join(sign for sign in service.lower() if sign.isalnum() or sign == "-")
    return place.element("li", html, "wp-social-link", f"wp-social-link-{word}")


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


BLOCKS: Final[Mapping[str, Maker]] = {
    "core/home-link": _home_link,
    "core/loginout": _loginout,
    "core/navigation": _navigation,
    "core/navigation-submenu": _submenu,
    "core/search": _search,
    "core/site-tagline": _site_tagline,
    "core/site-title": _site_title,
    "core/social-link": _social_link,
    "core/widget-group": _widgets,
}
