"""The theme: colours, fonts and icons, light or dark, following the system.

Applies the current tokens to the application. Knows no screens: they read colours when they
paint and connect to `changed`. Settings: `set_mode("system" | "light" | "dark")`,
`set_contrast("system" | "on" | "off")`, `set_scale`. `length` and `breadth` scale sizes with the
fonts.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator
from weakref import WeakSet, ref

import shiboken6
from PySide6.QtCore import (
    QEvent,
    QLocale,
    QObject,
    QPoint,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QFont,
    QGuiApplication,
    QIcon,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QStyle,
    QTextEdit,
    QToolButton,
    QWidget,
)

from desktop_app.engine import paths

from . import design_tokens as measures
from .design_tokens import CHOSEN, LOOKS, Tokens, pick_ink
from .fonts import FontFamilies, choose_latin, find_families, is_chinese, load_fonts
from .icons import GlyphEngine, glyph, glyph_icon
from .stylesheet import build_stylesheet, mix, mix_shades

WITH_OWN = (QPushButton, QToolButton, QLineEdit, QComboBox, QAbstractSpinBox)
HIGH_CONTRAST = "high_contrast"  # property of the application
SMALL = 48  # pixels; around lower widgets the ring is drawn outside
WIDTH = 2
MOVED = (
    QEvent.Type.Move,
    QEvent.Type.Resize,
    QEvent.Type.Show,
    QEvent.Type.Hide,
    QEvent.Type.LayoutRequest,
)


class RingLine(QWidget):
    """The ring, over everything in its window; transparent for the mouse."""

    def __init__(self, window: QWidget, color: QColor) -> None:
        super().__init__(window)
        self._color = color
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(self._color, WIDTH))
        half = WIDTH / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(half, half, -half, -half), 5, 5)
        painter.end()


class FocusRing(QObject):
    """Draws a ring around the focused widget; `color` is set by the theme."""

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.color = QColor("black")
        self.line: RingLine | None = None
        self._widget: QWidget | None = None
        self._watched: list[QWidget] = []
        application.focusChanged.connect(self.follow)

    @property
    def widget(self) -> QWidget | None:
        """The widget that has the ring now."""
        shown = self.line is not None and shiboken6.isValid(self.line)
        return self._widget if shown else None

    def follow(self, _: QWidget | None, widget: QWidget | None) -> None:
        """Move the ring to the widget that has the focus now, if it needs one."""
        for watched in self._watched:
            if shiboken6.isValid(watched):
                watched.removeEventFilter(self)
        if self.line is not None and shiboken6.isValid(self.line):
            self.line.hide()
            self.line.deleteLater()
        self._widget, self._watched, self.line = None, [], None
        if widget is None or not wants_ring(widget):
            return
        if widget.focusPolicy() == Qt.FocusPolicy.NoFocus:  # a screen as a whole: no key reaches it
            return
        window = widget.window()
        if widget is window or not window.testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange):
            return
        self._widget = widget
        self.line = RingLine(window, self.color)
        while widget is not None and widget is not window:
            widget.installEventFilter(self)
            self._watched.append(widget)
            widget = widget.parentWidget()
        self._place()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in MOVED:
            self._place()
        return False

    def _place(self) -> None:
        line, widget = self.line, self._widget
        if line is None or widget is None or not shiboken6.isValid(line):
            return
        room = widget.visibleRegion().boundingRect()
        line.setVisible(not room.isEmpty())
        if room.isEmpty():
            return
        area = QRect(widget.mapTo(widget.window(), QPoint(0, 0)) + room.topLeft(), room.size())
        if area.height() < SMALL:
            area = area.adjusted(-WIDTH, -WIDTH, WIDTH, WIDTH)
        line.setGeometry(area.intersected(widget.window().rect()))
        line.raise_()


def wants_ring(widget: QWidget) -> bool:
    """Return whether a widget has no ring of its own in the style sheet."""
    if isinstance(widget, QPlainTextEdit | QTextEdit):
        return widget.property("kind") != "field"
    return not isinstance(widget, WITH_OWN)


log = logging.getLogger(__name__)

# Our names of icons that have other names in the icon family.
MODES = ("system", "light", "dark")
CONTRASTS = ("system", "on", "off")
FONT_PX = {
    "small": measures.SMALL_PX,
    "text": measures.TEXT_PX,
    "number": measures.TEXT_PX,
    "small_number": measures.SMALL_PX,
    "strong": measures.TEXT_PX,
    "title": measures.TITLE_PX,
    "book": 17,
    "book_zh": 17,
    "fixed": measures.SMALL_PX,
}

CHIP_SHARE = 0.22  # of the accent in the ground of a number
TINT, TINT_DARK = 0.5, 0.75  # of the mark colour, behind whole sentences


class Theme(QObject):
    """Colours, fonts and icons of the window; `changed` after every switch."""

    changed = Signal()

    def __init__(
        self,
        mode: str = "system",
        parent: QObject | None = None,
        *,
        contrast: str = "system",
        scale: float = 1.0,
    ) -> None:
        super().__init__(parent)
        self.mode = mode if mode in MODES else "system"
        self.contrast = contrast if contrast in CONTRASTS else "system"
        self.scale = _clamp_scale(scale)
        load_fonts()
        self.families = find_families()
        self._app: QApplication | None = None
        self._sheet = ""
        self._adopted: WeakSet[QWidget] = WeakSet()  # windows whose style sheet is ours
        self.focus_ring: FocusRing | None = None
        self.tokens: Tokens = self._wanted()
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)
        hints.accessibility().contrastPreferenceChanged.connect(self._follow_system)

    # --- which theme ---------------------------------------------------------------------

    @property
    def is_dark(self) -> bool:
        return self.tokens.dark

    @property
    def is_high(self) -> bool:
        """Whether the contrast is high now, by the setting or by the system."""
        return self.tokens.high

    def set_mode(self, mode: str) -> None:
        """Switch to "light", "dark" or "system"."""
        self.mode = mode if mode in MODES else "system"
        hints = QGuiApplication.styleHints()
        if self.mode == "system":
            hints.unsetColorScheme()
        else:  # so that native title bars and file dialogs follow
            hints.setColorScheme(
                Qt.ColorScheme.Dark if self.mode == "dark" else Qt.ColorScheme.Light
            )
        self._refresh()

    def set_contrast(self, contrast: str) -> None:
        """Switch high contrast "on", "off" or to "system"."""
        self.contrast = contrast if contrast in CONTRASTS else "system"
        self._refresh()

    def set_scale(self, scale: float) -> None:
        """Scale every font and the widgets that contain text; 1.0 is the 13-px base."""
        before, self.scale = self.scale, _clamp_scale(scale)
        self._refresh(force=before != self.scale)

    def set_families(self, families: FontFamilies) -> None:
        """Use other font families."""
        changed, self.families = families != self.families, families
        self._refresh(force=changed)

    def apply(self, app: QApplication, *, sets_sheet: bool = True) -> None:
        """Set style, font, palette and style sheet of the application, now and on change.

        Args:
            sets_sheet: without it, only the windows of `adopt` get the sheet, when they are built.
                Under a sheet of the application Qt restyles all widgets of a part of the window
                each time it is put into another: opening a library takes 1.5 s instead of 1.0.
        """
        self._app = app
        if app.style().name() != "fusion":  # another one restyles every widget: seconds
            app.setStyle("Fusion")  # not shown
        self.focus_ring = app.findChild(FocusRing) or FocusRing(app)
        self._paint_app()
        if sets_sheet:
            app.setStyleSheet(self._sheet)

    def adopt(self, window: QWidget) -> None:
        """Give a new window without a parent, with all its parts, the present style sheet.

        A change of the theme sets the sheet of each window, because setting that of the
        application again takes Qt ten times as long: it restyles every widget once for each of
        its ancestors (1,600 widgets: 2.6 s, against 0.3 s). The application keeps its first one,
        if it has one, which the sheets of windows override.
        """
        if window.parent() is None and self._app and self._app.styleSheet() != self._sheet:
            window.setStyleSheet(self._sheet)
            self._adopted.add(window)

    def _wanted(self) -> Tokens:
        hints = QGuiApplication.styleHints()
        dark, high = self.mode == "dark", self.contrast == "on"
        if self.mode == "system":
            dark = hints.colorScheme() == Qt.ColorScheme.Dark
        if self.contrast == "system":
            preferred = hints.accessibility().contrastPreference()
            high = preferred == Qt.ContrastPreference.HighContrast
        return LOOKS[dark, high]

    def _follow_system(self, *_: object) -> None:  # a lambda would keep the theme alive
        self._refresh()

    def _refresh(self, *, force: bool = False) -> None:
        wanted = self._wanted()
        if wanted is self.tokens and not force:
            return
        self.tokens = wanted
        self._paint_app()
        self._restyle_windows()
        self.changed.emit()

    def _paint_app(self) -> None:
        if self._app is None:
            return
        if self.focus_ring is not None:
            self.focus_ring.color = self.color("accent")
        self._app.setFont(self.font("text"))
        self._app.setPalette(self.palette())
        self._app.setProperty(HIGH_CONTRAST, self.is_high)  # for paint code without a theme
        images = {
            "caret": self._image("caret-down", "text2", 12),
            "check": self._image("check-bold", "on_accent", 14),
        }
        self._sheet = build_stylesheet(self.tokens, images, self.scale)

    def _restyle_windows(self) -> None:
        if self._app is None:
            return
        for window in self._app.topLevelWidgets():
            is_ours = not window.styleSheet() or window in self._adopted
            if window.parent() is None and is_ours:
                window.setStyleSheet(self._sheet)
                self._adopted.add(window)

    # --- colours ---------------------------------------------------------------------------

    def color(self, name: str, alpha: float = 1.0) -> QColor:
        """Return a token's colour ("text2", "accent", ...), `alpha` 0 to 1."""
        color = QColor(getattr(self.tokens, name))
        color.setAlphaF(alpha)
        return color

    def mark_ink(self) -> QColor:
        """Return the colour of text on a mark."""
        return QColor(pick_ink(self.tokens.mark)) if self.is_inverted else self.color("text")

    def tint(self) -> QColor:
        """Return the pale ground of a marked sentence; a solid one in high contrast."""
        share = TINT_DARK if self.is_dark else TINT
        return self.color("mark", 1.0 if self.is_high else share)

    def chip(self) -> QColor:
        """Return the ground of the number of a citation; its ink is that of text."""
        soft, accent = self.tokens.accent_soft, self.tokens.accent
        return self.color("accent_soft") if self.is_high else QColor(mix(soft, accent, CHIP_SHARE))

    def rule(self) -> QColor:
        """Return the colour of the rule before a quotation."""
        return self.color("text2", 1.0 if self.is_high else 0.35)

    def edge(self, name: str = "line") -> QColor | None:
        """Return the border of a surface: None except in high contrast.

        There the colours of surfaces differ too little to separate them.
        """
        return self.color(name) if self.is_high and not self.is_inverted else None

    @property
    def is_inverted(self) -> bool:
        """Whether the colours are those of a chosen row in high contrast; see `inverted`."""
        return self.tokens in CHOSEN.values()

    @contextlib.contextmanager
    def inverted(self, *, chosen: bool = True) -> Iterator[None]:
        """Return the colours of what is chosen while it is painted; no others without `chosen`.

        In high contrast, a chosen row is filled with the accent, and all colours on it are those
        of the opposite look. In other looks nothing changes.
        """
        before = self.tokens
        if chosen and before.high:
            self.tokens = CHOSEN.get(before.name, before)
        try:
            yield
        finally:
            self.tokens = before

    def type_color(self, entity_type: str) -> QColor:
        """Return the colour of an entity type; unknown types take that of "other"."""
        types = self.tokens.types
        return QColor(types.get(entity_type, types["other"]))

    def palette(self) -> QPalette:
        """Return a palette for what the style sheet does not cover."""
        role = QPalette.ColorRole
        palette = QPalette()
        for which, name in (
            (role.Window, "bg"),
            (role.WindowText, "text"),
            (role.Base, "surface"),
            (role.AlternateBase, "bg"),
            (role.Text, "text"),
            (role.PlaceholderText, "text2"),
            (role.Button, "surface"),
            (role.ButtonText, "text"),
            (role.BrightText, "bad"),
            (role.Highlight, "accent" if self.is_high else "accent_soft"),
            (role.HighlightedText, "on_accent" if self.is_high else "text"),
            (role.Link, "accent"),
            (role.LinkVisited, "accent"),
            (role.ToolTipBase, "surface"),
            (role.ToolTipText, "text"),
            (role.Light, "surface"),
            (role.Midlight, "line"),
            (role.Mid, "line"),
            (role.Dark, "line"),
            (role.Accent, "accent"),
        ):
            palette.setColor(which, self.color(name))
        # of dialogs: 3:1 on every ground, as the edge of a field
        palette.setColor(role.Shadow, QColor(mix_shades(self.tokens)["edge"]))
        for which in (role.Text, role.WindowText, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, which, self.color("text2", 0.6))
        return palette

    # --- fonts ------------------------------------------------------------------------------

    def font(self, role: str = "text", shown: str = "") -> QFont:
        """Return the font of a role: a key of `FONT_PX`.

        Args:
            shown: the text that is drawn in it, where this is a text of a document: the dashes of
                a Latin one are those of its letters also in a Chinese window.
        """
        font = QFont()
        if role in ("book", "book_zh"):
            chinese = role == "book_zh"
            font.setFamilies(self.families.book_order(chinese=chinese))
        elif role == "fixed":
            font.setFamilies(self.families.fixed_order())
            font.setStyleHint(QFont.StyleHint.Monospace)
        else:
            chinese = QLocale().language() == QLocale.Language.Chinese
            font.setFamilies(self.families.interface_order(chinese=chinese))
        font.setPixelSize(self.px(FONT_PX.get(role, measures.TEXT_PX)))
        if role in ("title", "strong"):
            font.setWeight(QFont.Weight.DemiBold)
        if role in ("number", "small_number"):  # not in texts: their hyphens would be as wide
            font.setFeature(QFont.Tag("tnum"), 1)
        return choose_latin(font, shown) if shown else font

    def book_font(self, text: str, size: int, *, chinese: bool | None = None) -> QFont:
        """Return the font of a text from a book; `size` is that at scale 1.

        Args:
            chinese: whether the text is Chinese; None to go by most of its letters.
        """
        chinese = is_chinese(text) if chinese is None else chinese
        font = self.font("book_zh" if chinese else "book")
        font.setPixelSize(self.px(size))
        return font

    def px(self, size: int) -> int:
        """Return a font size in pixels at the current scale."""
        return round(size * self.scale)

    def length(self, size: int) -> int:
        """Return a height or width that contains text: it grows with the scale, never shrinks."""
        return round(size * max(1.0, self.scale))

    def breadth(self, size: int) -> int:
        """Return the width of a panel: it grows half as much, because its text may wrap."""
        return round(size * max(1.0, 1.0 + (self.scale - 1.0) / 2))

    # --- icons and movement --------------------------------------------------------------------

    def icon(
        self, name: str, *, color: str = "text2", fills: QIcon.State | QIcon.Mode | None = None
    ) -> QIcon:
        """Return an icon that follows the theme.

        Args:
            color: a token or an entity type.
            fills: in which state or mode its place is filled with the accent in high contrast:
                `On` for a button that stays pressed or a tab, `Active` for a row of a menu.
        """

        this = ref(self)  # see `glyph_icon`

        def pick(mode: QIcon.Mode, state: QIcon.State) -> QColor:
            theme = this()
            if theme is None:  # a widget is painted after the end of its theme
                return QColor(Qt.GlobalColor.transparent)
            if theme.is_high and fills is not None and fills in (mode, state):
                return theme.color("on_accent")
            ink = "text" if theme.is_high and color == "text2" else color  # thin lines fade
            base = theme.type_color(ink) if ink in theme.tokens.types else theme.color(ink)
            if mode == QIcon.Mode.Disabled:  # pale, but seen: 2.5:1, in high contrast 3:1
                base.setAlphaF(0.5 if theme.is_high else 0.62)
            return base

        return glyph_icon(self, (name, color, fills), lambda: GlyphEngine(glyph(name), pick))

    def animation_ms(self, wanted: int = 150) -> int:
        """Return the duration of an animation: 0 where the system disables animations."""
        style, hint = QApplication.style(), QStyle.StyleHint.SH_Widget_Animation_Duration
        return wanted if style is not None and style.styleHint(hint) > 0 else 0

    def _image(self, name: str, color: str, size: int) -> str:
        """Write an icon for the style sheet; return its path."""
        folder = paths.style_images_dir()
        with contextlib.suppress(OSError):  # of a disk that is full or read-only
            folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}-{self.tokens.name}.png"
        self.icon(name, color=color).pixmap(size * 2, size * 2).save(str(path))
        return path.as_posix()


def _clamp_scale(scale: float) -> float:
    return min(2.0, max(0.75, float(scale)))
