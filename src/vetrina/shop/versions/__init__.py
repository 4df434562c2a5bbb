"""The older versions of the shop's interface, derived from the newest."""
