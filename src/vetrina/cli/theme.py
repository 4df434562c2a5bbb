"""`vetrina theme`: a theme of one's own to begin with, and what is wrong in one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import click
import orjson

from vetrina.design.themes.checks import find_theme_faults

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]*")
_HEADER: Final = """/*
Theme Name: {title}
Version: 1.0.0
*/
"""
_SETTINGS: Final = {
    "version": 3,
    "settings": {
        "layout": {"contentSize": "42rem", "wideSize": "72rem"},
        "color": {"palette": [
            {"slug": "base", "name": "Base", "color": "#ffffff"},
            {"slug": "contrast", "name": "Contrast", "color": "#1b1b1f"},
            {"slug": "accent", "name": "Accent", "color": "#0b4fb3"},
        ]},
    },
    "styles": {
        "color": {"background": "var:preset|color|base", "text": "var:preset|color|contrast"},
        "spacing": {"blockGap": "1.5rem", "padding": {"left": "1.25rem", "right": "1.25rem"}},
        "typography": {"fontFamily": "system-ui, sans-serif", "lineHeight": "1.6"},
        "elements": {"link": {"color": {"text": "var:preset|color|accent"}}},
    },
    "templateParts": [
        {"name": "header", "title": "Header", "area": "header"},
        {"name": "footer", "title": "Footer", "area": "footer"},
    ],
}  # fmt: skip
_TOP: Final = """<!-- wp:template-part {"slug":"header","tagName":"header"} /-->

<!-- wp:group {"tagName":"main","layout":{"type":"constrained"}} -->
<main class="wp-block-group">
"""
_BOTTOM: Final = """</main>
<!-- /wp:group -->

<!-- wp:template-part {"slug":"footer","tagName":"footer"} /-->
"""
_LIST: Final = """	<!-- wp:query-title {"type":"archive","level":1} /-->

	<!-- wp:query {"query":{"inherit":true}} -->
	<div class="wp-block-query">
		<!-- wp:post-template -->
			<!-- wp:post-title {"isLink":true,"level":2} /-->
			<!-- wp:post-date /-->
			<!-- wp:post-excerpt /-->
		<!-- /wp:post-template -->

		<!-- wp:query-pagination -->
			<!-- wp:query-pagination-previous /-->
			<!-- wp:query-pagination-numbers /-->
			<!-- wp:query-pagination-next /-->
		<!-- /wp:query-pagination -->
	</div>
	<!-- /wp:query -->
"""
_RECORD: Final = """	<!-- wp:post-title {"level":1} /-->
	<!-- wp:post-content {"layout":{"type":"constrained"}} /-->
"""
_HEAD_PART: Final = """<!-- wp:group {"layout":{"type":"flex","justifyContent":"space-between"}} -->
<div class="wp-block-group">
	<!-- wp:site-title {"level":0} /-->
	<!-- wp:navigation /-->
</div>
<!-- /wp:group -->
"""
_FOOT_PART: Final = """<!-- wp:search {"label":"Search","showLabel":false,"buttonText":"Search"} /-->
"""


@click.group("theme")
def command() -> None:
    """Begin a theme of one's own, and check one."""


@command.command("new")
@click.argument("folder", type=click.Path(path_type=Path))
def create_theme(folder: Path) -> None:
    """Write a small theme into the new folder FOLDER, whose last part is the theme's name."""
    if not _NAME.fullmatch(folder.name):
        raise click.UsageError(f"{folder.name!r} is no name of a theme; write letters, digits, '-' and '_', lower case")
    if folder.exists():
        raise click.ClickException(f"{folder} is there already; name a new folder")
    title = folder.name.replace("-", " ").replace("_", " ").title()
    files = {
        "style.css": _HEADER.format(title=title),
        "theme.json": orjson.dumps(_SETTINGS, option=orjson.OPT_INDENT_2).decode() + "\n",
        "templates/index.html": f"{_TOP}{_LIST}{_BOTTOM}",
        "templates/singular.html": f"{_TOP}{_RECORD}{_BOTTOM}",
        "parts/header.html": _HEAD_PART,
        "parts/footer.html": _FOOT_PART,
    }
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    click.echo(f'{folder} is a theme; name it in a profile: theme = "{folder.resolve()}"')


@command.command("check")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def check_theme(folder: Path) -> None:
    """Say what is wrong in the theme of FOLDER. The exit status is 0 when nothing is, 1 when something is."""
    faults = find_theme_faults(folder)
    for fault in faults:
        click.echo(fault, err=True)
    if faults:
        raise SystemExit(1)
    click.echo(f"{folder} can be used.")
