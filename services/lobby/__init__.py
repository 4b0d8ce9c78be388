"""Lobby: the games on offer, tables before and after play, who sits where, finding opponents."""
