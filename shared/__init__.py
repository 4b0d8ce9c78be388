"""What several services need: the pure engine and games, and the generic platform."""
