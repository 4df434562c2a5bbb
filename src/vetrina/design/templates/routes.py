"""Templates and template parts: the theme's files, and the site owner's own or changed ones over them.

Arguments and fields: design/templates/schema.py. Revisions and autosaves: design/templates/revision_routes.py. Rules:
docs/rules/templates.md, 1, 8, 9 and 11. Permissions are checked before it is known whether the template exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vetrina.content.records.precondition_arguments import build_state_tag, check_preconditions
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import TEMPLATE, TEMPLATE_PART
from vetrina.core.call import Call
from vetrina.core.unit_of_work import SiteContext
from vetrina.design.templates import revision_routes, rules as templates, schema as template_schema
from vetrina.design.templates.rules import BlockTemplate
from vetrina.design.templates.schema import (
    ID,
    ID_MATCHED,
    TemplateState,
    build_template_links,
    build_template_serializer,
    build_template_view,
    build_write_arguments,
)
from vetrina.kernel import slugs
from vetrina.kernel.errors import Fault, InvalidParam, PermissionDenied
from vetrina.rest.call import Result
from vetrina.rest.common_arguments import build_context_argument
from vetrina.rest.fields import Boolean, String
from vetrina.rest.route import CHANGE, READ, REMOVE, WRITE, Route
from vetrina.rest.serializer import parse_field_selection

__all__ = ["TemplateRoutes", "build_routes"]


class CannotManageTemplates(PermissionDenied):
    code = "rest_cannot_manage_templates"
    message = "You may not {what} the templates of this site."


def build_routes(frame: SiteContext) -> tuple[Route, ...]:
    """Return the routes of templates and of template parts."""
    matched = {"id": ID_MATCHED, "parent": ID_MATCHED}
    families = [TemplateRoutes(type) for type in (TEMPLATE, TEMPLATE_PART)]
    return tuple(route.replace(matched=matched) for family in families for route in family.build_routes())


class TemplateRoutes:
    """The routes of templates, or of parts."""

    def __init__(self, type: ContentType) -> None:
        self.type = type
        self.serializer = build_template_serializer(type)

    def build_routes(self) -> tuple[Route, ...]:
        """Return the routes in the order of the index."""
        path = self.type.path
        item = f"{path}/{{id:{ID}}}"
        id = {"id": String("Theme and slug of the template.", null="keep")}
        force = Boolean("Whether to remove for good instead of moving to the trash.", default=False)
        lookup = template_schema.build_lookup_arguments()
        change = id | build_write_arguments(self.type, create=False)
        return (
            *revision_routes.build_routes(self.type, self),
            Route(
                READ,
                path,
                self.list_templates,
                template_schema.build_list_arguments(),
                self.require_view_permission,
                self.build_schema,
                answers="many",
            ),
            Route(
                WRITE,
                path,
                self.create_template,
                build_write_arguments(self.type, create=True),
                self.require_manage_permission,
                self.build_schema,
            ),
            Route(
                READ,
                f"{path}/lookup",
                self.look_up_template,
                lookup,
                self.require_view_permission,
                self.build_schema,
                shows={"is_custom": Boolean("Whether it is chosen by name.")},
            ),
            Route(
                READ,
                item,
                self.read_template,
                {**id, "context": build_context_argument()},
                self.require_view_permission,
                self.build_schema,
            ),
            Route(CHANGE, item, self.update_template, change, self.require_manage_permission, self.build_schema),
            Route(
                REMOVE,
                item,
                self.delete_template,
                {**id, "force": force},
                self.require_manage_permission,
                self.build_schema,
            ),
        )

    def build_schema(self) -> dict[str, Any]:
        """Return the schema of a template."""
        return self.serializer.schema(self.type.name)

    # -- permissions

    def require_view_permission(self, call: Call) -> None:
        """Those who write records of any type."""
        user = call.work.user
        if not any(user.can(type.caps["edit_posts"]) for type in call.work.frame.types.values()):
            raise CannotManageTemplates(bool(user), what="see")

    def require_manage_permission(self, call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        user = call.work.user
        if not user.can(self.type.caps["edit_posts"]):
            raise CannotManageTemplates(bool(user), what="change")

    # -- handlers

    def list_templates(self, call: Call) -> Result:
        args = call.args
        found = templates.list_templates(
            call.work, self.type, number=args.get("wp_id"), area=args.get("area"),
            post_type=args.get("post_type", ""),
        )  # fmt: skip
        states = [TemplateState(one) for one in found]
        view = build_template_view(call.work, self.type, args["context"], states)
        wanted = parse_field_selection(call.request.raw("_fields"))
        with_links = wanted is None or wanted.has_links()
        body = []
        for one in states:
            members = self.serializer.serialize(one, view, view.context, wanted)
            if with_links:
                members["_links"] = build_template_links(view, one.template)
            body.append(members)
        return Result(body)

    def look_up_template(self, call: Call) -> Result:
        """Find the template that is used as a fallback for a slug."""
        args = call.args
        found = templates.look_up_template(
            call.work, TEMPLATE, args["slug"], is_custom=args.get("is_custom", False),
            prefix=args.get("template_prefix", ""),
        )  # fmt: skip
        return Result({}) if found is None else self.build_result(call, found, "view", TEMPLATE)

    def read_template(self, call: Call) -> Result:
        # An editor that reverts a template requests the theme file beneath it.
        find = templates.get_theme_template if call.raw.get("source") in ("theme", "plugin") else templates.get_template
        return self.build_result(call, find(call.work, self.type, call.args["id"]), call.args["context"])

    def create_template(self, call: Call) -> Result:
        new = templates.create_template(call.work, self.type, self.extract_written_members(call))
        result = self.build_result(call, new, "view")
        result.status = 201
        result.headers["Location"] = call.work.api(f"{self.type.path}/{new.id}")
        return result

    def update_template(self, call: Call) -> Result:
        work = call.work
        given = self.extract_written_members(call)
        with work.use_language(given.get("lang") or work.language):
            old = templates.get_template(work, self.type, call.args["id"])
        if old.stored is not None:
            check_preconditions(call, old.stored)
        _check_slug(given, old)
        if call.raw.get("source") == "theme" and old.file is not None:
            # The file itself is requested again.
            if old.stored is not None:
                templates.delete_template(work, self.type, old)
            return self.build_result(call, templates.get_template(work, self.type, old.id), "edit")
        return self.build_result(call, templates.update_template(work, self.type, old, given), "edit")

    def delete_template(self, call: Call) -> Result:
        work = call.work
        old = templates.get_template(work, self.type, call.args["id"])
        if old.stored is not None:
            check_preconditions(call, old.stored)
        if call.args["force"]:
            templates.delete_template(work, self.type, old)
            return Result({"deleted": True, "previous": self.build_result(call, old, "edit").body})
        return self.build_result(call, templates.trash_template(work, self.type, old), "edit")

    def extract_written_members(self, call: Call) -> dict[str, Any]:
        """Return the fields that the client sent."""
        return {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}

    def build_result(
        self, call: Call, template: BlockTemplate, context: str, type: ContentType | None = None
    ) -> Result:
        """Return the response for one template; type: if it is not the route's own."""
        one = TemplateState(template)
        view = build_template_view(call.work, type or self.type, context, [one])
        shape = self.serializer if type in (None, self.type) else _TEMPLATE_SERIALIZER
        body = shape.serialize(one, view, context, parse_field_selection(call.request.raw("_fields")))
        return Result(
            body,
            rels=build_template_links(view, template),
            state=build_state_tag(template.stored) if template.stored else "",
        )


_TEMPLATE_SERIALIZER = build_template_serializer(TEMPLATE)


def _check_slug(given: Mapping[str, Any], old: BlockTemplate) -> None:
    """Refuse a changed slug: records choose a template by it, and it names the theme's file."""
    wanted = given.get("slug")
    if isinstance(wanted, str) and slugs.slugify(wanted) != old.slug:
        why = f"Records choose this template by its slug {old.slug}, so that stays; make another template instead."
        raise InvalidParam({"slug": Fault("rest_template_slug_fixed", why)})
