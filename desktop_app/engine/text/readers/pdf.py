"""Reader of PDFs through PDFium: text, printed page labels, bookmarks and metadata.

Releases the lock of PDFium between pages. Joins lines to paragraphs, removes running headers and
footers and rejoins hyphenated words; `text.pdf_positions` maps the text back to the pages.
"""

from __future__ import annotations

import itertools
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from ...messages import Message
from ...model import Heading, Page, ReadDocument
from ...progress import CancelToken
from ...text_tables import CELL_SEPARATOR
from ...word_lists import WordLists
from ...writing_systems import WIDE
from ..document_notes import note_empty_pages, note_pictures
from ..english_words import is_english_word
from ..identifiers import find_arxiv_stamp, find_doi, find_isbn
from ..language import detect_language
from ..pdf_positions import PDFIUM_LOCK, open_pdf, read_characters
from ..text_layers import UNREADABLE, is_unreadable
from .archives import MAX_PAGES, MAX_SECONDS, Unreadable, check_length
from .document_builder import HEAD_CHARS, build_document, clean_author, clean_title
from .page_numbers import find_printed_labels
from .pdf_figures import FigureFinder
from .pdf_tables import (
    MAX_CHARS,
    TABLE_ROW,
    TABLE_START,
    find_page_tables,
    has_hint,
    read_page_words,
    read_rules,
    write_rows,
)
from .title_page import (
    TITLE_PAGES,
    PageRows,
    TitleHead,
    TitlePage,
    find_title_page,
    fold,
    read_rows,
    write_head,
)

_CJK = re.compile(f"[{WIDE}\uff01-\uff60]")
MAX_OF_TITLE_PAGE = 12_000  # characters; a page of dense small print has 8,000
_REMOVED = re.compile(
    "[\x00-\x01\x03-\x08\x0b-\x0c\x0e-\x1f\x7f-\x9f\u200b\ufeff\uffff\ue000-\uf8ff\ufffd]"
)
_SOFT_BREAK = "\x02"
_LETTER = r"[^\W\d_]"
# Only from the first letter of a word, never going back: linear in a line that is one long word.
_BROKEN_WORD = re.compile(rf"(?<!{_LETTER})({_LETTER}++){_SOFT_BREAK}({_LETTER}++)")
HEAD_LINE = "\ufdd2"  # before a paragraph of a title page's head
_MARKS = re.compile(f"[{TABLE_START}{TABLE_ROW}{HEAD_LINE}]")
_SOFT_MARKS = re.compile("[\x02\ufffe\xad]")
_SECTION_NUMBER = re.compile(  # "3.1", "A.2" or "IV." before a title, alone or after a sentence
    r"(?:^[ \t]*|[.!?)\]”\"]\s+)"
    r"(\d{1,3}(?:\.\d{1,3}){0,4}|[A-Z](?:\.\d{1,3}){0,4}|[IVXL]{1,6})\.?[ \t]*$",
    re.MULTILINE,
)
_LIGATURES = re.compile("[\ufb00-\ufb06]")
_TERMINAL = re.compile("[.!?:。！？：…][\"'”’」』）)\\]]*$")
_ITEM = re.compile(
    r"\s*(?:[•▪●◦■□◆‣∙]|[-–*]\s|\(?\d{1,3}[.)、]\s?\D|[（(][一二三四五六七八九十\d]+[)）]|"
    r"[一二三四五六七八九十]{1,3}、|第[一二三四五六七八九十百\d]+[章节条回]|\d+(?:\.\d+)+\s)"
)
_HEADING = re.compile(
    r"(?:CHAPTER|Chapter|PART|Part|BOOK|Book|LETTER|Letter|STAVE|Stave) (?:\d+|[IVXLC]+)\b|"
    r"(?:Abstract|ABSTRACT|References|REFERENCES|Introduction|INTRODUCTION)$"
)
_PAGE_NUMBER = re.compile(
    r"^[\s\-–—·.]*(?:第?\s*\d{1,5}\s*页?|[ivxlcIVXLC]{1,7}|\d+\s*/\s*\d+)[\s\-–—·.]*$"
)
_MAX_PAGE_CHARS = 2_000_000
_MAX_BOOKMARKS = 20_000
_FEW_LETTERS = 120  # a stamp or a page number on a page that is a picture
_PICTURE_SHARE = 0.6  # of the page that pictures cover
_MAX_OBJECTS = 200


def read_pdf(
    content: bytes,
    stem: str,
    *,
    password: str | None = None,
    cancel: CancelToken | None = None,
    on_page: Callable[[int, int], None] | None = None,
    scanned: Mapping[int, str] | None = None,
) -> ReadDocument:
    """Return the text of all pages; `pictures` are the pages that have to be read as pictures.

    Args:
        scanned: the texts of such pages that were read already, by page index.

    Raises:
        PasswordNeeded: it is encrypted.
        Unreadable: it is damaged, too large or empty.
        Cancelled: the token was set.
    """
    document = open_pdf(content, password)
    try:
        with PDFIUM_LOCK:
            n_pages = len(document)
            metadata = _metadata(document)
            bookmarks = _bookmarks(document)
        if n_pages > MAX_PAGES:
            raise Unreadable(
                "it has {n:,} pages.",
                "Split it into files of at most {most:,} pages.",
                n=n_pages,
                most=MAX_PAGES,
            )
        first_pages: list[FirstPage] = []
        finder = FigureFinder(n_pages)
        raw, labels, pictures = _read_pages(document, n_pages, first_pages, finder, cancel, on_page)
    finally:
        with PDFIUM_LOCK:
            document.close()
    scanned = scanned or {}
    title_page = find_title_page([page.rows for page in first_pages], n_pages)
    if title_page.head is not None and first_pages[title_page.head.page].index not in pictures:
        page = first_pages[title_page.head.page]
        raw[page.index] = _write_head(page, title_page.head) or raw[page.index]
    for index in pictures:
        raw[index] = scanned.get(index) or raw[index]
    # A page with only its number counts as a page with text.
    text, pages = assemble_pages(raw, find_printed_labels(raw, labels))
    if not text.strip() and not pictures:
        reason = (
            Message("its only page is empty.")
            if n_pages == 1
            else Message("all {n} pages are empty.", n=n_pages)
        )
        raise Unreadable(reason, "Check that it is the file you meant.")
    found = _bibliography(metadata, title_page, raw, stem)
    figures, figure_notes = finder.build(text, pages)
    return build_document(
        text,
        format="pdf",
        stem=stem,
        title=found["title"],
        author=found["author"],
        year=found["year"],
        doi=found["doi"],
        isbn=found["isbn"],
        title_from_text=False,
        outline=_outline(bookmarks, text, pages),
        pages=pages,
        notes=[*note_pages(raw, pictures, scanned), *figure_notes],
        pictures=pictures,
        figures=figures,
    )


def _read_pages(
    document: Any,
    n_pages: int,
    first_pages: list[FirstPage],
    finder: FigureFinder,
    cancel: CancelToken | None,
    on_page: Callable[[int, int], None] | None,
) -> tuple[list[str], list[str], list[int]]:
    """Return texts, labels and the pages that are pictures, or whose letters can't be their text.

    Adds the rows of the first pages to a list, and the figures to `finder`.
    """
    texts: list[str] = []
    labels: list[str] = []
    pictures: list[int] = []
    began, total = time.monotonic(), 0
    for index in range(n_pages):
        if cancel is not None:
            cancel.check()
        if time.monotonic() - began > MAX_SECONDS:
            raise Unreadable(
                "reading it takes too long (page {page} of {n}).",
                "Print it to a new PDF, or split it.",
                page=index + 1,
                n=n_pages,
            )
        text, label, is_picture = _read_page(document, index, first_pages, finder)
        if bad := is_unreadable(text):
            text = ""
        if is_picture or bad:
            pictures.append(index)
        total += len(text)
        check_length(total)
        texts.append(text)
        labels.append(label)
        if on_page is not None:
            on_page(index + 1, n_pages)
    return texts, labels, pictures


def _read_page(
    document: Any, index: int, first_pages: list[FirstPage], finder: FigureFinder
) -> tuple[str, str, bool]:
    """Return text and printed label of one page, and whether it is a picture.

    All are empty if the page is damaged.
    """
    import pypdfium2

    with PDFIUM_LOCK:
        try:
            label = document.get_page_label(index)
        except (pypdfium2.PdfiumError, UnicodeError, ValueError):
            label = ""
        page = text_page = None
        is_picture = False
        try:
            page = document[index]
            text_page = page.get_textpage()
            first, last = _shown_range(text_page)
            n_chars = last - first
            text = text_page.get_text_range(first, n_chars, errors="ignore") if n_chars > 0 else ""
            if sum(map(str.isalnum, text)) < _FEW_LETTERS:
                is_picture = _is_picture(page, bool(text.strip()))
            finder.add_page(index, page, text_page, text)
            characters: list[str] = []
            may_have_title = index < TITLE_PAGES and n_chars <= MAX_OF_TITLE_PAGE
            if may_have_title or _ACCENT.search(text):
                characters = _split_characters(text_page, first, last, text)
                _join_accents(text_page, characters)
                text = "".join(characters) or text
            text = _MARKS.sub("", text)
            tables = _write_tables(page, text_page, first, last, text, characters)
            if may_have_title:
                rows = (read_rows(text_page, characters), page.get_height())
                first_pages.append(FirstPage(index, rows, characters, tables))
            text = "".join(tables) or text
        except pypdfium2.PdfiumError:
            text, is_picture = "", False
        finally:
            if text_page is not None:
                text_page.close()
            if page is not None:
                page.close()
    return text, "".join(c for c in label if c.isprintable())[:20], is_picture


@dataclass(frozen=True, slots=True)
class FirstPage:
    """What is kept of a first page until its title is known.

    Attributes:
        rows: its rows, and its height.
        characters: the text, one string for each character of PDFium; [] where they differ.
        tables: the same with the rows of its tables as lines; [] if it has none.
    """

    index: int
    rows: PageRows
    characters: list[str]
    tables: list[str]


# Spacing accents, which PDFs of LaTeX draw over a letter: "J˛edrzej" is Jędrzej.
_ACCENTS = dict(
    zip(
        "´`¨˘˛ˇ˜¸ˆ˙˚˝",
        "\u0301\u0300\u0308\u0306\u0328\u030c\u0303\u0327\u0302\u0307\u030a\u030b",
        strict=True,
    )
)
_ACCENT = re.compile(f"[{''.join(_ACCENTS)}]")
_ACCENT_REACH = 240  # characters between an accent and its letter: about two lines
_ACCENT_GAP = 0.6  # of the height of a letter, between it and its accent
_LETTER_GAP = 0.25  # of the height of a letter, between two letters of a word


def _split_characters(text_page: Any, first: int, last: int, text: str) -> list[str]:
    """Return the text of a page as one string for each character of PDFium, from index 0.

    [] where they do not match, as with characters of two UTF-16 units.

    Args:
        text: that of the characters from `first` to `last`.
    """
    from pypdfium2.raw import FPDFText_GetTextIndexFromCharIndex as find_text_index

    if last <= first:
        return []
    start = find_text_index(text_page, first)
    characters = [""] * first
    for index in range(first, last):
        at = find_text_index(text_page, index) - start
        characters.append(text[at] if 0 <= at < len(text) else "")
    return characters if "".join(characters) == text else []


def _join_accents(text_page: Any, characters: list[str]) -> None:
    """Replace letters with an accent drawn over them by one character, and remove the accent.

    PDFium returns the accent beside its letter, or at the end of the line.
    """
    import pypdfium2

    boxes: dict[int, tuple[float, float, float, float]] = {}  # left, bottom, right, top

    def box(index: int) -> tuple[float, float, float, float]:
        if index not in boxes:
            try:
                boxes[index] = text_page.get_charbox(index)
            except pypdfium2.PdfiumError:  # a character without a box
                boxes[index] = (0.0, 0.0, 0.0, 0.0)
        return boxes[index]

    for index, char in enumerate(characters):
        if char not in _ACCENTS:
            continue
        left, bottom, right, top = box(index)
        first, last = max(0, index - _ACCENT_REACH), index + _ACCENT_REACH
        near_first = sorted(
            range(first, min(last, len(characters))), key=lambda at: abs(at - index)
        )
        for at in near_first:
            letter = "i" if characters[at] == "ı" else characters[at]
            if len(letter) != 1 or not letter.isalpha():
                continue
            joined = unicodedata.normalize("NFC", letter + _ACCENTS[char])
            if len(joined) != 1:
                continue
            low, foot, high, head = box(at)
            near = _ACCENT_GAP * (head - foot)
            if low <= (left + right) / 2 <= high and foot - near < top and bottom < head + near:
                characters[at] = joined
                characters[index] = ""
                _remove_gap(characters, index, box)
                break


def _remove_gap(
    characters: list[str], index: int, box: Callable[[int], tuple[float, float, float, float]]
) -> None:
    """Remove the spaces that PDFium put beside an accent inside a word, and all but one elsewhere.

    Args:
        index: where the accent was.
        box: returns left, bottom, right and top of a character.
    """
    before, after = index - 1, index + 1
    while before >= 0 and characters[before] in ("", " "):
        before -= 1
    while after < len(characters) and characters[after] in ("", " "):
        after += 1
    if before < 0 or after == len(characters):
        return
    left, right = box(before), box(after)
    is_word = characters[before].isalpha() and characters[after].isalpha()
    is_word = is_word and abs(right[0] - left[2]) < _LETTER_GAP * (left[3] - left[1])
    n_spaces = characters[before + 1 : after].count(" ")
    for between in range(before + 1, after):
        characters[between] = ""
    if n_spaces and not is_word:
        characters[before + 1] = " "


def _write_head(page: FirstPage, head: TitleHead) -> str:
    """Return the text of a title page with the paragraphs of its head in place of their lines.

    "" where its characters are not known, and where some of them are in a table.
    """
    known = page.tables or page.characters
    indexes = {index for row in head.rows for index in row.indexes}
    if not page.characters or any(known[index] != page.characters[index] for index in indexes):
        return ""
    paragraphs = "\n".join(HEAD_LINE + paragraph for paragraph in write_head(head))
    parts = [
        "" if index in indexes else char if page.tables else _MARKS.sub("", char)
        for index, char in enumerate(known)
    ]
    parts[min(indexes)] = f"\n{paragraphs}\n"
    return "".join(parts)


def _is_picture(page: Any, has_letters: bool) -> bool:
    """Return whether a page with few letters shows a picture of a text, or a text as outlines.

    A page without letters is one if there is anything on it; one with a few, if pictures cover most
    of it.
    """
    import pypdfium2.raw as pdfium

    width, height = page.get_size()
    covered = 0.0
    for thing in itertools.islice(page.get_objects(max_depth=2), _MAX_OBJECTS):
        if not has_letters:
            return True
        if thing.type == pdfium.FPDF_PAGEOBJ_IMAGE:
            left, bottom, right, top = thing.get_bounds()
            across = min(right, width) - max(left, 0.0)
            down = min(top, height) - max(bottom, 0.0)
            covered += max(0.0, across) * max(0.0, down)
    return bool(covered > _PICTURE_SHARE * width * height)


def _write_tables(
    page: Any, text_page: Any, first: int, last: int, text: str, characters: Sequence[str]
) -> list[str]:
    """Return the text of a page with the rows of its tables as lines, [] if it has none.

    Args:
        characters: the text by PDFium's index of a character; [] if not known.

    Returns:
        One string for each character of PDFium, from index 0.
    """
    if not 0 < last - first <= MAX_CHARS:
        return []
    across, down = read_rules(page)
    if not has_hint(text, len(across)):
        return []
    tables = find_page_tables(read_page_words(text_page, first, last), across, down)
    if not tables:
        return []
    table_at = {index: number for number, table in enumerate(tables) for index in table.indexes}
    parts: list[str] = []
    written: set[int] = set()
    known = characters or [*([""] * first), *read_characters(text_page, first, last)]
    for index, char in enumerate(known):
        number = table_at.get(index)
        if number is None:
            parts.append(_MARKS.sub("", char))
        elif number not in written:
            written.add(number)
            parts.append("\n" + "\n".join(write_rows(tables[number])) + "\n")
        else:
            parts.append("")
    return parts


def _shown_range(text_page: Any) -> tuple[int, int]:
    """Return the range of characters without those at both ends that PDFium leaves out.

    `get_text_range` skips them by recursion, which fails for many.
    """
    from pypdfium2.raw import FPDFText_GetTextIndexFromCharIndex as find_text_index

    first, last = 0, min(text_page.count_chars(), _MAX_PAGE_CHARS)
    while first < last and find_text_index(text_page, first) < 0:
        first += 1
    while first < last and find_text_index(text_page, last - 1) < 0:
        last -= 1
    return first, last


def _split_lines(page_text: str) -> list[str]:
    """Return the lines of a page without control characters, private-use glyphs and ligatures.

    PDFium replaces the hyphen and line break inside a word by a soft mark. The mark stays until
    `join_page`, so that the width of lines is known.
    """
    text = _SOFT_MARKS.sub(_SOFT_BREAK, page_text).replace("\r\n", "\n").replace("\r", "\n")
    text = _LIGATURES.sub(lambda m: unicodedata.normalize("NFKC", m.group()), text)
    cleaned = (_REMOVED.sub("", raw).replace("\xa0", " ").rstrip() for raw in text.split("\n"))
    lines = (re.sub(f"{_SOFT_BREAK}+$", "-", line) for line in cleaned)
    return [line for line in lines if line.strip()]


def drop_running_lines(pages: Sequence[list[str]]) -> list[list[str]]:
    """Return the pages without running headers and footers and lines with only a page number."""
    filled = [page for page in pages if page]
    if len(filled) < 3:
        return [list(page) for page in pages]
    counts: Counter[tuple[int, str]] = Counter()
    for page in filled:
        for place in _edges(page):
            counts[place, _shape(page[place])] += 1
    needed = max(3, len(filled) // 2 + 1)
    # Odd and even pages often have different headers.
    needed_half = max(6, len(filled) * 2 // 5)
    kept: list[list[str]] = []
    for page in pages:
        dropped = set()
        for place in _edges(page):
            n, is_number = counts[place, _shape(page[place])], _PAGE_NUMBER.match(page[place])
            if n >= (needed if is_number else min(needed, needed_half)):
                dropped.add(place % len(page))
        kept.append([line for i, line in enumerate(page) if i not in dropped])
    return kept


def _edges(page: list[str]) -> tuple[int, ...]:
    if len(page) >= 6:
        return (0, 1, -2, -1)
    return (0, -1) if len(page) >= 2 else (-1,) if page and _PAGE_NUMBER.match(page[0]) else ()


def _shape(line: str) -> str:
    if _PAGE_NUMBER.match(line):
        return "#"
    return re.sub(r"\d+", "#", re.sub(r"\s+", "", line)).lower()[:80]


MIN_HALF = 3  # letters: shorter words are too often syllables, as "in", "al" and "re"
LANGUAGE_CHARS = 20_000  # of the document, from which its language is detected


class LineJoiner:
    """Decides how two lines are joined, from the line width and words of the whole document."""

    def __init__(self, pages: Sequence[list[str]]) -> None:
        lines = [
            line for page in pages for line in page if not _is_row(line) and line[0] != HEAD_LINE
        ]
        widths = sorted(map(_width, lines))
        self._width = widths[int(len(widths) * 0.85)] if widths else 80
        found = Counter(
            word
            for line in lines
            for word in re.findall(r"[^\W\d_][\w-]+", line.replace(_SOFT_BREAK, ""))
        )
        self._words: Counter[str] = Counter()
        for word, n in found.items():
            self._words[word.lower()] += n
        self._as_written = frozenset(found)
        sample = " ".join(itertools.islice(lines, LANGUAGE_CHARS // 40))[:LANGUAGE_CHARS]
        self._is_english = detect_language(sample) == "en"
        self._broken = Counter(
            (match[1] + match[2]).lower() for line in lines for match in _BROKEN_WORD.finditer(line)
        )

    def join(self, line: str, following: str) -> tuple[str, str]:
        """Return the line, perhaps without its hyphen, and the text before the next line."""
        if line[:1] == HEAD_LINE or following[:1] == HEAD_LINE:
            return line, "\n\n"
        if _is_row(line) or _is_row(following):
            goes_on = _is_row(line) and (
                following[0] == TABLE_ROW or (_is_row(following) and _continues(line, following))
            )
            return line, "\n" if goes_on else "\n\n"
        head = following.lstrip(" \u3000")
        last, first = line[-1:], head[:1]
        cjk = bool(_CJK.match(last)) and bool(_CJK.match(first))
        gap = "\n" if cjk or _CJK.match(first) else "\n\n"
        if first in ",.;:)，。；：、）」』”" and not following.startswith("..."):
            return line, ""
        indented = len(following) - len(head) >= 2
        if indented or _ITEM.match(following) or _HEADING.match(following):
            return line, gap
        short = _width(line) < 0.8 * self._width
        if _TERMINAL.search(line) and short:
            return line, gap
        if _width(line) < 0.55 * self._width and not first.islower() and last not in ",，、;；-":
            return line, gap
        if last == "-" and line[-2:-1].isalpha() and first.islower():
            return self._join_hyphenated(line, head), ""
        return line, "" if cjk else " "

    def mend_broken_words(self, text: str) -> str:
        """Replace soft marks: by a hyphen in compounds that the document writes with one."""

        def mend(match: re.Match[str]) -> str:
            first, second = match[1], match[2]
            joined = (first + second).lower()
            n_joined = self._words[joined] - self._broken[joined]
            n_hyphenated = self._words[f"{first}-{second}".lower()]
            keeps = n_hyphenated > n_joined
            if not n_joined and not n_hyphenated:
                follows_hyphen = text[max(0, match.start() - 1) : match.start()] == "-"
                keeps = self._is_compound(first, second, follows_hyphen=follows_hyphen)
            return f"{first}-{second}" if keeps else first + second

        return _BROKEN_WORD.sub(mend, text).replace(_SOFT_BREAK, "")

    def _is_compound(self, first: str, second: str, *, follows_hyphen: bool) -> bool:
        """Return whether a broken word is an English compound with a hyphen, by its two halves.

        That is so if both are words of the document, and together no word of English. English
        writes compounds of its small words as one word ("whenever"), and German all of them.

        Args:
            follows_hyphen: there is a hyphen before the first half, as in "state-of-the-art".
        """
        if not self._is_english or min(len(first), len(second)) < MIN_HALF:
            return False
        if first.istitle():  # perhaps a name, such as "Kingstead"
            return False
        halves = (second,) if follows_hyphen else (first, second)
        if any(half.lower() in _small_words() for half in halves):
            return False
        are_words = second in self._as_written and first in self._as_written
        return are_words and not is_english_word(first + second)

    def _join_hyphenated(self, line: str, following: str) -> str:
        """Remove the hyphen at the end of a line unless the document writes the word with it."""
        before = re.search(rf"(?<!{_LETTER}){_LETTER}++-$", line)
        after = re.match(r"[^\W\d_]+", following)
        if before and after:
            hyphenated = (before.group() + after.group()).lower()
            if self._words[hyphenated] > self._words[hyphenated.replace("-", "")]:
                return line
        return line[:-1]


@lru_cache
def _small_words() -> frozenset[str]:
    """Return English pronouns, prepositions, adverbs and the like."""
    return WordLists("stop_words").words("english")


def _is_row(line: str) -> bool:
    return line.startswith((TABLE_START, TABLE_ROW))


def _continues(line: str, following: str) -> bool:
    """Return whether a table goes on after a page break, judged by its columns."""
    return line.count(CELL_SEPARATOR) == following.count(CELL_SEPARATOR)


def join_page(lines: list[str], joiner: LineJoiner) -> str:
    """Return the text of a page with one paragraph per line."""
    parts: list[str] = []
    for line, following in zip_longest(lines, lines[1:]):
        joined, gap = joiner.join(line, following) if following is not None else (line, "")
        parts += [joined.lstrip(" \u3000"), gap]
    return _MARKS.sub("", joiner.mend_broken_words("".join(parts)))


def _width(line: str) -> int:
    line = line.rpartition(_SOFT_BREAK)[2]
    return len(line) + len(_CJK.findall(line))


def assemble_pages(raw: Sequence[str], labels: Sequence[str]) -> tuple[str, list[Page]]:
    """Return the text of pages without running lines, and where the pages are in it."""
    lines = drop_running_lines([_split_lines(text) for text in raw])
    joiner = LineJoiner(lines)
    parts: list[str] = []
    pages: list[Page] = []
    length = 0
    last = ""
    for index, page in enumerate(lines):
        if page and last:
            tail = parts.pop()
            joined_line, gap = joiner.join(last, page[0])
            removed = len(last) - len(joined_line)
            tail = tail[: len(tail) - removed] if removed else tail
            parts += [tail, gap]
            length += len(gap) - removed
            if removed and pages:
                before = next(p for p in reversed(pages) if p.end > p.start)
                at = before.index
                pages[at] = Page(at, before.label, before.start, before.end - removed)
        text = join_page(page, joiner)
        pages.append(Page(index, labels[index], length, length + len(text)))
        if page:
            parts.append(text)
            length += len(text)
            last = page[-1]
    return "".join(parts), pages


def _metadata(document: Any) -> dict[str, str]:
    try:
        return {k: v.replace("\x00", "") for k, v in document.get_metadata_dict().items() if v}
    except (ValueError, UnicodeError):
        return {}


def _bibliography(
    metadata: dict[str, str], page: TitlePage, raw: Sequence[str], stem: str
) -> dict[str, str]:
    """Return title, author, year, DOI and ISBN from the metadata and the first pages.

    What the metadata says counts if the first pages say it too, or say nothing.
    """
    first = raw[0] if raw and len(raw[0].strip()) > 400 else "\n".join(raw[:2])
    head = "\n".join(raw[:4])[:HEAD_CHARS]
    given, author = clean_title(metadata.get("Title", "")), clean_author(metadata.get("Author", ""))
    known = fold("\n".join(raw[:3])[:20_000])
    folded = fold(given)
    if folded in ("", fold(stem)) or (folded not in known and page.title):
        given = ""
    is_longer = bool(folded) and folded in fold(page.title) and len(page.title) < 3 * len(given)
    title = page.title if is_longer or not given else given
    is_same = fold(title) in fold(page.title) or fold(page.title) in fold(title)
    found = "; ".join(page.authors) if is_same else ""
    if (
        author
        and all(fold(name) in known for name in author.split("; "))
        and len(found) < len(author)
    ):
        found = author
    doi, stamped = find_arxiv_stamp(first)
    made = re.match(r"D?:?(\d{4})", metadata.get("CreationDate", ""))
    year = made.group(1) if made and "1500" < made.group(1) < "2100" else ""
    return {
        "title": title or clean_title(metadata.get("Title", "")),
        "author": found or author,
        "year": stamped or page.year or year,
        "doi": find_doi("\n".join((metadata.get("Title", ""), metadata.get("Subject", ""), first)))
        or doi,
        "isbn": find_isbn(head),
    }


def _bookmarks(document: Any) -> list[tuple[int, str, int]]:
    import pypdfium2

    found: list[tuple[int, str, int]] = []
    try:
        for mark in document.get_toc():
            target = mark.get_dest()
            index = target.get_index() if target is not None else None
            title = " ".join(UNREADABLE.sub("", mark.get_title()).split())
            if index is not None and title:
                found.append((mark.level + 1, title[:200], index))
            if len(found) >= _MAX_BOOKMARKS:
                break
    except (pypdfium2.PdfiumError, UnicodeError, ValueError):
        pass
    return found


_DASHES, _QUOTES, _APOSTROPHES = "-‐‑‒–—−", '"“”„«»', "'‘’′"
_SAME_SIGNS = {
    sign: f"[{re.escape(signs)}]" for signs in (_DASHES, _QUOTES, _APOSTROPHES) for sign in signs
}
NUMBER_CHARS = 14  # of "Chapter 12." or "3.1" before a title on its line


def _outline(bookmarks: list[tuple[int, str, int]], text: str, pages: list[Page]) -> list[Heading]:
    """Return bookmarks as headings at the offset of their title, else at the start of the page.

    A title that is on its page several times, in a figure or a sentence too, is where it has a line
    of its own, and not before the title of the bookmark above.
    """
    headings: list[Heading] = []
    above = 0
    for level, title, index in bookmarks:
        if not 0 <= index < len(pages):
            continue
        page = pages[index]
        start, number = _find_title(title, text[page.start : page.end], max(0, above - page.start))
        title = f"{number} {title}" if number else title
        above = page.start + start
        headings.append(Heading(min(level, 6), title, above, index))
    # pages that wait to be read have no text, and their headings the same start
    headings.sort(key=lambda h: (h.start, h.page_index or 0))
    return headings


def _find_title(title: str, text: str, above: int) -> tuple[int, str]:
    """Return the offset of a title in the text of its page and the number printed before it.

    The title is at `above` or after it if possible. Many files name a section without the number
    that its page has; the number is "" where the title has it or the page has none.
    """
    # bookmarks have plain signs where the page has typographic ones
    signs = (_SAME_SIGNS.get(c, re.escape(c)) for c in re.sub(r"\s+", "", title)[:60])
    pattern = r"\s*".join(signs)
    places = [match.span() for match in re.finditer(pattern, text, re.I)]

    def number_before(start: int) -> re.Match[str] | None:
        return _SECTION_NUMBER.search(text, text.rfind("\n", 0, start) + 1, start)

    def rank(place: tuple[int, int]) -> tuple[bool, bool, int]:
        before = text[text.rfind("\n", 0, place[0]) + 1 : place[0]].strip()
        begins = len(before) <= NUMBER_CHARS or number_before(place[0]) is not None
        end = text.find("\n", place[1])
        after = text[place[1] : len(text) if end < 0 else end].strip()
        has_own_line = begins and len(after) <= NUMBER_CHARS
        return place[0] < above, not has_own_line, place[0]

    if not places:
        return (above if above < len(text) else 0), ""
    start = min(places, key=rank)[0]
    number = number_before(start)
    return (number.start(1), number[1]) if number else (start, "")


def note_pages(
    raw: Sequence[str], pictures: Sequence[int], scanned: Mapping[int, str]
) -> list[Message]:
    """Return what the user should know about pages without text.

    Args:
        raw: the texts of all pages.
        scanned: of those that were read as pictures.
    """
    waiting = {i for i in pictures if i not in scanned}
    notes = [note_pictures(len(waiting), len(raw))] if waiting else []
    if empty := [i for i, text in enumerate(raw) if not text.strip() and i not in waiting]:
        shown = ", ".join(str(i + 1) for i in empty[:12]) + (" …" if len(empty) > 12 else "")
        notes.append(note_empty_pages(len(empty), len(raw), shown))
    return notes
