"""The picture that is shown while the program is being loaded: logo, name and what is done.

Imports only what it needs, so that it comes in half a second; the window takes some seconds.
"""

from __future__ import annotations

import sys
import time

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from ..settings.window_options import build_theme
from ..theme.logo import paint_logo

WIDTH, HEIGHT, LOGO, MARGIN = 380, 216, 72, 24
NAME = "Inkgraph"  # not shown: a name
SHOWN_S = 0.3  # most that is waited until the system has put it on the screen


class Splash(QWidget):
    """Shown from its creation until `close`; `show_work` says what is being done.

    No `QSplashScreen`: that one blocks for a second when it is shown.
    """

    def __init__(self) -> None:
        existing = QApplication.instance()
        # Qt destroys an application that nobody refers to.
        self._application = existing or QApplication(sys.argv[:1])
        super().__init__(None, Qt.WindowType.SplashScreen | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.theme = build_theme()  # that of the window, too
        self._ground, self._work = self._paint_ground(), ""
        self.setFixedSize(WIDTH, HEIGHT)
        self.move(QApplication.primaryScreen().availableGeometry().center() - self.rect().center())
        self.show()
        self._wait_until_painted()

    def show_work(self, text: str) -> None:
        """Show what is being done; painted at once, because what follows takes long."""
        self._work = text
        self.repaint()
        self._wait_until_painted()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self.theme, QPainter(self)
        painter.drawPixmap(0, 0, self._ground)
        painter.setFont(theme.font("text"))
        painter.setPen(theme.color("text2"))
        area = QRectF(MARGIN, HEIGHT - 60, WIDTH - 2 * MARGIN, 36)
        metrics = painter.fontMetrics()
        text = metrics.elidedText(self._work, Qt.TextElideMode.ElideMiddle, int(area.width()))
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()

    def _paint_ground(self) -> QPixmap:
        theme = self.theme
        ratio = QApplication.primaryScreen().devicePixelRatio()
        ground = QPixmap(round(WIDTH * ratio), round(HEIGHT * ratio))
        ground.setDevicePixelRatio(ratio)
        ground.fill(theme.color("surface"))
        painter = QPainter(ground)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawRect(QRectF(0.5, 0.5, WIDTH - 1, HEIGHT - 1))
        place = QRectF((WIDTH - LOGO) / 2, 36, LOGO, LOGO)
        paint_logo(painter, place, theme.color("accent"), theme.color("surface"))
        painter.setFont(theme.font("title"))
        painter.setPen(theme.color("text"))
        area = QRectF(0, place.bottom() + 10, WIDTH, 32)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, NAME)
        painter.end()
        return ground

    def _wait_until_painted(self) -> None:
        """Let the system show it: a window is mapped and painted by events."""
        until = time.monotonic() + SHOWN_S
        handle = self.windowHandle()
        while handle is not None and not handle.isExposed() and time.monotonic() < until:
            QApplication.processEvents()
        QApplication.processEvents()
