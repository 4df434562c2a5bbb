"""Plugins, which are modules of the product: listed, installed, activated, at once or as a job; connections.

Not here: what a module is (shop/admin/modules.py), the connections (shop/admin/launch_routes.py). Rules: facts,
"Plugins".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

from vetrina.core.unit_of_work import Frame, Work
from vetrina.kernel.errors import ApiError
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, Object, String
from vetrina.rest.response_fields import Either, Nothing
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.admin import launching, module_jobs
from vetrina.shop.admin import modules as admin_modules
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.admin.module_jobs import Action
from vetrina.shop.admin.modules import Outcome
from vetrina.shop.marketplace import account as marketplace_account

__all__ = ["routes"]

_PATH: Final = "/shop-admin/plugins"
_SETUP: Final = "/shop-admin/onboarding/plugins"
_SLUGS: Final = Object(properties={"plugins": Array(items=String())})


class NoPlugins(ApiError):
    code = "shop_rest_invalid_plugins"
    message = "Name the modules with commas between them, as `plugins`."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of plugins."""
    admin = admin_permissions.setting_up
    job: dict[str, Field] = {"job_id": String("Number of the job.", pattern="^[a-z0-9_-]+$")}
    scheduled: dict[str, Field] = {"job_id": String("Number of the job.", pattern=r"^\w+$")}
    several = Array("Names of modules.", items=String(), required=True, check=None, lenient=True)
    back: dict[str, Field] = {
        "redirect_url": String("Where to come back to.", required=True),
        "from": String("Who asks.", default="shop-onboarding"),
    }
    none, helper = (NoPlugins,), (marketplace_account.NoService, marketplace_account.NoAccount)
    hole = r"{job_id:[a-z0-9_\-]+}"
    return (
        Route(CHANGE, f"{_PATH}/install", _install, {}, admin, errors=none, answers=admin_responses.MODULES_INSTALLED),
        Route(READ, f"{_PATH}/install/status", _jobs("install"), {}, admin, answers=admin_responses.JOBS),
        Route(READ, f"{_PATH}/install/status/{hole}", _job("install"), job, admin, answers=admin_responses.JOB),
        Route(READ, f"{_PATH}/active", _active, {}, admin_permissions.viewing, answers=_SLUGS),
        Route(READ, f"{_PATH}/installed", _installed, {}, admin_permissions.viewing, answers=_SLUGS),
        Route(CHANGE, f"{_PATH}/activate", _activate, {}, admin, errors=none,
              answers=admin_responses.MODULES_ACTIVATED),
        Route(READ, f"{_PATH}/activate/status", _jobs("activate"), {}, admin, answers=admin_responses.JOBS),
        Route(READ, f"{_PATH}/activate/status/{hole}", _job("activate"), job, admin, answers=admin_responses.JOB),
        Route(
            READ, f"{_PATH}/connect-connector", _connect_connector, {}, admin, errors=(launching.ConnectorNotActive,),
            answers=admin_responses.CONNECT,
        ),
        Route(WRITE, f"{_PATH}/request-shopcom-connect", _connect_account, {}, admin, errors=helper,
              answers=admin_responses.CONNECT),
        Route(
            WRITE, f"{_PATH}/finish-shopcom-connect", _finish, {}, admin, slow=True, prepare=_exchanging, errors=helper,
            answers=admin_responses.SUCCESS,
        ),
        Route(CHANGE, f"{_PATH}/connect-shoppay", _connect_payments, {}, admin, answers=admin_responses.CONNECT_URL),
        Route(CHANGE, f"{_PATH}/connect-processor", _connect_account, {}, admin, errors=helper,
              answers=admin_responses.CONNECT),
        Route(WRITE, f"{_SETUP}/install-and-activate-async", _both_later, {"plugins": several}, admin,
              answers=admin_responses.SCHEDULED),
        Route(WRITE, f"{_SETUP}/install-and-activate", _both, {}, admin, answers=admin_responses.MODULES_BOTH),
        Route(
            READ, rf"{_SETUP}/scheduled-installs/{{job_id:\w+}}", _scheduled, scheduled, admin, also=(404,),
            answers=Either("", (admin_responses.SCHEDULED, Nothing("There is no such job."))),
        ),
        Route(READ, f"{_SETUP}/connector-authorization-url", _authorisation, back, admin,
              answers=admin_responses.AUTHORISED),
    )  # fmt: skip


def _slugs(value: Any) -> list[str]:
    """Return the modules that a client named: a text with commas, a list, or the values of an object."""
    if isinstance(value, str):
        value = value.split(",")
    elif isinstance(value, dict):
        value = list(value.values())
    items = value if isinstance(value, list) else []
    named = (str(one).strip() for one in items if isinstance(one, str | int) and not isinstance(one, bool))
    return [slug for slug in dict.fromkeys(named) if slug]


def _told(call: Call) -> list[str]:
    """Return the modules that a call names. Raises NoPlugins."""
    found = _slugs(call.request.raw("plugins"))
    if not found:
        raise NoPlugins
    return found


# -- what there is


def _active(call: Call) -> Result:
    """List the modules that are switched on."""
    return Result({"plugins": admin_modules.active(call.work)})


def _installed(call: Call) -> Result:
    """List the modules that are installed."""
    return Result({"plugins": admin_modules.installed(call.work)})


# -- installing and activating


def _install(call: Call) -> Result:
    """Install modules, at once or as a job."""
    slugs = _told(call)
    if _is_later(call):
        return _later(call, "install", slugs)
    done = admin_modules.install(call.work, slugs)
    return _ended(
        call.work,
        done,
        "installed",
        {"installed": done.done, "results": _results(done), "install_time": done.new},
        slugs,
    )


def _activate(call: Call) -> Result:
    """Switch on modules that are installed, at once or as a job."""
    slugs = _told(call)
    if _is_later(call):
        return _later(call, "activate", slugs)
    done = admin_modules.activate(call.work, slugs)
    return _ended(
        call.work, done, "activated", {"activated": done.done, "active": admin_modules.active(call.work)}, slugs
    )


def _results(done: Outcome) -> dict[str, bool] | list[str]:
    # Clients know an empty list here, and read members only when there are any.
    return dict.fromkeys(done.new, True) or []


def _is_later(call: Call) -> bool:
    return call.request.raw("async") in (True, 1, "1", "true")


def _later(call: Call, action: Action, slugs: list[str]) -> Result:
    job = module_jobs.put(call.work, action, slugs)
    data = {"job_id": job["job_id"], "plugins": job["plugins"]}
    return Result({"data": data, "message": "The modules are taken care of in the background."})


def _ended(work: Work, done: Outcome, word: str, data: Mapping[str, Any], slugs: list[str]) -> Result:
    said = f"All modules are {word}." if not done.errors else f"Not all modules could be {word}."
    return Result(
        {
            "data": {**data, "plugin_details": admin_modules.details(work, done.done)},
            "errors": _errors(done),
            "success": not done.errors,
            "message": said,
        }
    )


def _errors(done: Outcome) -> dict[str, Any]:
    return {"errors": done.errors, "error_data": {}}


def _both(call: Call) -> Result:
    """Install modules and switch them on."""
    slugs = _slugs(call.request.raw("plugins"))
    added = admin_modules.install(call.work, slugs)
    install = {
        "installed": added.done, "results": _results(added), "errors": _errors(added), "time": added.new,
    }  # fmt: skip
    if not added.done:
        code = "shop_plugins_invalid_plugins"
        none = {"errors": {code: ["No module is there to be activated."]}, "error_data": {code: 404}}
        return Result({"install": install, "activate": none})
    on = admin_modules.activate(call.work, added.done)
    activate = {"activated": on.done, "active": admin_modules.active(call.work), "errors": _errors(on)}
    return Result({"install": install, "activate": activate})


# -- jobs


def _both_later(call: Call) -> Result:
    """Install modules and switch them on as a job."""
    job = module_jobs.put(call.work, "both", _slugs(call.args["plugins"]))
    return Result({"job_id": job["job_id"], "status": job["status"], "plugins": _states(job)})


def _states(job: Mapping[str, Any]) -> dict[str, Any]:
    """Return how each module of a job stands."""
    errors = job["errors"]
    return {
        slug: {
            "status": job["status"] if job["status"] == "pending" else "failed" if slug in errors else "complete",
            "errors": errors.get(slug, []),
        }
        for slug in job["plugins"]
    }


def _jobs(action: Action) -> Callable[[Call], Result]:
    def listed(call: Call) -> Result:
        """List the jobs and how they ended."""
        return Result([_shown(job) for job in module_jobs.listed(call.work, action)])

    return listed


def _job(action: Action) -> Callable[[Call], Result]:
    def read(call: Call) -> Result:
        """Read the state of one job."""
        job = module_jobs.find(call.work, action, call.args["job_id"])
        return Result(_shown(job) if job is not None else False)

    return read


def _shown(job: Mapping[str, Any]) -> dict[str, Any]:
    return {name: job[name] for name in ("job_id", "plugins", "status")}


def _scheduled(call: Call) -> Result:
    """Tell how a job that installs modules stands."""
    job = module_jobs.find(call.work, "both", call.args["job_id"])
    if job is None:
        return Result(None, status=404)
    ran = {} if job["status"] == "pending" else {"plugins": _states(job)}
    return Result({"job_id": job["job_id"], "status": job["status"], **ran})


# -- connections


def _back(call: Call) -> str:
    asked = call.request.raw("redirect_url")
    return asked if isinstance(asked, str) and asked else f"{call.work.origin}/admin/"


def _connect_connector(call: Call) -> Result:
    """Tell the address that connects the site to the connector's service."""
    return Result({"connectAction": launching.connect_connector(call.work, _back(call))})


def _connect_account(call: Call) -> Result:
    """Tell the address that connects the site to an account of the marketplace."""
    return Result({"connectAction": marketplace_account.begin(call.work, _back(call))})


def _exchanging(call: Call) -> AbstractContextManager[dict[str, str]]:
    # The work is over when the context begins: what is asked of it is asked now.
    secret, told = marketplace_account.secret_of(call.work), call.request.raw("request_token")
    if not isinstance(told, str) or not told:
        raise marketplace_account.NoAccount(why="Send `request_token`, with which the marketplace led back.")
    return _exchanged(call.work.frame, call.work.origin, secret, told)


@contextmanager
def _exchanged(frame: Frame, origin: str, secret: str, token: str) -> Iterator[dict[str, str]]:
    yield marketplace_account.exchanged(frame, origin, secret, token)


def _finish(call: Call) -> Result:
    """Keep the account of the marketplace that the site was connected to."""
    marketplace_account.keep(call.work, call.prepared)
    return Result({"success": True})


def _connect_payments(call: Call) -> Result:
    """Tell the address that connects the site to the payment service."""
    return Result({"connectUrl": launching.payments_url(call.work)})


def _authorisation(call: Call) -> Result:
    """Tell the address at the service that authorises the connection."""
    url, errors = launching.authorisation(call.work, call.args["redirect_url"])
    return Result({"success": not errors, "errors": errors, "color_scheme": "fresh", "url": url})
