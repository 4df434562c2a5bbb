"""The texts of a record as a write stores them: title, content and excerpt, filtered and rendered.

Not here: which types need a text (content/records/rules.py), what markup is left of a text that is filtered
(content/text/sanitizing.py). Rules: docs/rules/records.md, 5; docs/rules/markup.md, 1; docs/rules/coercion.md, 8.
"""

from __future__ import annotations

from typing import Any

from vetrina.content.blocks import dynamic_rendering
from vetrina.content.records.model import Record
from vetrina.content.text import rendering as text_rendering, sanitizing
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import Fault, InvalidParam
from vetrina.kernel.folding import build_sort_key
from vetrina.kernel.render_budget import RenderBudget


def has_same_texts(old: Record, *texts: str) -> bool:
    return (*texts, text_rendering.RENDERER_VERSION) == (old.title, old.content, old.excerpt, old.renderer)


def render_texts(
    site: SiteContext, budget: RenderBudget, old: Record, title: str, content: str, excerpt: str, free: bool
) -> dict[str, Any]:
    """Return the members rendered from some texts, none for texts that are unchanged.

    free: whether the author may write any markup.
    """
    if not free:
        # The stored text too: markup left by an editor must not survive the save of an author who may not write it.
        title, content, excerpt = (
            sanitizing.sanitize_title(title),
            sanitizing.sanitize_content(content),
            sanitizing.sanitize_excerpt(excerpt),
        )
    title = title.strip()
    if has_same_texts(old, title, content, excerpt):
        return {}
    version = text_rendering.RENDERER_VERSION
    members: dict[str, Any] = {"title": title, "content": content, "excerpt": excerpt, "renderer": version}
    members["title_key"] = build_sort_key(title)
    members["title_html"] = text_rendering.render_title(title, budget.build_fresh())
    if has_same_texts(old, old.title, content, excerpt):
        return members
    # Blocks that show site data would be stale before they are read, and so would text that depends on a setting.
    live = dynamic_rendering.has_live_blocks(site, content)
    members["dynamic"] = live or text_rendering.has_smilies(excerpt, content, budget.build_fresh())
    members["content_html"] = (
        "" if members["dynamic"] else text_rendering.render_content(content, budget=budget.build_fresh())
    )
    members["block_version"] = text_rendering.compute_block_version(content)
    members["excerpt_html"] = text_rendering.render_excerpt(excerpt, content, budget=budget.build_fresh())
    return members


def extract_raw_text(name: str, value: Any) -> str | None:
    """Return the raw text of a written title, content or excerpt; None for no change."""
    if isinstance(value, dict):
        value = value.get("raw")
        if isinstance(value, (list, dict)):
            raise InvalidParam(
                {name: Fault("rest_invalid_type", f"{name}[raw] is not of type string.", {"param": f"{name}[raw]"})}
            )
        if isinstance(value, bool):
            value = "1" if value else ""
        elif isinstance(value, (int, float)):
            value = str(value)
        if value == "" and name == "title":
            return None
    return value.replace("\0", "") if isinstance(value, str) else None
