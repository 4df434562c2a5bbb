"""Products: reading, listing, creating, updating and deleting them; prices and stock."""
