"""Golden games of Airship City."""
