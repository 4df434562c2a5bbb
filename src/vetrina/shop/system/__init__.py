"""The system status and its tools."""
