"""Bots at the table: an ordinary client that answers for bot seats and for seats given up."""
