"""Dwergar: its rulebook as tests."""
