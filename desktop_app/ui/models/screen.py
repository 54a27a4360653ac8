"""The models screen: installed and available models, their requirements, and a test question.

Owns the list and the jobs it starts in the model lane; the model registry owns the models.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QComboBox, QFrame, QLabel, QWidget

from desktop_app.engine import paths
from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.llm.registry import CheckResult, ModelRow
from desktop_app.engine.llm.reranking import CHAT_RERANKER
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import Progress
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Badge,
    Button,
    Hairline,
    IconButton,
    Label,
    PrimaryButton,
    ProgressLine,
    SectionTitle,
    ToolbarRow,
    build_column,
    build_row,
    clear_layout,
    format_language,
    format_left,
    format_size,
    scroll_area,
)
from ..widgets.words import join_words

SHOWN_LANGUAGES = 4
MULTILINGUAL = later("multilingual")  # shown in place of a language code
ROLES = (
    ("chat", later("Answers")),
    ("embedding", later("Semantic search")),
    ("reranker", later("Rerankers")),
)
WIDTH = 760


class ModelCard(QWidget):
    """A row of the models screen; signals carry the model's name."""

    use_clicked = Signal(str)
    install_clicked = Signal(str)
    cancel_clicked = Signal(str)
    check_clicked = Signal(str)
    remove_clicked = Signal(str)

    def __init__(self, theme: Theme, model: ModelRow) -> None:
        super().__init__()
        self.name = model.name
        self.title = Label("", "strong")
        self.badge = Badge(theme, "", "ok")
        self.facts = Label("", "muted", wrap=True)
        self.note = Label("", "muted", wrap=True)
        self.result = Label("", "ok", wrap=True)
        self.sample = Label("", "muted", wrap=True)
        self.line = ProgressLine()
        self.progress_text = Label("", "small")
        self.install_button = PrimaryButton(tr("Install"), theme=theme, icon="install")
        self.use_button = PrimaryButton(tr("Use"))
        self.check_button = Button(tr("Test"), tooltip=tr("Ask one short question"))
        self.cancel_button = Button(tr("Stop"))
        self.remove_button = IconButton(theme, "delete", tr("Remove from this computer"))
        buttons = (
            (self.check_button, self.check_clicked),
            (self.use_button, self.use_clicked),
            (self.install_button, self.install_clicked),
            (self.cancel_button, self.cancel_clicked),
            (self.remove_button, self.remove_clicked),
        )
        for button, signal in buttons:
            button.clicked.connect(lambda _=False, signal=signal: signal.emit(self.name))
        texts = build_column(
            build_row(self.title, self.badge, STRETCH, spacing=8),
            *(self.facts, self.note, self.line, self.progress_text, self.result, self.sample),
            spacing=4,
        )
        button_row = build_row(*(button for button, _ in buttons))
        right = build_column(button_row, STRETCH, spacing=0)
        row = build_row((texts, 1), right, spacing=16, margins=(0, 12, 0, 12))
        build_column(row, Hairline(), parent=self, spacing=0)
        self.show_model(model)
        self.show_progress(None)
        self.show_result(None)

    def show_model(self, model: ModelRow) -> None:
        self._model = model
        self.title.setText(model.title)
        self.facts.setText(describe(model))
        self.note.setText(tr_message(model.note))
        self.note.setVisible(bool(model.note))
        self.note.set_role("bad" if model.damaged else "muted")
        if model.active:
            self.badge.set_text(tr("in use"), "ok")
        else:
            self.badge.set_text(tr("installed"), "text2")
        self.badge.setVisible(model.installed)
        self._show_buttons(busy=False)

    def show_progress(self, progress: Progress | None) -> None:
        """Show the progress of an installation; None if there is none."""
        busy = progress is not None
        self.line.setVisible(busy)
        self.progress_text.setVisible(busy)
        self._show_buttons(busy)
        if progress is None:
            return
        share = progress.done / progress.total if progress.total > 0 else None
        self.line.set_share(share)
        parts = [tr("waiting to start") if share is None else f"{int(100 * share)} %"]
        if left := format_left(progress.left_s):
            parts.append(left)
        self.progress_text.setText(" · ".join(parts))

    def show_checking(self) -> None:
        self.check_button.setEnabled(False)
        self.result.set_role("muted")
        self.result.setText(tr("Testing…"))
        self.result.show()
        self.sample.hide()

    def show_result(self, result: CheckResult | None) -> None:
        """Show the result of a check; None clears it."""
        self.check_button.setEnabled(True)
        self.result.setVisible(result is not None)
        self.sample.setVisible(bool(result is not None and result.sample))
        if result is None:
            return
        parts = [tr_message(result.message)]
        if result.tokens_per_s and "tokens/s" not in result.message:
            parts.append(tr("{n} tokens/s", n=f"{result.tokens_per_s:.1f}"))
        if result.seconds:
            parts.append(tr("{n} s", n=f"{result.seconds:.1f}"))
        self.result.set_role("ok" if result.ok else "bad")
        self.result.setText(" · ".join(part.rstrip(".。") for part in parts if part))
        sample = result.sample
        # anything else is the answer of a chat model
        self.sample.setText(tr_message(sample) if isinstance(sample, Message) else f"“{sample}”")

    def _show_buttons(self, busy: bool) -> None:
        installed = self._model.installed
        self.install_button.setVisible(not busy and not installed)
        self.cancel_button.setVisible(busy)
        self.use_button.setVisible(not busy and installed and not self._model.active)
        self.check_button.setVisible(not busy and installed)
        self.remove_button.setVisible(not busy and installed)


def describe(model: ModelRow) -> str:
    """Return the known facts in one line: size, memory, languages and licence."""
    languages = [
        tr(MULTILINGUAL) if code == MULTILINGUAL else format_language(code)
        for code in model.languages
        if code != "und"
    ]
    if len(languages) > SHOWN_LANGUAGES:
        more = len(languages) - SHOWN_LANGUAGES
        languages = [*languages[:SHOWN_LANGUAGES], trn("{n} more", "{n} more", more)]
    parts = (
        tr("{size} on disk", size=format_size(model.size_bytes)) if model.size_bytes else "",
        tr("{size} of memory", size=format_size(model.memory_bytes)) if model.memory_bytes else "",
        join_words(languages),
        model.licence,
    )
    return " · ".join(part for part in parts if part)


class RerankerRow(QWidget):
    """The choice of a reranker and its cost; `chosen` with its name, `CHAT_RERANKER` or ""."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Reranking"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.activated.connect(lambda _: self.chosen.emit(self.choice.currentData()))
        text = tr(
            "Before an answer, the passages found can be ranked again. This is slower, and useful "
            "where the right passage is found but ranked too low."
        )
        build_column(
            SectionTitle(tr("Reranking")),
            Label(text, wrap=True),
            build_row(self.choice, STRETCH, spacing=0),
            parent=self,
            spacing=8,
            margins=(0, 16, 0, 0),
        )

    def show_choice(
        self, current: str, rerankers: Sequence[tuple[str, str]], *, has_chat: bool
    ) -> None:
        """Show the installed rerankers and the current choice.

        Args:
            rerankers: (name, title) of the installed ones.
        """
        with QSignalBlocker(self.choice):
            self.choice.clear()
            self.choice.addItem(tr("None"), "")
            if has_chat or current == CHAT_RERANKER:
                self.choice.addItem(tr("Chat model (some seconds more)"), CHAT_RERANKER)
            for name, title in rerankers:
                self.choice.addItem(title, name)
            self.choice.setCurrentIndex(max(0, self.choice.findData(current)))


class ModelsScreen(QWidget):
    """Lists models by purpose."""

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._registry = context.model_registry
        self._jobs: dict[str, Job] = {}
        self.cards: dict[str, ModelCard] = {}
        self.setMinimumSize(320, 240)
        self.banner = self._build_banner()
        self.place = Label("", "small", wrap=True)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reranker = RerankerRow()
        self.reranker.chosen.connect(lambda name: self._do(self._registry.use_reranker, name))
        self.list = build_column(spacing=0)
        inner, body = QWidget(), QWidget()
        inner.setMaximumWidth(WIDTH)
        build_column(
            *(self.banner, self.list, self.reranker, self.place, STRETCH),
            parent=inner,
            spacing=12,
            margins=(0, 16, 0, 24),
        )
        body.setObjectName("screenBody")
        row = build_row((inner, 1), parent=body, margins=(24, 0, 24, 0), spacing=0)
        row.addStretch(0)
        build_column(ToolbarRow(tr("Models")), (scroll_area(body), 1), parent=self, spacing=0)
        context.hub.changed.connect(self._on_change)
        self.refresh()

    def _build_banner(self) -> QFrame:
        theme = self._context.theme
        banner = QFrame()
        banner.setObjectName("banner")
        icon = QLabel()
        icon.setAlignment(Qt.AlignmentFlag.AlignTop)

        def draw() -> None:
            icon.setPixmap(theme.icon("info", color="accent").pixmap(20, 20))

        theme.changed.connect(draw)
        draw()
        text = tr(
            "Questions are answered with the passages that fit them. For written answers, "
            "install a model below, or put a GGUF file into the models folder."
        )
        texts = build_column(
            Label(tr("No model for answers is installed"), "strong"),
            Label(text, wrap=True),
            spacing=4,
        )
        build_row(icon, (texts, 1), parent=banner, spacing=12, margins=(16, 12, 16, 12))
        banner.hide()
        return banner

    def refresh(self) -> None:
        """Read the list of models again."""

        def read() -> tuple[list[ModelRow], str]:
            return self._registry.list_models(), self._registry.reranker_name()

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(lambda found: self._show_models(*found)).run()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the list again: a model may have been set aside meanwhile."""
        super().showEvent(event)
        if not self._jobs:
            self.refresh()

    def _on_change(self, change: ChangeSet) -> None:
        if change.models and not self._jobs:
            self.refresh()

    def _show_models(self, models: list[ModelRow], reranker: str) -> None:
        installed = [(m.name, m.title) for m in models if m.role == "reranker" and m.installed]
        has_chat = any(m.active for m in models if m.role == "chat")
        self.reranker.show_choice(reranker, installed, has_chat=has_chat)
        self.banner.setVisible(not has_chat)
        self.place.setText(tr("Models folder: {folder}", folder=paths.models_dir()))
        if [m.name for m in models] == list(self.cards):
            for model in models:
                self.cards[model.name].show_model(model)
                self._show_job(model.name)
            return
        clear_layout(self.list)
        self.cards = {}
        for role, title in ROLES:
            of_role = [m for m in models if m.role == role]
            if not of_role:
                continue
            heading = SectionTitle(tr(title))
            heading.setContentsMargins(0, 16 if self.cards else 0, 0, 0)
            self.list.addWidget(heading)
            for model in of_role:
                card = self.cards[model.name] = ModelCard(self._context.theme, model)
                card.install_clicked.connect(self.install)
                card.cancel_clicked.connect(self.cancel)
                card.use_clicked.connect(lambda name: self._do(self._registry.use, name))
                card.check_clicked.connect(self.check)
                card.remove_clicked.connect(self.confirm_remove)
                self._show_job(model.name)
                self.list.addWidget(card)
        self.cards = {m.name: self.cards[m.name] for m in models if m.name in self.cards}

    def _show_job(self, name: str) -> None:
        if name in self._jobs:
            self.cards[name].show_progress(Progress("waiting"))

    def install(self, name: str) -> None:
        """Download a model; a stopped download continues the next time."""
        if name in self._jobs:
            return
        work = Work(
            self._context.model_lane,
            lambda job: self._registry.install(name, job.cancel_token, job.report),
            owner=self,
            label=f"install {name}",  # not shown
        )

        def show_progress(progress: Progress) -> None:
            if name in self._jobs and name in self.cards:
                self.cards[name].show_progress(progress)

        def installed(_: object) -> None:
            title = self.cards[name].title.text() if name in self.cards else name
            self._context.messages.show(tr("{model} is installed.", model=title), kind="ok")

        def ended() -> None:
            self._jobs.pop(name, None)
            if name in self.cards:
                self.cards[name].show_progress(None)
            self._publish()

        work.on_progress(show_progress).on_success(installed).on_end(ended)
        self._jobs[name] = work.job
        self._show_job(name)
        work.run()

    def cancel(self, name: str) -> None:
        if job := self._jobs.get(name):
            job.cancel()

    def check(self, name: str) -> None:
        """Test a model with one short question."""
        self.cards[name].show_checking()

        def show(result: CheckResult | None) -> None:
            if name in self.cards:
                self.cards[name].show_result(result)
            self._publish()  # a model that was set aside may be in use again

        def fail(error: BaseException) -> None:
            show(None)
            self._context.messages.show_error(error)

        query = Query(self._context.model_lane, self._registry.check, name, owner=self)
        query.on_success(show).on_error(fail).run()

    def confirm_remove(self, name: str) -> None:
        title = self.cards[name].title.text()
        self._context.messages.show(
            tr("Remove {model} from this computer?", model=title),
            kind="warn",
            action_text=tr("Remove"),
            action=lambda: self._do(self._registry.remove, name),
        )

    def _do(self, method: Callable[[str], None], name: str) -> None:
        query = Query(self._context.model_lane, method, name, owner=self)
        query.on_success(lambda _: self._publish()).run()

    def _publish(self) -> None:
        self.refresh()
        self._context.hub.publish(ChangeSet(models=True))  # other screens show which model answers
