"""Routes of the shop's settings by group: list groups, list and read settings, change one or several.

Not here: the settings and their values (shop/settings/rules.py). Rules: docs/rules/shop_settings.md, 1 and 2;
docs/rules/global_parameters.md, 10.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.person_language import choose_text_language
from vetrina.core.site_context import SiteContext
from vetrina.kernel.errors import ApiError, Failure
from vetrina.rest.call import Request, Result
from vetrina.rest.error_statuses import serialize_error
from vetrina.rest.field_selection import parse_field_selection, select_fields
from vetrina.rest.fields import Array, Field, Object, String, Untyped
from vetrina.rest.response_fields import FAILURE, Either, Free, RecordOf
from vetrina.rest.route import CHANGE, READ, Route
from vetrina.rest.serializer import Serializer
from vetrina.shop import permissions as shop_permissions
from vetrina.shop.batch_routes import MAX_BATCH_MEMBERS, TooManyBatchMembers
from vetrina.shop.settings import rules as settings
from vetrina.shop.settings.rules import SettingGroup, ShopSetting
from vetrina.shop.settings.setting_views import SETTING_PHRASES, list_translated_choices, translate_setting

_PATH: Final = "/shop/v3/settings"
_GROUP: Final = r"{group_id:[\w-]+}"
_SETTING: Final = r"{id:[\w-]+}"
_GROUP_ID: Final = String("Name of the group.")
_SETTING_ID: Final = String("Name of the setting.")
_VALUE: Final = Untyped("What to set it to.")


class SeveralSettingGroups(ApiError):
    """A batch over several groups: the interface has that route and refuses its members."""

    failure, code = Failure.WRONG_METHOD, "invalid-method"
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
    "group_id": String("The group that it belongs to.", readonly=True, context=("view", "edit"), optional=True),
    "label": String("What it is called.", readonly=True, context=("view", "edit")),
    "description": String("What it does.", readonly=True, context=("view", "edit")),
    "value": Untyped("What it is set to.", context=("view", "edit")),
    "default": Untyped("What it is without a change.", readonly=True, context=("view", "edit"), optional=True),
    "tip": String("More about it.", readonly=True, context=("view", "edit"), optional=True),
    "placeholder": String("What an empty field shows.", readonly=True, context=("view", "edit"), optional=True),
    "type": String("What kind of value it takes.", readonly=True, context=("view", "edit")),
    "options": Object("What it may be set to, with labels.", readonly=True, context=("view", "edit"), optional=True),
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the shop's settings."""
    refuse_all = _build_settings_batch_route(f"{_PATH}/batch", {}, _refuse_member)
    return (
        Route(
            READ, _PATH, _list_groups, {}, shop_permissions.require_view_permission, _build_group_schema, answers="many"
        ),
        refuse_all,
        *build_group_routes(_PATH, _GROUP, {"group_id": _GROUP_ID}),
    )


def build_group_routes(
    path: str,
    group: str,
    path_fields: dict[str, Field],
    *,
    viewing: Callable[[Call], None] = shop_permissions.require_view_permission,
    editing: Callable[[Call], None] = shop_permissions.require_edit_permission,
) -> tuple[Route, ...]:
    """Return the routes of one group: its list, its batch, each setting.

    path: what precedes the group. group: its path parameter or its name; path_fields: the argument of that path
    parameter.
    """
    base = f"{path}/{group}"
    unknown = (settings.InvalidSettingGroup,)
    neither = (settings.InvalidSettingGroup, settings.InvalidShopSetting)
    return (
        Route(
            READ,
            base,
            _list_settings,
            dict(path_fields),
            viewing,
            _build_setting_schema,
            errors=unknown,
            answers="many",
        ),
        _build_settings_batch_route(f"{base}/batch", dict(path_fields), _update_member, editing),
        Route(
            READ,
            f"{base}/{_SETTING}",
            _read_setting,
            {**path_fields, "id": _SETTING_ID},
            viewing,
            _build_setting_schema,
            errors=neither,
        ),
        Route(
            CHANGE,
            f"{base}/{_SETTING}",
            _update_setting,
            {**path_fields, "id": _SETTING_ID, "value": _VALUE},
            editing,
            _build_setting_schema,
            errors=(*neither, settings.InvalidSettingValue),
        ),
    )


def _build_settings_batch_route(
    path: str, path_fields: dict[str, Field], member: Callable[[Call, dict[str, Any]], Any],
    editing: Callable[[Call], None] = shop_permissions.require_edit_permission,
) -> Route:  # fmt: skip
    args = {
        **path_fields,
        "update": Array("Settings to change, each with `id` and `value`.", items=Untyped(), lenient=True),
    }

    def handler(call: Call) -> Result:
        """Change several settings in one request; each has a result of its own."""
        listed = call.args.get("update")
        if not isinstance(listed, list):
            return Result([])
        if len(listed) > MAX_BATCH_MEMBERS:
            raise TooManyBatchMembers(most=MAX_BATCH_MEMBERS, count=len(listed))
        return Result({"update": [_run_member(call, member, one) for one in listed if isinstance(one, dict)]})

    return Route(
        CHANGE,
        path,
        handler,
        args,
        editing,
        errors=(TooManyBatchMembers,),
        answers=_BATCH_ANSWER,
        batch_arguments=("update",),
    )


def _build_setting_schema() -> dict[str, Any]:
    return Serializer(_MEMBERS, {}).schema("setting")


# Without a list of changes the response is empty.
_BATCH_ANSWER: Final = Either("", (
    Object(properties={"update": Array(items=Either("", (
        RecordOf(record=_build_setting_schema),
        Object(properties={"id": Free("Name of the setting, as it was sent.", of=()), "error": FAILURE}),
    )))}),
    Array(max_items=0),
))  # fmt: skip


def _run_member(call: Call, member: Callable[[Call, dict[str, Any]], Any], change: dict[str, Any]) -> Any:
    try:
        return member(call, change)
    except ApiError as error:
        return {"id": change.get("id", 0), "error": serialize_error(error)}


def _build_group_schema() -> dict[str, Any]:
    return Serializer(_GROUP_MEMBERS, {}).schema("setting_group")


def _list_groups(call: Call) -> Result:
    """List the groups of settings."""
    language = choose_text_language(call)
    return Result([_serialize_group(call, group, language) for group in settings.load_setting_groups().values()])


def _serialize_group(call: Call, group: SettingGroup, language: str) -> dict[str, Any]:
    body: dict[str, Any] = {
        "id": group.id,
        "label": SETTING_PHRASES.translate(language, group.label),
        "description": SETTING_PHRASES.translate(language, group.description),
        "parent_id": group.parent,
        "sub_groups": list(group.sub_groups),
    }
    return {**_select_fields(call, body), "_links": {"options": [{"href": call.work.api(f"{_PATH}/{group.id}")}]}}


def _list_settings(call: Call) -> Result:
    """List the settings of a group, with their values."""
    group, language = _get_group(call), choose_text_language(call)
    return Result(
        [
            {**_serialize_setting(call, group, one, language), "_links": _build_links(call, group, one)}
            for one in group.settings.values()
        ]
    )


def _read_setting(call: Call) -> Result:
    group, one = _get_group(call), settings.get_setting(_get_group(call).id, call.args["id"])
    return _build_setting_result(call, group, one)


def _update_setting(call: Call) -> Result:
    group, one = _get_group(call), settings.get_setting(_get_group(call).id, call.args["id"])
    settings.update_setting(call.work, group, one, call.args.get("value"))
    return _build_setting_result(call, group, one)


def _update_member(call: Call, change: dict[str, Any]) -> Any:
    """Return the response of a single setting's route for a batch member."""
    outer, path = call.request, f"{call.route.path.removesuffix('/batch')}/{_SETTING}"
    raw = {"id": str(change.get("id", "")), "value": change.get("value")}
    if "group_id" in call.args:
        raw["group_id"] = call.args["group_id"]
    request = Request(
        "PUT", outer.path, outer.root, outer.origin, call.work.language,
        json=raw, headers=outer.headers, remote=outer.remote, inner=True,
    )  # fmt: skip
    with call.work.part(request) as work:
        return call.ask.answer_member(call.ask.build_member_call("PUT", path, request, raw, work))


def _refuse_member(call: Call, change: dict[str, Any]) -> Any:
    raise SeveralSettingGroups


def _get_group(call: Call) -> SettingGroup:
    return settings.get_setting_group(
        call.args.get("group_id") or call.route.path.split("/settings/")[1].partition("/")[0]
    )


def _build_setting_result(call: Call, group: SettingGroup, one: ShopSetting) -> Result:
    language = choose_text_language(call)
    body = {**_serialize_setting(call, group, one, language), **_select_fields(call, {"group_id": group.id})}
    return Result(body, rels=_build_links(call, group, one), keeps_links=True)


def _serialize_setting(call: Call, group: SettingGroup, declared: ShopSetting, language: str) -> dict[str, Any]:
    one = translate_setting(declared, SETTING_PHRASES, language)
    body: dict[str, Any] = {"id": one.id, "label": one.label, "description": one.description, "type": one.type}
    if one.default is not None or one.default_from:
        body["default"] = settings.get_setting_default(call.work, one)
    offered = list_translated_choices(call.work, one, language)
    if offered is not None:
        body["options"] = dict(offered)
    if one.tip is not None:
        body["tip"] = one.tip
    body["value"] = settings.get_setting_value(call.work, group, one)
    return _select_fields(call, body)


def _select_fields(call: Call, body: dict[str, Any]) -> dict[str, Any]:
    wanted = parse_field_selection(call.request.raw("_fields"))
    return body if wanted is None else select_fields(body, wanted.tree)


def _build_links(call: Call, group: SettingGroup, one: ShopSetting) -> dict[str, Any]:
    base = call.work.api(call.route.path.partition("/settings")[0] + f"/settings/{group.id}")
    return {
        "self": [{"href": f"{base}/{one.id}", "targetHints": {"allow": ["GET", "POST", "PUT", "PATCH"]}}],
        "collection": [{"href": base}],
    }
