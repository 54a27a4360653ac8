"""Finds a name that a model wrote in the chunk it was written about, verbatim or nearly.

Owns what may differ (case, width, quotes, spaces, hyphens, titles, an article) and the sentences
of a chunk. A name that is not found this way is not in the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from .spans import Span, find_sentence
from .tasks import ChunkTask

SplitSentences = Callable[[str, str], list[Span]]

_SAME = str.maketrans(
    {
        "’": "'", "‘": "'", "‛": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"',
        "»": '"', "「": '"', "」": '"', "『": '"', "』": '"', "《": '"', "》": '"',
        "〈": '"', "〉": '"',
        "•": "·", "・": "·", "‧": "·", "∙": "·", "–": "-", "—": "-", "‐": "-", "‑": "-",
    }
)  # fmt: skip
_LIKE_ENOUGH = 85.0  # per cent of a quote that must be as in the text
_DROPPED = frozenset("\u200b\u200c\u200d\ufeff\u00ad*_")
_ARTICLE = re.compile(r"^(?:the|a|an|le|la|les|der|die|das|el|los) (?=\S)")
_TITLE = re.compile(
    r"^(?:mr|mrs|ms|miss|dr|sir|lady|lord|madam|mme|mlle|monsieur|prof|professor|captain|capt|"
    r"st|saint|uncle|aunt|old|young|poor|little|dear)\.? (?=\S)"
)
_ZH_TITLE = re.compile(
    r"(?<=..)(?:先生|小姐|夫人|太太|女士|大人|将军|將軍|将士|大官人|官人|员外|員外|太尉|教头|教頭|提辖|提轄|"
    r"都头|都頭|头领|頭領|师父|師父|兄弟|哥哥)$"
)
_POSSESSIVE = re.compile(r"'s?$")
_ASIDE = re.compile(r"\s*[(\[].*?[)\]]\s*")
_SENTENCE = re.compile(
    r"\S.*?(?:[。！？]+[”’」』）]*|[.!?…]+[\"”’')\]]*(?=\s|$)|(?=\n\s*\n)|$)", re.DOTALL
)
_PRONOUN_WORDS = (
    "i me my mine myself he him his himself she her hers herself it its itself we us our ours you "
    "your yours they them their theirs themselves who whom this that these those one someone "
    "anybody nobody everybody everyone anyone man woman boy girl people thing "
    "我 你 您 他 她 它 我们 你们 他们 她们 它们 咱 咱们 自己 自家 洒家 小人 俺 俺们 "
    "某 这 那 这个 那个 这人 那人 此人 其人 众人 大家 有人 别人 一人 二人 两个 三人 "
    "那厮 这厮 那汉 那妇人 老儿"
)
_PRONOUNS = frozenset(_PRONOUN_WORDS.split())


def is_pronoun(name: str) -> bool:
    """Say whether a name names nobody by itself: "he", "that man"."""
    return name.strip().casefold() in _PRONOUNS


def is_latin(char: str) -> bool:
    return char.isalnum() and not "\u2e80" <= char <= "\u9fff"


class ChunkText:
    """A chunk's text, made even, with the way back to its own offsets."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._exact, self._places = _even(text)
        self._folded = self._exact.casefold()
        if len(self._folded) != len(self._exact):  # "ß" and its like
            self._folded = "".join(_fold_char(char) for char in self._exact)

    def find(self, name: str) -> list[Span]:
        """Return every place of the name, of the closest way of writing it that is there."""
        even = _even(name)[0].strip(" \"'")
        if not even or is_pronoun(even):
            return []
        if spans := self._find_all(self._exact, even):
            return spans
        for variant in _vary("".join(_fold_char(char) for char in even)):
            if spans := self._find_all(self._folded, variant):
                return spans
        return []

    def find_quote(self, quote: str) -> Span | None:
        """Return where a quoted passage stands, nearly word for word; None if it does not."""
        even = "".join(_fold_char(char) for char in _even(quote)[0]).strip(" \"'.,;。，")
        if len(even) < 4:
            return None
        at, end = self._folded.find(even), 0
        if at < 0:
            from rapidfuzz.fuzz import partial_ratio_alignment

            near = partial_ratio_alignment(even, self._folded, score_cutoff=_LIKE_ENOUGH)
            if near is None or near.dest_end - near.dest_start < len(even) // 2:
                return None
            at, end = near.dest_start, near.dest_end
        end = end or at + len(even)
        return self._places[at], self._places[end - 1] + 1

    def surface(self, span: Span) -> str:
        """Return the name as the text writes it, without line breaks."""
        return " ".join(self.text[span[0] : span[1]].split())

    def _find_all(self, text: str, name: str) -> list[Span]:
        spans: list[Span] = []
        at = text.find(name)
        while at >= 0:
            end = at + len(name)
            starts_word = at == 0 or not (is_latin(text[at - 1]) and is_latin(name[0]))
            ends_word = end == len(text) or not (is_latin(text[end]) and is_latin(name[-1]))
            if starts_word and ends_word:
                spans.append((self._places[at], self._places[end - 1] + 1))
                at = text.find(name, end)
            else:
                at = text.find(name, at + 1)
        return spans


def _even(text: str) -> tuple[str, list[int]]:
    """Return the text with one width, one kind of quote and single spaces, and its offsets."""
    chars: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        if char in _DROPPED:
            continue
        if char.isspace():
            if chars and chars[-1] != " ":
                chars.append(" ")
                places.append(place)
            continue
        if chars and chars[-1] == " " and len(chars) > 1 and _is_wide(char) and _is_wide(chars[-2]):
            chars.pop()
            places.pop()
        for one in unicodedata.normalize("NFKC", char).translate(_SAME):
            chars.append(one)
            places.append(place)
    return "".join(chars), places


def _is_wide(char: str) -> bool:
    return "\u2e80" <= char <= "\u9fff" or "\uff00" <= char <= "\uffef"


def _fold_char(char: str) -> str:
    folded = char.casefold()
    return folded if len(folded) == 1 else char


def _vary(name: str) -> list[str]:
    """Return ways in which the text may write the name, the fullest first."""
    variants = [name]
    for pattern in (_ASIDE, _POSSESSIVE, _ARTICLE, _TITLE, _ZH_TITLE):
        shorter = pattern.sub("", variants[-1]).strip()
        if len(shorter) > 1 and shorter != variants[-1] and not is_pronoun(shorter):
            variants.append(shorter)
    return variants


def find_sentences(task: ChunkTask, split: SplitSentences | None) -> list[Span]:
    """Return the sentences of a chunk in document offsets, those of its mentions as they are."""
    if split is not None:
        return [(task.start + a, task.start + b) for a, b in split(task.text, task.language)]
    end = task.start + len(task.text)
    known = {(m.sentence_start, m.sentence_end) for m in task.mentions}
    known = {(max(a, task.start), min(b, end)) for a, b in known if a < end and b > task.start}
    sentences: list[Span] = []
    at = task.start
    for start, stop in [*sorted(known), (end, end)]:
        if start < at:
            continue
        gap = task.text[at - task.start : start - task.start]
        for match in _SENTENCE.finditer(gap):
            sentences.append((at + match.start(), at + len(gap[: match.end()].rstrip())))
        if stop > start:
            sentences.append((start, stop))
        at = max(at, stop)
    return sentences or [(task.start, end)]


def sentence_of(sentences: Sequence[Span], offset: int) -> int:
    """Return the number of the sentence that holds the offset, or of the one before it."""
    return find_sentence([start for start, _ in sentences], sentences, offset)
