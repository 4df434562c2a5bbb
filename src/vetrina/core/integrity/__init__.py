"""What an integrity rule of stored data is, and the rules that belong to no module."""
