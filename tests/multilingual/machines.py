"""Machine translators for tests; the profile names them as `multilingual.machines:shout`."""

from __future__ import annotations

from collections.abc import Sequence


def shout(texts: Sequence[str], source: str, target: str) -> list[str]:
    return [f"{target}: {text}" for text in texts]


def forget(texts: Sequence[str], source: str, target: str) -> list[str]:
    return []
