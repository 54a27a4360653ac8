"""Export as RDF in Turtle: schema.org terms for things, Web Annotation and PROV-O for provenance.

A sentence is a part of a document by its offsets and its words (Web Annotation), a mention is an
annotation that identifies an entity there, and a relation is a statement that is derived from its
sentences (PROV-O). The file is written line by line: libraries for RDF hold the whole graph in
memory.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import UUID

from ...model import ACTOR, PATIENT, PLACE
from ...store.document_metadata import fetch_library_id
from .library_tables import TABLE, LibraryTables, Row, clean_text
from .output import write_file

# The terms that no common vocabulary has. The identifier was drawn once at random, because a name
# would need an address that its owner has for ever; it must never change.
VOCABULARY = "urn:uuid:c55431dd-8bf9-4be2-a65b-b67507b01e4a#"
TERMS = {
    "weight": "Strength of a relation or of one piece of evidence.",
    "kind": "Kind of a relation, such as father, or of an event, such as marries.",
    "direction": "Known direction: forward is from the subject to the object, backward the other"
    " way round; both.",
    "confidence": "Confidence of the kind, 0 to 1.",
    "mentions": "Number of places where an entity is named.",
    "relations": "Number of relations of an entity.",
    "documents": "Number of documents that mention an entity.",
    "evidence": "Number of pieces of evidence of a relation.",
    "length": "Length of a text in characters.",
    "edited": "Whether the user changed the entity, the relation or the event.",
    "bestSentence": "The sentence that supports a relation best.",
    "level": "Level of a community, 0 is the coarsest.",
    "rating": "Importance of a community in the library by its report, 0 to 10.",
}
_PREFIXES = {
    "schema": "https://schema.org/",
    "oa": "http://www.w3.org/ns/oa#",
    "prov": "http://www.w3.org/ns/prov#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "dcterms": "http://purl.org/dc/terms/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "ink": VOCABULARY,
}
_CLASSES = {
    "person": "schema:Person",
    "place": "schema:Place",
    "organisation": "schema:Organization",
    "event": "schema:Event",
    "concept": "schema:DefinedTerm",
}
_FIRST_QUESTION = """\
# SELECT ?other ?weight ?words ?title WHERE {
#   ?x schema:name "NAME" .
#   ?r a rdf:Statement ; rdf:subject|rdf:object ?x, ?y ; ink:weight ?weight ;
#      ink:bestSentence ?s .
#   ?y schema:name ?other . FILTER (?x != ?y)
#   ?s oa:hasSource/schema:name ?title ; oa:hasSelector/oa:exact ?words .
# } ORDER BY DESC(?weight) LIMIT 10
"""


def export_turtle(tables: LibraryTables, path: Path) -> None:
    """Write the file."""
    identity = UUID(fetch_library_id(tables.db)).urn
    with write_file(path) as write:
        write("# A library of Inkgraph. A first question, in SPARQL with the prefixes below:\n")
        write(_FIRST_QUESTION)
        for prefix, address in _PREFIXES.items():
            write(f"@prefix {prefix}: <{address}> .\n")
        write(f"@prefix : <{identity}#> .\n\n")
        for term, words in TERMS.items():
            write(build_node(f"ink:{term}", "rdf:Property", {"rdfs:comment": [quote_text(words)]}))
        name = clean_text(tables.db.path.stem)
        write(build_node(f"<{identity}>", "schema:Dataset", {"schema:name": [quote_text(name)]}))
        for table, build in _BUILDERS.items():
            names = [column.name for column in TABLE[table].columns]
            for row in tables.rows(table):
                write(build(dict(zip(names, row, strict=True))))
        methods: dict[tuple[str, str], str] = {}
        place = [TABLE["evidence"].index(name) for name in ("method", "model")]
        for row in tables.rows("evidence"):
            key = row[place[0]], row[place[1]]
            if key not in methods:
                methods[key] = f":method-{len(methods) + 1}"
                write(_build_method(methods[key], *key))
            write(_build_evidence(row, methods[key]))


def build_node(subject: str, class_: str, properties: Mapping[str, list[str]]) -> str:
    """Return the statements about a subject; properties without a value are left out.

    Args:
        subject, class_, properties: in Turtle's notation.
    """
    lines = [f"{subject} a {class_}"]
    lines += [f"    {name} {', '.join(values)}" for name, values in properties.items() if values]
    return " ;\n".join(lines) + " .\n"


# What a literal in one pair of quotes can't contain, and control characters, which some
# programs that show a file take for commands.
_SPECIAL = re.compile('["\\\\\x00-\x1f\x7f-\x9f]')
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quote_text(text: str) -> str:
    escaped = _SPECIAL.sub(lambda m: _ESCAPES.get(m[0]) or f"\\u{ord(m[0]):04X}", text)
    return f'"{escaped}"'


def _texts(*texts: str) -> list[str]:
    """Return literals of the texts that are not empty, each once."""
    return [quote_text(text) for text in dict.fromkeys(texts) if text]


def _real(value: float) -> list[str]:
    return [f'"{value!r}"^^xsd:double']


def _sentence(sentence_id: str) -> str:
    return f":sentence-{sentence_id.replace(':', '-')}"


def _build_document(row: Mapping[str, Any]) -> str:
    number = f"sha256:{row['sha256']}" if row["sha256"] else ""
    doi = f"doi:{row['doi']}" if row["doi"] else ""
    language = row["language"] if row["language"] != "und" else ""
    return build_node(
        f":document-{row['id']}",
        "schema:CreativeWork, prov:Entity",
        {
            "schema:name": _texts(row["title"]),
            "schema:author": _texts(*map(str.strip, row["author"].split(";"))),
            "schema:datePublished": _texts(row["year"]),
            "schema:inLanguage": _texts(language),
            "schema:encodingFormat": _texts(row["format"]),
            "schema:alternateName": _texts(row["file_name"]),
            "schema:identifier": _texts(number, doi),
            "schema:isbn": _texts(row["isbn"]),
            "schema:isPartOf": _texts(row["container"]),
            "schema:publisher": _texts(row["publisher"]),
            "schema:keywords": _texts(*row["tags"]),
            "ink:length": [str(row["n_chars"])],
        },
    )


def _build_entity(row: Mapping[str, Any]) -> str:
    return build_node(
        f":entity-{row['id']}",
        _CLASSES.get(row["type"], "schema:Thing"),
        {
            "schema:name": _texts(row["name"]),
            "schema:alternateName": _texts(*row["other_names"]),
            "schema:description": _texts(row["description"]),
            "schema:disambiguatingDescription": _texts(row["story"]),
            "schema:additionalType": _texts(row["type"]),
            "ink:mentions": [str(row["n_mentions"])],
            "ink:relations": [str(row["n_relations"])],
            "ink:documents": [str(row["n_documents"])],
            "ink:edited": ["true"] if row["is_edited"] else [],
        },
    )


def _build_sentence(row: Mapping[str, Any]) -> str:
    place = _build_position(row["start_char"], row["end_char"])
    words = f"[ a oa:TextQuoteSelector ; oa:exact {quote_text(row['text'])} ]"
    return build_node(
        _sentence(row["id"]),
        "oa:SpecificResource, prov:Entity",
        {
            "oa:hasSource": [f":document-{row['document_id']}"],
            "oa:hasSelector": [place, words],
            "schema:articleSection": _texts(row["heading"]),
            "schema:pagination": _texts(row["page"]),
        },
    )


def _build_position(start: int, end: int) -> str:
    return f"[ a oa:TextPositionSelector ; oa:start {start} ; oa:end {end} ]"


def _build_relation(row: Mapping[str, Any]) -> str:
    ends = f":entity-{row['source_id']}", f":entity-{row['target_id']}"
    best = [_sentence(row["best_sentence_id"])] if row["best_sentence_id"] else []
    return f"{ends[0]} dcterms:relation {ends[1]} .\n" + build_node(
        f":relation-{row['id']}",
        "rdf:Statement, prov:Entity",
        {
            "rdf:subject": [ends[0]],
            "rdf:predicate": ["dcterms:relation"],
            "rdf:object": [ends[1]],
            "ink:weight": _real(row["weight"]),
            "ink:kind": _texts(row["kind"]),
            "ink:direction": _texts(row["direction"]),
            "ink:confidence": _real(row["confidence"]) if row["kind"] else [],
            "schema:keywords": _texts(*row["keywords"]),
            "schema:description": _texts(row["description"]),
            "ink:evidence": [str(row["n_evidence"])],
            "ink:bestSentence": best,
            "ink:edited": ["true"] if row["is_edited"] else [],
        },
    )


def _build_mention(row: Mapping[str, Any]) -> str:
    document_id = row["sentence_id"].partition(":")[0]
    start, end = row["start_char"], row["end_char"]
    target = (
        f"[ a oa:SpecificResource ; oa:hasSource :document-{document_id} ;"
        f" oa:hasScope {_sentence(row['sentence_id'])} ;"
        f" oa:hasSelector {_build_position(start, end)} ]"
    )
    return build_node(
        f":mention-{row['entity_id']}-{document_id}-{start}-{end}",
        "oa:Annotation",
        {
            "oa:motivatedBy": ["oa:identifying"],
            "oa:hasBody": [f":entity-{row['entity_id']}"],
            "oa:hasTarget": [target],
            "schema:name": _texts(row["name"]),
        },
    )


_ROLES = {ACTOR: "schema:agent", PATIENT: "schema:object", PLACE: "schema:location"}


def _build_event(row: Mapping[str, Any]) -> str:
    sentence = _sentence(row["sentence_id"])
    document_id = row["sentence_id"].partition(":")[0]
    target = (
        f"[ a oa:SpecificResource ; oa:hasSource :document-{document_id} ;"
        f" oa:hasScope {sentence} ;"
        f" oa:hasSelector {_build_position(row['start_char'], row['end_char'])} ]"
    )
    return build_node(
        f":event-{row['id']}",
        "schema:Action, prov:Entity",
        {
            "ink:kind": _texts(row["kind"]),
            "prov:wasDerivedFrom": [sentence],
            "oa:hasTarget": [target],
            "ink:edited": ["true"] if row["is_edited"] else [],
        },
    )


def _build_participant(row: Mapping[str, Any]) -> str:
    return f":event-{row['event_id']} {_ROLES[row['role']]} :entity-{row['entity_id']} .\n"


def _build_method(subject: str, method: str, model: str) -> str:
    agent = f"{subject}-agent"
    return build_node(
        subject,
        "prov:Activity",
        {"schema:name": _texts(method), "prov:wasAssociatedWith": [agent]},
    ) + build_node(agent, "prov:SoftwareAgent", {"schema:name": _texts(model or "Inkgraph")})


def _build_evidence(values: Row, method: str) -> str:
    names = (column.name for column in TABLE["evidence"].columns)
    row = dict(zip(names, values, strict=True))
    subject = f":evidence-{row['id']}"
    sentence = _sentence(row["sentence_id"])
    return (
        f":relation-{row['relation_id']} prov:wasDerivedFrom {sentence} ;"
        f" prov:qualifiedDerivation {subject} .\n"
    ) + build_node(
        subject,
        "prov:Derivation",
        {
            "prov:entity": [sentence],
            "prov:hadActivity": [method],
            "ink:weight": _real(row["weight"]),
            "ink:kind": _texts(row["kind"]),
            "ink:direction": _texts(row["direction"]),
            "ink:confidence": _real(row["confidence"]) if row["kind"] else [],
            "schema:keywords": _texts(*row["keywords"]),
            "schema:description": _texts(row["description"]),
        },
    )


def _build_community(row: Mapping[str, Any]) -> str:
    parent = [] if row["parent_id"] is None else [f":community-{row['parent_id']}"]
    return build_node(
        f":community-{row['id']}",
        "schema:Collection",
        {
            "schema:name": _texts(row["title"]),
            "schema:description": _texts(row["summary"]),
            "schema:keywords": _texts(*row["key_words"]),
            "schema:isPartOf": parent,
            "ink:level": [str(row["level"])],
            "ink:rating": _real(row["rating"]),
            "ink:relations": [str(row["n_relations"])],
        },
    )


def _build_member(row: Mapping[str, Any]) -> str:
    return f":community-{row['community_id']} schema:hasPart :entity-{row['entity_id']} .\n"


_BUILDERS = {
    "document": _build_document,
    "entity": _build_entity,
    "sentence": _build_sentence,
    "relation": _build_relation,
    "mention": _build_mention,
    "event": _build_event,
    "participant": _build_participant,
    "community": _build_community,
    "community_member": _build_member,
}
