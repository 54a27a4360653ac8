"""What can be done with what is chosen, over the canvas; and how the arranging goes on.

Owns two small panels: the verbs of the selection, and the progress of a layout with its stop.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from desktop_app.ui.theme.theme import Theme
from desktop_app.ui.widgets import Button, IconButton, Label, ProgressLine, format_number, plural

from .corners import Panel

SHOW_AFTER_MS = 350


class SelectionBar(Panel):
    """Verbs for one chosen name, or for several; says which was pressed."""

    verb_wanted = Signal(str)
    depth_wanted = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(4)
        self.text = Label("", "small", self)
        row.addWidget(self.text)
        self.buttons: dict[str, Button] = {}
        for verb, words, tip in (
            ("expand", "Expand", "Add the names the chosen ones are tied to (E)"),
            ("hide", "Hide", "Leave the chosen names out of this view (H)"),
            ("keep", "Keep only", "Show only what is chosen (K)"),
            ("way", "Find a way", "The ways between two names, with what the text says (W)"),
            ("shared", "In common", "Add the names that all the chosen ones are tied to"),
            ("pin", "Pin", "Hold the chosen names where they are (P)"),
        ):
            button = self.buttons[verb] = Button(words, self, kind="quiet", tooltip=tip)
            button.clicked.connect(lambda _=False, verb=verb: self.verb_wanted.emit(verb))
            row.addWidget(button)
        self.depth_label = Label("Steps", "small", self)
        self.depth = QSlider(Qt.Orientation.Horizontal, self)
        self.depth.setRange(1, 4)
        self.depth.setFixedWidth(64)
        self.depth.setPageStep(1)
        self.depth.setToolTip("How many steps around the name are shown")
        self.depth.setAccessibleName("Steps around the name")
        self.depth.valueChanged.connect(self._depth_changed)
        row.addWidget(self.depth_label)
        row.addWidget(self.depth)
        self.close_button = IconButton(theme, "close", "Choose nothing", self, shortcut="Esc")
        self.close_button.clicked.connect(lambda: self.verb_wanted.emit("none"))
        row.addWidget(self.close_button)
        self._wait = QTimer(self, singleShot=True, interval=200)
        self._wait.timeout.connect(lambda: self.depth_wanted.emit(self.depth.value()))
        self._quiet = False
        self.hide()

    def set_chosen(self, n: int, *, pinned: bool, depth: int | None) -> None:
        """Offer what fits to so many names; `depth` where the view is about names."""
        one, two = n == 1, n == 2
        self.text.setText("" if one else plural(n, "name"))
        self.text.setVisible(not one)
        self.buttons["way"].setVisible(one or two)
        self.buttons["way"].setText("Find a way…" if one else "Find a way")
        self.buttons["shared"].setVisible(n >= 2)
        self.buttons["expand"].setVisible(n <= 12)
        self.buttons["pin"].setText("Unpin" if pinned else "Pin")
        self.depth.setVisible(one and depth is not None)
        self.depth_label.setVisible(one and depth is not None)
        if depth is not None:
            self._quiet = True
            self.depth.setValue(depth)
            self._quiet = False
        self.setVisible(n > 0)
        self.adjustSize()

    def say(self, text: str) -> None:
        """Show only a sentence and the way out of it."""
        self.text.setText(text)
        self.text.show()
        for widget in (*self.buttons.values(), self.depth, self.depth_label):
            widget.hide()
        self.show()
        self.adjustSize()

    def _depth_changed(self) -> None:
        if not self._quiet:
            self._wait.start()


class ArrangingPanel(Panel):
    """Says that names are being arranged, how far it is, and how to stop."""

    stop_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(theme, parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 4, 4)
        row.setSpacing(8)
        self.text = Label("", "small", self)
        self.line = ProgressLine(self)
        self.line.setFixedWidth(120)
        self.stop = Button("Stop here", self, kind="link", tooltip="Keep what is reached")
        self.stop.clicked.connect(self.stop_wanted)
        for widget in (self.text, self.line, self.stop):
            row.addWidget(widget)
        self._wait = QTimer(self, singleShot=True, interval=SHOW_AFTER_MS)
        self._wait.timeout.connect(self._appear)
        self.hide()

    def begin(self) -> None:
        self._wait.start()

    def set_share(self, share: float, n: int) -> None:
        self.text.setText(f"Arranging {format_number(n)} {'name' if n == 1 else 'names'}")
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
