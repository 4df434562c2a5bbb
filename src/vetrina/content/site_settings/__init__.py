"""The settings of the site: title, time zone, reading and writing."""
