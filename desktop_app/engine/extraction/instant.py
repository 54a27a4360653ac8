"""The instant graph: names, relations and equal names of a document, without a language model.

Owns the order of the work: one quick pass over the document decides what is a name, then each
chunk gives its evidence. It is handed a sentence splitter and knows no store and no graph.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..model import ChunkEvidence, ChunkSpan, Mention
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from .cooccurrence import pair_names
from .introduction import score_introduction
from .language_guess import guess_language, may_be_english
from .spans import Located, Span, find_sentence

_HOW = (
    r"(?:better|also|usually|sometimes|commonly|formerly|originally|then|now|often|otherwise|"
    r"familiarly|simply|universally|generally|professionally|informally)"
)
_WORDS = (
    rf"(?:(?:{_HOW}\s+)*(?:known|called|nicknamed|surnamed|styled)(?:\s+{_HOW})?|alias|"
    r"a\.k\.a\.|aka|née|nee|born|whose (?:real|full|true) name (?:is|was)|under the name of|"
    r"by the name of|called (?:himself|herself|him|her)|changed (?:his|her) name to|or rather)"
)
_BETWEEN = re.compile(
    r"(?:\s*\([^()]{0,60}\))?,?\s*\(?(?:who\s+)?(?:(?:is|was|were|be|being|been)\s+)?"
    rf"{_WORDS}\s+(?:(?:as|the|The)\s+)*[\"“‘']?|\s\([\"“]",
    re.IGNORECASE,
)


def find_equated(text: str, names: Sequence[Located]) -> list[tuple[str, str]]:
    """Return pairs of different names of one sentence that its words equate, in order."""
    pairs: list[tuple[str, str]] = []
    for left, right in pairwise(names):
        if left.name == right.name or left.type != right.type or right.start - left.end > 60:
            continue
        if _BETWEEN.fullmatch(text[left.end : right.start]):
            pairs.append((left.name, right.name))
    return pairs


SplitSentences = Callable[[str, str], list[tuple[int, int]]]
_BLOCK = 20_000


@dataclass(slots=True)
class _Reading:
    """What the pass over the whole document found."""

    located: list[Located]
    sentences: list[Span]
    known_words: Collection[str] = ()
    equated: list[tuple[int, str, str]] | None = None


class InstantExtractor:
    """Finds names and what ties them, for any document, in seconds.

    Args:
        split_sentences: text and language -> sentence spans of that text.
    """

    def __init__(self, split_sentences: SplitSentences) -> None:
        self._split = split_sentences

    def extract(
        self,
        text: str,
        chunks: Sequence[ChunkSpan],
        language: str,
        *,
        skip: frozenset[int] = frozenset(),
        cancel: CancelToken | None = None,
        on_progress: ProgressCallback | None = None,
        body: tuple[int, int] | None = None,
    ) -> Iterator[ChunkEvidence]:
        """Yield the evidence of each chunk in order, but for those in `skip`.

        The same text gives the same evidence whatever is skipped. A name in the overlap of
        two chunks is evidence of both.

        Raises:
            Cancelled: between paragraphs or chunks, once the token is set.
        """
        report = on_progress or ignore_progress
        token = cancel or CancelToken()
        if all(chunk.order in skip for chunk in chunks):
            return
        start, end = body or (0, len(text))
        language = language if language != "und" else guess_language(text[start:end])
        reading = self._read(text, start, end, language, token, report)
        starts = [name.start for name in reading.located]
        heads = [sentence[0] for sentence in reading.sentences]
        for number, chunk in enumerate(chunks):
            token.check()
            if chunk.order not in skip:
                yield self._read_chunk(text, chunk, language, reading, starts, heads)
                report(Progress("names", done=number + 1, total=len(chunks)))
                time.sleep(0)

    def _read(
        self,
        text: str,
        start: int,
        end: int,
        language: str,
        token: CancelToken,
        report: ProgressCallback,
    ) -> _Reading:
        def on_block(offset: int) -> None:
            token.check()
            report(Progress("reading", done=offset - start, total=end - start))

        sentences = self._split_body(text, start, end, language, token)
        if language in ("zh", "ja"):
            from .rules.chinese.names import read_chinese

            found = read_chinese(text, start, end, on_block=on_block)
            return _Reading(found.located, sentences, equated=found.equated)
        from .rules.latin.names import build_names, locate_names
        from .rules.latin.tokens import is_in_capitals, read_words

        tagged = []
        # There is a tagger for English only; a list of names asks for it in any language.
        has_tagger = language == "en" or (language == "und" and may_be_english(text[start:end]))
        if has_tagger:
            from .rules.latin.tagger import lower_words, tag_english

            shouted = is_in_capitals(text, start, end)
            plain = lower_words(text) if shouted else text
            tagged = tag_english(plain, start, end, on_block=on_block)
        words = read_words(text, start, end, sentences)
        token.check()
        table = build_names(words, tagged, has_tagger=has_tagger)
        return _Reading(locate_names(words, table), sentences, known_words=words.n_lower)

    def _split_body(
        self, text: str, start: int, end: int, language: str, token: CancelToken
    ) -> list[Span]:
        """Split block by block, each cut at a paragraph, so that no call works long."""
        sentences: list[Span] = []
        while start < end:
            token.check()
            stop = min(end, start + _BLOCK)
            if stop < end:
                cut = text.rfind("\n", start + 1, stop)
                blank = text.rfind("\n\n", start + 1, stop)
                stop = blank + 2 if blank > start else cut + 1 if cut > start else stop
            block = text[start:stop]
            sentences += [(start + a, start + b) for a, b in self._split(block, language)]
            start = stop
        return sentences

    def _read_chunk(
        self,
        text: str,
        chunk: ChunkSpan,
        language: str,
        reading: _Reading,
        starts: list[int],
        heads: list[int],
    ) -> ChunkEvidence:
        groups: list[tuple[Span, list[Located]]] = []
        mentions: list[Mention] = []
        for index in range(bisect_left(starts, chunk.start), bisect_left(starts, chunk.end)):
            name = reading.located[index]
            if name.end > chunk.end:
                continue
            number = find_sentence(heads, reading.sentences, name.start)
            sentence = reading.sentences[number]
            sentence = (min(sentence[0], name.start), max(sentence[1], name.end))
            if not groups or groups[-1][0] != sentence:
                groups.append((sentence, []))
            groups[-1][1].append(name)
            weight = score_introduction(
                text, name.start, name.end, sentence, language, first=name.first
            )
            mentions.append(Mention(name.name, name.type, name.start, name.end, *sentence, weight))
        relations = pair_names(text, groups, language, reading.known_words)
        equated: dict[tuple[str, str], None] = {}
        if reading.equated is None:
            for _, names in groups:
                equated.update(dict.fromkeys(find_equated(text, names)))
        else:
            first = bisect_left(reading.equated, chunk.start, key=lambda pair: pair[0])
            last = bisect_left(reading.equated, chunk.end, key=lambda pair: pair[0])
            equated.update((pair[1:], None) for pair in reading.equated[first:last])
        return ChunkEvidence(chunk.order, tuple(mentions), relations, tuple(equated))
