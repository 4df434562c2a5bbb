"""Routes of plugins, the modules of the product: list, install, activate, at once or as a job.

Not here: the modules (shop/admin/modules.py), connections (shop/admin/connection_routes.py). Rules:
docs/rules/shop_modules.md, 1, 2 and 3.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, Object, String
from vetrina.rest.response_fields import Either, Nothing
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.admin import (
    module_jobs,
    modules as admin_modules,
    permissions as admin_permissions,
    responses as admin_responses,
)
from vetrina.shop.admin.module_jobs import ModuleAction
from vetrina.shop.admin.modules import ModuleOutcome

_PATH: Final = "/shop-admin/plugins"
_SETUP: Final = "/shop-admin/onboarding/plugins"
_SLUGS: Final = Object(properties={"plugins": Array(items=String())})


class PluginNamesMissing(ApiError):
    code = "shop_rest_invalid_plugins"
    message = "Name the modules with commas between them, as `plugins`."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes that list, install and activate plugins."""
    admin = admin_permissions.require_admin_update_permission
    job: dict[str, Field] = {"job_id": String("Number of the job.", pattern="^[a-z0-9_-]+$")}
    none = (PluginNamesMissing,)
    hole = r"{job_id:[a-z0-9_\-]+}"
    return (
        Route(
            CHANGE, f"{_PATH}/install", _install_plugins, {}, admin, errors=none,
            answers=admin_responses.MODULES_INSTALLED,
        ),
        Route(READ, f"{_PATH}/install/status", _build_jobs_handler("install"), {}, admin, answers=admin_responses.JOBS),
        Route(
            READ, f"{_PATH}/install/status/{hole}", _build_job_handler("install"), job, admin,
            answers=admin_responses.JOB,
        ),
        Route(
            READ, f"{_PATH}/active", _list_active_plugins, {}, admin_permissions.require_view_permission, answers=_SLUGS
        ),
        Route(
            READ, f"{_PATH}/installed", _list_installed_plugins, {}, admin_permissions.require_view_permission,
            answers=_SLUGS,
        ),
        Route(
            CHANGE, f"{_PATH}/activate", _activate_plugins, {}, admin, errors=none,
            answers=admin_responses.MODULES_ACTIVATED,
        ),
        Route(
            READ, f"{_PATH}/activate/status", _build_jobs_handler("activate"), {}, admin, answers=admin_responses.JOBS
        ),
        Route(
            READ, f"{_PATH}/activate/status/{hole}", _build_job_handler("activate"), job, admin,
            answers=admin_responses.JOB,
        ),
    )  # fmt: skip


def build_onboarding_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes with which plugins are installed and activated while a shop is set up."""
    admin = admin_permissions.require_admin_update_permission
    scheduled: dict[str, Field] = {"job_id": String("Number of the job.", pattern=r"^\w+$")}
    several = Array("Names of modules.", items=String(), required=True, check=None, lenient=True)
    return (
        Route(
            WRITE, f"{_SETUP}/install-and-activate-async", _enqueue_install_and_activate, {"plugins": several}, admin,
            answers=admin_responses.SCHEDULED_JOB,
        ),
        Route(
            WRITE, f"{_SETUP}/install-and-activate", _install_and_activate, {}, admin,
            answers=admin_responses.INSTALL_AND_ACTIVATE,
        ),
        Route(
            READ, rf"{_SETUP}/scheduled-installs/{{job_id:\w+}}", _read_scheduled_job, scheduled, admin,
            other_statuses=(404,),
            answers=Either("", (admin_responses.SCHEDULED_JOB, Nothing("There is no such job."))),
        ),
    )  # fmt: skip


def _parse_slugs(value: Any) -> list[str]:
    """Return the modules that a client names: as text with commas, a list, or the values of an object."""
    if isinstance(value, str):
        value = value.split(",")
    elif isinstance(value, dict):
        value = list(value.values())
    items = value if isinstance(value, list) else []
    names = (str(one).strip() for one in items if isinstance(one, str | int) and not isinstance(one, bool))
    return [slug for slug in dict.fromkeys(names) if slug]


def _require_slugs(call: Call) -> list[str]:
    """Return the modules of a request. Raises PluginNamesMissing."""
    found = _parse_slugs(call.request.raw("plugins"))
    if not found:
        raise PluginNamesMissing
    return found


# -- lists


def _list_active_plugins(call: Call) -> Result:
    """List the active modules."""
    return Result({"plugins": admin_modules.list_active_modules(call.work)})


def _list_installed_plugins(call: Call) -> Result:
    """List the installed modules."""
    return Result({"plugins": admin_modules.list_installed_modules(call.work)})


# -- installing and activating


def _install_plugins(call: Call) -> Result:
    """Install modules, at once or as a job."""
    slugs = _require_slugs(call)
    if _is_asynchronous(call):
        return _enqueue_job(call, "install", slugs)
    done = admin_modules.install_modules(call.work, slugs)
    return _build_outcome_result(
        call.work, done, "installed",
        {"installed": done.done, "results": _serialize_results(done), "install_time": done.new}, slugs,
    )  # fmt: skip


def _activate_plugins(call: Call) -> Result:
    """Activate installed modules, at once or as a job."""
    slugs = _require_slugs(call)
    if _is_asynchronous(call):
        return _enqueue_job(call, "activate", slugs)
    done = admin_modules.activate_modules(call.work, slugs)
    return _build_outcome_result(
        call.work, done, "activated", {"activated": done.done, "active": admin_modules.list_active_modules(call.work)},
        slugs,
    )  # fmt: skip


def _serialize_results(done: ModuleOutcome) -> dict[str, bool] | list[str]:
    # Clients expect an empty list here, and read members only when there are any.
    return dict.fromkeys(done.new, True) or []


def _is_asynchronous(call: Call) -> bool:
    return call.request.raw("async") in (True, 1, "1", "true")


def _enqueue_job(call: Call, action: ModuleAction, slugs: list[str]) -> Result:
    job = module_jobs.enqueue_module_job(call.work, action, slugs)
    data = {"job_id": job["job_id"], "plugins": job["plugins"]}
    return Result({"data": data, "message": "The modules are taken care of in the background."})


def _build_outcome_result(
    work: UnitOfWork, done: ModuleOutcome, word: str, data: Mapping[str, Any], slugs: list[str]
) -> Result:
    message = f"All modules are {word}." if not done.errors else f"Not all modules could be {word}."
    return Result(
        {
            "data": {**data, "plugin_details": admin_modules.describe_modules(work, done.done)},
            "errors": _serialize_errors(done),
            "success": not done.errors,
            "message": message,
        }
    )


def _serialize_errors(done: ModuleOutcome) -> dict[str, Any]:
    return {"errors": done.errors, "error_data": {}}


def _install_and_activate(call: Call) -> Result:
    """Install and activate modules."""
    slugs = _parse_slugs(call.request.raw("plugins"))
    added = admin_modules.install_modules(call.work, slugs)
    install = {
        "installed": added.done,
        "results": _serialize_results(added),
        "errors": _serialize_errors(added),
        "time": added.new,
    }
    if not added.done:
        code = "shop_plugins_invalid_plugins"
        none = {"errors": {code: ["No module is there to be activated."]}, "error_data": {code: 404}}
        return Result({"install": install, "activate": none})
    on = admin_modules.activate_modules(call.work, added.done)
    activate = {
        "activated": on.done,
        "active": admin_modules.list_active_modules(call.work),
        "errors": _serialize_errors(on),
    }
    return Result({"install": install, "activate": activate})


# -- jobs


def _enqueue_install_and_activate(call: Call) -> Result:
    """Install and activate modules as a job."""
    job = module_jobs.enqueue_module_job(call.work, "both", _parse_slugs(call.args["plugins"]))
    return Result({"job_id": job["job_id"], "status": job["status"], "plugins": _serialize_states(job)})


def _serialize_states(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return the status of each module of a job."""
    errors = job["errors"]
    return {
        slug: {
            "status": job["status"] if job["status"] == "pending" else "failed" if slug in errors else "complete",
            "errors": errors.get(slug, []),
        }
        for slug in job["plugins"]
    }


def _build_jobs_handler(action: ModuleAction) -> Callable[[Call], Result]:
    def listed(call: Call) -> Result:
        """List the jobs and their results."""
        return Result([_serialize_job(job) for job in module_jobs.list_module_jobs(call.work, action)])

    return listed


def _build_job_handler(action: ModuleAction) -> Callable[[Call], Result]:
    def read(call: Call) -> Result:
        """Read the status of one job."""
        job = module_jobs.find_module_job(call.work, action, call.args["job_id"])
        return Result(_serialize_job(job) if job is not None else False)

    return read


def _serialize_job(job: Mapping[str, Any]) -> dict[str, Any]:
    return {name: job[name] for name in ("job_id", "plugins", "status")}


def _read_scheduled_job(call: Call) -> Result:
    """Read the status of a job that installs modules."""
    job = module_jobs.find_module_job(call.work, "both", call.args["job_id"])
    if job is None:
        return Result(None, status=404)
    ran = {} if job["status"] == "pending" else {"plugins": _serialize_states(job)}
    return Result({"job_id": job["job_id"], "status": job["status"], **ran})
