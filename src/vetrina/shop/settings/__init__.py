"""The settings of the shop, countries, currencies and features."""
