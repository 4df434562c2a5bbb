"""Uploads as clients send them, and files as readers get them."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from conftest import ORIGIN, Answer, Client, Stand, exchange

MEDIA = "/cms/v2/media"
EVERY_METHOD = "GET, POST, PUT, PATCH, DELETE"
TEXT = b"plain words of a text file\n"


def sent(
    client: Client,
    content: bytes,
    name: str,
    query: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """Upload a file as the body of a request."""
    named = {"content-disposition": f'attachment; filename="{name}"', "content-type": "application/octet-stream"}
    return client.post(MEDIA, body=content, query=query, headers={**named, **(headers or {})})


def form(
    client: Client,
    files: dict[str, tuple[str, bytes]],
    fields: dict[str, str] | None = None,
    headers: dict[str, str] | None = None,
) -> Answer:
    """Upload files as a multipart form."""
    parts = [
        f'--mark\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
        for name, value in (fields or {}).items()
    ]
    for field, (name, content) in files.items():
        head = f'Content-Disposition: form-data; name="{field}"; filename="{name}"\r\nContent-Type: image/jpeg'
        parts.append(f"--mark\r\n{head}\r\n\r\n".encode() + content + b"\r\n")
    body = b"".join(parts) + b"--mark--\r\n"
    return client.post(
        MEDIA, body=body, headers={"content-type": "multipart/form-data; boundary=mark", **(headers or {})}
    )


def uploaded(client: Client, content: bytes = TEXT, name: str = "words.txt", **query: Any) -> dict[str, Any]:
    answer = sent(client, content, name, query)
    assert answer.status == 201, answer.json
    found: dict[str, Any] = answer.json
    return found


def refusal(answer: Answer) -> tuple[int, str | None]:
    return answer.status, answer.code


def numbers(answer: Answer) -> list[int]:
    assert answer.status == 200, answer.json
    return [one["id"] for one in answer.json]


def stored_files(site: Stand) -> list[str]:
    root = site.site.folder / "media" / "uploads"
    return sorted(path.name for path in root.rglob("*") if path.is_file())


def read_file(site: Stand, url: str, method: str = "GET", **headers: str) -> tuple[int, dict[str, str], bytes]:
    assert url.startswith(ORIGIN)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    status, pairs, content = exchange(site.site, method, urlsplit(url).path, b"", named)
    return status, dict(pairs), content
