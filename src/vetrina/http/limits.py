"""The limits that the edge keeps."""

from __future__ import annotations

from dataclasses import dataclass

from vetrina.settings import Limits as SiteLimits

__all__ = ["Limits"]


@dataclass(frozen=True)
class Limits:
    """What a request may bring, what an answer may weigh, and how much of both the loop takes (settings.Limits)."""

    body_bytes: int
    body_depth: int
    body_values: int
    target_bytes: int
    read_body_bytes: int
    inline_characters: int
    answer_bytes: int

    @classmethod
    def of(cls, limits: SiteLimits) -> Limits:
        """Return those of a site's limits that the edge keeps."""
        return cls(**{name: getattr(limits, name) for name in cls.__dataclass_fields__})
