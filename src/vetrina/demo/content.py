"""People, pictures, terms, records, comments and the menu of a demonstration, in two languages.

Not here: patterns and looks (demo/design.py), translation jobs (demo/translation_jobs.py), the shop
(demo/catalogue.py).
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from vetrina.demo.seed_client import DAY, Hand
from vetrina.kernel.keys import readable_password

from . import pictures
from .markup import Shown, blocks
from .texts import Comment, Entry, MenuItem, Person, Picture, Said, Story, TermText

__all__ = ["Written", "add_picture", "comments", "front", "history", "library", "menu", "people", "records", "terms"]

_FIRST_DRAFT: Final = 2 * 3600  # seconds before a record is published
_TRANSLATED: Final = 5 * 3600  # seconds after it
_HOURS: Final = 9 * 3600  # seconds by which the hour of the day varies
_FOUNDED: Final = 800  # days before the end: accounts, pictures and terms are from then
_OTHER: Final = "it"
# Base of a route → name of its type or taxonomy, where the two differ.
_OBJECTS: Final = {"pages": "page", "posts": "post", "categories": "category", "tags": "post_tag"}


@dataclass
class Written:
    """What is written so far: numbers by key and language."""

    records: dict[tuple[str, str], int] = field(default_factory=dict)
    terms: dict[tuple[str, str], int] = field(default_factory=dict)
    pictures: dict[tuple[str, str], Shown] = field(default_factory=dict)
    patterns: dict[tuple[str, str], int] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def blocks(self, text: str, language: str) -> str:
        """Return a text as blocks, with the pictures and patterns of a language."""
        return blocks(
            text,
            {key: shown for (key, code), shown in self.pictures.items() if code == language},
            {key: number for (key, code), number in self.patterns.items() if code == language},
        )


def people(hand: Hand, found: Iterable[Person]) -> None:
    """Make the accounts; nobody knows their passwords, an administrator gives new ones."""
    for at, person in enumerate(found):
        hand.calendar.back(_FOUNDED - at)
        members = {
            "username": person.login, "email": f"{person.login}@example.org", "password": readable_password(),
            "first_name": person.first_name, "last_name": person.last_name, "roles": [person.role],
            "name": f"{person.first_name} {person.last_name}", "description": person.description,
        }  # fmt: skip
        hand.post("/cms/v2/users", members)
        hand.meet(person.login)


def library(hand: Hand, found: Iterable[Picture], seed: int, written: Written) -> None:
    """Draw the pictures and put them into the library, with the texts of both languages."""
    with tempfile.TemporaryDirectory(prefix="vetrina-") as folder:
        for at, picture in enumerate(found):
            hand.calendar.back(_FOUNDED - 10 - at)
            path = Path(folder) / f"{picture.key}.jpg"
            pictures.draw(picture.draw, path, Random(f"{seed} {picture.key}"))
            add_picture(hand, path, picture.key, picture.en, picture.it, written)


def add_picture(
    hand: Hand, path: Path, key: str, en: tuple[str, str], it: tuple[str, str], written: Written
) -> Shown:  # fmt: skip
    """Put one picture into the library and return it. en, it: title and alternative text."""
    made = hand.upload(path, {"title": en[0], "alt_text": en[1]}, "image/jpeg")
    origin = hand.site.frame.origin
    for code, link in made["translations"].items():
        title, alternative = it if code == _OTHER else en
        if code == _OTHER:
            hand.post(f"/cms/v2/media/{link['id']}", {"title": title, "alt_text": alternative})
        written.pictures[key, code] = Shown(link["id"], made["source_url"].removeprefix(origin), alternative)
    return written.pictures[key, hand.site.frame.profile.default_language]


def terms(hand: Hand, found: Iterable[TermText], written: Written) -> None:
    """Make the terms, linked as translations."""
    hand.calendar.back(_FOUNDED - 20)
    for one in found:
        path = f"/cms/v2/{one.taxonomy}"
        for code, (name, description) in (("en", one.en), (_OTHER, one.it)):
            members: dict[str, Any] = {"name": name, "description": description}
            if one.above:
                members["parent"] = written.terms[one.above, code]
            if code == _OTHER:
                members["translations"] = {"en": written.terms[one.key, "en"]}
            written.terms[one.key, code] = hand.post(path, members, language=code)["id"]
        written.types[one.key] = one.taxonomy


def records(hand: Hand, found: Iterable[Entry], written: Written) -> None:
    """Write the records, the oldest first, so that numbers rise with dates as on a site that has grown."""
    for entry in sorted(found, key=lambda one: -one.age):
        written.types[entry.key] = entry.type
        _record(hand, entry, entry.en, "en", written)
        if entry.it is not None:
            _record(hand, entry, entry.it, _OTHER, written)


def _record(hand: Hand, entry: Entry, said: Said, code: str, written: Written) -> None:
    """Write a record as people do: a draft first, then the whole of it."""
    path, status = f"/cms/v2/{entry.type}", "publish" if entry.status == "trash" else entry.status
    # Nobody publishes always at the same hour.
    age = max(entry.age, 0.01) * DAY + Random(entry.key).randint(0, _HOURS)
    moment = hand.calendar.last - round(age) + (_TRANSLATED if code == _OTHER else 0)
    hand.calendar.go(min(moment, hand.calendar.last) - _FIRST_DRAFT)
    members = _members(entry, said, code, written)
    by = entry.by or hand.admin
    if code == _OTHER and entry.by:
        # Whoever joins translations may change both.
        by, members["author"] = hand.admin, hand.people[entry.by].id
    draft = {**members, "status": "draft", "content": _beginning(said, code, written)}
    number = hand.post(path, draft, by=by, language=code)["id"]
    written.records[entry.key, code] = number
    hand.calendar.go(min(moment, hand.calendar.last))
    whole: dict[str, Any] = {"status": status, "content": written.blocks(said.text, code)}
    if status == "future":
        day = hand.calendar.last - round(entry.age * DAY)
        whole["date_gmt"] = hand.time(day)
    # What a contributor writes is published by somebody else.
    by = by if status == "pending" or hand.people[by].can("publish_posts") else hand.admin
    hand.post(f"{path}/{number}", whole, by=by)
    if entry.status == "trash":
        hand.ask("DELETE", f"{path}/{number}", by=by)


def _beginning(said: Said, code: str, written: Written) -> str:
    return written.blocks(said.text.strip().partition("\n\n")[0], code)


def _members(entry: Entry, said: Said, code: str, written: Written) -> dict[str, Any]:
    members: dict[str, Any] = {"title": said.title, **entry.further}
    if said.fields:
        members["meta"] = {**entry.further.get("meta", {}), **said.fields}
    if said.excerpt:
        members["excerpt"] = said.excerpt
    if entry.image:
        members["featured_media"] = written.pictures[entry.image, code].id
    if entry.above:
        members["parent"] = written.records[entry.above, code]
    for taxonomy, keys in entry.terms.items():
        members[taxonomy] = [written.terms[key, code] for key in keys]
    if code == _OTHER:
        members["translations"] = {"en": written.records[entry.key, "en"]}
    return members


def comments(hand: Hand, found: Iterable[Comment], written: Written) -> None:
    """Write what people say under the records."""
    numbers: dict[int, int] = {}
    for place, one in sorted(enumerate(found), key=lambda pair: -pair[1].age):
        hand.calendar.back(one.age)
        members: dict[str, Any] = {"post": written.records[one.on, "en"], "content": one.text, "type": one.type}
        if one.answers is not None:
            members["parent"] = numbers[one.answers]
        made = hand.post("/cms/v2/comments", members, by=one.by)
        numbers[place] = made["id"]
        wanted = one.status or "approved"
        if one.type == "comment" and made["status"] != wanted:
            hand.post(f"/cms/v2/comments/{made['id']}", {"status": wanted})


def history(hand: Hand, found: Iterable[Entry], written: Written) -> None:
    """Leave an unsaved version of somebody in records that have such versions."""
    hand.calendar.back(0.5)
    for entry in found:
        type = hand.site.frame.types.get(_OBJECTS.get(entry.type, entry.type))
        if type is None or not type.autosaves or entry.status != "publish":
            continue
        path = f"/cms/v2/{entry.type}/{written.records[entry.key, 'en']}/autosaves"
        text = entry.en.text.strip() + "\n\nStill to be said: who brings the soup."
        hand.post(path, {"title": entry.en.title, "content": written.blocks(text, "en")})


def menu(hand: Hand, found: Iterable[MenuItem], written: Written) -> None:
    """Make the menu of each language, at every place that the site has for one."""
    hand.calendar.back(_FOUNDED - 400)
    places = list(hand.site.frame.profile.menu_locations)
    made: dict[str, int] = {}
    items: dict[tuple[str, str], int] = {}
    for code, name in (("en", "Main menu"), (_OTHER, "Menu principale")):
        members: dict[str, Any] = {"name": name, "locations": places}
        if made:
            members["translations"] = {"en": made["en"]}
        made[code] = hand.post("/cms/v2/menus", members, language=code)["id"]
        for at, one in enumerate(found, start=1):
            if one.to and (one.to, code) not in {**written.records, **written.terms}:
                continue
            item = {"menus": made[code], "menu_order": at, "status": "publish", **_item(one, code, written)}
            if one.under:
                item["parent"] = items[one.under, code]
            if (one.to or one.en[0], "en") in items:
                item["translations"] = {"en": items[one.to or one.en[0], "en"]}
            items[one.to or one.en[0], code] = hand.post("/cms/v2/menu-items", item, language=code)["id"]
    front = next(iter(items.values()))
    hand.post(f"/cms/v2/menu-items/{front}/autosaves", {"title": "?"})


def _item(one: MenuItem, code: str, written: Written) -> dict[str, Any]:
    if not one.to:
        title, address = one.it if code == _OTHER else one.en
        return {"type": "custom", "title": title, "url": address}
    base = written.types[one.to]
    kind = "taxonomy" if (one.to, code) in written.terms else "post_type"
    number = (written.terms if kind == "taxonomy" else written.records)[one.to, code]
    return {"type": kind, "object": _OBJECTS.get(base, base), "object_id": number}


def front(hand: Hand, story: Story, written: Written) -> None:
    """Say what the site is called and what stands in front."""
    hand.calendar.back(_FOUNDED - 400)
    hand.post(
        "/cms/v2/settings",
        {
            "title": story.title, "description": story.tagline, "show_on_front": "page",
            "page_on_front": written.records[story.front, "en"],
            "page_for_posts": written.records[story.posts_page, "en"],
        },
    )  # fmt: skip
