"""What a module brings to a site whose profile names it: one `Module` value, in the file `module` of its folder.

Each part is a function that loads what it returns, so that a process loads only what it uses: the consumer of jobs
loads no routes, a site of content alone loads no shop. Which modules there are: modules.py.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vetrina.core.account_part import AccountPart
from vetrina.core.background_work import BackgroundTasks
from vetrina.kernel.frozen import freeze
from vetrina.rest.route import Route

if TYPE_CHECKING:
    from vetrina.backends.database import Database
    from vetrina.core.site_context import SiteContext
    from vetrina.core.unit_of_work import UnitOfWork
    from vetrina.core.user import User
    from vetrina.rest.call import Request


RouteBuilder = Callable[["SiteContext"], tuple[Route, ...]]
RouteBuilders = Mapping[str, tuple[RouteBuilder, ...]]  # by namespace, in the order of the index
SignInMethod = Callable[["SiteContext", "Database", "Request"], "User | None"]


def _load_nothing() -> None:
    return None


def _count_nothing(work: UnitOfWork) -> Mapping[str, int]:
    return {}


def _generate_nothing(name: str) -> None:
    return None


@dataclass(frozen=True)
class SyncedObjects:
    """What a service that follows the site is told of a module.

    kinds: those of the change log, each with the service's name for what changed. options: names of options that hold
    no secret.
    """

    kinds: Mapping[str, str] = field(default_factory=dict)
    options: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Module:
    """What a module brings.

    load_routes: its routes by namespace. load_background: what it does in the background.
    extend_context: adds to what the site is: content types, capabilities, texts, hooks that lower modules call.
    load_first_sign_in: a way to sign in that is asked before the site's own; load_last_sign_in: one asked after them.
    load_synced_objects: what a service that follows the site is told of it.
    load_packaged_files: files of the package by the names under which every site serves them. generate_file: (name) ->
    type and bytes of a file that is made when it is asked for, None for a name that is none.
    list_option_names: the names of its own options, which a profile may give first values.
    followed_paths: by a kind of the change log, the collections in which the change feed looks for what changed; the
    first that the caller may read it in. removal_rights: by such a kind, the right of those who are told that something
    went into the trash or is gone, whether or not the public could see it.
    set_up: fills a new site; given the unit of work and the id of its first account, 0 for none. count_first_records:
    how many records that are.
    describe_administration: what the administration has to know of it before its first request.
    load_block_styles: the rules that its blocks need whatever the theme, for the style sheet of the site.
    load_account_part: what it has to do with accounts and with what is stored about people.
    audited_kinds: kinds of the change log whose making and changing is in the audit trail; removals are of any kind.
    count_stored: how much it stores beside records and terms, by what it is in the plural; only for a site that has it.
    """

    name: str
    load_routes: Callable[[], RouteBuilders]
    load_background: Callable[[], BackgroundTasks] = BackgroundTasks
    extend_context: Callable[[SiteContext], SiteContext] | None = None
    load_first_sign_in: Callable[[], SignInMethod | None] = _load_nothing
    load_last_sign_in: Callable[[], SignInMethod | None] = _load_nothing
    load_synced_objects: Callable[[], SyncedObjects] = SyncedObjects
    list_option_names: Callable[[], Iterable[str]] = tuple
    load_packaged_files: Callable[[], Mapping[str, Path]] = dict
    generate_file: Callable[[str], tuple[str, bytes] | None] = _generate_nothing
    set_up: Callable[[UnitOfWork, int], None] | None = None
    followed_paths: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    removal_rights: Mapping[str, str] = field(default_factory=dict)
    audited_kinds: frozenset[str] = frozenset()
    count_first_records: Callable[[], int] = int
    load_block_styles: Callable[[], str] = str
    describe_administration: Callable[[UnitOfWork], Mapping[str, Any]] | None = None
    count_stored: Callable[[UnitOfWork], Mapping[str, int]] = _count_nothing
    load_account_part: Callable[[], AccountPart] = AccountPart

    def __post_init__(self) -> None:
        object.__setattr__(self, "followed_paths", freeze(self.followed_paths))
        object.__setattr__(self, "removal_rights", freeze(self.removal_rights))
