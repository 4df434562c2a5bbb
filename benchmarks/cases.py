"""What is asked of a measured site: every row of the tables, and of which server it is asked.

Servers: `bare` is Starlette with the bytes of the cached collection, `cached` the product as it is, `uncached` keeps no
answers. Not here: how it is measured (run.py).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass

import build
import others

__all__ = ["CASES", "FIRST_SEARCH", "POSTS", "ROOT", "TYPE_CASES", "Case", "get", "post"]

ROOT = "/en/cms-json"
POSTS = f"{ROOT}/cms/v2/posts"
FIRST_SEARCH = "… the first time that anybody looks for it"
AUTHORIZATION = "Basic " + base64.b64encode(f"admin:{build.PASSWORD}".encode()).decode()


@dataclass(frozen=True)
class Case:
    """One row. requests: (port, posts, numbers) -> request bytes in turn; numbers: of the things of `base`."""

    name: str
    server: str
    requests: Callable[[int, int, list[int]], list[bytes]]
    base: str = ""


def get(target: str, port: int, signed_in: bool = False) -> bytes:
    """Return the bytes of a GET."""
    credentials = f"Authorization: {AUTHORIZATION}\r\n" if signed_in else ""
    return f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{credentials}\r\n".encode()


def post(target: str, port: int, body: object) -> bytes:
    content = json.dumps(body).encode()
    head = (
        f"POST {target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: {AUTHORIZATION}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


def _body(number: int) -> dict[str, object]:
    text = f"A paragraph of the benchmark, number {number}, with some words so that there is something to render."
    content = f"<!-- wp:paragraph -->\n<p>{text}</p>\n<!-- /wp:paragraph -->"
    return {"title": f"Created {number}", "content": content, "status": "publish", "categories": [2]}


def _batch(number: int) -> dict[str, object]:
    return {"requests": [{"path": "/cms/v2/posts", "body": _body(number * 25 + at)} for at in range(25)]}


def _spread(posts: int, count: int = 997) -> list[int]:
    """Return numbers of posts from all over the site."""
    return [1 + (at * 7919 * 13) % posts for at in range(count)]


CASES = (
    Case("bare Starlette, the same bytes", "bare", lambda port, posts, _: [get(POSTS, port)]),
    Case("collection of 10, cached", "cached", lambda port, posts, _: [get(POSTS, port)]),
    Case("collection of 10, uncached", "uncached", lambda port, posts, _: [get(POSTS, port)]),
    Case(
        "collection of 10 by category, page 3, uncached", "uncached",
        lambda port, posts, _: [get(f"{POSTS}?categories={2 + at}&page=3", port) for at in range(20)],
    ),
    Case(
        "single record, uncached", "uncached",
        lambda port, posts, _: [get(f"{POSTS}/{number}", port) for number in _spread(posts)],
    ),
    Case(
        "100 records with two fields, uncached", "uncached",
        lambda port, posts, _: [get(f"{POSTS}?per_page=100&_fields=id,title", port)],
    ),
    Case(
        "search of one word (a tenth of the posts), uncached", "uncached",
        lambda port, posts, _: [get(f"{POSTS}?search={build.COMMON_WORD}", port)],
    ),
    Case(
        "search of a rare substring, uncached", "uncached",
        lambda port, posts, _: [get(f"{POSTS}?search={build.RARE_WORD[1:-1]}", port)],
    ),
    Case(
        "create, durable", "uncached",
        lambda port, posts, _: [post(POSTS, port, _body(at)) for at in range(500)],
    ),
    Case(
        "create and search of one word in turn, durable", "uncached",
        lambda port, posts, _: [
            one for at in range(200)
            for one in (post(POSTS, port, _body(at)), get(f"{POSTS}?search={build.COMMON_WORD}", port))
        ],
    ),
    Case(
        "batch of 25 creates, durable", "uncached",
        lambda port, posts, _: [post(f"{ROOT}/batch/v1", port, _batch(at)) for at in range(100)],
    ),
)  # fmt: skip


def _of_type(base: str) -> tuple[Case, Case]:
    path = f"{ROOT}/cms/v2/{base}"
    whole = base == "templates"
    return (
        Case(
            f"{base}: {'the whole list' if whole else 'list of 10'}", "uncached",
            lambda port, posts, numbers: [get(f"{path}?per_page=10", port, True)], base,
        ),
        Case(
            f"{base}: one", "uncached",
            lambda port, posts, numbers: [get(f"{path}/{number}", port, True) for number in numbers], base,
        ),
    )  # fmt: skip


# With credentials, because some of them are for nobody else; so the posts are here once more, to compare with.
TYPE_CASES = tuple(case for base in ("posts", *others.TYPES) for case in _of_type(base))
