"""Names in English and other texts in Latin script."""
