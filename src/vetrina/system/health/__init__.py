"""Whether a site is healthy, and figures for its operator."""
