"""The verbs that screens and commands call; joins text, models, extract, graph and store."""
