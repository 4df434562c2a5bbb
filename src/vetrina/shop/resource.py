"""A resource of the shop's administration: what its collections have in common beyond those of the site.

Rules: docs/rules/shop_requests.md, 4, 5, 6, 7 and 9.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar

from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.fields import Field
from vetrina.rest.resource import BatchRouteBuilder, Resource
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.list_arguments import build_context_argument, build_force_argument

T = TypeVar("T")  # a record


class ShopTrashUnsupported(ApiError):
    """A record that can only be deleted for good is to be moved to the trash."""

    failure, code = Failure.NOT_IMPLEMENTED, "shop_rest_trash_not_supported"
    message = "There is no trash for this; send `force` as true to delete it for good."


@dataclass(frozen=True, kw_only=True)
class ShopResource(Resource[T]):
    """A collection of the shop: its writes answer with everything, it has a batch route.

    Its links are there whatever `_fields` chooses, but for a new record.
    """

    context: Field | None = field(default_factory=build_context_argument)
    force: Field = field(default_factory=build_force_argument)
    keeps_links: bool = True
    created_keeps_links: bool = False
    lists_links: bool = True
    build_batch_route: BatchRouteBuilder | None = build_batch_route
