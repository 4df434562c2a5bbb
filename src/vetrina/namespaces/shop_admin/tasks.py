"""Task lists, their tasks, and what the first of them begin: samples, products from templates, a home page.

Not here: their states (domain/shop/admin/tasks.py), what is made (beginnings.py). Rules: facts, "Task lists" and
"Samples, templates, home page, dummy products".
"""

from __future__ import annotations

from typing import Any, Final

from vetrina.declare.call import Call, Result
from vetrina.declare.fields import Array, Field, String
from vetrina.declare.route import CHANGE, READ, WRITE, Route
from vetrina.domain.shop.admin import beginnings, tasks
from vetrina.domain.shop.admin.tasks import DURATIONS, ListToHideUnknown, ListToShowUnknown, TaskUnknown
from vetrina.domain.shop.rights import CannotCreate, CannotUpdate
from vetrina.domain.work import Frame
from vetrina.kernel.errors import Fault

from . import access, answers

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
    lists = Array(items=answers.TASK_LIST)
    create_page = access.may(CannotCreate, access.ADMINISTRATOR)
    return (
        Route(WRITE, f"{_PATH}/import_sample_products", _samples, {}, access.creating,
              answers=answers.SAMPLES),
        Route(
            WRITE, f"{_PATH}/create_homepage", _home_page, {}, create_page,
            answers=answers.HOME_PAGE,
        ),
        Route(
            WRITE, f"{_PATH}/create_product_from_template", _from_template, {"template_name": template},
            access.creating, errors=(beginnings.TemplateUnknown,), answers=answers.MADE_PRODUCT,
        ),
        Route(READ, _PATH, _listed, ids, access.creating, answers=lists),
        Route(WRITE, _PATH, _listed, {**ids, "extended_tasks": brought}, access.creating, answers=lists),
        Route(CHANGE, f"{_ONE}/hide", _hide, id, access.updating, errors=(ListToHideUnknown,),
              answers=answers.TASK_LIST),
        Route(CHANGE, f"{_ONE}/unhide", _unhide, id, access.updating, errors=(ListToShowUnknown,),
              answers=answers.TASK_LIST),
        Route(CHANGE, f"{_ONE}/dismiss", _dismiss, id, access.creating, errors=(TaskUnknown,), answers=answers.TASK),
        Route(
            CHANGE, f"{_ONE}/undo_dismiss", _undo_dismiss, id, access.creating, errors=(TaskUnknown,),
            answers=answers.TASK,
        ),
        Route(CHANGE, f"{_ONE}/action", _act, id, access.creating, answers=answers.TASK),
        Route(
            CHANGE, f"{_ONE}/undo_snooze", _undo_snooze, id, access.creating, errors=(TaskUnknown,),
            answers=answers.TASK,
        ),
        Route(WRITE, _SNOOZED, _snooze, {**id, **off}, access.creating, errors=(TaskUnknown,), answers=answers.TASK),
        Route(
            WRITE, "/shop-admin/onboarding/products", _dummies, {}, access.may(CannotUpdate, access.ADMINISTRATOR),
            answers=answers.SUCCESS,
        ),
    )  # fmt: skip


def _listed(call: Call) -> Result:
    """List the tasks of the set-up, with what is done."""
    tasks.note_done(call.work)
    told = call.args.get("extended_tasks")
    brought = [one for one in told if isinstance(one, dict) and one.get("id")] if isinstance(told, list) else []
    return Result(tasks.show_lists(call.work, call.args.get("ids") or (), brought))


def _hide(call: Call) -> Result:
    """Hide a list of tasks."""
    tasks.note_done(call.work)
    return Result(tasks.hide(call.work, call.args["id"]))


def _unhide(call: Call) -> Result:
    """Show a list of tasks again."""
    return Result(tasks.unhide(call.work, call.args["id"]))


def _dismiss(call: Call) -> Result:
    """Put a task away for good."""
    return Result(tasks.dismiss(call.work, call.args["id"]))


def _undo_dismiss(call: Call) -> Result:
    """Take a task back that was put away."""
    return Result(tasks.undo_dismiss(call.work, call.args["id"]))


def _act(call: Call) -> Result:
    """Mark a task as begun."""
    tasks.note_done(call.work)
    return Result(tasks.act(call.work, call.args["id"]))


def _snooze(call: Call) -> Result:
    """Put a task off for an hour, a day or longer."""
    return Result(tasks.snooze(call.work, call.args["id"], DURATIONS[call.args.get("duration") or "day"]))


def _undo_snooze(call: Call) -> Result:
    """Take a task back that was put off."""
    return Result(tasks.undo_snooze(call.work, call.args["id"]))


# -- what the first tasks begin


def _samples(call: Call) -> Result:
    """Put sample products into the catalogue and tell what was made."""
    return Result(beginnings.samples(call.work))


def _dummies(call: Call) -> Result:
    """Put sample products into the catalogue."""
    made = beginnings.samples(call.work)
    return Result({"success": not made["failed"]})


def _from_template(call: Call) -> Result:
    """Make a draft product from a template."""
    return Result({"id": beginnings.from_template(call.work, call.args["template_name"])})


def _home_page(call: Call) -> Result:
    """Make a home page for the shop."""
    id = beginnings.home_page(call.work)
    edit = f"{call.work.origin}/admin/post.php?post={id}&action=edit"
    return Result({"status": "success", "message": "Homepage created", "post_id": id, "edit_post_link": edit})
