"""Names and aliases in Chinese texts."""
