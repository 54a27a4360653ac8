"""The rows of the models screen: a model, a download, a suggestion, the choice of a reranker.

They show and emit what was clicked; the screen runs it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QGridLayout, QWidget

from desktop_app.engine.durations import format_seconds
from desktop_app.engine.llm.catalogue import Suggestion
from desktop_app.engine.llm.link_download import UnfinishedDownload
from desktop_app.engine.llm.machine import RUNS_SLOWLY, RUNS_WELL, TOO_LARGE, Machine
from desktop_app.engine.llm.model_checks import CheckResult
from desktop_app.engine.llm.model_folders import CHAT_RERANKER
from desktop_app.engine.llm.registry import ModelRow
from desktop_app.engine.messages import Message
from desktop_app.engine.progress import Progress
from desktop_app.engine.services.capability_results import ModelCapabilities

from ..theme.theme import Theme
from ..translation import later, tr, tr_message, trn
from ..widgets import (
    STRETCH,
    Badge,
    Button,
    ChoiceBox,
    ElidedLabel,
    Flow,
    Hairline,
    IconButton,
    Label,
    PrimaryButton,
    ProgressLine,
    build_column,
    build_row,
    clear_layout,
    format_language,
    format_left,
    format_size,
)
from ..widgets.buttons import LINK_PAD
from ..widgets.capabilities import ABOUT_CHECK, CapabilityTable, describe_question, name_check
from ..widgets.words import join_sentences, join_words, plain_tip

SHOWN_LANGUAGES = 4
ROW_MARGINS = (16, 6, 16, 8)
GAP = 16  # pixels between the parts of a row
# Pixels: what a row with columns has beside them for the name and the badges of a model.
BESIDE_COLUMNS = 220
REMOVE_WIDTH, ACTION_WIDTH, BUTTON_GAP = 28, 124, 8  # of the buttons of a row
LINE = 30  # pixels: the first line of a row, with its badges, sizes and buttons
CARD_GAP = 12  # pixels below the frame of the model in use
MULTILINGUAL = later("multilingual")  # shown in place of a language code
# (below the heading "On this computer", alone, colour)
VERDICTS = {
    RUNS_WELL: (later("runs well"), later("runs well here"), "ok"),
    RUNS_SLOWLY: (later("runs slowly"), later("runs slowly here"), "warn"),
    TOO_LARGE: (later("too little memory"), later("too large for this computer"), "bad"),
}


@dataclass(frozen=True, slots=True)
class ColumnWidths:
    """The widths of the columns of all rows in pixels, each with the gap at its left."""

    size: int
    memory: int
    speed: int
    verdict: int

    @property
    def total(self) -> int:
        return self.size + self.memory + self.speed + self.verdict


def measure_columns(theme: Theme) -> ColumnWidths:
    """Return the widths in which the heading and the longest text of each column have room.

    They are measured in the language and the fonts of the window, so that no text meets the next.
    """
    small, number = (QFontMetrics(theme.font(role)) for role in ("small", "number"))
    strong = QFontMetrics(theme.font("strong"))  # of the link "Test speed"
    size = format_size(888_800_000_000)  # as long as a size gets

    def widest(heading: str, metrics: QFontMetrics, *texts: str) -> int:
        n = max(small.horizontalAdvance(heading), *(metrics.horizontalAdvance(t) for t in texts))
        return n + GAP

    speeds = (
        tr("about {n}× as fast", n="888"),
        tr("about {n}% as fast", n="888"),
        tr("about {n} tokens/s", n="888"),
    )
    measured = number.horizontalAdvance(tr("{n} tokens/s", n="888"))
    beside = measured + strong.horizontalAdvance(tr("Test again")) + 2 * LINK_PAD + GAP
    verdicts = (tr(short) for short, _, _ in VERDICTS.values())
    return ColumnWidths(
        widest(tr("Size"), number, tr("about {size}", size=size)),
        widest(tr("Memory needed"), number, size),
        max(
            widest(tr("Speed here"), small, *speeds),
            widest(tr("Test here"), strong, tr("Test speed")),
            beside,  # a measured speed has its link beside it
        ),
        widest(tr("On this computer"), small, *verdicts) + DOT_WIDTH,
    )


DOT_WIDTH = 20  # pixels: the dot of a verdict and what a `Badge` has around its text


def show_verdict(
    badge: Badge,
    machine: Machine,
    memory_bytes: int,
    *,
    in_column: bool,
    is_loaded: bool = False,
) -> None:
    """Show whether a model runs well on this computer, and why in the tooltip; else hide."""
    verdict = machine.rate(memory_bytes)
    if in_column and not is_loaded and lacks_memory(machine, memory_bytes):
        verdict = TOO_LARGE
    badge.setVisible(verdict in VERDICTS)
    if verdict not in VERDICTS:
        return
    short, alone, color = VERDICTS[verdict]
    words = short if in_column else alone
    badge.set_text(tr(words), color, "bare" if in_column else "")
    needed, total = format_size(memory_bytes), format_size(machine.memory_bytes)
    if not machine.free_bytes:
        badge.setToolTip(tr("Needs {needed} of the {total} of memory.", needed=needed, total=total))
        return
    badge.setToolTip(
        tr(
            "Needs {needed} of the {total} of memory, of which {free} are free now.",
            needed=needed,
            total=total,
            free=format_size(machine.free_bytes),
        )
    )


def lacks_memory(machine: Machine, memory_bytes: int) -> bool:
    """Return whether a model that is not loaded needs more memory than this computer can give."""
    is_more_than_free = 0 < machine.free_bytes < memory_bytes
    return machine.rate(memory_bytes) == TOO_LARGE or is_more_than_free


def describe_lack(machine: Machine, memory_bytes: int) -> str:
    """Return "Too little memory: needs 20.5 GB, 18.9 GB free", "" if there is enough or unknown."""
    if not lacks_memory(machine, memory_bytes):
        return ""
    needed, total = format_size(memory_bytes), format_size(machine.memory_bytes)
    if machine.rate(memory_bytes) == TOO_LARGE:
        return tr("Too little memory: needs {needed}, this computer has {total}",
                  needed=needed, total=total)  # fmt: skip
    free = format_size(machine.free_bytes)
    return tr("Too little memory: needs {needed}, {free} free", needed=needed, free=free)


@dataclass(frozen=True, slots=True)
class KnownSpeed:
    """The speed of one installed model, from which those of others are estimated.

    Writing is bound by the memory: each token reads the whole file, so that a file of twice the
    size writes half as fast.
    """

    title: str = ""
    size_bytes: int = 0
    tokens_per_s: float = 0.0  # 0.0 where it was not measured

    def estimate(self, size_bytes: int) -> float:
        """Return the tokens per second of a model of this size, 0.0 for unknown."""
        return self.tokens_per_s * self.size_bytes / size_bytes if size_bytes else 0.0


def find_known_speed(models: Sequence[ModelRow]) -> KnownSpeed:
    """Return the speed of the model in use, else of the largest one; a measured one if any is."""
    chat = [m for m in models if m.role == "chat" and m.size_bytes and m.installed]
    best = max(chat, key=lambda m: (m.tokens_per_s > 0, m.active, m.size_bytes), default=None)
    return KnownSpeed(best.title, best.size_bytes, best.tokens_per_s) if best else KnownSpeed()


LEAST_TIMES = 1.1  # below, percents say more


def describe_estimate(known: KnownSpeed, size_bytes: int, name: str) -> str:
    """Return "about 2 tokens/s", "" where no model is installed.

    Where nothing was measured, it is compared with the speed of the installed model: "about 45% as
    fast" or "about 2.3× as fast".
    """
    read_bytes = round(size_bytes * find_working_share(name))
    if not read_bytes or not known.size_bytes:
        return ""
    rate = known.estimate(read_bytes)
    if not rate:
        times = known.size_bytes / read_bytes
        if times >= LEAST_TIMES:
            shown = f"{times:.1f}".removesuffix(".0") if times < 10 else f"{times:.0f}"
            return tr("about {n}× as fast", n=shown)
        return tr("about {n}% as fast", n=f"{100 * times:.0f}")
    shown = f"{rate:.0f}" if rate >= 2 else f"{rate:.1f}"
    return tr("about {n} tokens/s", n=shown)


def explain_estimate(known: KnownSpeed) -> str:
    """Return from what the estimates are: of two models, the larger file is slower to read."""
    if not known.size_bytes:
        return ""
    if known.tokens_per_s:
        return tr("Estimated from the sizes and the measured speed of {model}.", model=known.title)
    return tr(
        "Estimated from the sizes, compared with {model}. “Test speed” measures it.",
        model=known.title,
    )


MIXTURE = re.compile(r"\b(\d+(?:\.\d+)?)B[ -]A(\d+(?:\.\d+)?)B\b")


def find_working_share(name: str) -> float:
    """Return the share of a model that works on each token: 0.1 for "30B A3B", else 1.0.

    A mixture of experts reads only that share of its file for a token.
    """
    found = MIXTURE.search(name)
    return min(1.0, float(found[2]) / float(found[1])) if found and float(found[1]) else 1.0


def describe_verdict(machine: Machine, memory_bytes: int) -> str:
    """Return "runs well here", "" if it is unknown."""
    verdict = machine.rate(memory_bytes)
    return tr(VERDICTS[verdict][1]) if verdict in VERDICTS else ""


def show_reason(badge: Badge, reason: str) -> None:
    """Show a badge with its reason as the tooltip; hide it where there is no reason."""
    badge.setVisible(bool(reason))
    badge.setToolTip(plain_tip(reason))


def describe_progress(progress: Progress) -> str:
    """Return "34% · 1.6 of 4.7 GB · 3 min left" for a download."""
    if progress.stage == "checking":
        return tr("Comparing the SHA-256…")
    if progress.total <= 0:
        return tr("waiting to start")
    parts = [f"{int(100 * progress.done / progress.total)}%"]
    if progress.stage in ("downloading", "copying") and progress.total > 10_000_000:
        done, total = format_size(progress.done), format_size(progress.total)
        parts.append(tr("{done} of {total}", done=done, total=total))
    if left := format_left(progress.left_s):
        parts.append(left)
    return " · ".join(parts)


class ModelColumns(QWidget):
    """Size, memory, speed and verdict of a model in columns, the same in every row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.size_label, self.memory, self.speed = Label(), Label(), Label()
        self.verdict = Badge(theme, "", "ok")
        self.place = QWidget()
        after_speed = (GAP - LINK_PAD, 0, 0, 0)
        build_row(self.verdict, STRETCH, parent=self.place, spacing=0, margins=after_speed)
        for label in (self.size_label, self.memory, self.speed):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        # The speed, or the link that measures it, whose text ends where the numbers do.
        self.speed_place = QWidget()
        self.speed.setContentsMargins(0, 0, LINK_PAD, 0)
        self.speed_row = build_row(STRETCH, self.speed, parent=self.speed_place, spacing=0)
        build_row(
            *(self.size_label, self.memory, self.speed_place, self.place), parent=self, spacing=0
        )
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        widths = measure_columns(self._theme)
        for label, width in ((self.size_label, widths.size), (self.memory, widths.memory)):
            label.setFont(self._theme.font("number"))
            label.setFixedWidth(width)
            label.setMinimumHeight(self._theme.length(LINE))
        self.speed.setFont(self._theme.font("number"))
        self.speed_place.setFixedWidth(widths.speed + LINK_PAD)
        self.place.setFixedWidth(widths.verdict - LINK_PAD)


class Buttons(QWidget):
    """The buttons of a row in columns at its right edge: remove, and the main action.

    In a row without columns, "Test speed" is at their left.
    """

    def __init__(
        self, theme: Theme, test: QWidget | None, remove: QWidget | None, *actions: QWidget
    ) -> None:
        super().__init__()
        self._theme = theme
        self.test = test
        self._places: list[tuple[QWidget, int]] = []
        columns = (([remove], REMOVE_WIDTH), (actions, ACTION_WIDTH))
        self.row = row = build_row(parent=self, spacing=BUTTON_GAP)
        row.addStrut(theme.length(LINE))
        if test is not None:
            row.addWidget(test)
        for widgets, width in columns:
            place = QWidget()
            build_row(*(w for w in widgets if w is not None), parent=place, spacing=0)
            row.addWidget(place)
            self._places.append((place, width))
        self.fit(has_columns=False)

    def fit(self, *, has_columns: bool) -> None:
        """Give each column its width, or only that of the button which is in it."""
        for place, width in self._places:
            width = self._theme.length(width) if has_columns else 0
            place.setMinimumWidth(width)
            place.setMaximumWidth(width or QWIDGETSIZE_MAX)


QWIDGETSIZE_MAX = (1 << 24) - 1  # Qt's "no limit"


class Description(QWidget):
    """The first line of a model with badges, columns and buttons; below it a note and the facts.

    In a narrow row, which has no columns, the facts begin with what would be in them.
    """

    def __init__(self, theme: Theme, badges: Sequence[Badge], buttons: Buttons) -> None:
        super().__init__()
        self._theme = theme
        self._facts, self._here, self._needs = "", "", ""  # the last two are also in columns
        self.title = ElidedLabel("", "strong")
        self.lack = Label("", "bad", wrap=True)
        self.lack.hide()
        self.note = Label("", wrap=True)
        self.facts = Label("", "small", wrap=True)
        self.columns = ModelColumns(theme)
        self._buttons = buttons
        head = Flow()
        head.add(self.title, *badges)
        top = Qt.AlignmentFlag.AlignTop
        line = build_row((head, 1), (self.columns, 0, top), (buttons, 0, top), spacing=GAP)
        build_column(line, self.lack, self.note, self.facts, parent=self, spacing=0)
        theme.changed.connect(self._fit)
        self._fit()

    def _fit(self) -> None:
        """Give lines one height, with badges or other scripts and without."""
        for label, height in (
            (self.title, LINE),
            (self.lack, 20),
            (self.note, 20),
            (self.facts, 18),
        ):
            label.setMinimumHeight(self._theme.length(height))

    def show_texts(self, title: str, note: str, size: str, memory_bytes: int, facts: str) -> None:
        """Show the texts of a model; `size` and `memory_bytes` may be "" and 0 for unknown."""
        self.title.setText(title)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.columns.size_label.setText(size)
        self.columns.memory.setText(format_known_size(memory_bytes))
        self._facts = facts
        self._needs = join_facts(size, describe_memory(memory_bytes))
        self._show_facts()

    def show_here(
        self,
        machine: Machine,
        memory_bytes: int,
        speed: str = "",
        *,
        is_measured: bool = True,
        is_loaded: bool = False,
        tip: str = "",
    ) -> None:
        """Show how a model runs on this computer; `speed` is "" where there is none to measure.

        In the columns, a speed that is not measured is the link that measures it.

        Args:
            tip: from what the speed is estimated.
        """
        columns = self.columns
        show_verdict(columns.verdict, machine, memory_bytes, in_column=True, is_loaded=is_loaded)
        lack = "" if is_loaded else describe_lack(machine, memory_bytes)
        self.lack.setText(lack)
        self.lack.setVisible(bool(lack))
        in_column = is_measured or self._buttons.test is None
        columns.speed.setText(speed if in_column else "")
        columns.speed.set_role("" if speed[:1].isdigit() else "small")
        columns.speed.setToolTip(plain_tip(tip))
        alone = tr("speed here: {speed}", speed=speed) if speed else ""
        self._here = join_facts(describe_verdict(machine, memory_bytes), alone)
        self._show_facts()

    def fit(self, width: int) -> None:
        """Show the columns of a row of this width, or what is in them below."""
        shown = has_columns(self._theme, width)
        self.columns.setVisible(shown)
        self._place_test(in_column=shown)
        self._buttons.fit(has_columns=shown)
        self._show_facts()

    def _place_test(self, *, in_column: bool) -> None:
        """Place "Test speed" in the column of the speeds, or beside the other buttons."""
        test, columns = self._buttons.test, self.columns
        if test is None or (columns.speed_row.indexOf(test) >= 0) == in_column:
            return
        is_shown = not test.isHidden()
        if in_column:
            columns.speed_row.addWidget(test)
        elif self._buttons.row.indexOf(test) < 0:
            self._buttons.row.insertWidget(0, test)
        test.setVisible(is_shown)  # another parent hides it

    def _show_facts(self) -> None:
        more = join_facts(self._here, self._needs) if self.columns.isHidden() else ""
        self.facts.setText(join_facts(more, self._facts))
        self.facts.setVisible(bool(self.facts.text()))


def has_columns(theme: Theme, width: int) -> bool:
    """Return whether a row of this width has columns."""
    buttons = theme.length(REMOVE_WIDTH) + theme.length(ACTION_WIDTH) + BUTTON_GAP
    left, _, right, _ = ROW_MARGINS
    beside = theme.length(BESIDE_COLUMNS) + buttons + 2 * GAP + left + right
    return width >= beside + measure_columns(theme).total


class ModelsSummary(QFrame):
    """Lines with a heading each: the model in use, this computer, and what a larger one gives."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(GAP)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self.lines: dict[str, str] = {}
        self.hide()

    def show_lines(self, lines: Mapping[str, str]) -> None:
        """Show a text for each heading; those without a text are left out."""
        shown = {heading: text for heading, text in lines.items() if text}
        self.setVisible(bool(shown))
        if shown == self.lines:
            return
        self.lines = shown
        clear_layout(self._grid)
        top = Qt.AlignmentFlag.AlignTop
        for row, (heading, text) in enumerate(shown.items()):
            role = "strong" if row == 0 else ""
            for column, label in enumerate((Label(heading, "muted"), Label(text, role, wrap=True))):
                self._grid.addWidget(label, row, column, top)
                label.show()  # Qt would show it only with a later event


class ColumnHeading(QWidget):
    """What the rows below are for, and what their columns are."""

    def __init__(self, theme: Theme, purpose: str, *, has_speed: bool = True) -> None:
        super().__init__()
        self._theme = theme
        self._columns, self._buttons = QWidget(), QWidget()
        verdict = Label(tr("On this computer"), "small")
        verdict.setContentsMargins(GAP, 0, 0, 0)
        speed = Label(tr("Speed here") if has_speed else tr("Test here"), "small")
        token = tr("A token is a short word or a part of one.")
        guess = tr(
            "“about” is an estimate from the size; “Test speed” measures an installed model."
        )
        speed.setToolTip(plain_tip(join_sentences([guess, token])) if has_speed else "")
        self.heads = (
            Label(tr("Size"), "small"),
            Label(tr("Memory needed"), "small"),
            speed,
            verdict,
        )
        for label in self.heads[:-1]:
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
        build_row(*self.heads, parent=self._columns, spacing=0)
        _, _, right, _ = ROW_MARGINS
        self._purpose = purpose
        self.text = Label(purpose, "muted", wrap=True)
        bottom = Qt.AlignmentFlag.AlignBottom
        build_row(
            *((self.text, 1, bottom), (self._columns, 0, bottom), self._buttons),
            parent=self,
            spacing=GAP,
            margins=(0, 0, right, 0),
        )

    def set_compared(self, known: KnownSpeed) -> None:
        """Say with which model the speeds are compared, while none was measured."""
        is_compared = bool(known.size_bytes) and not known.tokens_per_s
        with_what = tr("Speeds are compared with {model}.", model=known.title)
        self.text.setText(join_sentences([self._purpose, with_what if is_compared else ""]))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        length, widths = self._theme.length, measure_columns(self._theme)
        for label, width in zip(
            self.heads, (widths.size, widths.memory, widths.speed, widths.verdict), strict=True
        ):
            label.setFixedWidth(width)
        buttons = length(REMOVE_WIDTH) + length(ACTION_WIDTH) + BUTTON_GAP
        shown = has_columns(self._theme, self.width())
        self._buttons.setFixedWidth(buttons)
        self._columns.setVisible(shown)
        self._buttons.setVisible(shown)


class InUseBadge(Badge):
    """Says "In use" where other models have the button "Use", with a check mark.

    It has no ground or border, which a button has: nothing happens on a click.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, tr("In use"), "accent")
        self.look = "bare"

    def sizeHint(self) -> QSize:
        length = self._theme.length
        return QSize(max(length(ACTION_WIDTH), self._text_width() + length(40)), length(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, theme = QPainter(self), self._theme
        font = theme.font("strong")
        side, gap = theme.length(16), theme.length(6)
        width = QFontMetrics(font).horizontalAdvance(self.text())
        left = (self.width() - side - gap - width) // 2
        icon = QRect(left, (self.height() - side) // 2, side, side)
        theme.icon("ph.check-circle", color="accent").paint(painter, icon)
        painter.setFont(font)
        painter.setPen(theme.color("accent"))
        area = self.rect().adjusted(left + side + gap, 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter, self.text())
        painter.end()


class ModelCard(QWidget):
    """A row of the models screen; signals carry the model's name. The model in use has a frame."""

    use_clicked = Signal(str)
    install_clicked = Signal(str)
    cancel_clicked = Signal(str)
    check_clicked = Signal(str)
    capabilities_clicked = Signal(str)
    remove_clicked = Signal(str)

    def __init__(self, theme: Theme, model: ModelRow, machine: Machine) -> None:
        super().__init__()
        self.name = model.name
        self.badge = Badge(theme, "", "ok")
        self.starter = Badge(theme, tr("starter"), "accent")
        self.recommended = Badge(theme, tr("recommended"), "accent")
        self.checksum = Label("", "small", wrap=True)
        self.result = Label("", "ok", wrap=True)
        self.sample = Label("", "muted", wrap=True)
        self.line = ProgressLine()
        self.progress_text = Label("", "small")
        self.install_button = Button(tr("Install"), theme=theme, icon="install")
        self.use_button = Button(tr("Use"))
        self.in_use = InUseBadge(theme)
        is_chat = model.role == "chat"
        self.check_button = Button(tr("Test speed") if is_chat else tr("Test"), kind="link")
        self.check_button.setToolTip(tr("Ask one short question") if is_chat else "")
        self.capability_button = Button(name_check(None), kind="link")
        self.capability_button.setToolTip(tr(ABOUT_CHECK))
        self.capabilities = CapabilityTable()
        self.cancel_button = Button(tr("Stop"))
        self.remove_button = IconButton(theme, "delete", tr("Remove from this computer"))
        buttons = (
            (self.use_button, self.use_clicked),
            (self.check_button, self.check_clicked),
            (self.capability_button, self.capabilities_clicked),
            (self.install_button, self.install_clicked),
            (self.cancel_button, self.cancel_clicked),
            (self.remove_button, self.remove_clicked),
        )
        for button, signal in buttons:
            button.clicked.connect(lambda _=False, signal=signal: signal.emit(self.name))
        self._capability_place = QWidget()
        build_row(self.capability_button, STRETCH, parent=self._capability_place, spacing=0)
        # below the row, so that its buttons stay when one of these is shown
        below = build_column(
            *(self.checksum, self.line, self.progress_text, self.result, self.sample),
            spacing=4,
        )
        actions = (self.use_button, self.install_button, self.cancel_button, self.in_use)
        right = Buttons(theme, self.check_button, self.remove_button, *actions)
        badges = (self.badge, self.starter, self.recommended)
        self.texts = Description(theme, badges, right)
        self.title, self.facts = self.texts.title, self.texts.facts
        self.frame = QFrame()
        beside_links = (LINK_PAD, 0, 0, 0)  # so that the text of a link begins where others do
        self._row = build_column(
            build_row((self.texts, 1), spacing=0, margins=beside_links),
            build_row((below, 1), spacing=0, margins=beside_links),
            self._capability_place,
            build_row((self.capabilities, 1), spacing=0, margins=beside_links),
            parent=self.frame,
            spacing=0,
        )
        self._hairline = build_row_line()
        self._column = build_column(self.frame, self._hairline, parent=self, spacing=0)
        self.recommended.hide()
        self.show_model(model, machine)
        self.show_progress(None)
        self.show_result(None)

    def show_model(self, model: ModelRow, machine: Machine) -> None:
        self._model, self._machine = model, machine
        size = format_known_size(model.size_bytes)
        notes = [tr_message(note) for note in (model.note, model.pictures) if note]
        note, facts = join_sentences(notes), describe_model_facts(model)
        self.texts.show_texts(model.title, note, size, model.memory_bytes, facts)
        self.texts.note.set_role("bad" if model.damaged else "")
        self._set_framed(model.active)
        self.badge.setVisible(not model.active)  # then it is at the right, in place of a button
        if model.installed:
            self.badge.set_text(tr("installed"), "ok")
        else:
            self.badge.set_text(tr("not installed"), "text2", "plain")
        self.starter.setVisible(self._is_wanted_starter() and self.recommended.isHidden())
        is_measured = model.tokens_per_s > 0 and model.installed
        self.texts.show_here(
            machine,
            model.memory_bytes,
            describe_speed(model),
            is_measured=is_measured,
            is_loaded=model.active,
        )
        self._show_check(is_measured)
        self.checksum.setText(f"SHA-256 {model.sha256}" if model.sha256 else "")
        self.checksum.setVisible(bool(self.checksum.text()) and model.active)
        tip = (model.link, self.checksum.text())
        self.frame.setToolTip(plain_tip("\n".join(part for part in tip if part)))
        self._show_buttons(busy=False)

    def _show_check(self, is_measured: bool) -> None:
        """Name the link that tests the model: one that was tested has its speed beside it."""
        if self._model.role == "chat":
            self.check_button.setText(tr("Test again") if is_measured else tr("Test speed"))

    def show_speed(self, known: KnownSpeed) -> None:
        """Show the estimated speed of a model that is not on this computer."""
        model = self._model
        if model.role == "chat" and not model.installed:
            words = describe_estimate(known, model.size_bytes, model.title)
            tip = explain_estimate(known)
            self.texts.show_here(self._machine, model.memory_bytes, words, tip=tip)

    def show_recommended(self, reason: str) -> None:
        """Show that this model is the best for this computer, and why; hide it for ""."""
        show_reason(self.recommended, reason)
        # three badges have no room beside the columns of a small window
        self.starter.setVisible(self._is_wanted_starter() and not reason)

    def _is_wanted_starter(self) -> bool:
        return self._model.in_starter and not self._model.installed

    def _set_framed(self, framed: bool) -> None:
        left, top, right, bottom = ROW_MARGINS
        edge = 1 if framed else 0  # the frame is part of the margin: texts are below each other
        self._row.setContentsMargins(left - LINK_PAD - edge, top, right - edge, bottom)
        self._column.setContentsMargins(0, 0, 0, CARD_GAP if framed else 0)
        self._hairline.setVisible(not framed)
        name = "card" if framed else ""
        if self.frame.objectName() != name:
            self.frame.setObjectName(name)
            self.frame.setProperty("chosen", framed)
            self.frame.style().unpolish(self.frame)
            self.frame.style().polish(self.frame)

    @property
    def memory_bytes(self) -> int:
        return self._model.memory_bytes

    @property
    def role(self) -> str:
        return self._model.role

    def set_primary(self, primary: bool) -> None:
        """Mark the button that gets or uses this model as the main action of the screen."""
        for button in (self.install_button, self.use_button):
            button.set_primary(primary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.texts.fit(self.width())

    def show_progress(self, progress: Progress | None) -> None:
        """Show the progress of an installation; None if there is none."""
        busy = progress is not None
        self.line.setVisible(busy)
        self.progress_text.setVisible(busy)
        self._show_buttons(busy)
        if progress is None:
            return
        self.line.set_share(progress.done / progress.total if progress.total > 0 else None)
        self.progress_text.setText(describe_progress(progress))

    def show_asking(self, progress: Progress) -> None:
        """Show which question of the check of capabilities is asked."""
        self.show_progress(progress)
        share, words = describe_question(progress)
        self.line.set_share(share)
        self.progress_text.setText(words)

    def show_capabilities(self, found: ModelCapabilities | None) -> None:
        """Show the last result of the check of capabilities, None if there is none."""
        self.capabilities.show_result(found)
        self.capability_button.setText(name_check(found))

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
            parts.append(tr_message(format_seconds(result.seconds)))
        self.result.set_role("ok" if result.ok else "bad")
        self.result.setText(" · ".join(part.rstrip(".。") for part in parts if part))
        sample = result.sample
        # anything else is the answer of a chat model
        self.sample.setText(tr_message(sample) if isinstance(sample, Message) else f"“{sample}”")

    def _show_buttons(self, busy: bool) -> None:
        installed = self._model.installed
        # a projector alone is of no use
        is_whole = installed and (self._model.role != "vision" or self._model.chat_path is not None)
        self.install_button.setVisible(not busy and not installed)
        self.cancel_button.setVisible(busy)
        self.use_button.setVisible(not busy and is_whole and not self._model.active)
        self.in_use.setVisible(not busy and self._model.active)
        self.check_button.setVisible(not busy and is_whole)
        is_asked = installed and self._model.role == "chat" and not self._model.damaged
        self._capability_place.setVisible(not busy and is_asked)
        self.remove_button.setVisible(not busy and installed)


def describe_model_facts(model: ModelRow | Suggestion) -> str:
    """Return "Qwen · 1.5B parameters · Q4_K_M · Apache-2.0 · English, 中文", as far as known."""
    parameters = tr("{n} parameters", n=model.parameters) if model.parameters else ""
    languages = list_languages(model.languages)
    return join_facts(model.publisher, parameters, model.quantisation, model.licence, languages)


def build_row_line() -> Hairline:
    """Return the line below a row of several lines, stronger than those between areas."""
    line = Hairline()
    line.setObjectName("rowLine")
    return line


def join_facts(*facts: str) -> str:
    return " · ".join(fact for fact in facts if fact)


def describe_memory(size_bytes: int) -> str:
    return tr("needs {size} of memory", size=format_size(size_bytes)) if size_bytes else ""


def format_known_size(size_bytes: int) -> str:
    return format_size(size_bytes) if size_bytes else ""


def list_languages(codes: Sequence[str]) -> str:
    """Return the first languages of a model and how many more there are."""
    languages = [
        tr(MULTILINGUAL) if code == MULTILINGUAL else format_language(code)
        for code in codes
        if code != "und"
    ]
    if len(languages) > SHOWN_LANGUAGES:
        more = len(languages) - SHOWN_LANGUAGES
        languages = [*languages[:SHOWN_LANGUAGES], trn("{n} more", "{n} more", more)]
    return join_words(languages)


def describe_speed(model: ModelRow) -> str:
    """Return how fast an installed chat model writes here; the button “Test speed” measures it."""
    if not model.installed or model.role != "chat" or model.damaged:
        return ""
    if model.tokens_per_s <= 0:
        return tr("not measured")
    rate = f"{model.tokens_per_s:.{1 if model.tokens_per_s < 10 else 0}f}"
    return tr("{n} tokens/s", n=rate)


class DownloadRow(QWidget):
    """A download or copy that runs or was stopped; signals carry its file name."""

    stop_clicked = Signal(str)
    continue_clicked = Signal(str)
    discard_clicked = Signal(str)

    def __init__(self, theme: Theme, file: str) -> None:
        super().__init__()
        self.file = file
        self.title = Label(file, "strong", wrap=True)
        self.text = Label("", "muted", wrap=True)
        self.line = ProgressLine()
        self.stop_button = Button(tr("Stop"))
        self.continue_button = PrimaryButton(tr("Continue"), theme=theme, icon="install")
        self.discard_button = IconButton(theme, "delete", tr("Delete the unfinished download"))
        for button, signal in (
            (self.stop_button, self.stop_clicked),
            (self.continue_button, self.continue_clicked),
            (self.discard_button, self.discard_clicked),
        ):
            button.clicked.connect(lambda _=False, signal=signal: signal.emit(self.file))
        texts = build_column(self.title, self.text, self.line, spacing=4)
        buttons = build_row(self.stop_button, self.continue_button, self.discard_button)
        right = build_column(buttons, STRETCH, spacing=0)
        row = build_row((texts, 1), right, spacing=16, margins=(0, 12, 0, 12))
        build_column(row, Hairline(), parent=self, spacing=0)

    def show_progress(self, progress: Progress) -> None:
        self.line.set_share(progress.done / progress.total if progress.total > 0 else None)
        self.text.setText(describe_progress(progress))
        self._show_buttons(running=True)

    def show_unfinished(self, download: UnfinishedDownload) -> None:
        self.line.set_share(download.n_bytes / max(1, download.model.size_bytes))
        self.text.setText(
            tr(
                "Unfinished: {done} of {total}. “Continue” downloads the rest.",
                done=format_size(download.n_bytes),
                total=format_size(download.model.size_bytes),
            )
        )
        self._show_buttons(running=False)

    def _show_buttons(self, *, running: bool) -> None:
        self.stop_button.setVisible(running)
        self.continue_button.setVisible(not running)
        self.discard_button.setVisible(not running)


class SuggestionRow(QWidget):
    """A larger model worth getting; `get_clicked` carries the suggestion."""

    get_clicked = Signal(object)

    def __init__(self, theme: Theme, suggestion: Suggestion, machine: Machine) -> None:
        super().__init__()
        self.suggestion = suggestion
        self.recommended = Badge(theme, tr("recommended"), "accent")
        self.untested = Badge(theme, tr("not tested with Inkgraph"), "warn")
        self.button = Button(tr("Download…"), theme=theme, icon="install")
        self.button.setToolTip(tr("Three steps: its page, the link of a file, the download"))
        self.button.setAccessibleName(tr("Download {model}…", model=suggestion.title))
        self.button.clicked.connect(lambda: self.get_clicked.emit(suggestion))
        buttons = Buttons(theme, None, None, self.button)
        self.texts = Description(theme, (self.recommended, self.untested), buttons)
        size = tr("about {size}", size=format_size(suggestion.size_bytes))
        note, needed = tr_message(Message(suggestion.note)), suggestion.memory_bytes
        self.texts.show_texts(
            suggestion.title, note, size, needed, describe_model_facts(suggestion)
        )
        self.texts.show_here(machine, needed)
        self.show_recommended("")
        row = build_column(self.texts, spacing=0, margins=ROW_MARGINS)
        build_column(row, build_row_line(), parent=self, spacing=0)

    def show_speed(self, known: KnownSpeed, machine: Machine) -> None:
        """Show how fast the model would be here, estimated from a measured one."""
        suggestion = self.suggestion
        words = describe_estimate(known, suggestion.size_bytes, suggestion.title)
        tip = explain_estimate(known)
        self.texts.show_here(machine, suggestion.memory_bytes, words, tip=tip)

    def set_primary(self, primary: bool) -> None:
        """Mark the button as the main action of the screen."""
        self.button.set_primary(primary)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.texts.fit(self.width())

    def show_recommended(self, reason: str) -> None:
        """Show that this model is the best for this computer, and why; hide it for ""."""
        show_reason(self.recommended, reason)
        self.untested.setVisible(bool(reason))


class RerankerRow(QWidget):
    """The choice of a reranker and its cost; `chosen` with its name, `CHAT_RERANKER` or ""."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.choice = ChoiceBox()
        self.choice.setAccessibleName(tr("Reranking"))
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.choice.activated.connect(lambda _: self.chosen.emit(self.choice.currentData()))
        text = tr(
            "Before an answer, the passages found can be ranked again. This is slower, and useful "
            "where the right passage is found but ranked too low."
        )
        build_column(
            Label(tr("Reranking"), "title"),
            Label(text, "muted", wrap=True),
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
