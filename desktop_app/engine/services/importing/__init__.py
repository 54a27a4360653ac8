"""Import of graphs that other programs made: LightRAG, GraphRAG, custom JSON."""
