"""Machine translators for tests; the profile names them as `multilingual.machines:shout`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def shout(texts: Sequence[str], source: str, target: str) -> list[str]:
    return [f"{target}: {text}" for text in texts]


def forget(texts: Sequence[str], source: str, target: str) -> list[str]:
    return []


def stumble(texts: Sequence[str], source: str, target: str) -> list[str]:
    raise RuntimeError("no machine today")


TOLD: list[dict[str, str]] = []


def obey(texts: Sequence[str], source: str, target: str, glossary: Mapping[str, str]) -> list[str]:
    TOLD.append(dict(glossary))
    return [" ".join(glossary.get(word, word) for word in text.split()) for text in texts]
