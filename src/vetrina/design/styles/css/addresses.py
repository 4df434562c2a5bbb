"""Which addresses a style sheet may load: the site's own, and pictures and fonts that stand in the sheet itself.

A reader's browser asks no other host for anything. Rules: docs/rules/global_styles.md, 9.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

_THEME_FILE: Final = "file:./"
_EMBEDDED: Final = re.compile(r"data:(?:image|font)/[\w.+-]+[;,]", re.IGNORECASE | re.ASCII)
_UNSAFE: Final = re.compile(r"[\x00-\x20\x7f\\]")
_SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE | re.ASCII)


@dataclass(frozen=True, slots=True)
class AddressPolicy:
    """Which addresses may be loaded.

    origins: scheme and host of each place that has the site's files. theme: the address of the theme's folder, with a
    slash at its end; empty where its files have none.
    """

    origins: tuple[str, ...] = ()
    theme: str = ""

    def resolve(self, address: str) -> str:
        """Return an address as the sheet has it, empty for one that may not be loaded."""
        address = address.strip()
        if address.startswith(_THEME_FILE):
            path = address.removeprefix(_THEME_FILE)
            inside = path and not _UNSAFE.search(path) and ".." not in path.split("/")
            return self.theme + path if self.theme and inside else ""
        if _EMBEDDED.match(address):
            return address
        if not address or _UNSAFE.search(address) or address.startswith("//"):
            return ""
        if not _SCHEME.match(address):
            return address
        return address if any(address.startswith(f"{one}/") for one in self.origins if one) else ""


def build_origins(*addresses: str) -> tuple[str, ...]:
    """Return scheme and host of some addresses, each once; those without a host are left out."""
    parts = [urlsplit(one) for one in addresses]
    return tuple(dict.fromkeys(f"{one.scheme}://{one.netloc}" for one in parts if one.scheme and one.netloc))
