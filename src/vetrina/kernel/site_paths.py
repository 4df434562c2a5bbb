"""The path that a site lives under: part of its address, `/blog` of `https://example.org/blog`, empty at the root.

Within the site paths begin below it; only addresses that leave the site have it.
"""

from __future__ import annotations

from urllib.parse import urlsplit


def get_base_path(address: str) -> str:
    """Return the path that a site lives under, without a slash at its end; address: of the site."""
    return urlsplit(address).path.rstrip("/")


def remove_base_path(base: str, path: str) -> str:
    """Return a path of a host as the site beneath it knows it; one that is not below the site is left as it is."""
    if base and (path == base or path.startswith(f"{base}/")):
        return path[len(base) :] or "/"
    return path


def get_relative_url(address: str, url: str) -> str | None:
    """Return a URL from the root of its host, None where it is not one of the site at an address."""
    if url == address or url.startswith((f"{address}/", f"{address}?")):
        return get_base_path(address) + (url[len(address) :] or "/")
    return None
