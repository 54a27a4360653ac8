"""Reader of Excel workbooks (.xlsx, .xlsm): sheets as headings, rows as lines with their headers.

openpyxl reads the cells; formulas give the values that Excel stored. What a number looks like is
decided here from its number format, because no library does it.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO
from itertools import islice
from typing import Any

from ...errors import AppError
from ...messages import Message
from ...model import ReadDocument
from ...progress import CancelToken
from .archives import MAX_ROWS, Archive, Unreadable, check_length, local_name
from .document_builder import build_document, clean_author, clean_title
from .tables import clean_cell, format_tables
from .text_builder import TextBuilder

MAX_COLUMNS = 2_000
_SAVE_AGAIN = Message("Open it in Excel or LibreOffice and save it again.")


def read_xlsx(content: bytes, stem: str, cancel: CancelToken | None = None) -> ReadDocument:
    """Return the workbook as one text.

    Raises:
        Unreadable: it is damaged, or has no cell with a value.
        Cancelled: the token was set.
    """
    import openpyxl

    archive = Archive(content)  # checks its sizes
    try:
        book = openpyxl.load_workbook(BytesIO(content), read_only=True, data_only=True)
    except (AppError, MemoryError):
        raise
    except Exception as error:  # openpyxl raises what its parts raise
        raise Unreadable("its list of sheets is damaged.", _SAVE_AGAIN) from error
    builder = TextBuilder()
    notes: list[Message] = []
    n_rows = n_chars = 0
    for sheet in book.worksheets:
        rows: list[list[str]] = []
        try:
            sheet.reset_dimensions()  # a file may claim a million empty cells
            for row in sheet.iter_rows():
                rows.append([_show(cell) for cell in islice(row, MAX_COLUMNS)])
                n_rows += 1
                n_chars += sum(map(len, rows[-1]))
                check_length(n_chars)
                if n_rows > MAX_ROWS:
                    raise Unreadable(
                        "it has too many rows.",
                        "Split it into files of at most {most:,} rows.",
                        most=MAX_ROWS,
                    )
                if cancel is not None and n_rows % 200 == 0:
                    cancel.check()
        except (AppError, MemoryError):
            raise
        except Exception:
            notes.append(Message("The sheet “{name}” is damaged and not whole.", name=sheet.title))
        if sheet.sheet_state != "visible" and any(map(any, rows)):
            notes.append(Message("The sheet “{name}” is hidden in Excel.", name=sheet.title))
        if any(map(any, rows)):
            builder.add_heading(1, sheet.title)
            for lines in format_tables(rows):
                builder.add_rows(lines)
    core = _read_core(archive)
    return build_document(
        builder.text,
        format="xlsx",
        stem=stem,
        title=clean_title(core.get("title", "")),
        author=clean_author(core.get("creator", "")),
        year="" if core.get("creator") == "openpyxl" else core.get("created", "")[:4],
        outline=builder.headings,
        notes=notes,
        title_from_text=False,
    )


def _read_core(archive: Archive) -> dict[str, str]:
    if not archive.has("docProps/core.xml"):
        return {}
    return {local_name(e): (e.text or "").strip() for e in archive.xml("docProps/core.xml")}


def _show(cell: Any) -> str:
    """Return a cell's value as Excel shows it, about."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return clean_cell(value)
    return show_value(value, cell.number_format or "General")


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


def _show_number(value: float, number_format: str) -> str:
    sections = re.split(r';(?=(?:[^"]*"[^"]*")*[^"]*$)', number_format)
    is_negative = value < 0 and len(sections) > 1 and bool(sections[1].strip())
    section = sections[1] if is_negative else sections[0]
    if section.strip().lower() in ("general", "@", "") or "/" in _LITERAL.sub("", section):
        return _show_general(value)
    shape = _LITERAL.sub(lambda m: m[1] or m[2] or m[3] or "", _hide_literal_digits(section))
    digits = _DIGITS.search(shape)
    if digits is None:
        return _show_general(value)
    number = abs(value) if is_negative else value
    decimals = digits[1] or ""
    number *= 100 ** shape.count("%")
    number /= 1000 ** len(digits[2])
    grouped = "," if "," in digits[0].rstrip(",").partition(".")[0] else ""
    kind = "E" if digits[3] else "f"
    shown = f"{number:{grouped if kind == 'f' else ''}.{len(decimals)}{kind}}"
    if optional := len(decimals) - len(decimals.rstrip("#?")):
        whole, point, part = shown.partition(".")
        kept = part[:-optional] + part[-optional:].rstrip("0")
        shown = whole + (point + kept if kept else "")
    if kind == "f" and set(shown) <= set("-0.,"):
        shown = shown.lstrip("-")
    shown = shape[: digits.start()] + shown + shape[digits.end() :]
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
