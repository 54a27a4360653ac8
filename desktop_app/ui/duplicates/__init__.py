"""The merge desk: clusters of names that may be one, with their evidence, to decide on."""
