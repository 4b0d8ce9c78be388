"""The `tally` command, process by process."""
