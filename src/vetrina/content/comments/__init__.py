"""Comments and notes on records."""
