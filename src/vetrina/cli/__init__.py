"""The `vetrina` command: one module for each subcommand, imported when it is called.

Errors are printed as one line that says what is wrong and what to do. The exit status is 0 for success, 1 for failure,
2 for a wrong command line or setting.
"""

from __future__ import annotations

import gc
import importlib
import sqlite3
from typing import Any

import click

from vetrina import __version__
from vetrina.kernel.garbage_collection import reduce_gc_frequency

__all__ = ["main"]

# Command → the module that has it as `command`, and what it does.
COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "Make a new site in a folder."),
    "demo": ("demo", "Make a site with content to look at."),
    "serve": ("serve", "Serve a site, or a throw-away one, until Ctrl-C."),
    "user": ("users", "Add and list accounts, set passwords."),
    "app-password": ("app_passwords", "Make, list and revoke application passwords."),
    "keys": ("keys", "List and rotate the keys that sign access tokens."),
    "shop-key": ("shop_key", "Make, list and revoke consumer keys of the shop."),
    "mail": ("mail", "Look at the mails of a shop."),
    "analytics": ("analytics", "Compare reports with orders, rebuild them."),
    "connector-lock": ("connector_lock", "Tie the tokens of the connector to the site's address."),
    "connector-peer": ("connector_peer", "Be the outside service of the connector, for tests."),
    "profile": ("profile", "Check a profile, apply a changed one, describe its keys."),
    "theme": ("theme", "Begin a theme of one's own, and check one."),
    "routes": ("routes", "List the routes that a site or a profile serves."),
    "types": ("types", "Write the types of a site for TypeScript or Python."),
    "audit": ("audit", "Show who did what on a site, from where."),
    "check": ("check", "Look for damage in a site's data."),
    "migrate": ("migrate", "Bring a site's database up to this version."),
    "import": ("import_site", "Bring another site in."),
    "translate": ("translate", "Make translation jobs, write and read their files."),
    "jobs": ("jobs", "List background jobs, try failed ones again."),
    "work": ("work", "Carry out background jobs, where `serve` does not."),
    "backup": ("backup", "Write a site into one file, while it is served."),
    "export": ("export", "Write a site as JSON into a folder, or as an export file."),
    "compare": ("compare", "Tell in what two sites differ."),
    "restore": ("restore", "Put a site back from the file of its backup."),
}

# Packages that the server's wheel leaves out (hatch_build.py), on which a command stands.
_NOT_IN_SERVER_WHEEL = ("vetrina.demo", "vetrina.fake_service")


class _LazyCommandGroup(click.Group):
    """The commands of COMMANDS; listing them imports none."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        # Imported objects stay; collecting garbage meanwhile takes a sixth of the time (0.1 of 0.6 s), and looking
        # through them again, when garbage is collected later, as much each time.
        gc.disable()
        try:
            command: click.Command = importlib.import_module(f"{__name__}.{COMMANDS[cmd_name][0]}").command
        except ModuleNotFoundError as error:
            if error.name not in _NOT_IN_SERVER_WHEEL:
                raise
            raise click.ClickException(
                f"`vetrina {cmd_name}` is not in the wheel of the server alone; install the whole package instead"
            ) from None
        finally:
            gc.freeze()
            gc.enable()
            reduce_gc_frequency()
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, purpose) for name, (_, purpose) in COMMANDS.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except Exception as error:
            click_error = _describe_error(error)
            if click_error is None:
                raise
            raise click_error from error


@click.group(cls=_LazyCommandGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="vetrina", message="%(prog)s %(version)s")
def main() -> None:
    """Vetrina, a content and commerce server that speaks one JSON REST interface.

    A site lives in a folder: `vetrina init` makes one, `vetrina serve` serves it.
    """


def _describe_error(error: Exception) -> click.ClickException | None:
    """Return an error for the command line, None for a bug of ours, which shows its traceback."""
    from vetrina.backends.database import DatabaseUnreachable
    from vetrina.backends.site_folder import CannotOpenSite
    from vetrina.kernel.errors import ApiError
    from vetrina.settings import SettingsError

    if isinstance(error, SettingsError):
        return click.UsageError(str(error))
    if isinstance(error, (ApiError, CannotOpenSite, DatabaseUnreachable)):
        return click.ClickException(str(error))
    if isinstance(error, sqlite3.Error):
        return click.ClickException(f"the database could not do it: {error}")
    if isinstance(error, OSError) and error.strerror:
        place = f"{error.filename}: " if error.filename else ""
        return click.ClickException(place + error.strerror)
    return None
