"""Retrieval strategies, one a module; the plain routes by words and vectors are in `retriever.py`.

`personalized_pagerank`: short titled texts. `book_ranking`: passages of long texts.
`graph_routes`: LightRAG's local, global and hybrid modes.
"""
