"""Loads figures as pictures, in the lane that draws them, and keeps the last ones.

Owns the requests that wait and the pictures that are kept. Draws nothing on the screen.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from desktop_app.engine.store.figures import StoredFigure
from desktop_app.engine.text.page_renderer import FigurePixels
from desktop_app.workers.operations import Query

from ..context import SessionContext

MOST_KEPT = 200  # small pictures: 200 of 320 by 240 pixels take 60 MB
Key = tuple[int, int, int]  # document, number, pixels of the longer side


class FigurePictures(QObject):
    """Loads pictures of figures; callbacks run on the window's thread."""

    def __init__(self, context: SessionContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._kept: OrderedDict[Key, QImage] = OrderedDict()
        self._waiting: dict[Key, list[Callable[[QImage], None]]] = {}
        self._failed: dict[Key, BaseException] = {}

    def find(self, figure: StoredFigure, side: int) -> QImage | None:
        """Return a picture that is loaded, None if it is not."""
        return self._kept.get((*figure.key, side))

    def has_failed(self, figure: StoredFigure, side: int) -> bool:
        return (*figure.key, side) in self._failed

    def load(
        self,
        figure: StoredFigure,
        side: int,
        then: Callable[[QImage], None],
        fail: Callable[[BaseException], None] = lambda error: None,
    ) -> None:
        """Call `then` with a picture of at most `side` pixels, or `fail` with the reason.

        A picture that could not be drawn is not tried again.
        """
        key = (*figure.key, side)
        if (picture := self._kept.get(key)) is not None:
            self._kept.move_to_end(key)
            then(picture)
            return
        if (error := self._failed.get(key)) is not None:
            fail(error)
            return
        waiting = self._waiting.setdefault(key, [])
        waiting.append(then)
        if len(waiting) > 1:
            return

        def take(drawn: FigurePixels) -> None:
            made = build_image(drawn)
            self._kept[key] = made
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            for callback in self._waiting.pop(key, []):
                callback(made)

        def refuse(error: BaseException) -> None:
            self._failed[key] = error
            self._waiting.pop(key, None)
            fail(error)

        drawer = self._context.figure_drawer
        query = Query(self._context.figure_lane, drawer.draw, *key, owner=self)
        query.on_success(take).on_error(refuse).on_cancelled(lambda: self._drop(key)).run()

    def _drop(self, key: Key) -> None:
        self._waiting.pop(key, None)


def build_image(drawn: FigurePixels) -> QImage:
    """Return drawn pixels as a picture."""
    return QImage(
        drawn.pixels, drawn.width, drawn.height, 3 * drawn.width, QImage.Format.Format_RGB888
    ).copy()
