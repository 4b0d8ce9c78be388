"""Servers that run out of an installed wheel, on loopback, for as long as their starter."""
