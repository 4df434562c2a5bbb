"""Task lists, their tasks, and what the first of them begin: samples, products from templates, a home page.

Not here: their states (shop/admin/tasks.py), what is made (shop/admin/starter_content.py). Rules: facts, "Task lists"
and "Samples, templates, home page, dummy products".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.core.unit_of_work import Frame
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Call, Result
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.admin import permissions as admin_permissions
from vetrina.shop.admin import responses as admin_responses
from vetrina.shop.admin import starter_content
from vetrina.shop.admin import tasks as admin_tasks
from vetrina.shop.admin.tasks import DURATIONS, ListToHideUnknown, ListToShowUnknown, TaskUnknown
from vetrina.shop.rights import CannotCreate, CannotUpdate

__all__ = ["routes"]

_PATH: Final = "/shop-admin/onboarding/tasks"
_ONE: Final = rf"{_PATH}/{{id:[a-z0-9_\-]+}}"
_SNOOZED: Final = rf"{_PATH}/{{id:[a-z0-9_-]+}}/snooze"
_LISTS: Final = ("setup", "extended", "secret_tasklist")


def _named(value: Any, name: str, asked: Any) -> Fault | None:
    """Every task that a client brings along has a name."""
    items = value if isinstance(value, list) else []
    good = all(isinstance(one, dict) and one.get("id") for one in items)
    return None if good else Fault("", "Invalid parameter.")


def _known(value: Any, name: str, asked: Any) -> Fault | None:
    return None if value in DURATIONS else Fault("", "Invalid parameter.")


def routes(frame: Frame) -> tuple[Route, ...]:
    """Return the routes of tasks."""
    ids: dict[str, Field] = {"ids": Array("Only these lists.", items=String(enum=_LISTS), null="keep")}
    brought = Array("Tasks that the client has of its own.", check=_named, null="keep")
    template = String("What kind of product.", required=True)
    id: dict[str, Field] = {"id": String("Name of the list or task.", pattern="^[a-z0-9_-]+$")}
    off: dict[str, Field] = {
        "duration": String("For how long: hour, day or week.", check=_known, null="keep"),
        "task_list_id": String("The list that it is in.", null="keep"),
    }
    lists = Array(items=admin_responses.TASK_LIST)
    create_page = admin_permissions.may(CannotCreate, admin_permissions.ADMINISTRATOR)
    return (
        Route(
            WRITE,
            f"{_PATH}/import_sample_products",
            _samples,
            {},
            admin_permissions.creating,
            answers=admin_responses.SAMPLES,
        ),
        Route(
            WRITE,
            f"{_PATH}/create_homepage",
            _home_page,
            {},
            create_page,
            answers=admin_responses.HOME_PAGE,
        ),
        Route(
            WRITE,
            f"{_PATH}/create_product_from_template",
            _from_template,
            {"template_name": template},
            admin_permissions.creating,
            errors=(starter_content.TemplateUnknown,),
            answers=admin_responses.MADE_PRODUCT,
        ),
        Route(READ, _PATH, _listed, ids, admin_permissions.creating, answers=lists),
        Route(WRITE, _PATH, _listed, {**ids, "extended_tasks": brought}, admin_permissions.creating, answers=lists),
        Route(
            CHANGE,
            f"{_ONE}/hide",
            _hide,
            id,
            admin_permissions.updating,
            errors=(ListToHideUnknown,),
            answers=admin_responses.TASK_LIST,
        ),
        Route(
            CHANGE,
            f"{_ONE}/unhide",
            _unhide,
            id,
            admin_permissions.updating,
            errors=(ListToShowUnknown,),
            answers=admin_responses.TASK_LIST,
        ),
        Route(
            CHANGE,
            f"{_ONE}/dismiss",
            _dismiss,
            id,
            admin_permissions.creating,
            errors=(TaskUnknown,),
            answers=admin_responses.TASK,
        ),
        Route(
            CHANGE,
            f"{_ONE}/undo_dismiss",
            _undo_dismiss,
            id,
            admin_permissions.creating,
            errors=(TaskUnknown,),
            answers=admin_responses.TASK,
        ),
        Route(CHANGE, f"{_ONE}/action", _act, id, admin_permissions.creating, answers=admin_responses.TASK),
        Route(
            CHANGE,
            f"{_ONE}/undo_snooze",
            _undo_snooze,
            id,
            admin_permissions.creating,
            errors=(TaskUnknown,),
            answers=admin_responses.TASK,
        ),
        Route(
            WRITE,
            _SNOOZED,
            _snooze,
            {**id, **off},
            admin_permissions.creating,
            errors=(TaskUnknown,),
            answers=admin_responses.TASK,
        ),
        Route(
            WRITE,
            "/shop-admin/onboarding/products",
            _dummies,
            {},
            admin_permissions.may(CannotUpdate, admin_permissions.ADMINISTRATOR),
            answers=admin_responses.SUCCESS,
        ),
    )


def _listed(call: Call) -> Result:
    """List the tasks of the set-up, with what is done."""
    admin_tasks.note_done(call.work)
    told = call.args.get("extended_tasks")
    brought = [one for one in told if isinstance(one, dict) and one.get("id")] if isinstance(told, list) else []
    return Result(admin_tasks.show_lists(call.work, call.args.get("ids") or (), brought))


def _hide(call: Call) -> Result:
    """Hide a list of tasks."""
    admin_tasks.note_done(call.work)
    return Result(admin_tasks.hide(call.work, call.args["id"]))


def _unhide(call: Call) -> Result:
    """Show a list of tasks again."""
    return Result(admin_tasks.unhide(call.work, call.args["id"]))


def _dismiss(call: Call) -> Result:
    """Put a task away for good."""
    return Result(admin_tasks.dismiss(call.work, call.args["id"]))


def _undo_dismiss(call: Call) -> Result:
    """Take a task back that was put away."""
    return Result(admin_tasks.undo_dismiss(call.work, call.args["id"]))


def _act(call: Call) -> Result:
    """Mark a task as begun."""
    admin_tasks.note_done(call.work)
    return Result(admin_tasks.act(call.work, call.args["id"]))


def _snooze(call: Call) -> Result:
    """Put a task off for an hour, a day or longer."""
    return Result(admin_tasks.snooze(call.work, call.args["id"], DURATIONS[call.args.get("duration") or "day"]))


def _undo_snooze(call: Call) -> Result:
    """Take a task back that was put off."""
    return Result(admin_tasks.undo_snooze(call.work, call.args["id"]))


# -- what the first tasks begin


def _samples(call: Call) -> Result:
    """Put sample products into the catalogue and tell what was made."""
    return Result(starter_content.samples(call.work))


def _dummies(call: Call) -> Result:
    """Put sample products into the catalogue."""
    made = starter_content.samples(call.work)
    return Result({"success": not made["failed"]})


def _from_template(call: Call) -> Result:
    """Make a draft product from a template."""
    return Result({"id": starter_content.from_template(call.work, call.args["template_name"])})


def _home_page(call: Call) -> Result:
    """Make a home page for the shop."""
    id = starter_content.home_page(call.work)
    edit = f"{call.work.origin}/admin/post.php?post={id}&action=edit"
    return Result({"status": "success", "message": "Homepage created", "post_id": id, "edit_post_link": edit})
