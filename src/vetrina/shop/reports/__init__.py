"""The legacy sales reports."""
