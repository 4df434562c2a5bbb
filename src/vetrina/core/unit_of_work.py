"""The unit of work: everything that a domain function needs for one request, passed in, nothing global.

It is one transaction of a site (core/site_context.py), with its caller, language and clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeVar

import orjson

from vetrina.backends import change_log
from vetrina.backends.database import Transaction
from vetrina.core import options
from vetrina.core.change_source import COMMAND_SOURCE, ChangeNote, ChangeSource, Told
from vetrina.core.option_memory import KnownOptions
from vetrina.core.site_context import SiteContext
from vetrina.core.user import NOBODY, User
from vetrina.kernel.errors import PrecomputationNeeded
from vetrina.kernel.render_budget import RenderBudget
from vetrina.kernel.site_paths import get_base_path
from vetrina.kernel.times import TimeZone, UnknownTimeZone, load_time_zone
from vetrina.rest.call import NEVER_STORED, TIME_DEPENDENT, Request
from vetrina.rest.dialects.prefixes import make_public_root

if TYPE_CHECKING:
    from vetrina.access.sign_in.guess_limiter import GuessCounter


_LOG = logging.getLogger("vetrina.work")
_MAX_INLINE_CHARACTERS: Final = 50_000  # characters that may be processed while other writers wait
T = TypeVar("T")


class UnitOfWork:
    """One transaction of a site.

    user: the caller. reader_counts: whether anything has asked for it since this was set to False. language: what the
    request selects by. now: seconds since 1970, the same for the whole transaction.
    root: the API root as the client wrote it; origin: address of the site: scheme, host and the path it lives under.
    changes: what was written to the change log so far: kind, id or name, action. source: where they come from; notes:
    what their rules told of them, by kind and item.
    kinds: what the response was made from so far, by the kinds of the change log, any of which may change it.
    items: the single things that it was made from, by kind and id; with `kinds` empty too, it is unknown.
    witnesses: what shows that something is public, as (kind, id) of a public thing in the response (`bear_witness`).
    guesses: the request's attempts at secrets; None without a client outside.
    lookups: values looked up in this transaction that will be needed again; code that writes them deletes them here.
    expect_hook_reads: (work, kind, item) of its first change: what expects the reads of the hooks before its commit.
    budget: how much may be rendered for the request, its parts included.
    precomputed: results of long work done before the transaction, by key; None where it may be done inside.
    previewed: what a preview link shows the caller beside what they may see: `record` or `user`, and its id.
    """

    __slots__ = (
        "_assumed", "_first_options", "_options", "_steps", "_user", "budget", "changes", "expect_hook_reads",
        "guesses", "items", "kinds", "language", "lookups", "notes", "now", "origin", "precomputed", "previewed",
        "reader_counts", "root", "site", "source", "tx", "witnesses",
    )  # fmt: skip

    def __init__(
        self,
        site: SiteContext,
        tx: Transaction,
        user: User = NOBODY,
        *,
        root: str = "",
        origin: str = "",
        language: str = "",
        guesses: GuessCounter | None = None,
        budget: RenderBudget | None = None,
        precomputed: dict[Hashable, Any] | None = None,
        source: ChangeSource = COMMAND_SOURCE,
    ) -> None:
        self.site, self.tx, self._user = site, tx, user
        self.reader_counts = False
        self.precomputed = precomputed
        self.previewed: frozenset[tuple[str, int]] = frozenset()
        self.budget = budget or site.budget()
        self.root, self.origin, self.guesses = root, origin, guesses
        self.language = language or site.profile.default_language
        self.now = site.clock.now()
        self.kinds: set[str] = set()
        self.items: set[tuple[str, int]] = set()
        self.witnesses: dict[tuple[str, int], tuple[str, int]] = {}
        self.changes: list[tuple[str, str, str]] = []
        self.source, self.notes = source, dict[tuple[str, str], ChangeNote]()
        self.lookups: dict[str, Any] = {}
        self.expect_hook_reads: tuple[Callable[[UnitOfWork, str, str], None], ...] = ()
        self._options: dict[str, Any] | None = None
        self._first_options: dict[str, Any] | None = None
        self._assumed: KnownOptions | None = None
        self._steps: list[Callable[[], object]] = []

    def expect_options(self, may_run_again: bool) -> None:
        """Have the options read with what is asked of the database next, or whether those that are known are true.

        may_run_again: whether this is a read that is run again after a RetryableError: it does not wait for them, and
        calls `confirm_options` before it ends, in whatever way.
        """
        if self.tx.kind == "postgresql":
            memory, log = self.site.option_memory, self.site.change_log
            if not self.tx.writes:
                log.expect_position(self.tx)
            known = None if self.tx.writes else memory.known
            if known is None or not memory.is_probably_true(known, log):
                options.expect_options(self.tx)
            if may_run_again:
                self._assumed = known

    def confirm_options(self) -> None:
        """Raise RetryableError where the options that were assumed are not those of the transaction."""
        if self._assumed is not None and self._options is not None:
            self.site.option_memory.confirm(self.tx, self.site.change_log, self._assumed)
            self._assumed = None

    def _read_options(self) -> dict[str, Any]:
        if self._options is None:
            memory, log = self.site.option_memory, self.site.change_log
            if self._assumed is not None and memory.is_outdated(self.tx, log, self._assumed):
                self._assumed = None
            stored = memory.read(self.tx, log) if self._assumed is None else self._assumed.stored
            self._options = options.build_options(stored, self.site.profile)
        return self._options

    def know_options_of(self, other: UnitOfWork) -> None:
        """Take over what another unit of work in the same transaction has read of the options."""
        self._options = other._options

    @property
    def user(self) -> User:
        """Return the caller; who asks is taken to answer by it."""
        self.reader_counts = True
        return self._user

    @user.setter
    def user(self, user: User) -> None:
        self._user = user

    @property
    def is_signed_in(self) -> bool:
        """Return whether there is a caller, for code that makes the same of all of them."""
        return bool(self._user)

    def uses(self, *kinds: str) -> None:
        """Record that the response is made from these kinds; a change of one of them makes its cached copy stale."""
        self.kinds.update(kinds)

    def uses_items(self, kind: str, ids: Iterable[int]) -> None:
        """Record that the response is made from these things of a kind, and from no others of it.

        What comes to be, or comes to belong to them, must change one of them (system/changes/tags.py adds the members
        of a translation group), or be recorded by `uses`.
        """
        self.items.update((kind, id) for id in ids)

    def uses_pairs(self, items: Iterable[tuple[str, int]]) -> None:
        """Record the same of things of several kinds, by kind and id."""
        self.items.update(items)

    def bear_witness(self, found: Mapping[tuple[str, int], tuple[str, int]]) -> None:
        """Record which thing in the response makes another one public: a record its author, as ("author", id)."""
        self.witnesses.update(found)

    def mark_time_dependent(self) -> None:
        """Record that the response changes with time alone, without any write; it is not cached."""
        self.kinds.add(TIME_DEPENDENT)

    def forbid_storing(self) -> None:
        """Record that no cache may store the response, neither ours nor that of a client or a CDN."""
        self.kinds.add(NEVER_STORED)

    def is_previewed(self, kind: str, id: int) -> bool:
        """Return whether a preview link shows this to the caller. kind: `record` or `user`."""
        return (kind, id) in self.previewed

    @property
    def writes(self) -> bool:
        """Return whether its transaction may write."""
        return self.tx.writes

    @property
    def zone(self) -> TimeZone:
        """Return the site's time zone, read from its options with the rest of this transaction."""
        try:
            return load_time_zone(self.option("timezone"))
        except UnknownTimeZone:
            return self.site.zone

    @property
    def local_now(self) -> int:
        """Return the current time in the site's zone."""
        return self.zone.to_local(self.now)

    def api(self, path: str) -> str:
        """Return the absolute URL of a route's path."""
        return self.root + path

    @property
    def public_root(self) -> str:
        """Return the API root that others are told: never the administration's own one."""
        return make_public_root(self.root, self.site.profile.dialects)

    @property
    def base_path(self) -> str:
        """Return the path that the site lives under, empty at the root of its host."""
        return get_base_path(self.origin)

    def home(self, language: str = "") -> str:
        """Return the URL of the home page in a language, without a trailing slash."""
        return f"{self.origin}/{language or self.language}"

    def option(self, name: str) -> Any:
        """Return the value of a site option, in this unit of work's language where it is translatable."""
        value, texts = self.raw_option(name), self.site.texts
        if (
            texts is None
            or self.language == self.site.profile.default_language
            or not texts.is_translatable_option(self, name)
        ):
            return value
        return texts.translate_option(self, name, value)

    def raw_option(self, name: str) -> Any:
        """Return the value of a site option as it is stored, for code that changes it."""
        self.kinds.add("option")
        return (self._options or self._read_options())[name]

    def get_translated_option(self, name: str) -> Any:
        """Return the site's title or tagline (`description`) in the language of this unit of work."""
        value, texts = self.raw_option(name), self.site.texts
        if texts is None or self.language == self.site.profile.default_language:
            return value
        return texts.translate_option(self, name, value)

    def get_translated_member(self, user: User, member: str) -> str:
        """Return an account's name or description in the language of this unit of work."""
        value, texts = str(getattr(user, member)), self.site.texts
        if texts is None or self.language == self.site.profile.default_language:
            return value
        return texts.translate_person(self, user.id, member, value)

    def stored_option(self, name: str) -> Any:
        """Return the value of an option that may never have been set; None then."""
        self.kinds.add("option")
        return self._read_options().get(name)

    def get_type_slug(self, type: str, language: str) -> str:
        """Return the slug of a content type in URLs of a language."""
        texts = self.site.texts
        plain = texts is None or language == self.site.profile.default_language
        return type if plain or texts is None else texts.translate_type_slug(self, type, language)

    def set_option(self, name: str, value: Any) -> None:
        """Set a site option."""
        before = self._load_first_options().get(name)
        options.save_option(self.tx, name, value)
        self._options = None
        self.note("option", name, "changed")
        self.describe("option", name, members=options.describe_change(name, before, value))

    def reset_option(self, name: str) -> None:
        """Restore the profile's value or the default of a site option."""
        before = self._load_first_options().get(name)
        options.delete_option(self.tx, name)
        self._options = None
        self.note("option", name, "changed")
        self.describe("option", name, members=options.describe_change(name, before, None))

    def _load_first_options(self) -> dict[str, Any]:
        """Return the options as this unit of work found them."""
        if self._first_options is None:
            self._first_options = self._options or options.load_options(self.tx, self.site.profile)
        return self._first_options

    def note(self, kind: str, item: object, action: str, before: Mapping[str, str] | None = None) -> None:
        """Log a change, in the same transaction.

        before: what readers could see of it before (`link`, `lang`) and which `transition` it was; None for nothing.
        The link is stored without the origin: who reads of it later may know the site by another one.
        """
        if not self.changes:
            for expect in self.expect_hook_reads:
                expect(self, kind, str(item))
        known = None
        if before:
            link = {"link": before["link"].removeprefix(self.origin)} if "link" in before else {}
            known = orjson.dumps({**before, **link}).decode()
        change_log.log_change(self.tx, kind, item, action, self.now, self.user.id, known)
        self.changes.append((kind, str(item), action))

    def tell(self, kind: str, item: object, event: str) -> None:
        """Add an event to a logged change for the hooks before the commit; the change log does not store it.

        event: trashed, restored, published, unpublished, translated; completed for a translation job; alone for a
        record that was created with an id that nothing knows yet, and without translations.
        """
        self.changes.append((kind, str(item), event))

    def describe(
        self, kind: str, item: object, title: str = "", members: Mapping[str, Told | None] | None = None,
        *, by: User = NOBODY, event: str = "",
    ) -> None:  # fmt: skip
        """Tell who looks after the site more of a change than the log has (access/audit/recording.py).

        title: what people call the item. members: those that changed; None for one whose value is not told, since it is
        a secret or a text of a person. by: who did it, where that is not the caller. event: trashed or restored, where
        the change is not told as that.
        """
        note = self.notes.get((kind, str(item))) or ChangeNote()
        known = dict(note.members)
        for name, told in (members or {}).items():
            first = known.get(name)
            known[name] = Told(first.old, told.new) if first and told else told
        self.notes[kind, str(item)] = ChangeNote(
            title or note.title,
            by.id or note.account,
            by.login or note.login,
            known,
            note.hidden,
            event or note.event,
        )

    def hide_change(self, kind: str, item: object) -> None:
        """Keep a change out of the audit trail, which follows from another one there."""
        self.notes[kind, str(item)] = ChangeNote(hidden=True)

    def run_before_write(self, key: Hashable, size: int, make: Callable[[], T]) -> T:
        """Return the result of work that needs no transaction; long work runs before a write, so that no writer waits.

        key: what the result depends on. size: characters that are processed. Raises PrecomputationNeeded.
        """
        if self.precomputed is None or size < _MAX_INLINE_CHARACTERS or not self.tx.writes:
            return make()
        if key not in self.precomputed:
            raise PrecomputationNeeded(key, make)
        found: T = self.precomputed[key]
        return found

    def run_after_commit(self, step: Callable[[], object]) -> None:
        """Run a step after the commit, for effects that no rollback could undo."""
        self._steps.append(step)

    @property
    def has_steps(self) -> bool:
        """Whether there are steps for after the commit."""
        return bool(self._steps)

    def finish(self) -> None:
        """Run the steps left for after the commit; a failure is logged, since the transaction is committed."""
        self.budget.drop_inline_allowance()
        for step in self._steps:
            try:
                step()
            except Exception:
                _LOG.exception("what was left for the end of a transaction failed")

    def send_writes(self) -> None:
        """Have what was written carried out while the answer is made of it."""
        self.tx.send_writes()

    @contextmanager
    def use_language(self, code: str) -> Iterator[None]:
        """Select by another language for the block."""
        before, self.language = self.language, code
        try:
            yield
        finally:
            self.language = before

    def language_for(self, code: str) -> None:
        """Choose the language that a parameter names."""
        self.language = code

    @contextmanager
    def part(self, request: Request) -> Iterator[UnitOfWork]:
        """Open a savepoint that an error rolls back by itself, for a request inside this one."""
        done, told = len(self.changes), dict(self.notes)
        try:
            # Only a refusal ends a part alone; an error of the database ends the request.
            with self.tx.savepoint(waits=False):
                inner = UnitOfWork(
                    self.site, self.tx, self.user, root=self.root, origin=self.origin, language=request.language,
                    guesses=self.guesses, budget=self.budget, precomputed=self.precomputed, source=self.source,
                )  # fmt: skip
                inner.kinds, inner.items, inner.witnesses = self.kinds, self.items, self.witnesses
                inner.changes, inner.notes = self.changes, self.notes
                inner.previewed = self.previewed
                inner._options, inner.expect_hook_reads = self._options, self.expect_hook_reads
                yield inner
        except BaseException:
            # Hooks before the commit must not take for done what was rolled back.
            del self.changes[done:]
            self.notes.clear()
            self.notes.update(told)
            raise
        self._options = inner._options
        self._steps += inner._steps
