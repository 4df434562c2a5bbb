"""What the site can do for a program that asks."""
