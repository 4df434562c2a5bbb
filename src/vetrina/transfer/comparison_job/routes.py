"""Routes of comparisons with another site: what the last one found, and a new one.

What compares is imported at the first call: every server would be larger by it, and start later. Rules:
docs/rules/server.md, 1 and 9.
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Boolean, Integer, Object, String
from vetrina.rest.route import READ, WRITE, Route
from vetrina.system.jobs.long_jobs import LongJobRunning
from vetrina.system.jobs.permissions import CannotRunServer, require_server_permission
from vetrina.transfer.job_schema import (
    ADDRESS_FIELD,
    CREDENTIAL_ARGUMENTS,
    NULLABLE,
    STATE_FIELDS,
    read_credentials,
    show_state,
)
from vetrina.transfer.remote_access import CredentialsIncomplete, InvalidSiteAddress

_PATH: Final = "/cms/v2/site-comparison"
_COLLECTION: Final = {"resource": String("Path of the collection.")}
_TOTALS: Final = Object(
    properties={
        **_COLLECTION,
        "same": Integer("How many records are the same."),
        "differing": Integer("How many differ."),
        "only_here": Integer("How many only this site has."),
        "only_there": Integer("How many only the other one has."),
        "not_compared": String("Why they were not compared; empty where they were."),
    }
)
_MEMBER: Final = Object(
    properties={
        "member": String("Name of the member."),
        "here": String("Its value here, as JSON, shortened."),
        "there": String("Its value there, likewise."),
    }
)
_DIFFERENCE: Final = Object(
    properties={
        **_COLLECTION,
        "here": String("Id here; empty where it is not here."),
        "there": String("Id there; empty where it is not there."),
        "label": String("What the record is called."),
        "only": String("Where it is, if only one site has it.", enum=("", "here", "there")),
        "members": Array("In what it differs.", items=_MEMBER),
    }
)
_STATE: Final = Object(
    properties={
        **STATE_FIELDS,
        "address": String("Address of the other site; empty where there was none yet."),
        "login": String("Login that the other site is read with."),
        "result": Object(
            "What the last one found; null where none ran to its end.",
            properties={
                "agrees": Boolean("Whether both have the same."),
                "collections": Array("How each collection compares.", items=_TOTALS),
                "differences": Array("What differs; the first twenty of each collection.", items=_DIFFERENCE),
                "unreadable": Integer("How many records could not be read."),
            },
            extra=NULLABLE,
        ),
    }
)


def _build_state(call: Call, status: int = 200) -> Result:
    from vetrina.transfer.comparison_job import running

    state = running.find_comparison(call.work)
    body: dict[str, Any] = {
        **show_state(state.job, state.running, state.progress, state.report),
        "address": state.address,
        "login": state.login,
        "result": state.report.get("result"),
    }
    return Result(body, status=status)


def _read_comparison(call: Call) -> Result:
    """Read what the last comparison with another site found."""
    return _build_state(call)


def _start_comparison(call: Call) -> Result:
    """Compare this site with another one, in the background."""
    from vetrina.transfer.comparison_job import running

    running.start_comparison(call.work, call.args["address"], read_credentials(call.args))
    return _build_state(call, 202)


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of comparisons."""
    return (
        Route(READ, _PATH, _read_comparison, {}, require_server_permission, errors=(CannotRunServer,), answers=_STATE),
        Route(
            WRITE, _PATH, _start_comparison, {"address": ADDRESS_FIELD.replace(required=True), **CREDENTIAL_ARGUMENTS},
            require_server_permission, status=202, answers=_STATE,
            errors=(CannotRunServer, LongJobRunning, InvalidSiteAddress, CredentialsIncomplete),
        ),
    )  # fmt: skip
