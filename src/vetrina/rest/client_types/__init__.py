"""The types of a site for its clients: the schemas of its OpenAPI document as declarations of a language."""
