"""A resource of the shop's administration: what its collections have in common beyond those of the site.

Rules: docs/rules/shop_requests.md, 4, 5, 6, 7 and 9.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, TypeVar

from vetrina.core.call import Call
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.fields import Field
from vetrina.rest.preconditions import check_request_preconditions
from vetrina.rest.resource import BatchRouteBuilder, Operation, Resource
from vetrina.rest.route import READ
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.list_arguments import build_context_argument, build_force_argument

T = TypeVar("T")  # a record


class ShopTrashUnsupported(ApiError):
    """A record that can only be deleted for good is to be moved to the trash."""

    failure, code = Failure.NOT_IMPLEMENTED, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to delete it for good."


@dataclass(frozen=True)
class WriteGuard(Generic[T]):
    """How writes to a record are held to the state that the client has read.

    compute_state: (record, view) -> the word that leads its entity tags; view: the one that serializes it, so that a
    read loads nothing twice. get_modified: (record) -> when it was changed, in seconds since 1970.
    """

    compute_state: Callable[[T, Any], str]
    get_modified: Callable[[T], int]


@dataclass(frozen=True, kw_only=True)
class ShopResource(Resource[T]):
    """A collection of the shop: its writes answer with everything, it has a batch route.

    Its links are there whatever `_fields` chooses, but for a new record. guard: of the records that two people may
    change at a time; the others take every write.
    """

    context: Field | None = field(default_factory=build_context_argument)
    force: Field = field(default_factory=build_force_argument)
    keeps_links: bool = True
    created_keeps_links: bool = False
    lists_links: bool = True
    build_batch_route: BatchRouteBuilder | None = build_batch_route
    guard: WriteGuard[T] | None = None

    def _compute_state(self, call: Call, item: T, view: Any) -> str:
        # Writes, and what is read within another request, answer without an entity tag.
        if self.guard is not None and call.request.method in READ and not call.request.inner:
            return self.guard.compute_state(item, view)
        return super()._compute_state(call, item, view)

    def _get_find(self, operation: Operation[Any]) -> Callable[[Call], T]:
        find = super()._get_find(operation)
        return find if self.guard is None else partial(self._find_guarded, find, self.guard)

    def _find_guarded(self, find: Callable[[Call], T], guard: WriteGuard[T], call: Call) -> T:
        """Return the record of a write. Raises PreconditionFailed when a condition of the request does not hold."""
        found = find(call)
        check_request_preconditions(
            call.request,
            lambda: guard.compute_state(found, self.load_view(call, (found,))),
            guard.get_modified(found),
        )
        return found
