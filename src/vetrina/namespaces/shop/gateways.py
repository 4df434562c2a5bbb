"""Payment gateways: list, read, change.

Not here: what they are (domain/shop/gateways.py). Rules: facts, "Taxes, settings, shipping, gateways, data".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import EDIT, VIEW, Array, Boolean, Field, Integer, Object, String
from vetrina.declare.listing import page_headers
from vetrina.declare.present import Shape, choice
from vetrina.declare.route import CHANGE, READ, Route
from vetrina.domain.shop import gateways, settings
from vetrina.domain.shop.gateways import Held
from vetrina.domain.shop.shipping_methods import KINDS
from vetrina.domain.work import Frame, Work

from . import access, arguments
from .shipping import setting_body

__all__ = ["routes"]

_PATH: Final = "/shop/v3/payment_gateways"
_BOTH: Final = (VIEW, EDIT)

_MEMBERS: dict[str, Field] = {
    "id": String("Name of the gateway.", context=_BOTH, readonly=True),
    "title": String("What customers see.", context=_BOTH),
    "description": String("What customers read about it.", context=_BOTH),
    "order": Integer("Place among the gateways.", context=_BOTH),
    "enabled": Boolean("Whether it can be chosen.", context=_BOTH),
    "method_title": String("What the administration calls it.", context=_BOTH, readonly=True),
    "method_description": String("What it does.", context=_BOTH, readonly=True),
    "method_supports": Array("What it can do.", items=String(), context=_BOTH, readonly=True),
    "settings": Object("What is set about it.", context=_BOTH),
    "needs_setup": Boolean("Whether something must be set before it works.", context=_BOTH, readonly=True),
    "post_install_scripts": Array("Scripts that its setup loads.", items=String(), context=_BOTH, readonly=True),
    "settings_url": String("Where it is set up.", context=_BOTH, readonly=True),
    "connection_url": String("Where it is connected.", context=_BOTH, readonly=True, nullable=True),
    "setup_help_text": String("What helps to set it up.", context=_BOTH, readonly=True, nullable=True),
    "required_settings_keys": Array("What must be set.", items=String(), context=_BOTH, readonly=True),
}


def _settings(one: Held, work: Work) -> dict[str, Any]:
    out = {name: setting_body(setting, one.values[name]) for name, setting in one.of.settings.items()}
    if "enable_for_methods" in out:
        out["enable_for_methods"]["options"] = {
            kind.title: {kind.id: f"Any &quot;{kind.title}&quot; method"} for kind in KINDS.values()
        }
    return out


_SHAPE: Final = Shape(
    _MEMBERS,
    {
        "id": lambda one, work: one.of.id,
        "title": lambda one, work: one.title,
        "description": lambda one, work: one.description,
        "order": lambda one, work: "" if one.order is None else one.order,
        "enabled": lambda one, work: one.enabled,
        "method_title": lambda one, work: one.of.method_title,
        "method_description": lambda one, work: one.of.method_description,
        "method_supports": lambda one, work: list(one.of.supports),
        "settings": _settings,
        "needs_setup": lambda one, work: False,
        "post_install_scripts": lambda one, work: [],
        "settings_url": lambda one, work: (
            f"{work.origin}/admin/admin.php?page=shop-settings&tab=checkout&path=/offline/{one.of.id}"
        ),
        "connection_url": lambda one, work: None,
        "setup_help_text": lambda one, work: None,
        "required_settings_keys": lambda one, work: [],
    },
)


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of payment gateways."""
    id = {"id": String("Name of the gateway.")}
    writes: dict[str, Field] = {
        "title": String("What customers see.", null="keep"),
        "description": String("What customers read about it.", null="keep"),
        "order": Integer("Place among the gateways.", null="keep"),
        "enabled": Boolean("Whether it can be chosen.", null="keep"),
        "settings": Object("What is set about it.", null="keep"),
    }
    unknown = (gateways.GatewayUnknown,)
    path = f"{_PATH}/{{id:[\\w-]+}}"
    seen = {"context": arguments.context()}
    return (
        Route(READ, _PATH, _listed, seen, access.viewing, _schema, answers="many"),
        Route(READ, path, _read, {**id, **seen}, access.viewing, _schema, errors=unknown),
        Route(
            CHANGE, path, _changed, {**id, **writes}, access.editing, _schema,
            errors=(*unknown, settings.InvalidValue),
        ),
    )  # fmt: skip


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("payment_gateway")


def _links(call: Call, one: Held) -> dict[str, Any]:
    hints = {"allow": ["GET", "POST", "PUT", "PATCH"]}
    return {
        "self": [{"href": call.work.api(f"{_PATH}/{one.of.id}"), "targetHints": hints}],
        "collection": [{"href": call.work.api(_PATH)}],
    }


def _body(call: Call, one: Held) -> dict[str, Any]:
    context = call.args.get("context") or "view"
    return _SHAPE.members(one, call.work, context, choice(call.request.raw("_fields")))


def _listed(call: Call) -> Result:
    every = gateways.listed(call.work)
    headers, links = page_headers(call, len(every), None)
    body = [{**_body(call, one), "_links": _links(call, one)} for one in every]
    return Result(body, headers=headers, links=links)


def _read(call: Call) -> Result:
    one = gateways.existing(call.work, call.args["id"])
    return Result(_body(call, one), rels=_links(call, one))


def _changed(call: Call) -> Result:
    one = gateways.change(call.work, gateways.existing(call.work, call.args["id"]), call.args)
    return Result(_body(call, one), rels=_links(call, one))
