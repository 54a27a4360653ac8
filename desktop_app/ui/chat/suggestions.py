"""Questions to begin with, made from the names of the library without any model.

Owns their wording, English for English names and Chinese for Chinese ones. No Qt here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from desktop_app.engine.types import EntityRow

_CJK = re.compile(r"[\u3400-\u9fff]")


def is_chinese(name: str) -> bool:
    """Whether a name is written in Chinese characters."""
    return bool(_CJK.search(name))


def suggest_questions(entities: Sequence[EntityRow], limit: int = 4) -> list[str]:
    """Return up to `limit` questions about the most mentioned names, both languages if both are.

    People come first; two names are only tied together if they are of one language.
    """
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
