"""What others reach at the same task, measured beside ours in the same run."""
