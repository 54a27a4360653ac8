"""Two panels over the canvas: actions for the selection, and the progress of a layout."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from desktop_app.ui.language import tr, trn
from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton, Label, ProgressLine

from .panel import Panel

SHOW_AFTER_MS = 350
HIDE_ORDER = ("pin", "shared", "keep", "hide", "way")


class SelectionBar(Panel):
    """Buttons for the selected nodes; emits `action_wanted` with the action pressed."""

    action_wanted = Signal(str)
    depth_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(4)
        self.text = Label("", "small", self)
        row.addWidget(self.text)
        self.buttons: dict[str, Button] = {}
        for action, words, tip in (
            ("expand", tr("Expand"), tr("Add the names the chosen ones are tied to (E)")),
            ("hide", tr("Hide"), tr("Leave the chosen names out of this view (H)")),
            ("keep", tr("Keep only"), tr("Show only what is chosen (K)")),
            (
                "way",
                tr("Find a way"),
                tr("The ways between two names, with what the text says (W)"),
            ),
            ("shared", tr("In common"), tr("Add the names that all the chosen ones are tied to")),
            ("pin", tr("Pin"), tr("Hold the chosen names where they are (P)")),
        ):
            button = self.buttons[action] = Button(words, self, kind="quiet", tooltip=tip)
            button.clicked.connect(lambda _=False, action=action: self.action_wanted.emit(action))
            row.addWidget(button)
        self.depth_label = Label(tr("Steps"), "small", self)
        self.depth_slider = QSlider(Qt.Orientation.Horizontal, self)
        self.depth_slider.setRange(1, 4)
        self.depth_slider.setFixedWidth(64)
        self.depth_slider.setPageStep(1)
        self.depth_slider.setToolTip(tr("How many steps around the name are shown"))
        self.depth_slider.setAccessibleName(tr("Steps around the name"))
        self.depth_slider.valueChanged.connect(self._depth_changed)
        row.addWidget(self.depth_label)
        row.addWidget(self.depth_slider)
        self.close_button = IconButton(theme, "close", tr("Choose nothing"), self, shortcut="Esc")
        self.close_button.clicked.connect(lambda: self.action_wanted.emit("none"))
        row.addWidget(self.close_button)
        self._wait = QTimer(self, singleShot=True, interval=200)
        self._wait.timeout.connect(lambda: self.depth_wanted.emit(self.depth_slider.value()))
        self._quiet = False
        self._dropped: list[str] = []
        self.hide()

    def set_chosen(self, n: int, *, pinned: bool, depth: int | None) -> None:
        """Show the actions for `n` nodes; `depth` is None unless the view is about them."""
        one, two = n == 1, n == 2
        self._dropped = []
        for action in ("hide", "keep", "pin"):
            self.buttons[action].show()
        self.text.setText("" if one else trn("{n} name", "{n} names", n))
        self.text.setVisible(not one)
        self.buttons["way"].setVisible(one or two)
        self.buttons["way"].setText(tr("Find a way…") if one else tr("Find a way"))
        self.buttons["shared"].setVisible(n >= 2)
        self.buttons["expand"].setVisible(n <= 12)
        self.buttons["pin"].setText(tr("Unpin") if pinned else tr("Pin"))
        self.depth_slider.setVisible(one and depth is not None)
        self.depth_label.setVisible(one and depth is not None)
        if depth is not None:
            self._quiet = True
            self.depth_slider.setValue(depth)
            self._quiet = False
        self.setVisible(n > 0)
        self.adjustSize()

    def fit_into(self, room: int) -> None:
        """Hide buttons until the bar fits; the context menu has the same actions."""
        for action in self._dropped:
            self.buttons[action].show()
        self._dropped = []
        self.adjustSize()
        for action in HIDE_ORDER:
            if self.width() <= room:
                break
            if not self.buttons[action].isHidden():
                self.buttons[action].hide()
                self._dropped.append(action)
                self.adjustSize()

    def show_message(self, text: str) -> None:
        """Show only a sentence and the close button."""
        self.text.setText(text)
        self.text.show()
        self._dropped = []
        for widget in (*self.buttons.values(), self.depth_slider, self.depth_label):
            widget.hide()
        self.show()
        self.adjustSize()

    def _depth_changed(self) -> None:
        if not self._quiet:
            self._wait.start()


class ArrangingPanel(Panel):
    """Progress of a layout, with a button to stop it."""

    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(8)
        self.text = Label("", "small", self)
        self.line = ProgressLine(self)
        self.line.setFixedWidth(120)
        self.stop = Button(tr("Stop here"), self, kind="link", tooltip=tr("Keep what is reached"))
        self.stop.clicked.connect(self.stop_wanted)
        for widget in (self.text, self.line, self.stop):
            row.addWidget(widget)
        self._wait = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._wait.timeout.connect(self._appear)
        self.hide()

    def begin(self) -> None:
        self._wait.start()

    def set_share(self, share: float, n: int) -> None:
        self.text.setText(trn("Arranging {n} name", "Arranging {n} names", n))
        self.line.set_share(share)
        self.adjustSize()

    def end(self) -> None:
        self._wait.stop()
        self.hide()

    def _appear(self) -> None:
        if self.text.text():
            self.adjustSize()
            ground = self.parentWidget()
            self.move((ground.width() - self.width()) // 2, (ground.height() - self.height()) // 2)
            self.show()
            self.raise_()
