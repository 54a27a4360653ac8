"""The view `tie` of exported databases: each relation from both ends, with its best sentence.

It answers "who is tied most to X, and which sentence says so" with one condition, in PostgreSQL and
in DuckDB.
"""

from __future__ import annotations

TIE_COLUMNS = {
    "entity_id": "",
    "name": "of the entity",
    "story": "title of its story if another entity has the same name",
    "other_id": "",
    "other_name": "of the entity that it is related to",
    "relation_id": "",
    "weight": "",
    "kind": "",
    "direction": "seen from the entity: forward is from it to the other one",
    "sentence": "the best evidence",
    "document": "title",
    "heading": "",
    "page": "",
    "start_char": "",
    "end_char": "",
}


def build_tie_view() -> str:
    """Return the statement that creates the view."""
    return f"""\
CREATE VIEW tie ({", ".join(TIE_COLUMNS)}) AS
SELECT a.id, a.name, a.story, b.id, b.name, r.id, r.weight, r.kind, r.direction,
       s.text, d.title, s.heading, s.page, s.start_char, s.end_char
  FROM (SELECT source_id AS own_id, target_id AS other_id, id, weight, kind, direction,
               best_sentence_id
          FROM relation
        UNION ALL
        SELECT target_id, source_id, id, weight, kind,
               CASE direction WHEN 'forward' THEN 'backward' ELSE direction END, best_sentence_id
          FROM relation) r
  JOIN entity a ON a.id = r.own_id
  JOIN entity b ON b.id = r.other_id
  LEFT JOIN sentence s ON s.id = r.best_sentence_id
  LEFT JOIN document d ON d.id = s.document_id;
"""
