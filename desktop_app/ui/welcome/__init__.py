"""What is shown once, before the first library: three short steps, all of them skippable."""
