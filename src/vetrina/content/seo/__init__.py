"""What search engines and social networks are told of records and terms."""
