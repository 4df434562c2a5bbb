"""The HTTP server: bodies, responses, workers, limits, health and metrics; it knows no module."""
