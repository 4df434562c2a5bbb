"""Orders: their items, totals, coupons, notes, statuses and receipts."""
