"""The dialog that asks for the link of a GGUF file and shows what is behind it.

Uses the network only through the two buttons; emits what is to be downloaded.
"""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from desktop_app.engine.llm.catalogue import Suggestion
from desktop_app.engine.llm.link_download import LinkedModel, parse_link, parse_sha256
from desktop_app.engine.llm.machine import Machine
from desktop_app.engine.llm.registry import needed_memory
from desktop_app.workers.operations import Query

from ..context import SessionContext
from ..messages import describe_error
from ..translation import tr
from ..widgets import Badge, Button, FactGrid, Flow, Label, PrimaryButton, format_size
from ..widgets.link_confirmation import ask_to_open
from ..widgets.sheet import Sheet
from ..widgets.words import join_sentences, plain_tip
from .cards import show_verdict

WIDTH = 560


class LinkDialog(Sheet):
    """Asks for a link, checks it on request, and then offers the download."""

    accepted_model = Signal(object)  # LinkedModel

    def __init__(
        self,
        context: SessionContext,
        machine: Machine,
        parent: QWidget,
        suggestion: Suggestion | None = None,
    ) -> None:
        title = (
            tr("Download {model}", model=suggestion.title)
            if suggestion is not None
            else tr("Download a model from a link")
        )
        super().__init__(title, parent)
        self._context, self._machine = context, machine
        self._checked: LinkedModel | None = None
        self.link = QLineEdit()
        self.link.setAccessibleName(tr("Link to a GGUF file"))
        self.link.setPlaceholderText("https://…/model.gguf")
        self.sha256 = QLineEdit()
        self.sha256.setAccessibleName(tr("SHA-256 of the file, if you know it"))
        self.status = Label("", "muted", wrap=True)
        self.facts = FactGrid()
        self.fit_badge = Badge(context.theme, "", "ok")
        self.cancel_button = Button(tr("Cancel"))
        self.check_button = PrimaryButton(tr("Check link"))
        self.download_button = PrimaryButton(tr("Download"), theme=context.theme, icon="install")
        if suggestion is not None:
            self.add(self._build_steps(suggestion))
        paste = "" if suggestion is not None else tr("Paste the link of one .gguf file.")
        network = tr(
            "“Check link” and “Download” connect to the site of this link, and to sites it sends "
            "you on to; nothing of yours is sent."
        )
        self.add(
            Label(join_sentences([part for part in (paste, network) if part]), "muted", wrap=True)
        )
        self.add_field(tr("Link to a GGUF file"), self.link)
        self.add_field(tr("SHA-256 of the file, if you know it"), self.sha256)
        self._fit_line = Flow()
        self._fit_line.add(self.fit_badge)
        for widget in (self.status, self.facts, self._fit_line):
            self.add(widget)
        self.add_foot([self.cancel_button, self.check_button, self.download_button])
        self.cancel_button.clicked.connect(self.reject)
        self.check_button.clicked.connect(self.check)
        self.download_button.clicked.connect(self._download)
        for field in (self.link, self.sha256):
            field.textChanged.connect(lambda _: self._show_unchecked())
        self._show_unchecked()

    def _build_steps(self, suggestion: Suggestion) -> QWidget:
        """Return what is to be done, in order; the page opens only by its button."""
        theme = self._context.theme
        self.page_button = Button(tr("Open page…"), theme=theme, icon="ph.arrow-square-out")
        self.page_button.setToolTip(plain_tip(suggestion.page))
        self.page_button.clicked.connect(
            lambda: ask_to_open(
                theme, suggestion.page, self.page_button, QPoint(0, self.page_button.height())
            )
        )
        steps = [
            tr("Open the page of the model, which lists its files."),
            tr("Copy the link of the file with “Q4_K_M” in its name: the usual version."),
            tr("Paste the link below, check it, and download the file."),
        ]
        if suggestion.role == "vision":
            steps[1] = tr("Copy the link of the file with “{kind}” in its name.",
                          kind=suggestion.quantisation)  # fmt: skip
            steps.append(tr("Do the same with its projector, a file with “mmproj” in its name."))
        whole = QWidget()
        grid = QGridLayout(whole)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for number, text in enumerate(steps):
            place = Qt.AlignmentFlag.AlignTop if number else Qt.AlignmentFlag.AlignVCenter
            grid.addWidget(Label(f"{number + 1}.", "strong"), number, 0, place)
            grid.addWidget(Label(text, wrap=True), number, 1, 1, 2 if number else 1)
        grid.addWidget(self.page_button, 0, 2)
        return whole

    def check(self) -> None:
        """Ask the server what is behind the link."""
        link, sha256 = self.link.text(), self.sha256.text()
        try:  # before anything is sent
            parse_link(link)
            parse_sha256(sha256)
        except Exception as error:  # shown as it is
            self._show_problem(error)
            return
        self.check_button.setEnabled(False)
        self._show_status(tr("Asking the server…"))
        registry = self._context.model_registry
        query = Query(self._context.download_lane, registry.inspect_link, link, sha256, owner=self)

        def show(model: LinkedModel) -> None:
            if (self.link.text(), self.sha256.text()) == (link, sha256):
                self._show_checked(model)

        query.on_success(show).on_error(self._show_problem).run()

    def _show_unchecked(self) -> None:
        self._checked = None
        self.check_button.setEnabled(bool(self.link.text().strip()))
        self._offer(download=False)
        self._show_status("")

    def _show_checked(self, model: LinkedModel) -> None:
        self._checked = model
        memory_bytes = needed_memory(model.size_bytes)
        self.facts.set_facts(
            [
                (tr("File"), model.file),
                (tr("Size"), format_size(model.size_bytes)),
                (tr("Memory"), tr("about {size}", size=format_size(memory_bytes))),
                (
                    "SHA-256",
                    model.sha256 or tr("not named by the server; shown after the download"),
                ),
            ]
        )
        show_verdict(self.fit_badge, self._machine, memory_bytes, in_column=False)
        self._offer(download=True)
        self._show_status("")
        self.download_button.setFocus()

    def _show_problem(self, error: BaseException) -> None:
        self.check_button.setEnabled(True)
        self._show_status(describe_error(error), "bad")

    def _show_status(self, text: str, role: str = "muted") -> None:
        self.status.set_role(role)
        self.status.setText(text)
        self.status.setVisible(bool(text))
        self._fit()

    def _offer(self, *, download: bool) -> None:
        self.facts.setVisible(download)
        self._fit_line.setVisible(download and bool(self.fit_badge.text()))
        self.check_button.setVisible(not download)
        self.download_button.setVisible(download)
        (self.download_button if download else self.check_button).setDefault(True)

    def _fit(self) -> None:
        self.fit_content(self._context.theme.breadth(WIDTH))

    def _download(self) -> None:
        if self._checked is not None:
            self.accepted_model.emit(self._checked)
            self.accept()
