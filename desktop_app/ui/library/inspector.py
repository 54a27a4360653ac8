"""The panel of the selected document: what it is about, its next actions and its facts.

Shows one `DocumentRow`, its top names and its enrichment; fetches nothing and emits actions as
signals. What a reader looks for comes first, facts of the file come last.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QLineEdit, QScrollArea, QWidget

from desktop_app.engine.model import DocumentRow, EntityRow
from desktop_app.engine.store.enrichment import DocumentEnrichment, Failure

from ..theme.theme import Theme
from ..translation import tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Button,
    FactGrid,
    Flow,
    Label,
    PrimaryButton,
    ProgressLine,
    SectionTitle,
    build_column,
    build_row,
    clear_layout,
    format_date,
    format_language,
    format_number,
    format_size,
)
from ..widgets.buttons import NameRow
from ..widgets.words import format_day_time
from .covers import CoverBox, Covers
from .selection import SelectionPanel
from .words import (
    INSTANT,
    NOTHING_PAUSED,
    can_open,
    can_retry,
    describe_origin,
    describe_read,
    describe_refusal,
    describe_state,
    describe_whole_state,
    enrichment_facts,
    format_share_read,
    has_waiting_file,
    has_waiting_pages,
    is_busy,
    needs_password,
    share,
)

MAX_FAILURES = 5


class EnrichmentPanel(QWidget):
    """Shows the enrichment of the selected documents, with buttons; the list knows which."""

    enrich_clicked = Signal()
    now_clicked = Signal()
    stop_clicked = Signal()
    retry_clicked = Signal()
    passage_clicked = Signal(int, int, int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = ProgressLine()
        self.facts = FactGrid()
        self.enrich_button = Button(tr("Enrich…"), theme=theme, icon="sparkle", tooltip=tr(INSTANT))
        self.now_button = Button(tr("Enrich now"), tooltip=tr("Moves it to the front of the queue"))
        self.stop_button = Button(tr("Stop"), tooltip=tr("Finished passages are kept"))
        self.failures_title = SectionTitle(tr("Failed passages"))
        self.failures = build_column(spacing=0)
        self.retry_button = Button(
            tr("Retry failed passages"), theme=theme, icon="retry", elide=True
        )
        buttons = Flow(gap=8)
        for button in (self.now_button, self.stop_button):
            buttons.add(button)
        self._buttons = buttons
        head = build_row(SectionTitle(tr("Enrichment")), STRETCH, self.enrich_button)
        again = Flow()
        again.add(self.retry_button)
        build_column(
            *(head, self.line, self.facts, buttons),
            *(self.failures_title, self.failures, 4, again),
            parent=self,
            margins=(0, 8, 0, 0),
        )
        for button, signal in (
            (self.enrich_button, self.enrich_clicked),
            (self.now_button, self.now_clicked),
            (self.stop_button, self.stop_clicked),
            (self.retry_button, self.retry_clicked),
        ):
            button.clicked.connect(signal)
        self.show_found(None)

    def show_found(
        self, found: DocumentEnrichment | None, failures: Sequence[Failure] = ()
    ) -> None:
        """Show the progress of enrichment; None hides it, for example while a document is read."""
        self.setVisible(found is not None and found.n_chunks > 0)
        if found is None:
            self._show_failures(())
            return
        begun = bool(found.n_enriched or found.n_waiting or found.n_failed)
        part = share(found)
        self.line.setVisible(part is not None)
        if part is not None:
            self.line.set_share(part)
        self.facts.set_facts(enrichment_facts(found) if begun else [])
        self.facts.setVisible(begun)
        self.enrich_button.setVisible(found.n_waiting == 0)
        self._buttons.setVisible(found.n_waiting > 0)
        self.now_button.setVisible(found.n_waiting > 0)
        self.stop_button.setVisible(found.n_waiting > 0)
        self.retry_button.setVisible(found.n_failed > 0)
        self._show_failures(failures if found.n_failed else ())

    def _show_failures(self, failures: Sequence[Failure]) -> None:
        """List the first failed passages, grouped by reason."""
        clear_layout(self.failures)
        self.failures_title.setVisible(bool(failures))
        reason = None
        for failure in failures[:MAX_FAILURES]:
            if failure.reason != reason:
                reason = failure.reason
                self.failures.addWidget(Label(tr_message(reason), "muted", wrap=True))
            self.failures.addWidget(self._build_place(failure), 0, Qt.AlignmentFlag.AlignLeft)
        if (more := len(failures) - MAX_FAILURES) > 0:
            self.failures.addWidget(Label(trn("and {n} more", "and {n} more", more), "small"))

    def _build_place(self, failure: Failure) -> Button:
        """Return a link to a failed passage."""
        passage = tr("Passage {n}", n=failure.chunk_order + 1)
        heading = failure.heading.rsplit(" › ", 1)[-1]
        place = f"{passage} · {heading}" if heading else passage
        words, heading = place.replace("&", "&&"), failure.heading or passage
        link = Button(words, kind="link", tooltip=heading, elide=True)
        link.setAccessibleName(tr("Open {name}", name=place))
        link.clicked.connect(
            lambda: self.passage_clicked.emit(failure.document_id, failure.start, failure.end)
        )
        return link


class VersionPanel(QWidget):
    """Shows that a changed file was not taken, or that the previous one is kept, with actions."""

    read_clicked = Signal()
    use_clicked = Signal()
    keep_clicked = Signal()
    restore_clicked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = Label("", "warn", wrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.read_button = Button(tr("Read again"), theme=theme, icon="retry")
        self.use_button = Button(tr("Use the new version"), elide=True)
        self.keep_button = Button(
            tr("Keep the old text"), tooltip=tr("Ends this notice"), elide=True
        )
        self.restore_button = Button(tr("Restore the previous version"), elide=True)
        buttons = Flow(gap=8)
        for button, signal in (
            (self.read_button, self.read_clicked),
            (self.use_button, self.use_clicked),
            (self.keep_button, self.keep_clicked),
            (self.restore_button, self.restore_clicked),
        ):
            buttons.add(button)
            button.clicked.connect(signal)
        build_column(self.words, 4, buttons, parent=self)
        self.show_row(None)

    def show_row(self, row: DocumentRow | None) -> None:
        """Show the refused and the previous version of a document's file; None hides the panel."""
        version = row.new_version if row is not None else None
        is_refused = version is not None and version.state == "refused"
        self.words.setText(describe_refusal(row) if row is not None else "")
        self.words.setVisible(is_refused)
        self.read_button.setVisible(is_refused)
        self.keep_button.setVisible(is_refused)
        self.use_button.setVisible(
            is_refused and version is not None and version.n_chars > 0 and version.is_kept
        )
        can_restore = row is not None and row.previous is not None and not is_busy(row)
        self.restore_button.setVisible(can_restore)
        if row is not None and row.previous is not None:
            self.restore_button.setToolTip(
                tr(
                    "The file of {date} ({size}); the present one is kept in its place",
                    date=format_date(row.previous.taken_at),
                    size=format_size(row.previous.size_bytes),
                )
            )
        self.setVisible(is_refused or can_restore)


class TopNames(QWidget):
    """The top names: those that a document mentions most; `clicked` carries the entity.

    They stand below each other, with the number of mentions at the right.
    """

    clicked = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: Sequence[EntityRow] = ()
        self.rows: list[NameRow] = []
        self.table = QWidget()
        self.table.setAccessibleName(tr("Top names"))
        self._lines = build_column(parent=self.table, spacing=0)
        self.unit = Label(tr("Mentions"), "small")
        head = build_row((SectionTitle(tr("Top names")), 1), self.unit)
        build_column(head, self.table, parent=self, margins=(0, 8, 0, 0))
        self.hide()

    def show_names(self, rows: Sequence[EntityRow]) -> None:
        """Show the names in this order; without any, the panel is hidden."""
        self.setVisible(bool(rows))
        if rows == self._shown:  # a row may have the focus
            return
        self._shown = rows
        clear_layout(self._lines)
        self.rows = [self._build_row(row) for row in rows]
        for shown in self.rows:
            self._lines.addWidget(shown)

    def _build_row(self, row: EntityRow) -> NameRow:
        mentions = trn("{n} mention", "{n} mentions", row.n_mentions)
        tooltip, count = f"{row.name} · {mentions}", format_number(row.n_mentions)
        shown = NameRow(self._theme, row.name, row.type, self.table, tooltip=tooltip, count=count)
        shown.clicked.connect(lambda _=False: self.clicked.emit(int(row.id)))
        return shown


class BegunDocuments(QWidget):
    """The documents that were begun and not finished; `clicked` carries the id of one."""

    clicked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Sequence[tuple[DocumentRow, float]] = ()
        self.buttons: list[Button] = []
        self._lines = build_column(spacing=0)
        build_column(
            SectionTitle(tr("Continue reading")),
            self._lines,
            parent=self,
            spacing=4,
            margins=(0, 8, 0, 0),
        )
        self.hide()

    def show_documents(self, documents: Sequence[tuple[DocumentRow, float]]) -> None:
        """Show documents with the share of each that is read; without any, hide the panel."""
        self.setVisible(bool(documents))
        if documents == self._shown:  # a button may have the focus
            return
        self._shown = documents
        clear_layout(self._lines)
        self.buttons = []
        for row, read in documents:
            button = Button(row.title, kind="link", tooltip=row.title, elide=True)
            button.clicked.connect(
                lambda _=False, document_id=row.id: self.clicked.emit(document_id)
            )
            self.buttons.append(button)
            words = Label(format_share_read(read), "muted")
            self._lines.addLayout(build_row((button, 1), words, spacing=8))


WIDTH = 296
MARGIN, BESIDE_COVER = 16, 12  # pixels


class DocumentInspector(QScrollArea):
    """Shows names, facts and next actions of one document, or the number of selected ones."""

    entity_clicked = Signal(int)
    copy_clicked = Signal(str)
    open_clicked = Signal(int)
    names_clicked = Signal(int)
    details_clicked = Signal(int)
    retry_clicked = Signal(int)
    stop_clicked = Signal(int)
    pages_next_clicked = Signal(int)
    pages_leave_clicked = Signal(int)
    pages_read_clicked = Signal(int)
    next_clicked = Signal(int)
    same_clicked = Signal(int)  # the document that this one duplicates
    password_given = Signal(int, str)
    use_clicked = Signal(int)
    keep_clicked = Signal(int)
    restore_clicked = Signal(int)

    def __init__(self, theme: Theme, covers: Covers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("inspector")
        self._theme = theme
        theme.changed.connect(self._fit)
        self._fit()
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._row: DocumentRow | None = None
        self.paused = NOTHING_PAUSED
        self._tried: int | None = None  # the document that a password was given for
        body = QWidget()
        body.setObjectName("inspectorBody")
        self.cover = CoverBox(theme, covers)
        self.title = Label("", "strong", wrap=True)
        self.origin = Label("", "muted", wrap=True)
        self.read_words = Label("", "small", wrap=True)
        self.read_line = ProgressLine()
        self.read_line.setMinimumWidth(24)  # Qt's own is wider than the room beside a large cover
        self.state = Label("", "", wrap=True)
        self.progress = ProgressLine()
        self.pace = Label("", "small", wrap=True)
        self.same_as = Button("", kind="link", tooltip=tr("Show the original"), elide=True)
        self.open_button = PrimaryButton(tr("Open"), theme=theme, icon="book-open")
        self.names_button = Button(tr("Show names"), elide=True)
        self.details_button = Button(tr("Details…"), elide=True)
        self.retry_button = Button(tr("Retry"), theme=theme, icon="retry")
        self.next_button = Button(
            tr("Index next"), tooltip=tr("Moves it to the front of the queue")
        )
        self.stop_button = Button(tr("Stop"), tooltip=tr("What was indexed is kept"))
        self.pages_next_button = Button(
            tr("Read next"), tooltip=tr("Reads its pages before those of other documents")
        )
        self.pages_leave_button = Button(
            tr("Don't read the rest"), tooltip=tr("Pages that were read stay")
        )
        self.pages_read_button = Button(tr("Read the other pages"))
        self.password = QLineEdit()
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setPlaceholderText(tr("Password of this document"))
        self.password.setAccessibleName(tr("Password of this document"))
        self.versions = VersionPanel(theme)
        self.several = SelectionPanel(theme)
        self.top_names = TopNames(theme)
        self.begun = BegunDocuments()
        self.begun.clicked.connect(self.open_clicked)
        self.facts = FactGrid()
        self.file_title = SectionTitle(tr("File"))
        self.file_facts = FactGrid()
        self.facts.share_columns(self.file_facts)
        self.facts.copy_clicked.connect(self.copy_clicked)
        self._collections: Sequence[str] = ()
        self.enrichment = EnrichmentPanel(theme)
        self.notes_title = SectionTitle(tr("Notices"))
        self.notes = Label("", "muted", wrap=True)
        self.notes.setContentsMargins(0, 0, 0, 8)
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        buttons = Flow(gap=8)
        for button in (
            *(self.retry_button, self.next_button, self.stop_button),
            *(self.pages_next_button, self.pages_leave_button, self.pages_read_button),
        ):
            buttons.add(button)
        self._buttons = buttons
        more = build_row((self.names_button, 1), (self.details_button, 1), spacing=8)
        names = build_column(
            *(self.title, self.origin, STRETCH, self.read_words, self.read_line), spacing=4
        )
        head = build_row(
            (self.cover, 0, Qt.AlignmentFlag.AlignTop), (names, 1), spacing=BESIDE_COVER
        )
        build_column(
            *(head, 4, self.several),
            *(self.state, self.progress, self.pace, self.versions, self.password),
            (self.same_as, 0, Qt.AlignmentFlag.AlignLeft),
            *(
                self.open_button,
                more,
                buttons,
                4,
                self.facts,
                self.begun,
                self.top_names,
                self.notes_title,
                self.notes,
                4,
                self.file_title,
                self.file_facts,
                self.enrichment,
                STRETCH,
            ),
            parent=body,
            margins=(MARGIN, MARGIN, MARGIN, MARGIN),
        )
        self.setWidget(body)
        self.top_names.clicked.connect(self.entity_clicked)
        self.open_button.clicked.connect(lambda: self._emit_id(self.open_clicked))
        self.names_button.clicked.connect(lambda: self._emit_id(self.names_clicked))
        self.details_button.clicked.connect(lambda: self._emit_id(self.details_clicked))
        self.next_button.clicked.connect(lambda: self._emit_id(self.next_clicked))
        self.stop_button.clicked.connect(lambda: self._emit_id(self.stop_clicked))
        for button, signal in (
            (self.pages_next_button, self.pages_next_clicked),
            (self.pages_leave_button, self.pages_leave_clicked),
            (self.pages_read_button, self.pages_read_clicked),
        ):
            button.clicked.connect(lambda _=False, signal=signal: self._emit_id(signal))
        self.retry_button.clicked.connect(self._retry)
        self.versions.read_clicked.connect(self._retry)
        self.versions.use_clicked.connect(lambda: self._emit_id(self.use_clicked))
        self.versions.keep_clicked.connect(lambda: self._emit_id(self.keep_clicked))
        self.versions.restore_clicked.connect(lambda: self._emit_id(self.restore_clicked))
        self.same_as.clicked.connect(self._emit_same)
        self.password.returnPressed.connect(self._retry)
        self.show_several()

    def _fit(self) -> None:
        self.setFixedWidth(self._theme.breadth(WIDTH))

    def show_several(
        self,
        rows: Sequence[DocumentRow] = (),
        name: str = "",
        facts: Sequence[tuple[str, str]] = (),
        begun: Sequence[tuple[DocumentRow, float]] = (),
    ) -> None:
        """Show the actions on several documents; for fewer, the library and a hint.

        Args:
            name, facts: of the library, whose top names follow.
            begun: documents that are read in part, with the share of each.
        """
        self._row = None
        self.cover.show_row(None)
        few = len(rows) < 2
        self.title.setText(
            name if few else trn("{n} document selected", "{n} documents selected", len(rows))
        )
        self.several.show_rows(rows)
        self.title.setVisible(bool(self.title.text()))
        self.origin.hide()
        self.state.set_role("muted")
        self.state.setText(tr("Select a document to see its details.") if few else "")
        self.state.setVisible(few)
        for widget in (self.progress, self.pace, self.same_as, self.password):
            widget.hide()
        for button in (self.open_button, self.names_button, self.details_button):
            button.hide()
        self._buttons.hide()
        self.versions.show_row(None)
        self.begun.show_documents(begun if few else ())
        self._show_read(0.0)
        self._show_facts(list(facts) if few else [], [])
        self.notes_title.hide()
        self.notes.hide()

    def show_top_names(self, names: Sequence[EntityRow], collections: Sequence[str]) -> None:
        """Show the top names and the collections of the document."""
        self.top_names.show_names(names)
        self._collections = collections
        if self._row is not None:
            self._show_facts(_main_facts(self._row, collections), _file_facts(self._row))

    def show_row(self, row: DocumentRow, same_as: str = "", read: float = 0.0) -> None:
        """Show a document, without the top names and collections, which follow.

        Those of the document before stay until then, so that nothing moves twice.

        Args:
            same_as: the title of the document that this one duplicates.
            read: the share that was read.
        """
        if self._row is None or self._row.id != row.id:
            self.password.clear()
            self._collections = ()
        self._row = row
        self.begun.show_documents(())
        self.cover.show_row(row)
        words = describe_state(row, self.paused)
        self.several.show_rows(())
        self.title.setText(self._break_bracket(row.title))
        self.title.show()
        self.origin.setText(describe_origin(row))
        self.origin.setVisible(bool(self.origin.text()))
        self.versions.show_row(row)
        self.state.set_role(words.color if words.color in ("ok", "warn", "bad") else "muted")
        self.state.setText(describe_whole_state(row, self.paused))
        self.state.setVisible(row.state != "ready" or bool(words.sentence))
        self.progress.setVisible(words.share is not None)
        if words.share is not None:
            self.progress.set_share(words.share)
        self.same_as.setVisible(bool(same_as))
        self.same_as.setText(tr("Same as “{title}”", title=same_as).replace("&", "&&"))
        self._show_password(row)
        self.open_button.setVisible(can_open(row))
        self.names_button.setVisible(row.n_entities > 0)
        self.details_button.show()
        self.retry_button.setVisible(can_retry(row))
        reads_pages, scans = has_waiting_pages(row), row.scans
        self.next_button.setVisible(has_waiting_file(row) and not reads_pages)
        self.stop_button.setVisible(is_busy(row) and not reads_pages)
        self.pages_next_button.setVisible(reads_pages)
        self.pages_leave_button.setVisible(reads_pages)
        has_others = scans.n_left + scans.n_failed > 0 and scans.n_waiting == 0
        self.pages_read_button.setVisible(row.state == "ready" and has_others)
        self._buttons.setVisible(
            can_retry(row) or has_waiting_file(row) or is_busy(row) or reads_pages or has_others
        )
        self.retry_button.setText(tr("Resume") if row.state == "paused" else tr("Retry"))
        if not row.n_entities:
            self.top_names.show_names(())
        self._show_read(read)
        self._show_facts(_main_facts(row, self._collections), _file_facts(row))
        self.notes.setText("\n".join(tr_message(note) for note in row.notes))
        self.notes_title.setVisible(bool(row.notes))
        self.notes.setVisible(bool(row.notes))

    def _break_bracket(self, title: str) -> str:
        """Return a title with its Chinese bracket, if it has no room, on a line of its own."""
        head, bracket, rest = title.partition("（")
        room = self.width() - self.verticalScrollBar().sizeHint().width()
        room -= 2 * MARGIN + self.cover.width() + BESIDE_COVER
        metrics = QFontMetrics(self._theme.font("strong"))
        is_long = metrics.horizontalAdvance(title) > room
        return f"{head}\n（{rest}" if head and bracket and is_long else title

    def _show_read(self, share: float) -> None:
        for part in (self.read_words, self.read_line):
            part.setVisible(share > 0)
        self.read_words.setText(describe_read(share))
        self.read_line.set_share(share)

    def _show_facts(self, main: list[tuple[str, str]], file: list[tuple[str, str]]) -> None:
        self.facts.set_facts(main, copied=(tr("DOI"), tr("ISBN")))
        self.facts.setVisible(any(value for _, value in main))
        self.file_facts.set_facts(file)
        self.file_title.setVisible(bool(file))

    def _show_password(self, row: DocumentRow) -> None:
        """Show the field for a password; if one was wrong, the field is ready for another."""
        is_needed = needs_password(row)
        if not is_needed and self.password.hasFocus():
            self.setFocus()  # Qt would give it to the next field
        self.password.setVisible(is_needed)
        if self._tried != row.id:
            self._tried = None
        elif is_needed and self.hasFocus():  # it was hidden while the file was read
            self.password.setFocus()
            self.password.selectAll()

    def show_pace(self, words: str) -> None:
        """Show the progress text, hidden if it is empty."""
        self.pace.setText(words)
        self.pace.setVisible(bool(words))

    def _emit_same(self) -> None:
        if self._row is not None and self._row.duplicate_of is not None:
            self.same_clicked.emit(self._row.duplicate_of)

    def _emit_id(self, signal: SignalInstance) -> None:
        if self._row is not None:
            signal.emit(self._row.id)

    def _retry(self) -> None:
        if self._row is None:
            return
        if needs_password(self._row) and self.password.text():
            self._tried = self._row.id
            self.password_given.emit(self._row.id, self.password.text())
        else:
            self.retry_clicked.emit(self._row.id)


def _main_facts(row: DocumentRow, collections: Sequence[str]) -> list[tuple[str, str]]:
    """Return what the user gave to a document, and what a citation of it needs."""
    return [  # one author and the year are beside the cover
        (tr("Authors"), row.author if ";" in row.author else ""),
        (tr("Published in"), _describe_publication(row)),
        (tr("DOI"), row.doi),
        (tr("ISBN"), row.isbn),
        (tr("Collections"), tr(", ").join(collections)),
        (tr("Tags"), tr(", ").join(row.tags)),
        (tr("Note"), row.comment),
    ]


def _count_scans(row: DocumentRow) -> str:
    """Return how many pages were read as pictures, with those that were not; "" without any."""
    scans = row.scans
    if not scans.n_pages:
        return ""
    parts = [
        tr("{n} of {all}", n=format_number(scans.n_read), all=format_number(scans.n_pages)),
        trn("{n} can't be read", "{n} can't be read", scans.n_failed) if scans.n_failed else "",
        trn("{n} left out", "{n} left out", scans.n_left) if scans.n_left else "",
    ]
    return " · ".join(part for part in parts if part)


def _describe_publication(row: DocumentRow) -> str:
    """Return where a work appeared, such as "Journal of Clocks 12 (3), 1–20"."""
    number = f"{row.volume} ({row.issue})" if row.volume and row.issue else row.volume or row.issue
    place = " ".join(filter(None, (row.container, number)))
    return ", ".join(filter(None, (place, row.cited_pages, row.publisher)))


def _file_facts(row: DocumentRow) -> list[tuple[str, str]]:
    n_chars = trn("{n} character", "{n} characters", row.n_chars) if row.n_chars else ""
    size = format_size(row.size_bytes) if row.size_bytes else ""
    return [
        (tr("File name"), row.file_name),
        (tr("Language"), format_language(row.language)),
        (tr("Pages"), format_number(row.n_pages) if row.n_pages else ""),
        (tr("Read as pictures"), _count_scans(row)),
        (tr("Length"), " · ".join(part for part in (n_chars, size) if part)),
        (tr("Names"), format_number(row.n_entities) if row.n_entities else ""),
        (tr("Mentions"), format_number(row.n_mentions) if row.n_mentions else ""),
        (tr("Added"), format_day_time(row.added_at)),
        (tr("Changed"), format_day_time(row.taken_at) if row.taken_at != row.added_at else ""),
        (tr("Previous version"), format_size(row.previous.size_bytes) if row.previous else ""),
    ]
