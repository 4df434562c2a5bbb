"""Templates and template parts: the theme's files, and what the site's owner made or changed over them.

Not here: arguments and members (design/templates/schema.py), revisions and autosaves
(design/templates/revision_routes.py). Rules: interface.md, "Templates and template parts"; facts, "Templates and
template parts". Rights are asked before it is known whether there is such a template.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.content.records.precondition_arguments import check as check_preconditions
from vetrina.content.records.precondition_arguments import state
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import TEMPLATE, TEMPLATE_PART
from vetrina.core.unit_of_work import Frame, Work
from vetrina.design.templates import revision_routes
from vetrina.design.templates import rules as templates
from vetrina.design.templates import schema as template_schema
from vetrina.design.templates.rules import Template
from vetrina.design.templates.schema import ID, ID_MATCHED, Shown, links, shape_of, view_of, write_arguments
from vetrina.kernel import slugs
from vetrina.kernel.errors import Fault, InvalidParam, Refused
from vetrina.rest.call import Call, Result
from vetrina.rest.common_arguments import context
from vetrina.rest.fields import Boolean, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import choice

__all__ = ["TemplateRoutes", "routes"]


class CannotManage(Refused):
    code = "rest_cannot_manage_templates"
    message = "You may not {what} the templates of this site."


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of templates and of template parts."""
    matched = {"id": ID_MATCHED, "parent": ID_MATCHED}
    rooms = [TemplateRoutes(type) for type in (TEMPLATE, TEMPLATE_PART)]
    return tuple(route.but(matched=matched) for room in rooms for route in room.all())


class TemplateRoutes:
    """The routes of templates, or of parts."""

    def __init__(self, type: ContentType) -> None:
        self.type = type
        self.shape = shape_of(type)

    def all(self) -> tuple[Route, ...]:
        """Return the routes in the order of the index."""
        path = self.type.path
        item = f"{path}/{{id:{ID}}}"
        id = {"id": String("Theme and slug of the template.", null="keep")}
        force = Boolean("Whether to remove for good instead of moving to the trash.", default=False)
        lookup = template_schema.lookup_arguments()
        change = id | write_arguments(self.type, create=False)
        return (
            *revision_routes.routes(self.type, self),
            Route(
                READ, path, self.listed, template_schema.list_arguments(), self.may_view, self.schema, answers="many"
            ),
            Route(WRITE, path, self.created, write_arguments(self.type, create=True), self.may_manage, self.schema),
            Route(
                READ,
                f"{path}/lookup",
                self.looked_up,
                lookup,
                self.may_view,
                self.schema,
                shows={"is_custom": Boolean("Whether it is chosen by name.")},
            ),
            Route(READ, item, self.read, {**id, "context": context()}, self.may_view, self.schema),
            Route(CHANGE, item, self.changed, change, self.may_manage, self.schema),
            Route(REMOVE, item, self.removed, {**id, "force": force}, self.may_manage, self.schema),
        )

    def schema(self) -> dict[str, Any]:
        """Return the schema of a template."""
        return self.shape.schema(self.type.name)

    # -- what may be done

    def may_view(self, call: Call) -> None:
        """Those who write records of any type."""
        user = call.work.user
        if not any(user.can(type.caps["edit_posts"]) for type in call.work.frame.types.values()):
            raise CannotManage(bool(user), what="see")

    def may_manage(self, call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        user = call.work.user
        if not user.can(self.type.caps["edit_posts"]):
            raise CannotManage(bool(user), what="change")

    # -- what is done

    def listed(self, call: Call) -> Result:
        args = call.args
        found = templates.listed(
            call.work, self.type, number=args.get("wp_id"), area=args.get("area"),
            post_type=args.get("post_type", ""),
        )  # fmt: skip
        shown = [Shown(one) for one in found]
        view = view_of(call.work, self.type, args["context"], shown)
        wanted = choice(call.request.raw("_fields"))
        with_links = wanted is None or wanted.names_links()
        body = []
        for one in shown:
            members = self.shape.members(one, view, view.context, wanted)
            if with_links:
                members["_links"] = links(view, one.template)
            body.append(members)
        return Result(body)

    def looked_up(self, call: Call) -> Result:
        """Find the template that would be used when there is none for a name."""
        args = call.args
        found = templates.looked_up(
            call.work, TEMPLATE, args["slug"], is_custom=args.get("is_custom", False),
            prefix=args.get("template_prefix", ""),
        )  # fmt: skip
        return Result({}) if found is None else self.shown(call, found, "view", TEMPLATE)

    def read(self, call: Call) -> Result:
        # An editor that takes its changes back asks for the file beneath them.
        find = templates.known_file if call.raw.get("source") in ("theme", "plugin") else templates.known
        return self.shown(call, find(call.work, self.type, call.args["id"]), call.args["context"])

    def created(self, call: Call) -> Result:
        new = templates.create(call.work, self.type, self.given(call))
        result = self.shown(call, new, "view")
        result.status = 201
        result.headers["Location"] = call.work.api(f"{self.type.path}/{new.id}")
        return result

    def changed(self, call: Call) -> Result:
        work: Work = call.work
        given = self.given(call)
        with work.speaking(given.get("lang") or work.language):
            old = templates.known(work, self.type, call.args["id"])
        if old.stored is not None:
            check_preconditions(call, old.stored)
        _check_slug(given, old)
        if call.raw.get("source") == "theme" and old.file is not None:
            # The file itself is asked for again.
            if old.stored is not None:
                templates.remove(work, self.type, old)
            return self.shown(call, templates.known(work, self.type, old.id), "edit")
        return self.shown(call, templates.change(work, self.type, old, given), "edit")

    def removed(self, call: Call) -> Result:
        work: Work = call.work
        old = templates.known(work, self.type, call.args["id"])
        if old.stored is not None:
            check_preconditions(call, old.stored)
        if call.args["force"]:
            templates.remove(work, self.type, old)
            return Result({"deleted": True, "previous": self.shown(call, old, "edit").body})
        return self.shown(call, templates.trash(work, self.type, old), "edit")

    def given(self, call: Call) -> dict[str, Any]:
        """Return the members that the client wrote."""
        return {name: call.args[name] for name in call.args.given if name not in ("id", "mlang_language")}

    def shown(self, call: Call, template: Template, context: str, type: ContentType | None = None) -> Result:
        """Return the answer about one template; type: where it is not one of the route's own."""
        one = Shown(template)
        view = view_of(call.work, type or self.type, context, [one])
        shape = self.shape if type in (None, self.type) else _TEMPLATES
        body = shape.members(one, view, context, choice(call.request.raw("_fields")))
        return Result(body, rels=links(view, template), state=state(template.stored) if template.stored else "")


_TEMPLATES = shape_of(TEMPLATE)


def _check_slug(given: Mapping[str, Any], old: Template) -> None:
    """Refuse another slug: records choose a template by it, and the theme's file stands behind it."""
    wanted = given.get("slug")
    if isinstance(wanted, str) and slugs.slugify(wanted) != old.slug:
        why = f"Records choose this template by its slug {old.slug}, so that stays; make another template instead."
        raise InvalidParam({"slug": Fault("rest_template_slug_fixed", why)})
