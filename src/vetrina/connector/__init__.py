"""The connector: registration with an outside service, calls of that service, sync, identity."""
