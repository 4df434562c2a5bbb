"""Background jobs as administrators see them over the interface, and the long ones that they start."""
