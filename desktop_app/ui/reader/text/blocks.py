"""Splits a book's text into blocks: paragraphs, headings, verse, rows of tables, and entries of
printed contents.

Owns where a block starts and ends and which line breaks inside it are only line wraps. Works on
plain text in a worker thread; knows no fonts, no widgets and no library.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np

from desktop_app.engine.model import Heading
from desktop_app.engine.text_tables import (
    Table,
    find_bars,
    find_table_at,
    find_tables,
    is_markdown_row,
)

PARAGRAPH, HEADING, VERSE, CONTINUED, ROW, CENTRED, ENTRY = range(7)
AT_RIGHT = -1  # the level of an entry that is printed at the right, such as "Page" above numbers
MAX_BLOCK_CHARS = 6000
_SAMPLE_LINES = 6000
_MAX_WRAP_CHARS = 130
_NEAR_LINES = 60  # wrapped lines before and after a paragraph
_PROSE_SHARE = 0.4  # of lines after which the next begins in lower case
_SENTENCE_END = re.compile(r"[.!?。！？…][\"'”’」』）)]*\s*")
_IDEOGRAPH = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]")


@dataclass(frozen=True, slots=True)
class Blocks:
    """Blocks in reading order: arrays of shape (N,); ranges are half-open offsets of the text.

    Attributes:
        kinds: PARAGRAPH, HEADING, VERSE (keeps its line breaks), CONTINUED (continues the
            previous block), ROW (of a table), CENTRED (lines of a title page, as the source has
            them) or ENTRY (a line of printed contents).
        levels: a heading's level, 1 for a row of a table's header, of an entry how far it is
            indented, or `AT_RIGHT`; else 0.
        n_lines: lines of the source in the block.
        cjk: the text is mostly Chinese, Japanese or Korean.
        tables: those of the text, in order.
    """

    starts: np.ndarray
    ends: np.ndarray
    kinds: np.ndarray
    levels: np.ndarray
    n_lines: np.ndarray
    cjk: bool = False
    tables: tuple[Table, ...] = ()

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """Return the block that contains an offset, or the last one before it."""
        return max(0, int(np.searchsorted(self.starts, offset, side="right")) - 1)

    def table_of(self, number: int) -> Table | None:
        """Return the table of a block that is a row."""
        if self.kinds[number] != ROW:
            return None
        return find_table_at(self.tables, int(self.starts[number]))


@dataclass(frozen=True, slots=True)
class _Line:
    start: int  # first character that is not white space
    end: int  # after the last one
    indent: int


def build_blocks(text: str, outline: Sequence[Heading] = ()) -> Blocks:
    """Split a text into blocks that cover all of it except white space between them."""
    cjk = is_cjk(text)
    lines = _split_lines(text)
    width = _wrap_width(text, lines)
    around = _Surroundings(text, lines)
    heads = _heading_lines(lines, outline)
    tables = tuple(find_tables(text))
    cells = _find_rows(tables)
    entries = _find_entries(text, lines, outline, set(heads) | _find_numbers(lines, cells))
    rows: list[tuple[int, int, int, int, int]] = []
    run: list[_Line] = []

    def flush() -> None:
        if run:
            _add_run(rows, text, run, width, cjk, around)
            run.clear()

    skip_to = -1
    for number, line in enumerate(lines):
        if line is None:
            flush()
            continue
        if line.start < skip_to:
            continue
        row = cells.get(line.start)
        if row is not None:
            flush()
            skip_to, is_header = row
            rows.append((line.start, skip_to, ROW, is_header, 1))
            continue
        if (entry := entries.get(number)) is not None:
            flush()
            rows.append((line.start, line.end, ENTRY, entry, 1))
            continue
        heading = heads.get(number)
        if heading is not None:
            flush()
            end = _heading_end(text, lines, number, heading)
            rows.append((line.start, end, HEADING, max(1, heading.level), 1))
            skip_to = end
            title = _find_title_line(text, lines, number, heading)
            if title is not None:
                skip_to = _heading_end(text, lines, title, heading)
                start = cast(_Line, lines[title]).start
                rows.append((start, skip_to, HEADING, max(1, heading.level), 1))
            continue
        if run and (not width or _starts_paragraph(text, run[-1], line, width, cjk)):
            flush()
        run.append(line)
    flush()
    table = np.array(rows, dtype=np.int64).reshape(-1, 5)
    return Blocks(table[:, 0], table[:, 1], table[:, 2], table[:, 3], table[:, 4], cjk, tables)


def _find_rows(tables: Sequence[Table]) -> dict[int, tuple[int, int]]:
    """Return for the start of each row of cells its end, and whether it is of the header.

    The rule below a header of Markdown belongs to its row, and lines between tables to none.
    """
    found: dict[int, tuple[int, int]] = {}
    for table in tables:
        for number, (start, end) in enumerate(table.rows):
            has_rule = number == 0 and table.rule_end > end
            found[start] = table.rule_end if has_rule else end, int(number < table.n_header)
    return found


def is_cjk(text: str) -> bool:
    """Return whether a text is mostly Chinese, Japanese or Korean."""
    sample = text[:2000] + text[len(text) // 2 : len(text) // 2 + 4000]
    letters = sum(1 for char in sample if char.isalnum())
    return letters > 0 and len(_IDEOGRAPH.findall(sample)) > 0.4 * letters


def display_text(text: str, start: int, end: int, kind: int) -> str:
    """Return a block as it is displayed, of the same length, so that offsets stay valid.

    A line wrap becomes a space (zero-width between Chinese characters); the line breaks of verse
    become U+2028, and the dots or blanks before the page of an entry a tab.
    """
    shown = text[start:end]
    if kind == ENTRY and (found := _PAGE.search(shown)) and found.start():
        blank = "\t" + "\u200b" * (found.start("page") - found.start() - 1)
        shown = shown[: found.start()] + blank + found["page"]
    if kind == ROW:
        return _show_cells(text, start, end)
    if kind == HEADING:  # Markdown's # marks are not part of a title
        shown = re.sub(r"^#{1,6}[ \t]+", lambda m: "\u200b" * len(m.group()), shown)
    if "\n" in shown:
        if kind == CENTRED:  # without the blanks that centred it in the source
            shown = re.sub(
                r"[ \t]*\n[ \t]*", lambda m: "\u200b" * (len(m.group()) - 1) + "\u2028", shown
            )
        elif kind == VERSE:
            shown = shown.replace("\n", "\u2028")
        else:
            shown = re.sub(r"[ \t\u3000]*\n[ \t\u3000]*", _join_lines, shown)
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "\u200b", shown)


def _show_cells(text: str, start: int, end: int) -> str:
    """Return a row with U+2028 in place of each bar; the signs around cells have no width."""
    line_end = text.find("\n", start, end)
    last = end if line_end < 0 else line_end
    shown = list(text[start:end])
    bars = [bar - start for bar in find_bars(text, start, start + len(text[start:last].rstrip()))]
    for bar in bars:
        shown[bar] = "\u2028"
    line_end = start + len(text[start:last].rstrip())
    if bars and bars[0] > 0 and is_markdown_row(text, start, line_end):
        shown[0] = shown[line_end - 1 - start] = "\u200b"
    for edge in (-1, *bars, last - start):
        for step in (-1, 1):
            at = edge + step
            while 0 <= at < len(shown) and shown[at] in " \t\xa0\u3000\u200b":
                shown[at] = "\u200b"
                at += step
    shown[last - start :] = "\u200b" * (end - last)
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "\u200b", "".join(shown))


def join_paragraphs(text: str, blocks: Blocks, start: int, end: int) -> str:
    """Return a range of the text as it is copied: whole paragraphs without line wraps."""
    parts: list[str] = []
    for i in range(blocks.at(start), len(blocks)):
        low, high = max(start, int(blocks.starts[i])), min(end, int(blocks.ends[i]))
        if low >= end:
            break
        if low < high:
            part = display_text(text, low, high, int(blocks.kinds[i]))
            is_row = blocks.kinds[i] == ROW  # cells with tabs between them, as sheets take them
            part = part.replace("\u2028", "\t" if is_row else "\n").replace("\u200b", "")
            part = re.sub(r" {2,}", " ", part)
            in_table = is_row and parts and blocks.table_of(i) is blocks.table_of(i - 1)
            in_list = i > 0 and blocks.kinds[i] == blocks.kinds[i - 1] == ENTRY
            gap = "\n" if in_table or in_list else "\n\n"
            parts.append(("" if not parts or blocks.kinds[i] == CONTINUED else gap) + part)
    return "".join(parts)


def _join_lines(found: re.Match[str]) -> str:
    whole = found.string
    before = whole[found.start() - 1] if found.start() else " "
    after = whole[found.end()] if found.end() < len(whole) else " "
    joint = "\u200b" if _IDEOGRAPH.match(before) and _IDEOGRAPH.match(after) else " "
    return joint + "\u200b" * (found.end() - found.start() - 1)


def _split_lines(text: str) -> list[_Line | None]:
    """Return the lines without surrounding white space; None is a blank line."""
    lines: list[_Line | None] = []
    position = 0
    for raw in text.split("\n"):
        left = raw.lstrip()
        if left:
            start = position + len(raw) - len(left)
            lines.append(_Line(start, start + len(left.rstrip()), len(raw) - len(left)))
        else:
            lines.append(None)
        position += len(raw) + 1
    return lines


def _wrap_width(text: str, lines: Sequence[_Line | None]) -> int:
    """Return the width of hard line wraps in characters; 0 if each line is a paragraph."""
    first = max(0, len(lines) // 2 - _SAMPLE_LINES // 2)
    sample = lines[first : first + _SAMPLE_LINES]
    whole = [line.end - line.start for line in sample if line]
    inner = [
        a.end - a.start
        for a, b in itertools.pairwise(sample)
        if a and b and text[b.start - b.indent : b.start].count("\u3000") < 2
    ]
    if not whole or len(inner) < 0.2 * len(whole):
        return 0
    width = int(np.percentile(inner, 98))
    if width > _MAX_WRAP_CHARS or width < 20:
        return 0
    # except in verse and lists, wrapped lines are nearly as long as the longest line
    longer = [length for length in inner if length > 0.5 * width]
    full = sum(1 for length in longer if length >= 0.72 * width)
    wrapped = full >= 0.7 * len(longer) and len(longer) >= 0.25 * len(inner)
    return width if wrapped else 0


class _Surroundings:
    """The width at which the lines around a place are wrapped.

    A book may be wrapped at a smaller width than the licence text before and after it.
    """

    def __init__(self, text: str, lines: Sequence[_Line | None]) -> None:
        pairs = [(a, b) for a, b in itertools.pairwise(lines) if a and b and not b.indent]
        self._starts = np.array([a.start for a, _ in pairs], dtype=np.int64)
        self._lengths = np.array([a.end - a.start + a.indent for a, _ in pairs], dtype=np.int64)
        # prose goes on in lower case in the next line, verse mostly does not
        self._goes_on = np.array([text[b.start].islower() for _, b in pairs], dtype=bool)

    def width_at(self, start: int, usual: int) -> int:
        """Return the width of wraps around an offset; `usual` if there is no prose around it."""
        at = int(np.searchsorted(self._starts, start))
        near = slice(max(0, at - _NEAR_LINES), at + _NEAR_LINES)
        lengths, goes_on = self._lengths[near], self._goes_on[near]
        if len(lengths) < _NEAR_LINES or goes_on.mean() < _PROSE_SHARE:
            return usual
        return min(usual, int(np.percentile(lengths[goes_on], 95)))


def _is_wrap(text: str, line: _Line, following: _Line, width: int, cjk: bool) -> bool:
    """Return whether the next word would not have fitted on this line."""
    length = line.end - line.start + line.indent
    if cjk:
        return length >= 0.88 * width
    word = re.match(r"\S*", text[following.start : following.end])
    return length + 1 + (word.end() if word else 0) > 0.84 * width


def _starts_paragraph(text: str, line: _Line, following: _Line, width: int, cjk: bool) -> bool:
    if text[following.start - following.indent : following.start].count("\u3000"):
        return True
    return following.indent >= line.indent + 2 and not _is_wrap(text, line, following, width, cjk)


def _add_run(
    rows: list[tuple[int, int, int, int, int]],
    text: str,
    run: Sequence[_Line],
    width: int,
    cjk: bool,
    around: _Surroundings,
) -> None:
    if not cjk and _is_centred(run, width):
        rows.append((run[0].start, run[-1].end, CENTRED, 0, len(run)))
        return
    pairs = list(itertools.pairwise(run))
    capitals = sum(
        1 for line in run if not text[line.start : line.end].lstrip("\"'“‘(_")[:1].islower()
    )
    if len(run) > 2 and capitals < 0.8 * len(run):
        # prose; a book may be wrapped at a smaller width than the licence text around it
        width = min(width, max(line.end - line.start + line.indent for line in run))
    kept = sum(1 for a, b in pairs if not _is_wrap(text, a, b, width, cjk))
    if kept > 0.4 * len(pairs) and not any(line.indent for line in run[1:]):
        width = around.width_at(run[0].start, width)
        kept = sum(1 for a, b in pairs if not _is_wrap(text, a, b, width, cjk))
    kind = VERSE if pairs and kept > 0.4 * len(pairs) else PARAGRAPH
    start, end = run[0].start, run[-1].end
    pieces = _split_long(text, start, end)
    for low, high in pieces:
        rows.append((low, high, kind, 0, len(run) if len(pieces) == 1 else 1))
        kind = CONTINUED if kind != VERSE else VERSE


_MAX_OFF_CENTRE = 3.5  # characters; editors count a line of 70 to 75 as whole
_MIN_INDENT, _MIN_INDENT_ALONE = 4, 12  # a paragraph's first line can have 2 to 8


def _is_centred(run: Sequence[_Line], width: int) -> bool:
    """Return whether blanks centre each of these lines, as on title pages of plain texts."""
    deepest = max(line.indent for line in run)
    if not width or deepest < (_MIN_INDENT_ALONE if len(run) == 1 else 2 * _MIN_INDENT):
        return False
    return all(
        line.indent >= _MIN_INDENT
        and abs(line.indent + (line.end - line.start) / 2 - width / 2) <= _MAX_OFF_CENTRE
        for line in run
    )


def _split_long(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Split a very long paragraph at sentence ends, so that its layout stays fast."""
    pieces = []
    while end - start > MAX_BLOCK_CHARS:
        cut = start + MAX_BLOCK_CHARS
        for found in _SENTENCE_END.finditer(text, start + MAX_BLOCK_CHARS // 2, cut):
            cut = found.end()
            break
        pieces.append((start, cut))
        start = cut
    pieces.append((start, end))
    return pieces


# What printers set between an entry of contents and its page, in any language, at the line's end.
_PAGE = re.compile(
    r"(?:[ \t\u3000]{2,}|[ \t]*(?:[.．·・…‥⋯_][ \t]?){3,}[ \t]*)(?P<page>\d{1,4}|[ivxlc]{1,7})$"
)
_TITLE_PART = re.compile(r"[.:：—–]|--|\s-\s|[\u3000\s]{2,}")
MIN_ENTRIES = 4  # fewer lines may be titles by chance, or numbers that rise
MAX_ENTRY_CHARS = 120  # of a line with its blanks
MAX_NUMBER = 14  # characters of the number before a title, such as "Chapter XVIII."
_LAST_OF_PAGE = frozenset("0123456789ivxlc")
MIN_STEP = 2  # blanks: numbers that are set flush right begin one or two apart
MAX_OTHERS = 1  # lines between two entries, such as a title that the text has in other words


def _find_numbers(lines: Sequence[_Line | None], starts: dict[int, tuple[int, int]]) -> set[int]:
    """Return the numbers of the lines that begin at these offsets."""
    return {n for n, line in enumerate(lines) if line is not None and line.start in starts}


def _find_entries(
    text: str, lines: Sequence[_Line | None], outline: Sequence[Heading], others: set[int]
) -> dict[int, int]:
    """Return the lines of printed contents by their numbers, with the level of each.

    An entry is a line that has a title of the outline, or its number, alone, or that ends in blanks
    or dots and a page. Contents are several such lines in sequence, with pages that never fall.

    Args:
        others: numbers of lines that are headings or rows of tables.
    """
    titles = {_letters(part) for heading in outline for part in _split_title(heading.title)} - {""}
    longest = max((len(heading.title) for heading in outline), default=-1) + MAX_NUMBER
    found: dict[int, int] = {}
    run: list[tuple[int, bool]] = []  # line numbers, and whether each is an entry
    page = 0

    def close() -> None:
        while run and not run[-1][1]:
            run.pop()
        if sum(is_entry for _, is_entry in run) >= MIN_ENTRIES:
            found.update(_measure_levels(lines, [number for number, _ in run]))
        run.clear()

    for number, line in enumerate(lines):
        if line is None:
            continue
        if number in others or line.end - line.start + line.indent > MAX_ENTRY_CHARS:
            close()
            continue
        words = text[line.start : line.end]
        match = _PAGE.search(words) if words[-1] in _LAST_OF_PAGE else None
        title = words[: match.start()] if match else words
        value = int(match["page"]) if match and match["page"].isdecimal() else None
        falls = value is not None and bool(run) and value < page
        is_entry = value is not None and bool(title.strip())
        if not is_entry and len(title) <= longest:
            # "VII. The Blue Carbuncle", where the text calls it "Adventure VII. The Blue Carbuncle"
            number_before, *rest = _split_title(title)[1:] or [title]
            is_entry = _letters(title) in titles or (
                bool(rest) and len(number_before) <= MAX_NUMBER and _letters(rest[0]) in titles
            )
        if falls or (not is_entry and [kind for _, kind in run[-MAX_OTHERS:]] != [True]):
            close()
        if is_entry or run:
            run.append((number, is_entry))
        if value is not None:
            page = value
    close()
    return found


def _split_title(title: str) -> list[str]:
    """Return a title, its beginning and its end: "I. The Sea", "I" and "The Sea"."""
    if (cut := _TITLE_PART.search(title.strip())) is None:
        return [title]
    return [title, title.strip()[: cut.start()], title.strip()[cut.end() :]]


def _measure_levels(lines: Sequence[_Line | None], numbers: Sequence[int]) -> dict[int, int]:
    """Return for each line how many steps it is indented, or `AT_RIGHT`."""
    known = [line for n in numbers if (line := lines[n]) is not None]
    widest = max(line.indent + line.end - line.start for line in known)
    level_of: dict[int, int] = {}  # by indent
    for indent in sorted({line.indent for line in known if 2 * line.indent < widest}):
        before = max(level_of, default=indent)
        level_of[indent] = level_of.get(before, 0) + int(indent - before > MIN_STEP)
    levels = [level_of.get(line.indent, AT_RIGHT) for line in known]
    return dict(zip(numbers, levels, strict=True))


def _heading_lines(lines: Sequence[_Line | None], outline: Sequence[Heading]) -> dict[int, Heading]:
    """Return the headings by line number."""
    if not outline:
        return {}
    numbers = [number for number, line in enumerate(lines) if line]
    ends = np.array([lines[number].end for number in numbers], dtype=np.int64)  # type: ignore[union-attr]
    found: dict[int, Heading] = {}
    for heading in outline:
        place = int(np.searchsorted(ends, heading.start, side="right"))
        if place < len(numbers):
            line = lines[numbers[place]]
            assert line is not None
            # the headings of a part and of its first chapter may have the same line
            if line.end - line.start <= 200:
                found.setdefault(numbers[place], heading)
    return found


def _heading_end(text: str, lines: Sequence[_Line | None], number: int, heading: Heading) -> int:
    """Return the end of a heading, including further lines that its title contains."""
    line = lines[number]
    assert line is not None
    end = line.end
    title = _letters(heading.title)
    for following in lines[number + 1 : number + 3]:
        if following is None:
            break
        words = _letters(text[following.start : following.end])
        if not words or len(_letters(text[line.start : end])) >= len(title) or words not in title:
            break
        end = following.end
    return end


def _find_title_line(
    text: str, lines: Sequence[_Line | None], number: int, heading: Heading
) -> int | None:
    """Return the line of a chapter's title that blank lines part from the line of its number.

    The outline names both: "CHAPTER I. IN BRIGHTON LODGINGS".
    """
    line = lines[number]
    assert line is not None
    title, before = _letters(heading.title), _letters(text[line.start : line.end])
    if not before or before == title or not title.startswith(before):
        return None
    below = range(number + 1, min(number + 1 + _TITLE_GAP, len(lines)))
    at = next((at for at in below if lines[at] is not None), None)
    if at is None or at == number + 1:  # below the number at once: `_heading_end` has taken it
        return None
    following = lines[at]
    assert following is not None
    words = _letters(text[following.start : following.end])
    return at if words and title[len(before) :].startswith(words) else None


_TITLE_GAP = 6  # lines in which a title is below its number


def _letters(text: str) -> str:
    return "".join(char for char in text.casefold() if char.isalnum())
