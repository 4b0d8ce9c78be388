"""The services: thin processes that never import each other."""
