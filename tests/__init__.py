"""Tests mirror the source: engine, games, platform, services, end to end."""
