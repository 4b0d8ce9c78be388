"""Rules: the matches. Decides what is legal, keeps the log of every match, shows and tells it."""
