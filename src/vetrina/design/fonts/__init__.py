"""Font families, their faces and files, and collections to choose from."""
