"""Accounts, images, terms, records, comments and the menu of a demonstration, in two languages.

Patterns and design: demo/design.py. Translation jobs: demo/translation_jobs.py. The shop: demo/catalogue.py.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from vetrina.demo.seed_client import DAY, SeedClient
from vetrina.kernel.keys import generate_password

from . import pictures
from .markup import BlockPicture, render_blocks
from .texts import CommentText, MenuItemText, PersonText, PictureText, RecordEntry, RecordText, SiteStory, TermText

_DRAFT_SECONDS: Final = 2 * 3600  # seconds between draft and publication
_TRANSLATION_DELAY: Final = 5 * 3600  # seconds after the original
_MAX_TIME_VARIATION: Final = 9 * 3600  # seconds by which the time of day varies
_DAYS_BEFORE_END: Final = 800  # days before the end of the period: accounts, images and terms are created then
_SECOND_LANGUAGE: Final = "it"
# Base of a route → name of its type or taxonomy, if different.
_OBJECT_TYPES: Final = {"pages": "page", "posts": "post", "categories": "category", "tags": "post_tag"}


@dataclass
class CreatedContent:
    """What has been created so far: ids by key and language."""

    records: dict[tuple[str, str], int] = field(default_factory=dict)
    terms: dict[tuple[str, str], int] = field(default_factory=dict)
    pictures: dict[tuple[str, str], BlockPicture] = field(default_factory=dict)
    patterns: dict[tuple[str, str], int] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def render_blocks(self, text: str, language: str) -> str:
        """Return a text as blocks, with the images and patterns of a language."""
        return render_blocks(
            text,
            {key: picture for (key, code), picture in self.pictures.items() if code == language},
            {key: number for (key, code), number in self.patterns.items() if code == language},
        )


def create_people(client: SeedClient, people: Iterable[PersonText]) -> None:
    """Create the accounts, without known passwords; an administrator can set new ones."""
    for at, person in enumerate(people):
        client.clock.move_before_end(_DAYS_BEFORE_END - at)
        members = {
            "username": person.login, "email": f"{person.login}@example.org", "password": generate_password(),
            "first_name": person.first_name, "last_name": person.last_name, "roles": [person.role],
            "name": f"{person.first_name} {person.last_name}", "description": person.description,
        }  # fmt: skip
        client.post("/cms/v2/users", members)
        client.add_account(person.login)


def create_library(client: SeedClient, texts: Iterable[PictureText], seed: int, written: CreatedContent) -> None:
    """Draw the images and upload them to the library, with the texts of both languages."""
    with tempfile.TemporaryDirectory(prefix="vetrina-") as folder:
        for at, picture in enumerate(texts):
            client.clock.move_before_end(_DAYS_BEFORE_END - 10 - at)
            path = Path(folder) / f"{picture.key}.jpg"
            pictures.draw_subject(picture.draw, path, Random(f"{seed} {picture.key}"))
            upload_picture(client, path, picture.key, picture.en, picture.it, written)


def upload_picture(
    client: SeedClient, path: Path, key: str, en: tuple[str, str], it: tuple[str, str], written: CreatedContent
) -> BlockPicture:  # fmt: skip
    """Upload one image to the library and return it. en, it: title and alternative text."""
    uploaded = client.upload(path, {"title": en[0], "alt_text": en[1]}, "image/jpeg")
    origin = client.site.context.origin
    for code, link in uploaded["translations"].items():
        title, alternative = it if code == _SECOND_LANGUAGE else en
        if code == _SECOND_LANGUAGE:
            client.post(f"/cms/v2/media/{link['id']}", {"title": title, "alt_text": alternative})
        written.pictures[key, code] = BlockPicture(link["id"], uploaded["source_url"].removeprefix(origin), alternative)
    return written.pictures[key, client.site.context.profile.default_language]


def create_terms(client: SeedClient, terms: Iterable[TermText], written: CreatedContent) -> None:
    """Create the terms, linked as translations."""
    client.clock.move_before_end(_DAYS_BEFORE_END - 20)
    for one in terms:
        path = f"/cms/v2/{one.taxonomy}"
        for code, (name, description) in (("en", one.en), (_SECOND_LANGUAGE, one.it)):
            members: dict[str, Any] = {"name": name, "description": description}
            if one.above:
                members["parent"] = written.terms[one.above, code]
            if code == _SECOND_LANGUAGE:
                members["translations"] = {"en": written.terms[one.key, "en"]}
            written.terms[one.key, code] = client.post(path, members, language=code)["id"]
        written.types[one.key] = one.taxonomy


def create_records(client: SeedClient, entries: Iterable[RecordEntry], written: CreatedContent) -> None:
    """Create the records, the oldest first, so that ids rise with dates as on a site that has grown."""
    for entry in sorted(entries, key=lambda one: -one.age):
        written.types[entry.key] = entry.type
        _create_record(client, entry, entry.en, "en", written)
        if entry.it is not None:
            _create_record(client, entry, entry.it, _SECOND_LANGUAGE, written)


def _create_record(
    client: SeedClient, entry: RecordEntry, text: RecordText, code: str, written: CreatedContent
) -> None:
    """Create a record as people do: a draft first, then the full text."""
    path, status = f"/cms/v2/{entry.type}", "publish" if entry.status == "trash" else entry.status
    # Nobody publishes always at the same hour.
    age = max(entry.age, 0.01) * DAY + Random(entry.key).randint(0, _MAX_TIME_VARIATION)
    moment = client.clock.last - round(age) + (_TRANSLATION_DELAY if code == _SECOND_LANGUAGE else 0)
    client.clock.move_to(min(moment, client.clock.last) - _DRAFT_SECONDS)
    members = _build_record_members(entry, text, code, written)
    by = entry.by or client.admin
    if code == _SECOND_LANGUAGE and entry.by:
        # Linking translations requires the right to edit both.
        by, members["author"] = client.admin, client.people[entry.by].id
    draft = {**members, "status": "draft", "content": _render_first_block(text, code, written)}
    number = client.post(path, draft, by=by, language=code)["id"]
    written.records[entry.key, code] = number
    client.clock.move_to(min(moment, client.clock.last))
    whole: dict[str, Any] = {"status": status, "content": written.render_blocks(text.text, code)}
    if status == "future":
        day = client.clock.last - round(entry.age * DAY)
        whole["date_gmt"] = client.time(day)
    # A contributor's record is published by somebody else.
    by = by if status == "pending" or client.people[by].can("publish_posts") else client.admin
    client.post(f"{path}/{number}", whole, by=by)
    if entry.status == "trash":
        client.ask("DELETE", f"{path}/{number}", by=by)


def _render_first_block(text: RecordText, code: str, written: CreatedContent) -> str:
    return written.render_blocks(text.text.strip().partition("\n\n")[0], code)


def _build_record_members(entry: RecordEntry, text: RecordText, code: str, written: CreatedContent) -> dict[str, Any]:
    members: dict[str, Any] = {"title": text.title, **entry.further}
    if text.fields:
        members["meta"] = {**entry.further.get("meta", {}), **text.fields}
    if text.excerpt:
        members["excerpt"] = text.excerpt
    if entry.image:
        members["featured_media"] = written.pictures[entry.image, code].id
    if entry.above:
        members["parent"] = written.records[entry.above, code]
    for taxonomy, keys in entry.terms.items():
        members[taxonomy] = [written.terms[key, code] for key in keys]
    if code == _SECOND_LANGUAGE:
        members["translations"] = {"en": written.records[entry.key, "en"]}
    return members


def create_comments(client: SeedClient, comments: Iterable[CommentText], written: CreatedContent) -> None:
    """Create the comments on the records."""
    numbers: dict[int, int] = {}
    for position, one in sorted(enumerate(comments), key=lambda pair: -pair[1].age):
        client.clock.move_before_end(one.age)
        members: dict[str, Any] = {"post": written.records[one.on, "en"], "content": one.text, "type": one.type}
        if one.answers is not None:
            members["parent"] = numbers[one.answers]
        created = client.post("/cms/v2/comments", members, by=one.by)
        numbers[position] = created["id"]
        wanted = one.status or "approved"
        if one.type == "comment" and created["status"] != wanted:
            client.post(f"/cms/v2/comments/{created['id']}", {"status": wanted})


def create_autosaves(client: SeedClient, entries: Iterable[RecordEntry], written: CreatedContent) -> None:
    """Leave another user's autosave on the records that have one."""
    client.clock.move_before_end(0.5)
    for entry in entries:
        type = client.site.context.types.get(_OBJECT_TYPES.get(entry.type, entry.type))
        if type is None or not type.autosaves or entry.status != "publish":
            continue
        path = f"/cms/v2/{entry.type}/{written.records[entry.key, 'en']}/autosaves"
        text = entry.en.text.strip() + "\n\nStill to be said: who brings the soup."
        client.post(path, {"title": entry.en.title, "content": written.render_blocks(text, "en")})


def create_menus(client: SeedClient, found: Iterable[MenuItemText], written: CreatedContent) -> None:
    """Create the menu of each language, in every menu location of the site."""
    client.clock.move_before_end(_DAYS_BEFORE_END - 400)
    places = list(client.site.context.profile.menu_locations)
    menus: dict[str, int] = {}
    items: dict[tuple[str, str], int] = {}
    for code, name in (("en", "Main menu"), (_SECOND_LANGUAGE, "Menu principale")):
        members: dict[str, Any] = {"name": name, "locations": places}
        if menus:
            members["translations"] = {"en": menus["en"]}
        menus[code] = client.post("/cms/v2/menus", members, language=code)["id"]
        for at, one in enumerate(found, start=1):
            if one.to and (one.to, code) not in {**written.records, **written.terms}:
                continue
            item = {"menus": menus[code], "menu_order": at, "status": "publish", **_build_menu_item(one, code, written)}
            if one.under:
                item["parent"] = items[one.under, code]
            if (one.to or one.en[0], "en") in items:
                item["translations"] = {"en": items[one.to or one.en[0], "en"]}
            items[one.to or one.en[0], code] = client.post("/cms/v2/menu-items", item, language=code)["id"]
    front = next(iter(items.values()))
    client.post(f"/cms/v2/menu-items/{front}/autosaves", {"title": "?"})


def _build_menu_item(item: MenuItemText, code: str, written: CreatedContent) -> dict[str, Any]:
    if not item.to:
        title, address = item.it if code == _SECOND_LANGUAGE else item.en
        return {"type": "custom", "title": title, "url": address}
    base = written.types[item.to]
    kind = "taxonomy" if (item.to, code) in written.terms else "post_type"
    number = (written.terms if kind == "taxonomy" else written.records)[item.to, code]
    return {"type": kind, "object": _OBJECT_TYPES.get(base, base), "object_id": number}


def configure_front_page(client: SeedClient, story: SiteStory, written: CreatedContent) -> None:
    """Set the site's name and front page."""
    client.clock.move_before_end(_DAYS_BEFORE_END - 400)
    client.post(
        "/cms/v2/settings",
        {
            "title": story.title, "description": story.tagline, "show_on_front": "page",
            "page_on_front": written.records[story.front, "en"],
            "page_for_posts": written.records[story.posts_page, "en"],
        },
    )  # fmt: skip
