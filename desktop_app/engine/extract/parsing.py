"""Takes anything that a model can print for a list of names and relations, and never raises.

Knows our own format, LightRAG's and GraphRAG's tuples, JSON, Markdown tables and lists, in whole
or in pieces. Whether the text really says so is for `locating` to check.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..types import ENTITY_TYPES
from .parsing_fields import find_column, find_tag, find_type
from .parsing_json import take_json
from .parsing_lines import is_rule, split_fields, strip_marks, tidy, unwrap
from .parsing_records import EntityRecord, Records, RecordTable, RelationRecord

__all__ = ["EntityRecord", "Records", "RelationRecord", "parse_records"]

_TAG_COLON = re.compile(r"^[*_\"'\s]*(\w{2,14})[*_\"'\s]*[:：]\s*(.+)$", re.DOTALL)
_TAG_SPACE = re.compile(r"^(entity|relation|relationship|实体|关系)\s+([^|\s].*)$", re.IGNORECASE)
_ARROW = re.compile(r"-{1,3}>|→|⟶|=>|<-{1,3}>?|↔|——>")
_NAME_TYPE = re.compile(
    r"^([^(（:：|]{1,80}?)\s*[(（]([^)）]{1,60})[)）][*_]{0,3}\s*(?:[:：—–-]+\s*(.*))?$"
)
_ENDS = re.compile(r"\s*[:：(（,，;；|]\s*")


def parse_records(text: str, types: Sequence[str] = ENTITY_TYPES) -> Records:
    """Return the records in a model's text; names once, pairs once, in the order written."""
    reader = _Reader(types)
    found, rest = take_json(tidy(text))
    for key, value in found:
        if isinstance(value, dict):
            reader.table.add_object(value, key)
        else:
            reader.table.add_list([str(item) for item in value], key)
    for line in rest.split("\n"):
        reader.read_line(line)
    return reader.table.finish()


class _Reader:
    """Reads lines and objects one by one; remembers the section and the table they stand in."""

    def __init__(self, types: Sequence[str]) -> None:
        self._types = types
        self.table = RecordTable(types)
        self._section = ""
        self._columns: list[str] = []

    def read_line(self, raw: str) -> None:
        if is_rule(raw):
            return
        line, wrapped = unwrap(strip_marks(raw))
        if not line:
            return
        match = _TAG_COLON.match(line)
        if match is None or not find_tag(match[1]):
            match = _TAG_SPACE.match(line) if "|" in line else None
        if match:
            line = f"{match[1]}|{match[2]}"
        fields = split_fields(line, loose=wrapped)
        tag = find_tag(fields[0]) if fields else ""
        if tag and len(fields) == 1:
            fields = split_fields(line, loose=True)
        if not tag and len(fields) == 1:
            loose = split_fields(line, loose=True)
            tag = find_tag(loose[0]) if len(loose) > 2 else ""
            fields = loose if tag else fields
        if tag:
            self._read_tagged(tag, fields)
        elif len(fields) > 1 and self._is_header(fields):
            return
        elif self._columns and len(fields) > 1 and "|" in line:
            self.table.add_object(dict(zip(self._columns, fields, strict=False)), "")
        elif len(fields) > 1 and self._section in ("entity", "relation"):
            self.table.add(self._section, fields)
        elif len(fields) > 1:
            self.table.add_untagged(fields)
        else:
            self._read_prose(line)

    def _read_tagged(self, tag: str, fields: list[str]) -> None:
        if len(fields) == 1:
            self._section, self._columns = tag, []
        elif self._is_header(fields[1:]) or self._is_header(fields):
            return
        elif tag in ("entity", "relation"):
            self.table.add(tag, fields[1:])

    def _is_header(self, fields: list[str]) -> bool:
        roles = [find_column(name) for name in fields]
        if len(fields) < 2 or not all(roles) or not {"name", "source"} & set(roles):
            return False
        if "target" in roles and "source" not in roles and "name" in roles:
            roles[roles.index("name")] = "source"
        self._columns = roles
        return True

    def _read_prose(self, line: str) -> None:
        """A line without fields may still say `A -> B: why` or `A (person): who`."""
        if arrow := _ARROW.search(line):
            left, label = line[: arrow.start()], ""
            if "-" in left.strip("- ") and (dash := re.search(r"\s*-{1,3}\[?", left)):
                left, label = left[: dash.start()], left[dash.end() :].strip(" -[]")
            right, *rest = _ENDS.split(line[arrow.end() :].strip(), maxsplit=1)
            if left.strip() and right.strip() and len(left) <= 100 and len(right) <= 100:
                self.table.add(
                    "relation", [left, right, label, *rest] if label else [left, right, *rest]
                )
                return
        match = _NAME_TYPE.match(line.lstrip(' *_"“'))
        if match and find_type(match[2], self._types):
            self.table.add("entity", [match[1], match[2], match[3] or ""])
        elif self._section == "entity" and len(line) <= 300:
            self.table.add("entity", re.split(r"\s*[:：]\s*|\s+[–—-]\s+", line, maxsplit=1))
        else:
            self.table.refuse("no record")
