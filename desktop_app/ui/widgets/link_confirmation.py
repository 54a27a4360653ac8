"""The question before a web address opens in the browser; it shows the whole address."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QWidget

from ..allowed_addresses import allow_site, is_allowed, is_web_address, site_of
from ..theme.theme import Theme
from ..translation import tr
from .buttons import Button, PrimaryButton
from .labels import Label
from .layout import STRETCH, build_column, build_row

WIDTH = 400
LONGEST, LONGEST_SITE = 300, 36


class LinkConfirmation(QFrame):
    """Shows a web address and opens it after confirmation."""

    open_address: Callable[[str], object] = staticmethod(
        lambda address: QDesktopServices.openUrl(QUrl(address))
    )

    def __init__(self, theme: Theme, address: str, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setObjectName("palette")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._address = address
        self._width = theme.breadth(WIDTH)
        site = site_of(address)
        ask = Label(
            tr("Open {site} in the browser?", site=_breakable(site)), "strong", self, wrap=True
        )
        shown = address if len(address) <= LONGEST else address[: LONGEST - 1] + "…"
        self.address = Label(_breakable(shown), "small", self, wrap=True)
        self.address.setAccessibleName(address)
        # the end of a long host name identifies its owner
        short = site if len(site) <= LONGEST_SITE else "…" + site[1 - LONGEST_SITE :]
        self.always = QCheckBox(tr("Always open links to {site}", site=short), self)
        self.open_button = PrimaryButton(tr("Open"), self)
        self.copy_button = Button(tr("Copy link"), self)
        self.open_button.clicked.connect(self._open)
        self.copy_button.clicked.connect(self._copy)
        buttons = build_row(STRETCH, self.copy_button, self.open_button)
        self._column = build_column(
            *(ask, self.address, self.always, buttons), parent=self, margins=(16, 12, 16, 12)
        )
        self.setFixedWidth(self._width)

    def show_at(self, corner: QPoint) -> None:
        """Open below this point, within the screen."""
        self.setFixedHeight(max(self._column.totalHeightForWidth(self._width), 96))
        area = (self.parentWidget() or self).screen().availableGeometry()
        left = min(max(area.left() + 8, corner.x()), area.right() - self._width - 8)
        top = min(max(area.top() + 8, corner.y() + 8), area.bottom() - self.height() - 8)
        self.move(left, top)
        self.show()
        self.open_button.setFocus()

    def _open(self) -> None:
        if self.always.isChecked():
            allow_site(self._address)
        self.close()
        self.open_address(self._address)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._address)
        self.close()


def _breakable(text: str) -> str:
    """Return a text that can be wrapped anywhere, since an address has no blanks."""
    return "\u200b".join(text)


def ask_to_open(theme: Theme, address: str, parent: QWidget, corner: QPoint) -> None:
    """Open an allowed address, ask about any other web address, ignore the rest.

    Args:
        corner: where the question is shown, in `parent`.
    """
    if is_allowed(address):
        LinkConfirmation.open_address(address)
    elif is_web_address(address):
        LinkConfirmation(theme, address, parent).show_at(parent.mapToGlobal(corner))
