"""Every member of every batch, sent by every caller, gets the response of the single request.

The batches are taken from the routes, so that none is missed: those of a collection (create, update, delete), of the
site and of a shop's visitors. Each request runs in a transaction that is rolled back. Not here: who may do what
(test_matrix.py), that a handler has a single entry (tests/architecture/test_one_door.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from foreign_host import Host, answer
from vetrina.access.users import rules as users
from vetrina.kernel.errors import ApiError, PermissionDenied
from vetrina.rest.call import Request, Response
from vetrina.rest.error_statuses import build_member_error_response
from vetrina.rest.openapi import split_pattern
from vetrina.rest.route import Route
from vetrina.rest.route_table import Endpoint
from vetrina.shop.cart import tokens
from vetrina.shop.keys import rules as keys

from .samples import arguments
from .test_every_route import Asker
from .test_leaks import ORIGIN, ROOT, TOLD, Reader

VERBS = {"create": "POST", "update": "PUT", "delete": "DELETE"}
OF_THE_SITE, OF_VISITORS = "/batch/v1", "/shop/store/v1/batch"
PATHS = 4  # per route
# The batch of a collection accepts its members leniently: only a single request reports what is wrong with arguments.
OF_ARGUMENTS = {"rest_invalid_param", "rest_missing_callback_param"}


class Sender:
    """A site whose batches get members from everybody, and from programs with each kind of consumer key."""

    def __init__(self, reader: Reader) -> None:
        self.asker, self.reader, self.site = Asker(reader), reader, reader.site
        self.callers: dict[str, dict[str, str]] = {caller: {} for caller in reader.callers}
        self.has_shop = "shop" in self.site.context.profile.modules
        if self.has_shop:
            self._make_keys()

    def _make_keys(self) -> None:
        for owner in ("shop_manager", "customer"):
            for permissions in keys.PERMISSIONS:
                with self.site.work() as work:
                    account = users.find_user_by_login(work.tx, owner, work.site.roles)
                    assert account is not None
                    _, key, secret = keys.create_consumer_key(work, account.id, permissions)
                caller = f"{permissions} key of {owner}"
                self.callers[caller] = {"consumer_key": key, "consumer_secret": secret}
                self.reader.users[caller] = account

    def call(self, caller: str, request: Request) -> Response:
        """Return a caller's response; its changes are rolled back."""
        if pair := self.callers[caller]:
            request.query.update(pair)
            try:
                self.reader.users[caller] = self.site.sign_in(request)
            except ApiError as error:
                return build_member_error_response(error)
        return self.asker.call(caller, request)

    def nonce(self, caller: str) -> str:
        """Return the nonce of a page for this caller."""
        with self.site.work(read=True) as work:
            return tokens.compute_nonce(work.site, self.reader.users[caller].id, work.now)

    def targets(self, place: Endpoint, verb: str) -> list[str]:
        """Return some paths of a route; the administrator's account and the first record are among them."""
        found = self.reader.filled(place)[:PATHS]
        if verb != "create" and place.pattern.endswith(r"/(?P<id>[\d]+)"):
            found.append(f"{found[0].rpartition('/')[0]}/1")
        return list(dict.fromkeys(found))

    def of_collections(self) -> Iterator[tuple[Endpoint, str]]:
        """Yield the batches of collections with each kind of member that they accept."""
        for place in self.site.table.endpoints.values():
            route = place.by_method.get("POST")
            if route is not None and place.pattern.endswith("/batch"):
                for verb in VERBS:
                    if verb in route.batch_arguments:
                        yield place, verb

    def lone(self, place: Endpoint, verb: str) -> tuple[Endpoint, Route] | None:
        """Return the outcome of a collection's batch member as a single request."""
        collection, method = place.pattern.removesuffix("/batch"), VERBS[verb]
        for other in self.site.table.endpoints.values():
            rest = other.pattern.removeprefix(collection)
            fits = rest == "" if verb == "create" else re.fullmatch(r"/\(\?P<id>[^/]*\)", rest)
            if other.pattern.startswith(collection) and fits and method in other.by_method:
                return other, other.by_method[method]
        return None


def outcome(answered: Response) -> str:
    """Return the outcome of a single request: the code that refused it, or that it was allowed."""
    return f"{answered.status} {answered.body['code']}" if answered.failed else "done"


def of_envelope(envelope: Any) -> str:
    """Return the outcome of a member that has its own response."""
    status, body = envelope["status"], envelope["body"]
    return f"{status} {body['code']}" if status >= 400 else "done"


def of_member(body: Any) -> str:
    """Return the outcome of a member of a collection's batch."""
    error = body.get("error") if isinstance(body, dict) else None
    return f"{error['data']['status']} {error['code']}" if error else "done"


def is_refusal(said: str) -> bool:
    return said.startswith(("401", "403"))


@pytest.fixture(params=["first", "second"], scope="module")
def sender(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sender]:
    folder = tmp_path_factory.mktemp("batches")
    with Host(lambda handler: answer(handler, b"<title>Frutta</title>", Content_Type="text/html")) as host:
        made = Sender(Reader(folder, request.param, host))
        yield made
        made.site.close()


def test_a_member_of_a_collection_is_answered_as_the_lone_request(sender: Sender) -> None:
    unlike, asked = [], 0
    for batch, verb in sender.of_collections():
        found = sender.lone(batch, verb)
        if found is None:
            continue
        place, route = found
        for path in sender.targets(place, verb):
            collection, _, id = path.rpartition("/") if verb != "create" else (path, "", "")
            for every in (False, True) if verb == "update" else (False,):
                given = (
                    arguments(route.args, dict(split_pattern(place.pattern)[1]), every=every)
                    if verb != "delete"
                    else {}
                )
                given.pop("id", None)
                for caller in sender.callers:
                    body = {**given, "force": True} if verb == "delete" else given
                    alone = outcome(sender.call(caller, Request(VERBS[verb], path, ROOT, ORIGIN, "en", json=body)))
                    member = id if verb == "delete" else {**given, **({"id": id} if id else {})}
                    inside = Request("POST", f"{collection}/batch", ROOT, ORIGIN, "en", json={verb: [member]})
                    together = sender.call(caller, inside)
                    asked += 1
                    if together.failed:
                        # Without the right to send the batch, none of it may be done.
                        said = outcome(together)
                        good = is_refusal(said) and alone != "done"
                    else:
                        said = of_member(together.body[verb][0])
                        good = said == alone or alone.split()[-1] in OF_ARGUMENTS
                    if not good:
                        unlike.append(f"{caller}: {verb} {path} {given}: {said}, alone {alone}")
    assert unlike == []
    assert asked > 1000 or not sender.has_shop


def test_every_route_that_carries_others_is_a_known_batch(sender: Sender) -> None:
    """Those that another test here sends members through."""
    for place in sender.site.table.endpoints.values():
        for route in place.routes:
            if route.batch_arguments == ("requests",):
                assert place.pattern in (OF_THE_SITE, OF_VISITORS, OF_VISITORS.replace("/v1", ""))
            elif route.batch_arguments:
                assert place.pattern.endswith("/batch")
                assert {*route.batch_arguments} <= VERBS.keys()


def test_slow_work_of_a_member_is_begun_for_those_alone_who_may_make_it(sender: Sender) -> None:
    if not sender.has_shop:
        pytest.skip("a site without a shop")
    raw = {"name": "x", "images": [{"src": "https://images.example/x.png"}]}
    for caller in sender.reader.callers:
        request = Request("POST", "/shop/v3/products/batch", ROOT, ORIGIN, "en", json=raw)
        with sender.site.open_work(request, sender.reader.users[caller], True) as work:
            member = sender.site.dispatcher.build_member_call("POST", "/shop/v3/products", request, raw, work)
            if caller in ("administrator", "shop_manager"):
                assert sender.site.dispatcher.prepare_call(member) is not None
            else:
                with pytest.raises(PermissionDenied):
                    sender.site.dispatcher.prepare_call(member)


def test_only_a_batch_whose_members_are_all_refused_has_no_lone_request(sender: Sender) -> None:
    """Settings of several groups at once, which the interface refuses one by one."""
    for batch, verb in sender.of_collections():
        if sender.lone(batch, verb) is None:
            path, body = sender.reader.filled(batch)[0], {verb: [{"id": "x", "value": "x"}]}
            answered = sender.call("administrator", Request("POST", path, ROOT, ORIGIN, "en", json=body))
            assert of_member(answered.body[verb][0]) == "405 invalid-method", path


def test_a_member_of_the_batch_of_the_site_is_answered_as_the_lone_request(sender: Sender) -> None:
    unlike, asked = [], 0
    for place in sender.site.table.endpoints.values():
        for route in place.routes:
            for method in (method for method in route.methods if method != "GET" and route.batch):
                for path in sender.targets(place, method):
                    given = arguments(route.args, dict(split_pattern(place.pattern)[1]), every=False)
                    given |= {name: value for name, value in TOLD.items() if name in given}
                    member = {"method": method, "path": path, "body": given}
                    inside = {"requests": [member]}
                    for caller, key in sender.callers.items():
                        # A consumer key is valid for the shop's routes only: to the batch of the site it is anonymous.
                        lone = Request(method, path, ROOT, ORIGIN, "en", form=given)
                        alone = outcome(sender.call("nobody" if key else caller, lone))
                        together = sender.call(caller, Request("POST", OF_THE_SITE, ROOT, ORIGIN, "en", json=inside))
                        asked += 1
                        said = outcome(together) if together.failed else of_envelope(together.body["responses"][0])
                        if said != alone:
                            unlike.append(f"{caller}: {method} {path} {given}: {said}, alone {alone}")
    assert unlike == []
    assert asked > 500


def test_the_batch_of_the_site_carries_no_other_route(sender: Sender) -> None:
    """For the administrator too, and least of all another batch."""
    for place in sender.site.table.endpoints.values():
        for route in place.routes:
            for method in (method for method in route.methods if method != "GET" and not route.batch):
                path = sender.reader.filled(place)[0]
                at = sender.site.table.find(path, method)
                if at is not None and at[0].by_method[method] is route:
                    inside = {"requests": [{"method": method, "path": path}]}
                    request = Request("POST", OF_THE_SITE, ROOT, ORIGIN, "en", json=inside)
                    (one,) = sender.call("administrator", request).body["responses"]
                    assert of_envelope(one) == "400 rest_batch_not_allowed", (method, path)


def test_no_batch_carries_another(sender: Sender) -> None:
    """It could be of any length, and would be counted as one request."""
    paths = [
        path
        for place in sender.site.table.endpoints.values()
        if any(route.batch_arguments for route in place.routes)
        for path in sender.reader.filled(place)[:1]
    ]
    for outer in (OF_THE_SITE, OF_VISITORS) if sender.has_shop else (OF_THE_SITE,):
        for path in paths:
            inside = {"requests": [{"path": path, "body": {"requests": [], "create": [{}]}}]}
            request = Request("POST", outer, ROOT, ORIGIN, "en", json=inside)
            answered = sender.call("administrator", request)
            if answered.failed:
                assert outcome(answered) == "400 shop_rest_batch_invalid_path"
            else:
                assert of_envelope(answered.body["responses"][0]) == "400 rest_batch_not_allowed", (outer, path)


def test_a_member_of_the_batch_of_visitors_is_answered_as_the_lone_request(sender: Sender) -> None:
    """With and without the nonce that a write of a visitor needs, sent with the member or with the whole."""
    if not sender.has_shop:
        pytest.skip("a site without a shop")
    unlike, asked = [], 0
    for place in sender.site.table.endpoints.values():
        if not place.namespace.startswith("shop/store"):
            continue
        for route in place.routes:
            for method in (method for method in route.methods if method != "GET" and not route.batch_arguments):
                for path in sender.targets(place, method):
                    given = arguments(route.args, dict(split_pattern(place.pattern)[1]), every=False)
                    for caller in sender.callers:
                        for sent in ({}, {"nonce": sender.nonce(caller)}):
                            lone = Request(method, path, ROOT, ORIGIN, "en", form=given, headers=sent)
                            alone = outcome(sender.call(caller, lone))
                            member = {"method": method, "path": path, "body": given}
                            for own, outer in ((sent, {}), ({}, sent)):
                                inside = {"requests": [{**member, "headers": own}]}
                                request = Request("POST", OF_VISITORS, ROOT, ORIGIN, "en", json=inside, headers=outer)
                                together = sender.call(caller, request)
                                asked += 1
                                said = (
                                    outcome(together) if together.failed else of_envelope(together.body["responses"][0])
                                )
                                if said != alone:
                                    unlike.append(f"{caller}: {method} {path} {given} {sent}: {said}, alone {alone}")
    assert unlike == []
    assert asked > 500
