"""The settings of the shop by group: list groups, list and read settings, change one or several.

Not here: which there are and what each takes (shop/settings/rules.py). Rules: facts, "Taxes, settings, shipping,
gateways, data"; the recordings of settings.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Request, Result
from vetrina.rest.fields import Array, Field, Object, String, Untyped
from vetrina.rest.response_fields import FAILURE, Either, Free, RecordOf
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import Shape, choice, chosen
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.batch_routes import MOST, TooManyMembers
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import Group, Setting

__all__ = ["group_routes", "routes"]

_PATH: Final = "/shop/v3/settings"
_GROUP: Final = r"{group_id:[\w-]+}"
_SETTING: Final = r"{id:[\w-]+}"
_GROUP_WORD: Final = String("Name of the group.")
_WORD: Final = String("Name of the setting.")
_VALUE: Final = Untyped("What to set it to.")


class OneGroupAtATime(ApiError):
    """Settings of several groups in one batch: the interface has that route and refuses its members."""

    status, code = 405, "invalid-method"
    message = "Settings are changed a group at a time: send these to the batch of their group."


_GROUP_MEMBERS: dict[str, Field] = {
    "id": String("Name of the group.", context=("view",)),
    "label": String("What it is called.", context=("view",)),
    "description": String("What it is about.", context=("view",)),
    "parent_id": String("The group above it.", context=("view",)),
    "sub_groups": Array("The groups beneath it.", items=String(), context=("view",)),
}
_MEMBERS: dict[str, Field] = {
    "id": String("Name of the setting.", readonly=True, context=("view", "edit")),
    "group_id": String("The group that it belongs to.", readonly=True, context=("view", "edit")),
    "label": String("What it is called.", readonly=True, context=("view", "edit")),
    "description": String("What it does.", readonly=True, context=("view", "edit")),
    "value": Untyped("What it is set to.", context=("view", "edit")),
    "default": Untyped("What it is without a change.", readonly=True, context=("view", "edit")),
    "tip": String("More about it.", readonly=True, context=("view", "edit")),
    "placeholder": String("What an empty field shows.", readonly=True, context=("view", "edit")),
    "type": String("What kind of value it takes.", readonly=True, context=("view", "edit")),
    "options": Object("What it may be set to, with labels.", readonly=True, context=("view", "edit")),
}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the shop's settings."""
    refuse_all = _batch_route(f"{_PATH}/batch", {}, _refused)
    return (
        Route(READ, _PATH, _groups, {}, shop_permissions.viewing, _group_schema, answers="many"),
        refuse_all,
        *group_routes(_PATH, _GROUP, {"group_id": _GROUP_WORD}),
    )


def group_routes(
    path: str, group: str, holes: dict[str, Field], *, viewing: Callable[[Call], None] = shop_permissions.viewing,
    editing: Callable[[Call], None] = shop_permissions.editing,
) -> tuple[Route, ...]:  # fmt: skip
    """Return the routes of one group: its list, its batch, each setting.

    path: what stands before the group. group: its hole or its name; holes: the argument of the hole.
    """
    base = f"{path}/{group}"
    unknown = (settings.InvalidGroup,)
    neither = (settings.InvalidGroup, settings.InvalidSetting)
    return (
        Route(READ, base, _listed, dict(holes), viewing, _schema, errors=unknown, answers="many"),
        _batch_route(f"{base}/batch", dict(holes), _changed_member, editing),
        Route(READ, f"{base}/{_SETTING}", _read, {**holes, "id": _WORD}, viewing, _schema, errors=neither),
        Route(
            CHANGE, f"{base}/{_SETTING}", _changed, {**holes, "id": _WORD, "value": _VALUE}, editing, _schema,
            errors=(*neither, settings.InvalidValue),
        ),
    )  # fmt: skip


def _batch_route(
    path: str, holes: dict[str, Field], member: Callable[[Call, dict[str, Any]], Any],
    editing: Callable[[Call], None] = shop_permissions.editing,
) -> Route:  # fmt: skip
    args = {**holes, "update": Array("Settings to change, each with `id` and `value`.", items=Untyped(), lenient=True)}

    def handler(call: Call) -> Result:
        """Change several settings in one call; each is answered by itself."""
        listed = call.args.get("update")
        if not isinstance(listed, list):
            return Result([])
        if len(listed) > MOST:
            raise TooManyMembers(most=MOST, count=len(listed))
        return Result({"update": [_answered(call, member, one) for one in listed if isinstance(one, dict)]})

    return Route(CHANGE, path, handler, args, editing, errors=(TooManyMembers,), answers=_CHANGED, carries=("update",))


def _schema() -> dict[str, Any]:
    return Shape(_MEMBERS, {}).schema("setting")


# Without a list of changes nothing is told.
_CHANGED: Final = Either("", (
    Object(properties={"update": Array(items=Either("", (
        RecordOf(record=_schema),
        Object(properties={"id": Free("Name of the setting, as it was sent.", of=()), "error": FAILURE}),
    )))}),
    Array(max_items=0),
))  # fmt: skip


def _answered(call: Call, member: Callable[[Call, dict[str, Any]], Any], sent: dict[str, Any]) -> Any:
    try:
        return member(call, sent)
    except ApiError as error:
        return {"id": sent.get("id", 0), "error": error.body()}


def _group_schema() -> dict[str, Any]:
    return Shape(_GROUP_MEMBERS, {}).schema("setting_group")


def _groups(call: Call) -> Result:
    """List the groups of settings."""
    return Result([_group_body(call, group) for group in settings.groups().values()])


def _group_body(call: Call, group: Group) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": group.id,
        "label": group.label,
        "description": group.description,
        "parent_id": group.parent,
        "sub_groups": list(group.sub_groups),
    }
    return {**_chosen(call, body), "_links": {"options": [{"href": call.work.api(f"{_PATH}/{group.id}")}]}}


def _listed(call: Call) -> Result:
    """List the settings of a group, with their values."""
    group = _group_of(call)
    return Result([{**_body(call, group, one), "_links": _links(call, group, one)} for one in group.settings.values()])


def _read(call: Call) -> Result:
    group, one = _group_of(call), settings.setting(_group_of(call).id, call.args["id"])
    return _shown(call, group, one)


def _changed(call: Call) -> Result:
    group, one = _group_of(call), settings.setting(_group_of(call).id, call.args["id"])
    settings.change(call.work, group, one, call.args.get("value"))
    return _shown(call, group, one)


def _changed_member(call: Call, sent: dict[str, Any]) -> Any:
    """Return what the route of one setting answers to a member."""
    outer, path = call.request, f"{call.route.path.removesuffix('/batch')}/{_SETTING}"
    raw = {"id": str(sent.get("id", "")), "value": sent.get("value")}
    if "group_id" in call.args:
        raw["group_id"] = call.args["group_id"]
    request = Request(
        "PUT", outer.path, outer.root, outer.origin, call.work.language,
        json=raw, headers=outer.headers, remote=outer.remote, inner=True,
    )  # fmt: skip
    with call.work.part(request) as work:
        return call.ask.answer_member(call.ask.member("PUT", path, request, raw, work))


def _refused(call: Call, sent: dict[str, Any]) -> Any:
    raise OneGroupAtATime


def _group_of(call: Call) -> Group:
    return settings.group(call.args.get("group_id") or call.route.path.split("/settings/")[1].partition("/")[0])


def _shown(call: Call, group: Group, one: Setting) -> Result:
    body = {**_body(call, group, one), **_chosen(call, {"group_id": group.id})}
    return Result(body, rels=_links(call, group, one), keeps_links=True)


def _body(call: Call, group: Group, one: Setting) -> dict[str, Any]:
    body: dict[str, Any] = {"id": one.id, "label": one.label, "description": one.description, "type": one.type}
    if one.default is not None or one.default_from:
        body["default"] = settings.default(call.work, one)
    offered = settings.choices(call.work, one)
    if offered is not None:
        body["options"] = dict(offered)
    if one.tip is not None:
        body["tip"] = one.tip
    body["value"] = settings.value_of(call.work, group, one)
    return _chosen(call, body)


def _chosen(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = choice(call.request.raw("_fields"))
    return body if wanted is None else chosen(body, wanted.tree)


def _links(call: Call, group: Group, one: Setting) -> dict[str, Any]:
    base = call.work.api(call.route.path.partition("/settings")[0] + f"/settings/{group.id}")
    return {
        "self": [{"href": f"{base}/{one.id}", "targetHints": {"allow": ["GET", "POST", "PUT", "PATCH"]}}],
        "collection": [{"href": base}],
    }
