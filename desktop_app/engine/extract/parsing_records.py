"""Gathers records from fields, objects and lists, whatever the order they are written in.

Owns what makes a record sound (names there and different, bounded, a type of the list) and that
a name and a pair stand once. Knows nothing of lines and of delimiters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from .parsing_fields import (
    MAX_DESCRIPTION,
    MAX_NAME,
    clean_field,
    clean_keywords,
    clean_name,
    find_column,
    find_tag,
    find_type,
    read_strength,
)

_RECORD_WORDS = frozenset(["entity", "node", "relation", "relationship", "edge", "实体", "关系"])


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """A name as a model listed it; `type` is of the list asked for, or "other"."""

    name: str
    type: str = "other"
    description: str = ""


@dataclass(frozen=True, slots=True)
class RelationRecord:
    """Two different names as a model tied them; `strength` 0 to 10."""

    source: str
    target: str
    keywords: tuple[str, ...] = ()
    description: str = ""
    strength: float = 5.0


@dataclass(frozen=True, slots=True)
class Records:
    """What could be read; `refused` counts what could not, by reason."""

    entities: tuple[EntityRecord, ...] = ()
    relations: tuple[RelationRecord, ...] = ()
    refused: Counter[str] = field(default_factory=Counter)


class RecordTable:
    """The records of one text so far."""

    def __init__(self, types: Sequence[str]) -> None:
        self._types = types
        self._entities: dict[str, EntityRecord] = {}
        self._relations: list[RelationRecord] = []
        self._refused: Counter[str] = Counter()

    def refuse(self, reason: str) -> None:
        self._refused[reason] += 1

    def add(self, tag: str, fields: list[str]) -> None:
        if tag == "entity":
            self._add_entity(fields)
        else:
            self._add_relation(fields)

    def _add_entity(self, fields: list[str]) -> None:
        kinds = [find_type(part, self._types) for part in fields[:3]]
        at = next((i for i in (1, 0, 2) if i < len(kinds) and kinds[i]), -1)
        texts = [part for i, part in enumerate(fields) if i != at]
        if at < 0 and len(texts) > 2:  # a type that nobody asked for
            texts.pop(1)
        if at == 0 and not texts:
            texts = fields
        name = clean_name(texts[0]) if texts else ""
        description = ", ".join(part for part in texts[1:] if part)
        kind = kinds[at] if at >= 0 else ""
        self._keep_entity(name, kind, description, texts[0] if texts else "")

    def _keep_entity(self, name: str, kind: str, description: str, raw: object) -> None:
        if not name:
            self._refused["name too long" if len(str(raw)) > MAX_NAME else "no name"] += 1
            return
        description = clean_field(description)
        known = self._entities.get(name.casefold())
        if known is None:
            self._entities[name.casefold()] = EntityRecord(name, kind or "other", description)
            return
        self._refused["repeated"] += 1
        self._entities[name.casefold()] = EntityRecord(
            known.name,
            known.type if known.type != "other" else kind or "other",
            max(known.description, description, key=len),
        )

    def _add_relation(self, fields: list[str]) -> None:
        numbers = [(i, read_strength(part)) for i, part in enumerate(fields) if i >= 2]
        at, strength = next(((i, n) for i, n in reversed(numbers) if n is not None), (-1, None))
        texts = [clean_field(part) for i, part in enumerate(fields[2:], 2) if i != at]
        texts = [part for part in texts if part]
        words, description = "", ""
        if len(texts) == 1:
            words, description = ("", texts[0]) if _is_sentence(texts[0]) else (texts[0], "")
        elif texts:
            words, description = texts[0], max(texts[1:], key=len)
            if _is_sentence(words) and not _is_sentence(description):
                words, description = description, words
        self._keep_relation(fields[:2], words, description, strength)

    def _keep_relation(
        self, ends: Sequence[object], words: object, description: str, strength: float | None
    ) -> None:
        names = [clean_name(end) for end in ends]
        if len(names) < 2 or not all(names):
            self._refused["a name is missing"] += 1
            return
        self._relations.append(
            RelationRecord(
                names[0],
                names[1],
                clean_keywords(words),
                clean_field(description, MAX_DESCRIPTION),
                5.0 if strength is None else strength,
            )
        )

    def add_untagged(self, fields: list[str]) -> None:
        """Take a record that does not say which it is: a type in second place tells."""
        if len(fields) <= 4 and any(find_type(part, self._types) for part in fields[1:2]):
            self._add_entity(fields)
        elif len(fields) >= 3:
            self._add_relation(fields)
        else:
            self.refuse("no record")

    # --- JSON ----------------------------------------------------------------------------------

    def add_object(self, pairs: dict[str, Any], key: str) -> None:
        roles: dict[str, Any] = {}
        for name, value in pairs.items():
            role = name if name in ("source", "target") else find_column(name)
            if role == "type" and str(value).casefold() in _RECORD_WORDS:
                continue
            if role and (not isinstance(value, dict | list) or role == "keywords"):
                if role in roles and role == "name" and "source" not in roles:
                    role = "keywords"
                roles.setdefault(role, value)
        if "target" in roles and "source" not in roles and "name" in roles:
            roles["source"] = roles.pop("name")
        words = roles.get("keywords", "")
        if "source" in roles and "target" in roles:
            if not words and isinstance(roles.get("type"), str):
                words = roles["type"]
            strength = read_strength(roles.get("strength"))
            ends = (roles["source"], roles["target"])
            self._keep_relation(ends, words, str(roles.get("description") or ""), strength)
            return
        if "name" not in roles and key and {"type", "description"} & roles.keys():
            roles["name"] = key
        if isinstance(words, str) and words:  # "label" of a node: its name or its type
            roles.setdefault("name" if "type" in roles else "type", words)
        if "name" in roles:
            kind = find_type(roles.get("type") or "", self._types)
            self._keep_entity(
                clean_name(roles["name"]), kind, str(roles.get("description") or ""), roles["name"]
            )

    def add_list(self, values: list[str], key: str) -> None:
        tag = find_tag(values[0])
        if tag in ("entity", "relation") and len(values) > 1:
            self.add(tag, values[1:])
        elif find_tag(key) == "entity":
            for name in values:
                self._keep_entity(clean_name(name), "", "", name)
        elif len(values) >= 3 and find_tag(key) != "claim" and not find_column(key):
            self.add_untagged(values)

    # --- the end -------------------------------------------------------------------------------

    def finish(self) -> Records:
        relations: dict[frozenset[str], RelationRecord] = {}
        for relation in self._relations:
            relation = self._turn_triple(relation)
            pair = frozenset((relation.source.casefold(), relation.target.casefold()))
            if len(pair) < 2:
                self._refused["same name twice"] += 1
            elif pair in relations:
                self._refused["repeated"] += 1
            else:
                relations[pair] = relation
        return Records(tuple(self._entities.values()), tuple(relations.values()), self._refused)

    def _turn_triple(self, relation: RelationRecord) -> RelationRecord:
        """`A | employs | B` is a fact in the order of speech: the middle is no name."""
        middle = relation.target
        if middle.casefold() in self._entities or len(relation.keywords) > 1:
            return relation
        texts = [*relation.keywords, relation.description]
        names = [clean_name(text) for text in texts]
        last = next((name for name in names if name.casefold() in self._entities), "")
        is_triple = len(relation.keywords) == 1 and middle[:1].islower()
        if not last and not (is_triple and relation.keywords[0][:1].isupper()):
            return relation
        last = last or relation.keywords[0]
        description = "" if clean_name(relation.description) == last else relation.description
        return replace(relation, target=last, keywords=(middle,), description=description)


def _is_sentence(text: str) -> bool:
    """Say whether a field is what is said of two names, not the words that tie them."""
    n_wide = sum("\u4e00" <= char <= "\u9fff" for char in text)
    is_list = any(mark in text for mark in ",，、")
    return (
        text[-1:] in ".。!！"
        or len(text) > 40
        or (not is_list and text.count(" ") > 2)
        or n_wide > 8
    )
