"""Patterns, navigation, templates, styles, fonts and widgets of a demonstration.

The records that use them: demo/content.py.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from vetrina.demo.seed_client import SeedClient
from vetrina.rest.call import UploadedFile

from .content import CreatedContent
from .texts import RecordText, SharedTexts, TemplateText

_DAYS_BEFORE_END: Final = 600  # days before the end of the period
_SECOND_LANGUAGE: Final = "it"
_FONTS: Final = Path(__file__).parent / "fonts"


def configure_fields(client: SeedClient, texts: SharedTexts) -> None:
    """Define custom fields for records."""
    client.clock.move_before_end(_DAYS_BEFORE_END)
    client.post("/mlang/v1/custom-xml-config", {"content": texts.fields.strip()})


def create_patterns(client: SeedClient, texts: SharedTexts, written: CreatedContent) -> None:
    """Create the pattern categories and the patterns, each with a revision."""
    client.clock.move_before_end(_DAYS_BEFORE_END)
    names = dict.fromkeys(one.category for one in texts.patterns)
    categories = {name: client.post("/cms/v2/cms_pattern_category", {"name": name})["id"] for name in names}
    for pattern in texts.patterns:
        for code, text in (("en", pattern.en), (_SECOND_LANGUAGE, pattern.it)):
            client.clock.move_before_end(_DAYS_BEFORE_END)
            written.patterns[pattern.key, code] = _create_pattern(
                client, text, code, pattern.synced, categories[pattern.category],
                written.patterns.get((pattern.key, "en"), 0) if code == _SECOND_LANGUAGE else 0, written,
            )  # fmt: skip


def _create_pattern(
    client: SeedClient, text: RecordText, code: str, synced: bool, category: int, original: int, written: CreatedContent
) -> int:
    members: dict[str, Any] = {
        "title": text.title, "status": "publish", "content": written.render_blocks(text.text, code),
        "cms_pattern_category": [category],
    }  # fmt: skip
    if not synced:
        members["meta"] = {"cms_pattern_sync_status": "unsynced"}
    if original:
        members["translations"] = {"en": original}
    number: int = client.post("/cms/v2/blocks", members, language=code)["id"]
    client.clock.move_before_end(_DAYS_BEFORE_END - 1)
    client.post(f"/cms/v2/blocks/{number}", {"title": text.title + "!"})
    client.post(f"/cms/v2/blocks/{number}", {"title": text.title})
    client.post(f"/cms/v2/blocks/{number}/autosaves", {"title": text.title, "content": members["content"] + "\n"})
    return number


def create_navigation(client: SeedClient, keys: list[str], written: CreatedContent) -> None:
    """Create the navigation of each language. keys: of the pages that it links to."""
    original = 0
    for code, title in (("en", "Navigation"), (_SECOND_LANGUAGE, "Navigazione")):
        links = []
        for key in keys:
            if (key, code) not in written.records:
                continue
            page = client.get(f"/cms/v2/pages/{written.records[key, code]}", language=code)
            address = page["link"].removeprefix(client.site.context.origin)
            attributes = {"label": page["title"]["rendered"], "type": "page", "id": page["id"], "url": address,
                    "kind": "post-type"}  # fmt: skip
            links.append(f"<!-- wp:navigation-link {json.dumps(attributes, ensure_ascii=False)} /-->")
        client.clock.move_before_end(_DAYS_BEFORE_END)
        members: dict[str, Any] = {"title": title, "status": "publish", "content": "\n".join(links[:-1])}
        if original:
            members["translations"] = {"en": original}
        number = client.post("/cms/v2/navigation", members, language=code)["id"]
        original = original or number
        client.clock.move_before_end(_DAYS_BEFORE_END - 1)
        client.post(f"/cms/v2/navigation/{number}", {"content": "\n".join(links)})
        client.post(f"/cms/v2/navigation/{number}/autosaves", {"content": "\n".join(reversed(links))})


def customize_design(client: SeedClient, texts: SharedTexts) -> None:
    """Change templates and styles, add fonts and widgets."""
    client.clock.move_before_end(_DAYS_BEFORE_END - 2)
    for base, found in (("templates", texts.templates), ("template-parts", texts.parts)):
        for one in found:
            _create_template(client, base, one)
    _update_styles(client, texts)
    _create_font(client, texts)
    for widget in texts.widgets:
        raw = {"title": widget.title, "text": widget.text}
        client.post(
            "/cms/v2/widgets", {"id_base": widget.kind, "sidebar": "cms_inactive_widgets", "instance": {"raw": raw}}
        )


def _create_template(client: SeedClient, base: str, template: TemplateText) -> None:
    members = {
        "slug": template.slug,
        "title": template.title,
        "description": template.description,
        "content": template.text,
    }
    if template.area:
        members["area"] = template.area
    path = f"/cms/v2/{base}/{client.post(f'/cms/v2/{base}', members)['id']}"
    client.post(path, {"content": template.text.replace("34rem", "36rem").replace("Saturdays", "Saturday mornings")})
    client.post(f"{path}/autosaves", {"content": template.text + "\n"})


def _update_styles(client: SeedClient, texts: SharedTexts) -> None:
    [theme] = client.get("/cms/v2/themes", {"status": "active"})
    address = theme["_links"]["cms:user-global-styles"][0]["href"]
    path = "/cms/v2/global-styles/" + address.rpartition("/")[2]
    styles_text = texts.styles
    elements = {"heading": {"typography": styles_text.heading}}
    client.post(path, {"title": styles_text.title, "styles": {"elements": elements}})
    blocks = {"core/site-title": {"typography": styles_text.site_title}}
    client.post(path, {"styles": {"elements": elements, "blocks": blocks}})


def _create_font(client: SeedClient, texts: SharedTexts) -> None:
    font = texts.font
    family = {"name": font.name, "slug": font.slug, "fontFamily": font.family}
    number = client.post("/cms/v2/font-families", {"font_family_settings": json.dumps(family)})["id"]
    # Copies: an uploaded file becomes the site's.
    with TemporaryDirectory(prefix="vetrina-demo-") as folder:
        for style, weight in font.faces:
            face = {"fontFamily": font.name, "fontStyle": style, "fontWeight": weight, "src": "file"}
            path = Path(shutil.copy(_FONTS / f"{font.slug}-{style}-{weight}.woff2", folder))
            client.post(
                f"/cms/v2/font-families/{number}/font-faces", {"font_face_settings": json.dumps(face)},
                files={"file": UploadedFile(path.name, path, path.stat().st_size)},
            )  # fmt: skip
