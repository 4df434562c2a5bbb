"""The route that exports the theme of a site as an archive.

What is in the archive: design/themes/export.py. Rules: docs/rules/themes.md, 2.
"""

from __future__ import annotations

from vetrina.core.call import Call
from vetrina.design.themes import export as theme_export
from vetrina.kernel.errors import PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.response_fields import Nothing
from vetrina.rest.route import READ, Route


class CannotExportTheme(PermissionDenied):
    """Exporting the theme requires the right to design the site."""

    code = "rest_cannot_export_templates"
    message = "You may not export the theme of this site."


def build_routes() -> tuple[Route, ...]:
    """Return the route of the export."""
    return (
        Route(
            READ, "/cms-block-editor/v1/export", _export_theme, {}, _require_export_permission, slow=True,
            errors=(CannotExportTheme,), kinds=("application/zip",), answers=Nothing("The archive is no JSON."),
        ),
    )  # fmt: skip


def _require_export_permission(call: Call) -> None:
    """Those who design the site (`edit_theme_options`)."""
    user = call.work.user
    if not user.can("edit_theme_options"):
        raise CannotExportTheme(bool(user))


def _export_theme(call: Call) -> Result:
    """Export the theme, with the site's changes, as a zip file."""
    name, content = theme_export.build_theme_archive(call.work)
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"'}
    return Result({}, headers=headers, raw_content=("application/zip", content))
