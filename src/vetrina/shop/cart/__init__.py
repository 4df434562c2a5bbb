"""A visitor's cart: its lines and its totals."""
