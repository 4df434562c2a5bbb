"""Routes of task lists and tasks, and of what the first tasks create: samples, products from templates, a home page.

Not here: task states (shop/admin/tasks.py), created content (shop/admin/starter_content.py). Rules:
docs/rules/onboarding.md, 5, 8, 9 and 10.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from vetrina.core.call import Call
from vetrina.core.site_context import SiteContext
from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import Fault
from vetrina.rest.call import Result
from vetrina.rest.fields import Array, Field, String
from vetrina.rest.route import CHANGE, READ, WRITE, Route
from vetrina.shop.admin import (
    permissions as admin_permissions,
    responses as admin_responses,
    starter_content,
    tasks as admin_tasks,
)
from vetrina.shop.admin.tasks import (
    SNOOZE_DURATIONS,
    OnboardingTaskNotFound,
    TaskListToHideNotFound,
    TaskListToShowNotFound,
)
from vetrina.shop.rights import CannotCreateShopItem, CannotUpdateShop

_PATH: Final = "/shop-admin/onboarding/tasks"
_ITEM: Final = rf"{_PATH}/{{id:[a-z0-9_\-]+}}"
_SNOOZE: Final = rf"{_PATH}/{{id:[a-z0-9_-]+}}/snooze"
_LISTS: Final = ("setup", "extended", "secret_tasklist")


def _find_task_name_fault(value: Any, name: str, context: Any) -> Fault | None:
    """Every task that a client adds has a name."""
    items = value if isinstance(value, list) else []
    good = all(isinstance(one, dict) and one.get("id") for one in items)
    return None if good else Fault("", "Invalid parameter.")


def _find_duration_fault(value: Any, name: str, context: Any) -> Fault | None:
    return None if value in SNOOZE_DURATIONS else Fault("", "Invalid parameter.")


def build_routes(site: SiteContext) -> tuple[Route, ...]:
    """Return the routes of tasks."""
    ids: dict[str, Field] = {"ids": Array("Only these lists.", items=String(enum=_LISTS), null="keep")}
    brought = Array("Tasks that the client has of its own.", check=_find_task_name_fault, null="keep")
    template = String("What kind of product.", required=True)
    id: dict[str, Field] = {"id": String("Name of the list or task.", pattern="^[a-z0-9_-]+$")}
    off: dict[str, Field] = {
        "duration": String("For how long: hour, day or week.", check=_find_duration_fault, null="keep"),
        "task_list_id": String("The list that it is in.", null="keep"),
    }
    lists = Array(items=admin_responses.TASK_LIST)
    create, unknown = admin_permissions.require_create_permission, (OnboardingTaskNotFound,)
    create_page = admin_permissions.build_permission_check(CannotCreateShopItem, admin_permissions.ADMINISTRATOR)
    return (
        Route(
            WRITE, f"{_PATH}/import_sample_products", _import_sample_products, {}, create,
            answers=admin_responses.SAMPLES,
        ),
        Route(WRITE, f"{_PATH}/create_homepage", _create_home_page, {}, create_page, answers=admin_responses.HOME_PAGE),
        Route(
            WRITE, f"{_PATH}/create_product_from_template", _create_product_from_template, {"template_name": template},
            create, errors=(starter_content.ProductTemplateNotFound,), answers=admin_responses.CREATED_PRODUCT,
        ),
        Route(READ, _PATH, _list_task_lists, ids, create, answers=lists),
        Route(WRITE, _PATH, _list_task_lists, {**ids, "extended_tasks": brought}, create, answers=lists),
        Route(
            CHANGE, f"{_ITEM}/hide", _hide_task_list, id, admin_permissions.require_update_permission,
            errors=(TaskListToHideNotFound,), answers=admin_responses.TASK_LIST,
        ),
        Route(
            CHANGE, f"{_ITEM}/unhide", partial(_change_state, admin_tasks.unhide_task_list), id,
            admin_permissions.require_update_permission, errors=(TaskListToShowNotFound,),
            answers=admin_responses.TASK_LIST, summary="Show a hidden task list again.",
        ),
        Route(
            CHANGE, f"{_ITEM}/dismiss", partial(_change_state, admin_tasks.dismiss_task), id, create, errors=unknown,
            answers=admin_responses.TASK, summary="Dismiss a task for good.",
        ),
        Route(
            CHANGE, f"{_ITEM}/undo_dismiss", partial(_change_state, admin_tasks.undo_dismiss_task), id, create,
            errors=unknown, answers=admin_responses.TASK, summary="Restore a dismissed task.",
        ),
        Route(CHANGE, f"{_ITEM}/action", _start_task, id, create, answers=admin_responses.TASK),
        Route(
            CHANGE, f"{_ITEM}/undo_snooze", partial(_change_state, admin_tasks.undo_snooze_task), id, create,
            errors=unknown, answers=admin_responses.TASK, summary="Restore a snoozed task.",
        ),
        Route(WRITE, _SNOOZE, _snooze_task, {**id, **off}, create, errors=unknown, answers=admin_responses.TASK),
        Route(
            WRITE, "/shop-admin/onboarding/products", _create_sample_products, {},
            admin_permissions.build_permission_check(CannotUpdateShop, admin_permissions.ADMINISTRATOR),
            answers=admin_responses.SUCCESS,
        ),
    )  # fmt: skip


def _list_task_lists(call: Call) -> Result:
    """List the onboarding tasks, with those that are done."""
    admin_tasks.record_done_tasks(call.work)
    sent_tasks = call.args.get("extended_tasks")
    client_tasks = (
        [one for one in sent_tasks if isinstance(one, dict) and one.get("id")] if isinstance(sent_tasks, list) else []
    )
    return Result(admin_tasks.serialize_task_lists(call.work, call.args.get("ids") or (), client_tasks))


def _hide_task_list(call: Call) -> Result:
    """Hide a task list."""
    admin_tasks.record_done_tasks(call.work)
    return Result(admin_tasks.hide_task_list(call.work, call.args["id"]))


def _change_state(change: Callable[[UnitOfWork, str], dict[str, Any]], call: Call) -> Result:
    return Result(change(call.work, call.args["id"]))


def _start_task(call: Call) -> Result:
    """Mark a task as started."""
    admin_tasks.record_done_tasks(call.work)
    return Result(admin_tasks.mark_task_actioned(call.work, call.args["id"]))


def _snooze_task(call: Call) -> Result:
    """Snooze a task for an hour, a day or longer."""
    return Result(
        admin_tasks.snooze_task(call.work, call.args["id"], SNOOZE_DURATIONS[call.args.get("duration") or "day"])
    )


# -- what the first tasks create


def _import_sample_products(call: Call) -> Result:
    """Create sample products and return the result."""
    return Result(starter_content.create_sample_products(call.work))


def _create_sample_products(call: Call) -> Result:
    """Create sample products."""
    result = starter_content.create_sample_products(call.work)
    return Result({"success": not result["failed"]})


def _create_product_from_template(call: Call) -> Result:
    """Create a draft product from a template."""
    return Result({"id": starter_content.create_product_from_template(call.work, call.args["template_name"])})


def _create_home_page(call: Call) -> Result:
    """Create a home page for the shop."""
    id = starter_content.create_home_page(call.work)
    edit = f"{call.work.origin}/admin/post.php?post={id}&action=edit"
    return Result({"status": "success", "message": "Homepage created", "post_id": id, "edit_post_link": edit})
