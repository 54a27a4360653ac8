"""The library file: schema and every SQL statement."""
