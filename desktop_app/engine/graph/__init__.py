"""Graph algorithms: entity resolution, duplicates, clustering, layout, personalized PageRank.

Arrays and plain data in and out; knows no database.
"""
