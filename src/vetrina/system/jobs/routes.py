"""Routes of background jobs: list, one, try again, take away. Rules: docs/rules/server.md, 1 and 2."""

from __future__ import annotations

from typing import Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_ordering_arguments, build_paging_arguments
from vetrina.rest.fields import Array, Integer, String
from vetrina.rest.paging import compute_page_offset
from vetrina.rest.resource import ListPage, Operation, Resource, TrashUnsupported
from vetrina.rest.route import READ, WRITE, Route
from vetrina.system.jobs import rules
from vetrina.system.jobs.permissions import CannotRunServer, require_server_permission
from vetrina.system.jobs.rules import BackgroundJob
from vetrina.system.jobs.views import JOB_SERIALIZER

_PATH: Final = "/cms/v2/jobs"
_KEY: Final = {"id": Integer("Number of the job.")}
_MAX_KINDS: Final = 50
_FILTERS: Final = {
    **{name: one for name, one in build_paging_arguments().items() if name != "search"},
    **build_ordering_arguments(rules.JOB_ORDERS, "changed"),
    "state": Array("Only jobs in one of these states.", items=String(enum=rules.JOB_STATES), default=[], null="keep"),
    "kind": Array("Only jobs of these kinds.", items=String(), max_items=_MAX_KINDS, default=[], null="keep"),
}
_REFUSALS: Final = (CannotRunServer, rules.JobNotFound)


def _list_jobs(call: Call) -> ListPage[BackgroundJob]:
    args = call.args
    found, total = rules.list_jobs(
        call.work, args["state"], args["kind"], args["orderby"], args["order"], compute_page_offset(args),
        args["per_page"],
    )  # fmt: skip
    return ListPage(found, total)


def _get_job(call: Call) -> BackgroundJob:
    return rules.get_job(call.work, call.args["id"])


def _delete_job(call: Call, job: BackgroundJob) -> None:
    rules.delete_job(call.work, job)


def _list_kinds(call: Call) -> Result:
    return Result(rules.list_kinds(call.work))


def _retry_job(call: Call) -> Result:
    return JOBS.build_result(call, rules.retry_job(call.work, _get_job(call)))


JOBS: Final = Resource[BackgroundJob](
    title="job",
    path=_PATH,
    key=_KEY,
    methods=("GET", "DELETE"),
    serializer=JOB_SERIALIZER,
    find=_get_job,
    list=Operation(_list_jobs, require_server_permission, _FILTERS, (CannotRunServer,)),
    read=Operation(_get_job, require_server_permission, errors=_REFUSALS),
    delete=Operation(_delete_job, require_server_permission, errors=(*_REFUSALS, rules.CannotDeleteJob)),
    trash_unsupported=TrashUnsupported,
    deleted="previous",
    batch=True,
)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of background jobs."""
    return (
        Route(
            READ, f"{_PATH}/kinds", _list_kinds, {}, require_server_permission, errors=(CannotRunServer,),
            answers=Array("The kinds of the jobs that there are now.", items=String()),
            summary="List the kinds of background jobs.",
        ),
        *JOBS.build_routes(),
        Route(
            WRITE, f"{_PATH}/{{id}}/retry", _retry_job, _KEY, require_server_permission, JOBS.build_schema,
            errors=(*_REFUSALS, rules.CannotRetryJob), batch=True, summary="Try a background job again, at once.",
            answers="one", status=200,
        ),
    )  # fmt: skip
