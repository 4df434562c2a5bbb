"""Task lists: shown or hidden, and the state of each task: actioned, dismissed, snoozed, restored.

A task that no list has is a loose task, made up by a client: its state is stored by name, and returned whenever the
client sends the task along. Not here: which tasks there are and when they are done (shop/admin/task_definitions.py).
Rules: docs/rules/onboarding.md, 5, 6 and 8.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from vetrina.core.unit_of_work import UnitOfWork
from vetrina.kernel.errors import ApiError, Failure, WriteNeeded
from vetrina.shop.admin.task_definitions import (
    ACTIONED_OPTION,
    ONBOARDING_TASKS,
    TASK_LISTS,
    TRACKED_OPTION,
    OnboardingTask,
    OnboardingTaskList,
    load_names,
)

SNOOZE_DURATIONS: Final = {"hour": 3600, "day": 24 * 3600, "week": 7 * 24 * 3600}  # seconds

_OPEN_LIST: Final = "extended"  # the list of tasks that name none
_HIDDEN: Final = "shop_task_list_hidden_lists"
_DISMISSED: Final = "shop_task_list_dismissed_tasks"
_SNOOZED: Final = "shop_task_list_remind_me_later_tasks"
_MAX_NAMES: Final = 200  # names in one option; clients name loose tasks


class TaskListToHideNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_invalid_task_list"
    message = "There is no list of tasks {id!r}; there are setup, extended and secret_tasklist."


class TaskListToShowNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_tasks_invalid_task_list"
    message = "There is no list of tasks {id!r}; there are setup, extended and secret_tasklist."


class OnboardingTaskNotFound(ApiError):
    failure, code = Failure.NOT_FOUND, "shop_rest_invalid_task"
    message = "The task {id!r} cannot be dismissed or put off."


# -- lists


def serialize_task_lists(
    work: UnitOfWork, ids: Iterable[str] = (), client_tasks: Sequence[Mapping[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Return lists with their tasks; ids: the requested ones, none for all. client_tasks: tasks that a client adds."""
    wanted = set(ids)
    return [_serialize_list(work, one, client_tasks) for one in TASK_LISTS.values() if not wanted or one.id in wanted]


def hide_task_list(work: UnitOfWork, id: str) -> dict[str, Any]:
    """Hide a list. Raises TaskListToHideNotFound."""
    if id not in TASK_LISTS:
        raise TaskListToHideNotFound(id=id)
    _add_name(work, _HIDDEN, id)
    return _serialize_list(work, TASK_LISTS[id])


def unhide_task_list(work: UnitOfWork, id: str) -> dict[str, Any]:
    """Show a hidden list again. Raises TaskListToShowNotFound."""
    if id not in TASK_LISTS:
        raise TaskListToShowNotFound(id=id)
    _remove_name(work, _HIDDEN, id)
    return _serialize_list(work, TASK_LISTS[id])


def _serialize_list(
    work: UnitOfWork, one: OnboardingTaskList, client_tasks: Sequence[Mapping[str, Any]] = ()
) -> dict[str, Any]:
    hidden = one.id in load_names(work, _HIDDEN)
    seen = [task for task in ONBOARDING_TASKS.values() if task.list == one.id and task.is_visible(work)]
    tasks = [_serialize_task(work, task) for task in seen if task.remains or not hidden]
    more = [
        _serialize_client_task(work, task, one)
        for task in client_tasks
        if (task.get("list_id") or _OPEN_LIST) == one.id
    ]
    more = [task for task in more if task["canView"]]
    return {
        "id": one.id,
        "title": one.title,
        "isHidden": hidden,
        "isVisible": one.is_visible and not hidden and bool(seen or more),
        "isComplete": bool(seen or more)
        and all(_is_done(work, task) for task in seen)
        and all(task["isComplete"] for task in more),
        "tasks": [*tasks, *([] if hidden else more)],
        "eventPrefix": one.prefix,
        "displayProgressHeader": one.header,
        "keepCompletedTaskList": "yes" if work.stored_option("shop_task_list_keep_completed") == "yes" else "no",
    }


def _is_done(work: UnitOfWork, task: OnboardingTask) -> bool:
    done: dict[str, bool] = work.lookups.setdefault("tasks_done", {})
    if task.id not in done:
        done[task.id] = task.is_done(work)
    return done[task.id]


# -- tasks


def mark_task_actioned(work: UnitOfWork, id: str) -> dict[str, Any]:
    """Mark a task as actioned."""
    _add_name(work, ACTIONED_OPTION, id)
    work.lookups.pop("tasks_done", None)
    return _serialize_any_task(work, id)


def dismiss_task(work: UnitOfWork, id: str) -> dict[str, Any]:
    """Dismiss a task for good. Raises OnboardingTaskNotFound."""
    _require_loose_task(id)
    _add_name(work, _DISMISSED, id)
    return {**_serialize_any_task(work, id), "isDismissable": True}


def undo_dismiss_task(work: UnitOfWork, id: str) -> dict[str, Any]:
    """Restore a dismissed task. Raises OnboardingTaskNotFound."""
    _require_loose_task(id)
    _remove_name(work, _DISMISSED, id)
    return {**_serialize_any_task(work, id), "isDismissable": True}


def snooze_task(work: UnitOfWork, id: str, seconds: int) -> dict[str, Any]:
    """Snooze a task. Raises OnboardingTaskNotFound."""
    _require_loose_task(id)
    kept = _load_snoozed_tasks(work)
    kept.pop(id, None)
    work.set_option(_SNOOZED, dict([*kept.items(), (id, (work.now + seconds) * 1000)][-_MAX_NAMES:]))
    return _serialize_any_task(work, id)


def undo_snooze_task(work: UnitOfWork, id: str) -> dict[str, Any]:
    """Restore a snoozed task. Raises OnboardingTaskNotFound."""
    _require_loose_task(id)
    kept = _load_snoozed_tasks(work)
    if kept.pop(id, None) is not None:
        work.set_option(_SNOOZED, kept)
    return _serialize_any_task(work, id)


def _require_loose_task(id: str) -> None:
    """Refuse the tasks of the lists: none of them can be dismissed or snoozed."""
    if id in ONBOARDING_TASKS:
        raise OnboardingTaskNotFound(id=id)


def _serialize_any_task(work: UnitOfWork, id: str) -> dict[str, Any]:
    task = ONBOARDING_TASKS.get(id)
    if task is not None:
        return _serialize_task(work, task)
    return _build_task_members(id, **_build_task_state(work, id))


def _build_task_state(work: UnitOfWork, id: str) -> dict[str, Any]:
    """Return the state of a loose task, as its members."""
    until = _load_snoozed_tasks(work).get(id)
    return {
        "isActioned": id in load_names(work, ACTIONED_OPTION), "isDismissed": id in load_names(work, _DISMISSED),
        "isSnoozed": until is not None, "snoozedUntil": until,
    }  # fmt: skip


def _serialize_client_task(work: UnitOfWork, task: Mapping[str, Any], task_list: OnboardingTaskList) -> dict[str, Any]:
    """Return a task that a client adds to a list, with its state."""
    id = str(task["id"])
    state = _build_task_state(work, id)
    off, later = (task.get(name) is True for name in ("is_dismissable", "is_snoozeable"))
    texts = {
        member: str(task[name]) if isinstance(task.get(name), str | int) else None
        for member, name in (("additionalInfo", "additional_info"), ("actionUrl", "action_url"), ("time", "time"))
    }
    return _build_task_members(
        id, **{**texts, **state}, parentId=task_list.id, title=str(task.get("title") or ""),
        content=str(task.get("content") or ""), actionLabel=str(task.get("action_label") or "Let's go"),
        canView=task.get("can_view", True) is not False and task.get("is_visible", True) is not False,
        isComplete=task.get("is_complete") is True or state["isActioned"],
        level=task["level"] if isinstance(task.get("level"), int) else 3, isDismissable=off, isSnoozeable=later,
        eventPrefix=task_list.prefix,
    )  # fmt: skip


def _serialize_task(work: UnitOfWork, task: OnboardingTask) -> dict[str, Any]:
    acted = task.id in load_names(work, ACTIONED_OPTION)
    address = f"{work.origin}/admin/admin.php?{task.page}" if task.page else task.page
    done = _is_done(work, task)
    return _build_task_members(
        task.id, parentId=task.list, title=task.title, content=task.content, additionalInfo="", actionUrl=address,
        isComplete=done, inProgressLabel=task.in_progress, time=task.time, isActioned=acted,
        additionalData=task.build_details(work) if task.build_details else None,
        eventPrefix=TASK_LISTS[task.list].prefix,
    )  # fmt: skip


def _build_task_members(id: str, **known: Any) -> dict[str, Any]:
    """Return the members of a task; unknown ones have the value of a loose task.

    isVisited belongs to the administration's own screens: nothing in the interface visits a task.
    """
    return {
        "id": id, "parentId": "", "title": "", "badge": "", "canView": True, "content": "", "additionalInfo": None,
        "actionLabel": "Let's go", "actionUrl": None, "isComplete": False, "isInProgress": False,
        "inProgressLabel": "In progress", "time": None, "level": 3, "isActioned": False, "isDismissed": False,
        "isDismissable": False, "isSnoozed": False, "isSnoozeable": False, "isVisited": False, "isDisabled": False,
        "snoozedUntil": None, "additionalData": None, "eventPrefix": "", "recordViewEvent": False, **known,
    }  # fmt: skip


# -- stored state


def record_done_tasks(work: UnitOfWork) -> None:
    """Store the tasks that are done now, for those that stay done once they were.

    Raises WriteNeeded in a read that finds some.
    """
    done = [task.id for task in ONBOARDING_TASKS.values() if _is_done(work, task)]
    kept = load_names(work, TRACKED_OPTION)
    if new := [id for id in done if id not in kept]:
        if not work.tx.writes:
            raise WriteNeeded
        work.set_option(TRACKED_OPTION, [*kept, *new])


def _add_name(work: UnitOfWork, option: str, name: str) -> None:
    kept = load_names(work, option)
    if name not in kept:
        work.set_option(option, [*kept, name][-_MAX_NAMES:])


def _remove_name(work: UnitOfWork, option: str, name: str) -> None:
    kept = load_names(work, option)
    if name in kept:
        work.set_option(option, [one for one in kept if one != name])


def _load_snoozed_tasks(work: UnitOfWork) -> dict[str, int]:
    stored = work.stored_option(_SNOOZED)
    known: Mapping[str, Any] = stored if isinstance(stored, Mapping) else {}
    return {id: until for id, until in known.items() if isinstance(until, int) and until > work.now * 1000}
