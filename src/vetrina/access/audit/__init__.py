"""The audit trail: who did what, from where."""
