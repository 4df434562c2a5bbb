"""Taxes: classes, rates and arithmetic."""
