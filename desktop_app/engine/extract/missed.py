"""Words that may be names which the instant graph missed: proposals for a model to judge.

Owns the search for capitalised words within sentences and for Chinese speakers; whether they are
names is asked, never assumed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ..types import Mention
from .tasks import ChunkTask

MOST_MISSED = 4
_CAPITAL_WORD = r"[A-Z][\w’'-]*[a-z][\w’'-]*"
_CAPITALISED = re.compile(
    rf"(?<=[\w,;] ){_CAPITAL_WORD}(?:(?: (?:of|the|de|von|van))? {_CAPITAL_WORD}){{0,3}}"
)
_NO_NAME = re.compile(
    r"(?:I(?:’|')\w+|Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Madam|God|Heaven|Oh|No|Yes|The|This|That|"
    r"January|February|March|April|May|June|July|August|September|October|November|December|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|Chapter|Section|Figure|Table)$"
)
_POSSESSIVE = re.compile(r"[’']s?$")
_SPEAKER_ZH = re.compile(
    r"(?:^|[，。！？；：”」\n\s])"
    r"((?!只|又|便|乃|却|大|遂|因|忙|那|这|众|連|连|即|再|方)[\u4e00-\u9fff]{2,3})"
    r"(?=(?:笑|喝|问|叫|答|骂|哭|怒|叹)?[道曰][：:，“「])"
)
_NOBODY_ZH = re.compile(
    r"[他她我你俺咱人的了着得来去下上里起罢毕声曰说道]|^[一二三四五六七八九十两几]|[笑问喝答叫骂哭怒叹忙告禀]$"
)


def propose_missed(task: ChunkTask, sentences: Sequence[tuple[int, int]]) -> list[Mention]:
    """Return the first mention of each word that may be a name, typed "" (document offsets).

    Args:
        sentences: spans of the chunk's sentences, document offsets, in order.
    """
    taken = [(m.start, m.end) for m in task.mentions]
    known = {m.name.casefold() for m in task.mentions}
    known |= {word for name in known for word in name.split()}
    found: dict[str, Mention] = {}
    for start, end in _iter_candidates(task):
        name = _POSSESSIVE.sub("", task.text[start:end])
        start, end = start + task.start, start + task.start + len(name)
        if name.casefold() in known or name in found or _NO_NAME.match(name):
            continue
        if any(a < end and start < b for a, b in taken):
            continue
        sentence = next((s for s in sentences if s[0] <= start < s[1]), None)
        if sentence is not None:
            found[name] = Mention(name, "", start, end, *sentence)
    return list(found.values())[:MOST_MISSED]


def find_places(
    task: ChunkTask, found: Mention, sentences: Sequence[tuple[int, int]]
) -> list[Mention]:
    """Return every mention in the chunk of a name that was missed, `found` being the first."""
    bounded = rf"(?<![^\W_]){re.escape(found.name)}(?![^\W_])"
    pattern = re.escape(found.name) if task.language in ("zh", "ja") else bounded
    taken = [(m.start, m.end) for m in task.mentions]
    places = [found]
    for match in re.finditer(pattern, task.text):
        start, end = match.start() + task.start, match.end() + task.start
        sentence = next((s for s in sentences if s[0] <= start < s[1]), None)
        is_free = start >= found.end and not any(a < end and start < b for a, b in taken)
        if sentence is not None and is_free:
            places.append(
                replace(
                    found,
                    start=start,
                    end=end,
                    sentence_start=sentence[0],
                    sentence_end=sentence[1],
                )
            )
    return places


def _iter_candidates(task: ChunkTask) -> list[tuple[int, int]]:
    if task.language in ("zh", "ja"):
        spans = [match.span(1) for match in _SPEAKER_ZH.finditer(task.text)]
        return [(a, b) for a, b in spans if not _NOBODY_ZH.search(task.text[a:b])]
    return [match.span() for match in _CAPITALISED.finditer(task.text)]
