"""The shape of the repository itself: who may import whom, and what must never be in it."""
