"""Customers: list, read, create, change, remove, batch; what one may download.

Not here: what a customer is (shop/customers/rules.py). Rules: facts, "Customers"; the recordings of customers.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.access.users import listing as user_listing
from vetrina.access.users import rights as user_rights
from vetrina.access.users.avatars import avatar
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel import times
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import ABSENT, EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.rest.paging import page_headers, start_of
from vetrina.rest.response_fields import texts
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice
from vetrina.shop import list_arguments, meta_data
from vetrina.shop.batch_routes import batch_route
from vetrina.shop.customers import rules as customers
from vetrina.shop.customers.rules import Customer
from vetrina.shop.downloads import rules as downloads
from vetrina.shop.orders import model as order_model
from vetrina.shop.orders.schema import ORDER
from vetrina.shop.permissions import creating, viewing
from vetrina.shop.products import model as product_model
from vetrina.shop.products.schema import META_DATA
from vetrina.shop.rights import CannotDelete, CannotEdit, require

__all__ = ["routes"]

_PATH: Final = "/shop/v3/customers"
_ITEM: Final = f"{_PATH}/{{id}}"
_BOTH: Final = (VIEW, EDIT)
_REMOVABLE: Final = frozenset((customers.ROLE, "subscriber"))  # roles of those who do not work here
_ORDERS: Final = {"id": "id", "include": "include", "name": "name", "registered_date": "registered_date"}
# Addresses of customers stand in another order than those of orders.
_DOWNLOADS: Final = Array(items=Object(properties={
    **texts("download_id", "download_url"), "product_id": Integer(), **texts("product_name", "download_name"),
    "order_id": Integer(), "order_key": String(), "downloads_remaining": String("A number, or `unlimited`."),
    "access_expires": String("A moment, or `never`."), "access_expires_gmt": String("A moment, or `never`."),
    "file": Object(properties=texts("name", "file")),
}))  # fmt: skip
_ORDER: Final = (
    "first_name", "last_name", "company", "address_1", "address_2", "city", "postcode", "country", "state", "email",
    "phone",
)  # fmt: skip


class NoTrash(ApiError):
    status, code = 501, "shop_rest_trash_not_supported"
    message = "Customers have no trash; send `force` as true to remove one for good."


def _address(name: str) -> Object:
    field = ORDER[name]
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
    "billing": _address("billing"),
    "shipping": _address("shipping"),
    "is_paying_customer": Boolean("Whether an order of the customer was completed.", context=_BOTH, readonly=True),
    "avatar_url": String("Address of a picture.", context=_BOTH, readonly=True),
    "meta_data": META_DATA,
}


class View:
    """What showing some customers needs to know beside them."""

    def __init__(self, work: Work, found: list[Customer]) -> None:
        self.zone = work.zone
        self.metas = meta_data.of_owners(work, customers.ROLE, [one.id for one in found])

    def local(self, moment: int) -> str:
        """Return a moment in the site's time."""
        return times.iso(self.zone.to_local(moment))


def _ordered(address: dict[str, str]) -> dict[str, str]:
    return {name: address[name] for name in _ORDER if name in address}


_SHAPE: Final = Shape(
    _MEMBERS,
    {
        "id": lambda one, view: one.id,
        "date_created": lambda one, view: view.local(one.user.registered),
        "date_created_gmt": lambda one, view: times.iso(one.user.registered),
        "date_modified": lambda one, view: view.local(one.modified),
        "date_modified_gmt": lambda one, view: times.iso(one.modified),
        "email": lambda one, view: one.user.email,
        "first_name": lambda one, view: one.user.first_name,
        "last_name": lambda one, view: one.user.last_name,
        "role": lambda one, view: next(iter(one.user.roles), ""),
        "username": lambda one, view: one.user.login,
        "billing": lambda one, view: _ordered(one.billing),
        "shipping": lambda one, view: _ordered(one.shipping),
        "is_paying_customer": lambda one, view: one.paying,
        "avatar_url": lambda one, view: avatar(one.user.email, 96),
        "meta_data": lambda one, view: meta_data.shown(view.metas[one.id], hide_private=True),
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of customers."""
    id = {"id": Integer("Number of the customer.")}
    writes = {
        name: field.but(context=(), default=ABSENT, null="keep")
        for name, field in _MEMBERS.items()
        if not field.readonly
    }
    unknown = (customers.CustomerUnknown,)
    create = Route(
        WRITE, _PATH, _created, {**writes, "email": writes["email"].but(required=True)}, creating, _schema,
        errors=(customers.InvalidEmail, customers.EmailExists, customers.UsernameExists), slow=True,
    )  # fmt: skip
    change = Route(
        CHANGE, _ITEM, _changed, {**id, **writes}, _may_edit, _schema,
        errors=(*unknown, customers.InvalidEmail, customers.EmailOfAnother, customers.UsernameFixed), slow=True,
    )  # fmt: skip
    remove = Route(
        REMOVE, _ITEM, _removed,
        {**id, "force": list_arguments.force(trash=False),
         "reassign": Integer("The account that gets the customer's records.", default=0, null="keep")},
        _may_remove, _schema, errors=(*unknown, NoTrash, customers.InvalidReassign),
    )  # fmt: skip
    roles = ("all", *frame.profile.roles)
    listing = {
        "context": list_arguments.context(),
        **list_arguments.paging(),
        "exclude": list_arguments.numbers("Customers that are left out."),
        "include": list_arguments.numbers("Only these customers."),
        "offset": Integer("Leave out so many from the start.", null="keep"),
        **list_arguments.ordering(tuple(_ORDERS), "name", "asc"),
        "email": String("Only the customer with this address.", format="email", null="keep"),
        "role": String("Only accounts of this role.", default=customers.ROLE, enum=roles, null="keep"),
    }
    return (
        Route(READ, _PATH, _listed, listing, viewing, _schema, answers="many"),
        create,
        Route(READ, _ITEM, _read, {**id, "context": list_arguments.context()}, viewing, _schema, errors=unknown),
        change,
        remove,
        Route(READ, f"{_PATH}/{{customer_id}}/downloads", _downloads, {"customer_id": id["id"]}, viewing,
              errors=unknown, answers=_DOWNLOADS),
        batch_route(f"{_PATH}/batch", create=create, update=change, delete=remove),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("customer")


# -- rights: who runs the shop changes its customers, but no account above its own


def _may_edit(call: Call) -> None:
    """Those who run the shop (`manage_shop`); accounts that are more than customers need the rights over them."""
    require(call.work.user, CannotEdit)
    id = call.args.get("id")
    found = customers.by_ids(call.work, (id,)).get(id) if isinstance(id, int) else None
    if found is None or set(found.user.roles) == {customers.ROLE}:
        return
    if not user_rights.may_edit(call.work.user, found.user):
        raise CannotEdit(bool(call.work.user))
    # Whoever works on the site is changed among users; what opens the account is none of the shop's business.
    if call.args.get("password") is not None or call.args.get("email") not in (ABSENT, None, found.user.email):
        raise CannotEdit(bool(call.work.user))


def _may_remove(call: Call) -> None:
    """Those who run the shop and remove accounts (`manage_shop`, `delete_users`), of buyers and readers alone."""
    require(call.work.user, CannotDelete)
    require(call.work.user, CannotDelete, "delete_users")
    id = call.args.get("id")
    found = customers.by_ids(call.work, (id,)).get(id) if isinstance(id, int) else None
    if found is not None and not _is_removable(found):
        raise CannotDelete(bool(call.work.user))


def _is_removable(one: Customer) -> bool:
    """Say whether the shop may remove an account: whoever has another role as well works here."""
    return set(one.user.roles) <= _REMOVABLE


# -- handlers


def _links(call: Call, one: Customer) -> dict[str, Any]:
    user = call.work.user
    allowed = ["GET"]
    if customers.ROLE in one.user.roles or user_rights.may_edit(user, one.user):
        allowed += ["POST", "PUT", "PATCH"]
    if user.can("delete_users") and _is_removable(one):
        allowed.append("DELETE")
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{one.id}"), "targetHints": {"allow": allowed}}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _listed(call: Call) -> Result:
    args = call.args
    work: Work = call.work
    size = args["per_page"]
    search = args.get("email") or args.get("search") or ""
    found, total = user_listing.found(
        work,
        user_listing.Filters(
            search=search, columns=("email",) if args.get("email") else ("username", "email", "name"),
            include=tuple(args.get("include") or ()), exclude=tuple(args.get("exclude") or ()),
            roles=() if args["role"] == "all" else (args["role"],), order_by=_ORDERS[args["orderby"]],
            descending=args["order"] == "desc", size=size,
            skipped=start_of(args, zero_counts=False),
        ),
    )  # fmt: skip
    listed = customers.of_users(work, found)
    view, wanted, context = View(work, listed), choice(call.request.raw("_fields")), args.get("context") or "view"
    headers, links = page_headers(call, total, size, list_arguments.page_of(args))
    body = [{**_SHAPE.members(one, view, context, wanted), "_links": _links(call, one)} for one in listed]
    return Result(body, headers=headers, links=links)


def _item(call: Call, one: Customer, status: int = 200) -> Result:
    context = call.args.get("context") or "edit"
    body = _SHAPE.members(one, View(call.work, [one]), context, choice(call.request.raw("_fields")))
    return Result(body, status, rels=_links(call, one), keeps_links=True)


def _read(call: Call) -> Result:
    return _item(call, customers.existing(call.work, call.args["id"]))


def _created(call: Call) -> Result:
    new = customers.create(call.work, call.args)
    result = _item(call, new, 201)
    result.headers["Location"] = call.work.api(f"{_PATH}/{new.id}")
    return result


def _changed(call: Call) -> Result:
    return _item(call, customers.change(call.work, customers.existing(call.work, call.args["id"]), call.args))


def _removed(call: Call) -> Result:
    old = customers.existing(call.work, call.args["id"])
    if not call.args.get("force"):
        raise NoTrash
    result = _item(call, old)
    customers.remove(call.work, old, call.args.get("reassign") or 0)
    return result


def _downloads(call: Call) -> Result:
    """List the files that a customer has bought and may download."""
    work: Work = call.work
    one = customers.existing(work, call.args["customer_id"])
    granted = downloads.of_customer(work, one.id)
    goods = product_model.by_ids(work, {permission.product for permission in granted})
    orders = order_model.by_ids(work, {permission.order for permission in granted})
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
                "download_url": downloads.address(work, permission, of.order_key),
                "product_id": sold.id,
                "product_name": sold.name,
                "download_name": file.get("name", ""),
                "order_id": of.id,
                "order_key": of.order_key,
                "downloads_remaining": "unlimited" if left < 0 else str(left),
                "access_expires": "never" if ends is None else times.iso(work.zone.to_local(ends))[:10] + "T00:00:00",
                "access_expires_gmt": "never" if ends is None else times.iso(ends),
                "file": {"name": file.get("name", ""), "file": file.get("file", "")},
            }
        )
    return Result(body)
