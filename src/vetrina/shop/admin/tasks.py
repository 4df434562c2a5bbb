"""Task lists: shown, hidden, and what became of each task: acted on, dismissed, put off, taken back.

A task that no list has is taken as a loose one, as clients make them up: its state is kept by its name, and shown
whenever the client brings the task along. Not here: which
tasks there are, when they are done (shop/admin/task_definitions.py). Rules: facts, "Task lists".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from vetrina.core.unit_of_work import Work
from vetrina.kernel.errors import ApiError, WriteNeeded
from vetrina.shop.admin.task_definitions import ACTIONED, LISTS, TASKS, TRACKED, Task, TaskList, names

__all__ = ["DURATIONS", "ListToHideUnknown", "ListToShowUnknown", "TaskUnknown", "act", "dismiss", "hide", "show_lists",
           "snooze", "undo_dismiss", "undo_snooze", "unhide"]  # fmt: skip

DURATIONS: Final = {"hour": 3600, "day": 24 * 3600, "week": 7 * 24 * 3600}  # seconds

_OPEN_LIST: Final = "extended"  # of tasks that name no list
_HIDDEN: Final = "shop_task_list_hidden_lists"
_DISMISSED: Final = "shop_task_list_dismissed_tasks"
_PUT_OFF: Final = "shop_task_list_remind_me_later_tasks"
_MOST: Final = 200  # names that one option keeps; loose tasks are named by clients


class ListToHideUnknown(ApiError):
    status, code = 404, "shop_rest_invalid_task_list"
    message = "There is no list of tasks {id!r}; there are setup, extended and secret_tasklist."


class ListToShowUnknown(ApiError):
    status, code = 404, "shop_tasks_invalid_task_list"
    message = "There is no list of tasks {id!r}; there are setup, extended and secret_tasklist."


class TaskUnknown(ApiError):
    status, code = 404, "shop_rest_invalid_task"
    message = "The task {id!r} cannot be dismissed or put off."


# -- lists


def show_lists(work: Work, ids: Iterable[str] = (), brought: Sequence[Mapping[str, Any]] = ()) -> list[dict[str, Any]]:
    """Return lists with their tasks; ids: those that are wanted, none for all. brought: what a client adds to them."""
    wanted = set(ids)
    return [_list(work, one, brought) for one in LISTS.values() if not wanted or one.id in wanted]


def hide(work: Work, id: str) -> dict[str, Any]:
    """Hide a list. Raises ListToHideUnknown."""
    if id not in LISTS:
        raise ListToHideUnknown(id=id)
    _put(work, _HIDDEN, id)
    return _list(work, LISTS[id])


def unhide(work: Work, id: str) -> dict[str, Any]:
    """Show a hidden list again. Raises ListToShowUnknown."""
    if id not in LISTS:
        raise ListToShowUnknown(id=id)
    _drop(work, _HIDDEN, id)
    return _list(work, LISTS[id])


def _list(work: Work, one: TaskList, brought: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    hidden = one.id in names(work, _HIDDEN)
    seen = [task for task in TASKS.values() if task.list == one.id and task.seen(work)]
    tasks = [_task(work, task) for task in seen if task.remains or not hidden]
    more = [_brought(work, task, one) for task in brought if (task.get("list_id") or _OPEN_LIST) == one.id]
    more = [task for task in more if task["canView"]]
    return {
        "id": one.id,
        "title": one.title,
        "isHidden": hidden,
        "isVisible": one.seen and not hidden and bool(seen or more),
        "isComplete": bool(seen or more)
        and all(_is_done(work, task) for task in seen)
        and all(task["isComplete"] for task in more),
        "tasks": [*tasks, *([] if hidden else more)],
        "eventPrefix": one.prefix,
        "displayProgressHeader": one.header,
        "keepCompletedTaskList": "yes" if work.stored_option("shop_task_list_keep_completed") == "yes" else "no",
    }


def _is_done(work: Work, task: Task) -> bool:
    done: dict[str, bool] = work.memo.setdefault("tasks_done", {})
    if task.id not in done:
        done[task.id] = task.done(work)
    return done[task.id]


# -- tasks


def act(work: Work, id: str) -> dict[str, Any]:
    """Note that somebody began a task."""
    _put(work, ACTIONED, id)
    work.memo.pop("tasks_done", None)
    return _any(work, id)


def dismiss(work: Work, id: str) -> dict[str, Any]:
    """Put a task aside for good. Raises TaskUnknown."""
    _loose(id)
    _put(work, _DISMISSED, id)
    return {**_any(work, id), "isDismissable": True}


def undo_dismiss(work: Work, id: str) -> dict[str, Any]:
    """Take a task back that was put aside. Raises TaskUnknown."""
    _loose(id)
    _drop(work, _DISMISSED, id)
    return {**_any(work, id), "isDismissable": True}


def snooze(work: Work, id: str, seconds: int) -> dict[str, Any]:
    """Put a task off for a while. Raises TaskUnknown."""
    _loose(id)
    kept = _put_off(work)
    kept.pop(id, None)
    work.set_option(_PUT_OFF, dict([*kept.items(), (id, (work.now + seconds) * 1000)][-_MOST:]))
    return _any(work, id)


def undo_snooze(work: Work, id: str) -> dict[str, Any]:
    """Take a task back that was put off. Raises TaskUnknown."""
    _loose(id)
    kept = _put_off(work)
    if kept.pop(id, None) is not None:
        work.set_option(_PUT_OFF, kept)
    return _any(work, id)


def _loose(id: str) -> None:
    """Refuse the tasks of the lists: none of them can be dismissed or put off."""
    if id in TASKS:
        raise TaskUnknown(id=id)


def _any(work: Work, id: str) -> dict[str, Any]:
    task = TASKS.get(id)
    if task is not None:
        return _task(work, task)
    return _members(id, **_state(work, id))


def _state(work: Work, id: str) -> dict[str, Any]:
    """Return what became of a loose task, as its members."""
    until = _put_off(work).get(id)
    return {
        "isActioned": id in names(work, ACTIONED), "isDismissed": id in names(work, _DISMISSED),
        "isSnoozed": until is not None, "snoozedUntil": until,
    }  # fmt: skip


def _brought(work: Work, told: Mapping[str, Any], of: TaskList) -> dict[str, Any]:
    """Return a task that a client adds to a list, with what became of it."""
    id = str(told["id"])
    state = _state(work, id)
    off, later = (told.get(name) is True for name in ("is_dismissable", "is_snoozeable"))
    texts = {
        member: str(told[name]) if isinstance(told.get(name), str | int) else None
        for member, name in (("additionalInfo", "additional_info"), ("actionUrl", "action_url"), ("time", "time"))
    }
    return _members(
        id, **{**texts, **state}, parentId=of.id, title=str(told.get("title") or ""),
        content=str(told.get("content") or ""), actionLabel=str(told.get("action_label") or "Let's go"),
        canView=told.get("can_view", True) is not False and told.get("is_visible", True) is not False,
        isComplete=told.get("is_complete") is True or state["isActioned"],
        level=told["level"] if isinstance(told.get("level"), int) else 3, isDismissable=off, isSnoozeable=later,
        eventPrefix=of.prefix,
    )  # fmt: skip


def _task(work: Work, task: Task) -> dict[str, Any]:
    acted = task.id in names(work, ACTIONED)
    address = f"{work.origin}/admin/admin.php?{task.page}" if task.page else task.page
    done = _is_done(work, task)
    return _members(
        task.id, parentId=task.list, title=task.title, content=task.content, additionalInfo="", actionUrl=address,
        isComplete=done, inProgressLabel=task.in_progress, time=task.time, isActioned=acted,
        additionalData=task.more(work) if task.more else None, eventPrefix=LISTS[task.list].prefix,
    )  # fmt: skip


def _members(id: str, **known: Any) -> dict[str, Any]:
    """Return the members of a task; what is not known has the value of a loose task.

    isVisited is of the administration's own screens: nothing that the interface does visits a task.
    """
    return {
        "id": id, "parentId": "", "title": "", "badge": "", "canView": True, "content": "", "additionalInfo": None,
        "actionLabel": "Let's go", "actionUrl": None, "isComplete": False, "isInProgress": False,
        "inProgressLabel": "In progress", "time": None, "level": 3, "isActioned": False, "isDismissed": False,
        "isDismissable": False, "isSnoozed": False, "isSnoozeable": False, "isVisited": False, "isDisabled": False,
        "snoozedUntil": None, "additionalData": None, "eventPrefix": "", "recordViewEvent": False, **known,
    }  # fmt: skip


# -- what is kept


def note_done(work: Work) -> None:
    """Note the tasks that are done, so that those which stay done once they were are known later.

    Raises WriteNeeded in a read that finds some.
    """
    done = [task.id for task in TASKS.values() if _is_done(work, task)]
    kept = names(work, TRACKED)
    if new := [id for id in done if id not in kept]:
        if not work.tx.writes:
            raise WriteNeeded
        work.set_option(TRACKED, [*kept, *new])


def _put(work: Work, option: str, name: str) -> None:
    kept = names(work, option)
    if name not in kept:
        work.set_option(option, [*kept, name][-_MOST:])


def _drop(work: Work, option: str, name: str) -> None:
    kept = names(work, option)
    if name in kept:
        work.set_option(option, [one for one in kept if one != name])


def _put_off(work: Work) -> dict[str, int]:
    stored = work.stored_option(_PUT_OFF)
    known: Mapping[str, Any] = stored if isinstance(stored, Mapping) else {}
    return {id: until for id, until in known.items() if isinstance(until, int) and until > work.now * 1000}
