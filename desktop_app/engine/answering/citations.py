"""Checks the citation marks [n] of an answer against its sources.

A mark without a source is removed. Each kept mark points to the sentence of its source that
shares most words with the text before the mark.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from ..model import Citation, Passage
from ..scripts import features, has_han, language_of

_MARK = re.compile(r"\s?[\[【]\s*(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*[\]】]")
_LEADING = re.compile(r"\s*[-*]?\s*[\[【]\s*\d{1,3}\s*[\]】]\s*\S")
_MARKS_AT_END = re.compile(r"((?:\s*[\[【]\s*\d{1,3}\s*[\]】]){3,})\s*[.。]?\s*$")
_MARKS_AT_START = re.compile(r"(?:\s*[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】])+")
_CLAUSE_END = re.compile(r"[.!?。！？\n]")

_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
    the and was were his her she they them that this with for from not but had has have who what
    which when where why how did does are its into him their there then been
    """,
    )
)
_NAME = re.compile(r"\b[A-Z]\w*")
MIN_OWN_WORDS = 2  # words that are not in the question, needed to find their source
CLEARLY_SHARED = 0.5  # share of a claim's words that its source must have

SplitSentences = Callable[[str, str], list[tuple[int, int]]]


def check_marks(
    text: str,
    passages: Sequence[Passage],
    split_sentences: SplitSentences,
    question: str = "",
) -> tuple[str, tuple[Citation, ...]]:
    """Return the answer with valid marks only, and a citation for each cited source.

    An answer without a valid mark gets that of the source with most words in common, so that
    an answer always has a citation.
    """
    claims: dict[int, list[str]] = {}
    text = _spread_marks(_marks_behind(text), passages, split_sentences)
    if _MARK.search(text):
        text = _mark_bare_sentences(text, passages, split_sentences, question)

    def keep(match: re.Match[str]) -> str:
        numbers = [int(n) for n in re.findall(r"\d+", match.group(1))]
        claim = _claim_before(text, match.start())
        valid = [n for n in dict.fromkeys(numbers) if 1 <= n <= len(passages)]
        valid = list(dict.fromkeys(_better_source(claim, n, passages) for n in valid))
        for n in valid:
            claims.setdefault(n, []).append(claim)
        return "".join(f" [{n}]" for n in valid)

    checked = _MARK.sub(keep, text).strip()
    if not claims and checked:
        for n in _nearest_sources(checked, passages):
            claims[n] = [checked]
            checked += f" [{n}]"
    citations = []
    for n in sorted(claims):
        passage = passages[n - 1]
        start, end = narrow(passage, " ".join(claims[n]), split_sentences, question)
        citations.append(
            Citation(
                number=n,
                chunk_id=passage.chunk_id,
                document_id=passage.document_id,
                title=passage.title,
                start=start,
                end=end,
                quote=passage.text[start - passage.start : end - passage.start],
                page_label=passage.page_label,
            )
        )
    return checked, tuple(citations)


def is_in_their_words(text: str, passages: Sequence[Passage], question: str = "") -> bool:
    """Return whether an answer shares words with its sources that are not in the question.

    Also true where this cannot be decided: for very short answers, and between two languages.
    Names do not count, because invented statements also use the right names.
    """
    own = _stems(_NAME.sub(" ", text)) - _stems(question)
    source_words = _stems(" ".join(p.text for p in passages))
    language = language_of(text)
    same = any(language_of(p.text) == language for p in passages)
    return len(own) < MIN_OWN_WORDS or not same or bool(own & source_words)


def _stems(text: str) -> set[str]:
    """Return the words of a text without their endings; stop words are left out."""
    return {w if has_han(w[0]) else w[:5] for w in features(text) if w not in _STOP_WORDS}


def narrow(
    passage: Passage, claim: str, split_sentences: SplitSentences, question: str = ""
) -> tuple[int, int]:
    """Return the offsets of the sentence that shares most with a claim.

    Words that few sentences of the passage have count more, and words of the question less.
    Without any common word, the offsets of the passage's best window are returned.
    """
    wanted, asked = features(claim), features(question)
    spans = split_sentences(passage.text, language_of(passage.text))
    own = [features(passage.text[start:end]) for start, end in spans]
    spread = Counter(word for words in own for word in words)
    best, best_score = (passage.best_start, passage.best_end), 0.0
    for (start, end), words in zip(spans, own, strict=True):
        shared = sum((0.3 if w in asked else 1.0) / spread[w] for w in wanted & words)
        score = shared / (6.0 + len(words)) ** 0.5
        inside = passage.best_start <= passage.start + start < passage.best_end
        score *= 1.15 if inside else 1.0
        if score > best_score:
            best, best_score = (passage.start + start, passage.start + end), score
    return best


def _marks_behind(text: str) -> str:
    """Move marks from the start of a sentence ("[1] She left.") to its end ("She left [1].")."""
    if not _LEADING.match(text):
        return text
    lines = []
    for line in text.split("\n"):
        parts = re.split(r"((?:[\[【]\s*\d{1,3}\s*[\]】]\s*)+)", line)
        moved = parts[0]
        for marks, claim in zip(parts[1::2], parts[2::2], strict=True):
            body = claim.rstrip()
            end = body[-1:] if body[-1:] in ".!?。！？" else ""
            moved += f"{body[: len(body) - len(end)]} {marks.strip()}{end} "
        lines.append(moved.strip())
    return "\n".join(lines)


def _spread_marks(text: str, passages: Sequence[Passage], split_sentences: SplitSentences) -> str:
    """Give each sentence its own mark where the model wrote all marks at the end."""
    marks = _MARKS_AT_END.search(text)
    if marks is None:
        return text
    numbers = [n for n in map(int, re.findall(r"\d+", marks.group(1))) if n <= len(passages)]
    body = text[: marks.start()].rstrip()
    spread, position = "", 0
    for start, end in split_sentences(body, language_of(body)):
        sentence = body[start:end]
        scored = [(_shared(sentence, passages[n - 1].text), -n) for n in numbers if n]
        best = max(scored, default=(0.0, 0))
        spread += body[position:end]
        position = end
        if best[0] > 0.0 and not _MARK.search(sentence):
            stop = spread[-1] if spread[-1] in ".!?。！？" else ""
            spread = f"{spread[: len(spread) - len(stop)]} [{-best[1]}]{stop}"
    return spread + body[position:]


def _mark_bare_sentences(
    text: str, passages: Sequence[Passage], split_sentences: SplitSentences, question: str
) -> str:
    """Add a mark to each sentence without one that was clearly taken from one source.

    Words of the question do not count, because most sources have them.
    """
    asked = features(question)
    marked, position = "", 0
    for start, end in split_sentences(text, language_of(text)):
        sentence = text[start:end]
        marked += text[position:end]
        position = end
        # A mark at the start of a sentence belongs to the sentence before it.
        has_mark = _MARK.search(
            sentence[front.end() if (front := _MARKS_AT_START.match(sentence)) else 0 :]
        ) or _MARKS_AT_START.match(text, end)
        source = None if has_mark else _only_source(sentence, asked, passages)
        if source is not None:
            stop = marked[-1] if marked[-1] in ".!?。！？" else ""
            marked = f"{marked[: len(marked) - len(stop)]} [{source}]{stop}"
    return marked + text[position:]


def _only_source(claim: str, asked: set[str], passages: Sequence[Passage]) -> int | None:
    """Return the number of the only source with most of a claim's own words, or None."""
    own = features(claim) - asked
    if len(own) < MIN_OWN_WORDS:
        return None
    shares = [len(own & features(p.text)) / len(own) for p in passages]
    best = max(range(len(shares)), key=lambda i: shares[i])
    others = max((s for i, s in enumerate(shares) if i != best), default=0.0)
    clearly = shares[best] >= CLEARLY_SHARED and others <= 0.5 * shares[best]
    return best + 1 if clearly else None


def _better_source(claim: str, number: int, passages: Sequence[Passage]) -> int:
    """Return the number of the source that clearly fits better than the cited one, else that."""
    if len(features(claim)) < 4:  # too few words to compare sources
        return number
    scores = [_shared(claim, p.text) for p in passages]
    best = max(range(len(scores)), key=lambda i: (scores[i], -i))
    clearly = scores[best] >= CLEARLY_SHARED and scores[number - 1] < 0.6 * scores[best]
    return best + 1 if clearly else number


def _shared(claim: str, text: str) -> float:
    wanted = features(claim)
    return len(wanted & features(text)) / (1 + len(wanted))


def _claim_before(text: str, position: int) -> str:
    start = 0
    for match in _CLAUSE_END.finditer(text, 0, max(0, position - 1)):
        start = match.end()
    return text[start:position]


def _nearest_sources(answer: str, passages: Sequence[Passage]) -> list[int]:
    scored = [(_shared(answer, p.text), -n) for n, p in enumerate(passages, start=1)]
    best = max(scored, default=(0.0, 0))
    return [-best[1]] if best[0] >= 0.25 else []


_END = re.compile(r"[.!?。！？\n]")
_NOT_WORDS = re.compile(r"\[\d{1,3}\]|[\W_]+")
_MIN_LENGTH = 12  # letters or characters; shorter sentences may be repeated


class RepetitionDetector:
    """Finds the first repeated sentence of a text that is being generated."""

    def __init__(self) -> None:
        self._text = ""
        self._start = 0  # of the current sentence
        self._seen: set[str] = set()
        self.cut: int | None = None  # offset of the first repeated sentence

    def add(self, piece: str) -> bool:
        """Add a piece of text; return whether a sentence was repeated."""
        searched = len(self._text)
        self._text += piece
        for end in _END.finditer(self._text, searched):
            bare = _NOT_WORDS.sub("", self._text[self._start : end.end()]).casefold()
            if len(bare) >= _MIN_LENGTH and bare in self._seen:
                self.cut = self._start
                return True
            self._seen.add(bare)
            self._start = end.end()
        return False
