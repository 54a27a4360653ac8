"""Retrieval strategies, one a module.

`text_routes`: BM25 and vectors. `walk`: personalized PageRank over titled texts. `books`: passages
of long texts. `graph_routes`: LightRAG's local, global and hybrid modes.
"""
