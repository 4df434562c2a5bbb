"""The modules of the site, shown as plugins: those of its profile are active, the others could be.

What a site is made of says its profile, so nothing is switched on, off, fetched or removed from here; a request that
asks for what is already so is answered. Rules: facts, "Themes, plugins, blocks, widgets, health, helpers, abilities".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from vetrina import __version__
from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError, Refused
from vetrina.kernel.folding import fold
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context
from vetrina.rest.fields import EDIT, EMBED, VIEW, Array, Boolean, Field, Object, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import Shape, choice

__all__ = ["routes"]

_ALL = (VIEW, EDIT, EMBED)
_SHOWN = (VIEW, EDIT)
_PATH: Final = "/cms/v2/plugins"
_NAME: Final = r"[^.\/]+(?:\/[^.\/]+)?"
_STATUSES: Final = ("inactive", "active")


class CannotViewAll(Refused):
    code = "rest_cannot_view_plugins"
    message = "You may not see the modules of this site."


class CannotView(Refused):
    code = "rest_cannot_view_plugin"
    message = "You may not see the modules of this site."


class CannotInstall(Refused):
    code = "rest_cannot_install_plugin"
    message = "You may not add modules to this site."


class CannotManage(Refused):
    code = "rest_cannot_manage_plugins"
    message = "You may not change the modules of this site."


class PluginUnknown(ApiError):
    status, code = 404, "rest_plugin_not_found"
    message = "There is no module {name!r}. GET /cms/v2/plugins lists them."


class NoSuchPackage(ApiError):
    status, code = 404, "plugins_api_failed"
    message = "There is nothing to fetch under the name {name!r}: the modules come with the software."


class CannotActivate(Refused):
    code = "rest_cannot_activate_plugin"
    message = "The site's profile says which modules it has; add {name!r} to its `modules` and start it again."


class CannotDeactivate(Refused):
    code = "rest_cannot_deactivate_plugin"
    message = "The site's profile says which modules it has; take {name!r} out of its `modules` and start it again."


class CannotRemoveActive(ApiError):
    code = "rest_cannot_delete_active_plugin"
    message = "The module {name!r} is in use."


class CannotRemove(Refused):
    code = "rest_cannot_delete_plugin"
    message = "The module {name!r} is part of the software and cannot be removed from here."


@dataclass(frozen=True, slots=True)
class Module:
    """A part of the software that a profile may have."""

    name: str
    title: str
    description: str

    @property
    def plugin(self) -> str:
        return f"{self.name}/{self.name}"


_MODULES: Final = {
    module.plugin: module
    for module in (
        Module("connector", "Connector", "Connects the site to an outside service and keeps it up to date."),
        Module("multilingual", "Multilingual", "Content in several languages: translations, jobs, exchange of files."),
        Module("shop", "Shop", "Products, orders, payments, taxes, shipping and their reports."),
    )
}


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of the site's modules."""
    item = f"{_PATH}/{{plugin:{_NAME}}}"
    name: dict[str, Field] = {"plugin": String("Name of the module.", pattern=f"^{_NAME}$", null="keep")}
    status = String("Whether the site has it.", enum=_STATUSES)
    listed: dict[str, Field] = {
        "context": context(),
        "search": String("Keep only what matches this text.", null="keep"),
        "status": Array("Only modules with these statuses.", items=String(enum=_STATUSES), null="keep"),
    }
    new: dict[str, Field] = {
        "slug": String("Name of the package to fetch.", required=True, pattern=r"[\w\-]+"),
        "status": status.but(default="inactive"),
    }
    return (
        Route(READ, _PATH, _list, listed, _may_list, _schema, answers="many"),
        Route(WRITE, _PATH, _install, new, _may_install, _schema),
        Route(READ, item, _read, {"context": context(), **name}, _may_view, _schema),
        Route(CHANGE, item, _change, {"context": context(), **name, "status": status}, _may_manage, _schema),
        Route(REMOVE, item, _remove, {"context": context(), **name}, _may_manage, _schema),
    )


def _schema() -> dict[str, Any]:
    return _SHAPE.schema("plugin")


# -- what may be done


def _may_list(call: Call) -> None:
    """Those who activate modules (`activate_plugins`)."""
    if not call.work.user.can("activate_plugins"):
        raise CannotViewAll(bool(call.work.user))


def _may_install(call: Call) -> None:
    """Those who install modules (`install_plugins`)."""
    if not call.work.user.can("install_plugins"):
        raise CannotInstall(bool(call.work.user))


def _may_view(call: Call) -> None:
    """Those who activate modules (`activate_plugins`)."""
    if not call.work.user.can("activate_plugins"):
        raise CannotView(bool(call.work.user))
    _module(call)


def _may_manage(call: Call) -> None:
    """Those who activate modules (`activate_plugins`)."""
    if not call.work.user.can("activate_plugins"):
        raise CannotManage(bool(call.work.user))
    _module(call)


def _module(call: Call) -> Module:
    """Return the module that a call names. Raises PluginUnknown."""
    name = call.args.get("plugin")
    found = _MODULES.get(name) if isinstance(name, str) else None
    if found is None:
        raise PluginUnknown(name=name)
    return found


# -- what is done


def _list(call: Call) -> Result:
    asked, words = call.args.get("status") or _STATUSES, fold(call.args.get("search", ""))
    wanted = choice(call.request.raw("_fields"))
    found = [
        module for module in _MODULES.values()
        if _status(call.work, module) in asked and words in fold(f"{module.name} {module.title} {module.description}")
    ]  # fmt: skip
    return Result(
        [
            {**_SHAPE.members(one, call.work, call.args["context"], wanted), "_links": _links(call.work, one)}
            for one in found
        ]
    )


def _install(call: Call) -> Result:
    raise NoSuchPackage(name=call.args["slug"])


def _read(call: Call) -> Result:
    return _shown(call, _module(call), call.args["context"])


def _change(call: Call) -> Result:
    module, asked = _module(call), call.args.get("status")
    if asked not in (None, _status(call.work, module)):
        raise (CannotActivate if asked == "active" else CannotDeactivate)(bool(call.work.user), name=module.name)
    return _shown(call, module, EDIT)


def _remove(call: Call) -> Result:
    module = _module(call)
    if _status(call.work, module) == "active":
        raise CannotRemoveActive(name=module.name)
    raise CannotRemove(bool(call.work.user), name=module.name)


def _status(work: Work, module: Module) -> str:
    return "active" if module.name in work.frame.profile.modules else "inactive"


def _links(work: Work, module: Module) -> dict[str, Any]:
    return {"self": [{"href": work.api(f"{_PATH}/{module.plugin}")}]}


def _shown(call: Call, module: Module, context: str) -> Result:
    members = _SHAPE.members(module, call.work, context, choice(call.request.raw("_fields")))
    return Result(members, rels=_links(call.work, module))


_SHAPE = Shape(
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
        "plugin": lambda module, work: module.plugin,
        "status": lambda module, work: _status(work, module),
        "name": lambda module, work: module.title,
        "plugin_uri": lambda module, work: "",
        "author": lambda module, work: "The Vetrina authors",
        "author_uri": lambda module, work: "",
        "description": lambda module, work: {"raw": module.description, "rendered": module.description},
        "version": lambda module, work: __version__,
        "network_only": lambda module, work: False,
        "requires_wp": lambda module, work: "",
        "requires_php": lambda module, work: "",
        "textdomain": lambda module, work: module.name,
    },
)  # fmt: skip
