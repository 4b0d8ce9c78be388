"""The game-independent core: pure functions over immutable values. No I/O, no clock, no random."""
