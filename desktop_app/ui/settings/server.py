"""The section of the settings for other programs: the switch, the address, who asks."""

from __future__ import annotations

import time

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QGridLayout, QWidget

from desktop_app.workers.library_server import (
    OFF,
    ON,
    STARTING,
    LibraryServer,
    build_assistant_configuration,
)

from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import Button, FactGrid, Label, SectionTitle, format_when
from ..widgets.buttons import Switch
from ..widgets.layout import STRETCH, build_column, build_row
from ..widgets.option_form import EDITOR_WIDTH, FormRow
from .sections import Section, SectionView

N_SHOWN = 8
EXPLANATION = later(
    "Programs on this computer can search this library and ask questions: note programs, chat "
    "programs, your own scripts. They need the token. No other computer can connect."
)
ASSISTANT = later(
    "For assistants that start Inkgraph themselves (MCP); the switch is not needed for them."
)


class ServerView(SectionView):
    """Has the switch besides the settings; the switch is off at each start of the program."""

    copied = Signal(str)  # the sentence to show

    def __init__(
        self, theme: Theme, section: Section, server: LibraryServer, parent: QWidget | None = None
    ) -> None:
        super().__init__(theme, section, parent)
        self._server = server
        self.switch = Switch(theme, tr("Serve this library"))
        self.status = Label("", "small", wrap=True)
        self.problem = Label("", "bad", wrap=True)
        self.address, self.token = Label("", "strong"), Label("", "strong")
        self.facts_shown = QWidget()
        self.clients = FactGrid()
        self.requests = FactGrid()
        self._programs, self._last = SectionTitle(tr("Programs")), SectionTitle(tr("Last requests"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(4)
        grid.setColumnStretch(3, 1)
        self._add_fact(grid, tr("Address"), self.address, tr("Address copied"))
        self._add_fact(grid, tr("Token"), self.token, tr("Token copied"))
        build_column(
            grid, self._programs, self.clients, self._last, self.requests,
            parent=self.facts_shown, spacing=8,
        )  # fmt: skip
        self.assistant = FormRow(theme, tr("Configuration for assistants"), tr(ASSISTANT))
        button = Button(tr("Copy configuration"))
        button.clicked.connect(self._copy_configuration)
        place = QWidget()
        build_row(button, STRETCH, parent=place, spacing=0)
        place.setFixedWidth(max(button.sizeHint().width(), theme.breadth(EDITOR_WIDTH)))
        gap = QWidget()
        gap.setFixedWidth(theme.length(28))
        self.assistant.place_beside(place, gap)
        column = self.column
        for index, widget in enumerate(
            (Label(tr(EXPLANATION), wrap=True), self.switch, self.status, self.problem,
             self.facts_shown), start=1
        ):  # fmt: skip
            column.insertWidget(index, widget)
        column.addWidget(self.assistant)
        self.switch.clicked.connect(self._turn)
        server.changed.connect(self.show_state)
        server.requested.connect(self._show_requests)
        self.show_state()

    def _add_fact(self, grid: QGridLayout, name: str, value: Label, done: str) -> None:
        """Add a name, its value and a button that copies it."""

        def copy() -> None:
            QGuiApplication.clipboard().setText(value.text())
            self.copied.emit(done)

        button = Button(tr("Copy"))
        button.setAccessibleName(f"{name}: {button.text()}")
        button.clicked.connect(copy)
        row = grid.rowCount()
        for column, widget in enumerate((Label(name, "muted"), value, button)):
            grid.addWidget(widget, row, column)

    def _turn(self) -> None:
        if self._server.state == OFF:
            self._server.start(self.section.load())
        else:
            self._server.stop()
        self.show_state()

    def show_state(self) -> None:
        """Show whether the server runs, where, and why it ended."""
        server, is_on = self._server, self._server.state == ON
        self.switch.setChecked(server.state != OFF)
        self.status.setText(self._describe())
        self.problem.setText(tr_message(server.problem))
        self.problem.setVisible(bool(server.problem))
        self.address.setText(server.address)
        self.token.setText(server.token)
        self.facts_shown.setVisible(is_on)
        self.form.setEnabled(server.state == OFF)
        self._show_requests()

    def _describe(self) -> str:
        if self._server.state == STARTING:
            return tr("Starting…")
        if self._server.state == OFF:
            return tr("Off. It is switched off whenever the program starts.")
        if self._server.may_edit:
            return tr("On. Programs can read and change this library.")
        return tr("On. Programs can read this library.")

    def _show_requests(self) -> None:
        server = self._server
        clients = [
            (one.name, trn("{n} request, {when}", "{n} requests, {when}", one.n_requests,
                           when=format_when(one.last_at)))
            for one in server.clients[:N_SHOWN]
        ]  # fmt: skip
        self.clients.set_facts(clients or [(tr("None yet"), " ")])
        rows = list(server.requests)[:N_SHOWN]
        self.requests.set_facts(
            [
                (
                    time.strftime("%H:%M:%S", time.localtime(row.at)),
                    f"{row.method} {row.path} · {describe_status(row.status)} · {row.client}",
                )
                for row in rows
            ]
        )
        self._last.setVisible(bool(rows))

    def _copy_configuration(self) -> None:
        text = build_assistant_configuration(self._server.library)
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(tr("Configuration copied"))

    def filter(self, words: list[str], *, expert: bool) -> bool:
        """Show the section if a setting or one of its texts has all the words."""
        found = super().filter(words, expert=expert)
        texts = " ".join((tr(EXPLANATION), self.switch.text(), self.assistant.searched_text))
        is_meant = bool(words) and all(word in texts.casefold() for word in words)
        if is_meant and not found:
            for row in self.rows.values():
                row.show()
        self.setVisible(found or is_meant)
        return found or is_meant


def describe_status(status: int) -> str:
    """Return what became of a request, in words where it was not answered."""
    if status < 400:
        return tr("answered")
    if status == 401:
        return tr("refused: wrong token")
    if status in (403, 421):
        return tr("refused: from another site")
    if status == 429:
        return tr("refused: too many")
    if status == 499:
        return tr("left before the answer")
    return tr("failed ({status})", status=status)
