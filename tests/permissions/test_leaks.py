"""Every readable URL, read by everybody: nobody gets a word that is not for them (secrets.py).

The URLs are taken from the routes of the site and from its administrator's responses, so that new routes are included
at once. Refusals on the way must have codes from the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from conftest import LOGINS, Client
from foreign_host import Host, answer, outbound_to
from vetrina.rest.call import Request
from vetrina.rest.openapi import NEUTRAL_NAMING, split_pattern
from vetrina.rest.openapi_errors import list_error_codes, list_route_errors
from vetrina.rest.route import Route
from vetrina.rest.route_table import Endpoint
from vetrina.settings import Settings, load_profile
from vetrina.site import Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system.bootstrap import InitialAccount

from .rows import CALLERS, NONE, OF_SHOPS
from .secrets import ACCOUNTS_WITH_SECRETS, Secrets

ORIGIN = "http://vetrina.test"
ROOT = f"{ORIGIN}/en/cms-json"
MOST, FEW = 16, 2  # values of one path parameter, for content and for the rest
NAMES = ("id", "uuid", "slug", "code", "stylesheet", "plugin", "name", "key", "wp_id")
# Required arguments of routes, and values of path parameters that no list contains.
TOLD = {
    "url": f"{ORIGIN}/?p=1", "slug": "index", "term": "x", "search": "zq", "email": "zqbuyerqz@example.org",
    "options": "blogname,admin_email,shop_bacs_settings", "plugin": "shop/shop", "type": "products",
}  # fmt: skip
OTHERWISE = ("1", "2", "3", "post", "core/archives", "category", "products", "general", "bacs", "me")
QUERIES: tuple[dict[str, str], ...] = (
    {"context": "edit", "status": "any", "per_page": "100"},
    {"context": "edit", "status": "trash"},
    {"context": "edit", "status": "hold"},
    {"context": "edit", "status": "spam"},
    {"context": "edit", "type": "note"},
    {"context": "embed", "per_page": "100"},
    {"per_page": "100", "_embed": "1"},
)
# Responses of the reference without a code, where an outside service has nothing to say.
WITHOUT_CODE = {
    "/vendor/installer/v1/push/fetch-subscription",
    "/mlang/ate/v1/ate/proxy",
    "/shop-admin/onboarding/plugins/scheduled-installs/(?P<job_id>\\w+)",
    "/shopcom-site/v3/installer/(?P<product_id>\\d+)/state",
}


@dataclass
class Found:
    """The results of reading everything as everybody."""

    leaks: set[tuple[str, str, str]] = field(default_factory=set)
    seen: set[str] = field(default_factory=set)
    undeclared: set[tuple[str, int, str]] = field(default_factory=set)
    misplaced: set[tuple[str, str, int]] = field(default_factory=set)
    read: set[str] = field(default_factory=set)


class Reader:
    """A site full of secrets, and its callers."""

    def __init__(self, folder: Path, profile: str, host: Host) -> None:
        found = load_profile(profile)
        # What content shows to roles between anonymous and editor is tested on the first profile.
        of_shops = [role for role in OF_SHOPS if role in found.roles]
        self.callers = (*of_shops, "nobody", "editor", "administrator") if of_shops else CALLERS
        known = {one.role for one in ACCOUNTS_WITH_SECRETS}
        roles = [one for one in self.callers if one != "nobody" and one not in known]
        others = [InitialAccount(role, role, f"{role}@example.org", f"{role} pass word") for role in roles]
        first = create_stand_in_site(
            found, [*ACCOUNTS_WITH_SECRETS, *others], folder, Settings(secret="secret of the tests")
        )
        settings, context = first.context.settings, first.context
        first.close()
        self.site = Site(context.profile, settings, folder, durable=False, outbound=outbound_to(host))
        self.secrets = Secrets(self.client, "shop" in found.modules)
        self.users = {caller: self.site.sign_in(self._asked(caller)) for caller in self.callers}
        self._kept: dict[str, list[str]] = {}

    def client(self, login: str) -> Client:
        return Client(self.site, login, f"{login} pass word")

    def _asked(self, caller: str) -> Request:
        login = "" if caller == "nobody" else LOGINS.get(caller, caller)
        return Request("GET", "/", ROOT, ORIGIN, "en", headers=self.client(login).headers)

    def read(self, caller: str, path: str, query: dict[str, str]) -> tuple[int, Any, bytes]:
        """Return status, body and all bytes of what a caller gets."""
        request = Request("GET", path, ROOT, ORIGIN, "en", {**query})
        found = self.site.dispatcher.answer(request, self.users[caller])
        content = orjson.dumps([found.body, found.headers, found.links], default=str)
        return found.status, found.body, content + (found.raw_content[1] if found.raw_content else b"")

    def addresses(self) -> Iterator[tuple[Endpoint, str]]:
        """Yield every readable path, with the ids and names that its administrator reads."""
        for place in self.site.table.endpoints.values():
            if "GET" in place.by_method:
                for path in self.filled(place):
                    yield place, path

    def filled(self, place: Endpoint) -> list[str]:
        """Return the paths of a route, with its parameters filled from left to right."""
        path, holes = split_pattern(place.pattern)
        paths, rest = [""], path
        for name, pattern in holes:
            front, _, rest = rest.partition(f"{{{name}}}")
            begun = [one + front for one in paths]
            paths = [one + value for one in begun for value in self._values(one.rstrip("/"), pattern, place)]
        return [one + rest for one in paths][:MOST]

    def _values(self, path: str, pattern: str, place: Endpoint) -> list[str]:
        """Return the values of a parameter below a path."""
        above = self.site.table.find(path, "GET")
        if path not in self._kept:
            answers = [
                self.read("administrator", path, {**told(above[0]), **query})
                for query in (_queries(above[0]) if above else ())
            ]
            named = [name for status, body, _ in answers if status == 200 for name in _named(body)]
            self._kept[path] = list(dict.fromkeys(named)) or list(OTHERWISE)
        fitting = [value for value in self._kept[path] if re.fullmatch(pattern, value)]
        most = MOST if place.namespace.startswith("cms") else FEW
        # Spread over the list, so that every status of its records occurs.
        some = fitting[:: -(-len(fitting) // most) or 1]
        found = list(dict.fromkeys((*(one for one in OTHERWISE if one in fitting), *some)))
        return found or [value for value in OTHERWISE if re.fullmatch(pattern, value)][:1] or ["1"]

    def ask_everything(self) -> Found:
        """Read everything as everybody."""
        out, may = Found(), self.secrets.may
        every = re.compile(b"zq[a-z]+qz|" + b"|".join(re.escape(one).encode() for one in may))
        for place, path in self.addresses():
            # A number may be valid where another place requires a word.
            asked = self.site.table.find(path, "GET")
            known = declared((asked[0] if asked else place).by_method["GET"])
            for query in _queries(place):
                for caller in reversed(self.callers):
                    status, body, content = self.read(caller, path, {**told(place), **query})
                    words = {one.decode() for one in every.findall(content)}
                    out.leaks |= {(caller, place.pattern, one) for one in words if caller not in may.get(one, NONE)}
                    if caller == "administrator":
                        out.seen |= words
                    if status < 400:
                        out.read.add(place.pattern)
                    elif place.pattern not in WITHOUT_CODE:
                        code = body.get("code") if isinstance(body, dict) else "no code"
                        if (code, status) not in known:
                            out.undeclared.add((place.pattern, status, str(code)))
                        if status in (401, 403) and (status == 401) != (caller == "nobody"):
                            out.misplaced.add((caller, place.pattern, status))
                    if caller == "administrator" and status >= 400 and query is not QUERIES[-1]:
                        break  # a list without such a parameter, or one that refuses it, for everybody
        return out


@cache
def declared(route: Route) -> set[tuple[str, int]]:
    """Return the codes of a route with their statuses."""
    return {
        (one["code"], status)
        for one in list_error_codes(list_route_errors(route), NEUTRAL_NAMING)
        for status in one["status"]
    }


def _queries(place: Endpoint) -> tuple[dict[str, str], ...]:
    """Return the queries that may change a response of a route."""
    known = place.by_method["GET"].args
    return (QUERIES[0], *(one for one in QUERIES[1:-1] if {*one} - {"context"} <= {*known}), QUERIES[-1])


def told(place: Endpoint) -> dict[str, str]:
    """Return the required arguments of a read."""
    return {name: TOLD[name] for name, field in place.by_method["GET"].args.items() if field.required and name in TOLD}


def _named(body: Any) -> list[str]:
    """Return the names of the items of a list."""
    names = [str(key) for key in body] if isinstance(body, dict) else []
    for row in body.values() if isinstance(body, dict) else body if isinstance(body, list) else ():
        if isinstance(row, dict):
            value = next((row[name] for name in NAMES if isinstance(row.get(name), str | int)), None)
            names += [str(value)] if value else []
    return names


@pytest.fixture(params=["first", "second"], scope="module")
def asked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Reader, Found]]:
    folder = tmp_path_factory.mktemp("leaks")
    with Host(lambda handler: answer(handler, b"<title>Frutta</title>", Content_Type="text/html")) as host:
        reader = Reader(folder, request.param, host)
        yield reader, reader.ask_everything()
        reader.site.close()


def test_nobody_reads_what_is_not_for_him(asked: tuple[Reader, Found]) -> None:
    assert sorted(asked[1].leaks) == []


def test_every_word_can_be_read_by_the_administrator(asked: tuple[Reader, Found]) -> None:
    """Otherwise it could not have been found with anybody."""
    reader, found = asked
    assert sorted(word for word, may in reader.secrets.may.items() if may and word not in found.seen) == []


def test_what_is_refused_is_refused_with_a_declared_code(asked: tuple[Reader, Found]) -> None:
    assert sorted(asked[1].undeclared) == []


def test_only_nobody_is_asked_who_he_is(asked: tuple[Reader, Found]) -> None:
    assert sorted(asked[1].misplaced) == []


def test_most_routes_can_be_read(asked: tuple[Reader, Found]) -> None:
    reader, found = asked
    readable = {place.pattern for place in reader.site.table.endpoints.values() if "GET" in place.by_method}
    assert len(found.read) > len(readable) * 0.7, sorted(readable - found.read)
