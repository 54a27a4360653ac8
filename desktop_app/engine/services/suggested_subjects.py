"""Finds the names and pairs of people of a document that a question can be suggested about.

The type of a name is a guess, and a question repeats it: "Who is JavaScript?". A person or a place
is taken only where the text itself shows that it is one. Knows neither wording nor window.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..graph.namesakes import SPEECH_VERBS, has_speech
from ..model import EntityRow
from ..store import documents, graph
from ..store.db import Db

# Of the 90 most mentioned people of six novels, each has its type in 0.99 of its mentions or more;
# "Javascript" in a manual is a person in 0.52.
_MIN_TYPE_SHARE = 0.9
# In these novels "Diamond" and "Indians" have an article in 0.75 of their mentions or more, an inn
# in 0.46; towns in 0.14 at most, people in 0.04. People who are called by what they are ("the
# Hatter") have one too: they are left out with "Who is Diamond?".
_MAX_ARTICLE_SHARE = 0.3
_BEFORE, _AFTER = 20, 16  # characters that are read beside a mention

_ARTICLE = re.compile(r"\b(?:the|an?) $", re.IGNORECASE)
_ARTICLE_INSIDE = re.compile(r"(?:the|an?) ", re.IGNORECASE)
_VERB_BEFORE = re.compile(rf"\b(?:{SPEECH_VERBS}) $")
# a Chinese verb of speech may have a word of its manner in front, and quotes after it
_VERB_AFTER = re.compile(rf" (?:{SPEECH_VERBS})\b|[^\s，。！？：“”「」]{{0,4}}[说說道曰][：:，“「]")
# What is asked of a place is what happens in it: the text says "in" or "at" of it, too.
_INSIDE = re.compile(r"\b(?:in|at)\s$|[在到至往于於]$", re.IGNORECASE)
_NUMBER_OF_SECTION = re.compile(r"^(?:[\W\d_]|[IVXLC]+\b)+|[\W\d_]+$")


@dataclass(slots=True)
class _Evidence:
    """What the mentions of a name in one document show."""

    n: int = 0
    n_of_type: int = 0
    n_with_article: int = 0
    is_speaker: bool = False
    is_inside: bool = False

    def has_one_kind(self) -> bool:
        """Return whether the type is the same in almost all mentions, without an article."""
        is_typed = self.n_of_type >= _MIN_TYPE_SHARE * self.n
        return is_typed and self.n_with_article <= _MAX_ARTICLE_SHARE * self.n

    def is_certain(self, type_: str, is_story: bool) -> bool:
        if not self.has_one_kind():
            return False
        return self.is_speaker if type_ == "person" else is_story and self.is_inside


def list_subjects(db: Db, document_id: int, limit: int) -> list[EntityRow]:
    """Return the most mentioned names of a document that can be asked about, most first.

    - A person has this type in almost all mentions, has no article before the name, and is named
      beside a verb of speech: people speak, things do not.
    - A place has its type in almost all mentions and no article, and something is in it or happens
      at it. Only in a story does something happen in a place.
    - A name that is the title of several sections ("Overview") is a kind of section, and the title
      of one is no place.
    """
    rows = graph.fetch_entities_of_document(db, document_id, limit)
    judged = {int(row.id): row.type for row in rows if row.type in ("person", "place")}
    text = documents.fetch_text(db, document_id) or ""
    is_story = has_speech(text)
    found = _read_mentions(db, document_id, text, judged)
    titles = Counter(
        _NUMBER_OF_SECTION.sub("", heading.title).casefold()
        for heading in documents.fetch_outline(db, document_id)
    )
    kept = []
    for row in rows:
        n_titles = titles[row.name.casefold()]
        if n_titles > 1 or (n_titles and row.type == "place"):
            continue
        evidence = found.get(row.id)
        if evidence is None or evidence.is_certain(row.type, is_story):
            kept.append(row)
    return kept


def find_called_by_name(
    db: Db, document_id: int, types: Mapping[int, str], *, is_chinese: bool
) -> set[int]:
    """Return those of some entities that a document calls by a name alone, as one kind of thing.

    "Who is Indians?" is no question: the text has "the Indians" almost always. Chinese has no
    article; there, only speaking shows that a name is a person's ("唐僧和元阳是什么关系？").

    Args:
        types: of the entities, by id.
        is_chinese: whether the document is.
    """
    text = documents.fetch_text(db, document_id) or ""
    found = _read_mentions(db, document_id, text, types)
    return {
        entity_id
        for entity_id, one in found.items()
        if one.n
        and one.has_one_kind()
        and (one.is_speaker or not is_chinese or types[entity_id] != "person")
    }


MAX_PEOPLE = 10  # the most mentioned ones, of whom pairs are made
MIN_PASSAGES = 2  # that name both of a pair; one may be a mistake


def list_pairs(
    db: Db, document_id: int, subjects: Sequence[EntityRow]
) -> list[tuple[EntityRow, EntityRow]]:
    """Return pairs of people with the most passages that name both, most first.

    The more often mentioned one is first. Two names that follow each other in the text ("Long John
    Silver" beside "Silver") may be those of one person and are no pair.
    """
    people = [row for row in subjects if row.type == "person"][:MAX_PEOPLE]
    ranks = {int(row.id): rank for rank, row in enumerate(people)}
    text = documents.fetch_text(db, document_id) or ""
    found = []
    for relation in graph.fetch_relations_among(db, list(ranks)):
        first, second = sorted((ranks[int(relation.source_id)], ranks[int(relation.target_id)]))
        one, other = people[first], people[second]
        joined = rf"{re.escape(one.name)}\s*{re.escape(other.name)}"
        swapped = rf"{re.escape(other.name)}\s*{re.escape(one.name)}"
        if relation.n_evidence >= MIN_PASSAGES and not re.search(f"{joined}|{swapped}", text):
            found.append((relation.n_evidence, one, other))
    found.sort(key=lambda pair: -pair[0])
    return [(one, other) for _, one, other in found]


def _read_mentions(
    db: Db, document_id: int, text: str, types: Mapping[int, str]
) -> dict[int, _Evidence]:
    found = {entity_id: _Evidence() for entity_id in types}
    for entity_id, type_, start, end in graph.fetch_typed_mentions(db, document_id, types):
        one = found[entity_id]
        before, after = text[max(0, start - _BEFORE) : start], text[end : end + _AFTER]
        one.n += 1
        one.n_of_type += type_ == types[entity_id]
        one.n_with_article += bool(
            _ARTICLE.search(before) or _ARTICLE_INSIDE.match(text, start, end)
        )
        one.is_speaker = one.is_speaker or bool(
            _VERB_BEFORE.search(before) or _VERB_AFTER.match(after)
        )
        one.is_inside = one.is_inside or bool(_INSIDE.search(before))
    return found
