"""The models screen: what this computer can run, the models, and ways to get more of them.

Owns the lists and the jobs it starts: downloads and copies in the download lane, tests in the model
lane. The model registry owns the models. Uses the network only for the download that was clicked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QLabel, QVBoxLayout, QWidget

from desktop_app.engine import paths
from desktop_app.engine.changes import ChangeNotice
from desktop_app.engine.llm.catalogue import Suggestion
from desktop_app.engine.llm.link_download import AddedModel, LinkedModel, UnfinishedDownload
from desktop_app.engine.llm.machine import CORES, TOO_LARGE, Machine
from desktop_app.engine.llm.model_checks import CheckResult
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.llm.remote.contract import shorten_name
from desktop_app.engine.progress import CancelToken, Progress, ProgressCallback
from desktop_app.engine.services.capability_results import ModelCapabilities
from desktop_app.engine.services.model_servers import ModelServer
from desktop_app.workers.lane import Job
from desktop_app.workers.operations import Query, Work

from ..context import SessionContext
from ..translation import later, tr, trn
from ..widgets import (
    Button,
    Label,
    ToolbarRow,
    build_column,
    build_row,
    clear_layout,
    format_size,
    scroll_area,
)
from ..widgets.layout import STRETCH, settle_scrolled
from .cards import (
    GAP,
    ColumnHeading,
    DownloadRow,
    ModelCard,
    ModelsSummary,
    RerankerRow,
    SuggestionRow,
    describe_estimate,
    find_known_speed,
)
from .link_dialog import LinkDialog

ROLE_TEXTS = (  # a role of a model, its title and its purpose
    ("chat", later("Written answers"), later("Write answers and reports from the passages found.")),
    (
        "embedding",
        later("Search by meaning"),
        later("Find passages with the same meaning in other words."),
    ),
    ("reranker", later("Rerankers"), later("Put the passages found into a better order.")),
    (
        "vision",
        later("Descriptions of pictures"),
        later("Each is a chat model together with its projector."),
    ),
)
WIDTH = 1200  # pixels; in a wider window the list is in the middle


@dataclass(frozen=True, slots=True)
class _Found:
    """What the lists show."""

    models: list[ModelRow]
    reranker: str
    unfinished: list[UnfinishedDownload]
    machine: Machine
    capabilities: Mapping[str, ModelCapabilities] = field(default_factory=dict)  # by model name


SECTION_GAP, BELOW_HEADING = 24, 8  # pixels above a section's title, and below its columns' heads


def describe_machine(machine: Machine) -> str:
    """Return the memory, processors and free disk of this computer."""
    if not machine.memory_bytes:
        return ""
    total, free = format_size(machine.memory_bytes), format_size(machine.free_bytes)
    memory = (
        tr("{total} of memory, {free} of it free", total=total, free=free)
        if machine.free_bytes
        else tr("{total} of memory", total=total)
    )
    parts = [memory, trn("{n} processor core", "{n} processor cores", machine.n_processors)]
    if machine.free_disk_bytes:
        parts.append(tr("{free} free on the disk", free=format_size(machine.free_disk_bytes)))
    return " · ".join(parts)


def describe_limit(machine: Machine) -> str:
    """Return how much memory a model may need that runs well, and why a larger one does not."""
    size, limit = machine.find_well_limit()
    if not size:
        return ""
    if limit == CORES:
        return trn(
            "Models that need up to {size} of memory; larger ones are slow with {n} processor core",
            "Models that need up to {size} of memory; larger ones are slow with "
            "{n} processor cores",
            machine.n_processors,
            size=format_size(size),
        )
    return tr(
        "Models that need up to {size} of memory; larger ones leave too little for other programs",
        size=format_size(size),
    )


def describe_folder(folder: str, models: Sequence[ModelRow]) -> str:
    """Return where the models are, how many are installed, and how much of the disk they take."""
    words = tr("Models folder: {folder}", folder=folder)
    installed = [model for model in models if model.installed]
    if not installed:
        return words
    size = format_size(sum(model.size_bytes for model in installed))
    taken = trn("{n} model, {size}", "{n} models, {size}", len(installed), size=size)
    return f"{words} · {taken}"


def describe_server(server: ModelServer) -> str:
    """Return which model on a server is used in place of those listed here, "" if none."""
    if not server.is_on:
        return ""
    return tr(
        "This library uses models on {site}: {models}. Those below are used while it is gone, or "
        "after you turn it off in the settings.",
        site=server.address.site,
        models=", ".join(shorten_name(getattr(server, role)) for role in server.roles),
    )


def add_shown(column: QVBoxLayout, widget: QWidget) -> None:
    """Add a widget to a column and show it; Qt would show it only with a later event."""
    column.addWidget(widget)
    widget.show()


class ModelsScreen(QWidget):
    """Lists models by purpose."""

    def __init__(self, context: SessionContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._registry = context.model_registry
        self._jobs: dict[str, Job] = {}  # by model name, or by file name for downloads
        self._machine = Machine(0, 0, 0)
        self._stopped: dict[str, UnfinishedDownload] = {}
        self.cards: dict[str, ModelCard] = {}
        self._is_read = self._is_preparing = False
        self._showing: Iterator[None] | None = None  # the steps that are left of it
        self.downloads: dict[str, DownloadRow] = {}
        self.suggestions: list[SuggestionRow] = []
        self.setMinimumSize(320, 240)
        self.banner = self._build_banner()
        self.summary = ModelsSummary(context.theme)
        self.server = Label("", "strong", wrap=True)
        self.server.hide()
        self.file_button = Button(
            tr("Add a GGUF file…"),
            kind="quiet",
            theme=context.theme,
            icon="add-file",
            tooltip=tr("Use a model file that is on this computer"),
            icon_alone=True,
        )
        self.link_button = Button(
            tr("Download from a link…"),
            theme=context.theme,
            icon="ph.link",
            tooltip=tr("Download one GGUF file from a web address that you paste"),
            icon_alone=True,
        )
        self.file_button.clicked.connect(self.choose_file)
        self.link_button.clicked.connect(lambda: self.ask_for_link())
        self.place = Label("", "small", wrap=True)
        self.place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.folder_button = Button(tr("Open folder"), kind="link")
        self.folder_button.clicked.connect(
            lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(paths.models_dir())))
        )
        self.reranker = RerankerRow()
        self.reranker.chosen.connect(lambda name: self._do(self._registry.use_reranker, name))
        self.list, self.download_list = build_column(spacing=0), build_column(spacing=0)
        self.other_list = build_column(spacing=0)  # below the suggestions for answers
        self._suggestion_rows: dict[str, QVBoxLayout] = {}  # by role
        self.larger_heads: ColumnHeading | None = None  # of the suggested chat models
        self.larger = self._build_suggestions("chat")
        self.for_pictures = self._build_suggestions("vision")
        self.picture_list = build_column(spacing=0)
        inner, body = QWidget(), QWidget()
        build_column(
            *(self.server, self.banner, self.summary, self.download_list, self.list, self.larger),
            *(self.other_list, self.reranker, self.picture_list, self.for_pictures),
            *(build_row((self.place, 1), self.folder_button, spacing=GAP), STRETCH),
            parent=inner,
            spacing=12,
            margins=(0, 16, 0, 24),
        )
        body.setObjectName("screenBody")

        def fit() -> None:
            inner.setMaximumWidth(context.theme.breadth(WIDTH))

        context.theme.changed.connect(fit)
        fit()
        row = build_row((inner, 1), parent=body, margins=(16, 0, 16, 0), spacing=0)
        row.insertStretch(0, 0)  # only what the list does not take
        row.addStretch(0)
        toolbar = ToolbarRow(tr("Models"))
        toolbar.add_stretch()
        toolbar.add(self.file_button)
        toolbar.add(self.link_button)
        self._area = scroll_area(body)
        build_column(toolbar, (self._area, 1), parent=self, spacing=0)
        context.hub.changed.connect(self._on_change)

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
            "Questions are answered with the passages that fit them. For written answers, install "
            "the starter below, which is small and good for trying things, or add a model of your "
            "own: the larger it is, the fewer mistakes it makes."
        )
        texts = build_column(
            Label(tr("No model for answers is installed"), "strong"),
            Label(text, wrap=True),
            spacing=4,
        )
        build_row(icon, (texts, 1), parent=banner, spacing=12, margins=(16, 12, 16, 12))
        banner.hide()
        return banner

    def _build_suggestions(self, role: str) -> QVBoxLayout:
        column = build_column(spacing=0)
        roles = {suggestion.role for suggestion in self._registry.list_suggestions()}
        texts = {
            "chat": (
                tr("Larger models (not tested with Inkgraph)"),
                tr("They usually make fewer mistakes than the starter."),
            ),
            "vision": (
                tr("Models for pictures (not tested with Inkgraph)"),
                tr("Each has two files, the model and its projector: download both."),
            ),
        }
        if role not in roles:
            return column
        title, text = texts[role]
        heading = Label(title, "title", wrap=True)
        heading.setContentsMargins(0, SECTION_GAP, 0, 4)
        column.addWidget(heading)
        heads = ColumnHeading(self._context.theme, text, has_speed=role == "chat")
        column.addWidget(heads)
        if role == "chat":
            self.larger_heads = heads
        column.addSpacing(BELOW_HEADING)
        self._suggestion_rows[role] = build_column(spacing=0)
        column.addLayout(self._suggestion_rows[role])
        return column

    def _show_suggestions(self) -> Iterator[None]:
        for suggestion in self._registry.list_suggestions()[len(self.suggestions) :]:
            row = SuggestionRow(self._context.theme, suggestion, self._machine)
            row.get_clicked.connect(self.ask_for_link)
            self.suggestions.append(row)
            add_shown(self._suggestion_rows[suggestion.role], row)
            yield

    def prepare(self) -> Iterator[None]:
        """Read the list of models before the screen is shown, and show it step by step."""
        if self._is_read:
            return
        self._showing = None
        self._is_preparing = True
        self.refresh()
        while self._is_preparing:
            yield
        while self._showing is not None:
            self._show_next()
            yield

    def refresh(self) -> None:
        """Read the list of models again."""
        self._is_read = True

        def read() -> _Found:
            registry, checks = self._registry, self._context.capability_checks
            models = registry.list_models()
            chats = (row for row in models if row.role == "chat" and row.installed)
            return _Found(
                models,
                registry.reranker_name(),
                registry.list_unfinished(),
                registry.read_machine(),
                {row.name: known for row in chats if (known := checks.find(row)) is not None},
            )

        query = Query(self._context.reader_lane, read, owner=self)
        query.on_success(self._show_found).on_end(self._end_reading).run()

    def _end_reading(self) -> None:
        self._is_preparing = False

    def _show_next(self) -> None:
        """Do a step of showing the list, if there is one left."""
        if self._showing is not None:
            try:
                next(self._showing)
            except StopIteration:
                self._showing = None

    def showEvent(self, event: QShowEvent) -> None:
        """Read the list again: a model may have been set aside meanwhile."""
        super().showEvent(event)
        while self._showing is not None:  # before it was prepared
            self._show_next()
        if not (self._is_read and self._jobs):
            self.refresh()

    def _on_change(self, change: ChangeNotice) -> None:
        if change.models and self._is_read and not self._jobs:
            self.refresh()

    def _show_found(self, found: _Found) -> None:
        rows = list(self.cards.values())
        self._showing = self._iter_showing(found)
        while self._showing is not None and not self._is_preparing:
            self._show_next()
        if self.isVisible() and self._showing is None and rows != list(self.cards.values()):
            settle_scrolled(self._area)

    def _iter_showing(self, found: _Found) -> Iterator[None]:
        """Show what was read; a step takes 10 to 20 ms if the cards are not there yet."""
        self._machine = found.machine
        # a model for tests of the program is not offered, but can be used where it is installed
        models = [model for model in found.models if model.installed or not model.for_tests]
        best = self._find_best(models)
        self._show_summary(models, best)  # first: what is below it doesn't move
        self._show_downloads(found.unfinished)
        yield from self._show_models(models, found.reranker)
        yield from self._show_suggestions()
        known = find_known_speed(models)
        if self.larger_heads is not None:
            self.larger_heads.set_compared(known)
        for name, card in self.cards.items():
            card.show_speed(known)
            card.show_capabilities(found.capabilities.get(name))
        for row in self.suggestions:
            if row.suggestion.role == "chat":
                row.show_speed(known, found.machine)
        self._show_recommended(best)

    def _find_best(self, models: list[ModelRow]) -> str:
        """Return the chat model that is best for this computer: its name, or a suggestion's title.

        It is "" where the memory is unknown.
        """
        suggested = [m for m in models if m.role == "chat" and m.in_catalogue and not m.for_tests]
        needs = {m.name: m.memory_bytes for m in suggested}
        needs |= {
            suggestion.title: suggestion.memory_bytes
            for suggestion in self._registry.list_suggestions()
            if suggestion.role == "chat"
        }
        return self._machine.find_best(needs)

    def _show_recommended(self, best: str) -> None:
        """Mark the chat model that is best for this computer."""
        reason = trn(
            "The largest of these models that fits well into the memory and is fast enough with "
            "{n} processor core.",
            "The largest of these models that fits well into the memory and is fast enough with "
            "{n} processor cores.",
            self._machine.n_processors,
        )
        for name, card in self.cards.items():
            card.show_recommended(reason if name == best else "")
        for row in self.suggestions:
            row.show_recommended(reason if row.suggestion.title == best else "")
        self._mark_main_action(best)

    def _show_summary(self, models: list[ModelRow], best: str) -> None:
        """Show above the list which model is in use, what runs well and what a larger one gives."""
        chat = [model for model in models if model.role == "chat"]
        used = next((model for model in chat if model.active), None)
        in_use = used.title if used is not None else tr("None; questions are answered by quoting")
        if used is not None and used.name == best:
            in_use = tr("{model}, the best one for this computer", model=used.title)
        elif best:
            titles = {model.name: model.title for model in chat}
            in_use += " · " + tr("recommended: {model}", model=titles.get(best, best))
        self.summary.show_lines(
            {
                tr("In use"): in_use,
                tr("This computer"): describe_machine(self._machine),
                tr("Runs well here"): describe_limit(self._machine),
                tr("A larger model"): self._describe_larger(models, used),
            }
        )

    def _describe_larger(self, models: list[ModelRow], used: ModelRow | None) -> str:
        """Return what the next larger suggested model gives, "" if none fits into the memory."""
        if used is None:
            return ""
        larger = [
            suggestion
            for suggestion in self._registry.list_suggestions()
            if suggestion.role == "chat"
            and suggestion.memory_bytes > used.memory_bytes
            and self._machine.judge(suggestion.memory_bytes) != TOO_LARGE
        ]
        if not larger:
            return ""
        next_one = min(larger, key=lambda suggestion: suggestion.memory_bytes)
        speed = describe_estimate(find_known_speed(models), next_one.size_bytes, next_one.title)
        if not speed:
            return tr("Fewer mistakes, but slower: {model}", model=next_one.title)
        return tr("Fewer mistakes, but slower: {model}, {speed}", model=next_one.title, speed=speed)

    def _mark_main_action(self, best: str | None) -> None:
        """Make the button of the recommended model primary, and no other one."""
        for name, card in self.cards.items():
            card.set_primary(name == best)
        for row in self.suggestions:
            row.set_primary(row.suggestion.title == best)

    def _show_downloads(self, unfinished: list[UnfinishedDownload]) -> None:
        stopped = {download.model.file: download for download in unfinished}
        for file in [f for f in self.downloads if f not in stopped and f not in self._jobs]:
            row = self.downloads.pop(file)
            self.download_list.removeWidget(row)
            row.hide()
            row.deleteLater()
        for file, download in stopped.items():
            if file not in self._jobs:
                self._download_row(file).show_unfinished(download)
        self._stopped = stopped

    def _download_row(self, file: str) -> DownloadRow:
        if file not in self.downloads:
            row = self.downloads[file] = DownloadRow(self._context.theme, file)
            row.stop_clicked.connect(self.cancel)
            row.continue_clicked.connect(lambda file: self.download(self._stopped[file].model))
            row.discard_clicked.connect(
                lambda file: self._do(self._registry.discard_download, file)
            )
            add_shown(self.download_list, row)
        return self.downloads[file]

    def _show_models(self, models: list[ModelRow], reranker: str) -> Iterator[None]:
        installed = [(m.name, m.title) for m in models if m.role == "reranker" and m.installed]
        has_chat = any(m.active for m in models if m.role == "chat")
        self.reranker.show_choice(reranker, installed, has_chat=has_chat)
        server = self._context.library_models.server
        self.banner.setVisible(not has_chat and not (server.is_on and server.chat))
        self.server.setText(describe_server(server))
        self.server.setVisible(server.is_on)
        self.place.setText(describe_folder(str(paths.models_dir()), models))
        if [m.name for m in models] == list(self.cards):
            for model in models:
                self.cards[model.name].show_model(model, self._machine)
                self._show_job(model.name)
            return
        clear_layout(self.list)
        clear_layout(self.other_list)
        clear_layout(self.picture_list)
        self.cards = {}
        sections = {"chat": self.list, "vision": self.picture_list}
        for role, title, purpose in ROLE_TEXTS:
            of_role = [m for m in models if m.role == role]
            if not of_role:
                continue
            heading = Label(tr(title), "title")
            heading.setContentsMargins(0, SECTION_GAP if self.cards else 4, 0, 4)
            section = sections.get(role, self.other_list)
            add_shown(section, heading)
            heads = ColumnHeading(self._context.theme, tr(purpose), has_speed=role == "chat")
            add_shown(section, heads)
            section.addSpacing(BELOW_HEADING)
            of_role.sort(key=lambda m: (not m.active, m.for_tests, not m.installed))
            for model in of_role:
                card = self.cards[model.name] = ModelCard(self._context.theme, model, self._machine)
                card.install_clicked.connect(self.install)
                card.cancel_clicked.connect(self.cancel)
                card.use_clicked.connect(self.use)
                card.check_clicked.connect(self.check)
                card.capabilities_clicked.connect(self.check_capabilities)
                card.remove_clicked.connect(self.confirm_remove)
                self._show_job(model.name)
                add_shown(section, card)
                yield
        self.cards = {m.name: self.cards[m.name] for m in models if m.name in self.cards}

    def _show_job(self, name: str) -> None:
        if name in self._jobs and name in self.cards:
            self.cards[name].show_progress(Progress("waiting"))

    def install(self, name: str) -> None:
        """Download a model of the catalogue; a stopped download continues the next time."""

        def show_progress(progress: Progress) -> None:
            if name in self.cards:
                self.cards[name].show_progress(progress)

        def installed(_: object) -> None:
            title = self.cards[name].title.full_text() if name in self.cards else name
            self._context.messages.show(tr("{model} is installed.", model=title), kind="ok")

        def ended() -> None:
            if name in self.cards:
                self.cards[name].show_progress(None)

        def run(cancel: CancelToken, on_progress: ProgressCallback) -> object:
            return self._registry.install(name, cancel, on_progress)

        self._fetch(name, run, show_progress, installed, ended)

    def ask_for_link(self, suggestion: Suggestion | None = None) -> None:
        """Ask for the link of a model, with the steps that lead to that of a suggested one."""
        dialog = LinkDialog(self._context, self._machine, self.window(), suggestion)
        dialog.accepted_model.connect(self.download)
        dialog.open()

    def download(self, model: LinkedModel) -> None:
        """Download the model behind a link that the user gave and checked."""

        def run(cancel: CancelToken, on_progress: ProgressCallback) -> object:
            return self._registry.download(model, cancel, on_progress)

        self._fetch_own(model.file, run)

    def choose_file(self) -> None:
        """Ask for a GGUF file and add it."""
        pattern = tr("Models (*.gguf)")
        file, _ = QFileDialog.getOpenFileName(self, tr("Add a GGUF file"), "", pattern)
        if file:
            self.add_file(Path(file))

    def add_file(self, path: Path) -> None:
        """Take a GGUF file of the user into the models folder."""

        def run(cancel: CancelToken, on_progress: ProgressCallback) -> object:
            return self._registry.add_file(path, cancel, on_progress)

        self._fetch_own(path.name, run)

    def _fetch_own(self, file: str, run: Callable[[CancelToken, ProgressCallback], object]) -> None:
        row = self._download_row(file)
        row.show_progress(Progress("waiting"))

        def added(model: AddedModel) -> None:
            name = model.path.stem.lower()
            self._context.messages.show(
                tr("{file} is installed.", file=model.path.name),
                kind="ok",
                action_text=tr("Use it"),
                action=lambda: self.use(name),
            )

        self._fetch(file, run, row.show_progress, added, lambda: None)

    def _fetch(
        self,
        name: str,
        run: Callable[[CancelToken, ProgressCallback], object],
        show_progress: ProgressCallback,
        done: Callable[..., None],
        ended: Callable[[], None],
    ) -> None:
        """Run a download or copy in its lane; a second one of the same name is ignored."""
        if name in self._jobs:
            return
        work = Work(
            self._context.download_lane,
            lambda job: run(job.cancel_token, job.report),
            owner=self,
            label=f"install {name}",  # not shown
        )

        def report(progress: Progress) -> None:
            if name in self._jobs:
                show_progress(progress)

        def end() -> None:
            self._jobs.pop(name, None)
            ended()
            self._publish()

        work.on_progress(report).on_success(done).on_end(end)
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

    def check_capabilities(self, name: str) -> None:
        """Find out what a chat model can do; takes up to two minutes and can be stopped."""
        if name in self._jobs:
            return
        registry, checks = self._registry, self._context.capability_checks

        def run(job: Job) -> None:
            row = registry.get_chat_row(name)
            checks.check(row, job.cancel_token, job.report)

        def report(progress: Progress) -> None:
            if name in self._jobs and name in self.cards:
                self.cards[name].show_asking(progress)

        def end() -> None:
            self._jobs.pop(name, None)
            if name in self.cards:
                self.cards[name].show_progress(None)
            self.refresh()  # the result is kept

        lane = self._context.capability_lane
        work = Work(lane, run, owner=self, label="capabilities")
        work.on_progress(report).on_end(end)
        self._jobs[name] = work.job
        self._show_job(name)
        work.run()

    def use(self, name: str) -> None:
        """Use a model; another embedding model makes all vectors of the library again."""
        self._do(self._registry.use, name)
        card = self.cards.get(name)
        if card is not None and card.role == "embedding":
            text = tr(
                "{model} reads all passages again. Until then, questions search by words "
                "and names.",
                model=card.title.full_text(),
            )
            self._context.messages.show(text)

    def confirm_remove(self, name: str) -> None:
        title = self.cards[name].title.full_text()
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
        self._context.hub.publish_edit(
            ChangeNotice(models=True)
        )  # other screens show which model answers
