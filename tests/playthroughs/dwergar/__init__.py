"""Whole games of Dwergar."""
