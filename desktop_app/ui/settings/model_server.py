"""The section of the settings for models on a server, and the dialog that shows what is sent.

Uses the network only by its buttons and its switch, in the model lane; what is sent there has
nothing of the library before the user agreed in the dialog.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.errors import UserError
from desktop_app.engine.llm.model_checks import CheckResult
from desktop_app.engine.llm.remote.address import ServerAddress, parse_address
from desktop_app.engine.llm.remote.chat import ListedModel
from desktop_app.engine.llm.remote.contract import shorten_name
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.capability_results import ModelCapabilities
from desktop_app.engine.services.model_servers import (
    CHAT,
    EMBEDDING,
    RERANKER,
    SERVED_ROLES,
    WHAT_IS_SENT,
    ModelServer,
    RequestExample,
    build_examples,
)
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..messages import describe_error
from ..translation import later, tr, tr_message
from ..widgets import Button, Label, PrimaryButton
from ..widgets.buttons import Switch
from ..widgets.capabilities import CapabilityCheck
from ..widgets.fields import ChoiceBox
from ..widgets.layout import STRETCH, build_column, build_row
from ..widgets.option_form import EDITOR_WIDTH, FormRow
from ..widgets.sheet import Sheet
from .sections import Section, SectionView

EXPLANATION = later(
    "Larger models on a server with OpenAI's API (llama-server, vLLM, Ollama) can answer, enrich "
    "and search for this library, on another computer of yours or at a service. Off by default. "
    "While it is on, texts of this library are sent to that server."
)
WITHOUT_CHOICES = later(
    "The server does not state how likely answers are: names and connections are listed in free "
    "form, answers are checked in words, and suggestions of the merge desk can't be compared."
)
PURPOSES = (
    (CHAT, later("Answers"), later("Writes answers, descriptions and reports.")),
    (
        EMBEDDING,
        later("Search by meaning"),
        later("All documents get new vectors, made by this model."),
    ),
    (RERANKER, later("Reranker"), later("Puts the passages found into a better order.")),
)
SHEET_WIDTH, SHEET_HEIGHT = 720, 640


class SentSheet(Sheet):
    """Shows what would be sent to a server, with one request in full; accepted by "Send"."""

    def __init__(
        self,
        context: SessionContext,
        server: ModelServer,
        examples: list[RequestExample],
        parent: QWidget,
    ) -> None:
        address = server.address
        super().__init__(tr("Send texts of this library to {site}?", site=address.site), parent)
        self.add(Label(tr("From now on this is sent to the server, and to no other:"), wrap=True))
        for role in server.roles:
            self.add(Label(tr_message(WHAT_IS_SENT[role]), wrap=True))
        self.add(
            Label(
                tr(
                    "What happens to it there is up to whoever runs the server. Everything else "
                    "stays on this computer."
                ),
                "muted",
                wrap=True,
            )
        )
        if address.needs_confirmation:
            self.add(Label(describe_plain_http(address), "bad", wrap=True))
        self.add(Label(tr("For example, in full:"), "strong"))
        text = "\n\n".join(example.text for example in examples)
        self.example = QPlainTextEdit(text)
        self.example.setReadOnly(True)
        self.example.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.example.setAccessibleName(tr("Example of a request"))
        self.add(self.example)
        self.column.setStretch(self.column.count() - 1, 1)
        self.cancel_button, self.send_button = Button(tr("Cancel")), PrimaryButton(tr("Send"))
        self.add_foot([self.cancel_button, self.send_button])
        self.cancel_button.setDefault(True)  # not by a key that was still pressed
        self.send_button.setDefault(False)
        self.cancel_button.clicked.connect(self.reject)
        self.send_button.clicked.connect(self.accept)
        breadth = context.theme.breadth
        self.fit(breadth(SHEET_WIDTH), breadth(SHEET_HEIGHT))
        self.cancel_button.setFocus()


def describe_plain_http(address: ServerAddress) -> str:
    """Return what the danger of an address without encryption is."""
    return tr(
        "Without encryption (https), everybody on the way to {site} can read what is sent.",
        site=address.site,
    )


class ModelServerView(SectionView):
    """Has the address, the key and the model besides the options, and the switch."""

    opened_sheet = Signal(object)

    def __init__(
        self, context: SessionContext, section: Section, parent: QWidget | None = None
    ) -> None:
        super().__init__(context.theme, section, parent)
        self._context, self._models = context, context.library_models
        self._listed: list[str] = []  # models that the server named since "Connect"
        theme = context.theme
        self.address, self.key = QLineEdit(), QLineEdit()
        self.address.setPlaceholderText("http://192.168.1.20:8080/v1")
        self.key.setPlaceholderText(tr("None"))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.boxes = {role: ChoiceBox() for role in SERVED_ROLES}
        self.plain_http = Switch(theme, tr("Send without encryption all the same"))
        self.connect_button = Button(tr("Connect"))
        self.test_button, self.forget_button = Button(tr("Test")), Button(tr("Forget server"))
        self.switch = Switch(theme, tr("Use the server for this library"))
        self.capabilities = CapabilityCheck()
        self._checked: tuple[str, str] = ("", "")  # address and model of the result that is shown
        self._check_job: Job | None = None
        self.status, self.problem = Label("", "small", wrap=True), Label("", "bad", wrap=True)
        self.warning = Label("", "bad", wrap=True)
        rows = (
            self._build_row(
                tr("Address"),
                tr(
                    "“Connect” asks the server for its list of models, and sends no text of a "
                    "document."
                ),
                self.address,
                self.connect_button,
            ),
            self._build_row(
                tr("Key"),
                tr(
                    "If the server needs one. It is kept in the keyring of this computer; without "
                    "a keyring, until the program ends."
                ),
                self.key,
            ),
            *(
                self._build_row(tr(title), tr(purpose), self.boxes[role])
                for role, title, purpose in PURPOSES
            ),
        )
        buttons = QWidget()
        build_row(self.test_button, self.forget_button, STRETCH, parent=buttons, spacing=8)
        state = self._build_row(
            tr("Connection"),
            tr(
                "“Test” asks the model a short question, “What can this model do?” ten. They have "
                "no text of the library."
            ),
            buttons,
        )
        self._texts = " ".join(row.searched_text for row in (*rows, state))
        widgets: list[QWidget] = [
            Label(tr(EXPLANATION), wrap=True),
            self.switch,
            self.status,
            self.problem,
            *rows[:1],
            self.warning,
            self.plain_http,
            *rows[1:],
        ]
        for index, widget in enumerate(widgets, start=1):
            self.column.insertWidget(index, widget)
        self.column.addWidget(state)
        self.column.addWidget(self.capabilities)
        self.connect_button.clicked.connect(self.connect_server)
        self.test_button.clicked.connect(self._test)
        self.capabilities.check_wanted.connect(self._check_capabilities)
        self.capabilities.stop_wanted.connect(self._stop_check)
        self.forget_button.clicked.connect(self._forget)
        self.switch.clicked.connect(self._turn)
        self.address.textChanged.connect(lambda _: self._show_address())
        self.address.returnPressed.connect(self.connect_server)
        self.plain_http.toggled.connect(lambda _: self._show_address())
        for box in self.boxes.values():
            box.activated.connect(lambda _: self._choose_model())
        context.hub.changed.connect(self._on_change)
        self.refresh()

    def _build_row(self, title: str, help: str, editor: QWidget, *more: QWidget) -> FormRow:
        row = FormRow(self._context.theme, title, help)
        editor.setAccessibleName(title)
        place = QWidget()
        build_column(editor, *more, parent=place, spacing=4)
        place.setFixedWidth(self._context.theme.breadth(EDITOR_WIDTH))
        gap = QWidget()
        gap.setFixedWidth(self._context.theme.length(28))
        row.place_beside(place, gap)
        return row

    # --- what is shown ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the stored server."""
        super().refresh()
        server = self._models.server
        if server.url and not self.address.text():
            self.address.setText(server.url)
        if not self._listed:
            self._fill_boxes([getattr(server, role) for role in server.roles])
        self._show_state()
        self._show_address()

    def _fill_boxes(self, names: Sequence[str]) -> None:
        """Offer these models for each role; what was chosen stays chosen."""
        for role, box in self.boxes.items():
            chosen = getattr(self._models.server, role)
            box.clear()
            box.addItem(tr("On this computer"), "")
            for name in dict.fromkeys(names):
                box.addItem(shorten_name(name), name)
            box.setCurrentIndex(max(0, box.findData(chosen)))
            box.setEnabled(box.count() > 1)

    def _read_roles(self) -> dict[str, str]:
        return {role: box.currentData() or "" for role, box in self.boxes.items()}

    def _show_state(self) -> None:
        server, state = self._models.server, self._models.state
        self.switch.setChecked(server.is_on)
        self.switch.setEnabled(any(self._read_roles().values()))
        self.test_button.setEnabled(bool(server.url))
        self.forget_button.setEnabled(bool(server.url))
        self.capabilities.setVisible(bool(server.chat))
        if self._checked != (server.url, server.chat):
            self._stop_check()
            self._checked = server.url, server.chat
            self.capabilities.show_result(None)
        if not server.is_on and not self.switch.isEnabled():
            words = tr(
                "Off: all models are on this computer. To turn it on, connect to a server and "
                "choose a model below."
            )
        elif not server.is_on:
            words = tr("Off: all models are on this computer.")
        elif state.is_away:
            words = tr(
                "{site} can't be reached. Models on this computer are used until it is back.",
                site=state.site,
            )
        else:
            words = tr("On: models on {site} are used.", site=state.site)
        if server.chat and server.features.n_top == 0:
            words = f"{words}\n{tr(WITHOUT_CHOICES)}"
        self.status.setText(words)

    def _show_address(self) -> None:
        """Show whether the address can be used, and whether it is safe."""
        address = self._read_address()
        is_unsafe = address is not None and address.needs_confirmation
        self.warning.setText(describe_plain_http(address) if address and is_unsafe else "")
        self.warning.setVisible(is_unsafe)
        self.plain_http.setVisible(is_unsafe)
        self.connect_button.setEnabled(
            bool(self.address.text().strip()) and (not is_unsafe or self.plain_http.isChecked())
        )

    def _read_address(self) -> ServerAddress | None:
        try:
            return parse_address(self.address.text())
        except UserError:
            return None

    def _show_problem(self, error: BaseException | None) -> None:
        self.problem.setText("" if error is None else describe_error(error))
        self.problem.setVisible(error is not None)

    def _on_change(self, change: ChangeNotice) -> None:
        if change.models:
            self._show_state()

    # --- what the buttons do ----------------------------------------------------------------------

    def connect_server(self) -> None:
        """Ask the server for its models."""
        if not self.connect_button.isEnabled():
            return
        try:
            address = parse_address(self.address.text())
        except UserError as error:
            self._show_problem(error)
            return
        key = self.key.text().strip() or None

        def show(listed: list[ListedModel]) -> None:
            self.address.setText(address.url)
            self._listed = [model.name for model in listed]
            self._fill_boxes(self._listed)
            if len(self._listed) == 1 and not any(self._read_roles().values()):
                self.boxes[CHAT].setCurrentIndex(1)
            self._show_state()
            self.status.setText(
                tr("Choose below what {site} is used for, and turn the switch on.",
                   site=address.site)
            )  # fmt: skip

        self._do(tr("Asking the server…"), self._models.connect, address.url, key, done=show)

    def _turn(self) -> None:
        if not self.switch.isChecked():
            self._do("", self._models.turn_off, done=lambda _: None)
            return
        self.switch.setChecked(False)  # until the user agreed
        self._set_server(self._ask)

    def _choose_model(self) -> None:
        """Use another model of the server at once, if it is in use."""
        self.switch.setEnabled(any(self._read_roles().values()))
        if not self._models.server.is_on:
            return
        if any(self._read_roles().values()):
            self._set_server(self._ask)
        else:
            self._do("", self._models.turn_off, done=lambda _: None)

    def _set_server(self, done: Callable[[ModelServer], None]) -> None:
        address = self._read_address()
        if address is None:
            self.connect_server()
            return
        server = replace(self._models.server, url=address.url).with_roles(self._read_roles())
        key = self.key.text().strip() or None
        self._do(tr("Trying the server…"), self._models.set_server, server, key, done=done)

    def _ask(self, server: ModelServer) -> None:
        """Show what is sent, unless the user agreed before, and use the server if that is so."""
        if not server.needs_agreement:
            self._do("", self._models.turn_on, done=lambda _: None)
            return
        reader = self._context.library_reader

        def build() -> list[RequestExample]:
            question = tr("What is this passage about?")
            return build_examples(reader.db, server, self._models.has_key(), question)

        def show(examples: list[RequestExample]) -> None:
            sheet = SentSheet(self._context, server, examples, self.window())
            sheet.accepted.connect(lambda: self._do("", self._models.turn_on, done=lambda _: None))
            sheet.open()
            self.opened_sheet.emit(sheet)

        query = Query(self._context.reader_lane, build, owner=self)
        query.on_success(show).on_error(self._show_problem).run()

    def _test(self) -> None:
        def show(result: CheckResult) -> None:
            words = tr_message(result.message)
            self.status.setText(f"{words}\n{result.sample}" if result.sample else words)
            self.status.set_role("small" if result.ok else "bad")

        self._do(tr("Trying the server…"), self._models.check, done=show)

    def _check_capabilities(self) -> None:
        """Find out what the chat model can do, with texts of the demo; two minutes at most."""
        if self._check_job is not None:
            return
        self._show_problem(None)
        self.capabilities.show_progress(Progress("waiting"))
        checks, models, checked = self._context.capability_checks, self._models, self._checked

        def run(job: Job) -> ModelCapabilities:
            return checks.check_borrowed(models.borrow_served_chat(), job.cancel_token, job.report)

        def report(progress: Progress) -> None:
            if self._check_job is not None:
                self.capabilities.show_progress(progress)

        def show(found: ModelCapabilities) -> None:
            if self._checked == checked:  # else it is a result of the server before
                self.capabilities.show_result(found)

        def end() -> None:
            self._check_job = None
            self.capabilities.show_progress(None)

        work = Work(self._context.capability_lane, run, owner=self, label="capabilities")
        work.on_progress(report).on_success(show).on_error(self._show_problem).on_end(end)
        self._check_job = work.job
        work.run()

    def _stop_check(self) -> None:
        if self._check_job is not None:
            self._check_job.cancel()

    def _forget(self) -> None:
        def done(_: object) -> None:
            self.address.clear()
            self.key.clear()
            self._listed = []
            self._fill_boxes(())
            self._show_state()

        self._do("", self._models.forget_server, done=done)

    def _do(
        self, words: str, method: Callable[..., Any], *args: Any, done: Callable[[Any], None]
    ) -> None:
        """Run a method in the model lane and show what came of it."""
        self._show_problem(None)
        self.status.set_role("small")
        if words:
            self.status.setText(words)

        def end(result: Any) -> None:
            self._context.hub.publish_edit(ChangeNotice(models=True))  # the state is shown again
            done(result)

        def fail(error: BaseException) -> None:
            self._show_state()
            self._show_problem(error)

        query = Query(self._context.model_lane, partial(method, *args), owner=self)
        query.on_success(end).on_error(fail).run()

    def filter(self, words: list[str], *, expert: bool) -> bool:
        """Show the section if a setting or one of its texts has all the words."""
        found = super().filter(words, expert=expert)
        texts = f"{tr(EXPLANATION)} {self.switch.text()} {self._texts}".casefold()
        is_meant = bool(words) and all(word in texts for word in words)
        if is_meant and not found:
            for row in self.rows.values():
                row.show()
        self.setVisible(found or is_meant)
        return found or is_meant
