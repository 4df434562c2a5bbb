"""The segments of URLs under which the interface is: one for each dialect, and the administration's own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from vetrina.rest.dialects.names import load_name_pairs

NEUTRAL_DIALECT: Final = "neutral"
NEUTRAL_PREFIX: Final = "cms-json"
ADMIN_PREFIX: Final = "admin-json"  # of the administration's own root, on every site


@lru_cache(maxsize=8)
def get_prefix(dialect: str) -> str:
    """Return the segment of a dialect. Raises SettingsError for an unknown one."""
    return NEUTRAL_PREFIX if dialect == NEUTRAL_DIALECT else load_name_pairs(dialect).url_prefix[NEUTRAL_PREFIX]


def make_public_root(root: str, dialects: Sequence[str]) -> str:
    """Return an API root as others are told it: the site's first one in place of the administration's own.

    dialects: of the site.
    """
    before, slash, prefix = root.rpartition("/")
    return f"{before}{slash}{get_prefix(dialects[0])}" if prefix == ADMIN_PREFIX else root
