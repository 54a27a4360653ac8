"""The columns of GraphRAG's tables (versions 2 and 3), with the types DuckDB writes them in."""

from __future__ import annotations

_IDS = {"id": "VARCHAR", "human_readable_id": "BIGINT"}
_COMMUNITY = {
    **_IDS,
    "community": "BIGINT",
    "level": "BIGINT",
    "parent": "BIGINT",
    "children": "BIGINT[]",
    "title": "VARCHAR",
}
COLUMNS: dict[str, dict[str, str]] = {
    "entities": {
        **_IDS,
        "title": "VARCHAR",
        "type": "VARCHAR",
        "description": "VARCHAR",
        "text_unit_ids": "VARCHAR[]",
        "frequency": "BIGINT",
        "degree": "BIGINT",
        "x": "DOUBLE",
        "y": "DOUBLE",
    },
    "relationships": {
        **_IDS,
        "source": "VARCHAR",
        "target": "VARCHAR",
        "description": "VARCHAR",
        "weight": "DOUBLE",
        "combined_degree": "BIGINT",
        "text_unit_ids": "VARCHAR[]",
    },
    "communities": {
        **_COMMUNITY,
        "entity_ids": "VARCHAR[]",
        "relationship_ids": "VARCHAR[]",
        "text_unit_ids": "VARCHAR[]",
        "period": "VARCHAR",
        "size": "BIGINT",
    },
    "community_reports": {
        **_COMMUNITY,
        "summary": "VARCHAR",
        "full_content": "VARCHAR",
        "rank": "DOUBLE",
        "rating_explanation": "VARCHAR",
        "findings": "STRUCT(summary VARCHAR, explanation VARCHAR)[]",
        "full_content_json": "VARCHAR",
        "period": "VARCHAR",
        "size": "BIGINT",
    },
    "text_units": {
        **_IDS,
        "text": "VARCHAR",
        "n_tokens": "BIGINT",
        "document_id": "VARCHAR",
        "document_ids": "VARCHAR[]",
        "entity_ids": "VARCHAR[]",
        "relationship_ids": "VARCHAR[]",
        "covariate_ids": "VARCHAR[]",
    },
    "documents": {
        **_IDS,
        "title": "VARCHAR",
        "text": "VARCHAR",
        "text_unit_ids": "VARCHAR[]",
        "creation_date": "VARCHAR",
        "metadata": "VARCHAR",
    },
}
