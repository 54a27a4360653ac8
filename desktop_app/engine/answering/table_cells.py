"""States the cell of a table that a question names by its row and its column, without a model.

A small model often reads rows wrongly, and a quoted row leaves it to the reader to find the column.
A cell is stated only where nothing is left to guess: a row is named by its own cells, a column by
its header, and every other word of the question stands in the title of the table or asks for
nothing in particular. Where several rows of one column fit alike, all of them are given; in every
other case nothing is stated. Works on texts and questions only; `pipeline` decides when to ask.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise

from ..model import Answer, RetrievalResult
from ..store.db import Db
from ..text.folded_words import fold_letters
from ..text_tables import Grid, GridRow, Span, is_number, is_year
from ..word_lists import WordLists
from ..writing_systems import HAN, has_han
from .citations import escape_markdown, escape_within_line
from .claims import AnswerClaim, state_claims
from .column_wordings import is_done_by, list_phrases, list_superlatives
from .named_tables import NamedTable, load_tables

MOST_TOKENS = 80  # of a question; a longer one tells more than a row and a column
MOST_FITTING = 4  # cells that are given together
MOST_CELLS = 30  # of a row that is given as a whole
MOST_NAME_CHARS = 100  # of a cell that names its row; longer ones are texts
_SHORT_NUMBER = 3  # digits of a number that is a name only below the words of its header
_TOKEN = re.compile(rf"[{HAN}]|\d+(?:[.,]\d+)*|[^\W\d_{HAN}]+")
_PART = re.compile(rf"(?:1[5-9]|20)\d\d年?|[{HAN}]+|\d+(?:[.,]\d+)*|[^\W\d_{HAN}]+")
_POSSESSIVE = re.compile(r"['’]s\b")
_BRACKETS = re.compile(r"\s*(?:\(([^()]*)\)|（([^（）]*)）|\[([^\[\]]*)\]|【([^【】]*)】)")
_AFTER_COMMA = re.compile(r"\s*[,，/]\s*([^,，]{1,12})$")
_INVERTED = re.compile(r"([^,，()（）\d]+)[,，]\s*([^,，()（）\d]+)")
_NOTE_NUMBER = re.compile(r"(?<=[^\W\d_]{3})[1-9]$")  # "FPS2" with a small 2
_NOTE_MARKS = re.compile(r"[*†‡§¶#↑↓\u2460-\u2473]+")  # the last are numbers in circles
_MOST_ASIDE = 14  # characters of a unit, a count or a reference in brackets
_UNIT_SIGN = re.compile(r"[^=<>]*[%‰/°€$£¥][^=<>]*")
_YEARS = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")
_EMPTY_VALUE = re.compile(r"[\s\-–—−/.·*?]*|[Nn]/?[Aa]\.?")


@dataclass(frozen=True, slots=True)
class StatedCell:
    """A cell that answers a question.

    Attributes:
        row: the names of its row, as they are printed.
        column: the name of its column without the unit.
        value: as it is printed, with its unit; "" where it is missing or not certain.
        extreme: "highest" or "lowest" where the question asks for such a row.
        n_rows: that were compared for it.
        span: of the cell in the document, of the whole row where this is asked for.
        place: its column.
        labels: the columns that name its row.
        others: the cells behind it, where the whole row is asked for.
    """

    table: NamedTable
    row: tuple[str, ...]
    column: str
    value: str
    span: Span
    place: int
    labels: tuple[int, ...]
    extreme: str = ""
    n_rows: int = 0
    others: tuple[StatedCell, ...] = ()


# --- names -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Token:
    key: str
    stem: str
    start: int
    end: int


@cache
def _words() -> WordLists:
    return WordLists("table_questions")


@lru_cache(maxsize=100_000)
def _fold(word: str) -> str:
    if word[0].isdigit():
        return unicodedata.normalize("NFKC", word).replace(",", "")
    return fold_letters(word)


def _stem(key: str) -> str:
    """Return an English word without the ending of its plural."""
    if len(key) < 4 or not key.isascii() or not key.endswith("s") or key.endswith(("ss", "us")):
        return key
    return f"{key[:-3]}y" if key.endswith("ies") else key[:-1]


def _split(text: str) -> list[_Token]:
    text = _POSSESSIVE.sub(lambda match: " " * len(match.group()), text)
    tokens = []
    for match in _TOKEN.finditer(text):
        if key := _fold(match.group()):
            tokens.append(_Token(key, _stem(key), *match.span()))
    return tokens


def _join(keys: Iterable[str]) -> str:
    """Return words as one: "BERT base" and "BERT-base" are alike, "1 2" and "12" are not."""
    joined = ""
    for key in keys:
        joined += f"·{key}" if joined and joined[-1].isdigit() and key[0].isdigit() else key
    return joined


@lru_cache(maxsize=50_000)
def _join_text(text: str) -> tuple[str, str]:
    tokens = _split(text)
    return _join(t.key for t in tokens), _join(t.stem for t in tokens)


def _split_aside(name: str) -> tuple[str, list[str]]:
    """Return a name without what may be left out of it, and that: units, counts, references."""
    asides: list[str] = []

    def cut(match: re.Match[str]) -> str:
        inside = next((part for part in match.groups() if part is not None), "").strip()
        if len(inside) > _MOST_ASIDE:
            return match.group()
        asides.append(inside)
        return " "

    core = _NOTE_MARKS.sub("", _BRACKETS.sub(cut, name)).strip()
    after = _AFTER_COMMA.search(core)
    if after is not None and (" " not in after[1] or after[1][-1:] == "%"):
        asides.append(after[1].strip())
        core = core[: after.start()].strip()
    return (core, asides) if any(char.isalnum() for char in core) else (name, [])


@lru_cache(maxsize=50_000)
def _list_forms(name: str) -> tuple[str, ...]:
    """Return the forms of a name that a question may have, longest first."""
    core, _ = _split_aside(name)
    forms = [name, core, _NOTE_NUMBER.sub("", core)]
    if inverted := _INVERTED.fullmatch(name):
        forms.append(f"{inverted[2]} {inverted[1]}")  # "Korea, Republic of", "Smith, John"
    if is_year(core) and (year := _YEARS.search(core)):
        forms.append(year[0])  # "2024E", "FY2024"
    if has_han(core):
        for ending in _words().in_order("chinese_places"):
            if core.endswith(ending) and len(core) >= len(ending) + 2:
                forms.append(core.removesuffix(ending))
                break
    return tuple(dict.fromkeys(form for form in forms if form))


# --- the question ----------------------------------------------------------------------------


class _Question:
    """The words of a question, and where names stand in it."""

    def __init__(self, text: str) -> None:
        self.text = unicodedata.normalize("NFKC", text).strip()
        self.tokens = _split(self.text)
        self._places: dict[str, list[Span]] = {}
        if len(self.tokens) > MOST_TOKENS:
            return  # no question for a cell, and its pairs of words could be millions
        keys, stems = [t.key for t in self.tokens], [t.stem for t in self.tokens]
        for first in range(len(self.tokens)):
            for last in range(first + 1, len(self.tokens) + 1):
                for joined in {_join(keys[first:last]), _join(stems[first:last])}:
                    self._places.setdefault(joined, []).append((first, last))

    def find(self, name: str) -> list[Span]:
        """Return the places of the longest form of a name, as ranges of words."""
        for form in _list_forms(name):
            for joined in dict.fromkeys(_join_text(form)):
                if joined and joined in self._places:
                    return self._places[joined]
        return []

    def find_parts(self, name: str) -> list[list[Span]]:
        """Return the places of each part of a name, in any order; none if one is missing.

        A name that stands in the question as a whole has one part.
        """
        if whole := self.find(name):
            return [whole]
        core, _ = _split_aside(name)
        parts = [p for p in _PART.findall(core) if _fold(p) not in _function_words()]
        found: list[list[Span]] = []
        for part in parts:
            places = next((self._places[j] for j in _join_text(part) if j in self._places), None)
            if places is None and part.endswith("年"):
                places = self._places.get(part[:-1])
            if places is None:
                return []
            found.append(places)
        return found if len(parts) > 1 else []

    def find_wording(self, name: str) -> list[Span]:
        """Return the places of everyday words that ask for a column: "how old" for "Age"."""
        core, _ = _split_aside(name)
        found = [
            span
            for phrase in list_phrases(core)
            for span in self._places.get(_join_text(phrase)[0], ())
        ]
        keys, own = [t.key for t in self.tokens], [t.key for t in _split(core)]
        found += [
            (place, place + 1)
            for place in range(1, len(keys))
            if keys[place - 1] == "who" and is_done_by(keys[place], own)
        ]
        return found

    def find_superlative(self, name: str, extreme: str) -> list[Span]:
        """Return the places of words such as "deepest", which ask for a row and for "Depth"."""
        core, _ = _split_aside(name)
        joined = (_join_text(word)[0] for word in list_superlatives(core, extreme))
        return [span for one in joined for span in self._places.get(one, ())]

    def find_words(self, text: str) -> set[int]:
        """Return the numbers of the words that a text has; of Chinese, two characters and more."""
        known: set[str] = set()
        for part in _PART.findall(_POSSESSIVE.sub(" ", unicodedata.normalize("NFKC", text))):
            if has_han(part):
                key = fold_letters(part)
                known |= {key} | {key[i : i + 2] for i in range(len(key) - 1)}
            elif key := _fold(part):
                known |= {key, _stem(key)}
        years = set(_YEARS.findall(text))
        if len(years) > 1:
            known -= years  # the title of a table names the first and the last one
        found = {i for i, t in enumerate(self.tokens) if t.key in known or t.stem in known}
        for i in range(len(self.tokens) - 1):
            if _join((self.tokens[i].key, self.tokens[i + 1].key)) in known:
                found |= {i, i + 1}
        return found

    @cached_property
    def asking(self) -> set[int]:
        """The numbers of the words that ask for nothing in particular.

        "Large" is one of them in "how large", and a part of a name in "BERT large".
        """
        keys = ["", *(t.key for t in self.tokens)]
        how = _words().words("english_how")
        found = {
            i
            for i, (before, key) in enumerate(pairwise(keys))
            if key in _common_words() and (key not in how or before == "how")
        }
        for match in _chinese_phrases().finditer(self.text):
            start, end = match.span()
            found |= {i for i, t in enumerate(self.tokens) if start <= t.start and t.end <= end}
        return found

    @cached_property
    def grammatical(self) -> set[int]:
        """The numbers of the words that ask for nothing, without verbs and nouns in English."""
        keys = {i: self.tokens[i].key for i in self.asking}
        return {i for i, key in keys.items() if has_han(key) or key in _function_words()}

    @cached_property
    def whole(self) -> set[int]:
        """The numbers of the words that ask for everything that a row has; none without "all".

        "All" counts before results and data alone: a column may have this name.
        """
        if {t.key for t in self.tokens} & _words().words("asking_for_one"):
            return set()
        found = {i for span in self._find_all("everything") for i in range(*span)}
        contents = [*self._find_all("english_contents"), *self._find_all("chinese_contents")]
        for start, end in (*self._find_all("english_whole"), *self._find_all("chinese_whole")):
            behind = end
            while behind < len(self.tokens) and self.tokens[behind].key in {"of", "the", "的"}:
                behind += 1
            if any(first == behind for first, _ in contents):
                found |= set(range(start, end))
        return found | {i for span in contents for i in range(*span)} if found else set()

    def _find_all(self, key: str) -> list[Span]:
        """Return the places of the words of a list."""
        joined = (_join_text(word)[0] for word in _words().in_order(key))
        return [span for one in joined for span in self._places.get(one, ())]

    @cached_property
    def is_for_cell(self) -> bool:
        """Whether a cell or row can answer it: it does not ask why, how, or for yes or no."""
        if not 2 <= len(self.tokens) <= MOST_TOKENS:
            return False
        keys = [t.key for t in self.tokens]
        how = _words().words("english_how") | _words().table("how").keys()
        if "how" in keys and not _words().words("english_using").isdisjoint(keys):
            return False  # what somebody has is not what he uses
        for place, key in enumerate(keys):
            if key == "how" and (place + 1 == len(keys) or keys[place + 1] not in how):
                return False
        asks = not _words().words("english_asking").isdisjoint(keys)
        return asks or keys[0] not in _words().words("english_yes_no")

    @cached_property
    def asks_number(self) -> bool:
        """Whether it asks how many there are, which no share in per cent answers."""
        keys = [t.key for t in self.tokens]
        many = ("how", "many") in pairwise(keys)
        return (
            many
            or re.search("多少[人个名家位只件本种项]|几[人个名家位只件本种项]", self.text)
            is not None
        )

    def is_joined(self, spans: Iterable[Span]) -> bool:
        """Return whether two of these ranges of words have "and" between them, or a comma."""
        for (_, end), (start, _) in pairwise(sorted(spans)):
            if end <= start:
                between = self.text[self.tokens[end - 1].end : self.tokens[start].start]
                keys = {t.key for t in _split(between)}
                if keys & _words().words("joining") or re.search("[,，、;；&/]", between):
                    return True
        return False

    def fits_kind(self, value: str) -> bool:
        """Return whether a value is of the kind that is asked for: a number, a time, a name."""
        keys = [t.key for t in self.tokens]
        has_digit = any(char.isdigit() for char in value)
        if not {"who", "whom", "谁"}.isdisjoint(keys):
            return not has_digit
        if "where" in keys or re.search("哪里|哪儿|何处", self.text):
            return not has_digit
        if "when" in keys or re.search("何时|什么时候|哪一?年|几月", self.text):
            return has_digit
        if not {("what", "year"), ("which", "year")}.isdisjoint(pairwise(keys)):
            return _YEARS.search(value) is not None
        counts = "how" in keys or re.search("多少|[有是为]几", self.text) is not None
        return has_digit if counts else True


@lru_cache(maxsize=8)
def _read_question(text: str) -> _Question:
    return _Question(text)


@cache
def _function_words() -> frozenset[str]:
    return _words().words("english_function")


@cache
def _common_words() -> frozenset[str]:
    return _words().words("english_function") | _words().words("english_general")


@cache
def _chinese_phrases() -> re.Pattern[str]:
    longest = sorted(_words().in_order("chinese"), key=len, reverse=True)
    return re.compile(
        "|".join(map(re.escape, longest)) + r"|(?<=\d)年|[上中里](?=的|[,，有是?？]|$)"
    )


# --- tables ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _NamedRow:
    """A row with the cells that the question names: column -> places in the question."""

    row: GridRow
    named: dict[int, list[Span]]


@dataclass(frozen=True, slots=True)
class _NamedColumn:
    """A column that the question names: places of each part of its name.

    `is_everyday` is set where other words than those of its name ask for it.
    """

    parts: list[list[Span]]
    is_everyday: bool = False

    def list_places(self) -> list[Span]:
        return [span for places in self.parts for span in places]


def find_cells(question: str, tables: Sequence[NamedTable]) -> list[StatedCell]:
    """Return the cells that a question asks for: one, several of one column, or none."""
    asked = _read_question(question)
    return _find_asked_cells(asked, tables) if asked.is_for_cell else []


def _find_asked_cells(asked: _Question, tables: Sequence[NamedTable]) -> list[StatedCell]:
    rows = {table.key: list(_find_named_rows(asked, table)) for table in tables}
    longest = _keep_longest(
        span
        for named_rows in rows.values()
        for one in named_rows
        for spans in one.named.values()
        for span in spans
    )
    fits: list[StatedCell] = []
    n_everyday: Counter[tuple[int, int]] = Counter()
    for table in tables:
        columns = _find_named_columns(asked, table)
        heads = {s for one in rows[table.key] for s in one.named.get(0, ()) if s in longest}
        if asked.is_joined(heads):
            continue  # it asks about two rows
        for one in rows[table.key]:
            named = {c: [s for s in spans if s in longest] for c, spans in one.named.items()}
            if not named.get(0):  # what names a row by its first cell is no cell of another one
                named = {c: [s for s in spans if s not in heads] for c, spans in named.items()}
            named = {c: spans for c, spans in named.items() if spans}
            if named:
                own = list(_find_fits(asked, table, _NamedRow(one.row, named), columns))
                n_everyday[table.key] += sum(columns[cell.place].is_everyday for cell in own)
                fits += own
    if n_everyday and max(n_everyday.values()) > 1:
        return []  # "How deep is Kenya?" asks about one thing, which is none of several lakes
    if not fits and asked.whole:
        return _find_asked_rows(asked, tables)
    if not fits:
        fits = [cell for table in tables for cell in _find_extremes(asked, table)]
    return _choose(fits)


def _choose(fits: Sequence[StatedCell]) -> list[StatedCell]:
    """Return the cells of the first table, none if another one, or a row of it, says otherwise.

    A name in two columns has two meanings, such as writer and addressee, so its rows are not
    given together. A cell without a value fits, but says nothing.
    """
    by_table: dict[tuple[int, int], list[StatedCell]] = {}
    for cell in fits:
        by_table.setdefault(cell.table.key, []).append(cell)
    values = {tuple(_fold_value(cell.value) for cell in cells) for cells in by_table.values()}
    places = {(cell.table.key, cell.place, cell.labels) for cell in fits}
    if len(values) != 1 or len(places) != len(by_table):
        return []
    cells = next(iter(by_table.values()))
    if len(cells) > MOST_FITTING or not all(cell.value for cell in cells):
        return []
    if len({cell.row for cell in cells}) < len(cells):
        return [_add_names(cell) for cell in cells]
    return cells


def _add_names(cell: StatedCell) -> StatedCell:
    """Return a cell with the names of its row in all columns, which may tell rows apart."""
    grid, text = cell.table.grid, cell.table.text
    row = next(row for row in grid.rows if _find_span(cell.table, row, cell.place) == cell.span)
    names = [text[slice(*span)] for n, span in enumerate(row.cells) if n != cell.place]
    names = [n for n in names if _can_tell_apart(n)]
    return replace(cell, row=tuple(dict.fromkeys((*names, *cell.row))))


def _can_tell_apart(name: str) -> bool:
    is_text = not (is_number(name) or _is_missing(name))
    return is_text and len(name) <= MOST_NAME_CHARS


def _find_named_rows(asked: _Question, table: NamedTable) -> Iterator[_NamedRow]:
    for row in table.grid.rows:
        named = {}
        for column, span in enumerate(row.cells):
            text = table.text[slice(*span)]
            if not text or len(text) > MOST_NAME_CHARS:
                continue
            if column and is_number(text) and not is_year(text):
                continue
            if places := [p for p in asked.find(text) if _is_name(asked, table, column, p)]:
                named[column] = places
        if named:
            yield _NamedRow(row, named)


def _is_name(asked: _Question, table: NamedTable, column: int, place: Span) -> bool:
    """Return whether words of the question can name a row."""
    keys = [t.key for t in asked.tokens[slice(*place)]]
    if all(key in _common_words() for key in keys):
        return False
    if not all(_is_short_number(key) for key in keys):
        return True
    header = " ".join(table.grid.columns[column])
    return bool(asked.find_words(header))


def _is_short_number(key: str) -> bool:
    return key.isdigit() and len(key) <= _SHORT_NUMBER


def _keep_longest(spans: Iterable[Span]) -> set[Span]:
    """Return the ranges that are not a part of a longer one."""
    every = set(spans)
    return {
        one
        for one in every
        if not any(o != one and o[0] <= one[0] and one[1] <= o[1] for o in every)
    }


def _find_named_columns(asked: _Question, table: NamedTable) -> dict[int, _NamedColumn]:
    """Return the columns that the question names.

    A line of the header that most columns have alike names none of them.
    """
    grid = table.grid
    shared = {
        line
        for line in {line for lines in grid.columns for line in lines}
        if sum(line in lines for lines in grid.columns[1:]) == len(grid.columns) - 1 > 1
    }
    named: dict[int, _NamedColumn] = {}
    for column, lines in enumerate(grid.columns):
        own = [line for line in lines if line not in shared] or list(lines)
        by_name = [asked.find_parts(line) for line in own]
        parts = [
            found or [asked.find_wording(line)] for found, line in zip(by_name, own, strict=True)
        ]
        if parts and all(all(one) for one in parts):
            found = _NamedColumn([p for one in parts for p in one], not all(by_name))
            words = {i for span in found.list_places() for i in range(*span)}
            keys = [asked.tokens[i].key for i in words]
            is_number_only = len(own) == 1 and all(_is_short_number(key) for key in keys)
            is_named = found.is_everyday or any(key not in _function_words() for key in keys)
            if is_named and not is_number_only:
                named[column] = found
    longest = _keep_longest(span for found in named.values() for span in found.list_places())
    return {
        column: found
        for column, found in named.items()
        if all(any(s in longest for s in p) for p in found.parts) or len(found.parts) > 1
    }


def _find_fits(
    asked: _Question, table: NamedTable, one: _NamedRow, columns: dict[int, _NamedColumn]
) -> Iterator[StatedCell]:
    for column, found in columns.items():
        named = {c: spans for c, spans in one.named.items() if _is_label_of(table.grid, c, column)}
        if not named or column >= len(one.row.cells):
            continue
        by_row = {i for spans in named.values() for span in spans for i in range(*span)}
        places = [[s for s in part if by_row.isdisjoint(range(*s))] for part in found.parts]
        if not all(places):
            continue
        value = table.text[slice(*one.row.cells[column])]
        if _is_missing(value) or _is_divided(table.grid, one.row, named, column):
            value = ""
        elif not asked.fits_kind(value) or (
            asked.asks_number and _is_share(table, one.row, column, value)
        ):
            continue
        covered = by_row | {i for part in places for span in part for i in range(*span)}
        # "How deep is the temperature of Shala?" asks for nothing in "Temperature of lakes"
        around = replace(table, titles=()) if found.is_everyday else table
        covered |= _find_around(asked, around, (column, *named, 0), one.row, named)
        covered |= asked.grammatical if found.is_everyday else asked.asking
        if len(covered) == len(asked.tokens):
            first = {0} if _is_label_of(table.grid, 0, column) else set()
            cell = _state(table, one.row, column, tuple(named), first)
            yield cell if value else replace(cell, value="")


def _is_missing(value: str) -> bool:
    """Return whether a cell is empty or has a word or sign that says so."""
    missing = _words().words("missing")
    return _EMPTY_VALUE.fullmatch(value) is not None or "_".join(value.lower().split()) in missing


def _is_share(table: NamedTable, row: GridRow, column: int, value: str) -> bool:
    """Return whether a cell is in per cent, by itself, its header, or the label of its row."""
    label = table.text[slice(*row.cells[0])]
    texts = (value, label, row.section, *table.grid.columns[column])
    return any(sign in text for text in texts for sign in "%％‰")


def _is_divided(grid: Grid, row: GridRow, labels: Iterable[int], column: int) -> bool:
    """Return whether a row beside this one seems to have the rest of the cell.

    It has a text in this column and none in those that name the row.
    """
    place = grid.rows.index(row)
    beside = [*grid.rows[max(0, place - 1) : place], *grid.rows[place + 1 : place + 2]]
    return any(
        column < len(other.cells)
        and _has_text(other, column)
        and not any(_has_text(other, label) for label in {0, *labels})
        for other in beside
    )


def _has_text(row: GridRow, column: int) -> bool:
    return column < len(row.cells) and row.cells[column][0] < row.cells[column][1]


def _is_label_of(grid: Grid, label: int, column: int) -> bool:
    """Return whether a cell can name the row of another one.

    In tables that stand side by side, each column belongs to the last labels before it.
    """
    if label == column or not grid.columns[label]:
        return label != column
    same = [c for c, lines in enumerate(grid.columns) if lines == grid.columns[label]]
    if len(same) == 1:
        return True
    return label == max((c for c in same if c < column), default=-1)


def _find_around(
    asked: _Question,
    table: NamedTable,
    columns: Iterable[int],
    row: GridRow | None = None,
    labels: Iterable[int] = (),
) -> set[int]:
    """Return the words that headers, titles, and of a row its section and its labels have."""
    headers = [line for column in dict.fromkeys(columns) for line in table.grid.columns[column]]
    if row is not None:
        headers += [table.text[slice(*row.cells[label])] for label in labels]
        headers += [row.section] if row.section else []
    found = {i for text in (*headers, *table.titles) for i in asked.find_words(text)}
    for character in set("".join(table.grid.columns[0])):  # "哪个省" below "省份"
        found |= {i for i, t in enumerate(asked.tokens) if t.key == character and has_han(t.key)}
    for unit, words in _words().table("units").items():
        if any(unit in text for text in (*headers, table.caption)):
            found |= {i for word in words for i in asked.find_words(word)}
    return found


def _state(
    table: NamedTable,
    row: GridRow,
    column: int,
    labels: tuple[int, ...],
    first: Iterable[int] = (),
    extreme: str = "",
    n_rows: int = 0,
) -> StatedCell:
    """Return a cell with its names; those of the columns `first` and `labels` are of its row."""
    value = table.text[slice(*row.cells[column])]
    name, unit = _split_unit(" ".join(table.grid.columns[column]))
    if unit and not re.search(rf"{re.escape(unit)}\s*$", value):
        value = f"{value} {unit}"
    keys = sorted({*first, *labels})
    cells = [table.text[slice(*row.cells[key])] for key in keys if key < len(row.cells)]
    names = [cell for cell in dict.fromkeys((row.section, *cells)) if cell]
    return StatedCell(
        table,
        tuple(names),
        name,
        value,
        _find_span(table, row, column),
        column,
        labels,
        extreme,
        n_rows,
    )


def _find_span(table: NamedTable, row: GridRow, column: int) -> Span:
    """Return where a cell is in the document."""
    start, end = row.cells[column] if column < len(row.cells) else (0, 0)
    return start + table.offset, end + table.offset


def _split_unit(name: str) -> tuple[str, str]:
    """Return the name of a column without its unit, and the unit."""
    core, asides = _split_aside(name)
    if len(asides) == 1 and name.rstrip(")）]】 ").endswith(asides[0]) and _is_unit(asides[0]):
        return core, asides[0]
    return name, ""


def _is_unit(text: str) -> bool:
    if has_han(text):
        return text.endswith(_words().in_order("chinese_unit_endings"))
    return text in _words().words("latin_units") or _UNIT_SIGN.fullmatch(text) is not None


def _fold_value(value: str) -> str:
    """Return a value as it is compared: "1,503" and "1503 " are alike."""
    return "".join(unicodedata.normalize("NFKC", value).replace(",", "").split())


# --- whole rows -------------------------------------------------------------------------------


def _find_asked_rows(asked: _Question, tables: Sequence[NamedTable]) -> list[StatedCell]:
    """Return the rows that a question asks for with all of their cells: one of each table.

    A row is named by its first cell, and every other word asks for everything in it. Sums are not
    named so: each table has some.
    """
    rows = {table.key: list(_find_named_rows(asked, table)) for table in tables}
    heads = [s for named in rows.values() for one in named for s in one.named.get(0, ())]
    longest = _keep_longest(heads)
    if asked.is_joined(longest):
        return []
    found: dict[tuple[tuple[str, str], ...], StatedCell] = {}  # copies of a table have one
    for table in tables:
        own = [one for one in rows[table.key] if longest.intersection(one.named.get(0, ()))]
        covered = {i for one in own for s in one.named[0] if s in longest for i in range(*s)}
        covered |= asked.asking | asked.whole | _find_around(asked, table, (0,))
        if not own or len(covered) < len(asked.tokens):
            continue
        is_sum = _is_sum(table.text[slice(*own[0].row.cells[0])])
        cells = _list_cells(table, own[0].row) if len(own) == 1 and not is_sum else []
        if not cells or len(found) == MOST_FITTING:
            return []
        key = tuple((cell.column, _fold_value(cell.value)) for cell in cells)
        span = _find_span(table, own[0].row, 0)[0], cells[-1].span[1]
        found.setdefault(key, replace(cells[0], span=span, others=tuple(cells[1:])))
    return list(found.values())


def _list_cells(table: NamedTable, row: GridRow) -> list[StatedCell]:
    """Return the cells of a row behind the first one, none where one of them is uncertain."""
    filled = [n for n in range(1, len(row.cells)) if _has_text(row, n)]
    if len(filled) > MOST_CELLS or not all(table.grid.columns[n] for n in filled):
        return []
    if any(_is_divided(table.grid, row, (0,), n) for n in range(1, len(table.grid.columns))):
        return []
    return [_state(table, row, n, (0,)) for n in filled]


# --- the highest and the lowest --------------------------------------------------------------


def _find_extremes(asked: _Question, table: NamedTable) -> Iterator[StatedCell]:
    """Yield the row with the highest or lowest number of the one column that is named.

    The last row may have sums, which are not compared. Other named columns, with texts, say what
    the rows are: "Which lake has the largest area?" below "Country" and "Lake".
    """
    extreme, words, columns = _find_asked_extreme(asked, table)
    numeric = [column for column in columns if column and _has_numbers(table, column)]
    if not extreme or len(numeric) != 1:
        return
    column = numeric[0]
    labels = (0, *(c for c in sorted(columns) if c not in (0, column)))
    if not all(_is_label_of(table.grid, label, column) for label in labels):
        return
    covered = words | {i for c in columns for s in columns[c].list_places() for i in range(*s)}
    is_everyday = any(found.is_everyday for found in columns.values())
    around = replace(table, titles=()) if is_everyday else table
    covered |= _find_around(asked, around, (column, *labels))
    covered |= asked.grammatical if is_everyday else asked.asking
    if len(covered) < len(asked.tokens):
        return
    rows = table.grid.rows
    if len(rows) > 2 and _is_sum(table.text[slice(*rows[-1].cells[0])]):
        rows = rows[:-1]
    numbers: list[tuple[float, GridRow]] = []
    for row in rows:
        if row.section or column >= len(row.cells):
            return  # numbers of several groups are not compared
        number = _read_number(table.text[slice(*row.cells[column])])
        names = [table.text[slice(*row.cells[label])] for label in labels]
        if number is None or not all(names) or any(map(_is_sum, names)):
            return
        numbers.append((number, row))
    if len(numbers) < 2:
        return
    best = (max if extreme == "highest" else min)(number for number, _ in numbers)
    first = [row for number, row in numbers if number == best]
    if len(first) == 1 and not _is_sum_of_others(best, [number for number, _ in numbers]):
        yield _state(table, first[0], column, labels, extreme=extreme, n_rows=len(numbers))


def _has_numbers(table: NamedTable, column: int) -> bool:
    """Return whether a column has numbers in more than half of its cells."""
    cells = [row.cells[column] for row in table.grid.rows if _has_text(row, column)]
    return 2 * sum(is_number(table.text[slice(*cell)]) for cell in cells) > len(cells)


def _is_sum_of_others(number: float, numbers: Sequence[float]) -> bool:
    """Return whether a number seems to be the sum of the others, which may be rounded."""
    others = sum(numbers) - number
    return len(numbers) > 2 and abs(number - others) <= 0.01 * abs(number)


def _find_asked_extreme(
    asked: _Question, table: NamedTable
) -> tuple[str, set[int], dict[int, _NamedColumn]]:
    """Return whether the highest or lowest number is asked for, by which words, of which columns.

    Words such as "deepest" name the column "Depth", too; "" where both are asked for, or none.
    """
    named = _find_named_columns(asked, table)
    columns = {c: found for c, found in named.items() if not found.is_everyday}
    extreme, words = _find_extreme(asked)
    if extreme and any(c and _has_numbers(table, c) for c in columns):
        return extreme, words, columns
    for one in ("highest", "lowest"):
        for column, lines in enumerate(table.grid.columns):
            places = [asked.find_superlative(line, one) for line in lines]
            if column and len(places) == 1 and places[0] and extreme in ("", one):
                extreme = one
                columns[column] = _NamedColumn(places, is_everyday=True)
    is_named = any(found.is_everyday for found in columns.values())
    return extreme if is_named else "", words, columns


def _find_extreme(asked: _Question) -> tuple[str, set[int]]:
    found: dict[str, set[int]] = {}
    for extreme in ("highest", "lowest"):
        english = _words().words(f"english_{extreme}")
        words = {i for i, t in enumerate(asked.tokens) if t.key in english}
        for phrase in _words().in_order(f"chinese_{extreme}"):
            words |= {i for span in asked.find(phrase) for i in range(*span)}
        if words:
            found[extreme] = words
    return next(iter(found.items())) if len(found) == 1 else ("", set())


def _read_number(text: str) -> float | None:
    """Return the number of a cell that has nothing else but a sign of per cent."""
    plain = unicodedata.normalize("NFKC", text).replace("−", "-").replace("–", "-").strip()
    match = re.fullmatch(r"([+-]?\d{1,3}(?:,\d{3})+|[+-]?\d+)(\.\d+)?\s*[%‰]?", plain)
    return float(match[1].replace(",", "") + (match[2] or "")) if match else None


def _is_sum(label: str) -> bool:
    keys = {t.key for t in _split(label)}
    sums = _words().words("english_sums")
    return bool(keys & sums) or any(w in label for w in _words().in_order("chinese_sums"))


# --- the answer ------------------------------------------------------------------------------

_MOST_SHOWN = 160  # characters of a caption in an answer
_FORMS = {
    "en": ("{row}, {column}: {value}{table}", " ({caption})"),
    "zh": ("{row}，{column}：{value}{table}", "（{caption}）"),
}
_EXTREME_FORMS = {
    ("en", "highest"): "The highest of {n} rows in the column “{column}”: {row}, {value}{table}",
    ("en", "lowest"): "The lowest of {n} rows in the column “{column}”: {row}, {value}{table}",
    ("zh", "highest"): "“{column}”一列{n}行中最高的是：{row}，{value}{table}",
    ("zh", "lowest"): "“{column}”一列{n}行中最低的是：{row}，{value}{table}",
}


def describe_cell(cell: StatedCell, language: str) -> str:
    """Return a sentence that gives a cell, or a whole row, with the names of row and columns."""
    form, around = _FORMS[language]
    comma = ", " if language == "en" else "，"
    semicolon, colon = ("; ", ": ") if language == "en" else ("；", "：")
    value = _show(cell.value)
    for other in cell.others:
        value += f"{semicolon}{_show(other.column)}{colon}{_show(other.value)}"
    caption = cell.table.caption or next(iter(cell.table.titles), "")
    if len(caption) > _MOST_SHOWN:
        caption = f"{caption[: _MOST_SHOWN - 1].rstrip()}…"
    return (_EXTREME_FORMS[language, cell.extreme] if cell.extreme else form).format(
        row=_show_first(comma.join(cell.row)),
        column=_show(cell.column),
        value=value,
        table=around.format(caption=_show(caption.rstrip(".。"))) if caption else "",
        n=cell.n_rows,
    )


def _show_first(text: str) -> str:
    """Return what begins a line; a sign before a number is no mark of a list."""
    text = re.sub(r"^\s*-(?=\s?\d)", "\N{MINUS SIGN}", text)
    return " ".join(escape_markdown(text).split())


def _show(text: str) -> str:
    return " ".join(escape_within_line(text).split())


def build_answer(
    cells: Sequence[StatedCell], found: RetrievalResult, language: str
) -> Answer | None:
    """Return the answer that gives these cells, None if a passage with one of them is missing."""
    claims: list[AnswerClaim] = []
    for cell in cells:
        document_id, (start, end) = cell.table.key[0], cell.span
        number = next(
            (
                n
                for n, one in enumerate(found.passages, 1)
                if one.document_id == document_id and one.start <= start and end <= one.end
            ),
            0,
        )
        if not number:
            return None
        text = describe_cell(cell, language)
        claims.append(AnswerClaim(text, 0, len(text), number, (start, end)))
    return state_claims(claims, found.passages, found, language) if claims else None


def answer_from_tables(db: Db, found: RetrievalResult, language: str) -> Answer | None:
    """Return the answer that a table among the passages gives, None if none gives one for sure."""
    if not _read_question(found.question).is_for_cell:
        return None  # before tables are read: most questions are not for a cell
    cells = find_cells(found.question, load_tables(db, found.passages))
    return build_answer(cells, found, language)
