"""File readers, encodings, sentences and chunking: from bytes to text with offsets."""
