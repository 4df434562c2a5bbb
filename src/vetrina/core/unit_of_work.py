"""The unit of work: everything that a domain function needs for one request, handed in and nothing hidden.

A Frame is what a site is while it runs; a Work is one transaction of it, with its caller, its language and its clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from vetrina.access.users.model import NOBODY, User
from vetrina.backends import change_log
from vetrina.backends.database import Tx
from vetrina.backends.decoding_memory import DecodingMemory
from vetrina.backends.file_store import Files, NoFiles
from vetrina.backends.filter_cache import Matches
from vetrina.backends.http_client import Outbound
from vetrina.core import options
from vetrina.kernel.errors import WorkAhead
from vetrina.kernel.render_budget import Budget
from vetrina.kernel.times import Clock, UnknownZone, Zone, zone
from vetrina.rest.call import TIME, Request
from vetrina.settings import Profile, Settings

if TYPE_CHECKING:
    from vetrina.access.sign_in.guess_limiter import Guesses
    from vetrina.content.types.model import ContentType, Taxonomy

if TYPE_CHECKING:
    from vetrina.content.blocks.dynamic_rendering import Maker

__all__ = ["Frame", "Showing", "Shown", "Texts", "Work"]

_LOG = logging.getLogger("vetrina.work")
_LONG: Final = 50_000  # characters that may be gone through while other writers wait
T = TypeVar("T")


class Texts(Protocol):
    """What readers of another language than the site's own see of its texts (multilingual/strings/site_texts.py is one)."""

    def is_text(self, work: Work, name: str) -> bool:
        """Say whether an option's texts are translated wherever it is read."""

    def shown_option(self, work: Work, name: str, value: Any) -> Any:
        """Return an option's value in the work's language."""

    def shown_person(self, work: Work, id: int, member: str, value: str) -> str:
        """Return an account's name or description in the work's language."""

    def shown_slug(self, work: Work, type: str, language: str) -> str:
        """Return what a content type is called in addresses of a language."""


@dataclass(frozen=True)
class Shown:
    """A record as the interface shows it. space: first segment of the namespace, in the names that were asked for."""

    content: bytes
    space: str


@dataclass
class Showing:
    """What shows a record to those who do not know the rooms; whoever joins the rooms puts it here (site.py).

    show: the work, whose user and root count, and the path of a route → the record, None where it cannot be seen.
    """

    show: Callable[[Work, str], Shown | None] | None = None


@dataclass(frozen=True, eq=False)
class Frame:
    """What a site is while it runs; made once, when it starts (system/context_factory.py).

    outbound: asks other servers. files: keeps what is uploaded. decoding: the memory for images that are decoded.
    blocks: what makes the blocks that show something of the site, by their names.
    matches: what the filters of lists found, known from one request to the next.
    folder: of the site. texts: what readers of another language see of the site's own texts.
    showing: shows a record as the interface does.
    """

    profile: Profile
    settings: Settings
    zone: Zone
    clock: Clock
    types: Mapping[str, ContentType]
    taxonomies: Mapping[str, Taxonomy]
    outbound: Outbound = field(default_factory=Outbound)
    files: Files = field(default_factory=NoFiles)
    decoding: DecodingMemory = field(default_factory=DecodingMemory)
    blocks: Mapping[str, Maker] = field(default_factory=dict)
    matches: Matches = field(default_factory=Matches)
    folder: Path = Path()
    texts: Texts | None = None
    showing: Showing = field(default_factory=Showing)
    _held: dict[tuple[str, ...], tuple[Taxonomy, ...]] = field(init=False, default_factory=dict)

    @property
    def origin(self) -> str:
        """Scheme and host of the site's addresses where no request says them."""
        told = self.settings
        return told.url or f"http://{told.host}" + (f":{told.port}" if told.port != 80 else "")

    def budget(self, request: Request | None = None) -> Budget:
        """Return what may be rendered for a request, or for a work that nobody asked for."""
        limits = self.profile.limits
        if request is None:
            return Budget(limits.rendered_blocks, limits.rendered_characters)
        of = request.method, request.path
        return Budget(limits.rendered_blocks, limits.rendered_characters, request.inline, of)

    def taxonomies_of(self, type: ContentType) -> Sequence[Taxonomy]:
        """Return the taxonomies of a content type, in the order of its answers."""
        found = self._held.get(type.taxonomies)
        if found is None:
            found = self._held[type.taxonomies] = tuple(self.taxonomies[name] for name in type.taxonomies)
        return found


class Work:
    """One transaction of a site.

    user: who calls. language: what the request selects by. now: seconds since 1970, one moment for the whole work.
    root: the API root as the client wrote it; origin: scheme and host of the site's addresses.
    noted: what this work put into the change log so far: kind, number or name, action.
    kinds: what the answer was made from so far, by the kinds of the change log; empty means that nobody said.
    guesses: what the request has guessed of secrets; None where nobody asks from outside.
    memo: what was looked up for this work and will be wanted again; who writes it forgets it.
    budget: how much may be rendered for the request, its parts included.
    ahead: long work that was done before the transaction, by its keys; None where it may be done inside.
    """

    __slots__ = (
        "_options", "_steps", "ahead", "budget", "frame", "guesses", "kinds", "language", "memo", "noted", "now",
        "origin", "root", "tx", "user",
    )  # fmt: skip

    def __init__(
        self, frame: Frame, tx: Tx, user: User = NOBODY, *, root: str = "", origin: str = "", language: str = "",
        guesses: Guesses | None = None, budget: Budget | None = None, ahead: dict[Hashable, Any] | None = None,
    ) -> None:  # fmt: skip
        self.frame, self.tx, self.user = frame, tx, user
        self.ahead = ahead
        self.budget = budget or frame.budget()
        self.root, self.origin, self.guesses = root, origin, guesses
        self.language = language or frame.profile.default_language
        self.now = frame.clock.now()
        self.kinds: set[str] = set()
        self.noted: list[tuple[str, str, str]] = []
        self.memo: dict[str, Any] = {}
        self._options: dict[str, Any] | None = None
        self._steps: list[Callable[[], object]] = []

    def uses(self, *kinds: str) -> None:
        """Note that the answer is made from these kinds of things; a change of one makes a kept answer stale."""
        self.kinds.update(kinds)

    def passes(self) -> None:
        """Note that the answer becomes another one with time alone, without any change; it is not kept."""
        self.kinds.add(TIME)

    @property
    def zone(self) -> Zone:
        """Return the site's zone: that of its settings, which every process reads with the rest of its work."""
        try:
            return zone(self.option("timezone"))
        except UnknownZone:
            return self.frame.zone

    @property
    def local_now(self) -> int:
        """Return the moment in the site's zone."""
        return self.zone.to_local(self.now)

    def api(self, path: str) -> str:
        """Return the absolute address of a route's path."""
        return self.root + path

    def home(self, language: str = "") -> str:
        """Return the address of the home in a language, without a stroke at the end."""
        return f"{self.origin}/{language or self.language}"

    def option(self, name: str) -> Any:
        """Return the value of a site option; of one whose texts are translated, in the work's language."""
        value, texts = self.raw_option(name), self.frame.texts
        if texts is None or self.language == self.frame.profile.default_language or not texts.is_text(self, name):
            return value
        return texts.shown_option(self, name, value)

    def raw_option(self, name: str) -> Any:
        """Return the value of a site option as it is kept, for those who change it."""
        self.kinds.add("option")
        if self._options is None:
            self._options = options.read(self.tx, self.frame.profile)
        return self._options[name]

    def shown(self, name: str) -> Any:
        """Return the site's title or tagline (`description`) as readers of the work's language see it."""
        value, texts = self.raw_option(name), self.frame.texts
        if texts is None or self.language == self.frame.profile.default_language:
            return value
        return texts.shown_option(self, name, value)

    def shown_of(self, user: User, member: str) -> str:
        """Return an account's name or description as readers of the work's language see it."""
        value, texts = str(getattr(user, member)), self.frame.texts
        if texts is None or self.language == self.frame.profile.default_language:
            return value
        return texts.shown_person(self, user.id, member, value)

    def stored_option(self, name: str) -> Any:
        """Return the value of an option that may never have been set; None then."""
        self.kinds.add("option")
        if self._options is None:
            self._options = options.read(self.tx, self.frame.profile)
        return self._options.get(name)

    def slug_of(self, type: str, language: str) -> str:
        """Return what a content type is called in addresses of a language."""
        texts = self.frame.texts
        plain = texts is None or language == self.frame.profile.default_language
        return type if plain or texts is None else texts.shown_slug(self, type, language)

    def set_option(self, name: str, value: Any) -> None:
        """Change a site option."""
        options.write(self.tx, name, value)
        self._options = None
        self.note("option", name, "changed")

    def reset_option(self, name: str) -> None:
        """Put the first value of a site option back."""
        options.remove(self.tx, name)
        self._options = None
        self.note("option", name, "changed")

    def note(self, kind: str, item: object, action: str) -> None:
        """Note a change in the log; in the same transaction."""
        change_log.note(self.tx, kind, item, action, self.now, self.user.id)
        self.noted.append((kind, str(item), action))

    def tell(self, kind: str, item: object, event: str) -> None:
        """Say more about a change that is noted, to those who settle this work; the log does not hold it.

        event: trashed, restored.
        """
        self.noted.append((kind, str(item), event))

    def done_ahead(self, key: Hashable, size: int, make: Callable[[], T]) -> T:
        """Return what work gives that needs no transaction; long work is done before a write, so that no writer waits.

        key: what the work depends on. size: characters that it goes through. Raises WorkAhead.
        """
        if self.ahead is None or size < _LONG or not self.tx.writes:
            return make()
        if key not in self.ahead:
            raise WorkAhead(key, make)
        found: T = self.ahead[key]
        return found

    def afterwards(self, step: Callable[[], object]) -> None:
        """Leave something for the time when the transaction is kept: what no rollback could undo."""
        self._steps.append(step)

    def finish(self) -> None:
        """Do what was left for the time after the transaction; a failure is logged, for the transaction stands."""
        self.budget.leave_loop()
        for step in self._steps:
            try:
                step()
            except Exception:
                _LOG.exception("what was left for the end of a transaction failed")

    @contextmanager
    def speaking(self, code: str) -> Iterator[None]:
        """Select by another language for a while."""
        before, self.language = self.language, code
        try:
            yield
        finally:
            self.language = before

    def language_for(self, code: str) -> None:
        """Choose the language that a parameter names."""
        self.language = code

    @contextmanager
    def part(self, request: Request) -> Iterator[Work]:
        """Open a part that an error undoes by itself, for a request inside this one."""
        with self.tx.part():
            inner = Work(
                self.frame, self.tx, self.user, root=self.root, origin=self.origin, language=request.language,
                guesses=self.guesses, budget=self.budget, ahead=self.ahead,
            )  # fmt: skip
            inner.kinds = self.kinds
            inner.noted = self.noted
            yield inner
        self._steps += inner._steps
