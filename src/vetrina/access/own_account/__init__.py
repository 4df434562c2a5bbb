"""One's own account: names, password, mail address, closing it."""
