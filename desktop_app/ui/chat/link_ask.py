"""What is asked before an address of an answer is opened: which one, this once or always.

Owns the little panel by the link. Nothing is fetched here; the system's browser is told the
address once a person agreed.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from desktop_app.ui.allowed_sites import allow_site, is_allowed, is_web_address, site_of
from desktop_app.ui.language import tr
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, Label, PrimaryButton

WIDTH = 400
LONGEST, LONGEST_SITE = 300, 36


def _open_in_browser(address: str) -> None:
    QDesktopServices.openUrl(QUrl(address))


class LinkAsk(QFrame):
    """Shows an address and opens it if a person says so."""

    open_address: Callable[[str], None] = staticmethod(_open_in_browser)

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
        # of a long site the end says whose it is
        short = site if len(site) <= LONGEST_SITE else "…" + site[1 - LONGEST_SITE :]
        self.always = QCheckBox(tr("Always for {site}", site=short), self)
        self.open_button = PrimaryButton(tr("Open"), self)
        self.copy_button = Button(tr("Copy the address"), self)
        self.open_button.clicked.connect(self._open)
        self.copy_button.clicked.connect(self._copy)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.copy_button)
        buttons.addWidget(self.open_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 12, 16, 12)
        column.setSpacing(8)
        for widget in (ask, self.address, self.always):
            column.addWidget(widget)
        column.addLayout(buttons)
        self.setFixedWidth(self._width)

    def show_at(self, corner: QPoint) -> None:
        """Open under this point of the screen, inside the screen."""
        self.setFixedHeight(max(self.layout().totalHeightForWidth(self._width), 96))
        area = self.parentWidget().screen().availableGeometry()
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
    """Return a text that may be broken anywhere; an address has no blanks to break it at."""
    return "\u200b".join(text)


def ask_to_open(theme: Theme, address: str, corner: QPoint, parent: QWidget) -> LinkAsk | None:
    """Open an address that is allowed, ask about any other of the web, do nothing for the rest."""
    if not is_web_address(address):
        return None
    if is_allowed(address):
        LinkAsk.open_address(address)
        return None
    asking = LinkAsk(theme, address, parent)
    asking.show_at(corner)
    return asking
