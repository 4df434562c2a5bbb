"""The fact tables of the reports: rows for each order, refund, line, coupon, tax and customer."""
