"""Collections of font families to choose from: they come with the software, and none is fetched from another host.

Rules: docs/rules/fonts.md, 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import orjson

from vetrina.design.themes.model import BUILT_IN


@dataclass(frozen=True, slots=True)
class FontCollection:
    """A curated collection of families."""

    slug: str
    name: str
    description: str
    families: Sequence[Mapping[str, Any]]
    categories: Sequence[Mapping[str, str]]


@cache
def list_collections() -> Mapping[str, FontCollection]:
    """Return the built-in collections, by slug."""
    return {one.slug: one for one in _iterate_collections(sorted((BUILT_IN / "font-collections").glob("*.json")))}


def _iterate_collections(files: Iterable[Path]) -> Iterable[FontCollection]:
    for file in files:
        collection = orjson.loads(file.read_bytes())
        description, categories = collection.get("description", ""), collection.get("categories", ())
        yield FontCollection(file.stem, collection["name"], description, collection["font_families"], categories)
