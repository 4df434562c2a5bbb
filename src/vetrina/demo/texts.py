"""The texts of a demonstration in `texts/*.toml`, as typed structs. Unknown keys are refused, as in settings."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

_FOLDER = Path(__file__).parent / "texts"
T = TypeVar("T")


class DemoText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base class of all texts: immutable."""


class PersonText(DemoText, frozen=True):
    """An account."""

    login: str
    first_name: str
    last_name: str
    role: str
    description: str = ""
    description_it: str = ""


class PictureText(DemoText, frozen=True):
    """An image of the library. draw: its subject (demo/pictures.py). en, it: title and alternative text."""

    key: str
    draw: str
    en: tuple[str, str]
    it: tuple[str, str]


class TermText(DemoText, frozen=True):
    """A term. taxonomy: by the base of its route. above: key of the parent. en, it: name and description."""

    key: str
    taxonomy: str
    en: tuple[str, str]
    it: tuple[str, str]
    above: str = ""


class RecordText(DemoText, frozen=True):
    """A record's texts in one language. text: in the markup of demo/markup.py. fields: values of text fields."""

    title: str
    text: str = ""
    excerpt: str = ""
    fields: dict[str, str] = {}


class RecordEntry(DemoText, frozen=True):
    """A record. type: by the base of its route. age: days before the end. by: a login. image: key of an image.

    above: key of the parent. terms: keys by taxonomy, named by the base of its route.
    further: fields as the route accepts them. it: None if it is not translated.
    """

    key: str
    age: float
    en: RecordText
    it: RecordText | None = None
    type: str = "posts"
    status: str = "publish"
    by: str = ""
    image: str = ""
    above: str = ""
    terms: dict[str, tuple[str, ...]] = {}
    further: dict[str, Any] = {}


class CommentText(DemoText, frozen=True):
    """A comment on a record. on: its key. by: a login. answers: position in the list of the comment it replies to."""

    on: str
    age: float
    text: str
    by: str
    status: str = ""
    type: str = "comment"
    answers: int | None = None


class MenuItemText(DemoText, frozen=True):
    """An item of the menu. to: key of a record or term; else en, it: title and URL. under: key of the parent."""

    to: str = ""
    under: str = ""
    en: tuple[str, str] = ("", "")
    it: tuple[str, str] = ("", "")


class TranslationJobText(DemoText, frozen=True):
    """A translation job of a record. title, texts: the translator's. then: the record's text after a later edit."""

    of: str
    state: Literal["waiting", "in progress", "cancelled", "complete", "outdated"]
    to: str = ""
    title: str = ""
    texts: tuple[str, ...] = ()
    then: str = ""


class GlossaryText(DemoText, frozen=True):
    """An entry of the glossary, from English into Italian."""

    term: str
    it: str
    note: str = ""


class SiteStory(DemoText, frozen=True):
    """The content of a site other than its shop. front, posts_page: keys of pages."""

    title: str
    tagline: str
    title_it: str
    tagline_it: str
    front: str
    posts_page: str
    people: tuple[PersonText, ...]
    pictures: tuple[PictureText, ...]
    terms: tuple[TermText, ...]
    records: tuple[RecordEntry, ...]
    comments: tuple[CommentText, ...]
    menu: tuple[MenuItemText, ...]
    jobs: tuple[TranslationJobText, ...]
    glossary: tuple[GlossaryText, ...]


class PatternText(DemoText, frozen=True):
    """A reusable block. category: name of a pattern category."""

    key: str
    category: str
    en: RecordText
    it: RecordText
    synced: bool = True


class TemplateText(DemoText, frozen=True):
    """A template, or a part of one; area: of a part."""

    slug: str
    title: str
    description: str
    text: str
    area: str = ""


class FontText(DemoText, frozen=True):
    """A font family. faces: style and weight of each, which name its file in `fonts` beside this."""

    name: str
    slug: str
    family: str
    faces: tuple[tuple[str, str], ...]


class WidgetText(DemoText, frozen=True):
    """An inactive widget."""

    kind: str
    title: str
    text: str


class StyleText(DemoText, frozen=True):
    """The site owner's changes to the theme's styles: not to its colours, so that readers may have dark pages."""

    title: str
    heading: dict[str, str]
    site_title: dict[str, str]


class SharedTexts(DemoText, frozen=True):
    """The texts of every demonstration. fields: the configuration of custom fields, as XML."""

    fields: str
    patterns: tuple[PatternText, ...]
    templates: tuple[TemplateText, ...]
    parts: tuple[TemplateText, ...]
    styles: StyleText
    font: FontText
    widgets: tuple[WidgetText, ...]


def load_story(name: str) -> SiteStory:
    """Return the content of a site; name: of its file."""
    return load_texts(name, SiteStory)


def load_shared_texts() -> SharedTexts:
    """Return the texts of every demonstration."""
    return load_texts("house", SharedTexts)


def load_texts(name: str, kind: type[T]) -> T:
    """Load a file of texts. Raises msgspec.ValidationError for an unknown key."""
    return msgspec.convert(tomllib.loads((_FOLDER / f"{name}.toml").read_text(encoding="utf-8")), kind)
