"""Names and relations of a chunk: by rules and taggers, or by a chat model."""
