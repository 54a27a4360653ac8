"""Pronouns of a follow-up replaced by the one name of the last turn that they can mean.

Knows neither libraries nor models: candidates are the caller's.
"""

from __future__ import annotations

import re

_CJK = re.compile(r"[\u3400-\u9fff]")
_OWNING = re.compile(r"\b(his|hers|their|theirs|its)\b", re.IGNORECASE)
# "her" before a noun owns it; before a preposition or at the end it is the object.
_HER_OWNING = re.compile(
    r"\bher\b(?=\s+(?!(?:to|in|on|at|by|for|from|with|and|or|but|as|when|before|after|so|about"
    r"|into|again|there|then|away|back|up|down|out|off)\b)[a-z])",
    re.IGNORECASE,
)
_MEANT = re.compile(r"\b(he|him|she|her|they|them|it)\b(?!['’])", re.IGNORECASE)
_MEANT_ZH = re.compile(
    r"他们|她们|它们|此人|那个人|这个人|那人|这人|他(?!人)|她|它|其(?!他|它|实|中|余)"
)


def put_in_name(question: str, name: str) -> str:
    """Return the question with its first pronoun replaced; as it was if there is none."""
    if _CJK.search(question):
        return _MEANT_ZH.sub(lambda _: name, question, count=1)
    owning = f"{name}'" if name.endswith("s") else f"{name}'s"
    kinds = ((_OWNING, owning), (_HER_OWNING, owning), (_MEANT, name))
    found = [(m.start(), m.end(), words) for p, words in kinds if (m := p.search(question))]
    if not found:
        return question
    start, end, words = min(found, key=lambda f: f[0])  # the first kind that fits
    return question[:start] + words + question[end:]
