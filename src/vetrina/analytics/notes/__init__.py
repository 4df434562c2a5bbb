"""Notes to the shop's managers."""
