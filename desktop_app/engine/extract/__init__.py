"""Evidence from text: names and what ties them. Handed text, returns plain data."""
