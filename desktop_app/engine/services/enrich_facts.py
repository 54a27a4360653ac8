"""What is known of the chat model in use without loading it: its name and its size."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import UserError
from ..models.gguf_header import load_header
from ..models.shelf import ModelRow, ModelShelf

_BYTES_A_PARAMETER = 0.65  # in the usual four-bit files
_LABEL = re.compile(r"(?:(\d+)x)?(\d+(?:\.\d+)?)([KMBT])", re.IGNORECASE)
_UNITS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """The chat model that would be asked; 0 parameters: unknown."""

    name: str
    n_parameters: int = 0


def find_chat_facts(shelf: ModelShelf) -> ChatFacts | None:
    """Return the chat model in use, None if none is installed."""
    for row in shelf.list_models():
        if row.active and row.role == "chat":
            return ChatFacts(row.name, _count_parameters(row))
    return None


def _count_parameters(row: ModelRow) -> int:
    """Return how many parameters the file says it has, or what its size makes likely."""
    try:
        label = str(load_header(row.path).fields.get("general.size_label", "")) if row.path else ""
    except UserError:
        label = ""
    return parse_size_label(label) or int(row.size_bytes / _BYTES_A_PARAMETER)


def parse_size_label(label: str) -> int:
    """Return the parameters that "1.5B", "135M" or "8x7B" stands for, 0 if it says nothing."""
    found = _LABEL.match(label.strip())
    if found is None:
        return 0
    experts, number, unit = found.groups()
    return round(int(experts or 1) * float(number) * _UNITS[unit.upper()])
