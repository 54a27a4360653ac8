"""The way back to a library: restoring a backup, recovering a damaged file."""
