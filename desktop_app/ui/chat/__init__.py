"""The chat screen: questions about the library, answers with citations."""
