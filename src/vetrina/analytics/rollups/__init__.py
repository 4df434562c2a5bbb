"""Rollups: stored sums of days and months, valid while none of their rows changes."""
