"""Extraction by a chat model, as prompt programs: strategies, parsing and guards."""
