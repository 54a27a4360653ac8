"""Questions to begin with, made from the names of the library without any model.

Owns their wording, English for English names and Chinese for Chinese ones. No Qt here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_app.engine.services.naming import NamedPart
from desktop_app.engine.types import EntityRow

_CJK = re.compile(r"[\u3400-\u9fff]")


def is_chinese(name: str) -> bool:
    """Whether a name is written in Chinese characters."""
    return bool(_CJK.search(name))


def suggest_questions(
    entities: Sequence[EntityRow], limit: int = 4, circles: Sequence[Sequence[str]] = ()
) -> list[str]:
    """Return up to `limit` questions about the most mentioned names, both languages if both are.

    People come first; two names are only tied together if they are of one language. The last
    one is about the first of the `circles`: names that a theme of the library holds together.
    """
    for one, two, three in (names[:3] for names in circles if len(names) > 2):
        if len({is_chinese(name) for name in (one, two, three)}) == 1:
            told = (
                f"{one}、{two}和{three}一起经历了什么？"
                if is_chinese(one)
                else f"What happens between {one}, {two} and {three}?"
            )
            return [*suggest_questions(entities, limit - 1), told]
    by_language: dict[bool, list[EntityRow]] = {False: [], True: []}
    for row in entities:
        by_language[is_chinese(row.name)].append(row)
    pools = [_questions(rows, chinese) for chinese, rows in by_language.items() if rows]
    # the language with the more mentions begins
    pools.sort(key=lambda pool: -pool[0])
    questions: list[str] = []
    lists = [list(pool[1]) for pool in pools]
    while len(questions) < limit and any(lists):
        for pool in lists:
            if pool and len(questions) < limit:
                questions.append(pool.pop(0))
    return questions


def suggest_followups(question: str, named: Sequence[NamedPart], limit: int = 3) -> list[str]:
    """Return what may be asked next: about names of the answer that the question does not have.

    They speak the language of the question, and of names only those written in it.
    """
    chinese = is_chinese(question)
    fitting = [part for part in named if is_chinese(part.name) == chinese]
    asked = [p for p in fitting if p.words in question or p.name in question]
    asked_ids = {p.entity_id for p in asked}
    fresh = list({p.entity_id: p for p in fitting if p.entity_id not in asked_ids}.values())
    people = [p.name for p in fresh if p.type == "person"]
    said: list[str] = []
    if asked and people:
        one, two = asked[0].name, people[0]
        said.append(
            f"{one}和{two}是什么关系？" if chinese else f"How are {one} and {two} connected?"
        )
    elif len(people) > 1:
        one, two = people[:2]
        said.append(
            f"{one}和{two}是什么关系？" if chinese else f"How are {one} and {two} connected?"
        )
    for part in fresh:
        if part.type == "person":
            said.append(f"{part.name}是谁？" if chinese else f"Who is {part.name}?")
        elif part.type == "place":
            said.append(
                f"{part.name}发生了什么事？" if chinese else f"What happens in {part.name}?"
            )
        else:
            said.append(f"{part.name}是什么？" if chinese else f"What is said about {part.name}?")
    if asked and len(said) < limit:
        name = asked[0].name
        if asked[0].type == "person":
            said.append(f"{name}后来怎样了？" if chinese else f"What becomes of {name}?")
        else:
            said.append(f"谁和{name}有关？" if chinese else f"Who has to do with {name}?")
    same = question.strip().casefold()
    return [s for s in dict.fromkeys(said) if s.casefold() != same][:limit]


def _questions(rows: Sequence[EntityRow], chinese: bool) -> tuple[int, list[str]]:
    weight = sum(row.n_mentions for row in rows[:5])
    people = [r.name for r in rows if r.type == "person"]
    things = [r.name for r in rows if r.type in ("organisation", "event", "object", "concept")]
    places = [r.name for r in rows if r.type == "place"]
    said: list[str] = []
    if people:
        said.append(f"{people[0]}是谁？" if chinese else f"Who is {people[0]}?")
    if len(people) > 1:
        one, two = people[:2]
        said.append(
            f"{one}和{two}是什么关系？" if chinese else f"How are {one} and {two} connected?"
        )
    if places:
        said.append(f"{places[0]}发生了什么事？" if chinese else f"What happens in {places[0]}?")
    if things:
        said.append(f"{things[0]}是什么？" if chinese else f"What is said about {things[0]}?")
    for name in people[1:3]:
        said.append(f"{name}做了什么？" if chinese else f"What does {name} do?")
    for row in rows[:2] if not said else ():
        said.append(f"{row.name}是什么？" if chinese else f"What is said about {row.name}?")
    return weight, said
