"""The command and the server of tests/cli, for tests of operations."""

from cli.conftest import made, prepared_site, serving, vetrina

__all__ = ["made", "prepared_site", "serving", "vetrina"]
