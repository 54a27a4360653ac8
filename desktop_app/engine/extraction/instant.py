"""Extraction for the instant graph: names, relations, aliases and events, without a model.

One pass over the whole document, or over each part of a huge one, decides which strings are
names; then each chunk yields its evidence. The caller passes the sentence splitter. Knows no store
and no graph.
"""

from __future__ import annotations

import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ..model import ChunkEvidence, ChunkSpan, ClaimedEvent, ClaimedRelation, Mention
from ..progress import CancelToken
from ..text_tables import Table, find_table_at, find_tables, separate_rows
from ..word_lists import WordLists
from ..writing_systems import count_han
from .rules.chinese_events import find_chinese_events, simplify
from .rules.english_events import find_english_events
from .rules.latin_tokens import has_english_base_form
from .rules.latin_words import COMMON, TITLES
from .rules.mail_heads import (
    MailHead,
    find_mail_head,
    join_head_sentences,
    merge_mail_people,
    state_who_writes,
)
from .spans import LocatedName, Span, SplitSentences


def find_sentence(sentences: Sequence[Span], offset: int) -> int:
    """Return the index of the sentence that contains the offset, or of the one before it."""
    return max(0, bisect_right(sentences, offset, key=lambda sentence: sentence[0]) - 1)


def distance_divisor(apart: int) -> float:
    """Return the divisor of a relation's weight for names `apart` characters from each other."""
    return 1.0 + apart / 50.0


_SAMPLE_CHARS = _BLOCK = 20_000
# A text of more than the first, some three books of 600 pages, is read in parts of about the
# second: names are decided for each part, and memory does not grow with the text.
_MAX_CHARS, _PART_CHARS = 4_000_000, 1_000_000
_GUESSED_WORD = re.compile(r"(?<![^\W_])[^\W\d_]+(?:['’][^\W\d_]+)*")
# Shorter words are words in many languages (an, de, la, die).
_MIN_LETTERS = 3
# All 31 undetermined sentences of CoNLL04's even half with two such words reach this share (and
# all 38 of the odd half); of 221 undetermined examples of spaCy's in 37 other languages, 1 does.
_ENGLISH_SHARE = 0.6


def guess_language(text: str) -> str:
    """Return "zh", or "en" for a text whose words in lower case are English, else "und"."""
    sample = text[:_SAMPLE_CHARS]
    if count_han(sample) * 3 > len(sample):
        return "zh"
    n_english, n = _count_english(text)
    return "en" if n >= 2 and n_english >= _ENGLISH_SHARE * n else "und"


def may_be_english(text: str) -> bool:
    """Return whether an undetermined text in Latin letters may be English.

    True also for a list of names, which has no words that determine a language.
    """
    n_english, n = _count_english(text)
    n_latin = n_letters = 0
    for at in range(0, len(text), _BLOCK):  # one call for all would hold the GIL
        letters = [char for char in text[at : at + _BLOCK] if char.isalpha()]
        n_latin += sum(map(str.isascii, letters))
        n_letters += len(letters)
    is_latin = n_latin > 0.5 * n_letters
    return is_latin and (n < 2 or n_english >= _ENGLISH_SHARE * n)


def _count_english(text: str) -> tuple[int, int]:
    """Return the number of English lower-case words and of all lower-case words."""
    words = [
        word
        for word in _GUESSED_WORD.findall(text[:_SAMPLE_CHARS])
        if word[0].islower() and len(word) >= _MIN_LETTERS
    ]
    return sum(word in COMMON or has_english_base_form(word) for word in words), len(words)


_IS_A = re.compile(
    r"(?:\s*\([^)]{0,120}\))?,?\s*(?:is|was|are|were|had been|became)\s+"
    r"(?:an?|the|one|his|her|my)\s"
)
_APPOSITION = re.compile(r",\s+(?:an?|the|his|her|their|my|our|who|whose|son|daughter|wife)\s")
_NAMED = re.compile(
    r"(?:named|called|known as|name (?:is|was)|my (?:sister|brother|friend|uncle|nephew|niece|"
    r"clerk|wife|husband|son|daughter|partner),?|introduced(?: \w+)? to)\s+(?:the\s+)?$",
    re.IGNORECASE,
)
_DESCRIBES = re.compile(
    r"\s+(?:lived|lives|died|was born|married|had (?:been )?|loved|is located|located|lies)\b"
)
_ZH_BEFORE = re.compile(
    r"(?:姓[^，。]{1,2}[，,]?(?:双)?[名讳]|名[唤叫曰]做?|名字叫|唤做|唤作|叫做|叫作|表字|绰号|诨名|诨号|人称|"
    r"称为|法名|綽號|諢名|喚做|喚作|人稱|此人是|乃是|便是|正是|就是|姓)$"
)
_ZH_AFTER = re.compile(
    r"^(?:，|,|、|（|\()?(?:是|乃|系|係|为|為|者|生得|身长|身長|年方|年纪|年紀|祖贯|祖貫|原是|本是|姓|绰号|綽號|"
    r"诨名|諢名|表字|字|人称|人稱|江湖上|，[^，。]{0,6}人氏|[^，。]{0,4}人氏|使一|善|爱|愛|自小|自幼|位于|位於)"
)


def score_introduction(
    text: str, start: int, end: int, sentence: tuple[int, int], language: str, *, first: bool
) -> float:
    """Return how well the sentence describes the name at start:end, from 0 to 1.

    Args:
        first: it is the first mention of the name in the document.
    """
    before = text[sentence[0] : start]
    after = text[end : min(sentence[1], end + 140)]
    length = sentence[1] - sentence[0]
    weight = 0.1 + (0.25 if first else 0.0)
    if language == "zh":
        if _ZH_BEFORE.search(before[-8:]):
            weight += 0.4
        if _ZH_AFTER.match(after):
            weight += 0.35
        weight += 0.1 if len(before) < 8 else 0.0
        good_length = 12 <= length <= 120
    else:
        if _IS_A.match(after):
            weight += 0.5
        elif _APPOSITION.match(after):
            weight += 0.3
        elif _DESCRIBES.match(after):
            weight += 0.25
        if _NAMED.search(before[-40:]):
            weight += 0.3
        weight += 0.1 if len(before) < 12 else 0.0
        good_length = 30 <= length <= 320
    return round(min(1.0, weight if good_length else weight * 0.6), 3)


# Names of a sentence up to which all pairs are built; in longer lists each name is paired only
# with the next MAX_FOLLOWING_NAMES.
MAX_FULLY_PAIRED_NAMES = 12
MAX_FOLLOWING_NAMES = 3
_NEIGHBOUR_SHARE = 0.3  # of the weight, for names in adjacent sentences
_MAX_NEIGHBOURS = 4
MAX_KEYWORDS = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LISTS = WordLists("stop_words")
_STOP_WORDS = _LISTS.words("english")
_IRREGULAR = _LISTS.by_word("irregular")
_CHINESE_CONTENT_TAGS = frozenset(("v", "vn", "n", "l", "i", "a", "nz", "b"))
_CHINESE_STOP_WORDS = _LISTS.words("chinese")


_ENDINGS = (
    *(("ies", ("y",)), ("ied", ("y",)), ("ing", ("", "e"))),
    *(("ed", ("", "e")), ("es", ("", "e")), ("s", ("",))),
)


def lemmatise(word: str, known: Collection[str]) -> str:
    """Return the lemma of an English word if the document contains it, else the word."""
    low = word.lower()
    if low in _IRREGULAR:
        return _IRREGULAR[low]
    for ending, replacements in _ENDINGS:
        if not low.endswith(ending) or len(low) - len(ending) < 3:
            continue
        stem = low[: -len(ending)]
        for replacement in replacements:
            if stem + replacement in known:
                return stem + replacement
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in known:
            return stem[:-1]
    return low


def find_pair_keywords(
    between: str, around: str, language: str, known: Collection[str]
) -> tuple[str, ...]:
    """Return up to `MAX_KEYWORDS` keywords of a pair of names.

    Args:
        between: text between the names; its words come first.
        around: text of the sentence.
        known: lower-case words of the document, for lemmas.
    """
    kept: dict[str, None] = {}
    for text in (between, around):
        for word in _iter_chinese(text) if language == "zh" else _iter_latin(text, known):
            if len(kept) == MAX_KEYWORDS:
                return tuple(kept)
            kept.setdefault(word)
        if len(kept) >= 2:
            break
    return tuple(kept)


def _iter_latin(text: str, known: Collection[str]) -> Iterable[str]:
    for match in _WORD.finditer(text):
        if is_content_word(match.group()):
            yield lemmatise(match.group(), known)


def is_content_word(word: str) -> bool:
    """Return whether a word of a Latin text can be a keyword: no name and no function word."""
    low = word.lower()
    if word[0].isupper() or len(low) < 3 or low in _STOP_WORDS:
        return False
    return not ((len(low) < 5 and low in COMMON) or (len(low) < 6 and low.capitalize() in TITLES))


def _iter_chinese(text: str) -> Iterable[str]:
    import rjieba

    for word, kind in rjieba.tag(text):
        if len(word) > 1 and kind in _CHINESE_CONTENT_TAGS and word not in _CHINESE_STOP_WORDS:
            yield word


@dataclass(slots=True)
class _NamePair:
    """One pair of names while a chunk is read; the span is that of its closest occurrence."""

    source: str
    target: str
    weight: float = 0.0
    best: float = 0.0
    span: Span = (0, 0)
    between: Span = (0, 0)


def pair_names(
    text: str,
    groups: Sequence[tuple[Span, Sequence[LocatedName]]],
    language: str,
    known_words: Collection[str],
) -> tuple[ClaimedRelation, ...]:
    """Return one relation for each pair of names that occur in a sentence or in adjacent ones.

    Args:
        groups: sentences of the chunk, in order, each with its located names.
        known_words: lower-case words of the document, for lemmas.
    """
    pairs: dict[frozenset[str], _NamePair] = {}
    before: tuple[Span, Sequence[LocatedName]] | None = None
    for sentence, names in groups:
        reach = len(names) if len(names) <= MAX_FULLY_PAIRED_NAMES else MAX_FOLLOWING_NAMES
        for index, left in enumerate(names):
            for right in names[index + 1 : index + 1 + reach]:
                apart = max(0, right.start - left.end)
                _add_cooccurrence(pairs, left, right, 1.0 / distance_divisor(apart), sentence)
        if before is not None and sentence[0] - before[0][1] < 200:
            for left in before[1][-_MAX_NEIGHBOURS:]:
                for right in names[:_MAX_NEIGHBOURS]:
                    apart = max(0, right.start - left.end)
                    weight = _NEIGHBOUR_SHARE / distance_divisor(apart)
                    _add_cooccurrence(pairs, left, right, weight, (before[0][0], sentence[1]))
        before = (sentence, names)
    relations = []
    for pair in pairs.values():
        between, around = text[slice(*pair.between)], text[slice(*pair.span)]
        words = find_pair_keywords(between, around, language, known_words)
        weight = round(pair.weight, 4)
        relations.append(
            ClaimedRelation(pair.source, pair.target, *pair.span, weight=weight, keywords=words)
        )
    return tuple(relations)


def _add_cooccurrence(
    pairs: dict[frozenset[str], _NamePair],
    left: LocatedName,
    right: LocatedName,
    weight: float,
    span: Span,
) -> None:
    if left.name == right.name:
        return
    key = frozenset((left.name, right.name))
    pair = pairs.setdefault(key, _NamePair(left.name, right.name))
    pair.weight += weight
    if weight > pair.best:
        pair.best = weight
        pair.source, pair.target = left.name, right.name
        pair.span = span
        pair.between = (left.end, right.start)


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


def find_english_alias_pairs(text: str, names: Sequence[LocatedName]) -> list[tuple[str, str]]:
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
    """Result of the pass over the whole document, or over a part of a huge one.

    Attributes:
        known_words: lower-case words of the document, for lemmas.
        aliases: (offset, name, other name), sorted; None if they are found by chunk.
        simplified: a Chinese text with simplified characters.
        borders: 1 at the start of each word of a Chinese text.
        head: that of a letter.
    """

    located: list[LocatedName]
    sentences: list[Span]
    known_words: Collection[str] = ()
    aliases: list[tuple[int, str, str]] | None = None
    simplified: str = ""
    borders: bytearray = field(default_factory=bytearray)
    head: MailHead | None = None


def _locate_names_in_chinese(
    text: str, start: int, end: int, sentences: list[Span], token: CancelToken
) -> _DocumentNames:
    from .rules.chinese_names import (
        build_chinese_names,
        find_chinese_alias_pairs,
        locate_chinese_names,
    )
    from .rules.chinese_tagger import tag_chinese

    tagged, borders = tag_chinese(text, start, end, cancel=token)
    names = build_chinese_names(text, start, end, tagged, borders)
    located = locate_chinese_names(text, start, end, names, borders)
    aliases = find_chinese_alias_pairs(
        text, located, names.nicknames, {name.name for name in located}
    )
    plain = simplify(text, start, end)
    return _DocumentNames(located, sentences, aliases=aliases, simplified=plain, borders=borders)


def _locate_names_in_latin(
    text: str,
    start: int,
    end: int,
    sentences: list[Span],
    language: str,
    token: CancelToken,
    people: Sequence[str],
) -> _DocumentNames:
    from .rules.latin_names import build_names, locate_names, locate_people
    from .rules.latin_tokens import read_words, tag_english

    # The tagger is for English; it is also used for a list of names in an unknown language.
    has_tagger = language == "en" or (language == "und" and may_be_english(text[start:end]))
    tagged = tag_english(text, start, end, cancel=token) if has_tagger else []
    words = read_words(text, start, end, sentences)
    token.check()
    names = build_names(words, tagged, has_tagger=has_tagger)
    located = locate_people(text, (start, end), locate_names(words, names), people)
    return _DocumentNames(located, sentences, known_words=words.n_lower)


def split_into_parts(chunks: Sequence[ChunkSpan]) -> Iterator[Sequence[ChunkSpan]]:
    """Yield the chunks in parts of about equal length; those of all but huge texts in one."""
    n_chars = chunks[-1].end - chunks[0].start
    n_parts = 1 if n_chars <= _MAX_CHARS else -(-n_chars // _PART_CHARS)
    first = 0
    for number in range(1, n_parts + 1):
        end = chunks[0].start + n_chars * number // n_parts
        last = first
        while last < len(chunks) and chunks[last].end <= end:
            last += 1
        if first < last:
            yield chunks[first:last]
        first = last
    if first < len(chunks):
        yield chunks[first:]


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
        body: tuple[int, int] | None = None,
        people: Sequence[str] = (),
    ) -> Iterator[ChunkEvidence]:
        """Yield the evidence of each chunk in order, except those in `skip`.

        The evidence of a chunk does not depend on `skip`. A name in the overlap of two chunks is
        evidence of both.

        Args:
            skip: order numbers of chunks that need no evidence.
            body: start and end of the work in the text; the whole text if None.
            people: whole names that are known to be those of persons: the document's authors.

        Raises:
            Cancelled: between paragraphs or chunks, once the token is set.
        """
        token = cancel or CancelToken()
        if all(chunk.order in skip for chunk in chunks):
            return
        start, end = body or (0, len(text))
        if language == "und":
            language = guess_language(text[start : min(end, start + _SAMPLE_CHARS)])
        for part in split_into_parts(chunks):
            if all(chunk.order in skip for chunk in part):
                continue
            is_whole = len(part) == len(chunks)
            first = start if is_whole else min(max(start, part[0].start), end)
            last = end if is_whole else max(min(end, part[-1].end), first)
            found = self._locate_names(text, first, last, language, token, people)
            starts = [name.start for name in found.located]
            for chunk in part:
                token.check()
                if chunk.order not in skip:
                    yield self._extract_chunk(text, chunk, language, found, starts)
                    time.sleep(0)

    def _locate_names(
        self,
        text: str,
        start: int,
        end: int,
        language: str,
        token: CancelToken,
        people: Sequence[str],
    ) -> _DocumentNames:
        sentences = self._split_body(text, start, end, language, token)
        tables = find_tables(text, start, end)
        if tables:  # no name goes on in the next row
            text = separate_rows(text, tables)
        if language in ("zh", "ja"):
            found = _locate_names_in_chinese(text, start, end, sentences, token)
        else:
            found = _locate_names_in_latin(text, start, end, sentences, language, token, people)
        head = find_mail_head(text, start)
        if head is not None and head.people:
            found = replace(
                found,
                located=merge_mail_people(text, end, head, found.located),
                sentences=join_head_sentences(found.sentences, head),
                head=head,
            )
        if not tables:
            return found
        located = [name for name in found.located if not _is_header_word(text, name, tables)]
        return replace(found, located=located)

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

    def _extract_chunk(
        self, text: str, chunk: ChunkSpan, language: str, found: _DocumentNames, starts: list[int]
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
        if found.head is not None:
            relations = state_who_writes(relations, found.head, (chunk.start, chunk.end))
        aliases: dict[tuple[str, str], None] = {}
        if found.aliases is None:
            for _, names in groups:
                aliases.update(dict.fromkeys(find_english_alias_pairs(text, names)))
        else:
            first = bisect_left(found.aliases, chunk.start, key=lambda pair: pair[0])
            last = bisect_left(found.aliases, chunk.end, key=lambda pair: pair[0])
            aliases.update((pair[1:], None) for pair in found.aliases[first:last])
        return ChunkEvidence(
            chunk.order,
            tuple(mentions),
            relations,
            tuple(aliases),
            events=_find_events(text, chunk, groups, language, found),
        )


def _is_header_word(text: str, name: LocatedName, tables: Sequence[Table]) -> bool:
    """Return whether a single word of a table's header, or of a cell's label, is the person."""
    if name.type != "person" or any(char.isspace() for char in name.name):
        return False
    table = find_table_at(tables, name.start)
    if table is None:
        return False
    is_label = table.is_labelled and text[name.end : name.end + 1].startswith((":", "："))
    return is_label or table.row_at(name.start) < table.n_header


def _find_events(
    text: str,
    chunk: ChunkSpan,
    groups: Sequence[tuple[Span, Sequence[LocatedName]]],
    language: str,
    found: _DocumentNames,
) -> tuple[ClaimedEvent, ...]:
    """Return the events of the sentences with names, as far as these lie in the chunk."""
    events: list[ClaimedEvent] = []
    for (start, end), names in groups:
        span = max(start, chunk.start), min(end, chunk.end)
        if language == "en":
            events += find_english_events(text, span, names)
        elif language == "zh":
            events += find_chinese_events(found.simplified, span, names, found.borders)
    return tuple(events)
