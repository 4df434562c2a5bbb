"""What a module has to do with the accounts of people and with what is stored about them.

Accounts know no module above them: those that take part give one value each (`Module.load_account_part`). Rules:
docs/rules/registration.md, 5 and docs/rules/personal_data.md, 3 and 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.core.user import User

if TYPE_CHECKING:
    from vetrina.core.site_context import SiteContext


class DataSubject(NamedTuple):
    """Who is asked about.

    account: 0 for a person without one. email: as it is written; login: empty without an account. proven: whether the
    person has proved to read the address: what is stored about it without an account is theirs, too.
    """

    account: int
    email: str
    login: str = ""
    proven: bool = True

    @property
    def guest_email(self) -> str:
        """Return the address by which this person is found without an account, in small letters; empty if unproven."""
        return self.email.lower() if self.proven else ""


class DataSection(NamedTuple):
    """What is stored about a person in one place. name: of its file; title: as people read it; items: JSON values."""

    name: str
    title: str
    items: Sequence[Mapping[str, Any]]


def _do_nothing(*_: object) -> None:
    return None


def _export_nothing(work: UnitOfWork, subject: DataSubject) -> Iterable[DataSection]:
    return ()


@dataclass(frozen=True)
class AccountPart:
    """What one module does.

    role: of who registers, where the profile names none; empty: it has no wish. take_up: (work, account) when somebody
    registered. join: (work, account) when its owner has proved to read its address. export: what it stores about a
    person. erase: (work, person, heir) removes or anonymises that, before the account goes; heir: the account that
    gets what is not personal, 0 for none.
    """

    role: str = ""
    take_up: Callable[[UnitOfWork, User], None] = _do_nothing
    join: Callable[[UnitOfWork, User], None] = _do_nothing
    export: Callable[[UnitOfWork, DataSubject], Iterable[DataSection]] = _export_nothing
    erase: Callable[[UnitOfWork, DataSubject, int], None] = _do_nothing


def list_account_parts(site: SiteContext) -> list[AccountPart]:
    """Return what the modules of a site do, the lowest first."""
    return [module.load_account_part() for module in site.modules]
