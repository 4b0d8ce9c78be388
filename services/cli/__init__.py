"""The `tally` command: run the system, play, watch, prove."""
