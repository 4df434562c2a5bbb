"""What a shop has done on its way in: customers, orders, refunds, notes; how it ships, is paid and set up."""
