"""Layouts of a product's form in an editor: this shop has none of its own.

Rules: the recordings of the second deployment.
"""

from __future__ import annotations

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Array, String
from vetrina.declare.route import READ, Route
from vetrina.declare.shown import Nothing
from vetrina.domain.work import Frame
from vetrina.kernel.errors import ApiError

from .access import viewing

__all__ = ["routes"]


class TemplateUnknown(ApiError):
    status, code = 404, "shop_rest_layout_template_invalid_id"
    message = "There is no layout template with the name {id!r}."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of layout templates."""
    path = "/shop/v3/layout-templates"
    area = {"area": String("Only the layouts of this area.", default="", null="keep")}
    id = {"id": String("Name of the layout.")}
    return (
        Route(READ, path, _listed, area, viewing, answers=Array("There is none.", max_items=0)),
        Route(READ, f"{path}/{{id:\\w[\\w\\s\\-]*}}", _read, id, viewing, errors=(TemplateUnknown,), answers=Nothing()),
    )


def _listed(call: Call) -> Result:
    """Answer an empty list: products are edited without layout templates."""
    return Result([])


def _read(call: Call) -> Result:
    """Answer that there is no layout template."""
    raise TemplateUnknown(id=call.args["id"])
