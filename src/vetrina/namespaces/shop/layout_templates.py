"""Layouts of a product's form in an editor: this shop has none of its own.

Rules: the recordings of the second deployment.
"""

from __future__ import annotations

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import String
from vetrina.declare.route import READ, Route
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
        Route(READ, path, _listed, area, viewing),
        Route(READ, f"{path}/{{id:\\w[\\w\\s\\-]*}}", _read, id, viewing, errors=(TemplateUnknown,)),
    )


def _listed(call: Call) -> Result:
    return Result([])


def _read(call: Call) -> Result:
    raise TemplateUnknown(id=call.args["id"])
