"""Personal data: a copy for whom it is about, and its erasure."""
