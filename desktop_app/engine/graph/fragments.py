"""What a model said of one thing in many places, made one description.

Pure text work: which fragments there are, the key their summary is kept under, and the best of
them where there is no summary.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from .evidence import Place

MAX_DESCRIPTION_CHARS = 600
_SAME_SHARE = 0.8
_UNIT = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")


def list_fragments(said: Iterable[tuple[Place, str]]) -> tuple[str, ...]:
    """Return what was said, each once, longest first and earlier before later."""
    first: dict[str, Place] = {}
    for place, text in said:
        text = " ".join(text.split())
        if text and (text not in first or place < first[text]):
            first[text] = place
    return tuple(sorted(first, key=lambda text: (-len(text), first[text], text)))


def hash_fragments(fragments: Sequence[str]) -> str:
    """Return the key of these fragments, whatever their order."""
    return hashlib.sha256("\n".join(sorted(fragments)).encode("utf-8", "replace")).hexdigest()


def describe(fragments: Sequence[str], summaries: Mapping[str, str]) -> str:
    """Return the summary made of exactly these fragments, else the best of them; "" if none."""
    if len(fragments) > 1 and (summary := summaries.get(hash_fragments(fragments))):
        return summary
    return join_best(fragments)


def join_best(fragments: Sequence[str], max_chars: int = MAX_DESCRIPTION_CHARS) -> str:
    """Return as many fragments as fit, in their order, leaving out what was nearly said."""
    kept: list[str] = []
    words_of_kept: list[frozenset[str]] = []
    room = max_chars
    for fragment in fragments:
        if kept and len(fragment) > room:
            continue
        words = frozenset(_UNIT.findall(fragment.casefold()))
        if any(_nearly_same(words, other) for other in words_of_kept):
            continue
        kept.append(fragment[:max_chars])
        words_of_kept.append(words)
        room -= len(fragment) + 1
        if room < 8:
            break
    return "".join(map(_with_joint, kept[:-1])) + kept[-1] if kept else ""


def _with_joint(fragment: str) -> str:
    """Return a fragment with what parts it from the next one."""
    chinese = fragment[-1] > "\u2e80"
    if fragment[-1] in ".!?…。！？\"'”’」』)）":
        return fragment if chinese else fragment + " "
    return fragment + ("；" if chinese else "; ")


def _nearly_same(words: frozenset[str], longer: frozenset[str]) -> bool:
    """Say whether a fragment's words are nearly all in a longer one (Szymkiewicz–Simpson)."""
    return len(words & longer) >= _SAME_SHARE * min(len(words), len(longer))
