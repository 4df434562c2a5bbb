"""The command line as a page: every command with its usage, arguments, options and environment, as click knows them."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Final

import click

from vetrina.cli import main

from .schemas import plain

__all__ = ["commands", "page"]

_HEAD: Final = """# Commands

The exit status is 0 for done, 1 for what could not be done, and 2 for a wrong command line or setting; what is wrong is
said in one line on the standard error. `vetrina COMMAND --help` says what stands here.
"""


def commands() -> list[tuple[str, click.Command]]:
    """Return every command and command of a command, by its words after `vetrina`."""
    return list(_below(main, click.Context(main, info_name="vetrina"), ()))


def _below(group: click.Group, context: click.Context, words: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        own = (*words, name)
        yield " ".join(own), command
        if isinstance(command, click.Group):
            yield from _below(command, click.Context(command, info_name=name, parent=context), own)


def page() -> str:
    """Return the page of all commands."""
    lines = [_HEAD]
    for words, command in commands():
        context = click.Context(command, info_name=f"vetrina {words}")
        level = "##" if " " not in words else "###"
        lines += [f"(command-{words.replace(' ', '-')})=", f"{level} `vetrina {words}`", ""]
        lines += [_prose(command.help or command.short_help or ""), ""]
        lines += ["```text", command.get_usage(context), "```", ""]
        lines += [*_parameters(command, context), ""]
    return "\n".join(lines)


def _prose(text: str) -> str:
    paragraphs = inspect.cleandoc(text).replace("\b\n", "").split("\n\n")
    return "\n\n".join(plain(one) for one in paragraphs)


def _parameters(command: click.Command, context: click.Context) -> Iterator[str]:
    for one in command.get_params(context):
        if isinstance(one, click.Option) and "--help" in one.opts:
            continue
        names = [*one.opts, *one.secondary_opts] if isinstance(one, click.Option) else [one.human_readable_name]
        facts = []
        if not (isinstance(one, click.Option) and one.is_flag):
            facts.append(one.type.name)
        if one.required:
            facts.append("required")
        if one.multiple if isinstance(one, click.Option) else one.nargs != 1:
            facts.append("may be repeated")
        default = one.default
        if (
            default is not None
            and not callable(default)
            and default not in ((), False, "")
            and "Sentinel" not in repr(type(default))
        ):
            facts.append(f"default `{default}`")
        if one.envvar:
            facts.append(f"or the variable `{one.envvar}`")
        said = plain(one.help or "") if isinstance(one, click.Option) else ""
        told = f" ({'; '.join(facts)})" if facts else ""
        yield f"- {', '.join(f'`{name}`' for name in names)}{told}{f': {said}' if said else ''}"
