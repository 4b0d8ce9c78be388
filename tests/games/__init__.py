"""The rules of each game, tested chapter by chapter of its rulebook."""
