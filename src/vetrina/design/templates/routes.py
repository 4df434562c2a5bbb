"""Templates and template parts: the theme's files, and the site owner's own or changed ones over them.

Arguments and fields: design/templates/schema.py. Revisions and autosaves: design/templates/revision_routes.py. Rules:
docs/rules/templates.md, 8, 9 and 11. Permissions are checked before it is known whether the template exists.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter
from typing import Any, Final

from vetrina.access.roles.capabilities import may_edit_records
from vetrina.content.records.precondition_arguments import build_state_tag, check_preconditions
from vetrina.content.types.model import ContentType
from vetrina.content.types.registry import TEMPLATE, TEMPLATE_PART
from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
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
from vetrina.rest.fields import EDIT, VIEW, Boolean, Object, String
from vetrina.rest.resource import ListPage, Operation, Resource
from vetrina.rest.response_fields import Either, RecordOf
from vetrina.rest.route import READ, REMOVE, Route


class CannotManageTemplates(PermissionDenied):
    code = "rest_cannot_manage_templates"
    message = "You may not {what} the templates of this site."


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of templates and of template parts."""
    matched = {"id": ID_MATCHED, "parent": ID_MATCHED}
    families = (_TEMPLATES, TemplateRoutes(TEMPLATE_PART))
    return tuple(route.replace(match_patterns=matched) for family in families for route in family.build_routes())


def _build_state(state: TemplateState) -> str:
    stored = state.template.stored
    return build_state_tag(stored) if stored else ""


class TemplateRoutes:
    """The routes of templates, or of parts."""

    def __init__(self, type: ContentType) -> None:
        self.type = type
        self.resource = Resource(
            title=type.name,
            path=type.path,
            item=f"{{id:{ID}}}",
            key={"id": String("Theme and slug of the template.", null="keep")},
            serializer=build_template_serializer(type),
            identify=attrgetter("template.id"),
            load_view=lambda call, states: build_template_view(call.work, type, states),
            build_links=lambda call, state: build_template_links(call.work, type, state.template),
            build_state=_build_state,
            find=self._find_template_to_update,
            list=Operation(self._list_templates, self.require_view_permission, template_schema.build_list_arguments()),
            create=Operation(
                self._create_template, self.require_manage_permission, build_write_arguments(type, create=True)
            ),
            read=Operation(self._get_template, self.require_view_permission),
            update=Operation(
                self._update_template, self.require_manage_permission, build_write_arguments(type, create=False)
            ),
        )

    def build_routes(self) -> tuple[Route, ...]:
        """Return the routes, those of the history first."""
        resource = self.resource
        routes = resource.build_routes_by_operation()
        look_up = Route(
            READ, f"{resource.path}/lookup", _look_up_template, template_schema.build_lookup_arguments(),
            self.require_view_permission, resource.build_schema,
            answers=Either("", (RecordOf(record=_TEMPLATES.resource.build_schema), _NOTHING_FOUND)),
        )  # fmt: skip
        force = Boolean("Whether to remove for good instead of moving to the trash.", default=False)
        delete = Route(
            REMOVE, f"{resource.path}/{resource.item}", self._delete_template, {**resource.key, "force": force},
            self.require_manage_permission, resource.build_schema,
        )  # fmt: skip
        return (
            *revision_routes.build_routes(self.type, self), routes["list"], routes["create"], look_up, routes["read"],
            routes["update"], delete,
        )  # fmt: skip

    # -- permissions

    def require_view_permission(self, call: Call) -> None:
        """Those who write records of any type."""
        user = call.work.user
        if not any(may_edit_records(user, type) for type in call.work.site.types.values()):
            raise CannotManageTemplates(bool(user), what="see")

    def require_manage_permission(self, call: Call) -> None:
        """Those who design the site (`edit_theme_options`)."""
        user = call.work.user
        if not user.can(self.type.caps["edit_posts"]):
            raise CannotManageTemplates(bool(user), what="change")

    # -- what is done

    def _list_templates(self, call: Call) -> ListPage[TemplateState]:
        args = call.args
        found = templates.list_templates(
            call.work, self.type, number=args.get("wp_id"), area=args.get("area"), post_type=args.get("post_type", "")
        )
        return ListPage([TemplateState(one) for one in found])

    def _get_template(self, call: Call) -> TemplateState:
        # An editor that reverts a template requests the theme file beneath it.
        find = templates.get_theme_template if call.raw.get("source") in ("theme", "plugin") else templates.get_template
        return TemplateState(find(call.work, self.type, call.args["id"]))

    def _create_template(self, call: Call) -> TemplateState:
        new = templates.create_template(call.work, self.type, self.extract_written_members(call))
        call.args["context"] = VIEW
        return TemplateState(new)

    def _find_template_to_update(self, call: Call) -> TemplateState:
        work, given = call.work, self.extract_written_members(call)
        with work.use_language(given.get("lang") or work.language):
            return TemplateState(templates.get_template(work, self.type, call.args["id"]))

    def _update_template(self, call: Call, state: TemplateState) -> TemplateState:
        work, old, given = call.work, state.template, self.extract_written_members(call)
        if old.stored is not None:
            check_preconditions(call, old.stored)
        _check_slug(given, old)
        if call.raw.get("source") == "theme" and old.file is not None:
            # The file itself is requested again.
            if old.stored is not None:
                templates.delete_template(work, self.type, old)
            return TemplateState(templates.get_template(work, self.type, old.id))
        return TemplateState(templates.update_template(work, self.type, old, given))

    def _delete_template(self, call: Call) -> Result:
        work = call.work
        old = templates.get_template(work, self.type, call.args["id"])
        if old.stored is not None:
            check_preconditions(call, old.stored)
        if not call.args["force"]:
            return self.resource.build_result(call, TemplateState(templates.trash_template(work, self.type, old)))
        # Its translations are shown as they are without it.
        templates.delete_template(work, self.type, old)
        return Result({"deleted": True, "previous": self.resource.serialize(call, [TemplateState(old)], EDIT)[0]})

    def extract_written_members(self, call: Call) -> dict[str, Any]:
        """Return the fields that the client sent."""
        return {name: call.args[name] for name in call.args.given_names if name not in ("id", "mlang_language")}


_TEMPLATES: Final = TemplateRoutes(TEMPLATE)
_NOTHING_FOUND: Final = Object("An empty object: no template is used.", extra={"properties": {}})


def _look_up_template(call: Call) -> Result:
    """Find the template that is used as a fallback for a slug."""
    args = call.args
    found = templates.look_up_template(
        call.work, TEMPLATE, args["slug"], is_custom=args.get("is_custom", False),
        prefix=args.get("template_prefix", ""),
    )  # fmt: skip
    return Result({}) if found is None else _TEMPLATES.resource.build_result(call, TemplateState(found), context=VIEW)


def _check_slug(given: Mapping[str, Any], old: BlockTemplate) -> None:
    """Refuse a changed slug: records choose a template by it, and it names the theme's file."""
    wanted = given.get("slug")
    if isinstance(wanted, str) and slugs.slugify(wanted) != old.slug:
        why = f"Records choose this template by its slug {old.slug}, so that stays; make another template instead."
        raise InvalidParam({"slug": Fault("rest_template_slug_fixed", why)})
