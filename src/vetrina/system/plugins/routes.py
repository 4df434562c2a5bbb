"""The modules of the site, shown as plugins: those of its profile are active, the others could be.

The profile decides what a site consists of, so nothing is activated, installed or removed here; a request for the
state that already holds succeeds. Rules: docs/rules/themes.md, 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from vetrina import __version__
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, PermissionDenied
from vetrina.kernel.folding import fold_text
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Object, String
from vetrina.rest.resource import Links, ListPage, Operation, Resource
from vetrina.rest.route import REMOVE, WRITE, Route
from vetrina.rest.serializer import Serializer, read_attributes

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_NAME: Final = r"[^.\/]+(?:\/[^.\/]+)?"
_STATUSES: Final = ("inactive", "active")
_STATUS: Final = String("Whether the site has it.", enum=_STATUSES)


class CannotViewPlugins(PermissionDenied):
    code = "rest_cannot_view_plugins"
    message = "You may not see the modules of this site."


class CannotViewPlugin(PermissionDenied):
    code = "rest_cannot_view_plugin"
    message = "You may not see the modules of this site."


class CannotInstallPlugin(PermissionDenied):
    code = "rest_cannot_install_plugin"
    message = "You may not add modules to this site."


class CannotManagePlugins(PermissionDenied):
    code = "rest_cannot_manage_plugins"
    message = "You may not change the modules of this site."


class SitePluginNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "rest_plugin_not_found"
    message = "There is no module {name!r}. GET /cms/v2/plugins lists them."


class PluginPackageNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "plugins_api_failed"
    message = "There is nothing to fetch under the name {name!r}: the modules come with the software."


class CannotActivatePlugin(PermissionDenied):
    code = "rest_cannot_activate_plugin"
    message = "The site's profile says which modules it has; add {name!r} to its `modules` and start it again."


class CannotDeactivatePlugin(PermissionDenied):
    code = "rest_cannot_deactivate_plugin"
    message = "The site's profile says which modules it has; take {name!r} out of its `modules` and start it again."


class CannotDeleteActivePlugin(ApiError):
    code = "rest_cannot_delete_active_plugin"
    message = "The module {name!r} is in use."


class CannotDeletePlugin(PermissionDenied):
    code = "rest_cannot_delete_plugin"
    message = "The module {name!r} is part of the software and cannot be removed from here."


@dataclass(frozen=True, slots=True)
class SitePluginModule:
    """A module that a profile may have."""

    name: str
    title: str
    description: str

    @property
    def plugin(self) -> str:
        return f"{self.name}/{self.name}"


_MODULES: Final = {
    module.plugin: module
    for module in (
        SitePluginModule("connector", "Connector", "Connects the site to an outside service and keeps it up to date."),
        SitePluginModule(
            "multilingual", "Multilingual", "Content in several languages: translations, jobs, exchange of files."
        ),
        SitePluginModule("shop", "Shop", "Products, orders, payments, taxes, shipping and their reports."),
    )
}


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of the site's modules."""
    install = Route(
        WRITE, PLUGINS.path, _install_plugin,
        {
            "slug": String("Name of the package to fetch.", required=True, pattern=r"[\w\-]+"),
            "status": _STATUS.replace(default="inactive"),
        },
        _require_install_permission, PLUGINS.build_schema,
    )  # fmt: skip
    delete = Route(
        REMOVE, f"{PLUGINS.path}/{PLUGINS.item}", _delete_plugin, PLUGINS.key, _require_manage_permission,
        PLUGINS.build_schema,
    )  # fmt: skip
    routes = PLUGINS.build_routes_by_operation()
    return routes["list"], install, routes["read"], routes["update"], delete


# -- what may be done


def _require_list_permission(call: Call) -> None:
    """Those who activate modules (`activate_plugins`)."""
    if not call.work.user.can("activate_plugins"):
        raise CannotViewPlugins(bool(call.work.user))


def _require_install_permission(call: Call) -> None:
    """Those who install modules (`install_plugins`)."""
    if not call.work.user.can("install_plugins"):
        raise CannotInstallPlugin(bool(call.work.user))


def _require_view_permission(call: Call) -> None:
    """Those who activate modules (`activate_plugins`)."""
    if not call.work.user.can("activate_plugins"):
        raise CannotViewPlugin(bool(call.work.user))
    _get_module(call)


def _require_manage_permission(call: Call) -> None:
    """Those who activate modules (`activate_plugins`)."""
    if not call.work.user.can("activate_plugins"):
        raise CannotManagePlugins(bool(call.work.user))
    _get_module(call)


def _get_module(call: Call) -> SitePluginModule:
    """Return the module that a call names. Raises SitePluginNotFound."""
    name = call.args.get("plugin")
    found = _MODULES.get(name) if isinstance(name, str) else None
    if found is None:
        raise SitePluginNotFound(name=name)
    return found


# -- what is done


def _list_plugins(call: Call) -> ListPage[SitePluginModule]:
    statuses, words = call.args.get("status") or _STATUSES, fold_text(call.args.get("search", ""))
    return ListPage([
        module
        for module in _MODULES.values()
        if _compute_status(call.work, module) in statuses
        and words in fold_text(f"{module.name} {module.title} {module.description}")
    ])  # fmt: skip


def _install_plugin(call: Call) -> Result:
    raise PluginPackageNotFound(name=call.args["slug"])


def _update_plugin(call: Call, module: SitePluginModule) -> SitePluginModule:
    status = call.args.get("status")
    if status not in (None, _compute_status(call.work, module)):
        refusal = CannotActivatePlugin if status == "active" else CannotDeactivatePlugin
        raise refusal(bool(call.work.user), name=module.name)
    call.args["context"] = EDIT
    return module


def _delete_plugin(call: Call) -> Result:
    module = _get_module(call)
    if _compute_status(call.work, module) == "active":
        raise CannotDeleteActivePlugin(name=module.name)
    raise CannotDeletePlugin(bool(call.work.user), name=module.name)


def _compute_status(work: UnitOfWork, module: SitePluginModule) -> str:
    return "active" if module.name in work.site.profile.modules else "inactive"


def _build_links(call: Call, module: SitePluginModule) -> Links:
    return {"self": [{"href": PLUGINS.build_url(call, module)}]}


_SERIALIZER = Serializer(
    {
        "plugin": String("Name of the module.", context=_ALL, readonly=True),
        "status": String("Whether the site has it.", enum=_STATUSES, context=_ALL),
        "name": String("Its name as people read it.", context=_ALL, readonly=True),
        "plugin_uri": String("Where it is found.", format="uri", context=_SHOWN, readonly=True),
        "author": String("Who made it.", context=_SHOWN, readonly=True),
        "author_uri": String("Where its author is found.", format="uri", context=_SHOWN, readonly=True),
        "description": Object(
            "What it does.",
            properties={
                "raw": String("As it is stored.", context=_SHOWN),
                "rendered": String("As HTML.", context=_SHOWN),
            },
            context=_SHOWN, readonly=True,
        ),
        "version": String("Its version.", context=_SHOWN, readonly=True),
        "network_only": Boolean("Whether only a network of sites can have it.", context=_ALL, readonly=True),
        "requires_wp": String("Least version of the site's software that it needs.", context=_ALL, readonly=True),
        "requires_php": String("Least version of a runtime that it needs; none here.", context=_ALL, readonly=True),
        "textdomain": String("Name of its catalogue of translations.", context=_SHOWN, readonly=True),
    },
    {
        **read_attributes("plugin", name="title", textdomain="name"),
        "status": lambda module, work: _compute_status(work, module),
        "plugin_uri": lambda module, work: "",
        "author": lambda module, work: "The Vetrina authors",
        "author_uri": lambda module, work: "",
        "description": lambda module, work: {"raw": module.description, "rendered": module.description},
        "version": lambda module, work: __version__,
        "network_only": lambda module, work: False,
        "requires_wp": lambda module, work: "",
        "requires_php": lambda module, work: "",
    },
)  # fmt: skip

PLUGINS: Final = Resource(
    title="plugin",
    path="/cms/v2/plugins",
    item=f"{{plugin:{_NAME}}}",
    key={
        "context": build_context_argument(),
        "plugin": String("Name of the module.", pattern=f"^{_NAME}$", null="keep"),
    },
    identify=attrgetter("plugin"),
    serializer=_SERIALIZER,
    build_links=_build_links,
    find=_get_module,
    list=Operation(
        _list_plugins,
        _require_list_permission,
        {
            "context": build_context_argument(),
            "search": String("Keep only what matches this text.", null="keep"),
            "status": Array("Only modules with these statuses.", items=String(enum=_STATUSES), null="keep"),
        },
    ),
    read=Operation(_get_module, _require_view_permission),
    update=Operation(_update_plugin, _require_manage_permission, {"status": _STATUS}),
)
