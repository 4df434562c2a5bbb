"""The texts of a demonstration as they stand in `texts/*.toml`, typed. Unknown keys are refused, as in settings.

Not here: what is made of them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

__all__ = [
    "Comment", "Entry", "Font", "House", "Job", "MenuItem", "Pattern", "Person", "Picture", "Said", "Story",
    "Styles", "Template", "TermText", "Text", "Widget", "house", "read", "story",
]  # fmt: skip

_FOLDER = Path(__file__).parent / "texts"
T = TypeVar("T")


class Text(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What all of them are: values that nobody changes."""


class Person(Text, frozen=True):
    """An account."""

    login: str
    first_name: str
    last_name: str
    role: str
    description: str = ""
    description_it: str = ""


class Picture(Text, frozen=True):
    """A picture of the library. draw: its subject (demo/pictures.py). en, it: title and alternative text."""

    key: str
    draw: str
    en: tuple[str, str]
    it: tuple[str, str]


class TermText(Text, frozen=True):
    """A term. taxonomy: by the base of its route. above: key of the one above. en, it: name and description."""

    key: str
    taxonomy: str
    en: tuple[str, str]
    it: tuple[str, str]
    above: str = ""


class Said(Text, frozen=True):
    """What a record says in one language. text: as demo/markup.py reads it. fields: of its own, where they have words."""

    title: str
    text: str = ""
    excerpt: str = ""
    fields: dict[str, str] = {}


class Entry(Text, frozen=True):
    """A record. type: by the base of its route. age: days before the end. by: a login. image: key of a picture.

    above: key of the record above. terms: keys by taxonomy, which stands by the base of its route.
    further: members as the route takes them. it: None where nobody has translated it.
    """

    key: str
    age: float
    en: Said
    it: Said | None = None
    type: str = "posts"
    status: str = "publish"
    by: str = ""
    image: str = ""
    above: str = ""
    terms: dict[str, tuple[str, ...]] = {}
    further: dict[str, Any] = {}


class Comment(Text, frozen=True):
    """What somebody says under a record. on: its key. by: a login. answers: place in the list of what it answers."""

    on: str
    age: float
    text: str
    by: str
    status: str = ""
    type: str = "comment"
    answers: int | None = None


class MenuItem(Text, frozen=True):
    """An item of the menu. to: key of a record or term; else en, it: title and address. under: key of that above."""

    to: str = ""
    under: str = ""
    en: tuple[str, str] = ("", "")
    it: tuple[str, str] = ("", "")


class Job(Text, frozen=True):
    """A translation job of a record. title, texts: what the translator writes. then: what the record says later."""

    of: str
    state: Literal["waiting", "in progress", "cancelled", "complete", "outdated"]
    to: str = ""
    title: str = ""
    texts: tuple[str, ...] = ()
    then: str = ""


class Story(Text, frozen=True):
    """The content of a site beside its shop. front, posts_page: keys of pages."""

    title: str
    tagline: str
    title_it: str
    tagline_it: str
    front: str
    posts_page: str
    people: tuple[Person, ...]
    pictures: tuple[Picture, ...]
    terms: tuple[TermText, ...]
    records: tuple[Entry, ...]
    comments: tuple[Comment, ...]
    menu: tuple[MenuItem, ...]
    jobs: tuple[Job, ...]


class Pattern(Text, frozen=True):
    """A reusable block. category: name of a category of patterns."""

    key: str
    category: str
    en: Said
    it: Said
    synced: bool = True


class Template(Text, frozen=True):
    """A template, or a part of one; area: of a part."""

    slug: str
    title: str
    description: str
    text: str
    area: str = ""


class Font(Text, frozen=True):
    """A family of letters. faces: style and weight of each; address: the folder of its files."""

    name: str
    slug: str
    family: str
    faces: tuple[tuple[str, str], ...]
    address: str


class Widget(Text, frozen=True):
    """A widget among those that stand nowhere."""

    kind: str
    title: str
    text: str


class Styles(Text, frozen=True):
    """What the owner changed of the theme's look."""

    title: str
    color: dict[str, str]
    link: dict[str, str]


class House(Text, frozen=True):
    """What every demonstration has. fields: the configuration of the records' own fields, as XML."""

    fields: str
    patterns: tuple[Pattern, ...]
    templates: tuple[Template, ...]
    parts: tuple[Template, ...]
    styles: Styles
    font: Font
    widgets: tuple[Widget, ...]


def story(name: str) -> Story:
    """Return the content of a site; name: of its file."""
    return read(name, Story)


def house() -> House:
    """Return what every demonstration has."""
    return read("house", House)


def read(name: str, kind: type[T]) -> T:
    """Return a file of texts. Raises msgspec.ValidationError for a key that is unknown."""
    return msgspec.convert(tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")), kind)
