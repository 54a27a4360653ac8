"""Places a quotation in a longer text and lists how the two differ.

An alignment of words with affine gaps (Gotoh 1982), of the whole quotation with any stretch of
the text. Words that only one side has cost less the longer the gap is, words that share letters
cost little, and an ellipsis in the quotation skips any number of words. Knows no store.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from .folded_words import FoldedWord, fold_words

# Costs, of which a changed letter has UNIT. Whole numbers, so that paths are traced exactly.
UNIT = 100
GAP_COST = 100  # of a gap on either side
OMITTED_COST = 35  # per letter of the text that the quotation lacks
ADDED_COST = 90  # per letter of the quotation that the text lacks
SKIP_COST = 150  # of what an ellipsis skips
SKIPPED_COST = 1  # per letter that an ellipsis skips
FAR = 0.5  # words that differ in more than this share of their letters are other words
_NEVER = 1 << 28

ELLIPSIS = re.compile(
    r"[\[(（【]\s*(?:\.{2,}|…+|⋯+)\s*[\])）】]|(?<!\.)\.{3,}|(?:\.[ \u00a0]){2,}\.|…+|⋯+|\.\.(?!\.)"
)
_SIGNS = re.compile(r"[^\w\s]")
_HYPHENS = frozenset("-‐‑")  # between two words without a space; otherwise they are dashes
_DASHES = re.compile(r"[-‐‑‒–—―−─﹘]+")
# Signs that every edition sets in its own way, and signs of markup; they are not compared.
_TYPOGRAPHY = re.compile("[\"'“”‘’‛„‚«»‹›「」『』﹁﹂﹃﹄〝〞〟｢｣`´*_~#|\u00ad\ufeff\u200b-\u200d]")

PartKind = Literal["same", "omitted", "added", "changed", "skipped"]


@dataclass(frozen=True, slots=True)
class QuotationPart:
    """A stretch of the text and what the quotation has there.

    Attributes:
        kind: "omitted" is in the text only, "added" in the quotation only; "changed" has other
            words on both sides; "skipped" is what an ellipsis stands for.
        start, end: its place in the text; equal where the text has nothing.
        quoted: what the quotation has there; empty unless "added" or "changed".
    """

    kind: PartKind
    start: int
    end: int
    quoted: str = ""


@dataclass(frozen=True, slots=True)
class Alignment:
    """The place of a quotation in a text.

    Attributes:
        start, end: the place, from its first to its last word.
        found: share of the quotation's letters that are there in order, 0 to 1.
        likeness: 1 less the cost of all differences per letter, 0 to 1.
        parts: the place from start to end, divided where it differs.
    """

    start: int
    end: int
    found: float
    likeness: float
    parts: tuple[QuotationPart, ...]

    @property
    def is_exact(self) -> bool:
        """Whether it differs in nothing but what editions set in their own way."""
        return all(part.kind in ("same", "skipped") for part in self.parts)


@dataclass(frozen=True, slots=True)
class _Step:
    """A word of the quotation and a word of the text, -1 for none."""

    quoted: int
    word: int
    is_skipped: bool = False


class _Costs:
    """The costs of the paths through a quotation of M words and a text of N, int32.

    Attributes:
        best: of all paths up to a word of both, (M + 1, N + 1).
        added: of those that end with a word that the text lacks, (M + 1, N + 1).
        letters: number of letters before each word of the text, (N + 1,).
    """

    def __init__(self, mine: list[FoldedWord], theirs: list[FoldedWord]) -> None:
        rows = {key: i for i, key in enumerate(dict.fromkeys(w.key for w in mine))}
        columns = {key: i for i, key in enumerate(dict.fromkeys(w.key for w in theirs))}
        scorer = Levenshtein.normalized_distance
        distances = cdist(list(rows), list(columns), scorer=scorer, dtype=np.float32)
        distances[distances > FAR] = 1.0
        longer = np.maximum.outer([len(key) for key in rows], [len(key) for key in columns])
        self._changed = np.rint(distances * longer * UNIT).astype(np.int32)
        self._mine = [rows[w.key] for w in mine]
        self._theirs = np.array([columns[w.key] for w in theirs])
        lengths = [len(w.key) for w in theirs]
        self.letters = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
        self.best = np.zeros((len(mine) + 1, len(theirs) + 1), dtype=np.int32)
        self.added = np.full(self.best.shape, _NEVER, dtype=np.int32)

    def list_ended(self, row: int) -> np.ndarray:
        """Return the costs of the paths that end with a pair or an added word, (N + 1,)."""
        ended: np.ndarray = self.added[row].copy()
        paired = self.best[row - 1, :-1] + self._changed[self._mine[row - 1]][self._theirs]
        np.minimum(ended[1:], paired, out=ended[1:])
        return ended


class Quotation:
    """A quotation in words; ellipses at its ends are left out."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words: list[FoldedWord] = []
        self._skips: set[int] = set()  # numbers of words that an ellipsis comes before
        position = 0
        for match in ELLIPSIS.finditer(text):
            self.words += fold_words(text[position : match.start()], position)
            self._skips.add(len(self.words))
            position = match.end()
        self.words += fold_words(text[position:], position)
        self._skips -= {0, len(self.words)}
        pairs = pairwise(self.words)
        # A quotation without any punctuation is not compared by it.
        self._has_signs = any(_list_signs(text[a.end : b.start]) for a, b in pairs)
        self.n_letters = sum(len(word.key) for word in self.words)

    @property
    def has_skips(self) -> bool:
        return bool(self._skips)

    def align(self, text: str, offset: int = 0, least: float = 0.0) -> list[Alignment]:
        """Return the places in a text that are like the quotation, in order, none overlapping.

        Args:
            offset: of the text in its document; places count from there.
            least: likeness below which a place is left out.
        """
        found: list[Alignment] = []
        pieces = [fold_words(text, offset)]
        while pieces and self.words:
            words = pieces.pop()
            steps, cost = self._find_path(words)
            steps = self._trim(steps, words)
            places = [step.word for step in steps if step.word >= 0]
            if not places or 1 - cost / (UNIT * self.n_letters) < least:
                continue
            found.append(self._describe(steps, words, text, offset))
            rest = words[: places[0]], words[places[-1] + 1 :]
            pieces += [piece for piece in rest if 2 * len(piece) > len(self.words)]
        return sorted(found, key=lambda one: one.start)

    # --- the path of least cost -------------------------------------------------------------------

    def _find_path(self, words: list[FoldedWord]) -> tuple[list[_Step], int]:
        """Return the steps that cost least, from the first pair to the last, and their cost."""
        if not words:
            return [], 0
        table = _Costs(self.words, words)
        best, added = table.best, table.added
        for row in range(1, len(best)):
            np.minimum(best[row - 1] + GAP_COST, added[row - 1], out=added[row])
            added[row] += ADDED_COST * len(self.words[row - 1].key)
            ended = table.list_ended(row)
            best[row] = ended
            steps = [(table.letters * OMITTED_COST, GAP_COST)]
            if row in self._skips:
                steps.append((table.letters * SKIPPED_COST, SKIP_COST))
            for passed, opened in steps:
                after = np.minimum.accumulate(ended - passed)[:-1] + passed[1:] + opened
                np.minimum(best[row, 1:], after, out=best[row, 1:])
        last = table.list_ended(len(best) - 1)
        column = int(last.argmin())
        return self._trace(table, column), int(last[column])

    def _trace(self, table: _Costs, column: int) -> list[_Step]:
        best, added, letters = table.best, table.added, table.letters
        row = len(best) - 1
        steps: list[_Step] = []
        while row > 0:
            ended = table.list_ended(row)
            if best[row, column] < ended[column]:
                passed = letters[column] - letters[:column]
                costs = ended[:column] + OMITTED_COST * passed + GAP_COST
                skips = ended[:column] + SKIPPED_COST * passed + SKIP_COST
                is_skip = row in self._skips and skips.min() < costs.min()
                if is_skip:
                    costs = skips
                first = column - 1 - int(costs[::-1].argmin())
                steps += [_Step(-1, i, is_skip) for i in range(column - 1, first - 1, -1)]
                column = first
            if ended[column] < added[row, column]:
                steps.append(_Step(row - 1, column - 1))
                row, column = row - 1, column - 1
                continue
            goes_on = True
            while goes_on:
                steps.append(_Step(row - 1, -1))
                row -= 1
                goes_on = added[row, column] < best[row, column] + GAP_COST
        return steps[::-1]

    def _trim(self, steps: list[_Step], words: list[FoldedWord]) -> list[_Step]:
        """Return a path whose place in the text begins and ends with a word like the quoted one."""

        def is_common(step: _Step) -> bool:
            if step.quoted < 0 or step.word < 0:
                return False
            return _count_common(self.words[step.quoted].key, words[step.word].key) > 0

        common = [number for number, step in enumerate(steps) if is_common(step)]
        if not common:
            return []
        inside = range(common[0], common[-1] + 1)
        return [
            step if number in inside else _Step(step.quoted, -1)
            for number, step in enumerate(steps)
            if number in inside or step.quoted >= 0
        ]

    # --- the differences --------------------------------------------------------------------------

    def _describe(
        self, steps: list[_Step], words: list[FoldedWord], text: str, offset: int
    ) -> Alignment:
        parts: list[QuotationPart] = []
        found, cost = 0.0, 0
        for block in _divide(steps, self.words, words):
            mine = [self.words[step.quoted] for step in block if step.quoted >= 0]
            theirs = [words[step.word] for step in block if step.word >= 0]
            if "".join(w.key for w in mine) == "".join(w.key for w in theirs):
                found += sum(len(w.key) for w in mine)
                for part in self._compare_signs(mine, theirs, text, offset):
                    _append(parts, part)
                continue
            found += sum(
                _count_common(self.words[s.quoted].key, words[s.word].key)
                for s in block
                if s.quoted >= 0 and s.word >= 0
            )
            cost += self._count_cost(block, words)
            quoted = self.text[mine[0].start : mine[-1].end] if mine else ""
            end = parts[-1].end if parts else words[_first_word(steps)].start
            start, end = (theirs[0].start, theirs[-1].end) if theirs else (end, end)
            kind: PartKind = "changed" if mine and theirs else "added" if mine else "omitted"
            if block[0].is_skipped:
                kind = "skipped"
            parts.append(QuotationPart(kind, start, end, quoted))
        start = next(part.start for part in parts if part.end > part.start)
        likeness = max(0.0, 1 - cost / (UNIT * self.n_letters))
        return Alignment(start, parts[-1].end, found / self.n_letters, likeness, tuple(parts))

    def _count_cost(self, block: list[_Step], words: list[FoldedWord]) -> int:
        """Return the cost of a run of steps, as its path has it."""
        cost, before = 0, ""
        for step in block:
            mine = self.words[step.quoted].key if step.quoted >= 0 else ""
            theirs = words[step.word].key if step.word >= 0 else ""
            if step.is_skipped:
                cost += SKIPPED_COST * len(theirs)
            elif mine and theirs:
                share = Levenshtein.normalized_distance(mine, theirs)
                share = 1.0 if share > FAR else share
                cost += round(UNIT * share * max(len(mine), len(theirs)))
            else:
                cost += ADDED_COST * len(mine) + OMITTED_COST * len(theirs)
            kind = "pair" if mine and theirs else "added" if mine else "omitted"
            if kind not in ("pair", before):
                cost += SKIP_COST if step.is_skipped else GAP_COST
            before = kind
        return cost

    def _compare_signs(
        self, mine: list[FoldedWord], theirs: list[FoldedWord], text: str, offset: int
    ) -> Iterator[QuotationPart]:
        """Yield the parts of a stretch with the same words, divided where its signs differ."""
        start = theirs[0].start
        if self._has_signs and len(mine) == len(theirs):
            for (a, b), (one, two) in zip(pairwise(mine), pairwise(theirs), strict=True):
                quoted = self.text[a.end : b.start]
                between = text[one.end - offset : two.start - offset]
                if _list_signs(quoted) == _list_signs(between):
                    continue
                yield QuotationPart("same", start, one.end)
                left = one.end + len(between) - len(between.lstrip())
                right = max(left, two.start - (len(between) - len(between.rstrip())))
                quoted = quoted.strip()
                kind: PartKind = "changed" if quoted else "omitted"
                yield QuotationPart("added" if left == right else kind, left, right, quoted)
                start = two.start
        yield QuotationPart("same", start, theirs[-1].end)


def _append(parts: list[QuotationPart], part: QuotationPart) -> None:
    """Add a part; an equal stretch goes on where the last one was equal, too."""
    if parts and parts[-1].kind == part.kind == "same":
        part = QuotationPart("same", parts.pop().start, part.end)
    parts.append(part)


def _first_word(steps: list[_Step]) -> int:
    return next(step.word for step in steps if step.word >= 0)


def _divide(
    steps: list[_Step], mine: list[FoldedWord], theirs: list[FoldedWord]
) -> Iterator[list[_Step]]:
    """Yield runs of steps: pairs of equal words, what an ellipsis skips, and differences."""

    def sort(step: _Step) -> str:
        if step.is_skipped:
            return "skipped"
        is_pair = step.quoted >= 0 and step.word >= 0
        return "same" if is_pair and mine[step.quoted].key == theirs[step.word].key else "other"

    run: list[_Step] = []
    for step in steps:
        if run and sort(run[-1]) != sort(step):
            yield run
            run = []
        run.append(step)
    if run:
        yield run


def _count_common(one: str, two: str) -> float:
    """Return the letters of the first of two paired words that are in the second."""
    distance = Levenshtein.normalized_distance(one, two)
    return len(one) * (1 - distance) if distance <= FAR else 0.0


def _list_signs(between: str) -> list[str]:
    """Return the punctuation between two words, as it is compared."""
    if between.isspace():
        return []
    signs = ELLIPSIS.sub("", _TYPOGRAPHY.sub("", unicodedata.normalize("NFKC", between)))
    if signs in _HYPHENS:
        return []
    return _SIGNS.findall(_DASHES.sub("-", signs).replace("。", "."))
