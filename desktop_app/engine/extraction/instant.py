"""Extraction for the instant graph: names, relations and aliases, without a language model.

One pass over the whole document decides which strings are names; then each chunk yields its
evidence. The caller passes the sentence splitter. Knows no store and no graph.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..model import ChunkEvidence, ChunkSpan, Mention
from ..progress import CancelToken, Progress, ProgressCallback, ignore_progress
from .cooccurrence import pair_names
from .introduction import score_introduction
from .language_guess import guess_language, may_be_english
from .spans import LocatedName, Span, SplitSentences, find_sentence

_BLOCK = 20_000
_ADVERB = (
    r"(?:better|also|usually|sometimes|commonly|formerly|originally|then|now|often|otherwise|"
    r"familiarly|simply|universally|generally|professionally|informally)"
)
_ALIAS_PHRASE = (
    rf"(?:(?:{_ADVERB}\s+)*(?:known|called|nicknamed|surnamed|styled)(?:\s+{_ADVERB})?|alias|"
    r"a\.k\.a\.|aka|née|nee|born|whose (?:real|full|true) name (?:is|was)|under the name of|"
    r"by the name of|called (?:himself|herself|him|her)|changed (?:his|her) name to|or rather)"
)
_ALIAS_BETWEEN = re.compile(
    r"(?:\s*\([^()]{0,60}\))?,?\s*\(?(?:who\s+)?(?:(?:is|was|were|be|being|been)\s+)?"
    rf"{_ALIAS_PHRASE}\s+(?:(?:as|the|The)\s+)*[\"“‘']?|\s\([\"“]",
    re.IGNORECASE,
)


def find_alias_pairs(text: str, names: Sequence[LocatedName]) -> list[tuple[str, str]]:
    """Return pairs of names of one sentence that it states to be aliases ("A, also called B")."""
    pairs: list[tuple[str, str]] = []
    for left, right in pairwise(names):
        if left.name == right.name or left.type != right.type or right.start - left.end > 60:
            continue
        if _ALIAS_BETWEEN.fullmatch(text[left.end : right.start]):
            pairs.append((left.name, right.name))
    return pairs


@dataclass(slots=True)
class _DocumentNames:
    """Result of the pass over the whole document.

    Attributes:
        known_words: lower-case words of the document, for lemmas.
        aliases: (offset, name, other name), sorted; None if they are found by chunk.
    """

    located: list[LocatedName]
    sentences: list[Span]
    known_words: Collection[str] = ()
    aliases: list[tuple[int, str, str]] | None = None


class InstantExtractor:
    """Extracts names and relations from a document of any language, in seconds.

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
        """Yield the evidence of each chunk in order, except those in `skip`.

        The evidence of a chunk does not depend on `skip`. A name in the overlap of two chunks is
        evidence of both.

        Args:
            skip: order numbers of chunks that need no evidence.
            body: start and end of the work in the text; the whole text if None.

        Raises:
            Cancelled: between paragraphs or chunks, once the token is set.
        """
        report = on_progress or ignore_progress
        token = cancel or CancelToken()
        if all(chunk.order in skip for chunk in chunks):
            return
        start, end = body or (0, len(text))
        language = language if language != "und" else guess_language(text[start:end])
        found = self._read(text, start, end, language, token, report)
        starts = [name.start for name in found.located]
        for number, chunk in enumerate(chunks):
            token.check()
            if chunk.order not in skip:
                yield self._read_chunk(text, chunk, language, found, starts)
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
    ) -> _DocumentNames:
        def on_block(offset: int) -> None:
            token.check()
            report(Progress("reading", done=offset - start, total=end - start))

        sentences = self._split_body(text, start, end, language, token)
        if language in ("zh", "ja"):
            from .rules.chinese.names import find_chinese_names

            found = find_chinese_names(text, start, end, on_block=on_block)
            return _DocumentNames(found.located, sentences, aliases=found.aliases)
        from .rules.latin.names import build_names, locate_names
        from .rules.latin.tokens import is_in_capitals, read_words

        tagged = []
        # The tagger is for English; it is also used for a list of names in an unknown language.
        has_tagger = language == "en" or (language == "und" and may_be_english(text[start:end]))
        if has_tagger:
            from .rules.latin.tagger import lower_words, tag_english

            in_capitals = is_in_capitals(text, start, end)
            plain = lower_words(text) if in_capitals else text
            tagged = tag_english(plain, start, end, on_block=on_block)
        words = read_words(text, start, end, sentences)
        token.check()
        table = build_names(words, tagged, has_tagger=has_tagger)
        return _DocumentNames(locate_names(words, table), sentences, known_words=words.n_lower)

    def _split_body(
        self, text: str, start: int, end: int, language: str, token: CancelToken
    ) -> list[Span]:
        """Return the sentences, split block by block, so that cancelling takes effect soon."""
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
        found: _DocumentNames,
        starts: list[int],
    ) -> ChunkEvidence:
        groups: list[tuple[Span, list[LocatedName]]] = []
        mentions: list[Mention] = []
        for index in range(bisect_left(starts, chunk.start), bisect_left(starts, chunk.end)):
            name = found.located[index]
            if name.end > chunk.end:
                continue
            number = find_sentence(found.sentences, name.start)
            sentence = found.sentences[number]
            sentence = (min(sentence[0], name.start), max(sentence[1], name.end))
            if not groups or groups[-1][0] != sentence:
                groups.append((sentence, []))
            groups[-1][1].append(name)
            weight = score_introduction(
                text, name.start, name.end, sentence, language, first=name.first
            )
            mentions.append(Mention(name.name, name.type, name.start, name.end, *sentence, weight))
        relations = pair_names(text, groups, language, found.known_words)
        aliases: dict[tuple[str, str], None] = {}
        if found.aliases is None:
            for _, names in groups:
                aliases.update(dict.fromkeys(find_alias_pairs(text, names)))
        else:
            first = bisect_left(found.aliases, chunk.start, key=lambda pair: pair[0])
            last = bisect_left(found.aliases, chunk.end, key=lambda pair: pair[0])
            aliases.update((pair[1:], None) for pair in found.aliases[first:last])
        return ChunkEvidence(chunk.order, tuple(mentions), relations, tuple(aliases))
