"""Where the caret stands in flowing text: asked of the lines as they are set.

Owns the way from an offset to a line and to the one beside it. Moves nothing but the view.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QTextLine

from .set_type import SetBlock

if TYPE_CHECKING:
    from .text_view import TextView
    from .view import Range

FARTHEST = 40  # blocks from the window's top that are reckoned, not jumped to


class TextPlaces:
    """Lines of one flowing view."""

    def __init__(self, view: TextView) -> None:
        self._view = view

    def box(self, offset: int) -> QRectF | None:
        view = self._view
        if not len(view.setter.blocks):
            return None
        at = view.setter.blocks.at(offset)
        top = view.top_of(at) if abs(at - view.top_block) <= FARTHEST else None
        if top is None:
            return None
        block = view.setter.block(at)
        line = _line_of(block, offset)
        x = view.column_left + line.cursorToX(block.to_qt(offset))[0]
        y = top + block.tops[line.lineNumber()]
        trim = block.leading * 0.09
        return QRectF(x, y + trim, 0.0, block.leading - 2 * trim)

    def line_beside(self, offset: int, x: float, by: int) -> int | None:
        blocks, setter = self._view.setter.blocks, self._view.setter
        at = blocks.at(offset)
        block = setter.block(at)
        number = _line_of(block, offset).lineNumber() + by
        if not 0 <= number < block.layout.lineCount():
            at += by
            if not 0 <= at < len(blocks):
                return None
            block = setter.block(at)
            number = 0 if by > 0 else block.layout.lineCount() - 1
        line = block.layout.lineAt(number)
        position = line.xToCursor(x - self._view.column_left)
        # the end of a line that was wrapped is the begin of the next one
        last = line.textStart() + line.textLength()
        if number + 1 < block.layout.lineCount() and position >= last:
            position = max(line.textStart(), last - 1)
        return block.to_offset(position)

    def line_of(self, offset: int) -> Range | None:
        block = self._view.setter.block(self._view.setter.blocks.at(offset))
        line = _line_of(block, offset)
        start = block.to_offset(line.textStart())
        end = block.to_offset(line.textStart() + line.textLength())
        return start, start + len(self._view.text[start:end].rstrip())

    def bring(self, offset: int) -> None:
        self._view.show_range(offset, offset + 1)


def _line_of(block: SetBlock, offset: int) -> QTextLine:
    line = block.layout.lineForTextPosition(block.to_qt(offset))
    return line if line.isValid() else block.layout.lineAt(block.layout.lineCount() - 1)
