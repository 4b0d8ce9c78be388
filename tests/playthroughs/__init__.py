"""Golden playthroughs: whole games kept as text, replayed move by move on every test run.

A `.play` file is a header (game, players, options, seed), the moves, one on a line with the seat
before it, and what came of it. `make golden` has the players of `<game>/player.py` play every
header again and rewrites the file; the difference is to be reviewed before it is committed.
"""
