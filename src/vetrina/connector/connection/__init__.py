"""The connection: registration, tokens, signatures, calls to the service, the heartbeat."""
