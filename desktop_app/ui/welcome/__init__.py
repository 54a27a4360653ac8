"""The welcome window, shown once before the first library: three short steps that can be skipped."""
