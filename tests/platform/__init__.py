"""Tests of the platform, against real servers."""
