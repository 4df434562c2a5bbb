"""Every route with every method, called by everybody with valid arguments: no failure, and no disclosure.

The calls are taken from the routes, so that none is missed. Each request runs in a transaction that is rolled back, on
a site full of words that only some may see (secrets.py). A response has a status and a code that its route declares,
and fits the document. Not here: who may do what (test_matrix.py), all reads with all queries (test_leaks.py).

    VETRINA_EXAMPLES=1 pytest tests/permissions/test_every_route.py     # every method, every caller, every path
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import orjson
import pytest

from conftest import Client
from foreign_host import Host, answer
from openapi.shapes import Document, choose_context
from vetrina.rest.call import Request, Response
from vetrina.rest.openapi import SiteDescription, build_openapi_document, split_pattern
from vetrina.rest.route import Route
from vetrina.rest.route_table import Endpoint

from .rows import NONE
from .samples import arguments
from .test_leaks import ORIGIN, ROOT, TOLD, WITHOUT_CODE, Reader, declared

LONG = bool(os.environ.get("VETRINA_EXAMPLES"))
PATHS = 3 if LONG else 1  # per route
# Second halves of the words that a password protects.
PROTECTED = ("protectedqz", "hintqz", "contentkeptqz")
# The prescribed response for a type without a trash.
NO_TRASH = {(501, "rest_trash_not_supported"), (501, "shop_rest_trash_not_supported")}


# Arguments that nobody guesses: keys of mails, passwords, tokens.
SECRETS = {"key", "current_password", "password", "refresh_token", "token"}


def takes_secret(place: Endpoint) -> bool:
    """Return whether every route of an endpoint that writes needs a secret."""
    writing = [route for route in place.routes if route.methods != ("GET",)]
    return bool(writing) and all(
        any(field.required for name, field in route.args.items() if name in SECRETS) for route in writing
    )


class _Undo(Exception):
    """Rolls back a transaction."""


@dataclass
class Found:
    """The results, each with its request."""

    failed: list[str] = field(default_factory=list)
    undeclared: set[str] = field(default_factory=set)
    leaks: set[str] = field(default_factory=set)
    strays: set[str] = field(default_factory=set)
    good: set[str] = field(default_factory=set)
    asked: int = 0


class Asker:
    """A site full of secrets, whose routes are called one after the other."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.site = reader, reader.site
        self.document = Document(build_openapi_document(reader.site.index, SiteDescription("", "", {})))
        plain = re.compile(r"\{[^{}]*\}")
        paths = {plain.sub("{}", path): path for path in self.document.read["paths"]}
        self.paths = {
            place.pattern: paths[plain.sub("{}", split_pattern(place.pattern)[0])]
            for place in self.site.table.endpoints.values()
        }

    def call(self, caller: str, request: Request) -> Response:
        """Return a caller's response; its changes are rolled back."""
        user, found = self.reader.users[caller], []
        try:
            with self.site.open_work(request, user, False) as work:
                found.append(self.site.dispatcher.answer_within(request, work))
                raise _Undo
        except _Undo:
            return found[0]

    def ask_everything(self, out: Found) -> None:
        for place in self.site.table.endpoints.values():
            paths = self.reader.filled(place)[:PATHS]
            for route in place.routes:
                for method in route.methods if LONG else route.methods[:1]:
                    for path in paths:
                        # A number may be valid where another place requires a word.
                        found = self.site.table.find(path, method)
                        asked = found[0] if found else place
                        for every in (True, False) if LONG else (True,):
                            self._ask(out, asked, asked.by_method[method], method, path, every)

    def search_for_everything(self) -> set[str]:
        """Return the results of a search for words that the caller may not read, which would reveal that they exist."""
        out, reader = set(), self.reader
        # A search covers the stored text, its block comments included, and may reveal that they exist.
        hidden = [(word, may) for word, may in reader.secrets.may.items() if not word.endswith("rawqz")]
        words = sorted(hidden)[:: 1 if LONG else 9]
        for place in self.site.table.endpoints.values():
            route = place.by_method.get("GET")
            if route is None or "search" not in route.args or not place.fixed:
                continue
            for word, may in words:
                for caller in reader.callers:
                    # Signed-in users find protected content, as on the reference; nobody else does.
                    if caller not in may and not (caller != "nobody" and word.endswith(PROTECTED)):
                        status, body, _ = reader.read(caller, place.pattern, {"search": word})
                        if status == 200 and isinstance(body, list) and body:
                            out.add(f"{caller}: {place.pattern} {word}")
        return out

    def _ask(self, out: Found, place: Endpoint, route: Route, method: str, path: str, every: bool) -> None:
        given = arguments(route.args, dict(split_pattern(place.pattern)[1]), every=every)
        given |= {name: value for name, value in TOLD.items() if name in given}
        for caller in self.reader.callers:
            named = {name: given} if (name := "query" if method in ("GET", "DELETE") else "json") else {}
            request = Request(method, path, ROOT, ORIGIN, "en", **named)
            what = f"{caller}: {method} {path} {orjson.dumps(given)[:200].decode()}"
            try:
                answered = self.call(caller, request)
            except Exception as error:
                out.failed.append(f"{what}: {error!r}")
                continue
            out.asked += 1
            self._look(out, place, route, method, what, caller, answered, given)

    def _look(
        self,
        out: Found,
        place: Endpoint,
        route: Route,
        method: str,
        what: str,
        caller: str,
        answered: Response,
        given: Any,
    ) -> None:
        status, body = answered.status, answered.body
        code = str(body.get("code")) if isinstance(body, dict) and answered.failed else ""
        if status >= 500 and (status, code) not in NO_TRASH:
            out.failed.append(f"{what}: {status} {body}")
        where = self.document.read["paths"][self.paths[place.pattern]][method.lower()]["responses"]
        if str(status) not in where and (status, code) not in NO_TRASH and place.pattern not in WITHOUT_CODE:
            out.undeclared.add(f"{what}: {status} {code}")
        elif answered.failed and place.pattern not in WITHOUT_CODE and (status, code) not in NO_TRASH:
            # Some errors have only a message, and a status that the route declares.
            if (code, status) not in declared(route) and status not in route.other_statuses:
                out.undeclared.add(f"{what}: {status} {code}")
        elif not answered.failed:
            out.good.add(place.pattern)
        if place.pattern in out.good and not answered.failed and answered.raw_content is None:
            path = self.paths[place.pattern]
            schema = self.document.answer(path, method, status)
            if schema is not None:
                contexts = self.document.read["paths"][path][method.lower()].get("x-contexts", {})
                schema = choose_context(schema, contexts, str(given.get("context", "")))
                out.strays |= {f"{method} {place.pattern} {one}" for one in self.document.strays(schema, body)[:5]}
        content = orjson.dumps([body, answered.headers, answered.links], default=str)
        content += answered.raw_content[1] if answered.raw_content else b""
        may = self.reader.secrets.may
        words = {one.decode() for one in re.findall(b"zq[a-z]+qz", content)} - set(_texts(given))
        out.leaks |= {f"{what}: {one}" for one in words if caller not in may.get(one, NONE)}


def _texts(value: Any) -> Iterator[str]:
    """Yield the words that a caller sent."""
    if isinstance(value, str):
        yield from re.findall("zq[a-z]+qz", value)
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


@pytest.fixture(params=["first", "second"], scope="module")
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Asker, Found]]:
    folder = tmp_path_factory.mktemp("every")
    with Host(lambda handler: answer(handler, b"<title>Frutta</title>", Content_Type="text/html")) as host:
        asker, found = Asker(Reader(folder, request.param, host)), Found()
        asker.ask_everything(found)
        yield asker, found
        asker.site.close()


def test_nothing_fails(asked: tuple[Asker, Found]) -> None:
    assert asked[1].failed == []


def test_every_answer_has_a_declared_status_and_code(asked: tuple[Asker, Found]) -> None:
    assert sorted(asked[1].undeclared) == []


def test_nobody_sees_what_is_not_for_him(asked: tuple[Asker, Found]) -> None:
    assert sorted(asked[1].leaks) == []


def test_every_answer_is_as_the_document_describes_it(asked: tuple[Asker, Found]) -> None:
    assert not asked[1].strays, "\n".join(sorted(asked[1].strays))


def test_a_search_does_not_tell_what_is_not_for_the_caller(asked: tuple[Asker, Found]) -> None:
    found = sorted(asked[0].search_for_everything())
    assert not found, found


def test_pages_for_programs_tell_nothing_hidden(asked: tuple[Asker, Found]) -> None:
    """Feeds, the sitemap and oEmbed, read anonymously in the URLs of either dialect."""
    site, may = asked[0].site, asked[0].reader.secrets.may
    nobody = Client(site, root="")
    listed = nobody.get("/sitemap.xml")
    pieces = re.findall(r"<loc>http://vetrina\.test(/[^<]+)</loc>", listed.content.decode())
    assert listed.status == 200
    for path in (
        "/sitemap.xml",
        *pieces,
        "/en/feed/",
        "/it/feed/atom/",
        "/en/comments/feed/",
        "/en/?s=zq",
        "/robots.txt",
    ):
        told = nobody.get(path).content
        words = {one.decode() for one in re.findall(b"zq[a-z]+qz", told)}
        assert {one for one in words if "nobody" not in may.get(one, NONE)} == set(), path


def test_most_routes_can_be_called(asked: tuple[Asker, Found]) -> None:
    asker, found = asked
    open_ones = [place for place in asker.site.table.endpoints.values() if not takes_secret(place)]
    assert len(found.good) > len(open_ones) * 0.6
    assert found.asked > len(asker.site.table.endpoints) * len(asker.reader.callers)
