"""Links that show one draft, with its revisions and unsaved texts, to whoever has them."""
