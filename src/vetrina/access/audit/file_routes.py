"""The audit trail as a CSV file. Rules: docs/rules/audit.md, 6."""

from __future__ import annotations

import io
from typing import Final

from vetrina.access.audit import csv_files, listing
from vetrina.access.audit.permissions import CannotReadAuditTrail, require_audit_permission
from vetrina.access.audit.routes import FILTERS, PATH, build_audit_query
from vetrina.core.call import Call
from vetrina.core.csv_routes import CSV_TYPE, build_csv_result
from vetrina.core.site_context import SiteContext
from vetrina.rest.call import Result
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, Route

_MAX_ROWS: Final = 10_000  # of a file; the command writes all


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the route of the file."""
    return (
        Route(
            READ, f"{PATH}/export", _export_entries, FILTERS, require_audit_permission, slow=True,
            errors=(CannotReadAuditTrail,), kinds=(CSV_TYPE,), answers=Nothing("The file is no JSON."),
        ),
    )  # fmt: skip


def _export_entries(call: Call) -> Result:
    """Export the newest entries of the audit trail that match, 10,000 at most, as CSV."""
    call.work.forbid_storing()
    out = io.StringIO()
    csv_files.write_entries(out, listing.iterate_entries(call.work, build_audit_query(call.args), _MAX_ROWS))
    return build_csv_result("audit.csv", out.getvalue())
