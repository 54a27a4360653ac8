"""The models screen: installed and available models, their requirements, and a test question.

Owns the list and the jobs it starts in the model lane; the model registry owns the models.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from desktop_app.engine import paths
from desktop_app.engine.changes import ChangeSet
from desktop_app.engine.llm.reranking import CHAT_RERANKER
from desktop_app.engine.progress import Progress
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..language import later, tr, tr_message, trn
from ..theme.theme import Theme
from ..widgets import (
    Badge,
    Button,
    Hairline,
    IconButton,
    Label,
    PrimaryButton,
    ProgressLine,
    SectionTitle,
    ToolbarRow,
    clear_layout,
    format_language,
    format_left,
    format_size,
)
from ..widgets.words import join_words

SHOWN_LANGUAGES = 4
MULTILINGUAL = later("multilingual")  # shown in place of a language code


class ModelCard(QWidget):
    """A row of the models screen; signals carry the model's name."""

    use_clicked = Signal(str)
    install_clicked = Signal(str)
    cancel_clicked = Signal(str)
    check_clicked = Signal(str)
    remove_clicked = Signal(str)

    def __init__(self, theme: Theme, model: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name: str = model.name
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
        self.check_button = Button(tr("Check"), tooltip=tr("Try it with one short question"))
        self.cancel_button = Button(tr("Stop"))
        self.remove_button = IconButton(theme, "delete", tr("Remove from this computer"))
        for button, signal in (
            (self.install_button, self.install_clicked),
            (self.use_button, self.use_clicked),
            (self.check_button, self.check_clicked),
            (self.cancel_button, self.cancel_clicked),
            (self.remove_button, self.remove_clicked),
        ):
            button.clicked.connect(lambda _=False, signal=signal: signal.emit(self.name))
        self._place()
        self.show_model(model)
        self.show_progress(None)
        self.show_result(None)

    def _place(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addWidget(self.badge)
        head.addStretch(1)
        texts = QVBoxLayout()
        texts.setSpacing(4)
        texts.addLayout(head)
        for widget in (
            self.facts,
            self.note,
            self.line,
            self.progress_text,
            self.result,
            self.sample,
        ):
            texts.addWidget(widget)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (
            self.check_button,
            self.use_button,
            self.install_button,
            self.cancel_button,
            self.remove_button,
        ):
            buttons.addWidget(button)
        right = QVBoxLayout()
        right.addLayout(buttons)
        right.addStretch(1)
        row = QHBoxLayout()
        row.setContentsMargins(0, 12, 0, 12)
        row.setSpacing(16)
        row.addLayout(texts, 1)
        row.addLayout(right)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(row)
        column.addWidget(Hairline())

    # --- what is shown ----------------------------------------------------------------------

    def show_model(self, model: Any) -> None:
        damaged = getattr(model, "damaged", False)
        self._model = model
        self.title.setText(model.title)
        self.facts.setText(describe(model))
        self.note.setText(tr_message(model.note))
        self.note.setVisible(bool(model.note))
        self.note.set_role("bad" if damaged else "muted")
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
        known = progress.total > 0
        self.line.set_share(progress.done / progress.total if known else None)
        parts = [
            f"{int(100 * progress.done / progress.total)} %" if known else tr("waiting to start")
        ]
        if left := format_left(progress.left_s):
            parts.append(left)
        self.progress_text.setText(" · ".join(parts))

    def show_checking(self) -> None:
        self.check_button.setEnabled(False)
        self.result.set_role("muted")
        self.result.setText(tr("Trying it…"))
        self.result.show()
        self.sample.hide()

    def show_result(self, result: Any | None) -> None:
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
        is_answer = self._model.role == "chat"
        self.sample.setText(f"“{result.sample}”" if is_answer else tr_message(result.sample))

    def _show_buttons(self, busy: bool) -> None:
        model = self._model
        self.install_button.setVisible(not busy and not model.installed)
        self.cancel_button.setVisible(busy)
        self.use_button.setVisible(not busy and model.installed and not model.active)
        self.check_button.setVisible(not busy and model.installed)
        self.remove_button.setVisible(not busy and model.installed)


def describe(model: Any) -> str:
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


AS_FOUND = later("As they were found (at once)")
BY_CHAT = later("By the chat model, asked of each passage (some seconds more)")


class RerankerRow(QWidget):
    """The choice of a reranker and its cost; `chosen` with its name, `CHAT_RERANKER` or ""."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.choice = QComboBox()
        self.choice.setAccessibleName(tr("Order of passages"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.activated.connect(lambda _: self.chosen.emit(self.choice.currentData()))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 16, 0, 0)
        column.setSpacing(8)
        column.addWidget(SectionTitle(tr("Order of passages")))
        text = tr(
            "Before an answer, the passages found can be put in order once more. It is slower, "
            "and worth it where the right page is found but comes late."
        )
        column.addWidget(Label(text, wrap=True))
        row = QHBoxLayout()
        row.addWidget(self.choice)
        row.addStretch(1)
        column.addLayout(row)

    def show_choice(
        self, current: str, rerankers: Sequence[tuple[str, str]], *, has_chat: bool
    ) -> None:
        """Show the installed rerankers and the current choice.

        Args:
            rerankers: (name, title) of the installed ones.
        """
        with QSignalBlocker(self.choice):
            self.choice.clear()
            self.choice.addItem(tr(AS_FOUND), "")
            if has_chat or current == CHAT_RERANKER:
                self.choice.addItem(tr(BY_CHAT), CHAT_RERANKER)
            for name, title in rerankers:
                self.choice.addItem(tr("By {model}", model=title), name)
            self.choice.setCurrentIndex(max(0, self.choice.findData(current)))


ROLES = (
    ("chat", later("Answering questions")),
    ("embedding", later("Searching by meaning")),
    ("reranker", later("Models that put passages in order")),
)
WIDTH = 760


class ModelsScreen(QWidget):
    """Lists models by purpose."""

    def __init__(self, context: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._jobs: dict[str, Job] = {}
        self.cards: dict[str, ModelCard] = {}
        self.setMinimumSize(320, 240)
        self._build()
        context.hub.changed.connect(self._on_change)
        self.refresh()

    def _build(self) -> None:
        self.toolbar = ToolbarRow(tr("Models"))
        self.banner = self._build_banner()
        self.place = Label("", "small", wrap=True)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.reranker = RerankerRow()
        self.reranker.chosen.connect(
            lambda name: self._do(self._context.model_registry.use_reranker, name)
        )
        self.list = QVBoxLayout()
        self.list.setSpacing(0)
        body = QWidget()
        body.setObjectName("screenBody")
        page = QVBoxLayout()
        page.setContentsMargins(0, 16, 0, 24)
        page.setSpacing(12)
        page.addWidget(self.banner)
        page.addLayout(self.list)
        page.addWidget(self.reranker)
        page.addWidget(self.place)
        page.addStretch(1)
        row = QHBoxLayout(body)
        row.setContentsMargins(24, 0, 24, 0)
        inner = QWidget()
        inner.setLayout(page)
        inner.setMaximumWidth(WIDTH)
        row.addWidget(inner, 1)
        row.addStretch(0)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(body)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.toolbar)
        column.addWidget(scroll, 1)

    def _build_banner(self) -> QFrame:
        theme = self._context.theme
        banner = QFrame()
        banner.setObjectName("banner")
        icon = QLabel()

        def draw() -> None:
            icon.setPixmap(theme.icon("info", color="accent").pixmap(20, 20))

        theme.changed.connect(draw)
        draw()
        texts = QVBoxLayout()
        texts.setSpacing(4)
        texts.addWidget(Label(tr("Works without a model for answers"), "strong"))
        texts.addWidget(
            Label(
                tr(
                    "Questions are answered with the passages that fit them. For written answers, "
                    "install a model below, or put a GGUF file into the models folder."
                ),
                wrap=True,
            )
        )
        row = QHBoxLayout(banner)
        row.setContentsMargins(16, 12, 16, 12)
        row.setSpacing(12)
        row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(texts, 1)
        banner.hide()
        return banner

    # --- what is shown --------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read the list of models again."""
        registry = self._context.model_registry

        def read() -> tuple[list[Any], str]:
            return registry.list_models(), registry.reranker_name()

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(lambda found: self._show_models(*found)).run()

    def _on_change(self, change: ChangeSet) -> None:
        if change.models and not self._jobs:
            self.refresh()

    def _show_models(self, models: list[Any], reranker: str) -> None:
        installed = [(m.name, m.title) for m in models if m.role == "reranker" and m.installed]
        has_chat = any(m.active for m in models if m.role == "chat")
        self.reranker.show_choice(reranker, installed, has_chat=has_chat)
        self.banner.setVisible(not any(m.active for m in models if m.role == "chat"))
        self.place.setText(tr("Models lie in {folder}", folder=paths.models_dir()))
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
                self.list.addWidget(self._build_card(model))
        self.cards = {m.name: self.cards[m.name] for m in models if m.name in self.cards}

    def _build_card(self, model: Any) -> ModelCard:
        card = ModelCard(self._context.theme, model)
        self.cards[model.name] = card
        card.install_clicked.connect(self.install)
        card.cancel_clicked.connect(self.cancel)
        card.use_clicked.connect(self.use)
        card.check_clicked.connect(self.check)
        card.remove_clicked.connect(self.confirm_remove)
        self._show_job(model.name)
        return card

    def _show_job(self, name: str) -> None:
        if name in self._jobs:
            self.cards[name].show_progress(Progress("waiting"))

    # --- doing ------------------------------------------------------------------------------------

    def install(self, name: str) -> None:
        """Download a model; a stopped download continues the next time."""
        if name in self._jobs:
            return
        registry = self._context.model_registry
        work = Work(
            self._context.model_lane,
            lambda job: registry.install(name, job.cancel_token, job.report),
            owner=self,
            label=f"install {name}",  # not shown
        )
        work.on_progress(partial(self._show_progress, name))
        work.on_success(lambda _: self._installed(name))
        work.on_end(partial(self._ended, name))
        self._jobs[name] = work.job
        self._show_job(name)
        work.run()

    def cancel(self, name: str) -> None:
        if job := self._jobs.get(name):
            job.cancel()

    def _show_progress(self, name: str, progress: Progress) -> None:
        if name in self._jobs and name in self.cards:
            self.cards[name].show_progress(progress)

    def _installed(self, name: str) -> None:
        title = self.cards[name].title.text() if name in self.cards else name
        self._context.messages.show(tr("{model} is installed.", model=title), kind="ok")

    def _ended(self, name: str) -> None:
        self._jobs.pop(name, None)
        if name in self.cards:
            self.cards[name].show_progress(None)
        self._tell()

    def check(self, name: str) -> None:
        """Test a model with one short question."""
        self.cards[name].show_checking()
        query = Query(
            self._context.model_lane, self._context.model_registry.check, name, owner=self
        )
        query.on_success(partial(self._show_result, name)).on_error(
            partial(self._check_failed, name)
        ).run()

    def _show_result(self, name: str, result: Any) -> None:
        if name in self.cards:
            self.cards[name].show_result(result)

    def _check_failed(self, name: str, error: BaseException) -> None:
        self._show_result(name, None)
        self._context.messages.show_error(error)

    def use(self, name: str) -> None:
        self._do(self._context.model_registry.use, name)

    def confirm_remove(self, name: str) -> None:
        title = self.cards[name].title.text()
        self._context.messages.show(
            tr("Remove {model} from this computer?", model=title),
            kind="warn",
            action_text=tr("Remove"),
            action=lambda: self._do(self._context.model_registry.remove, name),
        )

    def _do(self, method: Any, name: str) -> None:
        query = Query(self._context.model_lane, method, name, owner=self)
        query.on_success(lambda _: self._tell()).run()

    def _tell(self) -> None:
        self.refresh()
        self._context.hub.publish(ChangeSet(models=True))  # other screens show which model answers
