"""Citations: the [n] marks of an answer are checked against its sources and narrowed.

A mark that points at no source is taken out; each kept mark points at the sentence of its
source that shares most with what the mark stands behind.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence

from ..model import Citation, Passage
from ..text.features import features, language_of

_MARK = re.compile(r"\s?[\[【]\s*(\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*)\s*[\]】]")
_LEADING = re.compile(r"\s*[-*]?\s*[\[【]\s*\d{1,3}\s*[\]】]\s*\S")
_HEAP = re.compile(r"((?:\s*[\[【]\s*\d{1,3}\s*[\]】]){3,})\s*[.。]?\s*$")
_FRONT = re.compile(r"(?:\s*[\[【]\s*\d{1,3}(?:\s*[,，、;]\s*\d{1,3})*\s*[\]】])+")
_CLAUSE_END = re.compile(r"[.!?。！？\n]")

_CJK = re.compile(r"[\u3400-\u9fff]")
_EVERYWHERE = frozenset(
    re.findall(
        r"\w+",
        """
    the and was were his her she they them that this with for from not but had has have who what
    which when where why how did does are its into him their there then been
    """,
    )
)
_NAME = re.compile(r"\b[A-Z]\w*")
LEAST_OWN = 2  # words beyond the question's, before it can be told where they come from
CLEARLY_SHARED = 0.5  # share of a claim's words that its source has when it was taken from there

SplitSentences = Callable[[str, str], list[tuple[int, int]]]


def check_marks(
    text: str,
    passages: Sequence[Passage],
    split_sentences: SplitSentences,
    question: str = "",
) -> tuple[str, tuple[Citation, ...]]:
    """Return the answer with valid marks only, and a citation for each source it names.

    An answer without any valid mark gets those of the sources it shares most with, so that
    a claim never stands without a place.
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
    """Say whether an answer shares anything with its sources beyond what the question says.

    True as well where it can't be told: for very short answers, and between two languages.
    Names don't count: whatever is made up is made up of somebody.
    """
    own = _stems(_NAME.sub(" ", text)) - _stems(question)
    told = _stems(" ".join(p.text for p in passages))
    language = language_of(text)
    same = any(language_of(p.text) == language for p in passages)
    return len(own) < LEAST_OWN or not same or bool(own & told)


def _stems(text: str) -> set[str]:
    """Return the words of a text without their endings, but for the most frequent ones."""
    return {w if _CJK.match(w) else w[:5] for w in features(text) if w not in _EVERYWHERE}


def narrow(
    passage: Passage, claim: str, split_sentences: SplitSentences, question: str = ""
) -> tuple[int, int]:
    """Return the offsets of the sentence that shares most with a claim.

    A word that few sentences of the passage have counts more; one of the question less, for it
    says what was asked and not what was answered. With nothing in common, the passage's best
    window stands.
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
    """Move marks that lead their sentence ("[1] She left.") behind it ("She left [1].")."""
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
    """Give each sentence a mark of its own where the model put a heap of them at the end."""
    heap = _HEAP.search(text)
    if heap is None:
        return text
    numbers = [n for n in map(int, re.findall(r"\d+", heap.group(1))) if n <= len(passages)]
    body = text[: heap.start()].rstrip()
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
    """Give a sentence without a mark that of the one source that it was clearly taken from.

    Only words beyond the question's count: those of the question are in most sources.
    """
    asked = features(question)
    marked, position = "", 0
    for start, end in split_sentences(text, language_of(text)):
        sentence = text[start:end]
        marked += text[position:end]
        position = end
        # A mark in front of a sentence belongs to the sentence before.
        has_mark = _MARK.search(
            sentence[front.end() if (front := _FRONT.match(sentence)) else 0 :]
        ) or _FRONT.match(text, end)
        source = None if has_mark else _only_source(sentence, asked, passages)
        if source is not None:
            stop = marked[-1] if marked[-1] in ".!?。！？" else ""
            marked = f"{marked[: len(marked) - len(stop)]} [{source}]{stop}"
    return marked + text[position:]


def _only_source(claim: str, asked: set[str], passages: Sequence[Passage]) -> int | None:
    """Return the number of the source that alone has most of a claim's own words, or None."""
    own = features(claim) - asked
    if len(own) < LEAST_OWN:
        return None
    shares = [len(own & features(p.text)) / len(own) for p in passages]
    best = max(range(len(shares)), key=lambda i: shares[i])
    others = max((s for i, s in enumerate(shares) if i != best), default=0.0)
    clearly = shares[best] >= CLEARLY_SHARED and others <= 0.5 * shares[best]
    return best + 1 if clearly else None


def _better_source(claim: str, number: int, passages: Sequence[Passage]) -> int:
    """Return the source a claim was clearly taken from, if the mark names another one."""
    if len(features(claim)) < 4:  # too little to tell sources apart
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
_LEAST = 12  # letters or characters; a shorter sentence may well be said twice


class RepetitionDetector:
    """Watches a text while it is written."""

    def __init__(self) -> None:
        self._text = ""
        self._start = 0  # of the sentence under way
        self._said: set[str] = set()
        self.cut: int | None = None  # where the second saying begins, once there is one

    def take(self, piece: str) -> bool:
        """Take a piece; return whether a sentence is there for the second time."""
        searched = len(self._text)
        self._text += piece
        for end in _END.finditer(self._text, searched):
            bare = _NOT_WORDS.sub("", self._text[self._start : end.end()]).casefold()
            if len(bare) >= _LEAST and bare in self._said:
                self.cut = self._start
                return True
            self._said.add(bare)
            self._start = end.end()
        return False
