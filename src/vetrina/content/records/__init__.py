"""Records: creating, updating, listing, publishing and deleting them."""
