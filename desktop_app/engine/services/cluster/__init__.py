"""Reads documents and extracts their evidence on a Dask cluster of the user's (docs/CLUSTER.md)."""
