"""The catalogue of a shop on its way in: what is sold, for how much, and with which taxes."""
