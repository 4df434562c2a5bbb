"""Routes of customers: list, read, create, change, delete, batch; a customer's downloads.

Not here: the rules (shop/customers/rules.py). Rules: docs/rules/customers.md, 1, 2, 3 and 5.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.users import listing as user_listing, rights as user_rights
from vetrina.access.users.avatars import build_avatar_url
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext, UnitOfWork
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import build_page_headers, compute_page_offset
from vetrina.rest.response_fields import build_text_fields
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, parse_field_selection
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.batch_routes import build_batch_route
from vetrina.shop.customers import rules as customers
from vetrina.shop.customers.rules import Customer
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.schema import ORDER_FIELDS
from vetrina.shop.permissions import require_create_permission, require_view_permission
from vetrina.shop.products import model as product_model
from vetrina.shop.products.schema import META_DATA
from vetrina.shop.rights import CannotDeleteShopItem, CannotEditShopItem, require_shop_capability

__all__ = ["build_routes"]

_PATH: Final = "/shop/v3/customers"
_ITEM: Final = f"{_PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_REMOVABLE: Final = frozenset((customers.CUSTOMER_ROLE, "subscriber"))  # roles without staff rights
_ORDERS: Final = {"id": "id", "include": "include", "name": "name", "registered_date": "registered_date"}
# The address fields of customers are in another order than those of orders.
_DOWNLOADS: Final = Array(
    items=Object(
        properties={
            **build_text_fields("download_id", "download_url"),
            "product_id": Integer(),
            **build_text_fields("product_name", "download_name"),
            "order_id": Integer(),
            "order_key": String(),
            "downloads_remaining": String("A number, or `unlimited`."),
            "access_expires": String("A moment, or `never`."),
            "access_expires_gmt": String("A moment, or `never`."),
            "file": Object(properties=build_text_fields("name", "file")),
        }
    )
)
_ADDRESS_PARTS: Final = (
    "first_name", "last_name", "company", "address_1", "address_2", "city", "postcode", "country", "state", "email",
    "phone",
)  # fmt: skip


class CustomerTrashUnsupported(ApiError):
    failure, code = Failure.NOT_IMPLEMENTED, "shop_rest_trash_not_supported"
    message = "Customers have no trash; send `force` as true to remove one for good."


def _get_address_field(name: str) -> Object:
    field = ORDER_FIELDS[name]
    assert isinstance(field, Object)
    return field


_MEMBERS: dict[str, Field] = {
    "id": Integer("Number of the account.", context=_BOTH, readonly=True),
    "date_created": String("When the account was made, in the site's time.", context=_BOTH, readonly=True),
    "date_created_gmt": String("When the account was made, in GMT.", context=_BOTH, readonly=True),
    "date_modified": String("When it was last changed, in the site's time.", context=_BOTH, readonly=True),
    "date_modified_gmt": String("When it was last changed, in GMT.", context=_BOTH, readonly=True),
    "email": String("Mail address.", context=_BOTH),
    "first_name": String("First name.", context=_BOTH),
    "last_name": String("Last name.", context=_BOTH),
    "role": String("Role of the account.", context=_BOTH, readonly=True),
    "username": String("Name to sign in with.", context=_BOTH),
    "password": String("Password.", context=(EDIT,), written=True),
    "billing": _get_address_field("billing"),
    "shipping": _get_address_field("shipping"),
    "is_paying_customer": Boolean("Whether an order of the customer was completed.", context=_BOTH, readonly=True),
    "avatar_url": String("Address of a picture.", context=_BOTH, readonly=True),
    "meta_data": META_DATA,
}


class CustomerView:
    """The data beyond the rows that serializing customers needs."""

    def __init__(self, work: UnitOfWork, found: list[Customer]) -> None:
        self.zone = work.zone
        self.metas = meta_data.load_meta_by_owner(work, customers.CUSTOMER_ROLE, [one.id for one in found])

    def format_local_time(self, moment: int) -> str:
        """Return a time in the site's time zone."""
        return times.format_iso(self.zone.to_local(moment))


def _sort_address(address: dict[str, str]) -> dict[str, str]:
    return {name: address[name] for name in _ADDRESS_PARTS if name in address}


_SERIALIZER: Final = Serializer(
    _MEMBERS,
    {
        "id": lambda one, view: one.id,
        "date_created": lambda one, view: view.format_local_time(one.user.registered),
        "date_created_gmt": lambda one, view: times.format_iso(one.user.registered),
        "date_modified": lambda one, view: view.format_local_time(one.modified),
        "date_modified_gmt": lambda one, view: times.format_iso(one.modified),
        "email": lambda one, view: one.user.email,
        "first_name": lambda one, view: one.user.first_name,
        "last_name": lambda one, view: one.user.last_name,
        "role": lambda one, view: next(iter(one.user.roles), ""),
        "username": lambda one, view: one.user.login,
        "billing": lambda one, view: _sort_address(one.billing),
        "shipping": lambda one, view: _sort_address(one.shipping),
        "is_paying_customer": lambda one, view: one.paying,
        "avatar_url": lambda one, view: build_avatar_url(one.user.email, 96),
        "meta_data": lambda one, view: meta_data.serialize_meta(view.metas[one.id], hide_private=True),
    },
)


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of customers."""
    id = {"id": Integer("Number of the customer.")}
    writes = {
        name: field.replace(context=(), default=ABSENT, null="keep")
        for name, field in _MEMBERS.items()
        if not field.readonly
    }
    unknown = (customers.CustomerNotFound,)
    create = Route(
        WRITE,
        _PATH,
        _create_customer,
        {**writes, "email": writes["email"].replace(required=True)},
        require_create_permission,
        _build_customer_schema,
        errors=(customers.InvalidCustomerEmail, customers.CustomerEmailExists, customers.CustomerUsernameExists),
        slow=True,
    )
    change = Route(
        CHANGE,
        _ITEM,
        _update_customer,
        {**id, **writes},
        _require_customer_edit_permission,
        _build_customer_schema,
        errors=(*unknown, customers.InvalidCustomerEmail, customers.CustomerEmailTaken, customers.CannotChangeUsername),
        slow=True,
    )
    remove = Route(
        REMOVE,
        _ITEM,
        _delete_customer,
        {
            **id,
            "force": list_arguments.build_force_argument(trash=False),
            "reassign": Integer("The account that gets the customer's records.", default=0, null="keep"),
        },
        _require_customer_delete_permission,
        _build_customer_schema,
        errors=(*unknown, CustomerTrashUnsupported, customers.InvalidCustomerReassign),
    )
    roles = ("all", *frame.profile.roles)
    listing = {
        "context": list_arguments.build_context_argument(),
        **list_arguments.build_paging_arguments(),
        "exclude": list_arguments.build_id_filter("Customers that are left out."),
        "include": list_arguments.build_id_filter("Only these customers."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.build_sort_arguments(tuple(_ORDERS), "name", "asc"),
        "email": String("Only the customer with this address.", format="email", null="keep"),
        "role": String("Only accounts of this role.", default=customers.CUSTOMER_ROLE, enum=roles, null="keep"),
    }
    return (
        Route(READ, _PATH, _list_customers, listing, require_view_permission, _build_customer_schema, answers="many"),
        create,
        Route(
            READ,
            _ITEM,
            _read_customer,
            {**id, "context": list_arguments.build_context_argument()},
            require_view_permission,
            _build_customer_schema,
            errors=unknown,
        ),
        change,
        remove,
        Route(
            READ,
            f"{_PATH}/{{customer_id}}/downloads",
            _list_customer_downloads,
            {"customer_id": id["id"]},
            require_view_permission,
            errors=unknown,
            answers=_DOWNLOADS,
        ),
        build_batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
    )


def _build_customer_schema() -> dict[str, Any]:
    return _SERIALIZER.schema("customer")


# -- rights: shop managers change its customers, but no account with more rights than their own


def _require_customer_edit_permission(call: Call) -> None:
    """Those who run the shop (`manage_shop`); accounts that are more than customers need the rights over them."""
    require_shop_capability(call.work.user, CannotEditShopItem)
    id = call.args.get("id")
    found = customers.load_customers_by_id(call.work, (id,)).get(id) if isinstance(id, int) else None
    if found is None or set(found.user.roles) == {customers.CUSTOMER_ROLE}:
        return
    if not user_rights.may_edit_user(call.work.user, found.user):
        raise CannotEditShopItem(bool(call.work.user))
    # Staff accounts are edited by the users' routes; their credentials are out of the shop's scope.
    if call.args.get("password") is not None or call.args.get("email") not in (ABSENT, None, found.user.email):
        raise CannotEditShopItem(bool(call.work.user))


def _require_customer_delete_permission(call: Call) -> None:
    """Those who run the shop and remove accounts (`manage_shop`, `delete_users`), of buyers and readers alone."""
    require_shop_capability(call.work.user, CannotDeleteShopItem)
    require_shop_capability(call.work.user, CannotDeleteShopItem, "delete_users")
    id = call.args.get("id")
    found = customers.load_customers_by_id(call.work, (id,)).get(id) if isinstance(id, int) else None
    if found is not None and not _is_removable(found):
        raise CannotDeleteShopItem(bool(call.work.user))


def _is_removable(one: Customer) -> bool:
    """Return whether the shop may delete an account: one with any other role is staff."""
    return set(one.user.roles) <= _REMOVABLE


# -- handlers


def _build_links(call: Call, one: Customer) -> dict[str, Any]:
    user = call.work.user
    allowed = ["GET"]
    if customers.CUSTOMER_ROLE in one.user.roles or user_rights.may_edit_user(user, one.user):
        allowed += ["POST", "PUT", "PATCH"]
    if user.can("delete_users") and _is_removable(one):
        allowed.append("DELETE")
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{one.id}"), "targetHints": {"allow": allowed}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _list_customers(call: Call) -> Result:
    args = call.args
    work = call.work
    size = args["per_page"]
    search = args.get("email") or args.get("search") or ""
    found, total = user_listing.list_users(
        work,
        user_listing.UserFilters(
            search=search, columns=("email",) if args.get("email") else ("username", "email", "name"),
            include=tuple(args.get("include") or ()), exclude=tuple(args.get("exclude") or ()),
            roles=() if args["role"] == "all" else (args["role"],), orderby=_ORDERS[args["orderby"]],
            descending=args["order"] == "desc", limit=size,
            offset=compute_page_offset(args, zero_counts=False),
        ),
    )  # fmt: skip
    listed = customers.load_customers(work, found)
    view, wanted, context = (
        CustomerView(work, listed),
        parse_field_selection(call.request.raw("_fields")),
        args.get("context") or "view",
    )
    headers, links = build_page_headers(call, total, size, list_arguments.compute_page_number(args))
    body = [{**_SERIALIZER.serialize(one, view, context, wanted), "_links": _build_links(call, one)} for one in listed]
    return Result(body, headers=headers, links=links)


def _build_customer_result(call: Call, one: Customer, status: int = 200) -> Result:
    context = call.args.get("context") or "edit"
    body = _SERIALIZER.serialize(
        one, CustomerView(call.work, [one]), context, parse_field_selection(call.request.raw("_fields"))
    )
    return Result(body, status, rels=_build_links(call, one), keeps_links=True)


def _read_customer(call: Call) -> Result:
    return _build_customer_result(call, customers.get_customer(call.work, call.args["id"]))


def _create_customer(call: Call) -> Result:
    new = customers.create_customer(call.work, call.args)
    result = _build_customer_result(call, new, 201)
    result.headers["Location"] = call.work.api(f"{_PATH}/{new.id}")
    return result


def _update_customer(call: Call) -> Result:
    return _build_customer_result(
        call, customers.update_customer(call.work, customers.get_customer(call.work, call.args["id"]), call.args)
    )


def _delete_customer(call: Call) -> Result:
    old = customers.get_customer(call.work, call.args["id"])
    if not call.args.get("force"):
        raise CustomerTrashUnsupported
    result = _build_customer_result(call, old)
    customers.delete_customer(call.work, old, call.args.get("reassign") or 0)
    return result


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
