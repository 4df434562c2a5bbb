"""The client's address, and the URL it used, directly or through a trusted proxy."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from urllib.parse import quote

Scope = dict[str, Any]


def parse_headers(scope: Scope) -> dict[str, str]:
    """Return the headers of a request by name; HTTP/2 may split cookies."""
    headers: dict[str, str] = {}
    for name, value in scope["headers"]:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        headers[key] = f"{headers[key]}; {text}" if key == "cookie" and key in headers else text
    return headers


def get_request_target(scope: Scope) -> str:
    """Return the path with the query as the client wrote them."""
    path = scope.get("raw_path") or quote(scope["path"]).encode()
    query_string = scope["query_string"]
    return str((path + b"?" + query_string if query_string else path).decode("latin-1"))


def get_origin(scope: Scope, headers: dict[str, str], trust_proxy: bool) -> str:
    """Return scheme and host as the client wrote them; trust_proxy: as the proxy in front reports them."""
    scheme: str = scope.get("scheme", "http")
    host = headers.get("host", "")
    if trust_proxy:
        scheme = headers.get("x-forwarded-proto", scheme).split(",")[0].strip()
        host = headers.get("x-forwarded-host", host).split(",")[0].strip()
    if not _is_plain_host(host):
        server = scope.get("server") or ("127.0.0.1", 80)
        host = f"{server[0]}:{server[1]}"
    return f"{scheme}://{host}"


def get_remote_address(scope: Scope, trust_proxy: bool) -> str:
    """Return the client's address; trust_proxy: the last one of X-Forwarded-For, which the proxy in front wrote."""
    if trust_proxy:
        for name, value in reversed(scope["headers"]):
            if name == b"x-forwarded-for":
                return str(value.decode("latin-1").split(",")[-1].strip())
    client: tuple[str, int] = scope.get("client") or ("", 0)
    return client[0]


@lru_cache(maxsize=64)
def _is_plain_host(host: str) -> bool:
    """Return whether a host has nothing but letters, digits and what addresses and ports are written with."""
    return bool(host) and all(character.isalnum() or character in ".-:[]" for character in host)
