"""The models screen: which models are here, what they need, and a try with one question.

Owns the list and the jobs it starts in the model lane; what a model is stays with the shelf.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from desktop_app.engine import paths
from desktop_app.engine.changes import EVERYTHING, ChangeSet
from desktop_app.engine.progress import Progress
from desktop_app.ui.language import later, tr
from desktop_app.ui.widgets import Label, SectionTitle, ToolbarRow, clear_layout
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from .card import ModelCard
from .reranker_row import RerankerRow

ROLES = (
    ("chat", later("Answering questions")),
    ("embedding", later("Searching by meaning")),
    ("reranker", later("Models that put passages in order")),
)
WIDTH = 760


class ModelsScreen(QWidget):
    """Lists models by what they are for."""

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
        self.reranker.chosen.connect(lambda name: self._do(self._context.shelf.use_reranker, name))
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
        """Look again which models are there."""
        shelf = self._context.shelf

        def read() -> tuple[list[Any], str]:
            return shelf.list_models(), shelf.reranker_name()

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(lambda found: self._show_models(*found)).run()

    def _on_change(self, change: ChangeSet) -> None:
        if change.everything and not self._jobs:
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
        """Fetch a model; it can be stopped, and goes on there the next time."""
        if name in self._jobs:
            return
        shelf = self._context.shelf
        work = Work(
            self._context.model_lane,
            lambda job: shelf.install(name, job.cancel_token, job.report),
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
        """Try a model with one short question."""
        self.cards[name].show_checking()
        query = Query(self._context.model_lane, self._context.shelf.check, name, owner=self)
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
        self._do(self._context.shelf.use, name)

    def confirm_remove(self, name: str) -> None:
        title = self.cards[name].title.text()
        self._context.messages.show(
            tr("Remove {model} from this computer?", model=title),
            kind="warn",
            action_text=tr("Remove"),
            action=lambda: self._do(self._context.shelf.remove, name),
        )

    def _do(self, method: Any, name: str) -> None:
        query = Query(self._context.model_lane, method, name, owner=self)
        query.on_success(lambda _: self._tell()).run()

    def _tell(self) -> None:
        self.refresh()
        self._context.hub.tell(EVERYTHING)  # other screens say which model answers
