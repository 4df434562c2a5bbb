"""Several writes in one request."""
