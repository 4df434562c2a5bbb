"""Routes of the shop that the analytics namespace serves a second time."""
