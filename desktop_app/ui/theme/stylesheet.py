"""The style sheet of the application, made from the tokens.

Owns how standard controls look; widgets select a style by the dynamic property `kind` or `role`.
Other colours are only used in paint code that reads the theme.
"""

from __future__ import annotations

import re
from dataclasses import fields
from string import Template

from .tokens import SMALL_PX, TEXT_PX, TITLE_PX, Tokens


def mix(first: str, second: str, share: float) -> str:
    """Return the colour `share` of the way from first to second, both #RRGGBB."""
    pairs = zip(_rgb(first), _rgb(second), strict=True)
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def _rgb(color: str) -> tuple[int, ...]:
    return tuple(int(color[i : i + 2], 16) for i in (1, 3, 5))


def mix_shades(tokens: Tokens) -> dict[str, str]:
    """Return the colours mixed from tokens; stronger in high contrast."""
    high = tokens.high
    return {
        "hover": mix(tokens.surface, tokens.accent_soft, 0.5),
        "side_hover": mix(tokens.sunken, tokens.text, 0.06),
        "side_on": mix(tokens.sunken, tokens.text, 0.11),
        "edge": mix(tokens.line, tokens.text2, 0.25),
        "faint": mix(tokens.text2, tokens.bg, 0.25 if high else 0.45),
        "off": tokens.sunken if high else tokens.line,
        "pressed": mix(tokens.accent_soft, tokens.accent, 0.1 if high else 0.2),
        "accent_hover": mix(tokens.accent, tokens.text, 0.12),
        "bar": mix(tokens.bg, tokens.text2, 0.65 if high else 0.4),
        "chosen_edge": tokens.accent if high else "transparent",
    }


def build_stylesheet(tokens: Tokens, images: dict[str, str], scale: float = 1.0) -> str:
    """Return the style sheet of one look; `images` are files for caret and check mark."""
    colors = {f.name: getattr(tokens, f.name) for f in fields(tokens)}
    grown = max(1.0, scale)
    tick = round(14 * grown)
    sheet = Template(SHEET).substitute(
        **{name: color for name, color in colors.items() if isinstance(color, str)},
        **mix_shades(tokens),
        small=f"{round(SMALL_PX * scale)}px",
        size=f"{round(TEXT_PX * scale)}px",
        title=f"{round(TITLE_PX * scale)}px",
        veil="#E6" + tokens.bg[1:],
        tick=f"{tick}px",
        tick_in=f"{tick - 2}px",
        dot=f"{tick - 8}px",
        round=f"{tick // 2 + 1}px",
        caret=images.get("caret", ""),
        check=images.get("check", ""),
    )
    return _raise_heights(sheet, round(28 * (grown - 1)))


def _raise_heights(sheet: str, more: int) -> str:
    """Return the sheet with the heights of controls with text raised by so many pixels.

    All by the same amount, because focus rings are part of some heights.
    """

    def raised(found: re.Match[str]) -> str:
        return f"{found[1]}: {int(found[2]) + more}px"

    return re.sub(r"(min-height|max-height): (\d\d)px", raised, sheet)


SHEET = """
QWidget { color: $text; font-size: $size; }
QMainWindow, QDialog { background: $bg; }
QToolTip { background: $surface; color: $text; border: 1px solid $edge; padding: 4px 8px; }

QLabel { background: transparent; }
QLabel[role="small"], QLabel[role="muted"] { color: $text2; }
QLabel[role="small"] { font-size: $small; }
QLabel[role="title"] { font-size: $title; font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QLabel[role="section"] { font-size: $small; font-weight: 600; color: $text2; }
QLabel[role="ok"] { color: $ok; }
QLabel[role="warn"] { color: $warn; }
QLabel[role="bad"] { color: $bad; }

QPushButton {
    background: $surface; border: 1px solid $edge; border-radius: 6px;
    padding: 0 12px; min-height: 28px;
}
QPushButton:hover { background: $hover; }
QPushButton:pressed { background: $pressed; }
QPushButton:focus { border: 2px solid $accent; padding: 0 11px; min-height: 26px; }
QPushButton:disabled { color: $faint; border-color: $line; }
QPushButton::menu-indicator { image: url("$caret"); subcontrol-position: right center;
    right: 6px; width: 12px; height: 12px; }
QPushButton[kind="primary"] { background: $accent; border-color: $accent; color: $on_accent;
    font-weight: 600; }
QPushButton[kind="primary"]:hover { background: $accent_hover; }
QPushButton[kind="primary"]:focus { border: 2px solid $text; }
QPushButton[kind="primary"]:disabled { background: $off; border-color: $line; color: $text2; }
QPushButton[kind="quiet"] { background: transparent; border-color: transparent; }
QPushButton[kind="quiet"]:hover { background: $hover; }
QPushButton[kind="quiet"]:focus { border: 2px solid $accent; }
QPushButton[kind="link"] { background: transparent; border-color: transparent; color: $accent;
    padding: 0 4px; font-weight: 600; }
QPushButton[kind="link"]:hover { text-decoration: underline; }
QPushButton[kind="link"]:focus { border: 2px solid $accent; padding: 0 3px; }
QPushButton[kind="danger"] { color: $bad; }
QPushButton[kind="chip"] { background: $hover; border-color: $chosen_edge; padding: 0 8px;
    min-height: 26px; }
QPushButton[kind="chip"]:hover { border-color: $edge; }
QPushButton[kind="chip"]:focus { border: 2px solid $accent; padding: 0 7px; min-height: 24px; }

QToolButton { background: transparent; border: 1px solid transparent; border-radius: 6px;
    padding: 5px; }
QToolButton:hover { background: $hover; }
QToolButton:pressed, QToolButton:checked { background: $accent_soft;
    border-color: $chosen_edge; }
QToolButton:focus { border: 2px solid $accent; padding: 4px; }
QToolButton::menu-indicator { image: none; }

QLineEdit, QPlainTextEdit[kind="field"], QTextEdit[kind="field"] {
    background: $surface; border: 1px solid $edge; border-radius: 6px; padding: 0 8px;
    min-height: 28px; selection-background-color: $accent; selection-color: $on_accent;
}
QPlainTextEdit[kind="field"], QTextEdit[kind="field"] { padding: 4px 8px; }
QLineEdit:focus { border: 2px solid $accent; padding: 0 7px; min-height: 26px; }
QPlainTextEdit[kind="field"]:focus, QTextEdit[kind="field"]:focus {
    border: 2px solid $accent; padding: 3px 7px; }
QLineEdit:disabled { color: $faint; }
QLineEdit > QToolButton { padding: 0; border: none; }
QTextBrowser, QTextEdit, QPlainTextEdit { background: $surface; border: none;
    selection-background-color: $accent; selection-color: $on_accent; }

QComboBox { background: $surface; border: 1px solid $edge; border-radius: 6px;
    padding: 0 8px; min-height: 28px; }
QComboBox:hover { background: $hover; }
QComboBox:focus { border: 2px solid $accent; padding: 0 7px; min-height: 26px; }
QComboBox::drop-down { border: none; width: 24px; }
QComboBox::down-arrow { image: url("$caret"); width: 12px; height: 12px; }
QComboBox QAbstractItemView { background: $surface; border: 1px solid $edge; padding: 4px;
    selection-background-color: $accent_soft; selection-color: $text; outline: none; }

QSpinBox { background: $surface; border: 1px solid $edge; border-radius: 6px; padding: 0;
    min-height: 28px; max-height: 28px; }
QSpinBox > QLineEdit { background: transparent; border: none; padding: 0 8px; min-height: 0; }
QSpinBox:focus { border: 2px solid $accent; min-height: 26px; max-height: 26px; }
QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }

QCheckBox, QRadioButton { spacing: 8px; min-height: 28px; background: transparent; }
QCheckBox::indicator { width: $tick; height: $tick; border: 1px solid $text2;
    border-radius: 4px; background: $surface; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url("$check"); }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border: 2px solid $accent;
    width: $tick_in; height: $tick_in; }
QListView::indicator, QTreeView::indicator { width: $tick; height: $tick; border: 1px solid $text2;
    border-radius: 4px; background: $surface; }
QListView::indicator:checked, QTreeView::indicator:checked {
    background: $accent; border-color: $accent; image: url("$check"); }
QTreeView::indicator:indeterminate { background: $accent_soft; border-color: $accent; }
QRadioButton::indicator { width: $tick; height: $tick; border: 1px solid $text2;
    border-radius: $round; background: $surface; }
QRadioButton::indicator:checked { border: 5px solid $accent; width: $dot; height: $dot; }

QAbstractItemView { background: $surface; border: none; outline: none;
    selection-background-color: $accent_soft; selection-color: $text; }
QTableView { gridline-color: transparent; }
QTableView::item, QListView::item, QTreeView::item { border: none; padding: 0 8px; }
QListView::item, QTreeView::item { min-height: 32px; }
QTableView::item:hover, QListView::item:hover, QTreeView::item:hover { background: $hover; }
QTableView::item:selected, QListView::item:selected, QTreeView::item:selected {
    background: $accent_soft; color: $text; }
QTableView::item:selected, QListView::item:selected, QTreeView::item:selected {
    border-top: 1px solid $chosen_edge; border-bottom: 1px solid $chosen_edge; }
QHeaderView { background: $surface; border: none; }
QHeaderView::section { background: $surface; color: $text2; font-size: $small; border: none;
    border-bottom: 1px solid $line; padding: 0 8px; min-height: 32px; }
QHeaderView::section:hover { color: $text; }
QHeaderView::up-arrow, QHeaderView::down-arrow { image: none; width: 0; height: 0; }
QTableCornerButton::section { background: $surface; border: none; }

QScrollArea, QAbstractScrollArea { border: none; }
QScrollBar { background: transparent; border: none; margin: 0; }
QScrollBar:vertical { width: 10px; }
QScrollBar:horizontal { height: 10px; }
QScrollBar::handle { background: $bar; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 32px; }
QScrollBar::handle:horizontal { min-width: 32px; }
QScrollBar::handle:hover { background: $text2; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QMenu { background: $surface; border: 1px solid $edge; padding: 4px; }
QMenu::item { padding: 5px 23px 5px 11px; border-radius: 4px; background: transparent; }
QMenu::icon { padding-left: 8px; }
QMenu::item { border: 1px solid transparent; }
QMenu::item:selected { background: $accent_soft; color: $text; border-color: $chosen_edge; }
QMenu::item:disabled { color: $faint; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }

QSplitter::handle { background: $line; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }
QSplitter::handle:hover { background: $accent; }

QProgressBar { background: $line; border: none; border-radius: 2px; max-height: 4px;
    min-height: 4px; color: transparent; }
QProgressBar::chunk { background: $accent; border-radius: 2px; }

QTabBar { background: transparent; }
QTabBar::tab { background: transparent; border: none; border-bottom: 2px solid transparent;
    padding: 0 12px; min-height: 30px; color: $text2; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:hover { color: $text; }
QTabBar::tab:focus { color: $accent; }
QTabWidget::pane { border: none; border-top: 1px solid $line; }

QSlider::groove:horizontal { height: 4px; background: $line; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px;
    background: $accent; }

#hairline { background: $line; }
#toolbarRow { background: $bg; border-bottom: 1px solid $line; }
#inspector, #inspector > QWidget, #inspectorBody { background: $bg; }
#inspector { border-left: 1px solid $line; }
#readerHead { background: $bg; border-bottom: 1px solid $line; }
#screenBody { background: $bg; }
#surface { background: $surface; }
#banner { background: $accent_soft; border-radius: 6px; }
#messageBar { background: $text; border-radius: 6px; }
#messageBar QLabel { color: $bg; }
#messageBar QPushButton { background: transparent; border-color: transparent; color: $mark;
    font-weight: 600; }
#messageBar QPushButton:hover { text-decoration: underline; }
#messageBar QPushButton:focus, #messageBar QToolButton:focus { border-color: $mark; }
#messageBar QToolButton:hover { background: $text2; }
#dropOverlay { background: $veil; border: 2px dashed $accent; border-radius: 6px; }

#sidebar { background: $sunken; border-right: 1px solid $line; }
#sidebar QPushButton[kind="nav"] { background: transparent; border: 1px solid transparent;
    border-radius: 6px; text-align: left; padding: 0 8px; min-height: 30px; }
#sidebar QPushButton[kind="nav"]:hover { background: $side_hover; }
#sidebar QPushButton[kind="nav"]:checked { background: $side_on; font-weight: 600;
    border-color: $chosen_edge; }
#sidebar QPushButton[kind="nav"]:focus { border: 2px solid $accent; padding: 0 7px;
    min-height: 28px; }
#sidebar QListView { background: transparent; }
#sidebar QListView::item { border-radius: 6px; min-height: 28px; padding: 0 8px; }
#sidebar QListView::item:hover { background: $side_hover; }
#sidebar QListView::item:selected { background: $side_on; }
#sidebar QToolButton:hover { background: $side_hover; }
#palette { background: $surface; border: 1px solid $edge; border-radius: 6px; }
#palette QLineEdit { border: none; border-bottom: 1px solid $line; border-radius: 0;
    min-height: 44px; padding: 0 16px; }
"""
