"""Pure values and rules: errors, times, money, slugs, keys."""
