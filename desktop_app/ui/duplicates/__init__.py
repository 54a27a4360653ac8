"""The merge desk: clusters of probable duplicates with their evidence, for review."""
