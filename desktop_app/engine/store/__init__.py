"""The library file: schema and SQL statements."""
