"""Nicknames of a Chinese text: strings that stand before one name again and again.

Owns the statistics of 花和尚鲁智深 and 及时雨宋江. The names themselves come from outside.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from . import chinese_words as lists
from .chinese_matching import count_all, has_surname, is_dictionary_word, iter_found

_HAN = re.compile(r"[\u3400-\u9fff·]+")


def find_nicknames(text: str, people: Sequence[str], places: Sequence[str] = ()) -> dict[str, str]:
    """Return nickname -> name for strings that stand before one name again and again."""
    known = set(people)
    clear = {name for name in people if has_surname(name) and len(name) < 4} | set(places)
    before: dict[str, Counter[str]] = defaultdict(Counter)
    full = [n for n in people if n[0] in lists.SURNAMES or n[:2] in lists.DOUBLE_SURNAMES]
    for at, name in iter_found(text, full):
        # A nickname may stand in quotation marks: “黑旋风”李逵.
        at -= text[at - 1 : at] in ("”", '"', "」", "』")
        for length in range(2, 6):
            piece = text[max(0, at - length) : at]
            if len(piece) < length or not _HAN.fullmatch(piece) or piece[0] in lists.FUNCTION:
                if len(piece) < length or not _HAN.fullmatch(piece):
                    break
                continue
            if any(char in lists.FUNCTION for char in piece):
                break
            before[piece][name] += 1
    likely: dict[str, tuple[str, int]] = {}
    for piece, names in before.items():
        name, n = min(names.items(), key=lambda pair: (-pair[1], pair[0]))
        if (
            n >= 3
            and n >= 0.6 * names.total()
            and piece[-1] not in "里裏时時和"
            and piece[0] != "和"
        ):
            likely[piece] = (name, n)
    totals = count_all(text, (*likely, *known))
    result: dict[str, str] = {}
    for piece in sorted(likely, key=len, reverse=True):
        name, n = likely[piece]
        if any(piece.endswith(t) for t in lists.TITLES) and piece not in known:
            continue
        if piece in lists.GENERIC or any(other in piece for other in (name, name[-2:])):
            continue
        alone = n >= 5 and n >= 0.9 * before[piece].total()
        least = 0.12 if alone and len(piece) > 2 else 0.3 if len(piece) > 2 else 0.5
        if n < least * totals[piece] or (len(piece) == 2 and n < 4):
            continue
        # Part of a longer one that is as frequent: 旋风李逵 inside 黑旋风李逵.
        if any(longer.endswith(piece) and n <= 1.4 * likely[longer][1] for longer in result):
            continue
        if any(
            piece[i:j] in clear for i in range(len(piece)) for j in range(i + 2, len(piece) + 1)
        ):
            continue
        # 吩咐八戒 before 沙僧 holds somebody else.
        inner = (piece[i:j] for i in range(len(piece)) for j in range(i + 2, len(piece) + 1))
        if any(x != piece and x in known and totals[x] >= 10 * totals[piece] for x in inner):
            continue
        if is_dictionary_word(piece) and n < 8:
            continue
        if n < 5 and _ends_in_verb(piece):
            continue
        result[piece] = name
    # 小李广 is the nickname, not 寨小李广.
    return {
        piece: name
        for piece, name in result.items()
        if not any(
            piece[cut:] in result and likely[piece[cut:]][1] >= 2 * likely[piece][1]
            for cut in range(1, len(piece) - 1)
        )
    }


def _ends_in_verb(piece: str) -> bool:
    import rjieba

    return rjieba.tag(piece)[-1][1][0] in "vdpcr"
