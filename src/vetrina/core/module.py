"""What a module brings to a site whose profile names it: one `Module` value, in the file `module` of its folder.

Each part is a function that loads what it returns, so that a process loads only what it uses: the consumer of jobs
loads no routes, a site of content alone loads no shop. Which modules there are: modules.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vetrina.core.background_work import BackgroundTasks
from vetrina.rest.route import Route

if TYPE_CHECKING:
    from vetrina.backends.database import Database
    from vetrina.core.unit_of_work import SiteContext, UnitOfWork
    from vetrina.core.user import User
    from vetrina.rest.call import Request

__all__ = ["Module", "RouteBuilder", "RouteBuilders", "SignInMethod"]

RouteBuilder = Callable[["SiteContext"], tuple[Route, ...]]
RouteBuilders = Mapping[str, tuple[RouteBuilder, ...]]  # by namespace, in the order of the index
SignInMethod = Callable[["SiteContext", "Database", "Request"], "User | None"]


def _load_nothing() -> None:
    return None


@dataclass(frozen=True)
class Module:
    """What a module brings.

    load_routes: its routes by namespace. load_background: what it does in the background.
    extend_context: adds its content types, taxonomies and texts to those of the site.
    load_first_sign_in: a way to sign in that is asked before the site's own; load_last_sign_in: one asked after them.
    set_up: fills a new site; given the unit of work and the id of its first account, 0 for none.
    """

    name: str
    load_routes: Callable[[], RouteBuilders]
    load_background: Callable[[], BackgroundTasks] = BackgroundTasks
    extend_context: Callable[[SiteContext], SiteContext] | None = None
    load_first_sign_in: Callable[[], SignInMethod | None] = _load_nothing
    load_last_sign_in: Callable[[], SignInMethod | None] = _load_nothing
    set_up: Callable[[UnitOfWork, int], None] | None = None
