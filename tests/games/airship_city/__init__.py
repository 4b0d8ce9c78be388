"""Airship City: tests written from the rulebook, one a sentence, in its words."""
