"""The limits that the HTTP server applies."""

from __future__ import annotations

from dataclasses import dataclass

from vetrina.settings import SiteLimits


@dataclass(frozen=True)
class RequestLimits:
    """The size of requests and responses, and how much of both runs in the event loop (settings.SiteLimits)."""

    body_bytes: int
    body_depth: int
    body_values: int
    target_bytes: int
    read_body_bytes: int
    inline_characters: int
    answer_bytes: int

    @classmethod
    def from_profile(cls, limits: SiteLimits) -> RequestLimits:
        """Return the limits of a site that the HTTP server applies."""
        return cls(**{name: getattr(limits, name) for name in cls.__dataclass_fields__})
