"""Title, authors and year from the layout of a PDF's first pages.

The title is the largest text in the upper part of a page that also has smaller text; the authors
are the names below it. In doubt nothing is returned: the name of the file is a better title than
a wrong one. The rules were made on half of the files of `benchmarks.metadata` and measured on the
other half and on generated pages.
"""

from __future__ import annotations

import ctypes
import math
import re
import statistics
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from ...person_names import is_east_asian, looks_like_person
from ...writing_systems import CJK, HAN, KANA
from .document_builder import is_generic

_MAX_CHARS = 6_000  # of a page
_MAX_RUNS = 300  # of a page; joining them takes the square
TITLE_PAGES = 3  # that are searched for a title
MARK = "\x1f"  # in place of a superscript, which separates names
_COLUMN = "\t"  # in place of a wide gap

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|spring|summer|autumn|fall|winter)"
)
_YEAR = r"((?:1[5-9]|20)\d\d)"
_DATE = re.compile(
    rf"\b{_MONTH}\.?(?:\s+\d{{1,2}}(?:st|nd|rd|th)?)?,?\s+{_YEAR}\b|"
    rf"\b\d{{1,2}}\.?\s+[^\W\d_]{{3,10}}\.?,?\s+{_YEAR}\b|{_YEAR}\s*年\s*\d{{1,2}}\s*月",
    re.I,
)
_DATED = re.compile(
    r"\b(?:date|dated|received|accepted|published|revised|updated|version|edition|auflage|issued)\b",
    re.I,
)
_PUBLISHED = re.compile(r"\b(?:published|available online|issued)\b", re.I)
_ACCEPTED = re.compile(r"\baccepted\b", re.I)
_BEFORE = re.compile(r"\b(?:received|submitted|revised)\b", re.I)  # than the year of publication
# "Vol. 12, No. 3, May 2016", "20 (2020) 118", "(2020) 20:118", 第35卷 第4期 2016年
_ISSUE = re.compile(
    rf"\bvol(?:ume)?\.?\s*\d+\b.{{0,60}}?\b{_YEAR}\b|\b\d{{1,4}}\s*\({_YEAR}\)|"
    rf"\({_YEAR}\)\s*\d{{1,4}}\s*[:,]|第\s*\d+\s*[卷期].{{0,40}}?{_YEAR}\s*年",
    re.I,
)
_HEADER_ROWS = 4  # in which a journal names its issue
_MASTHEAD = re.compile(r"contents lists? available", re.I)  # then the journal's name, and …
_MASTHEAD_END = re.compile(r"journal homepage", re.I)
_COPYRIGHT = re.compile(
    rf"(?:©|\(c\)|copyright)[^\n]{{0,60}}?\b{_YEAR}(?:,\s*{_YEAR})*\b|\b{_YEAR}\s*(?:©|IEEE|ACM|Elsevier|Springer)",
    re.I,
)
_NOISE = re.compile(
    r"^(?:arxiv\s*:|doi\b|https?://|www\.|issn\b|isbn\b|vol(?:ume)?\.?\s*\d|no\.\s*\d|page\s+\d|"
    r"published\b|accepted\b|received\b|submitted\b|to appear\b|under review|preprint\b|"
    r"available online|"
    r"contents lists?\b|journal homepage|proceedings of|copyright|©|draft\b|confidential|"
    r"downloaded from|see discussions|this (?:paper|article|work|version)|front cover|"
    r"technical report\b|working papers?\b|"
    r"(?:doctoral|master(?:[’']?s)?|bachelor(?:[’']?s)?|ph\.?\s?d\.?) (?:thesis|dissertation)\b|"
    r"(?:硕士|博士|学士|本科|研究生)?(?:学位|毕业)(?:论文|设计)\s*$|附件|目\s*录$|第\s*\d+\s*[卷期])",
    re.I,
)
_STOP = re.compile(
    r"^(?:abstract|a b s t r a c t|summary|introduction|1\.?\s+introduction|keywords?|index terms|"
    r"contents|table of contents|摘\s*要|关键词|目\s*[录錄])\b|^abstract\s*[—–:-]",
    re.I,
)
_LABELLED = re.compile(
    r"^(?P<label>title|titel|titre|题目|題目|标题|標題|书名|書名|论文题目|作者姓名|学生姓名|研究生姓名|authors?|author\(s\)|"
    r"by|written by|autor(?:en)?|作者|著者|编著)\s*[:：]\s*(?P<value>\S.*)$",
    re.I,
)
_ONLY_BY = re.compile(r"(?:by|written by|von|par|por|author|submitted by|presented by)\s*:?", re.I)
_BY = re.compile(r"^(?:by|written by|edited by|von|par)\s+(?=\S)", re.I)
_ZH_ROLE = re.compile(r"[\s\u3000]*(?:编?著|主?编|編?著|主編|撰|等)$")
_NUMBERED = re.compile(
    r"(?:\d{1,3}(?:\.\d+)*\.?|[IVX]{1,5}\.|[（(]?[一二三四五六七八九十]{1,3}[、)）])\s*[^\W\d]|"
    r"第[一二三四五六七八九十百\d]+[章节節回]|(?:chapter|section|part|appendix)\s+[\divx]+\b",
    re.I,
)
_CLEAN_WORD = re.compile(r"[(“\"'‘«]*[^\W_]+(?:[-–—'’./&+][^\W_]*)*[)”\"'’»,:;.?!*]*|[-–—&|/]")
_FUNCTION_WORD = re.compile(
    r"\b(?:a|an|the|of|in|on|for|and|to|with|how|why|what|from|by|as|at|der|die|das|und|für|le|la|"
    r"les|des|et|el|los|del|y)\b"
)
_ENDS_OPEN = re.compile(r"\b(?:a|an|the|of|in|on|for|and|or|to|with|from|by|as|at)$", re.I)
_ORGANISATION = re.compile(
    r"\b(?:universit|institut|department|facult|school of|college|academ|laborator|compan|press\b)",
    re.I,
)
_HAN_START = re.compile(f"[{HAN}{KANA}]")
_HAN_END = re.compile(f"[{HAN}{KANA}，、：（]$")
_STRANGE_SIGN = re.compile(r"[^\w\s，。、：；！？—…·\-–~“”‘’（）()《》〈〉「」『』\"'%/+.,:!?&*#×]")
_LIGATURES = re.compile("[\ufb00-\ufb06]")
# spacing accents, which PDFs of LaTeX put before their letter
_ACCENTS = dict(
    zip(
        "´`¨˘˛ˇ˜¸ˆ˙˚˝",
        "\u0301\u0300\u0308\u0306\u0328\u030c\u0303\u0327\u0302\u0307\u030a\u030b",
        strict=True,
    )
)
_ACCENT = re.compile(f"([{''.join(_ACCENTS)}])\\s?([A-Za-zı])")
_SPLIT_NAMES = re.compile(r"(?i)[;；、，,\x1f\t|·•]|\s+(?:and|und|et|&|和|与)\s+|\s{3,}|\s*&\s*")
_SPREAD_NAME = re.compile(rf"(?<![{HAN}])([{HAN}])[\s\u3000]+([{HAN}])(?![{HAN}])")  # 孙　萌
_SYMBOLS = re.compile(r"[*∗†‡§¶‖#$+⋆★✉✝◦♦♣♠♥⊥∥?0-9⁰¹²³⁴-⁹()\[\]{}]+|\b[a-h]\b(?=\s*$)")
_OTHER_LABEL = re.compile(r"(?!author|autor)[^\W\d_]+\s*[:：]\s", re.I)  # "Present: A. Bell, …"
_LONG_NUMBER = re.compile(r"\d{4}")  # no mark of a footnote
_FOOTNOTE_WORDS = re.compile(
    r"(?:,\s*)?(?:(?:Graduate Student|Student|Senior|Life)\s+)?(?:Member|Fellow),\s*IEEE\b|"
    r"(?:,\s*)?(?:Ph\.?D|M\.?D|M\.?Sc|Dr|Prof(?:essor)?|Mr|Mrs|Ms)\b\.?",
    re.I,
)


@dataclass(slots=True)
class TextRow:
    """One row of text of a page: superscripts are replaced by `MARK`, wide gaps by a tab.

    Attributes:
        shown: the text with its superscripts, a space between them and the words beside them.
        indexes: PDFium's indexes of its characters.
    """

    text: str
    size: float
    font: str
    left: float
    right: float
    bottom: float
    top: float
    shown: str = ""
    indexes: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """The text in plain words."""
        return " ".join(self.text.replace(MARK, " ").split())


@dataclass(slots=True)
class _Run:
    """Characters that PDFium returns as one line."""

    chars: list[tuple[str, float, float, float, float]] = field(default_factory=list)
    indexes: list[int] = field(default_factory=list)
    fonts: Counter[str] = field(default_factory=Counter)
    sizes: Counter[float] = field(default_factory=Counter)
    box: tuple[float, float, float, float] = (math.inf, math.inf, -math.inf, -math.inf)


@dataclass(frozen=True, slots=True)
class TitleHead:
    """The rows of a title page from its title to its abstract, which are no prose.

    Attributes:
        page: its index.
        rows: from top to bottom.
        n_title: rows of the title and its subtitle.
        names: numbers of the rows of authors.
    """

    page: int
    rows: tuple[TextRow, ...]
    n_title: int
    names: frozenset[int]


@dataclass(frozen=True, slots=True)
class TitlePage:
    """What the first pages say; "" and () where they say nothing for certain."""

    title: str = ""
    authors: tuple[str, ...] = ()
    year: str = ""
    head: TitleHead | None = None


_BACK = 3.0  # of the font size: a character so far left of the one before begins a line
MIN_GLYPH_HEIGHT = 0.01  # of the font size; the flattest glyph, a dash, has 0.04
DESCENT, ASCENT = 0.12, 0.88  # of the em square in the usual CJK fonts

PageRows = tuple[list[TextRow], float]  # the rows of a page, and its height


def read_rows(text_page: Any, shown: Sequence[str] = ()) -> list[TextRow]:
    """Return the rows of a page from top to bottom, without rotated text; call it with the lock.

    Args:
        shown: the characters by PDFium's index, where they differ from PDFium's.
    """
    from pypdfium2 import raw

    runs: list[_Run] = []
    run = _Run()
    name, flags, matrix = ctypes.create_string_buffer(64), ctypes.c_int(), raw.FS_MATRIX()
    corners = [ctypes.c_double() for _ in range(4)]
    x, y = ctypes.c_double(), ctypes.c_double()
    base = 0.0  # of the character before
    for at in range(min(text_page.count_chars(), _MAX_CHARS)):
        char = shown[at] if at < len(shown) else chr(raw.FPDFText_GetUnicode(text_page, at))
        if char in ("\r", "\n", "\r\n"):
            if run.sizes:
                runs.append(run)
            if len(runs) > _MAX_RUNS:
                break
            run = _Run()
            continue
        if char in "\x02\ufffe\xad" or (not char.isprintable() and not char.isspace()):
            run.indexes.append(at)
            continue
        if char.isspace():
            run.indexes.append(at)
            run.chars.append((" ", 0.0, 0.0, 0.0, 0.0))
            continue
        if not raw.FPDFText_GetMatrix(text_page, at, matrix):
            continue
        if abs(matrix.b) > abs(matrix.d) * 0.3:  # rotated, such as the stamp of arXiv
            continue
        scale = math.hypot(matrix.c, matrix.d)
        size = round(raw.FPDFText_GetFontSize(text_page, at) * scale, 1)
        left, right, bottom, top = corners
        raw.FPDFText_GetCharBox(text_page, at, left, right, bottom, top)
        raw.FPDFText_GetCharOrigin(text_page, at, x, y)
        if top.value - bottom.value < MIN_GLYPH_HEIGHT * size:
            # a font that the file does not hold and the system lacks has glyphs without height
            bottom.value, top.value = y.value - DESCENT * size, y.value + ASCENT * size
        if run.sizes and left.value < run.box[2] - _BACK * size and y.value < base - 0.3 * size:
            runs.append(run)  # PDFium joins short lines to one
            run = _Run()
        base = y.value
        run.indexes.append(at)
        n = raw.FPDFText_GetFontInfo(text_page, at, name, 64, flags)
        run.fonts[name.raw[: max(0, min(n, 64) - 1)].decode("utf-8", "ignore")] += 1
        run.sizes[size] += 1
        run.chars.append((char, size, left.value, right.value, y.value))
        a, b, c, d = run.box
        run.box = (min(a, left.value), min(b, bottom.value), max(c, right.value), max(d, top.value))
    runs.append(run)
    return _join_runs([run for run in runs if run.sizes])


def _join_runs(runs: list[_Run]) -> list[TextRow]:
    """Join runs on the same line that are close to each other."""
    lines: list[list[_Run]] = []
    heights: list[tuple[float, float]] = []
    for run in sorted(runs, key=lambda r: -max(r.sizes)):
        bottom, top = run.box[1], run.box[3]
        if len(run.chars) < 8:  # perhaps superscripts: they begin above the line
            bottom -= 0.5 * max(run.sizes)
        best, most = -1, (False, 0.0)
        for i, (low, high) in enumerate(heights):
            overlap = min(top, high) - max(bottom, low)
            similar = max(run.sizes) > 0.85 * max(lines[i][0].sizes) or len(run.chars) < 8
            # a superscript is beside characters of its line, and may be below those of another
            is_beside = not any(_covers(other, run) for other in lines[i])
            if not is_beside and len(run.chars) >= 8:
                continue
            if similar and overlap > 0.35 * (top - bottom) and (is_beside, overlap) > most:
                best, most = i, (is_beside, overlap)
        if best < 0:
            lines.append([run])
            heights.append((bottom, top))
        else:
            lines[best].append(run)
    rows = [_build_row(line) for line in lines]
    return sorted((row for row in rows if row.words), key=lambda row: (-round(row.top), row.left))


def _covers(run: _Run, other: _Run) -> bool:
    """Return whether a run has characters above or below most of another run."""
    shared = min(run.box[2], other.box[2]) - max(run.box[0], other.box[0])
    return shared > 0.5 * (other.box[2] - other.box[0])


def _build_row(line: list[_Run]) -> TextRow:
    line.sort(key=lambda run: run.box[0])
    sizes = sum((run.sizes for run in line), Counter[float]())
    fonts = sum((run.fonts for run in line), Counter[str]())
    size = max(s for s, n in sizes.items() if n * 20 >= sizes.total() or n >= 3 or len(sizes) == 1)
    bases = Counter(round(c[4], 1) for run in line for c in run.chars if c[1] >= 0.9 * size)
    base = bases.most_common(1)[0][0] if bases else 0.0
    parts: list[str] = []
    shown: list[str] = []
    last = -math.inf
    was_raised = False
    for run in line:
        is_first = True
        for char, own, left, right, y in run.chars:
            if char == " ":
                parts.append(" ")
                shown.append(" ")
                continue
            gap = ""
            if last > -math.inf and left - last > 0.95 * size:
                gap = _COLUMN
            elif is_first and parts and left - last > 0.15 * size:
                gap = " "
            is_first = False
            raised = abs(y - base) > 0.1 * size and own < 0.86 * size
            parts += [gap, MARK if raised else char]
            if raised != was_raised and shown and shown[-1].isalnum() and char.isalnum():
                gap = gap or " "
            shown += [gap, char]
            was_raised = raised
            last = max(last, right) if left >= last - size else right
    boxes = [run.box for run in line]
    return TextRow(
        _clean_row(parts),
        size,
        fonts.most_common(1)[0][0],
        min(b[0] for b in boxes),
        max(b[2] for b in boxes),
        min(b[1] for b in boxes),
        max(b[3] for b in boxes),
        _clean_row(shown),
        tuple(index for run in line for index in run.indexes),
    )


def _clean_row(parts: Sequence[str]) -> str:
    """Return the text of a row with ligatures as letters, and letters with their accents."""
    text = _LIGATURES.sub(lambda m: unicodedata.normalize("NFKC", m.group()), "".join(parts))
    return _ACCENT.sub(
        lambda m: unicodedata.normalize("NFC", m[2].replace("ı", "i") + _ACCENTS[m[1]]), text
    )


def find_title_page(pages: Sequence[PageRows], n_pages: int) -> TitlePage:
    """Return what the rows of the first pages say about the document.

    Args:
        pages: the rows of each page, and its height.
        n_pages: of the whole document.
    """
    rows = [row for page, _ in pages for row in page]
    labelled = _read_labels(rows[:80])
    found = [_find_on_page(i, page, height) for i, (page, height) in enumerate(pages)]
    best = next((i for i, (title, *_) in enumerate(found) if title), -1)
    if best > 0 and (n_pages <= 2 or any(_says_something(page) for page, _ in pages[:best])):
        best = -1
    year = _find_year([page for page, _ in pages], max(0, best))
    if labelled.title:
        return TitlePage(labelled.title, labelled.authors, year)
    if best < 0:
        return TitlePage(year=year, authors=labelled.authors)
    title, authors, is_cover, head = found[best]
    if is_cover:
        # behind a cover, the title page says the same and more
        for other, names, _, other_head in found[best + 1 :]:
            if other and fold(title) in fold(other) and len(other) < 4 * len(title) + 40:
                title, authors = max(title, other, key=len), names or authors
                head = head or other_head
                break
            if other and fold(other) in fold(title) and names and not authors:
                authors, head = names, other_head
                break
    return TitlePage(title, authors or labelled.authors, year, head)


def _says_something(rows: Sequence[TextRow]) -> bool:
    """Return whether a page without a title has other text than that of a cover."""
    return sum(len(row.words) for row in rows if not _NOISE.match(row.words)) > 200


def _read_labels(rows: Iterable[TextRow]) -> TitlePage:
    """Return what lines such as "Title: …" and 作者：… say."""
    title = ""
    authors: tuple[str, ...] = ()
    for row in rows:
        match = _LABELLED.match(row.words)
        if match is None:
            continue
        label, value = match.group("label").lower(), match.group("value").strip(" 《》")
        if label in ("by", "written by") or label.startswith(
            ("auth", "aut", "作", "著", "编", "学生", "研究生")
        ):
            authors = authors or _split_names(value)
        elif not title and _is_plausible(value):
            title = value
    return TitlePage(title, tuple(authors))


def fold(text: str) -> str:
    """Return letters and digits of a text in lower case, to compare titles."""
    text = unicodedata.normalize("NFKD", text)
    return "".join(c for c in text.casefold() if c.isalnum())


def _find_on_page(
    page: int, rows: list[TextRow], height: float
) -> tuple[str, tuple[str, ...], bool, TitleHead | None]:
    """Return title and authors on a page, whether it is a cover with little text, and its head."""
    n_chars = sum(len(row.words) for row in rows)
    if n_chars < 12 or len(rows) < 2:
        return "", (), False, None
    sizes = Counter[float]()
    for row in rows:
        sizes[round(row.size * 2) / 2] += len(row.words)
    body = sizes.most_common(1)[0][0]
    is_cover = n_chars < 600
    if is_cover:
        body = min(body, statistics.median_low([row.size for row in rows]))
    floor = (0.2 if is_cover else 0.4) * height
    masthead = _find_masthead(rows)
    usable = [
        i
        for i, row in enumerate(rows)
        if row.bottom >= floor and i not in masthead and _is_usable(row.words)
    ]
    if not usable:
        return "", (), False, None
    largest = max(rows[i].size for i in usable)
    if largest < 1.12 * body:
        return "", (), False, None
    first = next(i for i in usable if rows[i].size >= 0.97 * largest)
    if any(
        row.size >= 0.9 * largest and (is_generic(row.words) or _NUMBERED.match(row.words))
        for row in rows[:first]
    ):
        return "", (), False, None  # the first page of a chapter
    last = first
    while last + 1 < len(rows) and _continues(rows[last], rows[last + 1], largest):
        last += 1
    block = rows[first : last + 1]
    # A size that is used again further down is that of headings.
    again = [i for i in range(last + 1, len(rows)) if abs(rows[i].size - largest) < 0.04 * largest]
    if len(block) > 6 or any(_is_usable(rows[i].words) for i in again):
        return "", (), False, None
    title = _join_title(block)
    subtitle, after = _find_subtitle(rows, last + 1, largest, 0.0 if is_cover else body)
    if subtitle:
        title = f"{title.rstrip(':： ')}: {subtitle}"
    if not _is_plausible(title) or _is_form(rows, first, n_chars, title):
        return "", (), False, None
    authors, names = _find_authors(rows[after:], body, floor)
    if not authors and is_cover:
        authors = _find_authors_of_book(rows, first, after)
    head = _find_head(page, rows, first, after, names) if names else None
    return title, authors, is_cover, head


def _find_masthead(rows: Sequence[TextRow]) -> range:
    """Return the rows in which a journal names itself, in type as large as that of a title."""
    for i, row in enumerate(rows[:12]):
        if _MASTHEAD.match(row.words):
            for j in range(i + 1, min(i + 6, len(rows))):
                if _MASTHEAD_END.match(rows[j].words):
                    return range(i, j + 1)
    return range(0)


def _is_form(rows: list[TextRow], first: int, n_chars: int, title: str) -> bool:
    """Return whether a page is a table or a form, whose largest text says nothing."""
    return first > 12 or len(title) > 0.9 * n_chars


def _is_usable(words: str) -> bool:
    letters = re.findall(r"[^\W\d_]", words)
    n_wide = len(re.findall(f"[{CJK}]", words))
    if len(letters) < (2 if n_wide else 3) or _NOISE.match(words) or is_generic(words):
        return False
    if re.search(r"@|\w\.(?:com|org|net|edu|gov)\b", words):
        return False
    return not _DATE.fullmatch(words)


def _continues(row: TextRow, following: TextRow, size: float) -> bool:
    same = abs(following.size - size) <= 0.06 * size
    gap = row.bottom - following.top
    return (
        same
        and gap < 1.3 * size
        and not _STOP.match(following.words)
        and (not is_generic(following.words))
    )


def _join_title(block: Sequence[TextRow]) -> str:
    return _join_words([row.words.rstrip("*∗†‡ ") for row in block])


def _join_words(lines: Iterable[str]) -> str:
    title = ""
    for words in lines:
        if title and re.search(r"[^\W\d_]-$", title) and words[:1].islower():
            title = title[:-1] + words
        elif (
            title
            and re.match(f"[{HAN}{KANA}]", words)
            and re.search(f"[{HAN}{KANA}，、：（]$", title)
        ):
            title += words
        else:
            title += (" " if title else "") + words
    spaced = re.fullmatch(rf"(?:[{CJK}]\s+)+[{CJK}]", title)
    return title.replace(" ", "") if spaced else title


def _find_subtitle(rows: list[TextRow], at: int, size: float, body: float) -> tuple[str, int]:
    """Return the subtitle below a title, "" if there is none, and the row after it."""
    block: list[TextRow] = []
    i = at
    while i < len(rows) and len(block) < 3:
        row, words = rows[i], rows[i].words
        above = block[-1] if block else (rows[at - 1] if at else row)
        fits = 0.55 * size <= row.size < 0.95 * size and row.size > 1.12 * body
        same = not block or abs(row.size - block[0].size) < 0.05 * size
        near = above.bottom - row.top < 1.6 * above.size
        if not (fits and same and near and _is_usable(words)) or _DATE.search(words):
            break
        is_open = bool(block) and _ENDS_OPEN.search(block[-1].words) is not None
        if _BY.match(words) or _ORGANISATION.search(words):
            break
        if _split_names(row.text) and not is_open:
            break
        if not (block or _FUNCTION_WORD.search(words) or re.match(f"[—–-]|[{CJK}]{{4}}", words)):
            break
        block.append(row)
        i += 1
    return (_join_title(block), i) if block else ("", at)


def _is_plausible(title: str) -> bool:
    """Return whether a text can be a title: some words, no sentence."""
    letters = re.findall(r"[^\W\d_]", title)
    n_wide = len(re.findall(f"[{CJK}]", title))
    if len(letters) < (2 if n_wide else 4) or len(title) > 300:
        return False
    if len(letters) < 0.5 * len(title.replace(" ", "")) or is_generic(title):
        return False
    if _NUMBERED.match(title) or (not n_wide and len(title) < 6 and not title.isupper()):
        return False
    if n_wide and (
        len(letters) < 4
        or re.search(
            r"[^\w\s，。、：；！？—…·\-–~“”‘’（）()《》〈〉「」『』\"'%/+.,:!?&*#×]", title
        )
    ):
        return False
    words = title.split()
    if not n_wide and sum(map(bool, map(_CLEAN_WORD.fullmatch, words))) < 0.8 * len(words):
        return False
    return not (title.endswith((".", "。")) and len(title.split()) > 12)


def _find_authors(
    rows: Sequence[TextRow], body: float, floor: float
) -> tuple[tuple[str, ...], list[int]]:
    """Return the names in the rows below a title, up to the abstract or the text.

    Returns:
        The names, and the numbers of the rows that they are in.
    """
    at: list[int] = []
    lines: list[tuple[str, bool]] = []  # rows of names, and whether each follows the one before
    first: TextRow | None = None
    is_next = False
    n_others = 0
    for number, row in enumerate(rows[:40]):
        words = row.words
        if _STOP.match(words) or row.bottom < floor * 0.9:
            break
        if first is None and (len(words) > 160 or n_others > 2):
            break
        is_open = is_next and lines[-1][0].rstrip().endswith((",", " and", "&", "，", "、"))
        same = first is None or (row.size, row.font) == (first.size, first.font)
        rest = is_next and same and _is_rest_of_name(lines[-1][0], row.text)
        found = _split_names(row.text)
        wanted = (bool(found) and (same or is_open)) or rest
        if wanted and first is not None and not is_next and not _is_bold_or_larger(first, body):
            # names after affiliations have the look of the first; places may have it too
            wanted = MARK in row.text or len(found) > 1
        if wanted:
            first = first or row
            lines.append((row.text, rest))
            at.append(number)
        else:
            n_others += 1
            if n_others > 12:
                break
        is_next = wanted
    names: list[str] = []
    text = ""
    for line, follows in lines:
        if text and not follows:
            names += _split_names(text)
            text = ""
        text += (" " if text else "") + line
    return tuple(dict.fromkeys([*names, *_split_names(text)])), at


_MAX_OTHERS = 16  # rows between the authors and the abstract: affiliations and addresses
_LONGEST_OTHER = 160  # characters of such a row; a longer one is text


def _find_head(
    page: int, rows: Sequence[TextRow], first: int, after: int, names: Sequence[int]
) -> TitleHead:
    """Return the rows of a page from its title to its abstract, or to its last row of authors.

    Args:
        first, after: the first row of the title, and the row after its last one.
        names: numbers of the rows of authors, counted from `after`.
    """
    last = after + names[-1]
    for i in range(last + 1, min(last + 2 + _MAX_OTHERS, len(rows))):
        if _STOP.match(rows[i].words):
            last = i - 1
            break
        if len(rows[i].words) > _LONGEST_OTHER:
            break
    numbers = frozenset(after - first + number for number in names)
    return TitleHead(page, tuple(rows[first : last + 1]), after - first, numbers)


def write_head(head: TitleHead) -> list[str]:
    """Return the paragraphs of a head: title, authors, then affiliations and addresses.

    Authors with a wide gap between them are paragraphs of their own. An affiliation begins with its
    superscript; without one, it goes on in the next row where its row is as long as the longest.
    """
    found = [_join_words(" ".join(row.shown.split()) for row in head.rows[: head.n_title])]
    right = max(row.right for row in head.rows[head.n_title :])
    before: TextRow | None = None
    was_names = False
    for number, row in enumerate(head.rows[head.n_title :], head.n_title):
        is_names = number in head.names
        cells = _split_cells(row.shown) if is_names else [row.shown]
        cells = [_SPACE_BEFORE_COMMA.sub("", " ".join(cell.split())) for cell in cells]
        goes_on = before is not None and (
            was_names and len(cells) == 1 and _continues_names(before.text, row.text)
            if is_names
            else not was_names and _is_wrapped(before, row, right)
        )
        if not any(char.isalnum() for char in row.shown):  # a sign that stands a little lower
            found[-1] += "".join(cells)
            continue
        if goes_on:
            found[-1] += f" {cells.pop(0)}"
        found += cells
        before, was_names = row, is_names
    return found


def _continues_names(above: str, row: str) -> bool:
    """Return whether a list of authors goes on in the next row."""
    return bool(
        re.search(rf"(?:[,;&，、；]|\b(?:and|und|et))[\s{MARK}]*$", above)
        or re.match(r"\s*(?:and|und|et|&)\s", row)
        or _is_rest_of_name(above, row)
    )


_SPACE_BEFORE_COMMA = re.compile(r" +(?=[,;])")


def _split_cells(row: str) -> list[str]:
    """Return the parts of a row of authors between wide gaps, if each of them has a name."""
    cells: list[str] = []
    for cell in row.split(_COLUMN):
        if cells and not cell.strip()[:1].isalpha():  # after a sign that is not a letter
            cells[-1] += f" {cell}"
        elif cell.strip():
            cells.append(cell)
    return cells if all(map(_split_names, cells)) else [" ".join(cells)]


_FULL_ROW = 0.94  # of the right edge of the longest row


def _is_wrapped(above: TextRow, row: TextRow, right: float) -> bool:
    """Return whether an affiliation goes on in a row."""
    if "@" in above.text + row.text or row.text.lstrip().startswith(MARK):
        return False
    return abs(above.size - row.size) < 0.04 * row.size and above.right > _FULL_ROW * right


def _find_authors_of_book(rows: Sequence[TextRow], first: int, after: int) -> tuple[str, ...]:
    """Return the names after a row "by", or in the row above the title of a cover."""
    for row, following in zip(rows[after:], rows[after + 1 :], strict=False):
        if _ONLY_BY.fullmatch(row.words) and (names := _split_names(following.text)):
            return names
    names = ()
    for row in reversed(rows[:first]):  # several authors, one below the other
        above = _split_names(row.text) if abs(row.size - rows[first - 1].size) < 0.5 else ()
        if not above:
            break
        names = (*above, *names)
    return names


def _is_rest_of_name(above: str, text: str) -> bool:
    """Return whether a row begins with the last word of a name in the row above."""
    if re.search(rf"[,;&{MARK}{_COLUMN}\d*∗†‡]\s*$|\band\s*$", above):
        return False
    match = re.match(
        rf"([^\W\d_][^\W\d_’'-]+)(?:\s?[{MARK}]|[{_COLUMN},;\d∗†‡*]|\s+and\b)", text.strip()
    )
    if match is None or _DATE.search(text):
        return False
    name = f"{_SPLIT_NAMES.split(above)[-1]} {match.group(1)}"
    return looks_like_person(" ".join(_SYMBOLS.sub(" ", name).split()))


def _is_bold_or_larger(row: TextRow, body: float) -> bool:
    return "bold" in row.font.lower() or "medi" in row.font.lower() or row.size > 1.08 * body


def _split_names(text: str) -> tuple[str, ...]:
    """Return the names in a row of authors; () if it is something else."""
    text = re.sub(r"\S+@\S+|https?://\S+", " ", text)
    text = _BY.sub("", text.strip()).rstrip(" .,;")
    if _OTHER_LABEL.match(text):
        return ()
    text = _FOOTNOTE_WORDS.sub(" ", text)
    text = _SPREAD_NAME.sub(r"\1\2", text)
    names: list[str] = []
    n_others = 0
    for part in _SPLIT_NAMES.split(text):
        has_number = _LONG_NUMBER.search(part) is not None
        part = _ZH_ROLE.sub("", _SYMBOLS.sub(" ", part))
        part = " ".join(part.split()).strip(" .,;:：-–—´˛˘¨`")
        if not part or has_number:
            n_others += has_number
            continue
        part = re.sub(r"^(?:and|und|et|&)\s+", "", part)
        if is_east_asian(part):
            several = [word for word in part.split() if looks_like_person(word)]
            if len(several) == len(part.split()):
                names += several
                continue
            part = part.replace(" ", "")
        if looks_like_person(part):
            names.append(part.title() if part.isupper() and len(part) > 5 else part)
        elif len(part) > 2:
            n_others += 1
    return tuple(names) if names and n_others * 2 <= len(names) else ()


def _find_year(pages: Sequence[Sequence[TextRow]], at: int) -> str:
    """Return the year of publication that the first pages state.

    Args:
        at: the page with the title.
    """
    last = date.today().year + 1

    def find(pattern: re.Pattern[str], words: str) -> str:
        match = pattern.search(words)
        years = [group for group in match.groups() if group] if match else []
        return years[-1] if years and int(years[-1]) <= last else ""

    for page in pages:
        for row in page:
            if year := find(_COPYRIGHT, row.words):
                return year
    if not pages:
        return ""
    by_rank: dict[int, str] = {}
    for row in pages[at][:_HEADER_ROWS]:
        if year := find(_ISSUE, row.words):
            by_rank.setdefault(1, year)
    for row in pages[at]:
        for rank, year in _list_dates(row.words):
            if int(year) <= last:
                by_rank.setdefault(rank, year)
    return by_rank[min(by_rank)] if by_rank else ""


def _list_dates(words: str) -> Iterator[tuple[int, str]]:
    """Yield the years of the dates in a row; 0: of publication, 2: of acceptance, 3: others."""
    if len(words) > 100:
        return
    start = 0
    for match in _DATE.finditer(words):
        before, start = words[start : match.start()], match.end()
        year = next(group for group in match.groups() if group)
        if _PUBLISHED.search(before):
            yield 0, year
        elif _ACCEPTED.search(before):
            yield 2, year
        elif not _BEFORE.search(before) and (
            len(match.group()) * 2 >= len(words) or _DATED.search(words)
        ):
            yield 3, year
