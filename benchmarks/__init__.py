"""What the documents claim, as commands: `python -m benchmarks.NAME`, figures last as JSON."""
