"""Charts of Office documents as tables: a row for each category, a column for each series.

Reads the values that Office stores in the part of a chart (DrawingML, `c:chartSpace`), in Word and
PowerPoint alike; the workbook from which the chart was made is not opened.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from .archives import local_attribute, local_name
from .tables import clean_cell

MOST_POINTS = 5_000  # of one series; charts of measured curves have thousands
_CATEGORIES = ("cat", "xVal")
_VALUES = ("val", "yVal")


def read_chart(root: etree._Element) -> list[list[str]]:
    """Return the rows of a chart: its title, if it has one, then a table of its values.

    Series with the same categories share a table; others have one of their own, after an empty row.

    Args:
        root: of the part of the chart.
    """
    rows: list[list[str]] = []
    chart = next((e for e in root.iter() if local_name(e) == "chart"), root)
    if title := _read_texts(_find(chart, "title")):
        rows.append([title])
    tables: dict[tuple[str, ...], list[tuple[str, dict[int, str]]]] = {}
    for series in root.iter():
        if local_name(series) != "ser":
            continue
        values = _read_points(_find(series, *_VALUES), is_value=True)
        if not values:
            continue
        named = _read_points(_find(series, *_CATEGORIES))
        n_points = max([*values, *named]) + 1
        categories = tuple(named.get(n, str(n + 1)) for n in range(n_points))
        tables.setdefault(categories, []).append((_read_name(series), values))
    for number, (categories, columns) in enumerate(tables.items()):
        if number:
            rows.append([])
        rows.append(["", *(name for name, _ in columns)])
        rows += [
            [category, *(values.get(n, "") for _, values in columns)]
            for n, category in enumerate(categories)
        ]
    return rows


def _find(element: etree._Element, *names: str) -> etree._Element | None:
    return next((child for child in element if local_name(child) in names), None)


def _read_name(series: etree._Element) -> str:
    """Return the name of a series: stored text of a cell, or a text of its own."""
    name = _find(series, "tx")
    return "" if name is None else clean_cell(" ".join(e.text or "" for e in _iter(name, "v")))


def _read_texts(element: etree._Element | None) -> str:
    """Return the text of a title, typed or taken from a cell."""
    if element is None:
        return ""
    typed = "".join(e.text or "" for e in _iter(element, "t"))
    return clean_cell(typed or " ".join(e.text or "" for e in _iter(element, "v")))


def _iter(element: etree._Element, name: str) -> Iterator[etree._Element]:
    return (e for e in element.iter() if local_name(e) == name)


def _read_points(element: etree._Element | None, *, is_value: bool = False) -> dict[int, str]:
    """Return number -> shown text of the points that are stored, at most `MOST_POINTS`.

    Categories of several levels (year, quarter) are joined, the widest first.
    """
    if element is None:
        return {}
    levels = list(_iter(element, "lvl")) or [element]
    found: dict[int, str] = {}
    for level in levels:  # the narrowest first
        last, by_number = "", {}
        for point in _iter(level, "pt"):
            index = local_attribute(point, "idx")
            text = next((clean_cell(e.text or "") for e in _iter(point, "v")), "")
            if index.isdecimal() and int(index) < MOST_POINTS and text:
                by_number[int(index)] = _shorten_number(text) if is_value else text
        if not found:
            found = by_number
            continue
        for number in sorted(found):
            last = by_number.get(number, last)
            found[number] = f"{last} {found[number]}".strip()
    return found


def _shorten_number(text: str) -> str:
    """Return a stored number with at most ten digits: 4.2999999999999998 is 4.3."""
    try:
        return f"{float(text):.10g}"
    except ValueError:
        return text
