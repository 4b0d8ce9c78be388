"""Measurements, one module a subject, each with `run() -> dict`."""
