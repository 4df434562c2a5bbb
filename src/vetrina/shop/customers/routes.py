"""Routes of customers: list, read, create, change, delete, batch; a customer's downloads.

Not here: the rules (shop/customers/rules.py), who may change whom (shop/customers/permissions.py). Rules:
docs/rules/customers.md, 1, 2 and 5.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Final

from vetrina.access.users import listing as user_listing, rights as user_rights
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.kernel import times
from vetrina.rest.call import Result
from vetrina.rest.fields import Integer
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.preconditions import WriteGuard
from vetrina.rest.resource import Links, ListPage, Operation
from vetrina.rest.route import READ, Route
from vetrina.rest.serializer import build_link
from vetrina.shop import list_arguments
from vetrina.shop.customers import rules as customers, usernames
from vetrina.shop.customers.permissions import (
    is_removable_customer,
    require_customer_delete_permission,
    require_customer_edit_permission,
)
from vetrina.shop.customers.rules import Customer, CustomerNotFound, InvalidCustomerEmail
from vetrina.shop.customers.schema import (
    CREATE_ARGUMENTS,
    CUSTOMER_ORDERS,
    DELETE_ARGUMENTS,
    DOWNLOADS,
    UPDATE_ARGUMENTS,
    build_list_arguments,
)
from vetrina.shop.customers.views import CUSTOMER_SERIALIZER, CustomerView
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.orders import model as order_model
from vetrina.shop.permissions import require_create_permission, require_view_permission
from vetrina.shop.products import model as product_model
from vetrina.shop.record_state_views import compute_customer_state
from vetrina.shop.resource import ShopResource, ShopTrashUnsupported

_PATH: Final = "/shop/v3/customers"
_ID: Final = Integer("Number of the customer.")


def _build_links(call: Call, one: Customer) -> Links:
    user = call.work.user
    allowed = ["GET"]
    if customers.CUSTOMER_ROLE in one.user.roles or user_rights.may_edit_user(user, one.user):
        allowed += ["POST", "PUT", "PATCH"]
    if user.can("delete_users") and is_removable_customer(one):
        allowed.append("DELETE")
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{one.id}"), "targetHints": {"allow": allowed}}],
        "collection": [build_link(call.work.api(_PATH))],
    }


def _get_customer(call: Call) -> Customer:
    return customers.get_customer(call.work, call.args["id"])


def _list_customers(call: Call) -> ListPage[Customer]:
    args = call.args
    found, total = user_listing.list_users(
        call.work,
        user_listing.UserFilters(
            search=args.get("email") or args.get("search") or "",
            columns=("email",) if args.get("email") else ("username", "email", "name"),
            include=tuple(args.get("include") or ()), exclude=tuple(args.get("exclude") or ()),
            roles=() if args["role"] == "all" else (args["role"],), orderby=CUSTOMER_ORDERS[args["orderby"]],
            descending=args["order"] == "desc", limit=args["per_page"],
            offset=compute_page_offset(args, zero_counts=False),
        ),
    )  # fmt: skip
    return ListPage(customers.load_customers(call.work, found), total, list_arguments.compute_page_number(args))


def _create_customer(call: Call) -> Customer:
    return customers.create_customer(call.work, call.args)


def _update_customer(call: Call, old: Customer) -> Customer:
    return customers.update_customer(call.work, old, call.args)


def _delete_customer(call: Call, old: Customer) -> None:
    customers.delete_customer(call.work, old, call.args.get("reassign") or 0)


def _list_customer_downloads(call: Call) -> Result:
    """List the files that a customer has bought and may download."""
    work = call.work
    one = customers.get_customer(work, call.args["customer_id"])
    granted = downloads.list_customer_downloads(work, one.id)
    goods = product_model.load_products_by_id(work, {permission.product for permission in granted})
    orders = order_model.load_orders_by_id(work, {permission.order for permission in granted})
    body = []
    for permission in granted:
        sold, of = goods.get(permission.product), orders.get(permission.order)
        file = next((file for file in sold.downloads if file["id"] == permission.download), None) if sold else None
        if sold is None or of is None or file is None:
            continue
        left, ends = permission.left, permission.expires
        body.append(
            {
                "download_id": permission.download,
                "download_url": downloads.build_download_url(work, permission, of.order_key),
                "product_id": sold.id,
                "product_name": sold.name,
                "download_name": file.get("name", ""),
                "order_id": of.id,
                "order_key": of.order_key,
                "downloads_remaining": "unlimited" if left < 0 else str(left),
                "access_expires": "never"
                if ends is None
                else times.format_iso(work.zone.to_local(ends))[:10] + "T00:00:00",
                "access_expires_gmt": "never" if ends is None else times.format_iso(ends),
                "file": {"name": file.get("name", ""), "file": file.get("file", "")},
            }
        )
    return Result(body)


def _mark_slow(route: Route) -> Route:
    return route.replace(slow=True)  # hashing a password takes long


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of customers."""
    resource = ShopResource(
        title="customer",
        path=_PATH,
        key={"id": _ID},
        serializer=CUSTOMER_SERIALIZER,
        load_view=CustomerView,
        guard=WriteGuard(compute_customer_state, attrgetter("modified")),
        build_links=_build_links,
        find=_get_customer,
        list=Operation(_list_customers, require_view_permission, build_list_arguments(site.profile.roles)),
        create=Operation(
            _create_customer, require_create_permission, CREATE_ARGUMENTS,
            (InvalidCustomerEmail, customers.CustomerEmailExists, usernames.CustomerUsernameExists),
            adapt=_mark_slow,
        ),
        read=Operation(_get_customer, require_view_permission, errors=(CustomerNotFound,)),
        update=Operation(
            _update_customer, require_customer_edit_permission, UPDATE_ARGUMENTS,
            (CustomerNotFound, InvalidCustomerEmail, customers.CustomerEmailTaken, customers.CannotChangeUsername),
            adapt=_mark_slow,
        ),
        delete=Operation(
            _delete_customer, require_customer_delete_permission, DELETE_ARGUMENTS,
            (CustomerNotFound, customers.InvalidCustomerReassign),
        ),
        force=list_arguments.build_force_argument(trash=False),
        trash_unsupported=ShopTrashUnsupported,
    )  # fmt: skip
    *routes, batch = resource.build_routes()
    download_route = Route(
        READ, f"{_PATH}/{{customer_id}}/downloads", _list_customer_downloads, {"customer_id": _ID},
        require_view_permission, errors=(CustomerNotFound,), answers=DOWNLOADS,
    )  # fmt: skip
    return (*routes, download_route, batch)
