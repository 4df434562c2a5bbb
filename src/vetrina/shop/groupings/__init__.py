"""Categories, tags, brands and shipping classes of products."""
