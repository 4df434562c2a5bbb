"""Export files for tests, made of a few declared things."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

OLD = "https://old.example"
_HEAD = """<?xml version="1.0" encoding="{encoding}"?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/{version}/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/{version}/">
<channel><title>Old site</title><link>{old}</link><description>As it was</description>
<wp:wxr_version>{version}</wp:wxr_version><wp:base_site_url>{old}</wp:base_site_url>
<wp:base_blog_url>{old}</wp:base_blog_url>
"""


def element(name: str, text: object) -> str:
    return f"<{name}>{escape(str(text))}</{name}>"


def extra_fields(name: str, meta: Mapping[str, str]) -> str:
    return "".join(
        f"<wp:{name}>{element('wp:meta_key', key)}{element('wp:meta_value', value)}</wp:{name}>"
        for key, value in meta.items()
    )


def comment_element(one: Mapping[str, Any]) -> str:
    members = "".join(element(f"wp:comment_{k}", v) for k, v in one.items() if k != "meta")
    return f"<wp:comment>{members}{extra_fields('commentmeta', one.get('meta', {}))}</wp:comment>"


class ExportFile:
    """An export that grows by what is added to it."""

    def __init__(self, version: str = "1.2") -> None:
        self.version = version
        self.parts: list[str] = []

    def author(self, id: int, login: str, email: str = "", **texts: str) -> None:
        found = {"author_id": id, "author_login": login, "author_email": email or f"{login}@old.example"}
        found |= {f"author_{name}": text for name, text in texts.items()}
        self.parts.append(f"<wp:author>{''.join(element(f'wp:{k}', v) for k, v in found.items())}</wp:author>")

    def category(self, id: int, slug: str, name: str, parent: str = "") -> None:
        found = {"term_id": id, "category_nicename": slug, "category_parent": parent, "cat_name": name}
        self.parts.append(f"<wp:category>{''.join(element(f'wp:{k}', v) for k, v in found.items())}</wp:category>")

    def term(
        self, id: int, taxonomy: str, slug: str, name: str, parent: str = "", meta: Mapping[str, str] = {}
    ) -> None:
        found = {
            "term_id": id, "term_taxonomy": taxonomy, "term_slug": slug, "term_parent": parent, "term_name": name,
        }  # fmt: skip
        text = "".join(element(f"wp:{k}", v) for k, v in found.items()) + extra_fields("termmeta", meta)
        self.parts.append(f"<wp:term>{text}</wp:term>")

    def item(
        self,
        id: int,
        title: str = "",
        content: str = "",
        *,
        excerpt: str = "",
        author: str = "",
        link: str = "",
        terms: tuple[tuple[str, str], ...] = (),
        meta: Mapping[str, str] = {},
        comments: tuple[Mapping[str, object], ...] = (),
        **members: object,
    ) -> None:
        """Add an item. terms: taxonomy and slug. members: without their prefix, as `post_type`."""
        found = {
            "post_id": id, "post_date": "2020-05-06 10:00:00", "post_date_gmt": "2020-05-06 08:00:00",
            "comment_status": "open", "ping_status": "closed", "post_name": f"item-{id}", "status": "publish",
            "post_parent": 0, "menu_order": 0, "post_type": "post", "post_password": "", "is_sticky": 0, **members,
        }  # fmt: skip
        parts = [
            element("title", title), element("link", link or f"{OLD}/?p={id}"), element("dc:creator", author),
            f'<guid isPermaLink="false">{OLD}/?p={id}</guid>', element("content:encoded", content),
            element("excerpt:encoded", excerpt), *(element(f"wp:{name}", value) for name, value in found.items()),
            *(f'<category domain="{taxonomy}" nicename="{slug}">{slug}</category>' for taxonomy, slug in terms),
            extra_fields("postmeta", meta), *map(comment_element, comments),
        ]  # fmt: skip
        self.parts.append(f"<item>{''.join(parts)}</item>")

    def text(self, encoding: str = "UTF-8") -> str:
        head = _HEAD.format(encoding=encoding, version=self.version, old=OLD)
        return head + "\n".join(self.parts) + "\n</channel></rss>\n"

    def write(self, folder: Path) -> Path:
        """Write the file and return its path."""
        path = folder / "export.xml"
        path.write_text(self.text(), encoding="utf-8")
        return path


def comment(id: int, text: str, **members: object) -> dict[str, object]:
    """Return a comment of an item. members: without their prefix, and `meta`."""
    return {
        "id": id, "author": "Zoe", "author_email": "zoe@example.net", "author_url": "", "author_IP": "192.0.2.1",
        "date": "2020-05-06 11:00:00", "date_gmt": "2020-05-06 09:00:00", "content": text, "approved": "1",
        "type": "comment", "parent": 0, "user_id": 0, **members,
    }  # fmt: skip
