"""Consumer keys, and requests signed with them."""
