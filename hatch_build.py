"""How the wheel is built: whole, or, with VETRINA_WHEEL=server, without what serving does not need."""

from __future__ import annotations

import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Content for trying a site out, the outside service of the connector for tests, the client of the interface.
NOT_OF_A_SERVER = ("demo", "fake_service", "client")


class ServerWheelHook(BuildHookInterface[Any]):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Leave those packages out, where only the server's wheel was asked for."""
        if os.environ.get("VETRINA_WHEEL") == "server" and version != "editable":
            left_out = [f"src/vetrina/{name}" for name in NOT_OF_A_SERVER]
            self.build_config.target_config.setdefault("exclude", []).extend(left_out)
