"""Writes SentencePiece's normalisation table (a Darts double array) from plain pairs.

Owns the byte layout that llama.cpp's unigram tokenizer reads as `precompiled_charsmap`.
Knows nothing of models or files.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping

_LEAF = 1 << 8
_VALUE = 1 << 31
_BLOCK = 256
_MAX_OFFSET = 1 << 21


def _build_trie(keys: Mapping[bytes, int]) -> list[dict[int, int]]:
    """Return the nodes of a byte trie; label -1 holds the value of a finished key."""
    nodes: list[dict[int, int]] = [{}]
    for key in sorted(keys):
        at = 0
        for byte in key:
            step = nodes[at].get(byte)
            if step is None:
                nodes.append({})
                step = len(nodes) - 1
                nodes[at][byte] = step
            at = step
        nodes[at][-1] = keys[key]
    return nodes


def build_charsmap(replacements: Mapping[str, str]) -> bytes:
    """Return the table that turns each key into its value, longest key first.

    The layout is that of Darts-clone: a unit holds the label it is reached by in the low byte,
    whether a key ends below it in bit 8, and the way to its children (XOR of indexes) from bit
    10 on; values have bit 31. Two nodes never share a base, because a unit only checks its label.

    Args:
        replacements: text to its normal form; keys must not be empty nor hold U+0000.
    """
    texts = bytearray(b"\0")
    place: dict[str, int] = {"": 0}
    for value in sorted(set(replacements.values())):
        if value not in place:
            place[value] = len(texts)
            texts += value.encode("utf-8") + b"\0"
    nodes = _build_trie({key.encode("utf-8"): place[v] for key, v in replacements.items()})

    units = [0] * _BLOCK
    taken = {0}
    bases: set[int] = set()
    first_free = 1

    def find_base(labels: list[int]) -> int:
        nonlocal first_free
        while first_free in taken:
            first_free += 1
        slot = first_free
        while True:
            if slot not in taken:
                base = slot ^ labels[0]
                if base and base not in bases and not any(base ^ la in taken for la in labels):
                    return base
            slot += 1

    queue: list[tuple[int, int]] = [(0, 0)]
    for node, at in queue:
        children = nodes[node]
        labels = sorted(0 if label < 0 else label for label in children)
        base = find_base(labels)
        bases.add(base)
        taken.update(base ^ label for label in labels)
        while len(units) <= base | (_BLOCK - 1):
            units.extend([0] * _BLOCK)
        offset = at ^ base
        if offset >= _MAX_OFFSET:
            raise ValueError("The normalisation table is too large.")
        units[at] |= offset << 10
        for label, child in children.items():
            if label < 0:
                units[at] |= _LEAF
                units[base] = _VALUE | child
            else:
                units[base ^ label] = label
                queue.append((child, base ^ label))
    array = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(array)) + array + bytes(texts)
