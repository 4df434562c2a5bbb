"""The call that a handler of a module gets: one that works in a `UnitOfWork`."""

from __future__ import annotations

from typing import TypeAlias

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.rest import call as rest_call

Call: TypeAlias = rest_call.Call[UnitOfWork]
