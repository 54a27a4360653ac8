"""The welcome window, shown once before the first library: three optional steps."""
