"""Terms of every taxonomy."""
