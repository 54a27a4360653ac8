"""Reader of Excel workbooks (.xlsx, .xlsm): sheets as headings, rows as lines with their headers.

openpyxl reads the workbook: its sheets, shared texts and number formats. The cells are read from
the XML of the sheets, because openpyxl's objects of them take twice as long. Formulas give the
values that Excel stored; where a program that does not calculate stored none, they stand for
themselves. What a number looks like is decided here from its number format, because no library does
it.
"""

from __future__ import annotations

import datetime
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import IO, Any

from lxml import etree

from ...errors import AppError
from ...messages import Message
from ...model import ReadDocument
from ...progress import CancelToken
from ..document_notes import note_hidden_sheet
from .archives import Archive, RowCounter, Unreadable, local_name
from .cell_spans import merge_ranges
from .document_builder import build_document, clean_author, clean_title
from .flow_figures import HEAD_BYTES, PictureMark, build_figures
from .sheet_pictures import place_sheet_pictures
from .strict_ooxml import load_transitional
from .tables import clean_cell, format_tables
from .text_builder import TextBuilder

MAX_COLUMNS = 2_000
_SHARED = "…"  # a formula that is that of another cell, for this place
_SAVE_AGAIN = Message("Open it in Excel or LibreOffice and save it again.")


def read_xlsx(content: bytes, stem: str, cancel: CancelToken | None = None) -> ReadDocument:
    """Return the workbook as one text.

    Raises:
        Unreadable: it is damaged, or has no cell with a value.
        Cancelled: the token was set.
    """
    import openpyxl

    archive = Archive(content)  # checks its sizes
    known = load_transitional(content, archive, "xl/workbook.xml", unread="xl/worksheets/")
    try:
        book = openpyxl.load_workbook(BytesIO(known), read_only=True, data_only=True)
    except (AppError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises what its parts raise
        raise Unreadable("its list of sheets is damaged.", _SAVE_AGAIN) from error
    builder = TextBuilder()
    notes: list[Message] = []
    marks: list[PictureMark] = []
    counter = RowCounter(cancel)
    texts = book.worksheets[0]._shared_strings if book.worksheets else ()
    values = _CellValues(book, texts)
    for sheet in book.worksheets:
        rows: list[list[str]] = []
        numbers: list[int] = []
        part = sheet._worksheet_path.lstrip("/")
        n_bad = values.n_bad
        try:
            with archive.open(part) as stream:
                _read_rows(stream, values, counter, rows, numbers)
            is_whole = values.n_bad == n_bad
        except (AppError, MemoryError):
            raise
        except Exception:  # its XML is broken: the rows before stay
            is_whole = False
        if not is_whole:
            notes.append(Message("The sheet “{name}” is damaged and not whole.", name=sheet.title))
        if sheet.sheet_state != "visible" and any(map(any, rows)):
            notes.append(note_hidden_sheet(sheet.title, in_excel=True))
        if any(map(any, rows)):
            builder.add_heading(1, sheet.title)
        starts = [at for lines in format_tables(rows) for at in builder.add_rows(lines)]
        filled = [(n, row) for n, row in zip(numbers, rows, strict=False) if any(row)]
        marks += place_sheet_pictures(archive, part, builder, filled, starts)
    if values.n_without_result:
        notes.append(
            Message(
                "Formulas without stored results are kept as formulas: {n}. Save the workbook in"
                " Excel or LibreOffice to have their results.",
                n=values.n_without_result,
            )
        )
    figures, figure_notes = build_figures(
        builder.text, marks, lambda path: archive.read_head(path, HEAD_BYTES)
    )
    core = _read_core(archive)
    return build_document(
        builder.text,
        format="xlsx",
        stem=stem,
        title=clean_title(core.get("title", "")),
        author=clean_author(core.get("creator", "")),
        year="" if core.get("creator") == "openpyxl" else core.get("created", "")[:4],
        outline=builder.headings,
        notes=[*notes, *figure_notes],
        title_from_text=False,
        figures=figures,
    )


def _read_core(archive: Archive) -> dict[str, str]:
    if not archive.has("docProps/core.xml"):
        return {}
    return {local_name(e): (e.text or "").strip() for e in archive.xml("docProps/core.xml")}


class _CellValues:
    """What the cells of a workbook show, by their XML.

    openpyxl has read the shared texts and the number formats; a cell as an object of openpyxl
    takes twice as long as reading it here.

    Attributes:
        n_bad: cells that hold no value of their kind; they are shown as they are stored, if that
            is more than the number of a text.
        n_without_result: formulas whose result is not stored; each is shown itself.

    Args:
        texts: shared by all sheets.
    """

    def __init__(self, book: Any, texts: Iterable[str]) -> None:
        from openpyxl.styles.numbers import BUILTIN_FORMATS
        from openpyxl.utils.datetime import from_excel

        own = book._number_formats
        self._formats = [
            BUILTIN_FORMATS.get(style.numFmtId)
            or (own[style.numFmtId - 164] if 0 <= style.numFmtId - 164 < len(own) else "General")
            for style in book._cell_styles
        ]
        self._dates, self._spans = book._date_formats, book._timedelta_formats
        self._from_excel, self._epoch = from_excel, book.epoch
        self.n_without_result = 0
        self._texts = [clean_cell(text) for text in texts]
        self.n_bad = 0
        self._show_number = lru_cache(maxsize=20_000)(self._show_stored)

    def show(self, cell: etree._Element) -> str:
        """Return a cell's value as Excel shows it, about."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return clean_cell("".join(t.text or "" for t in cell.iter() if local_name(t) == "t"))
        value = formula = None
        for part in cell:
            if part.tag.endswith("}v"):
                value = part.text
            elif part.tag.endswith("}f"):
                formula = part.text or _SHARED
        if value is None and formula is not None and kind != "str":  # "str": its result is empty
            self.n_without_result += 1
            return clean_cell(f"={formula}")
        if value is None:
            return ""
        try:
            if kind == "s":
                return self._texts[int(value)]
            if kind == "b":
                return show_value(bool(int(value)), "General")
            if kind == "d":  # as Strict Open XML stores dates
                return self._show_iso_date(value, int(cell.get("s", "0")))
            if kind == "n":
                return self._show_number(value, int(cell.get("s", "0")))
        except (ValueError, LookupError, ArithmeticError):
            self.n_bad += 1
            return "" if kind == "s" else clean_cell(value)
        return clean_cell(value)

    def _show_iso_date(self, value: str, style: int) -> str:
        """Return a date or time of ISO 8601 as its style shows it."""
        number_format = self._formats[style] if style < len(self._formats) else "General"
        with suppress(ValueError):
            if "T" not in value and ":" in value:
                return show_value(datetime.time.fromisoformat(value), number_format)
            return show_value(datetime.datetime.fromisoformat(value), number_format)
        return clean_cell(value)

    def _show_stored(self, value: str, style: int) -> str:
        """Return a number as its style shows it."""
        number_format = self._formats[style] if style < len(self._formats) else "General"
        number = float(value) if "." in value or "e" in value.lower() else int(value)
        if style in self._dates:
            with suppress(ValueError, OverflowError):  # not between 1900 and 9999
                moment = self._from_excel(number, self._epoch, timedelta=style in self._spans)
                return show_value(moment, number_format)
        return show_value(number, number_format)


def _read_rows(
    stream: IO[bytes],
    values: _CellValues,
    counter: RowCounter,
    rows: list[list[str]],
    numbers: list[int],
) -> None:
    """Append the rows of a sheet, and their numbers from 1; of several empty rows one.

    Merged cells are named after the rows, so all rows are kept until then.
    """
    ranges: list[tuple[int, int, int, int]] = []
    last = 0
    events = etree.iterparse(
        stream,
        tag=("{*}row", "{*}mergeCell"),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    for _, element in events:
        if local_name(element) == "mergeCell":
            ranges.append(_read_range(element.get("ref", "")))
            continue
        place = element.get("r", "")
        number = int(place) if place.isdecimal() else last + 1
        if number > last + 1 and rows:
            numbers.append(last + 1)
            rows.append([])
        last = number
        row: list[str] = []
        for cell in element:
            column = _find_column(cell.get("r", ""), len(row))
            shown = values.show(cell) if column < MAX_COLUMNS else ""
            if shown:
                row += [""] * (column - len(row))
                row.append(shown)
        numbers.append(number)
        rows.append(row)
        counter.add_row(row)
        element.clear()
        while element.getprevious() is not None:
            del element.getparent()[0]
    placed = [
        (bisect_left(numbers, top), left, bisect_right(numbers, bottom) - 1, right)
        for top, left, bottom, right in ranges
        if bottom >= top >= 0
    ]
    merge_ranges(rows, (area for area in placed if area[2] >= area[0]))


def _find_column(place: str, following: int) -> int:
    """Return the column of "C5", from 0; the one that follows if none is given."""
    letters = place.rstrip("0123456789")
    return _number_column(letters) if letters else following


@lru_cache(maxsize=MAX_COLUMNS)
def _number_column(letters: str) -> int:
    number = 0
    for letter in letters.upper()[:4]:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _read_range(place: str) -> tuple[int, int, int, int]:
    """Return row and column of both corners of "A1:C2", rows from 1; rows of -1 if it is none."""
    match = re.fullmatch(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})", place)
    if match is None:
        return (-1, 0, -1, 0)
    left, right = _number_column(match[1]), min(_number_column(match[3]), MAX_COLUMNS - 1)
    return (int(match[2]), left, int(match[4]), right)


def show_value(value: object, number_format: str) -> str:
    """Return a number, date or truth value in a number format of Excel."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return _show_date(value, number_format)
    if isinstance(value, datetime.timedelta):
        seconds = round(value.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if isinstance(value, (int, float)):
        try:
            return _show_number(value, number_format)
        except (ValueError, OverflowError):  # infinite, or not a number
            return str(value)
    return clean_cell(str(value))


_LITERAL = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.')
_DIGITS = re.compile(r"[#0?][#0?,]*(?:\.([#0?]*))?(,*)(E[+-]0+)?", re.I)


@dataclass(frozen=True, slots=True)
class _NumberShape:
    """One section of a number format.

    Attributes:
        before, after: what stands around the digits.
        n_decimals: places after the point, of which `n_optional` are shown only if not 0.
        factor: by which the number is multiplied: 100 for percent, less for thousands.
        kind: "f", or "E" for scientific notation; `grouped` is "," with groups of thousands.
    """

    before: str
    after: str
    n_decimals: int
    n_optional: int
    factor: float
    grouped: str
    kind: str


@lru_cache(maxsize=1_000)
def _read_number_shape(number_format: str, is_negative: bool) -> tuple[_NumberShape | None, bool]:
    """Return the shape of numbers, None for the general one; and whether the sign is in it."""
    sections = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', number_format)
    is_own = is_negative and len(sections) > 1 and bool(sections[1].strip())
    section = sections[1] if is_own else sections[0]
    if section.strip().lower() in ("general", "@", "") or "/" in _LITERAL.sub("", section):
        return None, is_own
    shape = _LITERAL.sub(lambda m: m[1] or m[2] or m[3] or "", _hide_literal_digits(section))
    digits = _DIGITS.search(shape)
    if digits is None:
        return None, is_own
    decimals = digits[1] or ""
    kind = "E" if digits[3] else "f"
    has_groups = kind == "f" and "," in digits[0].rstrip(",").partition(".")[0]
    found = _NumberShape(
        before=shape[: digits.start()],
        after=shape[digits.end() :],
        n_decimals=len(decimals),
        n_optional=len(decimals) - len(decimals.rstrip("#?")),
        factor=100 ** shape.count("%") / 1000 ** len(digits[2]),
        grouped="," if has_groups else "",
        kind=kind,
    )
    return found, is_own


def _show_number(value: float, number_format: str) -> str:
    shape, is_own = _read_number_shape(number_format, value < 0)
    if shape is None:
        return _show_general(value)
    number = (abs(value) if is_own else value) * shape.factor
    shown = f"{number:{shape.grouped}.{shape.n_decimals}{shape.kind}}"
    if shape.n_optional:
        whole, point, part = shown.partition(".")
        kept = part[: -shape.n_optional] + part[-shape.n_optional :].rstrip("0")
        shown = whole + (point + kept if kept else "")
    if shape.kind == "f" and set(shown) <= set("-0.,"):
        shown = shown.lstrip("-")
    shown = shape.before + shown + shape.after
    return clean_cell(shown.translate(_SHOWN_DIGITS))


# digits between quotation marks are no places for digits
_HIDDEN_DIGITS = str.maketrans("0#?", "\ue000\ue001\ue002")
_SHOWN_DIGITS = str.maketrans("\ue000\ue001\ue002", "0#?")


def _hide_literal_digits(section: str) -> str:
    return _LITERAL.sub(lambda m: m[0].translate(_HIDDEN_DIGITS), section)


def _show_general(value: float) -> str:
    if isinstance(value, int) or (abs(value) < 1e15 and value == int(value)):
        return str(int(value))
    return f"{value:.10g}"


_DATE_TOKENS = re.compile(
    r'"[^"]*"|\\.|\[[^\]]*\]|AM/PM|A/P|上午/下午|y+|m+|d+|h+|s+(?:\.0+)?|[^"\\\[\]]', re.I
)
_BY_LOCALE = ("mm-dd-yy", "m/d/yy", "m/d/yyyy", "m/d/yy h:mm")  # each computer shows its own


@lru_cache(maxsize=200)
def _split_date_format(number_format: str) -> tuple[str, ...]:
    return tuple(_DATE_TOKENS.findall(number_format.partition(";")[0]))


def _show_date(value: datetime.datetime | datetime.date | datetime.time, style: str) -> str:
    if isinstance(value, datetime.time):
        return value.isoformat("seconds" if value.second else "minutes")
    tokens = _split_date_format(style)
    plain = [token.lower() for token in tokens]
    if style in _BY_LOCALE or not any(token[0] in "ymdhs" for token in plain):
        has_time = isinstance(value, datetime.datetime) and value.time() != datetime.time()
        return f"{value:%Y-%m-%d %H:%M}" if has_time else f"{value:%Y-%m-%d}"
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime.combine(value, datetime.time())
    is_12 = any(token in ("am/pm", "a/p", "上午/下午") for token in plain)
    shown: list[str] = []
    for i, token in enumerate(plain):
        near = [t for t in (*plain[:i][::-1][:2], *plain[i + 1 : i + 3])]
        shown.append(_show_token(value, token, tokens[i], _is_minute(token, near), is_12))
    return clean_cell("".join(shown))


def _is_minute(token: str, near: Sequence[str]) -> bool:
    return token in ("m", "mm") and any(t[0] in "hs" for t in near)


_MONTHS: list[str] = (
    "January February March April May June July August September October November December"
).split()
_DAYS: list[str] = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
_TOKENS: dict[str, Callable[[datetime.datetime], str]] = {
    "yyyy": lambda d: f"{d.year:04}",
    "yy": lambda d: f"{d.year % 100:02}",
    "mmmm": lambda d: _MONTHS[d.month - 1],
    "mmm": lambda d: _MONTHS[d.month - 1][:3],
    "mm": lambda d: f"{d.month:02}",
    "m": lambda d: str(d.month),
    "dddd": lambda d: _DAYS[d.weekday()],
    "ddd": lambda d: _DAYS[d.weekday()][:3],
    "dd": lambda d: f"{d.day:02}",
    "d": lambda d: str(d.day),
    "ss": lambda d: f"{d.second:02}",
    "s": lambda d: str(d.second),
}


def _show_token(
    value: datetime.datetime, token: str, written: str, is_minute: bool, is_12: bool
) -> str:
    if is_minute:
        return f"{value.minute:02}" if token == "mm" else str(value.minute)
    if token in ("h", "hh"):
        hour = (value.hour % 12 or 12) if is_12 else value.hour
        return f"{hour:02}" if token == "hh" else str(hour)
    if token in ("am/pm", "a/p", "上午/下午"):
        return "AM" if value.hour < 12 else "PM"
    if token in _TOKENS:
        return _TOKENS[token](value)
    if token[0] == "s":
        return f"{value.second:02}"
    if token[0] == '"':
        return written.strip('"')
    return "" if token[0] == "[" else written.lstrip("\\")
