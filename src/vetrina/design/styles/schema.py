"""What the owner's styles and their revisions show in common, and where their routes are.

Rules: docs/rules/global_styles.md, 2 and 5.
"""

from __future__ import annotations

from typing import Final

from vetrina.rest.fields import EDIT, EMBED, VIEW, Object

PATH: Final = "/cms/v2/global-styles"
ALL: Final = (VIEW, EDIT, EMBED)
SHOWN: Final = (VIEW, EDIT)
SETTINGS_FIELD: Final = Object("Settings, by the format of theme settings.", context=SHOWN)
STYLES_FIELD: Final = Object("Styles, by the format of theme settings.", context=SHOWN)
