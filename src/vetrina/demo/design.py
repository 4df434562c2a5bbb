"""Patterns, navigation, templates, styles, letters and widgets of a demonstration.

Not here: the records that show them (demo/content.py).
"""

from __future__ import annotations

import json
from typing import Any, Final

from vetrina.demo.seed_client import Hand

from .content import Written
from .texts import House, Said, Template

__all__ = ["fields", "looks", "navigation", "patterns"]

_MADE: Final = 600  # days before the end
_OTHER: Final = "it"


def fields(hand: Hand, house: House) -> None:
    """Give records fields of their own."""
    hand.calendar.back(_MADE)
    hand.post("/mlang/v1/custom-xml-config", {"content": house.fields.strip()})


def patterns(hand: Hand, house: House, written: Written) -> None:
    """Make the categories of patterns and the patterns, each with a revision."""
    hand.calendar.back(_MADE)
    names = dict.fromkeys(one.category for one in house.patterns)
    categories = {name: hand.post("/cms/v2/cms_pattern_category", {"name": name})["id"] for name in names}
    for pattern in house.patterns:
        for code, said in (("en", pattern.en), (_OTHER, pattern.it)):
            hand.calendar.back(_MADE)
            written.patterns[pattern.key, code] = _pattern(
                hand, said, code, pattern.synced, categories[pattern.category],
                written.patterns.get((pattern.key, "en"), 0) if code == _OTHER else 0, written,
            )  # fmt: skip


def _pattern(hand: Hand, said: Said, code: str, synced: bool, category: int, of: int, written: Written) -> int:
    members: dict[str, Any] = {
        "title": said.title, "status": "publish", "content": written.blocks(said.text, code),
        "cms_pattern_category": [category],
    }  # fmt: skip
    if not synced:
        members["meta"] = {"cms_pattern_sync_status": "unsynced"}
    if of:
        members["translations"] = {"en": of}
    number: int = hand.post("/cms/v2/blocks", members, language=code)["id"]
    hand.calendar.back(_MADE - 1)
    hand.post(f"/cms/v2/blocks/{number}", {"title": said.title + "!"})
    hand.post(f"/cms/v2/blocks/{number}", {"title": said.title})
    hand.post(f"/cms/v2/blocks/{number}/autosaves", {"title": said.title, "content": members["content"] + "\n"})
    return number


def navigation(hand: Hand, keys: list[str], written: Written) -> None:
    """Make the navigation of each language. keys: of the pages that it leads to."""
    made = 0
    for code, title in (("en", "Navigation"), (_OTHER, "Navigazione")):
        links = []
        for key in keys:
            if (key, code) not in written.records:
                continue
            page = hand.get(f"/cms/v2/pages/{written.records[key, code]}", language=code)
            address = page["link"].removeprefix(hand.site.frame.origin)
            told = {"label": page["title"]["rendered"], "type": "page", "id": page["id"], "url": address,
                    "kind": "post-type"}  # fmt: skip
            links.append(f"<!-- wp:navigation-link {json.dumps(told, ensure_ascii=False)} /-->")
        hand.calendar.back(_MADE)
        members: dict[str, Any] = {"title": title, "status": "publish", "content": "\n".join(links[:-1])}
        if made:
            members["translations"] = {"en": made}
        number = hand.post("/cms/v2/navigation", members, language=code)["id"]
        made = made or number
        hand.calendar.back(_MADE - 1)
        hand.post(f"/cms/v2/navigation/{number}", {"content": "\n".join(links)})
        hand.post(f"/cms/v2/navigation/{number}/autosaves", {"content": "\n".join(reversed(links))})


def looks(hand: Hand, house: House) -> None:
    """Change templates and styles, add letters and widgets."""
    hand.calendar.back(_MADE - 2)
    for base, found in (("templates", house.templates), ("template-parts", house.parts)):
        for one in found:
            _template(hand, base, one)
    _styles(hand, house)
    _letters(hand, house)
    for widget in house.widgets:
        raw = {"title": widget.title, "text": widget.text}
        hand.post(
            "/cms/v2/widgets", {"id_base": widget.kind, "sidebar": "cms_inactive_widgets", "instance": {"raw": raw}}
        )


def _template(hand: Hand, base: str, one: Template) -> None:
    members = {"slug": one.slug, "title": one.title, "description": one.description, "content": one.text}
    if one.area:
        members["area"] = one.area
    path = f"/cms/v2/{base}/{hand.post(f'/cms/v2/{base}', members)['id']}"
    hand.post(path, {"content": one.text.replace("34rem", "36rem").replace("Saturdays", "Saturday mornings")})
    hand.post(f"{path}/autosaves", {"content": one.text + "\n"})


def _styles(hand: Hand, house: House) -> None:
    [theme] = hand.get("/cms/v2/themes", {"status": "active"})
    address = theme["_links"]["cms:user-global-styles"][0]["href"]
    path = "/cms/v2/global-styles/" + address.rpartition("/")[2]
    told = house.styles
    hand.post(path, {"title": told.title, "styles": {"color": told.color}})
    styles = {"color": told.color, "elements": {"link": {"color": told.link}}}
    hand.post(path, {"styles": styles})


def _letters(hand: Hand, house: House) -> None:
    font = house.font
    family = {"name": font.name, "slug": font.slug, "fontFamily": font.family}
    number = hand.post("/cms/v2/font-families", {"font_family_settings": json.dumps(family)})["id"]
    for style, weight in font.faces:
        face = {
            "fontFamily": font.name, "fontStyle": style, "fontWeight": weight,
            "src": f"{hand.site.frame.origin}{font.address}/{style}-{weight}.woff2",
        }  # fmt: skip
        hand.post(f"/cms/v2/font-families/{number}/font-faces", {"font_face_settings": json.dumps(face)})
