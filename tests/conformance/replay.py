"""Scenarios: the requests of a file sent to a site of their own, and what of the answers is held.

A scenario is a JSON file of `scenarios/`: its profile (`first` or `second`), what it shows, and its steps. A step:

- `as`: who asks, the login of an account; absent for nobody. `root`: of the interface, `/en/cms-json` by default;
- `method` (`GET` by default), `path`, `query`, `body` (JSON), `text` (a body as it is), `headers`;
- `save`: names for what later steps write as `{name}`, each with its path in the answer (`id`, `jobs.0.id`,
  `header:nonce`), after which `#` and a regular expression choose a part of a text;
- `forward`: seconds by which the clock goes on before the step; it stands still otherwise;
- `jobs`: true where background work is done before the step, while nothing outside answers;
- `only`: paths of the answer that are held, with `*` for any name or position; `[]` holds none, of an error the code;
- `status`, `headers_out` and `answer`: what is held. `record.py` writes their values; which headers are held is written
  by hand.

Masked is what is random (`_SECRET_NAMES`, `_SECRET_TEXTS`). Of an error its words are not held, but its code, status
and the names of faults; of an answer without `only`, `_links` are not. Rules: docs/rules.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import orjson

from conftest import ACCOUNTS, Answer, Client
from foreign_host import outbound_to
from vetrina.kernel.fake_clock import AdjustableClock
from vetrina.rest.error_statuses import list_error_statuses
from vetrina.rest.openapi_errors import list_route_errors
from vetrina.rest.route import Route
from vetrina.settings import Settings, load_profile
from vetrina.site import COMMON_ERRORS, Site
from vetrina.site_factory import create_stand_in_site
from vetrina.system import job_runner
from vetrina.system.bootstrap import InitialAccount

__all__ = ["FOLDER", "NO_ANSWER", "Scenario", "list_scenarios", "open_prepared_site", "prepare_site", "replay"]

FOLDER: Final = Path(__file__).resolve().parent / "scenarios"
_START: Final = 1_772_447_400  # 2026-03-02T10:30:00 GMT, a Monday
_SETTINGS: Final = Settings(secret="secret of the scenarios")
_SHOP_ACCOUNTS: Final = [
    InitialAccount(role, role, f"{role}@example.org", f"{role} pass word") for role in ("shop_manager", "customer")
]

# What is random, by the name of a member and by its form.
_SECRET_NAMES: Final = frozenset({
    "cart_hash", "cart-hash", "cart-token", "consumer_key", "lockKey", "nonce", "order_key", "password", "secret",
    "token",
})  # fmt: skip
_SECRET_TEXTS: Final = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"  # uuids
    r"|(?<=nonce=)[0-9a-f]{10}|\b[0-9a-f]{32,64}\b|shop_order_[0-9A-Za-z]{13}|(?<=secret=)[0-9A-Za-z]+"
)
_MASK: Final = "<masked>"
NO_ANSWER: Final = "(nothing)"  # in the place of an answer without a body, or of which nothing is held


class Step(NamedTuple):
    """A step as it stands in its file, and what came back."""

    written: dict[str, Any]
    status: int
    headers: dict[str, str]
    answer: Any
    undeclared: str  # a refusal whose code the route does not declare

    def list_differences(self) -> list[str]:
        """Return where the answer is not as it is written: the path, what was expected, what came.

        A refusal that the route does not declare is a difference, too: its code would be missing in the documents.
        """
        if "status" not in self.written:
            return ["status: the step was never recorded (tests/conformance/record.py)"]
        out = list(_compare("status", self.written["status"], self.status))
        out += _compare("headers_out", self.written.get("headers_out", {}), self.headers)
        out += _compare("answer", self.written.get("answer", NO_ANSWER), self.answer)
        return [*out, self.undeclared] if self.undeclared else out


@dataclass
class Scenario:
    """A file of requests."""

    path: Path
    content: dict[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.content = orjson.loads(self.path.read_bytes())

    @property
    def profile(self) -> str:
        name: str = self.content["profile"]
        return name

    @property
    def steps(self) -> list[dict[str, Any]]:
        steps: list[dict[str, Any]] = self.content["steps"]
        return steps


def list_scenarios() -> list[Path]:
    """Return the files of all scenarios, by name."""
    return sorted(FOLDER.glob("*.json"))


def prepare_site(profile: str, folder: Path, database: str = "") -> None:
    """Make the site that those of the scenarios of a profile are copied from, in a folder or an empty database."""
    accounts = [*ACCOUNTS, *(_SHOP_ACCOUNTS if profile == "second" else ())]
    settings = msgspec.structs.replace(_SETTINGS, database=database)
    site = create_stand_in_site(load_profile(profile), accounts, folder, settings, _freeze_clock())
    if not database:
        site.database.connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")
    site.close()


@contextmanager
def open_prepared_site(
    profile: str, prepared: Path, folder: Path, database: str = ""
) -> Iterator[tuple[Site, AdjustableClock]]:
    """Give a copy of a prepared site in a folder, and the clock that it goes by; database: a copy of a prepared one."""
    if not database:
        shutil.copy(prepared / "site.sqlite", folder / "site.sqlite")
    clock = _freeze_clock()
    settings = msgspec.structs.replace(_SETTINGS, database=database)
    site = Site(load_profile(profile), settings, folder, clock=clock, durable=False)
    try:
        yield site, clock
    finally:
        site.close()


def _freeze_clock() -> AdjustableClock:
    clock = AdjustableClock()
    clock.set(_START, frozen=True)
    return clock


def replay(scenario: Scenario, site: Site, clock: AdjustableClock) -> Iterator[Step]:
    """Send the steps of a scenario, in order, and give each with what came back."""
    saved: dict[str, Any] = {}
    for written in scenario.steps:
        if seconds := written.get("forward", 0):
            clock.set(clock.now() + seconds, frozen=True)
        if written.get("jobs"):
            context = replace(site.context, outbound=outbound_to(None))
            job_runner.build_consumer(context, site.database).run_due_jobs()
        sent = _fill(written, saved)
        answer = _send(site, sent)
        for name, path in written.get("save", {}).items():
            saved[name] = _find(answer, path)
        headers = {name: answer.headers.get(name) for name in written.get("headers_out", ())}
        yield Step(
            written,
            answer.status,
            _mask(headers),
            _select_held(answer, written.get("only")),
            _describe_undeclared(site, sent, answer),
        )


def _send(site: Site, step: dict[str, Any]) -> Answer:
    login = step.get("as") or ""
    client = Client(site, login, f"{login} pass word", step.get("root", "/en/cms-json"))
    words: dict[str, Any] = {"query": step.get("query"), "headers": step.get("headers")}
    if "text" in step:
        words["body"] = step["text"].encode()
    elif "body" in step:
        words["body"] = orjson.dumps(step["body"])
        words["headers"] = {"content-type": "application/json", **(words["headers"] or {})}
    return client.ask(step.get("method", "GET"), step["path"], **words)


def _describe_undeclared(site: Site, step: dict[str, Any], answer: Answer) -> str:
    """Return the code of a refusal that neither its route declares nor any route may answer; empty for none."""
    method, path = step.get("method", "GET"), step["path"].partition("?")[0]
    found = site.table.find(path, "GET" if method == "HEAD" else method)
    if answer.status < 400 or found is None or not step.get("root", "cms-json").endswith("cms-json"):
        return ""
    code = str(answer.json.get("code", "")) if answer.content[:1] == b"{" else ""
    route = found[0].by_method["GET" if method == "HEAD" else method]
    if not code or (code, answer.status) in _list_declared_codes(route):
        return ""
    return f"{method} {found[0].pattern}: {answer.status} {code} is not declared"


@cache
def _list_declared_codes(route: Route) -> frozenset[tuple[str, int]]:
    errors = (*list_route_errors(route), *COMMON_ERRORS)
    return frozenset(
        (code, status) for one in errors for code in one.list_codes() for status in list_error_statuses(one)
    )


def _fill(value: Any, saved: dict[str, Any]) -> Any:
    """Return a value with what was saved in its holes; a text that is one hole becomes what was saved."""
    if isinstance(value, dict):
        return {_fill(name, saved): _fill(member, saved) for name, member in value.items()}
    if isinstance(value, list):
        return [_fill(item, saved) for item in value]
    if not isinstance(value, str):
        return value
    if value[:1] == "{" and value[1:-1] in saved:
        return saved[value[1:-1]]
    return re.sub(r"\{(\w+)\}", lambda hole: str(saved.get(hole[1], hole[0])), value)


def _find(answer: Answer, path: str) -> Any:
    if path.startswith("header:"):
        return answer.headers[path.removeprefix("header:")]
    path, _, pattern = path.partition("#")
    value = answer.json
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    if not pattern:
        return value
    match = re.search(pattern, value)
    assert match is not None, f"{value!r} does not match {pattern!r}"
    return match[1]


# -- what is held


def _select_held(answer: Answer, only: list[str] | None) -> Any:
    if not answer.content:
        return NO_ANSWER
    try:
        value = orjson.loads(answer.content)
    except orjson.JSONDecodeError:
        value = answer.content.decode(errors="replace")
    if _is_error(value):
        error = _summarize(value)
        return _mask(error if only is None else {"code": error["code"]})
    if only is None:
        return _mask(_summarize(value))
    return _mask(_pick(value, [path.split(".") for path in only])) if only else NO_ANSWER


def _is_error(value: Any) -> bool:
    return isinstance(value, dict) and {"code", "message", "data"} <= value.keys() and len(value) <= 4


def _summarize(value: Any) -> Any:
    """Return a value without its links, and errors in it without their words."""
    if isinstance(value, list):
        return [_summarize(item) for item in value]
    if not isinstance(value, dict):
        return value
    if _is_error(value):
        data = value["data"]
        if isinstance(data, dict):
            data = {name: _summarize(member) for name, member in data.items()}
            if isinstance(data.get("params"), dict):
                data["params"] = list(data["params"])
            if isinstance(data.get("details"), dict):
                data["details"] = {name: detail["code"] for name, detail in data["details"].items()}
        return {"code": value["code"], "data": data}
    return {name: _summarize(member) for name, member in value.items() if name != "_links"}


def _pick(value: Any, paths: list[list[str]]) -> Any:
    """Return the part of a value that lies at the paths; of a list its items stay in their order."""
    if any(not path for path in paths):
        return _summarize(value)
    if isinstance(value, list):
        picked = ((at, [path[1:] for path in paths if path[0] in ("*", str(at))]) for at in range(len(value)))
        return [_pick(value[at], below) for at, below in picked if below]
    if isinstance(value, dict):
        members = ((name, [path[1:] for path in paths if path[0] in ("*", name)]) for name in value)
        return {name: _pick(value[name], below) for name, below in members if below}
    return value


def _mask(value: Any, name: str = "") -> Any:
    """Return a value without what is random; name: that of the member which it is."""
    if isinstance(value, dict):
        return {_SECRET_TEXTS.sub(_MASK, key): _mask(member, key) for key, member in value.items()}
    if isinstance(value, list):
        return [_mask(item) for item in value]
    if not isinstance(value, str) or not value:
        return value
    return _MASK if name in _SECRET_NAMES else _SECRET_TEXTS.sub(_MASK, value)


def _compare(where: str, expected: Any, got: Any) -> Iterator[str]:
    if isinstance(expected, dict) and isinstance(got, dict):
        for name in [*expected, *(name for name in got if name not in expected)]:
            here = f"{where}.{name}"
            if name not in got:
                yield f"{here}: expected {expected[name]!r:.200}, got nothing"
            elif name not in expected:
                yield f"{here}: expected nothing, got {got[name]!r:.200}"
            else:
                yield from _compare(here, expected[name], got[name])
    elif isinstance(expected, list) and isinstance(got, list) and len(expected) == len(got):
        for at, (one, other) in enumerate(zip(expected, got, strict=True)):
            yield from _compare(f"{where}.{at}", one, other)
    elif expected != got or type(expected) is not type(got):
        yield f"{where}: expected {expected!r:.200}, got {got!r:.200}"
