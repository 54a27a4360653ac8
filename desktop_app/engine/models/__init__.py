"""Language and embedding models: what is installed, how it is loaded and asked."""
