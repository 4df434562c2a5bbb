"""The checkout: turning a cart into an order."""
