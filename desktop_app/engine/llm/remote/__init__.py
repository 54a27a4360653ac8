"""Models of an OpenAI-compatible server: its address, HTTP client, chat, embedding, reranking."""
